"""What a commander may suppose from his own page: where a unit should be by now, which ways are open (KS-SIT-09).

Worked out from a mind and the printed map alone, never from the truth.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.ground.plane import Point
from pbem.ground.way import at as way_at
from pbem.ground.way import length, part
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.works_standing import mind_terrain
from pbem.systems.kriegsspiel.mind.coming import MOVE, comes, first_move, of_another, within
from pbem.systems.kriegsspiel.mind.courses import AT_ONCE, WALKS, Course, short_of
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, Terrain, cell
from pbem.systems.kriegsspiel.scene.ways import Traveller, Way, find, time_of
from pbem.systems.kriegsspiel.tables.knowledge import DETOUR
from pbem.systems.kriegsspiel.tables.march import ACTIVITY_ROWS, GAITS, RATE_CLASS
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.orders import Order, Spot

CLOSED = ("plank_off", "broken", "destroyed", "barricaded", "burning", "building")


def closed_crossings(mind: Mind) -> frozenset[str]:
    """The crossings that he knows to be closed."""
    return frozenset(name for name, (state, _) in mind.crossings.items() if state in CLOSED)


def plan_of(scene: Scene, mind: Mind, unit: str) -> UnitPlan | None:
    """A unit of his own side in the order of battle; None: a detachment made since, or none of his."""
    return scene.units.get(f"{mind.side}:{unit}")


def march_row(kind: str, rate: str) -> str:
    """The row of the march table for a kind of troops and a word of rate."""
    troops = RATE_CLASS.get(kind, "infantry")
    gait = GAITS[troops].get(rate or "march")
    return gait.row if gait else ACTIVITY_ROWS["march"][troops]


class Via(NamedTuple):
    """What a way is to take."""

    places: tuple[Point, ...] = ()
    roads: tuple[str, ...] = ()


AT_WILL = Via()
"""Of a way that nobody has laid down."""


def split_by(scene: Scene, by: tuple[Spot, ...]) -> Via:
    """`by ROUTE, ROUTE` as places to pass and roads to keep to."""
    roads = tuple(spot.feature for spot in by if spot.feature in scene.chart.roads)
    return Via(tuple(spot.at for spot in by if spot.feature not in scene.chart.roads), roads)


def arm_of(plan_arm: str) -> str:
    """An arm as crossings count it."""
    return {"pioneers": "infantry"}.get(plan_arm, plan_arm)


@rule("KS-MOV-18", "KS-ORD-08", "KS-SIT-10")
def known_way(scene: Scene, mind: Mind, unit: str, start: Point, order: Order) -> Way | None:
    """The way of a march as its writer may work it out; None: there is none, as far as he knows."""
    plan = plan_of(scene, mind, unit)
    if plan is None or not order.to:
        return None
    via, roads = split_by(scene, order.by)
    row, table = march_row(plan.kind, order.rate), mind.options.march_table
    who = Traveller(row, arm_of(plan.arm), closed_crossings(mind), table=table)
    if order.across:
        way = (start, order.to[-1].at)
        return way if time_of(mind_terrain(scene, mind), way, who) is not None else None
    return find(mind_terrain(scene, mind), start, order.to[-1].at, who, via, roads)


def after_moves(terrain: Terrain, way: Way, row: str, moves: int, table: str) -> Point:
    """How far along a way one is after so many moves, by the table alone."""
    return _gone(terrain, way, row, moves * MOVE, table)[0]


def _gone(terrain: Terrain, way: Way, row: str, time: int, table: str) -> tuple[Point, int | None]:
    """Where one is on a way after a time, and, if that is its end, what time is left."""
    left = time
    for piece in terrain.pieces(way):
        rate = cell(row, piece, table=table)
        if not rate:
            return way_at(way, piece.start // TWELFTHS), None
        cost = (piece.end - piece.start) * 1000 // rate
        if cost > left:
            return way_at(way, (piece.start + left * rate // 1000) // TWELFTHS), None
        left -= cost
    return way[-1], left


# ------------------------------------------------------------------ where a unit should be


@rule("KS-SIT-09")
def believed(scene: Scene, mind: Mind, unit: str, move: int) -> tuple[Point, bool] | None:
    """Where a unit should be at the end of a move, and whether that is more than was last known of it."""
    known = mind.own.get(unit)
    if known is None:
        return _arriving(scene, mind, unit, move)
    state = known.state
    if known.in_sight or state.seen >= move:
        return state.at, False
    course, told = Course(scene, mind, unit), state.seen if state.told is None else state.told
    course.reach(0, told)
    course.told(state)
    course.reach(told, state.seen)
    if told < state.seen:
        course.seen(state)
    at = _Walk(scene, mind, unit, course, state.at).until(state.seen * MOVE, state.seen, move)
    return at, at != state.at


@rule("KS-SIT-09", "KS-MOV-20")
def _arriving(scene: Scene, mind: Mind, unit: str, move: int) -> tuple[Point, bool] | None:
    coming, time = mind.entry_of.get(unit), comes(scene, mind, unit)
    if coming is None or time is None or coming[1] not in scene.chart.entries or first_move(time) > move:
        return None
    course = Course(scene, mind, unit)
    entered = first_move(time)
    course.reach(0, entered)
    if not course.duty.queue and course.next_after(entered) is None and of_another(scene, mind, unit):
        return within(scene, mind, unit, move * MOVE - time), True
    return _Walk(scene, mind, unit, course, scene.chart.entries[coming[1]].at).until(time, entered, move), True


class _Walk:
    """A unit that does one task of its course after another, in the time of the table."""

    def __init__(self, scene: Scene, mind: Mind, unit: str, course: Course, at: Point) -> None:
        self._scene, self._mind, self._unit = scene, mind, unit
        self._course, self._at = course, at
        self._plan = plan_of(scene, mind, unit)

    def until(self, start: int, reached: int, move: int) -> Point:
        """Where it is at the end of a move, if it sets out at a time; its course is taken in up to *reached*."""
        time, end = start, reached
        while end < move or time < move * MOVE:
            new = self._course.next_after(reached)
            end = move if new is None else min(move, new - 1)
            self._carry_on(time, end * MOVE)
            time = max(time, end * MOVE)
            reached = end + 1
            if end < move:
                self._course.reach(end, reached)
        return self._at

    def _carry_on(self, time: int, end: int) -> None:
        while self._course.duty.queue and time < end:
            order = self._course.duty.queue[0]
            after = self._do(order, time, end)
            if after is None:
                return
            time = after
            self._course.done()

    def _do(self, order: Order, time: int, end: int) -> int | None:
        """Go on with a task: when it is done; None: not by the end of that time, or that cannot be known."""
        if order.verb in AT_ONCE:
            return time
        if order.verb not in WALKS:
            return None
        if order.to:
            there = self._go(order, end - time)
            if there is None:
                return None
            # What is left of the move in which it arrives is lost.
            time = min(end, -(-(end - there) // MOVE) * MOVE) if there < end - time else time
        if order.verb != "hold":
            return time
        if order.until is None or order.until.kind != "time":
            return None
        passes = max(time, (order.until.move - 1) * MOVE)
        return passes if passes < end else None

    def _go(self, order: Order, time: int) -> int | None:
        """Go as far towards the end of a march as the time allows; the time left there, None: it is not there yet."""
        scene, mind, plan = self._scene, self._mind, self._plan
        way = known_way(scene, mind, self._unit, self._at, order)
        if plan is None or way is None:
            return None
        way = part(way, 0, max(0, length(way) - short_of(order))) if short_of(order) else way
        if len(way) < 2:
            return time
        row = march_row(plan.kind, order.rate)
        self._at, left = _gone(mind_terrain(scene, mind), way, row, time, mind.options.march_table)
        return left


@rule("KS-MSG-04")
def shunned(mind: Mind) -> tuple[tuple[Point, int], ...]:
    """Enemy bodies that he knows of, and how far a rider of his keeps from them."""
    return tuple(
        (entry.tiding.at, DETOUR)
        for entry in mind.entries.values()
        if not entry.dropped
        and not entry.tiding.gone
        and entry.tiding.side != mind.side
        and mind.move - entry.tiding.seen <= 15
    )
