"""Bodies on open ground, reckoned in floats and apart from the game's own geometry: whether they lie in each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from typing import NamedTuple, Protocol


class At(Protocol):
    """A place."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...


class Spot(NamedTuple):
    """A place on the way."""

    x: float
    y: float


Box = tuple[Spot, Spot, Spot, Spot]
"""The corners of a body: front left, front right, rear right, rear left."""


def body(front: At, facing: float, wide: float, deep: float) -> Box:
    """The body behind the middle of a front, looking to *facing* degrees."""
    angle = radians(facing)
    ahead, right = (sin(angle), cos(angle)), (cos(angle), -sin(angle))
    left = Spot(front.x - right[0] * wide / 2, front.y - right[1] * wide / 2)
    other = Spot(front.x + right[0] * wide / 2, front.y + right[1] * wide / 2)
    x, y = -ahead[0] * deep, -ahead[1] * deep
    return left, other, Spot(other.x + x, other.y + y), Spot(left.x + x, left.y + y)


def overlap(one: Box, other: Box) -> float:
    """How deep two bodies lie in each other; 0 or less if they do not."""
    deep = float("inf")
    for box in (one, other):
        for start, end in ((box[0], box[1]), (box[1], box[2])):
            x, y = end.x - start.x, end.y - start.y
            far = hypot(x, y) or 1.0
            spans = [[(at.x * x + at.y * y) / far for at in corners] for corners in (one, other)]
            deep = min(deep, min(max(spans[0]), max(spans[1])) - max(min(spans[0]), min(spans[1])))
            if deep <= 0:
                return deep
    return deep


def apart(one: Box, other: Box) -> float:
    """The least distance of two bodies; 0 if they touch."""
    if overlap(one, other) > 0:
        return 0.0
    return min(
        _far(at, start, end)
        for box, against in ((one, other), (other, one))
        for at in box
        for start, end in pairwise((*against, against[0]))
    )


def _far(at: At, start: At, end: At) -> float:
    x, y = end.x - start.x, end.y - start.y
    part = max(0.0, min(1.0, ((at.x - start.x) * x + (at.y - start.y) * y) / (x * x + y * y or 1.0)))
    return hypot(at.x - start.x - part * x, at.y - start.y - part * y)


def bearing(start: At, end: At) -> float:
    """The way from one place to another, in degrees from north."""
    return degrees(atan2(end.x - start.x, end.y - start.y)) % 360


def places(path: Sequence[At], step: float) -> Iterator[tuple[Spot, float]]:
    """Places on a path, so far apart, and the way that it goes there."""
    for start, end in pairwise(path):
        far = hypot(end.x - start.x, end.y - start.y)
        count = max(1, int(far / step)) if far else 0
        for number in range(1, count + 1):
            part = number / count
            yield (
                Spot(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part),
                bearing(start, end),
            )


def crossed(path: Sequence[At], line: Sequence[At]) -> bool:
    """Whether a path crosses a line from one side to the other."""
    return any(_cut(a, b, p, q) for a, b in pairwise(path) for p, q in pairwise(line))


def _cut(a: At, b: At, p: At, q: At) -> bool:
    return _side(a, b, p) * _side(a, b, q) < 0 and _side(p, q, a) * _side(p, q, b) < 0


def _side(one: At, other: At, third: At) -> float:
    return (other.x - one.x) * (third.y - one.y) - (other.y - one.y) * (third.x - one.x)


def swept(
    path: Sequence[At], wide: float, deep: float, others: Iterable[tuple[str, Box]],
    *, step: float, facing: float | None = None, slack: float = 0.0,
) -> str:  # fmt: skip
    """The first of *others* through whom a body goes on a path; empty if none.

    *facing*: it keeps looking there; else it looks the way it goes.  Whom it lies in where it begins is left out.
    """
    if not path:
        return ""
    begins = facing if facing is not None else bearing(path[0], path[-1])
    boxes = [(name, box) for name, box in others if overlap(body(path[0], begins, wide, deep), box) <= -slack / 2]
    for at, way in places(path, step):
        moved = body(at, way if facing is None else facing, wide, deep)
        for name, box in boxes:
            if overlap(moved, box) > slack:
                return name
    return ""


def turned_over(
    at: At, start: float, end: float, wide: float, deep: float, others: Iterable[tuple[str, Box]], *, slack: float = 0.0
) -> str:
    """The first of *others* over whom a body turns about the middle of its front, the shorter way; empty if none.

    Where both ways are as short, it has taken that on which nobody stands.
    """
    by = (end - start + 180) % 360 - 180
    if by == -180:
        others = list(others)
        ways = [_turned_over(at, start, one, wide, deep, others, slack) for one in (180.0, -180.0)]
        return ways[0] if all(ways) else ""
    return _turned_over(at, start, by, wide, deep, others, slack)


def _turned_over(
    at: At, start: float, by: float, wide: float, deep: float, others: Iterable[tuple[str, Box]], slack: float
) -> str:
    count = max(1, int(abs(by) / 3))
    turns = [body(at, start + by * number / count, wide, deep) for number in range(count + 1)]
    for name, box in others:
        if overlap(turns[0], box) <= -slack / 2 and any(overlap(one, box) > slack for one in turns[1:]):
            return name
    return ""
