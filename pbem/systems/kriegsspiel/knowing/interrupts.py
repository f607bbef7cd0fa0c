"""What calls a commander, and where a run stops for him or for all (KS-TUR-08).

An interrupt is caused by something that enters a commander's knowledge, never by the event itself.
"""

from __future__ import annotations

from pbem.ground.plane import Shape, distance, gap
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import PASSED, passed_key
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import is_formed, outline
from pbem.systems.kriegsspiel.knowing.conditions import known_to, told_of
from pbem.systems.kriegsspiel.knowing.knowledge import sees_own
from pbem.systems.kriegsspiel.knowing.sighting import sees_now, tiding_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.words import wake_words
from pbem.systems.kriegsspiel.tables.knowledge import IDLE_AFTER, INTERRUPT_MOVES, INTERRUPT_PACES, INTERRUPTS
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.mind import Entry, Learned, Mind
from pbem.systems.kriegsspiel.world.outcomes import HaltAnswered, TurnEnded, TurnStarted
from pbem.systems.kriegsspiel.world.outcomes_knowledge import HaltCalled, InterruptRaised, RunBegan, RunEnded
from pbem.systems.kriegsspiel.world.parts import Raised
from pbem.systems.kriegsspiel.world.patches import Changes

PRIVATE = ("private", "urgent_only")


@rule("KS-TUR-08")
def raise_interrupt(play: Play, person: str, code: str, why: str, ref: str = "") -> None:
    """Keep an interrupt for a played commander, unless he has switched it off; *ref*: told once for that."""
    found = play.war.persons.get(person)
    if found is None or play.mind(found) is None or found.state != "active" or code in found.muted:
        return
    clock = play.war.clock
    raised = clock.raised | {person: (*clock.raised.get(person, ()), Raised(code, play.move, ref, why))}
    changes = play.clock(raised=raised)
    if ref:
        name, again = f"{code} {person} {ref}", INTERRUPT_MOVES["danger_again"] if code == "W7" else 10_000
        if play.move - clock.armed.get(name, -again) < again:
            return
        changes = play.clock(raised=raised, armed=clock.armed | {name: play.move})
    play.keep(f"{code} for {person}", changes)
    play.tell(found.role, InterruptRaised(code=code, why=why, rules=cited("KS-TUR-08"), learned=Learned()))


# ------------------------------------------------------------------ what is raised by what he knows now


@rule("KS-TUR-08")
def raise_all(play: Play) -> None:
    """After step 9: contact, idle units, danger, wake rules, by what has entered each commander's knowledge."""
    for person in list(play.persons()):
        mind = play.mind(person)
        if mind is None:
            continue
        _first_contact(play, person, mind)
        _reinforced(play, person, mind)
        _idle_units(play, person)
        _danger(play, person)
        _wakes(play, person)


def _first_contact(play: Play, person: Person, mind: Mind) -> None:
    for entry in mind.entries.values():
        if entry.first == play.move and _is_formed_entry(entry) and _is_new(mind, entry):
            what = entry.tiding.arm or "a dark mass"
            raise_interrupt(play, person.id, "W1", f"the enemy: {what} ({entry.id})", entry.id)


@rule("KS-TUR-08")
def _is_formed_entry(entry: Entry) -> bool:
    return entry.tiding.size == "formed"


@rule("KS-TUR-08")
def _is_new(mind: Mind, entry: Entry) -> bool:
    """No enemy body was in his knowledge within 600 paces of that place in the last 15 moves."""
    return not any(
        other.id != entry.id
        and other.first < entry.first
        and distance(other.tiding.at, entry.tiding.at) <= INTERRUPT_PACES["new_body"]
        and entry.received - other.tiding.seen <= INTERRUPT_MOVES["new_body"]
        for other in mind.entries.values()
    )


@rule("KS-TUR-08", "KS-MOV-20")
def _reinforced(play: Play, person: Person, mind: Mind) -> None:
    """A unit of his that was to come is on the field, as he sees or has heard: he is called for it once."""
    entered = [unit for unit in mind.command if f"{person.side}:{unit}" in play.war.clock.entered]
    for unit in entered:
        known = mind.own.get(unit)
        if known is not None and known.received == play.move and not mind.is_to_come(unit):
            raise_interrupt(play, person.id, "W9", f"{unit} has entered the field", unit)


