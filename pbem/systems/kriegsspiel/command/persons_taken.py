"""Commanders taken, wounded and succeeded (KS-CMD-10)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, distance, dot, near
from pbem.ground.way import part
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.command import change_commander, may_command
from pbem.systems.kriegsspiel.command.succession import taken_on, tell_fall, titled
from pbem.systems.kriegsspiel.field.field import is_formed, outline
from pbem.systems.kriegsspiel.field.hierarchy import chief_of, under
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS
from pbem.systems.kriegsspiel.scene.wording import place_words, who
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.tables.knowledge import CAPTURED_WITHIN, SAVED_WITHIN, SUCCESSOR_AFTER, WOUNDED
from pbem.systems.kriegsspiel.world.dispatches import Paper, Person
from pbem.systems.kriegsspiel.world.mind import Learned, Mind, Received
from pbem.systems.kriegsspiel.world.outcomes import PersonCaptured, PersonDown, PersonSucceeded, UnitMoved
from pbem.systems.kriegsspiel.world.outcomes_fire import FireResolved
from pbem.systems.kriegsspiel.world.outcomes_knowledge import CommandTold, PaperSent
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import ENEMY, Unit, UnitPatch


@rule("KS-CMD-10")
def take_persons(play: Play) -> None:
    """After the fights of a move: who is overrun is taken, who is due takes over, who was wounded is up again."""
    legs = {
        fact.unit: _leg(play, fact)
        for fact in play.facts
        if isinstance(fact, UnitMoved) and fact.move == play.move and fact.start != fact.to
    }
    takers = {person.id: taker for person in play.persons() if (taker := _taker(play, person, legs)) is not None}
    for person in list(play.persons()):
        if person.id not in takers and person.state == "down" and person.down_until <= play.move:
            _up_again(play, person)
    for name, taker in takers.items():
        # Nobody who is taken in the same move is anybody's heir.
        _take(play, play.war.persons[name], taker, tuple(takers))
    for name in sorted(play.war.persons):
        person = play.war.persons[name]
        if person.state == "captured" and person.role and person.down_until <= play.move:
            _goes_on(play, person)
    if play.war.options.commander_casualties:
        _wounds(play)


def _up_again(play: Play, person: Person) -> None:
    play.keep("up again", Changes(persons=(replace(person, state="active"),)))
    text = "You are up again, and give orders"
    play.tell(person.role, CommandTold(text=text, headline="You are up again"), Learned(state="active"))
    raise_interrupt(play, person.id, "W9", "you can give orders again")


def _leg(play: Play, fact: UnitMoved) -> tuple[Point, ...]:
    """The way that a body went in this move, round its corners; the straight line, if that is no more known."""
    march = play.unit(fact.unit).march
    done = march.done // TWELFTHS
    if march.way and fact.paces <= done:
        leg = part(march.way, done - fact.paces, done)
        if distance(leg[0], fact.start) <= 1 and distance(leg[-1], fact.to) <= 1:
            return leg
    return fact.start, fact.to


def _taker(play: Play, person: Person, legs: dict[str, tuple[Point, ...]]) -> Unit | None:
    """The formed enemy that came within 50 paces of him, if no formed friend is within 100."""
    spot = dot(person.at)
    if play.field.near(person.at, SAVED_WITHIN, person.side, formed=True):
        return None
    for enemy in play.field.units(ENEMY[person.side], formed=True):
        path = Shape(legs[enemy.key]) if enemy.key in legs else outline(enemy)
        if near(spot, path, CAPTURED_WITHIN) or near(spot, outline(enemy), CAPTURED_WITHIN):
            return enemy
    return None


@rule("KS-CMD-10", "KS-MSG-07")
def _take(play: Play, person: Person, taker: Unit, lost: tuple[str, ...]) -> None:
    """He is taken with his papers; the next on the list who has no player takes his place, else his superior.

    *lost*: all who are taken in this move.
    """
    successor = _successor(play, person, lost)
    had = tuple(unit.id for unit in play.war.units.values() if may_command(play, person.id, unit))
    taken = replace(
        person, state="captured", ride=None, rides_with="", on_arrival=(), down_until=play.move + SUCCESSOR_AFTER,
        had=had,
    )  # fmt: skip
    raised = {name: kept for name, kept in play.war.clock.raised.items() if name != person.id}
    play.add(
        PersonCaptured(
            person=person.id,
            by=taker.key,
            successor=successor.id if successor is not None else "",
            rules=cited("KS-CMD-10"),
            changes=Changes(persons=(taken,), clock=ClockPatch(raised=raised)),
        )
    )
    _papers_on_him(play, person, taker)
    play.tell(
        person.role,
        CommandTold(
            text=f"You are taken by the enemy, {place_words(play.scene, person.at)}",
            headline="You are a prisoner",
            rules=cited("KS-CMD-10"),
        ),
        _led_away(play.mind(person)),
    )
    heir = successor.id if successor is not None else _above(play, person, lost)
    for one in list(play.war.persons.values()):
        if one.superior == person.id:
            above = person.superior if one.id == heir else heir
            play.keep("superior", Changes(persons=(replace(one, superior=above),)))
    if successor is not None:
        risen = replace(play.war.persons[successor.id], superior=person.superior)
        play.keep("superior", Changes(persons=(risen,)))
    passed = [unit for unit in list(play.war.units.values()) if unit.commander == person.id and heir]
    for unit in passed:
        change_commander(play, unit, heir, "taken by the enemy")
    if successor is not None and person.role:
        _plays_on_as(play, play.war.persons[person.id], play.war.persons[successor.id])
    elif heir:
        tell_fall(play, person, play.war.persons[heir], [unit.id for unit in passed])


@rule("KS-CMD-10", "KS-SIT-09", "KS-SIT-10")
def _led_away(mind: Mind | None) -> Learned:
    """What changes for a prisoner on his page: nothing is in his sight any longer, and nobody within call."""
    if mind is None:
        return Learned()
    return Learned(
        state="captured",
        riding_to="",
        way=(),
        rides_with="",
        near=(),
        own={name: replace(one, in_sight=False) for name, one in mind.own.items() if one.in_sight},
        entries={name: replace(one, in_sight=False) for name, one in mind.entries.items() if one.in_sight},
    )


def _papers_on_him(play: Play, person: Person, taker: Unit) -> None:
    """The papers that he had by him are read by the enemy: what he has received, and what he has not sent yet."""
    mind = play.mind(person)
    received = mind.received if mind is not None else ()
    letters = [one for one in received if one.kind in ("order", "letter") and one.received > person.papers_since]
    unsent = [one for one in play.papers() if one.sender == person.id and one.state in ("writing", "waiting")]
    unread = [one for one in play.papers() if one.to == person.id and one.state == "delivered"]
    if unsent or unread:
        play.keep("taken with him", Changes(done_papers=tuple(paper.id for paper in (*unread, *unsent))))
    for paper in unsent:
        sent = next((one for one in mind.sent if one.no == paper.no), None) if mind is not None else None
        if sent is not None and paper.copy == 1 and paper.kind != "receipt":
            said = PaperSent(no=paper.no, to=paper.to, what="taken", rules=cited("KS-CMD-10"))
            play.tell(person.role, said, Learned(sent=(replace(sent, cancelled=True),)))
    if not play.war.options.captured_papers_readable:
        letters, unsent, unread = [], [], []
    said_in = [f'From {who(play.scene, one.sender)}: "{_read(one)}"' for one in letters]
    said_in += [f'From {who(play.scene, one.sender)}: "{_read(one)}"' for one in unread]
    said_in += [f'To {who(play.scene, one.to)}: "{_read(one)}"' for one in unsent if one.copy == 1]
    play.note(taker.key, "first_sight", f"We have taken {titled(person)}. {' '.join(said_in)}".strip())


def _read(paper: Received | Paper) -> str:
    return paper.text or "; ".join(line.text for line in paper.lines)


def _successor(play: Play, person: Person, lost: tuple[str, ...]) -> Person | None:
    """The next on the side's list of succession who is free and has no player of his own."""
    order = play.scene.sides[person.side].succession
    after = order[order.index(person.id) + 1 :] if person.id in order else ()
    for name in after:
        found = play.war.persons.get(name)
        if found is not None and not found.role and found.state == "active" and name not in lost:
            return found
    return None


