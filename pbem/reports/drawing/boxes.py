"""Boxes on the sheet: what they hold and share, what lies between them, and what passes through them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pbem.reports.drawing.svg import XY, Rect


def around(points: Iterable[XY]) -> Rect:
    """The box round some points, one at least."""
    across, down = zip(*points, strict=True)
    return (min(across), min(down), max(across), max(down))


def square(at: XY, half: float) -> Rect:
    """The square round a point."""
    return (at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def centred(at: XY, wide: float, high: float) -> Rect:
    """A box of that size round its middle."""
    return (at[0] - wide / 2, at[1] - high / 2, at[0] + wide / 2, at[1] + high / 2)


def union(first: Rect, *others: Rect) -> Rect:
    """The box round some boxes."""
    left, top, right, bottom = first
    for box in others:
        left, top, right, bottom = min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3])
    return (left, top, right, bottom)


def common(one: Rect, other: Rect) -> Rect:
    """What lies in both of two boxes; turned inside out if that is nothing."""
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def grown(box: Rect, by: float) -> Rect:
    """The box with a rim; without it, if *by* is less than nothing."""
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def middle(box: Rect) -> XY:
    """The middle of a box."""
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def area(box: Rect) -> float:
    """Pixels that a box covers."""
    return (box[2] - box[0]) * (box[3] - box[1])


def shared(one: Rect, other: Rect) -> float:
    """Pixels that two boxes share."""
    (left, top, right, bottom), (west, north, east, south) = one, other
    # Most do not touch: that is seen soonest by plain comparisons.
    if east <= left or west >= right or south <= top or north >= bottom:
        return 0.0
    return (min(right, east) - max(left, west)) * (min(bottom, south) - max(top, north))


def touches(one: Rect, other: Rect) -> bool:
    """Whether two boxes share a pixel."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def within(box: Rect, window: Rect) -> bool:
    """Whether all of a box is in a window."""
    return box[0] >= window[0] and box[1] >= window[1] and box[2] <= window[2] and box[3] <= window[3]


def holds(box: Rect, at: XY, by: float = 0.0) -> bool:
    """Whether a point lies in a box or at most so far from it."""
    return box[0] - by <= at[0] <= box[2] + by and box[1] - by <= at[1] <= box[3] + by


def nearest(box: Rect, at: XY) -> XY:
    """The point of a box that is nearest to another."""
    return min(max(at[0], box[0]), box[2]), min(max(at[1], box[1]), box[3])


def apart(one: Rect, other: Rect) -> float:
    """Pixels between two boxes; 0 if they touch."""
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    down = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(across, down)


def through(start: XY, end: XY, box: Rect) -> tuple[float, float]:
    """The shares of a line after which it is in a box and out of it; the first is greater if it never is in it."""
    (ax, ay), (bx, by), (left, top, right, bottom) = start, end, box
    if (
        (ax < left and bx < left)
        or (ax > right and bx > right)
        or (ay < top and by < top)
        or (ay > bottom and by > bottom)
    ):
        return 1.0, 0.0
    enter, leave = 0.0, 1.0
    # What runs along an edge lies within it, or would have been beyond it.
    across, down = bx - ax, by - ay
    if abs(across) >= 1e-9:
        first, last = (left - ax) / across, (right - ax) / across
        if first > last:
            first, last = last, first
        enter, leave = first if first > enter else enter, last if last < leave else leave
    if abs(down) >= 1e-9:
        first, last = (top - ay) / down, (bottom - ay) / down
        if first > last:
            first, last = last, first
        enter, leave = first if first > enter else enter, last if last < leave else leave
    return enter, leave


def meets(box: Rect, others: Iterable[Rect]) -> bool:
    """Whether a box shares a pixel with any of others."""
    left, top, right, bottom = box
    for west, north, east, south in others:  # noqa: SIM110 - a place for a label asks it a million times
        if left < east and west < right and top < south and north < bottom:
            return True
    return False


def sharing(box: Rect, others: Iterable[Rect]) -> float:
    """Pixels that a box shares with each of others, in all."""
    left, top, right, bottom = box
    found = 0.0
    for west, north, east, south in others:
        if left < east and west < right and top < south and north < bottom:
            found += (min(right, east) - max(left, west)) * (min(bottom, south) - max(top, north))
    return found


def crossing(lines: Iterable[tuple[XY, XY]], box: Rect) -> int:
    """How many lines pass through a box."""
    left, top, right, bottom = box
    found = 0
    for start, end in lines:
        (ax, ay), (bx, by) = start, end
        # Most lie beyond one of its edges: that is seen soonest here.
        if (
            (ax < left and bx < left)
            or (ax > right and bx > right)
            or (ay < top and by < top)
            or (ay > bottom and by > bottom)
        ):
            continue
        enter, leave = through(start, end, box)
        found += enter < leave
    return found


def crossed(line: tuple[XY, XY], boxes: Iterable[Rect]) -> int:
    """How many boxes a line passes through."""
    start, end = line
    found, (west, north, east, south) = 0, around(line)
    for box in boxes:
        left, top, right, bottom = box
        if left <= east and west <= right and top <= south and north <= bottom:
            enter, leave = through(start, end, box)
            found += enter < leave
    return found
