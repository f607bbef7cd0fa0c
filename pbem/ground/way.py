"""Ways over continuous ground: how long they are, where one is on them, and whether they keep to a road.

A way is a line of points.  Lengths along it are whole grains: the sum of its legs, each to the nearest grain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise

from pbem.ground.plane import Point, Shape, bearing, between, distance, reaches

Way = Sequence[Point]


def marks(way: Way) -> Sequence[int]:
    """How far along the way each of its points lies."""
    return _marks(tuple(way))


@lru_cache(maxsize=8192)
def _marks(way: tuple[Point, ...]) -> tuple[int, ...]:
    return tuple(accumulate((distance(a, b) for a, b in pairwise(way)), initial=0))


def length(way: Way) -> int:
    """How long a way is."""
    return marks(way)[-1]


def at(way: Way, far: int) -> Point:
    """The place *far* along the way; its end beyond that."""
    return _at(way, marks(way), far)


def _at(way: Way, found: Sequence[int], far: int) -> Point:
    leg = _leg(found, far)
    if leg + 1 == len(found):
        return way[-1]
    into, long = max(far - found[leg], 0), found[leg + 1] - found[leg]
    return between(way[leg], way[leg + 1], into, long) if long else way[leg + 1]


def _leg(found: Sequence[int], far: int) -> int:
    """The number of the leg where *far* lies; of the last point beyond the end."""
    return bisect_right(found, far, 1) - 1 if len(found) > 1 else 0


def heading(way: Way, far: int) -> int:
    """The bearing of the leg where *far* lies; where two meet, of the one that begins."""
    if len(way) == 1:
        return 0
    leg = min(_leg(marks(way), far), len(way) - 2)
    return bearing(way[leg], way[leg + 1])


def part(way: Way, start: int, end: int) -> tuple[Point, ...]:
    """The way from *start* to *end* along it: of a column, from its tail to its head."""
    lie = marks(way)
    inner = [point for point, far in zip(way, lie, strict=True) if start < far < end]
    found = [_at(way, lie, max(start, 0)), *inner, _at(way, lie, end)]
    return tuple(point for i, point in enumerate(found) if i == 0 or point != found[i - 1])


def steps(way: Way, step: int) -> Iterator[tuple[int, Point]]:
    """How far, and the place there, every *step* along the way, the end last; the start is left out."""
    found = marks(way)
    whole = found[-1]
    for far in (*range(step, whole, step), *((whole,) if whole else ())):
        yield far, _at(way, found, far)


def keeps_to(way: Way, road: Shape, far: int, step: int) -> bool:
    """Whether the whole way lies within *far* of *road*, looked at every *step*."""
    places = chain(way[:1], (point for _, point in steps(way, step)))
    return all(reaches(at, road, far) for at in places)


def straightened(way: Way) -> tuple[Point, ...]:
    """The way without the points at which it does not turn."""
    kept = [
        here
        for before, here, after in zip(way, way[1:], way[2:], strict=False)
        if (here.x - before.x) * (after.y - here.y) != (here.y - before.y) * (after.x - here.x)
        or (here.x - before.x) * (after.x - here.x) + (here.y - before.y) * (after.y - here.y) < 0
    ]
    return (way[0], *kept, way[-1]) if len(way) > 1 else tuple(way)
