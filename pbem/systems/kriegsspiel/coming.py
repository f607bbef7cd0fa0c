"""When a unit should come onto the map, by its commander's page: one column behind another (KS-MOV-20, KS-SIT-09)."""

from __future__ import annotations

from pbem.ground.plane import distance
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.courses import AT_ONCE, WALKS, Course, room
from pbem.systems.kriegsspiel.mind import Mind
from pbem.systems.kriegsspiel.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.tables_march import ACTIVITY_ROWS, RATE_CLASS
from pbem.systems.kriegsspiel.terrain import TWELFTHS, even_rate

MOVE = 1000 * TWELFTHS
"""The parts of a move in which times are counted here; 0 is the beginning of move 1."""


def first_move(time: int) -> int:
    """The move in which a unit enters that may at that time."""
    return -(-time // MOVE) + 1


@rule("KS-MOV-20", "KS-SIT-09")
def comes(scene: Scene, mind: Mind, unit: str) -> int | None:
    """At what time the head of a unit is on its entry; None: one before it keeps the entry, or it is not to come."""
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
        rides = person.rides_with if comrade is None or not comrade.seen else ""
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
            return None
        course.reach(move, new)
        time, move = (new - 1) * MOVE, new
    return time


def _marches(course: Course) -> bool:
    """Whether the first of its tasks that takes time leads it elsewhere."""
    first = next((order for order in course.duty.queue if order.verb not in AT_ONCE), None)
    return first is not None and first.verb in WALKS and bool(first.to)
