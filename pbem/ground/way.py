"""Ways over continuous ground: how long they are, what they lead through and over, and how far one comes.

A way is a line of points.  Lengths along it are whole grains: the sum of its legs, each to the nearest grain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point, Shape, bearing, between, cuts, distance, holds, inside
from pbem.ground.segments import comes_within

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
    found = marks(way)
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
    inner = [point for point, far in zip(way, marks(way), strict=True) if start < far < end]
    found = [at(way, max(start, 0)), *inner, at(way, end)]
    return tuple(point for i, point in enumerate(found) if i == 0 or point != found[i - 1])


def steps(way: Way, step: int) -> Iterator[tuple[int, Point]]:
    """How far, and the place there, every *step* along the way, the end last; the start is left out."""
    whole = length(way)
    for far in (*range(step, whole, step), *((whole,) if whole else ())):
        yield far, at(way, far)


# ---- What a way leads over ----


class Stretch(Struct, frozen=True):
    """A piece of a way that is the same all along."""

    start: int
    end: int
    within: tuple[int, ...]
    """The numbers of the areas that it lies in."""


def stretches(way: Way, areas: Sequence[Shape], every: int | None = None) -> list[Stretch]:
    """The way cut where it enters or leaves one of *areas*, and, if asked for, at each multiple of *every*."""
    found: list[Stretch] = []
    for (a, b), begun in zip(pairwise(way), marks(way), strict=False):
        long = distance(a, b)
        spans = [
            (number, _mark(begun, first, long), _mark(begun, last, long))
            for number, area in enumerate(areas)
            for first, last in inside(area, a, b)
        ]
        borders = {begun, begun + long, *(mark for _, *ends in spans for mark in ends)}
        for start, end in pairwise(sorted(borders)):
            within = tuple(number for number, first, last in spans if first <= start and end <= last)
            if found and found[-1].within == within:
                start = found.pop().start
            found.append(Stretch(start, end, within))
    return list(_cut(found, every)) if every else found


def _mark(begun: int, share: Fraction, long: int) -> int:
    return begun + round(share * long)


def _cut(found: Sequence[Stretch], every: int) -> Iterator[Stretch]:
    for one in found:
        inner = range(one.start - one.start % every + every, one.end, every)
        for start, end in pairwise((one.start, *inner, one.end)):
            yield Stretch(start, end, one.within)


def crossings(way: Way, shape: Shape) -> list[int]:
    """How far along the way it meets a line, or the edge of an area, each once."""
    found = set()
    for (a, b), begun in zip(pairwise(way), marks(way), strict=False):
        long = distance(a, b)
        found |= {_mark(begun, share, long) for share in cuts(shape, a, b)}
    return sorted(found)


def keeps_to(way: Way, road: Shape, far: int, step: int) -> bool:
    """Whether the whole way lies within *far* of *road*, looked at every *step*."""
    places = chain(way[:1], (point for _, point in steps(way, step)))
    return all(comes_within(at, road.sides, far) or (road.closed and holds(road, at)) for at in places)


# ---- How far one comes ----

Rate = int | Fraction
"""Grains for one of whatever is spent: of a move, of an inch of allowance."""


class Toll(Struct, frozen=True):
    """What it costs to pass a place on the way: a wall, a stream, a friend."""

    far: int
    price: Fraction | int | None
    """None: not to be passed."""
    number: int = 0
    """Which thing it is, for whoever asks what stopped a march."""


class Halt(Struct, frozen=True):
    """Where a march ends: how far along, what is left to spend, and what stopped it."""

    far: int
    left: Fraction
    by: Literal["arrived", "spent", "closed", "toll"]
    number: int = 0
    """Of the stretch that is closed, or of the toll that could not be paid."""


def march(
    over: Sequence[Stretch],
    rate: Callable[[Stretch], Rate | None],
    allowance: Fraction | int,
    tolls: Sequence[Toll] = (),
    start: int = 0,
) -> Halt:
    """How far one comes from *start* with an *allowance*, at the *rate* of each stretch; None: it is closed.

    What is paid for in part is gone in part: the march stops when all is spent, wherever that is.  It stops just
    before a toll that it cannot pay.  A toll at *start* itself has been paid.
    """
    left, far = Fraction(allowance), start
    due = sorted((toll for toll in tolls if toll.far > start), key=lambda toll: (toll.far, toll.number))
    for number, one in enumerate(over):
        if one.end <= far:
            continue
        pace = rate(one)
        if not pace:
            return Halt(far, left, "closed", number)
        while far < one.end:
            toll = due[0] if due and due[0].far <= one.end else None
            until = toll.far if toll else one.end
            need = Fraction(until - far, pace)
            if need > left:
                return Halt(far + int(left * pace), Fraction(0), "spent")
            left, far = left - need, until
            if toll:
                if toll.price is None or toll.price > left:
                    return Halt(max(far - 1, start), left, "toll", toll.number)
                left -= toll.price
                due.pop(0)
    return Halt(far, left, "arrived")
