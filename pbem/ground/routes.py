"""Finding a way over continuous ground: along roads, over open ground, and round what stands in the way.

Ties are broken as in `path`: of ways that cost the same, the one with the fewest steps, then the one whose places
come first, by x and then by y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from pbem.ground.bearing import HALF, UNIT, cosine, rounded, turn, turned
from pbem.ground.path import cheapest
from pbem.ground.plane import (
    Box,
    Point,
    Shape,
    apart,
    bearing,
    between,
    distance,
    dot,
    gap,
    holds,
    inside,
    line,
    near,
    shifted,
)  # fmt: skip

Price = Callable[[Point, Point, str | None], int | None]
"""What a step costs from one place to the next, on the road of that name or in the open; None: not that way."""

Way = tuple[Point, ...]


class Network:
    """Roads, which meet where they have a point in common, and open ground between them.

    Open ground is a grid of places *step* apart, each linked to its eight neighbours; the places of a road, at most
    *step* apart as well, are linked to the corners of the grid round them.  Without a *step* there are the roads alone.
    """

    def __init__(self, roads: Mapping[str, Sequence[Point]], box: Box, step: int | None = None) -> None:
        self._box, self._step = box, step
        self._at: dict[str, Point] = {}
        self._roads: dict[tuple[str, str], str] = {}
        self._next: dict[str, set[str]] = {}
        self._off: dict[tuple[int, int], set[str]] = {}
        """The places of roads in each cell of the grid."""
        for road in sorted(roads):
            for a, b in pairwise(roads[road]):
                parts = -(-distance(a, b) // step) if step else 1
                for start, end in pairwise(between(a, b, k, parts) for k in range(parts + 1)):
                    self._join(start, end, road)
        self._legs = sorted(leg for leg in self._roads if leg[0] < leg[1])

    def _join(self, start: Point, end: Point, road: str) -> None:
        one, other = self._named(start), self._named(end)
        self._roads[one, other] = self._roads[other, one] = road
        self._next.setdefault(one, set()).add(other)
        self._next.setdefault(other, set()).add(one)
        if self._step:
            for name, at in ((one, start), (other, end)):
                self._off.setdefault((at.x // self._step, at.y // self._step), set()).add(name)

    def _named(self, at: Point) -> str:
        # Names sort as the places do: path breaks ties by them.
        name = f"{at.x + _FAR:012},{at.y + _FAR:012}"
        self._at.setdefault(name, at)
        return name

    def junctions(self) -> dict[Point, tuple[str, ...]]:
        """Where roads meet, and which."""
        there: dict[str, set[str]] = {}
        for (one, _), road in self._roads.items():
            there.setdefault(one, set()).add(road)
        return {self._at[name]: tuple(sorted(roads)) for name, roads in sorted(there.items()) if len(roads) > 1}

    def way(self, start: Point, ends: Sequence[Point], price: Price) -> Way | None:
        """The cheapest way from *start* to the nearest of *ends*; None if there is none.

        A place on a road, to the grain, is linked along it.  One in the open is linked to the corners of the grid
        round it and the roads there; without open ground to the nearest place of a road.
        """
        links: dict[str, set[str]] = {}
        roads: dict[tuple[str, str], str] = {}
        feet: dict[tuple[str, str], set[str]] = {}
        for at in (start, *ends):
            own = self._named(at)
            if own in self._next:
                continue
            for foot, leg in self._onto(at):
                along = feet.setdefault(leg, set(leg))
                for other in along - {foot}:
                    _link(links, foot, other)
                    roads[foot, other] = roads[other, foot] = self._roads[leg]
                along.add(foot)
                _link(links, own, foot)
            for other in self._beside(at):
                _link(links, own, other)

        def around(name: str) -> Iterable[str]:
            return self._next.get(name, set()) | self._open(name) | links.get(name, set())

        def cost(one: str, other: str) -> int | None:
            road = self._roads.get((one, other)) or roads.get((one, other))
            return price(self._at[one], self._at[other], road)

        found = cheapest(self._named(start), [self._named(at) for at in ends], around, cost)
        return tuple(self._at[name] for name in found) if found else None

    def _onto(self, at: Point) -> list[tuple[str, tuple[str, str]]]:
        """Where one comes from a place onto the roads without open ground: the place there, and the leg of the road."""
        spot = dot(at)
        legs = [leg for leg in self._legs if near(self._line(leg), spot, 1)]
        if legs or self._step is not None or not self._legs:
            return [(self._named(at), leg) for leg in legs]
        gaps = ((gap(self._line(leg), spot), leg) for leg in self._legs)
        found, leg = min(gaps, key=lambda one: (Fraction(one[0].number, one[0].by), one[1]))
        return [(self._named(found.here), leg)]

    def _line(self, leg: tuple[str, str]) -> Shape:
        return line((self._at[leg[0]], self._at[leg[1]]))

    def _beside(self, at: Point) -> set[str]:
        """The corners of the grid round a place, and the places of roads there."""
        if self._step is None:
            return set()
        cell = (at.x // self._step, at.y // self._step)
        return set(self._corners(at)) | self._off.get(cell, set())

    def _open(self, name: str) -> set[str]:
        if self._step is None:
            return set()
        at = self._at[name]
        west, south, east, north = self._box
        if at.x % self._step or at.y % self._step:
            return set(self._corners(at)) if name in self._next else set()
        links = set()
        for dx in (-self._step, 0, self._step):
            for dy in (-self._step, 0, self._step):
                to = Point(at.x + dx, at.y + dy)
                if (dx or dy) and west <= to.x <= east and south <= to.y <= north:
                    links.add(self._named(to))
                cell = ((at.x + min(dx, 0)) // self._step, (at.y + min(dy, 0)) // self._step)
                links |= self._off.get(cell, set())
        return links

    def _corners(self, at: Point) -> Iterable[str]:
        """The corners of the cell of the grid in which a place lies."""
        assert self._step is not None, "roads alone have no grid"
        west, south, east, north = self._box
        left, low = at.x // self._step * self._step, at.y // self._step * self._step
        for x in (left, left + self._step):
            for y in (low, low + self._step):
                if west <= x <= east and south <= y <= north:
                    yield self._named(Point(x, y))


def _link(links: dict[str, set[str]], one: str, other: str) -> None:
    if one != other:
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)


_FAR = 10**11


def straightened(way: Sequence[Point]) -> Way:
    """The way without the points at which it does not turn."""
    kept = [
        here
        for before, here, after in zip(way, way[1:], way[2:], strict=False)
        if (here.x - before.x) * (after.y - here.y) != (here.y - before.y) * (after.x - here.x)
        or (here.x - before.x) * (after.x - here.x) + (here.y - before.y) * (after.y - here.y) < 0
    ]
    return (way[0], *kept, way[-1]) if len(way) > 1 else tuple(way)


def way_round(
    start: Point, end: Point, obstacles: Sequence[Shape], clear: int = 0, box: Box | None = None
) -> Way | None:
    """The shortest way from *start* to *end* that keeps *clear* of areas, by their corners; None if there is none.

    At the corners it keeps two grains more, for rounding.  Where *start* or *end* itself lies nearer to an area than
    *clear*, the way may be as near to that area there.
    """
    # Round what is met alone: a way that then meets nothing more is the shortest round all.
    met: list[Shape] = []
    while True:
        found = _way_round(start, end, met, clear, box)
        if found is None:
            return _way_round(start, end, obstacles, clear, box) if len(met) < len(obstacles) else None
        more = [
            shape
            for shape in obstacles
            if shape not in met
            and (
                any(_too_near(shape, at, clear) for at in found[1:-1])
                or not all(passes(a, b, [shape], clear) for a, b in pairwise(found))
            )
        ]
        if not more:
            return found
        met += more


def _way_round(start: Point, end: Point, obstacles: Sequence[Shape], clear: int, box: Box | None) -> Way | None:
    spots = [at for shape in obstacles for at in _round_corners(shape, clear + 2) if box is None or _on(box, at)]
    free = [at for at in spots if not any(_too_near(shape, at, clear) for shape in obstacles)]
    named = {f"{at.x + _FAR:012},{at.y + _FAR:012}": at for at in (start, end, *free)}
    names = sorted(named)
    first, last = (f"{at.x + _FAR:012},{at.y + _FAR:012}" for at in (start, end))
    known: dict[tuple[str, str], bool] = {}

    def cost(one: str, other: str) -> int | None:
        pair = (min(one, other), max(one, other))
        if pair not in known:
            known[pair] = one != other and passes(named[one], named[other], obstacles, clear)
        return distance(named[one], named[other]) if known[pair] else None

    found = cheapest(first, (last,), lambda _: names, cost)
    return tuple(named[name] for name in found) if found else None


def _too_near(shape: Shape, at: Point, clear: int) -> bool:
    return holds(shape, at) or (clear > 0 and near(shape, dot(at), clear))


def passes(start: Point, end: Point, obstacles: Sequence[Shape], clear: int) -> bool:
    """Whether the straight way keeps *clear* of all areas, or as clear as its ends are."""
    box = (
        min(start.x, end.x) - clear, min(start.y, end.y) - clear,
        max(start.x, end.x) + clear, max(start.y, end.y) + clear,
    )  # fmt: skip
    east, north = end.x - start.x, end.y - start.y
    reach = clear * (distance(start, end) + 1)
    for shape in obstacles:
        if apart(box, shape.box):
            continue
        # All of it on one hand of the line, and further off than need be.
        asides = [(at.x - start.x) * north - (at.y - start.y) * east for at in shape.points]
        if min(asides) > reach or max(asides) < -reach:
            continue
        if inside(shape, start, end):
            return False
        if clear:
            kept = gap(line((start, end)), shape)
            least = min(clear, gap(dot(start), shape).far, gap(dot(end), shape).far)
            if kept.far < least:
                return False
    return True


def _on(box: Box, at: Point) -> bool:
    return box[0] <= at.x <= box[2] and box[1] <= at.y <= box[3]


def _round_corners(shape: Shape, far: int) -> Iterable[Point]:
    """A place outside each corner that stands out, *far* from both its sides."""
    doubled = sum(a.x * b.y - b.x * a.y for a, b in shape.sides)
    corners = shape.points if doubled > 0 else shape.points[::-1]
    for i, corner in enumerate(corners):
        before, after = bearing(corners[i - 1], corner), bearing(corner, corners[(i + 1) % len(corners)])
        bend = turn(before, after)
        if bend < 0:
            # To the left round a ring that runs counter-clockwise: the corner stands out to the right of both sides.
            yield from _outside(corner, before, bend, far)


def _outside(corner: Point, before: int, bend: int, far: int) -> Iterator[Point]:
    """One place, or two round a sharp corner: the line between them is as far off as they are from the sides."""
    parts = 1 if -bend <= HALF // 2 else 2
    for k in range(parts):
        way = turned(before, HALF // 2 + rounded(bend * (2 * k + 1), 2 * parts))
        yield shifted(corner, way, -(-far * UNIT // cosine(rounded(bend, 2 * parts))))