def _idle_units(play: Play, person: Person) -> None:
    mind = play.minds[Role(person.role)]
    for unit in list(play.on_map(person.side)):
        if unit.commander != person.id or unit.duty.queue or play.move - unit.duty.idle_since < IDLE_AFTER:
            continue
        if distance(unit.place.at, person.at) > INTERRUPT_PACES["idle_unit"] or not sees_own(play, person, unit):
            continue
        if any(
            distance(entry.tiding.at, unit.place.at) <= INTERRUPT_PACES["idle_enemy"]
            for entry in mind.entries.values()
            if not entry.tiding.gone and not entry.dropped
        ):
            raise_interrupt(
                play, person.id, "W6", f"{unit.id} has finished its orders", f"{unit.id}/{unit.duty.idle_since}"
            )


def _danger(play: Play, person: Person) -> None:
    """A formed body in his sight comes near his person, and nobody stands between: by what he can tell of it."""
    for glimpse in play.war.glimpses.get(person.id, ()):
        enemy = play.war.units.get(glimpse.body)
        if enemy is None or sees_now(play.war, person.id, glimpse.body) is None or not is_formed(enemy):
            continue
        told = tiding_of(enemy, glimpse, person.at, "own eyes")
        limit = INTERRUPT_PACES["danger_cavalry" if told.arm == "cavalry" else "danger_infantry"]
        far = play.field.from_point(person.at, enemy) if told.exact else distance(person.at, told.at)
        if far > limit:
            continue
        lane = Shape((person.at, told.at)) if person.at != told.at else Shape((person.at,))
        guarded = any(
            gap(outline(unit), lane).far <= 50
            and play.field.from_point(person.at, unit) <= INTERRUPT_PACES["friend_between"]
            for unit in play.field.units(person.side, formed=True)
        )
        if not guarded:
            raise_interrupt(play, person.id, "W7", "the enemy is close to you", enemy.key)


@rule("KS-TUR-08", "KS-SIT-10")
def _wakes(play: Play, person: Person) -> None:
    """Wake rules, judged from his page alone; each rings once."""
    mind = play.minds[Role(person.role)]
    left = []
    for line in play.war.wakes.get(person.id, ()):
        if line.test is not None and line.test.kind == "not_attacked" and told_of(mind, "attacked"):
            # It cannot come true any more.
            continue
        if line.test is not None and known_to(play, person, line.test):
            raise_interrupt(play, person.id, "W8", f"as you asked: {wake_words(play.scene, line.test)}")
        else:
            left.append(line)
    if len(left) != len(play.war.wakes.get(person.id, ())):
        play.keep("wakes", Changes(wakes={person.id: tuple(left)}))
        play.tell(person.role, InterruptRaised(code="W8", why="", learned=Learned(wakes=tuple(left))))


# ------------------------------------------------------------------ runs


@rule("KS-TUR-08", "KS-TUR-03")
def begin_run(play: Play) -> None:
    """A run begins, or goes on after a halt."""
    clock = play.war.clock
    if clock.phase == "halt":
        passed = play.answers.get(passed_key(Moment(clock.turn, 1, clock.move))) == PASSED
        for name in clock.called:
            person = play.war.persons[name]
            if passed:
                play.tell(
                    person.role,
                    RunEnded(halt=True, passed=True, rules=cited("KS-TUR-08")),
                    Learned(),
                )
            answered = bool(play.orders.get(Role(person.role)))
            play.add(HaltAnswered(person=name, answered=answered, rules=cited("KS-TUR-08"), changes=Changes()))
        play.keep("goes on", play.clock(phase="run", called=(), why={}, urgent=False))
        return
    if clock.running:
        return
    play.add(
        TurnStarted(
            turn_no=clock.turn,
            from_move=clock.move + 1,
            rules=cited("KS-TUR-08"),
            changes=play.clock(running=True, run_from=clock.move + 1, stirred=any(play.orders.values())),
        )
    )
    for role in play.roles():
        play.tell(
            role, RunBegan(turn_no=clock.turn, rules=cited("KS-TUR-08")), Learned(called=(), run_from=clock.move + 1)
        )