def _above(play: Play, person: Person, lost: tuple[str, ...]) -> str:
    """To whom his troops pass: his superior, or, if he has none that is free, the next in rank."""
    persons = play.war.persons
    above = persons.get(person.superior)
    if above is not None and above.state != "captured" and above.id not in lost:
        return above.id
    order = play.scene.sides[person.side].succession
    free = [name for name in order if persons[name].state != "captured" and name not in (person.id, *lost)]
    on_map = (name for name in free if persons[name].stand == "map")
    return next(on_map, next(iter(free), ""))


@rule("KS-CMD-10")
def _plays_on_as(play: Play, taken: Person, successor: Person) -> None:
    """A player goes on as another person."""
    role, wakes = taken.role, play.war.wakes.get(taken.id, ())
    papers = max(taken.papers, successor.papers)
    play.add(
        PersonSucceeded(
            person=successor.id,
            role=role,
            rules=cited("KS-CMD-10"),
            changes=Changes(
                persons=(
                    replace(taken, role=""),
                    replace(successor, role=role, papers=papers, papers_since=play.move, muted=taken.muted),
                ),
                wakes={successor.id: wakes} if wakes else {},
            ),
        )
    )
    now = play.war.persons[successor.id]
    play.tell(
        role,
        CommandTold(
            text=f"You go on as {titled(now)}, {place_words(play.scene, now.at)}",
            headline=f"You go on as {titled(now)}",
            rules=cited("KS-CMD-10"),
        ),
        taken_on(play, now),
    )
    raise_interrupt(play, now.id, "W9", f"you go on as {titled(now)}")


