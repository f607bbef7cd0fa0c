"""Continuous ground: points, lines and areas, how far apart they are, and where they meet.

A place is two whole numbers, east and north of the south-west corner, in grains: a system says how many grains its
measure has (`scale`), as a hundred to the pace or a thousand to the inch.  All is reckoned in whole numbers or in
fractions of them and rounded, where a result is a place or a length, to the nearest grain: the same position gives
the same bytes on any machine.  What is compared (whether something lies within reach, inside, across) is never
rounded first.  Bearings are those of `bearing`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from msgspec import Struct

from pbem.ground.bearing import FULL, UNIT, bearing_of, cosine, rounded, sine, turned
from pbem.ground.segments import comes_within, lies_in, meetings

Box = tuple[int, int, int, int]
"""West, south, east, north."""

Number = int | Fraction


class Point(NamedTuple):
    """A place: *x* grains east, *y* grains north of the south-west corner."""

    x: int
    y: int


class Shape(Struct, frozen=True, dict=True):
    """A point, a line along *points*, or, if it is *closed*, the area inside the ring of them, edge included."""

    points: tuple[Point, ...]
    closed: bool = False

    @cached_property
    def box(self) -> Box:
        """The box round it."""
        if len(self.points) == 1:
            return (*self.points[0], *self.points[0])
        across, along = zip(*self.points, strict=True)
        return min(across), min(along), max(across), max(along)

    @cached_property
    def sides(self) -> tuple[tuple[Point, Point], ...]:
        """The segments that it is made of; a point is one of no length."""
        ends = (*self.points, self.points[0]) if self.closed else self.points
        return tuple(pairwise(ends)) if len(ends) > 1 else ((ends[0], ends[0]),)

    @cached_property
    def hand(self) -> int:
        """1 if its points run counter-clockwise, else -1: on which side of each of its sides it lies."""
        return 1 if _doubled(self.points) > 0 else -1

    @cached_property
    def plain(self) -> bool:
        """Whether it is an area of three or four corners, each of them a corner and none bent inward: a footprint."""
        if not self.closed or not 3 <= len(self.points) <= 4:
            return False
        hand = self.hand
        ends = zip(self.sides, (*self.sides[1:], self.sides[0]), strict=True)
        return all(hand * ((b.x - a.x) * (d.y - b.y) - (b.y - a.y) * (d.x - b.x)) > 0 for (a, b), (_, d) in ends)

    @cached_property
    def edge(self) -> Shape:
        """The outline of an area as a line."""
        return Shape((*self.points, self.points[0])) if self.closed else self


def dot(at: Point) -> Shape:
    """A point as a shape."""
    return Shape((at,))


def line(points: Iterable[Point]) -> Shape:
    """A line: a road, a stream, a wall, a crest."""
    return Shape(tuple(points))


def ring(points: Iterable[Point]) -> Shape:
    """An area, from its corners in order, either way round; the last is not said again."""
    return Shape(tuple(points), closed=True)


# ---- Points ----


def root(number: int, by: int = 1) -> int:
    """The square root of *number* / *by*, to the nearest whole.

    >>> root(2), root(25), root(10, 3)
    (1, 5, 2)
    """
    low = isqrt(number // by)
    return low + 1 if (2 * low + 1) ** 2 * by <= 4 * number else low


def distance(start: Point, end: Point) -> int:
    """How far it is, to the nearest grain.

    >>> distance(Point(0, 0), Point(30, 40))
    50
    """
    return root((end.x - start.x) ** 2 + (end.y - start.y) ** 2)


def within(start: Point, end: Point, far: int) -> bool:
    """Whether it is at most *far*, exactly."""
    return far >= 0 and (end.x - start.x) ** 2 + (end.y - start.y) ** 2 <= far * far


def bearing(start: Point, end: Point) -> int:
    """The bearing from *start* to *end*; 0 (north) where they are one."""
    return bearing_of(end.x - start.x, end.y - start.y)


def shifted(at: Point, way: int, far: int) -> Point:
    """The place *far* from *at* on the bearing *way*; behind it, if *far* is below 0.

    >>> shifted(Point(100, 100), 9000, 50)
    Point(x=150, y=100)
    """
    return Point(at.x + rounded(far * sine(way), UNIT), at.y + rounded(far * cosine(way), UNIT))


def between(start: Point, end: Point, part: int, of: int) -> Point:
    """The place *part* of *of* equal parts of the way on.

    >>> between(Point(0, 0), Point(10, 20), 1, 4)
    Point(x=3, y=5)
    """
    return Point(start.x + rounded((end.x - start.x) * part, of), start.y + rounded((end.y - start.y) * part, of))


def band(far: int, bounds: Sequence[int]) -> int | None:
    """The first of rising *bounds* that *far* does not pass, counted from 0; None beyond the last.

    >>> [band(far, (100, 200, 400)) for far in (100, 101, 400, 401)]
    [0, 1, 2, None]
    """
    found = bisect_left(bounds, far)
    return found if found < len(bounds) else None


def middle(points: Sequence[Point]) -> Point:
    """The mean of *points*: of a rectangle its middle."""
    return Point(rounded(sum(at.x for at in points), len(points)), rounded(sum(at.y for at in points), len(points)))


# ---- Distances between shapes ----


class Gap(NamedTuple):
    """The least distance between two shapes, its square as *number* / *by*, and the nearest points on either."""

    number: int
    by: int
    here: Point
    there: Point

    @property
    def far(self) -> int:
        """The distance, to the nearest grain."""
        return root(self.number, self.by)


def gap(one: Shape, other: Shape) -> Gap:
    """How far *one* is from *other* at the nearest: 0 if they touch or lie one in the other.

    Of several nearest pairs the one whose points come first, by x and then by y, is told.
    """
    if len(one.points) == 1:
        return to_shape(one.points[0], other)
    if len(other.points) == 1:
        return _reversed(to_shape(other.points[0], one))
    if inner := _shared_point(one, other):
        return Gap(0, 1, inner, inner)
    return _from_points(other.points, one, _from_points(one.points, other), back=True)


def near(one: Shape, other: Shape, far: int) -> bool:
    """Whether *one* comes within *far* of *other*, exactly."""
    if len(other.points) == 1:
        return reaches(other.points[0], one, far)
    if len(one.points) == 1:
        return reaches(one.points[0], other, far)
    west, south, east, north = one.box
    left, low, right, high = other.box
    if left - east > far or west - right > far or low - north > far or south - high > far:
        return False
    if len(one.points) > len(other.points):
        one, other = other, one
    if any(comes_within(at, other.sides, far) for at in one.points):
        return True
    return any(comes_within(at, one.sides, far) for at in other.points) or _shared_point(one, other) is not None


def reaches(at: Point, shape: Shape, far: int) -> bool:
    """Whether a place lies within *far* of *shape*, exactly: `near`, of a point."""
    (x, y), (west, south, east, north) = at, shape.box
    if west - x > far or x - east > far or south - y > far or y - north > far:
        return False
    return comes_within(at, shape.sides, far) or (shape.closed and holds(shape, at))


def nearest(shape: Shape, at: Point) -> Point:
    """The point of *shape* nearest to *at*: *at* itself if it is inside."""
    return to_shape(at, shape).there


def _reversed(found: Gap) -> Gap:
    return Gap(found.number, found.by, found.there, found.here)


def to_shape(at: Point, shape: Shape) -> Gap:
    """How far it is from a place to *shape*: `gap` of a point."""
    found = None if shape.closed and holds(shape, at) else _from_points((at,), shape)
    return found if found is not None and found.number else Gap(0, 1, at, at)


def _from_points(points: Sequence[Point], shape: Shape, best: Gap | None = None, *, back: bool = False) -> Gap:
    """From the nearest of *points* to the nearest side of a shape, unless *best* comes first; *back*: told from it."""
    low, of = (best.number, best.by) if best is not None else (0, 0)
    for at in points:
        x, y = at
        for start, end in shape.sides:
            east, north, px, py = end[0] - start[0], end[1] - start[1], x - start[0], y - start[1]
            along, long = px * east + py * north, east * east + north * north
            if along <= 0:
                number, by = px * px + py * py, 1
            elif along >= long:
                number, by = (x - end[0]) ** 2 + (y - end[1]) ** 2, 1
            else:
                number, by = (px * north - py * east) ** 2, long
            if number * of > low * by:
                continue
            foot = start if along <= 0 else end if along >= long else between(start, end, along, long)
            here, there = (foot, at) if back else (at, foot)
            if best is None or number * of < low * by or (here, there) < (best.here, best.there):
                best, low, of = Gap(number, by, here, there), number, by
    assert best is not None, "a shape has a point"
    return best


def _shared_point(one: Shape, other: Shape) -> Point | None:
    """A point of both, to the nearest grain; None if they have none."""
    if apart(one.box, other.box):
        return None
    for shape, area in ((one, other), (other, one)):
        if area.closed and holds(area, shape.points[0]):
            return shape.points[0]
    for a, b in one.sides:
        if not apart(_box_of(a, b), other.box):
            for c, d in other.sides:
                for part in meetings(a, b, c, d):
                    return between(a, b, part.numerator, part.denominator)
    return None


def apart(one: Box, other: Box, far: int = 0) -> bool:
    """Whether two boxes lie more than *far* apart, to the east or to the north; of 0, have no point in common."""
    west, south, east, north = one
    left, low, right, high = other
    return left - east > far or west - right > far or low - north > far or south - high > far


def encloses(one: Box, other: Box) -> bool:
    """Whether all of *other* lies in *one*, its edge included."""
    return one[0] <= other[0] and one[1] <= other[1] and other[2] <= one[2] and other[3] <= one[3]


def hull(one: Box, other: Box) -> Box:
    """The box round two boxes."""
    west, south, east, north = one
    left, low, right, high = other
    return min(west, left), min(south, low), max(east, right), max(north, high)


def widened(box: Box, far: int) -> Box:
    """A box with *far* more on every side."""
    return box[0] - far, box[1] - far, box[2] + far, box[3] + far


# ---- Inside and across ----


def holds(shape: Shape, at: Point) -> bool:
    """Whether *at* lies in the area, or on the line; an edge belongs to its area."""
    return _holds(shape, at.x, at.y, 1)


def _holds(shape: Shape, x: int, y: int, by: int) -> bool:
    """The same of the place *x* / *by*, *y* / *by*."""
    west, south, east, north = shape.box
    if not (west * by <= x <= east * by and south * by <= y <= north * by):
        return False
    return lies_in(shape.sides, x, y, by, closed=shape.closed)


def cuts(shape: Shape, start: Point, end: Point) -> list[Fraction]:
    """Where the way from *start* to *end* meets the line, or the edge of the area: shares of it, rising.

    A stretch along an edge is told by its two ends.
    """
    found = _cuts(shape, start, end)
    return sorted(set(found)) if found else found


def _cuts(shape: Shape, start: Point, end: Point) -> list[Fraction]:
    if apart(shape.box, _box_of(start, end)):
        return []
    (at_x, at_y), (to_x, to_y) = start, end
    east, north = to_x - at_x, to_y - at_y
    asides = [(x - at_x) * north - (y - at_y) * east for x, y in shape.points]
    if shape.closed or len(asides) == 1:
        asides.append(asides[0])
    return [
        part
        for side, (here, there) in zip(shape.sides, pairwise(asides), strict=True)
        if (here <= 0 or there <= 0) and (here >= 0 or there >= 0)
        for part in meetings(start, end, *side)
    ]


def crosses(shape: Shape, start: Point, end: Point) -> bool:
    """Whether the way from *start* to *end* meets the line, or comes into the area."""
    return bool(cuts(shape, start, end)) or (shape.closed and holds(shape, start))


def inside(shape: Shape, start: Point, end: Point) -> list[tuple[Fraction, Fraction]]:
    """The stretches of the way from *start* to *end* within the area, as shares of it; what only touches is left out.

    A stretch along the edge is within: an edge belongs to its area.
    """
    if apart(shape.box, _box_of(start, end)) or start == end:
        return []
    if shape.plain and (stretch := pierced(shape, start, end)) is not None:
        return [stretch]
    edges = _cuts(shape, start, end)
    if not edges:
        return [(Fraction(0), Fraction(1))] if holds(shape, start) else []
    marks = [Fraction(0), *sorted(edges), Fraction(1)]
    found: list[tuple[Fraction, Fraction]] = []
    for first, last in pairwise(marks):
        if first == last:
            continue
        # Halfway between the two, in parts of *by*.
        by = 2 * first.denominator * last.denominator
        half = first.numerator * last.denominator + last.numerator * first.denominator
        x, y = start.x * by + (end.x - start.x) * half, start.y * by + (end.y - start.y) * half
        if not _holds(shape, x, y, by):
            continue
        if found and found[-1][1] == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def pierced(body: Shape, start: Point, end: Point) -> tuple[Fraction, Fraction] | None:
    """The stretch of the way from *start* to *end* inside *body*, whose outline must be convex (a footprint).

    As shares of the way; None if it meets no more than a corner or an edge.

    >>> pierced(ring([Point(1, -1), Point(2, -1), Point(2, 1), Point(1, 1)]), Point(0, 0), Point(4, 0))
    (Fraction(1, 4), Fraction(1, 2))
    """
    west, south, east, north = body.box
    (x, y), (to_x, to_y) = start, end
    if (x <= west and to_x <= west) or (x >= east and to_x >= east):
        return None
    if (y <= south and to_y <= south) or (y >= north and to_y >= north):
        return None
    dx, dy = to_x - x, to_y - y
    # Most stand aside of the way with the whole of their boxes: two corners tell it.
    low, high = (south, north) if dx > 0 else (north, south)
    left, right = (west, east) if dy > 0 else (east, west)
    if (left - x) * dy >= (high - y) * dx or (right - x) * dy <= (low - y) * dx:
        return None
    asides = [(px - x) * dy - (py - y) * dx for px, py in body.points]
    if min(asides) >= 0 or max(asides) <= 0:
        return None
    hand = body.hand
    # The shares as *number* of *parts*: they are made fractions of when they are known.
    first, first_of, last, last_of = 0, 1, 1, 1
    for (ax, ay), (bx, by) in body.sides:
        # How far to the inner hand of the side both ends of the way are.
        across, along = hand * (bx - ax), hand * (by - ay)
        here = across * (y - ay) - along * (x - ax)
        there = across * (to_y - ay) - along * (to_x - ax)
        if here <= 0 and there <= 0:
            return None
        if here < 0:
            if -here * first_of > first * (there - here):
                first, first_of = -here, there - here
        elif there < 0 and here * last_of < last * (here - there):
            last, last_of = here, here - there
    return (Fraction(first, first_of), Fraction(last, last_of)) if first * last_of < last * first_of else None


def through(shape: Shape, start: Point, end: Point) -> int:
    """How much of the way from *start* to *end* lies within the area, to the nearest grain."""
    stretches = inside(shape, start, end)
    if not stretches:
        return 0
    share = sum((last - first for first, last in stretches), Fraction(0))
    long = (end.x - start.x) ** 2 + (end.y - start.y) ** 2
    return root(long * share.numerator**2, share.denominator**2)


def _box_of(one: Point, other: Point) -> Box:
    (x, y), (to_x, to_y) = one, other
    west, east = (x, to_x) if x < to_x else (to_x, x)
    return (west, y, east, to_y) if y < to_y else (west, to_y, east, y)


# ---- Areas ----


def area(shape: Shape) -> Fraction:
    """How large an area is, in square grains; 0 of a line."""
    return _size(shape.points) if shape.closed else Fraction(0)


def shared(body: Shape, other: Shape) -> Fraction:
    """How much of *body*, whose outline must be convex (a footprint), lies within *other*, in square grains."""
    if apart(body.box, other.box):
        return Fraction(0)
    corners: list[tuple[Number, Number]] = list(other.points)
    clockwise = body.hand < 0
    for a, b in body.sides:
        start, end = (b, a) if clockwise else (a, b)
        corners = list(_clipped(corners, start, end))
    return _size(corners)


def faces(shape: Shape) -> list[tuple[Point, Point, int]]:
    """The sides of an area, each with the bearing that it looks outward on."""
    outward = shape.hand * FULL // 4
    return [(a, b, turned(bearing(a, b), outward)) for a, b in shape.sides]


def overlap(body: Shape, other: Shape) -> bool:
    """Whether *body*, a footprint, and *other* have more than an edge in common."""
    if apart(body.box, other.box):
        return False
    # One side of a convex outline with all of the other beyond it parts the two; of two, nothing else does.
    if _parts(body, other):
        return False
    if body.plain and other.plain:
        return not _parts(other, body)
    return shared(body, other) > 0


def _parts(body: Shape, other: Shape) -> bool:
    """Whether all of *other* lies beyond one side of *body*, or on it."""
    hand, points = body.hand, other.points
    for (ax, ay), (bx, by) in body.sides:
        east, north = hand * (bx - ax), hand * (by - ay)
        for x, y in points:
            if east * (y - ay) > north * (x - ax):
                break
        else:
            return True
    return False


def _size(corners: Sequence[tuple[Number, Number]]) -> Fraction:
    doubled = _doubled(corners)
    return Fraction(doubled if doubled >= 0 else -doubled) / 2


def _doubled(corners: Sequence[tuple[Number, Number]]) -> Number:
    """Twice the area, above 0 if *corners* run counter-clockwise."""
    total: int | Fraction = 0
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], *corners[:1]), strict=True):
        total += ax * by - bx * ay
    return total


def _clipped(corners: Sequence[tuple[Number, Number]], a: Point, b: Point) -> Iterator[tuple[Number, Number]]:
    """The part of a ring to the left of the line a–b."""
    sides = [(b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) for x, y in corners]
    for i, here in enumerate(corners):
        before, was, now = corners[i - 1], sides[i - 1], sides[i]
        if (was < 0) != (now < 0):
            share = Fraction(was) / (was - now)
            yield before[0] + (here[0] - before[0]) * share, before[1] + (here[1] - before[1]) * share
        if now >= 0:
            yield here