@rule("KS-TUR-08")
def after_move(play: Play) -> None:
    """Raise what is to be raised, and stop where the run ends or a commander is to be asked."""
    raise_all(play)
    clock, options = play.war.clock, play.war.options
    if clock.phase != "run":
        return
    played = clock.move - clock.run_from + 1
    if options.interrupts == "shared":
        _shared(play, played)
    elif options.interrupts in PRIVATE and played < options.turn_moves:
        urgent = {name for name, raised in clock.raised.items() if any(INTERRUPTS[one.code].urgent for one in raised)}
        at_step = played % options.step_moves == 0 and options.interrupts == "private"
        called = {name for name, raised in clock.raised.items() if raised} if at_step else urgent
        if called:
            _halt(play, tuple(sorted(called)), urgent=bool(urgent) and not at_step)
    if play.war.clock.phase == "run" and (clock.paused or (played >= options.turn_moves and not _quiet(play, played))):
        _end(play, "pause" if clock.paused else "turn_moves")


@rule("KS-TUR-03")
def _quiet(play: Play, played: int) -> bool:
    """By option: nobody has sent an order, nobody has news: play goes on to the next boundary of turns."""
    clock, options = play.war.clock, play.war.options
    if not options.auto_skip_quiet:
        return False
    if played >= 2 * options.turn_moves:
        return False
    return played % options.turn_moves != 0 or not (clock.stirred or any(clock.raised.values()))


def _shared(play: Play, played: int) -> None:
    clock, options = play.war.clock, play.war.options
    raised = [one for kept in clock.raised.values() for one in kept]
    if not raised:
        return
    urgent = any(INTERRUPTS[one.code].urgent for one in raised if one.move == clock.move)
    due = played >= options.min_turn_moves
    if options.clock_masking and played % 3:
        return
    if (urgent or due) and played < options.turn_moves:
        _end(play, "interrupt")


@rule("KS-TUR-08")
def _halt(play: Play, called: tuple[str, ...], *, urgent: bool) -> None:
    """Ask these commanders, each apart; a call empties his list."""
    clock = play.war.clock
    codes = {name: tuple(dict.fromkeys(one.code for one in clock.raised[name])) for name in called}
    why = {name: "; ".join(dict.fromkeys(one.why for one in clock.raised[name] if one.why)) for name in called}
    raised = {name: kept for name, kept in clock.raised.items() if name not in called}
    play.keep("halt", play.clock(phase="halt", called=called, why=why, urgent=urgent, raised=raised, stirred=True))
    for name in called:
        role = play.war.persons[name].role
        play.tell(
            role,
            HaltCalled(codes=codes[name], urgent=urgent, rules=cited("KS-TUR-08")),
            Learned(called=codes[name], phase="halt", move=clock.move),
        )


def _end(play: Play, cause: str) -> None:
    clock = play.war.clock
    codes = {name: tuple(dict.fromkeys(one.code for one in kept)) for name, kept in clock.raised.items() if kept}
    play.add(
        TurnEnded(
            cause="interrupt" if cause == "interrupt" else "pause" if cause == "pause" else "turn_moves",
            interrupts=tuple(f"{name} {' '.join(found)}" for name, found in sorted(codes.items())),
            rules=cited("KS-TUR-08", "KS-TUR-03"),
            changes=play.clock(running=False, turn=clock.turn + 1, raised={}, paused=False, run_from=clock.move + 1),
        )
    )
    by_role = {person.role: codes.get(person.id, ()) for person in play.war.persons.values() if person.role}
    for role in play.roles():
        mine = by_role.get(role, ())
        play.tell(
            role,
            RunEnded(codes=mine, rules=cited("KS-TUR-08")),
            Learned(called=mine, phase="run", move=clock.move, turn=clock.turn + 1),
        )
