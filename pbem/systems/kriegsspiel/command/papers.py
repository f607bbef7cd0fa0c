"""Papers: written, carried by riders, read (KS-MSG-01 to KS-MSG-06)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.ground.way import at as way_at
from pbem.ground.way import length, part
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import fightable, terrain_of
from pbem.systems.kriegsspiel.mind.beliefs import AT_WILL, Via, believed, shunned, split_by
from pbem.systems.kriegsspiel.mind.coming import awaited
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import MOST_WAYS, TWELFTHS, Terrain, cell, room_in
from pbem.systems.kriegsspiel.scene.ways import Traveller, Way, find, toll_of
from pbem.systems.kriegsspiel.tables.knowledge import COPY_AFTER, DETOUR, WRITING
from pbem.systems.kriegsspiel.tables.march import GALLOP_PACES
from pbem.systems.kriegsspiel.world.bodies import is_fresh, is_on_map, is_to_come
from pbem.systems.kriegsspiel.world.dispatches import Charge, Paper, Person, Ride
from pbem.systems.kriegsspiel.world.mind import LISTED, Comrade, Learned, Mind, Sent
from pbem.systems.kriegsspiel.world.orders import Dispatch, Line
from pbem.systems.kriegsspiel.world.outcomes import PaperBegun
from pbem.systems.kriegsspiel.world.outcomes_knowledge import PaperSent
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import Side, Unit

HIGHER = "higher"


@rule("KS-MSG-05")
def words_of(lines: tuple[Line, ...], text: str) -> int:
    """The words of a paper: an order line counts eight."""
    return WRITING.words_an_order * len(lines) + len(text.split())


@rule("KS-MSG-05")
def writing_moves(words: int) -> int:
    """Moves that a paper takes to write: one for the first 40 words, one for each further 40 begun."""
    return max(1, -(-words // WRITING.words_a_move))


# ------------------------------------------------------------------ rides


class _Times(NamedTuple):
    """When one is where on a ride."""

    unit: int
    """Parts of a move in which time is counted: as many as all rates of the ride go into."""
    marks: list[tuple[int, int]]
    """Wherever the rate changes: paces along the way, and the time since the beginning."""


class _Rides:
    """The rides over a map that have been timed: by way, table, whether on foot, and paces at the gallop left."""

    def __init__(self) -> None:
        self.times: dict[tuple[Way, str, bool, int], _Times] = {}


def _times(terrain: Terrain, way: Way, table: str, *, foot: bool = False, ridden: int = 0) -> _Times:
    times = terrain.keep("rides", _Rides, _Rides).times
    gallop = max(0, GALLOP_PACES - ridden)
    key = way, table, foot, gallop
    if key not in times:
        room_in(times, MOST_WAYS)[key] = _timed(terrain, way, table, foot=foot, gallop=gallop)
    return times[key]


@rule("KS-MSG-03", "KS-CMD-01", "KS-MOV-07")
def _timed(terrain: Terrain, way: Way, table: str, *, foot: bool, gallop: int) -> _Times:
    stretches: list[tuple[int, int, int]] = []
    edge = gallop * TWELFTHS
    for piece in terrain.pieces(way):
        marks = [piece.start, piece.end]
        if piece.start < edge < piece.end:
            marks.insert(1, edge)
        for start, end in pairwise(marks):
            row = "inf_patrol" if foot else ("msg_first" if end <= edge else "msg_after")
            stretches.append((start, end, cell(row, piece, table=table, on_foot=True) or 50))
    parts = lcm(*(rate for _, _, rate in stretches))
    timed, spent = [(0, 0)], 0
    met = list(terrain.met(way))
    for start, end, rate in stretches:
        while met and met[0].far <= end:
            spent += (toll_of(met.pop(0), "persons", rate, terrain) or 0) * parts
        spent += (end - start) * parts // rate
        timed.append((end // TWELFTHS, spent))
    return _Times(parts * TWELFTHS, timed)


def ride_table(terrain: Terrain, way: Way, table: str) -> list[tuple[int, Fraction]]:
    """How far along the way one is when: paces, and moves since the beginning, wherever the rate changes."""
    times = _times(terrain, way, table)
    return [(far, Fraction(spent, times.unit)) for far, spent in times.marks]


def ride_at(terrain: Terrain, ride: Ride, move: int, table: str) -> tuple[Point, bool]:
    """Where a rider is at the end of a move, and whether he is there."""
    far = paces_ridden(terrain, ride, move, table)
    return (ride.way[-1], True) if far is None else (way_at(ride.way, far), False)


def paces_ridden(terrain: Terrain, ride: Ride, move: int, table: str) -> int | None:
    """How far along his way a rider is at the end of a move; None: he is there."""
    unit, marks = _times(terrain, ride.way, table, foot=ride.foot, ridden=ride.ridden)
    time = (move - ride.set_out + 1 - ride.delay) * unit
    if time >= marks[-1][1]:
        return None
    if time <= 0:
        return 0
    after = bisect_right(marks, time, key=lambda mark: mark[1])
    (far, begun), (end, done) = marks[after - 1], marks[after]
    return far + (end - far) * (time - begun) // (done - begun)


def leg_of(terrain: Terrain, ride: Ride, move: int, table: str) -> Way:
    """The piece of his way that a rider leaves behind him in a move, round all its corners; a point: he stands."""
    whole = length(ride.way)
    start, end = (paces_ridden(terrain, ride, one, table) for one in (move - 1, move))
    return part(ride.way, whole if start is None else start, whole if end is None else end)


def ride_moves(terrain: Terrain, way: Way, table: str) -> int:
    """In which move of the ride one arrives."""
    unit, marks = _times(terrain, way, table)
    return max(1, -(-marks[-1][1] // unit))


def rider_way(
    terrain: Terrain,
    start: Point,
    end: Point,
    closed: frozenset[str] = frozenset(),
    shun: tuple[tuple[Point, int], ...] = (),
    via: Via = AT_WILL,
    *,
    table: str,
) -> Way:
    """The fastest way of a rider; straight, where none is found."""
    far = tuple(one for one in shun if one[0] != end)
    who = Traveller("msg_first", "persons", closed, shun=far, table=table)
    return find(terrain, start, end, who, *via) or find(terrain, start, end, who) or (start, end)


# ------------------------------------------------------------------ writing


@rule("KS-MSG-04")
def in_sight_of(play: Play, side: Side, name: str) -> list[Unit]:
    """The enemy bodies in sight of whoever sends a rider: a unit or a person by its id."""
    unit = side_unit(play, side, name)
    key = unit.key if unit is not None else name
    found = (play.war.units.get(one.body) for one in play.war.glimpses.get(key, ()) if one.last >= play.move - 1)
    return [unit for unit in found if unit is not None]


def before_him(seen: Iterable[Unit], start: Point) -> tuple[str, ...]:
    """The keys of *seen* bodies that a rider has before him when he sets out: he does not come upon them."""
    return tuple(enemy.key for enemy in seen if distance(enemy.place.at, start) <= DETOUR)


def leading_unit(play: Play, side: Side, name: str) -> Unit | None:
    """A unit, or the first unit of a group that is on the map; one that has not come yet if none is."""
    units = [
        play.war.units[key] for one in play.scene.units_of(side, name) if (key := f"{side}:{one}") in play.war.units
    ]
    on_map = [unit for unit in units if fightable(unit)]
    return next(iter(on_map or units), None)


def place_of(play: Play, side: Side, name: str) -> Point | None:
    """Where a person, unit or group truly is; None: not on the map."""
    person = play.war.persons.get(name)
    if person is not None and person.side == side:
        return person.at if person.stand == "map" and person.state != "captured" else None
    if name == HIGHER:
        return play.scene.chart.entries[play.scene.sides[side].base_entry].at
    unit = leading_unit(play, side, name)
    return unit.place.at if unit is not None and is_on_map(unit) else None


@rule("KS-MSG-04", "KS-MOV-20")
def to_come(play: Play, side: Side, name: str) -> bool:
    """Whether a person, unit or group is still off the map, and will come."""
    person = play.war.persons.get(name)
    if person is not None and person.side == side:
        return person.stand == "off" and person.state != "captured"
    unit = leading_unit(play, side, name)
    return unit is not None and is_to_come(unit) and is_fresh(unit)


@rule("KS-MSG-04", "KS-SIT-09")
def aim_of(play: Play, person: Person, to: str) -> Point:
    """Where a writer believes the addressee to be: by his page if he is played, else where he is."""
    scene, side = play.scene, person.side
    if to == HIGHER:
        return scene.chart.entries[scene.sides[side].base_entry].at
    mind = play.mind(person)
    if mind is None:
        return place_of(play, side, to) or person.at
    comrade = mind.comrades.get(to)
    if comrade is not None:
        return _comrade_at(scene, mind, comrade, play.move)
    for unit in scene.units_of(side, to):
        found = believed(scene, mind, unit, play.move)
        if found is not None:
            return found[0]
    unit_there = leading_unit(play, side, to)
    entry = unit_there.entry if unit_there is not None else ""
    if entry in scene.chart.entries:
        return scene.chart.entries[entry].at
    return person.at


def _comrade_at(scene: Scene, mind: Mind, comrade: Comrade, move: int) -> Point:
    """Where a comrade is by a page: who comes with a unit, and has not been seen yet, is with it, or at its entry."""
    plan = scene.persons.get(comrade.id)
    coming = mind.entry_of.get(plan.rides_with) if plan is not None and comrade.source == LISTED else None
    if plan is None or coming is None or coming[1] not in scene.chart.entries:
        return comrade.at
    found = believed(scene, mind, plan.rides_with, move)
    return found[0] if found is not None else scene.chart.entries[coming[1]].at


def _awaited(play: Play, mind: Mind | None, to: str) -> int:
    """The move before which an addressee cannot have a paper, as its writer knows; 0: there is none."""
    return (awaited(play.scene, mind, to) or 0) if mind is not None else 0


@rule("KS-MSG-05", "KS-MSG-01", "KS-CMD-01")
def begin_paper(
    play: Play, person: Person, sheet: Dispatch, *, copied: Paper | None = None, charge: Charge | None = None
) -> None:
    """A commander begins a paper; several are written one after another, copies at the same time.

    *copied*: the paper that it is written out from, in this move; *charge*: the change of command that it makes.
    """
    options = play.war.options
    words = words_of(sheet.lines, sheet.text)
    first = max(play.move + 1 + options.decision_moves, person.writes_until + 1)
    written = play.move if copied else first + writing_moves(words) - 1
    number = person.papers + 1
    papers = _copies(play, person, sheet, written, copied=copied, charge=charge)
    aim, terrain = papers[0].aim, terrain_of(play.scene)
    mind = play.mind(person)
    shun, table, via = shunned(mind) if mind else (), options.march_table, split_by(play.scene, sheet.by)
    way = rider_way(terrain, person.at, aim, shun=shun, via=via, table=table)
    likely = max(written + ride_moves(terrain, way, table), _awaited(play, mind, sheet.to))
    play.add(
        PaperBegun(
            message_id=papers[0].id,
            sender=person.id,
            to=sheet.to,
            words=words,
            depart_move=written + 1,
            copies=len(papers),
            rules=cited("KS-MSG-05"),
            changes=Changes(
                papers=papers,
                persons=(replace(person, papers=number, writes_until=max(written, person.writes_until)),),
                clock=ClockPatch(papers=play.war.clock.papers + len(papers)),
            ),
        )
    )
    if person.role:
        _note_sent(play, person, sheet, number, written, likely, charge)


def _copies(
    play: Play, person: Person, sheet: Dispatch, written: int, *, copied: Paper | None, charge: Charge | None
) -> tuple[Paper, ...]:
    """A paper, and the copies that are to be sent of it, done by the move *written*."""
    via = split_by(play.scene, sheet.by)
    aim, clock = aim_of(play, person, sheet.to), play.war.clock
    return tuple(
        Paper(
            id=clock.papers + copy,
            kind="letter" if sheet.letter else "order",
            side=person.side,
            sender=person.id,
            to=sheet.to,
            no=person.papers + 1,
            priority="urgent" if sheet.urgent else "normal",
            written=written,
            dated=dated(copied) if copied else -1,
            place=person.at,
            words=words_of(sheet.lines, sheet.text),
            lines=sheet.lines,
            text=sheet.text,
            wants_receipt=sheet.receipt,
            by=via.places,
            roads=via.roads,
            copy=copy,
            leaves=written + 1 + COPY_AFTER * (copy - 1),
            at=person.at,
            aim=aim,
            bearer=person.id,
            rank=level_of(play, person.id),
            charge=charge,
        )
        for copy in range(1, max(1, sheet.copies) + 1)
    )


def _note_sent(
    play: Play, person: Person, sheet: Dispatch, number: int, written: int, likely: int, charge: Charge | None
) -> None:
    """What the writer keeps of his own paper, and what he may now expect of whom it is for."""
    mind = play.minds[Role(person.role)]
    sent = Sent(
        no=number,
        to=sheet.to,
        kind="letter" if sheet.letter else "order",
        begun=play.move + 1,
        lines=sheet.lines,
        text=sheet.text,
        written=written,
        leaves=written + 1,
        receipt_wanted=sheet.receipt,
        likely=likely,
        urgent=sheet.urgent,
        charge=charge,
    )
    orders: dict[str, tuple[tuple[int, tuple[Line, ...]], ...]] = {}
    for line in sheet.lines:
        for unit in play.scene.units_of(person.side, line.unit):
            kept = [one for one in sheet.lines if unit in play.scene.units_of(person.side, one.unit)]
            orders[unit] = (*mind.orders.get(unit, ()), (likely + 2, tuple(kept)))
    play.tell(
        person.role,
        PaperSent(no=number, to=sheet.to, what="writing", likely=likely, rules=cited("KS-MSG-05")),
        Learned(sent=(sent,), orders=orders),
    )


@rule("KS-CMD-06", "KS-CMD-07")
def dated(paper: Paper) -> int:
    """The move in which the orders of a paper were first written, whoever has passed them on."""
    return paper.dated if paper.dated >= 0 else paper.written


@rule("KS-CMD-04")
def overrides(play: Play, sender: str) -> bool:
    """Whether order lines to another player bind his units: by option, those of the commander-in-chief."""
    person = play.war.persons.get(sender)
    return play.war.options.c_in_c_override and person is not None and not person.superior


def level_of(play: Play, person: str) -> int:
    """How high a person stands: 0 for a commander-in-chief, one more for each superior above him (KS-CMD-04)."""
    persons, level, name = play.war.persons, 0, person
    while name in persons and persons[name].superior:
        level, name = level + 1, persons[name].superior
    return level
