"""The roads of the field: whether a way lies on them, and where one leads (HL-MOV)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbem.ground.bearing import DEGREE, off
from pbem.ground.plane import Point, bearing, distance, dot, gap, near
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.tables.printed import FORWARD, INCH, TENTH
from pbem.systems.half_league.world.pieces import Unit

ON_ROAD = INCH
"""A road is so wide to each side of its line."""
ROAD_FORMATIONS = ("road_column", "limbered")


@rule("HL-MOV-02")
def on_road(field: Field, way: Sequence[Point]) -> bool:
    """Whether a whole way lies on one road after another."""
    return all(any(near(road.shape, dot(at), ON_ROAD) for road in field.scene.roads) for at in _points_of(way))


def _points_of(way: Sequence[Point]) -> Iterable[Point]:
    yield way[0]
    for a, b in pairwise(way):
        long = distance(a, b)
        for far in range(TENTH * 5, long, TENTH * 5):
            yield Point(a.x + (b.x - a.x) * far // long, a.y + (b.y - a.y) * far // long)
        yield b


@rule("HL-MOV-02")
def road_ahead(field: Field, unit: Unit) -> tuple[Point, ...]:
    """The way along the road that a unit is on, the way it faces; empty: it is on none.

    Who is beside the middle of it goes on aslant, and not first to the middle: that would be sideways.
    """
    best: tuple[int, tuple[Point, ...]] | None = None
    for road in field.scene.roads:
        found = gap(road.shape, dot(unit.front))
        if found.number > ON_ROAD**2 * found.by:
            continue
        for points in (road.shape.points, road.shape.points[::-1]):
            for k, (a, b) in enumerate(pairwise(points)):
                here = gap(road.shape, dot(unit.front)).here
                if distance(a, here) + distance(here, b) <= distance(a, b) + 2:
                    aside = off(unit.bearing, bearing(a, b))
                    way = (here, *points[k + 1 :])
                    if best is None or aside < best[0]:
                        best = aside, way
                    break
    if best is None:
        return ()
    way = best[1]
    ahead = (k for k, at in enumerate(way) if _goes_on(field, unit, at))
    return way[next(ahead, 0) :]


def _goes_on(field: Field, unit: Unit, at: Point) -> bool:
    """Whether a point lies before a unit, and all the way to it on the road."""
    aside = 0 if at == unit.front else off(unit.bearing, bearing(unit.front, at))
    return aside <= FORWARD * DEGREE and on_road(field, (unit.front, at))
