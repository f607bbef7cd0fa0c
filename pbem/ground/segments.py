"""Segments in whole numbers: how near they come to a place, whether they enclose it, where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

Place = tuple[int, int]
Side = tuple[Place, Place]


def comes_within(at: Place, sides: Sequence[Side], far: int) -> bool:
    """Whether one of *sides* comes within *far* of a place."""
    x, y = at
    square = far * far
    for (ax, ay), (bx, by) in sides:
        if (ax > x + far and bx > x + far) or (ax < x - far and bx < x - far):
            continue
        if (ay > y + far and by > y + far) or (ay < y - far and by < y - far):
            continue
        dx, dy, px, py = bx - ax, by - ay, x - ax, y - ay
        along, long = px * dx + py * dy, dx * dx + dy * dy
        if along <= 0:
            found = px * px + py * py <= square
        elif along >= long:
            found = (x - bx) ** 2 + (y - by) ** 2 <= square
        else:
            found = (px * dy - py * dx) ** 2 <= square * long
        if found:
            return True
    return False


def lies_in(sides: Sequence[Side], x: int, y: int, of: int, *, closed: bool) -> bool:
    """Whether *x* / *of*, *y* / *of* lies on one of *sides*, or inside if they are *closed*."""
    inside = False
    for (ax, ay), (bx, by) in sides:
        low, high = ay * of, by * of
        if (low > y and high > y) or (low < y and high < y):
            continue
        aside = (bx - ax) * (y - low) - (by - ay) * (x - ax * of)
        if aside == 0 and min(ax, bx) * of <= x <= max(ax, bx) * of:
            return True
        if (low > y) != (high > y) and (aside > 0) == (by > ay):
            inside = not inside
    return inside and closed


def meetings(a: Place, b: Place, c: Place, d: Place) -> Iterator[Fraction]:
    """The shares of a–b at which it meets c–d: one, or the two ends of what they have in common."""
    (ax, ay), (cx, cy) = a, c
    east, north = b[0] - ax, b[1] - ay
    across, along = d[0] - cx, d[1] - cy
    cross = east * along - north * across
    from_c = (cx - ax) * north - (cy - ay) * east
    if cross:
        share = (cx - ax) * along - (cy - ay) * across
        if cross < 0:
            cross, share, from_c = -cross, -share, -from_c
        if 0 <= share <= cross and 0 <= from_c <= cross:
            yield Fraction(share, cross)
        return
    long = east * east + north * north
    if not long:
        if comes_within(a, ((c, d),), 0):
            yield Fraction(0)
        return
    if from_c:
        return
    ends = sorted(Fraction((x - ax) * east + (y - ay) * north, long) for x, y in (c, d))
    if ends[1] >= 0 and ends[0] <= 1:
        yield max(ends[0], Fraction(0))
        if ends[0] < 1 and ends[1] > 0:
            yield min(ends[1], Fraction(1))