@rule("KS-CMD-10")
def _goes_on(play: Play, person: Person) -> None:
    """Nobody was named: he goes on as the major of the nearest formed unit of that command whom no player is yet."""
    mind, persons = play.minds.get(Role(person.role)), play.war.persons
    assert isinstance(mind, Mind)
    free = [
        unit
        for unit in play.field.units(person.side, formed=True)
        if (leader := persons.get(_major(unit))) is None or leader.role in ("", person.role)
    ]
    # Of his own troops as he last knew them; where none of them is left, of any.
    own = [unit for unit in free if unit.id in mind.command] or free
    if not own:
        return
    spot = dot(person.at)
    unit = min(own, key=lambda one: (_far(spot, one), one.key))
    name = _major(unit)
    # A unit whose major was taken may still be his: nobody is above himself.
    above = person.superior if unit.commander in (name, *under(persons, name)) else unit.commander
    if above not in persons or persons[above].state == "captured":
        above = chief_of(play.scene, play.war, person.side)
    free_above = above in persons and persons[above].state != "captured" and above not in (name, *under(persons, name))
    major = Person(
        id=name,
        side=person.side,
        name=f"the {name}",
        rank="",
        at=unit.place.at,
        superior=above if free_above else "",
        facing=unit.place.facing,
        rides_with=unit.id,
        riders=unit.strength.riders,
        staff=0,
    )
    play.keep("major", Changes(persons=(major,), units={unit.key: UnitPatch(commander=major.id)}))
    _plays_on_as(play, person, major)


def _major(unit: Unit) -> str:
    return f"major of {unit.id}"


def _far(spot: Shape, unit: Unit) -> int:
    one, other = spot.points[0], unit.place.at
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


@rule("KS-CMD-10")
def _wounds(play: Play) -> None:
    """By option: near a unit that loses ten points or more to fire, a flame on Die I wounds him."""
    far, least, moves = WOUNDED
    lost: dict[str, int] = {}
    for fact in play.facts:
        if isinstance(fact, FireResolved) and fact.move == play.move:
            lost[fact.target] = lost.get(fact.target, 0) + fact.points
    for person in list(play.persons()):
        if person.state != "active":
            continue
        struck = [
            unit
            for unit in play.field.near(person.at, far, person.side)
            if lost.get(unit.key, 0) >= least and is_formed(unit)
        ]
        if not struck:
            continue
        throw = play.throw("commander", person.id, "I")
        if not DICE["I"][throw.faces[0] - 1].flame:
            continue
        down = replace(person, state="down", ride=None, on_arrival=(), down_until=play.move + moves)
        raised = {name: kept for name, kept in play.war.clock.raised.items() if name != person.id}
        play.add(
            PersonDown(
                person=person.id,
                until=down.down_until,
                dice=(throw,),
                rules=cited("KS-CMD-10"),
                changes=Changes(persons=(down,), clock=ClockPatch(raised=raised)),
            )
        )
        play.tell(
            person.role,
            CommandTold(
                text=f"You are wounded, and down until {play.scene.clock(down.down_until)}",
                headline="You are wounded",
                rules=cited("KS-CMD-10"),
            ),
            Learned(state="down", riding_to="", way=()),
        )
