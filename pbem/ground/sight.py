"""Lines of sight over heights, past woods and houses: `sees` says whether anything stands in one, `hidden` what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from pbem.ground.bearing import rounded
from pbem.ground.heights import Heights
from pbem.ground.plane import Point, Shape, cuts, distance, holds, inside


class Screen(Struct, frozen=True):
    """Something that stands on the ground and hides what is behind it: a wood, houses, a wall.

    *top* is its height above the ground; *depth* how much of an area one can look through.
    """

    shape: Shape
    top: int
    depth: int = 0


class Hidden(Struct, frozen=True):
    """What stands in a line of sight: the ground, or a screen by its number; and how far from the eye."""

    far: int
    screen: int | None = None


Mark = tuple[Point, int]
"""A place, and a height above its ground: an eye, or the top of what is looked at."""


def hidden(ground: Heights, eye: Mark, target: Mark, screens: Sequence[Screen], every: int) -> Hidden | None:
    """What hides *target* from *eye*; None: it is seen.

    The ground is looked at in equal steps of at most *every*, and is straight between them.  They are the same seen
    from either end: who sees is seen, if the heights are the same.  Of what hides, the nearest to the eye is told.
    An area hides where the line runs below its top for more than its *depth*; a line of points, such as a wall,
    where it is crossed below its top.
    """
    found = _hiding(ground, eye, target, screens, every)
    return min(found, key=lambda one: (one.far, -1 if one.screen is None else one.screen), default=None)


def sees(ground: Heights, eye: Mark, target: Mark, screens: Sequence[Screen], every: int) -> bool:
    """Whether nothing hides *target* from *eye*: as `hidden`, but it stops at the first thing that does."""
    return next(_hiding(ground, eye, target, screens, every), None) is None


def _hiding(ground: Heights, eye: Mark, target: Mark, screens: Sequence[Screen], every: int) -> Iterator[Hidden]:
    """What hides, the ground first; of each screen where it first does."""
    line = Line(ground, eye, target, every)
    if (step := line.buried) is not None:
        yield Hidden(rounded(line.far * step, line.count))
    for number, screen in enumerate(screens):
        if (share := line.behind(screen)) is not None:
            yield Hidden(round(share * line.far), number)


class Line:
    """One line of sight, and how far it runs above the ground."""

    def __init__(self, ground: Heights, eye: Mark, target: Mark, every: int) -> None:
        (self.start, up), (self.end, over) = eye, target
        self.far = distance(self.start, self.end)
        self.count = count = max(1, -(-self.far // every))
        """The steps at which the ground is looked at."""
        heights = ground.along(self.start, self.end, count)
        first, last = heights[0] + up, heights[-1] + over
        self._clear = [first * (count - k) + last * k - high * count for k, high in enumerate(heights)]
        """How far it runs above the ground at each step, in parts of the count."""

    @property
    def buried(self) -> int | None:
        """The first step at which it runs below the ground; None: nowhere."""
        if min(self._clear[1:-1], default=0) >= 0:
            return None
        return next(k for k in range(1, self.count) if self._clear[k] < 0)

    def behind(self, screen: Screen) -> Fraction | None:
        """The share of it at which a screen begins to hide what is behind; None: it does not."""
        clear, top, count = self._clear, screen.top * self.count, self.count
        if not screen.shape.closed:
            shares = cuts(screen.shape, self.start, self.end)
            return next((one for one in shares if 0 < one < 1 and _above(clear, one, count) < top), None)
        spans = inside(screen.shape, self.start, self.end)
        low = [span for shares in spans for span in _below(clear, top, shares, count)]
        if low and sum((b - a for a, b in low[1:]), low[0][1] - low[0][0]) * self.far > screen.depth:
            return low[0][0]
        return None


def _above(clear: Sequence[int], share: Fraction, count: int) -> Fraction:
    """How far the line runs above the ground at *share* of the way."""
    whole = share.denominator
    k = min(share.numerator * count // whole, count - 1)
    part = share.numerator * count - k * whole
    return Fraction(clear[k] * (whole - part) + clear[k + 1] * part, whole)


def _below(
    clear: Sequence[int], top: int, shares: tuple[Fraction, Fraction], count: int
) -> list[tuple[Fraction, Fraction]]:
    """The stretches within *shares* where the line runs below *top*."""
    start, end = shares
    first = start.numerator * count // start.denominator
    last = -(-end.numerator * count // end.denominator)
    steps = clear[first : last + 1]
    if max(steps) < top:
        return [shares]
    if min(steps) >= top:
        return []
    spots = [start, *(Fraction(k, count) for k in range(first + 1, last)), end]
    found = []
    for a, b in pairwise(spots):
        if a >= b:
            continue
        here, there = _above(clear, a, count) - top, _above(clear, b, count) - top
        if here < 0 and there < 0:
            found.append((a, b))
        elif here < 0 or there < 0:
            turn = a + (b - a) * Fraction(here, here - there)
            found.append((a, turn) if here < 0 else (turn, b))
    return found


# ---- What a line meets, among many ----


class Blocks:
    """Areas prepared for many lines: which of them a line meets is told by whole numbers alone.

    They lie in bins of *cell* grains, so that a line asks only those near it.
    """

    def __init__(self, shapes: Sequence[Shape], cell: int = 500) -> None:
        self._shapes, self._cell = tuple(shapes), cell
        self._sides = [tuple(pairwise((*shape.points, shape.points[0]))) for shape in shapes]
        self._bins: dict[tuple[int, int], tuple[int, ...]] = {}
        for number, shape in enumerate(shapes):
            west, south, east, north = shape.box
            for i in range(west // cell, east // cell + 1):
                for j in range(south // cell, north // cell + 1):
                    self._bins[i, j] = (*self._bins.get((i, j), ()), number)

    def met(self, start: Point, end: Point) -> list[int]:
        """The numbers of the areas that the line from *start* to *end* meets, or lies in, in order."""
        return sorted(number for number in self._near(start, end) if self._meets(number, start, end))

    def clear(self, start: Point, end: Point) -> bool:
        """Whether the line meets none of them."""
        return not any(self._meets(number, start, end) for number in self._near(start, end))

    def _near(self, start: Point, end: Point) -> set[int]:
        cell = self._cell
        (ax, ay), (bx, by) = sorted((start, end))
        first, last = ax // cell, bx // cell
        found: set[int] = set()
        for i in range(first, last + 1):
            if ax == bx:
                low, high = min(ay, by), max(ay, by)
            else:
                # Where the line enters and leaves the column, a grain wider than it does.
                left, right = max(ax, i * cell), min(bx, (i + 1) * cell)
                one, other = ((by - ay) * (x - ax) // (bx - ax) + ay for x in (left, right))
                low, high = min(one, other) - 1, max(one, other) + 1
            for j in range(low // cell, high // cell + 1):
                found.update(self._bins.get((i, j), ()))
        return found

    def _meets(self, number: int, start: Point, end: Point) -> bool:
        ax, ay = start
        dx, dy = end.x - ax, end.y - ay
        shape = self._shapes[number]
        if not (dx or dy):
            return holds(shape, start)
        west, south, east, north = shape.box
        if max(ax, end.x) < west or min(ax, end.x) > east or max(ay, end.y) < south or min(ay, end.y) > north:
            return False
        sides = [(x - ax) * dy - (y - ay) * dx for x, y in shape.points]
        if min(sides) > 0 or max(sides) < 0:
            return False
        for (one, other), (p, q) in zip(pairwise((*sides, sides[0])), self._sides[number], strict=True):
            if (one > 0 and other > 0) or (one < 0 and other < 0):
                continue
            if not (one or other) and not _side_by_side(p, q, start, end):
                continue
            ex, ey = q.x - p.x, q.y - p.y
            here = ex * (ay - p.y) - ey * (ax - p.x)
            there = ex * (end.y - p.y) - ey * (end.x - p.x)
            if not ((here > 0 and there > 0) or (here < 0 and there < 0)):
                return True
        return holds(shape, start)


def _side_by_side(p: Point, q: Point, start: Point, end: Point) -> bool:
    """Whether two pieces of one line have a place in common."""
    return (
        max(p.x, q.x) >= min(start.x, end.x)
        and max(start.x, end.x) >= min(p.x, q.x)
        and max(p.y, q.y) >= min(start.y, end.y)
        and max(start.y, end.y) >= min(p.y, q.y)
    )
