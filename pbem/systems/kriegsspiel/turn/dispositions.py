"""Exchange 0: the dispositions of the commanders are taken, and play begins (KS-GM-08)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.ground.way import part
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.command import change_commander, may_command, take_lines
from pbem.systems.kriegsspiel.command.groups import lines_for
from pbem.systems.kriegsspiel.command.papers import level_of, overrides
from pbem.systems.kriegsspiel.command.sent import do_acts, lines_in, tell_taken
from pbem.systems.kriegsspiel.command.succession import announce_change
from pbem.systems.kriegsspiel.field.field import terrain_of, trail_behind
from pbem.systems.kriegsspiel.knowing.knowledge import update
from pbem.systems.kriegsspiel.knowing.reports import write_reports
from pbem.systems.kriegsspiel.knowing.sighting import observe
from pbem.systems.kriegsspiel.march.forming import bearing_of
from pbem.systems.kriegsspiel.mind.own_units import own_state
from pbem.systems.kriegsspiel.play.pauses import in_second_stage
from pbem.systems.kriegsspiel.play.play import Play, one, side_unit
from pbem.systems.kriegsspiel.scene.forces import road_behind
from pbem.systems.kriegsspiel.turn.setup import setup_fact
from pbem.systems.kriegsspiel.world.bodies import is_on_map, is_to_come
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.forms import IN_BATTERY, depth_of, is_column
from pbem.systems.kriegsspiel.world.mind import Known, Learned, Received, Sent
from pbem.systems.kriegsspiel.world.orders import AnyAct, Dispatch, Enter, Give, Intention, Line, Start, Voice
from pbem.systems.kriegsspiel.world.outcomes import IntentionFiled, Kept
from pbem.systems.kriegsspiel.world.outcomes_knowledge import PaperReceived, PaperSent, RunBegan, Taken
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

AT_ONCE = (Start, Enter, Give, Intention)


@rule("KS-GM-08", "KS-MSG-05", "KS-CMD-08")
def dispose(play: Play) -> None:
    """Places, entries, allotments, then the first orders, which are in the hands of their addressees at the opening.

    By option the commanders-in-chief give theirs first, and the sub-commanders then know what is allotted to them.
    """
    by_role = {person.role: person.id for person in play.war.persons.values() if person.role}
    for role in sorted(play.orders):
        person = play.war.persons[by_role[role]]
        for act in play.orders[role]:
            match act:
                case Start():
                    _start(play, person, act)
                case Enter():
                    _enter(play, person, act)
                case Give():
                    _give(play, person, act)
                case Intention():
                    _intention(play, person, act)
                case _:  # all else is done when everybody has his place
                    pass
    for role in sorted(play.orders):
        person = play.war.persons[by_role[role]]
        papers = [act for act in play.orders[role] if isinstance(act, Dispatch | Voice)]
        for act in papers:
            _letters(play, person, act)
        _first_orders(play, person, papers)
        rest = tuple(act for act in play.orders[role] if not isinstance(act, (Dispatch, Voice, *AT_ONCE)))
        taken = do_acts(play, person, rest)
        taken += [_first(act, line) for act in play.orders[role] if act not in rest for line in lines_in(act)]
        tell_taken(play, role, taken)
    if play.war.clock.phase == "setup" and in_second_stage(play.war):
        play.keep("second stage", play.clock(phase="setup_second"))
    else:
        _open(play)


def _open(play: Play) -> None:
    """The opening: who is in sight is shown, and the first run waits for its orders."""
    for unit in play.war.units.values():
        if is_on_map(unit):
            play.add(replace(setup_fact(unit, "default"), rules=cited("KS-GM-08"), changes=Changes()))
    play.add(Kept(what="opens", rules=cited("KS-SIT-01"), changes=play.clock(phase="run", turn=1, run_from=1)))
    for role in play.roles():
        play.tell(role, RunBegan(turn_no=0, rules=cited("KS-SIT-01")), Learned(phase="run", turn=1, run_from=1))
    observe(play)
    write_reports(play)
    update(play)
    for role in play.roles():
        mind = play.minds[role]
        own = {
            unit.id: Known(
                own_state(unit, 0, "dispositions"),
                0,
                in_sight=mind.own[unit.id].in_sight if unit.id in mind.own else False,
            )
            for unit in play.war.units.values()
            if unit.side == mind.side and is_on_map(unit)
        }
        coming = {
            unit.id: (unit.enters, unit.entry)
            for unit in play.war.units.values()
            if unit.side == mind.side and is_to_come(unit)
        }
        play.tell(role, RunBegan(turn_no=0), Learned(own=own, entry_of=coming))


def _first(act: AnyAct, line: int) -> Taken:
    """What becomes of a line before the first move: it is as he wrote it, or in the hand of whom it is for."""
    if isinstance(act, Voice):
        return Taken(line, "dispositions", act.order.unit)
    if isinstance(act, Dispatch):
        return Taken(line, "dispositions", act.to)
    return Taken(line, str(act.__struct_config__.tag))


# ------------------------------------------------------------------ places


@rule("KS-GM-08")
def _start(play: Play, person: Person, act: Start) -> None:
    """`start UNIT at PLACE`: the head of a column there, its tail backward along the road it stands on."""
    for number, name in enumerate(play.scene.units_of(person.side, act.unit)):
        unit = side_unit(play, person.side, name)
        if unit is None or not is_on_map(unit) or not may_command(play, person.id, unit):
            continue
        facing = bearing_of(unit, act.facing)
        formation = act.formation or unit.place.formation
        place = replace(unit.place, at=act.at.at, facing=facing, formation=formation, trail=(), holds="", held_since=0)
        placed = replace(unit, place=place)
        if number:
            continue
        if is_column(placed):
            placed = replace(placed, place=replace(place, trail=_tail(play, placed)))
        if unit.arm == "artillery":
            wide = formation in IN_BATTERY
            placed = replace(placed, place=replace(placed.place, limbered=not wide))
        play.add(
            replace(
                setup_fact(placed, "order"),
                rules=cited("KS-GM-08"),
                changes=one(unit, UnitPatch(place=placed.place)),
            )
        )


def _tail(play: Play, unit: Unit) -> tuple[Point, ...]:
    """The way behind the head of a column at the start: the road it stands on, away from where it faces."""
    road = terrain_of(play.scene).road_at(unit.place.at)
    if road is not None:
        back = road_behind(road.line, unit.place.at, unit.place.facing)
        if len(back) > 1:
            return part(back, 0, depth_of(unit))
    return trail_behind(unit)


@rule("KS-GM-08", "KS-MOV-20")
def _enter(play: Play, person: Person, act: Enter) -> None:
    """`enter UNIT by ENTRY`: another of the entries that the order of battle allows it."""
    for name in play.scene.units_of(person.side, act.unit):
        unit = side_unit(play, person.side, name)
        plan = play.scene.units.get(f"{person.side}:{name}")
        if unit is None or plan is None or not is_to_come(unit) or not may_command(play, person.id, unit):
            continue
        if act.entry not in (plan.entry, *plan.or_by):
            continue
        later = plan.or_move if act.entry != plan.entry and plan.or_move is not None else plan.move
        before = side_unit(play, person.side, plan.behind) if plan.behind else None
        behind = plan.behind if before is None or before.entry == act.entry else ""
        play.change(unit, "entry", entry=act.entry, enters=later, behind=behind)


def _give(play: Play, person: Person, act: Give) -> None:
    moved = []
    for name in play.scene.units_of(person.side, act.unit):
        unit = side_unit(play, person.side, name)
        if unit is not None and may_command(play, person.id, unit) and act.to in play.war.persons:
            change_commander(play, unit, act.to, "dispositions")
            moved.append((unit, unit.commander))
    announce_change(play, moved, act.to)


def _intention(play: Play, person: Person, act: Intention) -> None:
    before = play.war.intentions.get(person.id, "")
    text = f"{before} {act.text}".strip()
    play.add(
        IntentionFiled(
            person=person.id, text=act.text, rules=cited("KS-GM-08"), changes=Changes(intentions={person.id: text})
        )
    )


# ------------------------------------------------------------------ first orders


def _letters(play: Play, person: Person, act: Dispatch | Voice) -> None:
    other = play.war.persons.get(act.to) if isinstance(act, Dispatch) else None
    if isinstance(act, Dispatch) and other is not None and other.side == person.side:
        _letter_in_hand(play, person, other, act)


@rule("KS-MSG-05", "KS-CMD-08")
def _first_orders(play: Play, person: Person, papers: list[Dispatch | Voice]) -> None:
    """In the hands of their addressees at the opening, without a messenger: all that one commander orders, as one."""
    lines: list[Line] = []
    for act in papers:
        if isinstance(act, Voice):
            lines.append(act.order)
            continue
        other = play.war.persons.get(act.to)
        if other is None or not other.role or overrides(play, person.id):
            lines += act.lines
    names = dict.fromkeys(name for line in lines for name in play.scene.units_of(person.side, line.unit))
    orders = {}
    mind = play.mind(person)
    for name in names:
        unit = side_unit(play, person.side, name)
        own = lines_for(play, person.side, name, tuple(lines))
        if unit is not None and own and may_command(play, person.id, unit):
            take_lines(play, unit, own, by="dispositions", rank=level_of(play, person.id), written=0)
            if mind is not None:
                orders[name] = (*mind.orders.get(name, ()), (0, own))
    if orders:
        play.tell(
            person.role, PaperSent(no=0, to="", what="dispositions", rules=cited("KS-MSG-05")), Learned(orders=orders)
        )


def _letter_in_hand(play: Play, person: Person, other: Person, act: Dispatch) -> None:
    number = play.war.persons[person.id].papers + 1
    play.keep("first letter", Changes(persons=(replace(play.war.persons[person.id], papers=number),)))
    received = Received(
        kind="letter" if act.letter else "order",
        sender=person.id,
        written=0,
        received=0,
        place=person.at,
        at=other.at,
        bearer=person.id,
        text=act.text,
        lines=act.lines,
    )
    play.tell(other.role, PaperReceived(paper=received, rules=cited("KS-MSG-05")), Learned(received=(received,)))
    sent = Sent(
        no=number, to=other.id, kind="letter" if act.letter else "order", begun=0, lines=act.lines, text=act.text,
        received=0, receipt_in=0, receipt_wanted=False,
    )  # fmt: skip
    play.tell(person.role, PaperSent(no=number, to=other.id, what="dispositions"), Learned(sent=(sent,)))
