"""What a commander may suppose from his own page: where a unit should be by now, which ways are open (KS-SIT-09).

Worked out from a mind and the printed map alone, never from the truth.
"""

from __future__ import annotations

from pbem.ground.plane import Point
from pbem.ground.way import at as way_at
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.built import mind_terrain
from pbem.systems.kriegsspiel.mind import Mind
from pbem.systems.kriegsspiel.orders import Line, Order, Spot
from pbem.systems.kriegsspiel.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.tables_knowledge import DETOUR
from pbem.systems.kriegsspiel.tables_march import ACTIVITY_ROWS, GAITS, RATE_CLASS
from pbem.systems.kriegsspiel.terrain import TWELFTHS, Terrain, cell
from pbem.systems.kriegsspiel.ways import Traveller, Way, find

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


def split_by(scene: Scene, by: tuple[Spot, ...]) -> tuple[tuple[Point, ...], tuple[str, ...]]:
    """`by ROUTE, ROUTE` as places to pass and roads to keep to."""
    roads = tuple(spot.feature for spot in by if spot.feature in scene.chart.roads)
    return tuple(spot.at for spot in by if spot.feature not in scene.chart.roads), roads


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
    who = Traveller(march_row(plan.kind, order.rate), arm_of(plan.arm), closed_crossings(mind))
    if order.across:
        from pbem.systems.kriegsspiel.ways import time_of

        way = (start, order.to[-1].at)
        return way if time_of(mind_terrain(scene, mind), way, who) is not None else None
    return find(mind_terrain(scene, mind), start, order.to[-1].at, who, via, roads)


def after_moves(terrain: Terrain, way: Way, row: str, moves: int, table: str) -> Point:
    """How far along a way one is after so many moves, by the table alone."""
    left, last = moves * 1000 * TWELFTHS, 0
    for piece in terrain.pieces(way):
        rate = cell(row, piece, table=table)
        if not rate:
            return way_at(way, piece.start // TWELFTHS)
        cost = (piece.end - piece.start) * 1000 // rate
        if cost > left:
            return way_at(way, (piece.start + left * rate // 1000) // TWELFTHS)
        left -= cost
        last = piece.end
    return way_at(way, last // TWELFTHS) if last else way[0]


@rule("KS-SIT-09")
def believed(scene: Scene, mind: Mind, unit: str, move: int) -> tuple[Point, bool] | None:
    """Where a unit should be at the end of a move, and whether that is more than was last known of it."""
    known = mind.own.get(unit)
    if known is None:
        return _arriving(scene, mind, unit, move)
    place = known.state.at
    if known.in_sight or known.state.seen >= move:
        return place, False
    order = _march_in_force(mind, unit, move, known.state.seen)
    if order is None:
        return place, False
    since, march = order
    way = known_way(scene, mind, unit, place, march)
    plan = plan_of(scene, mind, unit)
    if way is None or plan is None or len(way) < 2:
        return place, False
    begun = max(since, known.state.seen)
    row, table = march_row(plan.kind, march.rate), mind.options.march_table
    at = after_moves(mind_terrain(scene, mind), way, row, max(move - begun, 0), table)
    return at, at != place


def _arriving(scene: Scene, mind: Mind, unit: str, move: int) -> tuple[Point, bool] | None:
    coming = mind.entry_of.get(unit)
    if coming is None or coming[0] > move or coming[1] not in scene.chart.entries:
        return None
    start = scene.chart.entries[coming[1]].at
    plan = plan_of(scene, mind, unit)
    order = _march_in_force(mind, unit, move, coming[0])
    if order is None or plan is None:
        return start, True
    way = known_way(scene, mind, unit, start, order[1])
    if way is None or len(way) < 2:
        return start, True
    row, table = march_row(plan.kind, order[1].rate), mind.options.march_table
    return after_moves(mind_terrain(scene, mind), way, row, move - coming[0], table), True


def _march_in_force(mind: Mind, unit: str, move: int, seen: int) -> tuple[int, Order] | None:
    """The newest march ordered that the unit should have by *move*: from when, and the order."""
    found: tuple[int, Order] | None = None
    for since, lines in mind.orders.get(unit, ()):
        if since > move:
            continue
        march = _march_of(lines)
        if march is not None:
            found = (since, march)
        elif any(line.order is not None and line.test is None for line in lines):
            found = None
    if found is None:
        return None
    # What was seen of it since its order came may be beyond the order already.
    return (max(found[0], seen), found[1])


def _march_of(lines: tuple[Line, ...]) -> Order | None:
    for line in lines:
        if line.order is not None and line.test is None and line.order.verb in ("march", "retire") and line.order.to:
            return line.order
    return None


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
