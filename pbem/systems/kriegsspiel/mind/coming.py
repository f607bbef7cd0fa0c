"""When a unit should come onto the map, by its commander's page: one column behind another (KS-MOV-20, KS-SIT-09)."""

from __future__ import annotations

from pbem.ground.plane import Point, distance
from pbem.ground.way import at as way_at
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.mind.courses import AT_ONCE, WALKS, Course, room
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, even_rate
from pbem.systems.kriegsspiel.tables.march import ACTIVITY_ROWS, RATE_CLASS
from pbem.systems.kriegsspiel.world.mind import LISTED, Mind

MOVE = 1000 * TWELFTHS
"""The parts of a move in which times are counted here; 0 is the beginning of move 1."""


def first_move(time: int) -> int:
    """The move in which a unit enters that may at that time."""
    return -(-time // MOVE) + 1


@rule("KS-MOV-20", "KS-SIT-09")
def comes(scene: Scene, mind: Mind, unit: str) -> int | None:
    """At what time the head of a unit is on its entry; None: one before it keeps the entry, or it is not to come."""
    times = _times(scene, mind)
    if unit not in times:
        times[unit] = _comes(scene, mind, unit)
    return times[unit]


@lately(16)
def _times(scene: Scene, mind: Mind) -> dict[str, int | None]:
    """What was found of units by one page: each of a column is asked for by all behind it."""
    return {}


def _comes(scene: Scene, mind: Mind, unit: str) -> int | None:
    plan = scene.units.get(f"{mind.side}:{unit}")
    coming = _coming(mind, plan) if plan is not None else None
    if plan is None or coming is None:
        return None
    due, before = (coming[0] - 1) * MOVE, _before(scene, mind, plan)
    ahead = _coming(mind, before) if before is not None else None
    if before is None or ahead is None or ahead[1] != coming[1]:
        return due
    clear = _clear(scene, mind, before, ahead[1], unit)
    return None if clear is None else max(due, clear)


@rule("KS-MSG-04", "KS-MOV-20")
def awaited(scene: Scene, mind: Mind, to: str) -> int | None:
    """The move before which no paper reaches an addressee, who is still to come; None: he should be there.

    Of a group that is the move of the first that comes; where one is behind a column that keeps the entry, that of
    the schedule.
    """
    person, comrade = scene.persons.get(to), mind.comrades.get(to)
    if person is not None:
        rides = person.rides_with if comrade is None or comrade.source == LISTED else ""
        return awaited(scene, mind, rides) if rides else None
    found = []
    for unit in scene.units_of(mind.side, to):
        coming = mind.entry_of.get(unit)
        if unit in mind.own or coming is None:
            return None
        time = comes(scene, mind, unit)
        found.append(coming[0] if time is None else first_move(time))
    first = min(found, default=0)
    return first if first > mind.move else None


def of_another(scene: Scene, mind: Mind, unit: str) -> bool:
    """Whether another player commands a unit, by the order of battle: what he orders it is not known."""
    plan = scene.units.get(f"{mind.side}:{unit}")
    return plan is not None and plan.commander in mind.players


@rule("KS-MOV-20", "KS-SIT-09")
def within(scene: Scene, mind: Mind, unit: str, time: int) -> Point:
    """Where a unit stands in the column that comes in at its entry, if all that is known is that it comes.

    The head of the column goes on as far along its road as those behind it need to be on the map.
    """
    plan = scene.units[f"{mind.side}:{unit}"]
    rate = even_rate(ACTIVITY_ROWS["march"][RATE_CLASS[plan.kind]], mind.options.march_table)
    at = scene.chart.entries[(_coming(mind, plan) or (0, plan.entry))[1]].at
    far = min(_room_behind(scene, mind, plan), time * rate // MOVE)
    road = scene.terrain.road_at(at, 10)
    if road is None:
        return at
    line = road.line if distance(road.line[0], at) <= distance(road.line[-1], at) else road.line[::-1]
    return way_at(line, far)


def _room_behind(scene: Scene, mind: Mind, plan: UnitPlan) -> int:
    """Paces of road that those need who come behind a unit."""
    when = _coming(mind, plan)
    column = [one for one in scene.units.values() if one.side == plan.side and _coming(mind, one) == when]
    follows = {before.id: one for one in column if (before := _before(scene, mind, one)) is not None}
    found, last = 0, plan
    while (after := follows.pop(last.id, None)) is not None:
        found += room(scene, mind, last.id, after.id)
        last = after
    return found


def _coming(mind: Mind, plan: UnitPlan) -> tuple[int, str] | None:
    """When a unit is to enter, and where; None: it began on the map."""
    found = mind.entry_of.get(plan.id)
    if found is not None:
        return found
    return (plan.move, plan.entry) if plan.entry and plan.at is None else None


def _before(scene: Scene, mind: Mind, plan: UnitPlan) -> UnitPlan | None:
    """The unit behind which it comes: named, or the last of the same hour and entry before it."""
    if plan.behind:
        return scene.units.get(f"{plan.side}:{scene.units_of(plan.side, plan.behind)[-1]}")
    before = None
    for other in scene.units.values():
        if other.id == plan.id and other.side == plan.side:
            return before
        if other.side == plan.side and _coming(mind, other) == _coming(mind, plan):
            before = other
    return None


def _clear(scene: Scene, mind: Mind, before: UnitPlan, entry: str, unit: str) -> int | None:
    """When the tail of the one before has left room on the road; None: it stands in the entry, by all he knows."""
    came = comes(scene, mind, before.id)
    if came is None or entry not in scene.chart.entries:
        return None
    space = room(scene, mind, before.id, unit)
    rate = even_rate(ACTIVITY_ROWS["march"][RATE_CLASS[before.kind]], mind.options.march_table) or 1
    known = mind.own.get(before.id)
    gone = known is not None and distance(known.state.at, scene.chart.entries[entry].at) >= space
    away = came if gone else _sets_out(scene, mind, before.id, came)
    return None if away is None else away + space * MOVE // rate


def _sets_out(scene: Scene, mind: Mind, unit: str, came: int) -> int | None:
    """When a unit should march off from its entry; None: he knows of no order for it to do so."""
    course, time, move = Course(scene, mind, unit), came, first_move(came)
    course.reach(0, move)
    while not _marches(course):
        new = course.next_after(move)
        if new is None:
            # Another player makes room for his own; of one's own nobody goes on unbidden.
            return came if of_another(scene, mind, unit) else None
        course.reach(move, new)
        time, move = (new - 1) * MOVE, new
    return time


def _marches(course: Course) -> bool:
    """Whether the first of its tasks that takes time leads it elsewhere."""
    first = next((order for order in course.duty.queue if order.verb not in AT_ONCE), None)
    return first is not None and first.verb in WALKS and bool(first.to)
