"""The roads of a map as a graph, and the fastest way along them (KS-MOV-18)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import pairwise

from pbem.ground.plane import Point, Shape, between, distance, dot, gap
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, Terrain, lies_on, room_in
from pbem.systems.kriegsspiel.tables.march import PATH_GRID

Price = Callable[[Point, Point], int | None]
"""What a leg costs; None: it cannot be gone."""

Foot = tuple[Point, Point, Point]
"""Where one comes onto a leg of a road, and the two ends of it."""


class Roads:
    """The roads of a map as a graph: their points, split at junctions."""

    def __init__(self, terrain: Terrain) -> None:
        self.legs: list[tuple[Point, Point, str]] = []
        links: dict[Point, set[Point]] = {}
        for road in terrain.roads:
            points: list[Point] = [road.line[0]]
            for a, b in pairwise(road.line):
                inner = {
                    point
                    for other in terrain.roads
                    if other is not road
                    for point in other.line
                    if point not in (a, b) and lies_on((a, b), point, 1)
                }
                points += [*sorted(inner, key=lambda at: distance(a, at)), b]
            for a, b in pairwise(points):
                self.legs.append((a, b, road.id))
                links.setdefault(a, set()).add(b)
                links.setdefault(b, set()).add(a)
        self.links = {at: tuple(sorted(ends)) for at, ends in links.items()}
        self._feet: dict[tuple[Point, int, tuple[str, ...]], list[Foot]] = {}

    def feet(self, at: Point, far: int, only: tuple[str, ...] = ()) -> list[Foot]:
        """The nearest place of each road within *far*, the nearest road first; *only*: of these roads."""
        key = (at, far, only)
        if key not in self._feet:
            room_in(self._feet)[key] = self._onto(at, far, only)
        return self._feet[key]

    def _onto(self, at: Point, far: int, only: tuple[str, ...]) -> list[Foot]:
        found: dict[str, tuple[int, Point, Point, Point]] = {}
        for a, b, road in self.legs:
            if only and road not in only:
                continue
            near = min(far, found[road][0]) if road in found else far
            west, south, east, north = min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)
            if not (west - near <= at.x <= east + near and south - near <= at.y <= north + near):
                continue
            lie = gap(Shape((a, b)), dot(at))
            if lie.far <= far and (road not in found or lie.far < found[road][0]):
                found[road] = (lie.far, lie.here, a, b)
        return [(foot, a, b) for _, foot, a, b in sorted(found.values())]

    def split(self) -> dict[Point, list[Point]]:
        """The roads cut into steps as long as those of the grid."""
        links: dict[Point, list[Point]] = {}
        for a, b, _ in self.legs:
            parts = -(-distance(a, b) // PATH_GRID) or 1
            for one, other in pairwise(between(a, b, k, parts) for k in range(parts + 1)):
                links.setdefault(one, []).append(other)
                links.setdefault(other, []).append(one)
        return links


def roads_of(terrain: Terrain) -> Roads:
    """The road graph of a map, made once."""
    return terrain.keep("roads", Roads, lambda: Roads(terrain))


def by_roads(
    terrain: Terrain, a: Point, b: Point, price: Price, only: tuple[str, ...], far: int
) -> tuple[Point, ...] | None:
    """The fastest way along roads, with a straight leg onto them and off them."""
    graph = roads_of(terrain)
    starts, ends = graph.feet(a, far, only), graph.feet(b, far, only)
    if not starts or not ends:
        return None
    if not only:
        # The three nearest roads are enough to come onto them; all junctions lie on some of these.
        starts = sorted(starts, key=lambda foot: distance(a, foot[0]))[:3]
        ends = sorted(ends, key=lambda foot: distance(b, foot[0]))[:3]
    links: dict[Point, set[Point]] = {}

    def join(one: Point, other: Point) -> None:
        if one != other:
            links.setdefault(one, set()).add(other)
            links.setdefault(other, set()).add(one)

    on_leg: dict[tuple[Point, Point], list[Point]] = {}
    for foot, one, other in (*starts, *ends):
        join(foot, one)
        join(foot, other)
        for fellow in on_leg.get((one, other), ()):
            join(foot, fellow)
        on_leg.setdefault((one, other), []).append(foot)
    for foot, _, _ in starts:
        join(a, foot)
    for foot, _, _ in ends:
        join(foot, b)
    open_ = {frozenset((one, other)) for one, other, road in graph.legs if road in only}

    def around(at: Point) -> Iterable[Point]:
        along = graph.links.get(at, ())
        if only:
            along = tuple(other for other in along if frozenset((at, other)) in open_)
        return sorted({*along, *links[at]}) if at in links else along

    return _cheapest(a, b, around, price, lambda at: distance(at, b) * TWELFTHS * 1000 // 900)


def _cheapest(
    a: Point,
    b: Point,
    around: Callable[[Point], Iterable[Point]],
    price: Price,
    least: Callable[[Point], int],
) -> tuple[Point, ...] | None:
    """A* between two places, those *around* one in order; ties by the number of steps, then by the places."""
    open_: list[tuple[int, int, Point]] = [(least(a), 0, a)]
    best: dict[Point, tuple[int, int]] = {a: (0, 0)}
    before: dict[Point, Point] = {}
    done: set[Point] = set()
    while open_:
        _, steps, at = heappop(open_)
        if at == b:
            way = [b]
            while way[-1] != a:
                way.append(before[way[-1]])
            return tuple(reversed(way))
        if at in done:
            continue
        done.add(at)
        spent = best[at][0]
        for other in around(at):
            if other in done or (cost := price(at, other)) is None:
                continue
            found = (spent + cost, steps + 1)
            if other not in best or found < best[other]:
                best[other], before[other] = found, at
                heappush(open_, (found[0] + least(other), found[1], other))
    return None
