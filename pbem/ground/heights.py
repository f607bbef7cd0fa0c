"""Heights of continuous ground: a field of posts, its slopes, and its contours.

Heights are whole grains, as lengths are (`plane`).  Between four posts the ground is bilinear.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from pbem.ground.bearing import bearing_of, rounded
from pbem.ground.plane import Point, between, distance


class Heights(Struct, frozen=True):
    """Posts *spacing* apart: `rows[j][i]` stands at *origin* + (i, j) spacings; the first row is the southernmost."""

    spacing: int
    rows: tuple[tuple[int, ...], ...]
    origin: Point = Point(0, 0)

    def at(self, point: Point) -> int:
        """The height of a place, to the nearest grain; beyond the posts that of the nearest edge."""
        spacing, rows = self.spacing, self.rows
        columns, lines = len(rows[0]) - 1, len(rows) - 1
        i, u = divmod(min(max(point[0] - self.origin[0], 0), columns * spacing), spacing)
        j, v = divmod(min(max(point[1] - self.origin[1], 0), lines * spacing), spacing)
        low, high = rows[j], rows[j + 1 if j < lines else j]
        right = i + 1 if i < columns else i
        south, north = low[i] * (spacing - u) + low[right] * u, high[i] * (spacing - u) + high[right] * u
        return rounded(south * (spacing - v) + north * v, spacing * spacing)

    def along(self, start: Point, end: Point, count: int) -> list[int]:
        """The heights at *start*, at *count* equal steps on the way, and so at *end*.

        The places are the same from either end: one half way between two grains counts as the further from the end
        that comes first by x, then by y.
        """
        if end < start:
            return self.along(end, start, count)[::-1]
        spacing, rows, square = self.spacing, self.rows, self.spacing**2
        columns, lines = len(rows[0]) - 1, len(rows) - 1
        wide, high = columns * spacing, lines * spacing
        x, y, dx, dy = start.x - self.origin.x, start.y - self.origin.y, end.x - start.x, end.y - start.y
        beyond = min(x, x + dx, y, y + dy) < 0 or max(x, x + dx) > wide or max(y, y + dy) > high
        # To the nearest grain, a half away from *start*.
        east, north = 2 * x * count + count - (dx < 0), 2 * y * count + count - (dy < 0)
        found = []
        for k in range(count + 1):
            across, along = (east + 2 * dx * k) // (2 * count), (north + 2 * dy * k) // (2 * count)
            if beyond:
                across, along = min(max(across, 0), wide), min(max(along, 0), high)
            i, j = across // spacing, along // spacing
            one, other, n = rows[j], rows[j + 1 if j < lines else j], i + 1 if i < columns else i
            part = across - i * spacing
            low, up = one[i] * spacing + (one[n] - one[i]) * part, other[i] * spacing + (other[n] - other[i]) * part
            height = low * spacing + (up - low) * (along - j * spacing)
            found.append((2 * height + square) // (2 * square) if height >= 0 else rounded(height, square))
        return found

    def slope(self, start: Point, end: Point) -> int:
        """How steep the straight way from *start* to *end* is, in hundredths of a degree; above 0 uphill.

        >>> Heights(100, ((0, 0), (27, 27))).slope(Point(0, 0), Point(0, 100))
        1511
        """
        rise = self.at(end) - self.at(start)
        steep = bearing_of(abs(rise), distance(start, end)) if rise else 0
        return steep if rise >= 0 else -steep


def contours(ground: Heights, level: int) -> list[tuple[Point, ...]]:
    """The lines at which the ground rises through *level*, the higher ground on their right.

    A line that closes ends where it began; the others end at the edges of the field.
    """
    onward: dict[_Edge, _Edge] = {}
    for i, j in product(range(len(ground.rows[0]) - 1), range(len(ground.rows) - 1)):
        onward.update(_segments(ground, i, j, level))
    lines = []
    reached = set(onward.values())
    starts = [edge for edge in onward if edge not in reached]
    for start in (*starts, *list(onward)):
        edges = []
        here: _Edge | None = start if start in onward else None
        while here is not None:
            edges.append(here)
            here = onward.pop(here, None)
        if edges:
            points = [_on_edge(ground, edge, level) for edge in edges]
            lines.append(tuple(point for k, point in enumerate(points) if k == 0 or point != points[k - 1]))
    return [line for line in lines if len(line) > 1]


_Post = tuple[int, int]
_Edge = tuple[_Post, _Post]
"""Two neighbouring posts, the one further south or west first."""


def _segments(ground: Heights, i: int, j: int, level: int) -> Iterator[tuple[_Edge, _Edge]]:
    """The pieces of a contour in one cell, each from edge to edge."""
    posts = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
    high = [ground.rows[y][x] >= level for x, y in posts]
    if all(high) or not any(high):
        return
    # Counter-clockwise round the cell: a contour comes in where it goes down and leaves where it comes up again.
    edges = [(posts[k], posts[(k + 1) % 4]) for k in range(4)]
    falls = [k for k in range(4) if high[k] and not high[(k + 1) % 4]]
    rises = [k for k in range(4) if not high[k] and high[(k + 1) % 4]]
    if len(falls) == 2 and sum(ground.rows[y][x] for x, y in posts) < 4 * level:
        # A saddle whose middle lies low: each high corner is cut off by itself.
        pairs = [(fall, (fall - 1) % 4) for fall in falls]
    else:
        pairs = [(fall, next(k % 4 for k in range(fall + 1, fall + 4) if k % 4 in rises)) for fall in falls]
    for fall, rise in pairs:
        start, end = edges[rise], edges[fall]
        yield (min(start), max(start)), (min(end), max(end))


def _on_edge(ground: Heights, edge: _Edge, level: int) -> Point:
    (ai, aj), (bi, bj) = edge
    low, high = ground.rows[aj][ai], ground.rows[bj][bi]
    start = Point(ground.origin.x + ai * ground.spacing, ground.origin.y + aj * ground.spacing)
    end = Point(ground.origin.x + bi * ground.spacing, ground.origin.y + bj * ground.spacing)
    return between(start, end, level - low, high - low)
