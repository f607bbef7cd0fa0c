"""Bodies of troops on continuous ground, and the shapes that are laid on it to measure by.

A body is a rectangle with a front: it lies behind *at*, the middle of its front edge, and looks along *facing*.  Its
corners are whole steps from *at*, so that opposite sides are equal to the grain, and what it turns about stays where
it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.bearing import FULL, HALF, UNIT, cosine, off, opposite, rounded, sine, turned
from pbem.ground.plane import Box, Point, Shape, bearing, between, encloses, overlap, ring, shifted

RIGHT = FULL // 4

Aspect = Literal["front", "flank", "rear"]
Wing = Literal["left", "right"]


class Body(Struct, frozen=True, dict=True):
    """A formation on the ground: *front* wide, *depth* deep, in grains."""

    at: Point
    facing: int
    front: int
    depth: int

    @cached_property
    def shape(self) -> Shape:
        """Its outline: left and right corner of the front, right and left of the rear."""
        (x, y), (ex, ey), (dx, dy) = self.at, _step(self.facing + RIGHT, self.front, 2), _step(self.facing, self.depth)
        left, right = Point(x - ex, y - ey), Point(x + ex, y + ey)
        return ring((left, right, Point(right.x - dx, right.y - dy), Point(left.x - dx, left.y - dy)))

    @property
    def middle(self) -> Point:
        """The middle of its ground."""
        return between(self.at, self.rear, 1, 2)

    @property
    def rear(self) -> Point:
        """The middle of its rear edge."""
        dx, dy = _step(self.facing, self.depth)
        return Point(self.at.x - dx, self.at.y - dy)

    def wing(self, which: Wing) -> Point:
        """A corner of its front."""
        return self.shape.points[which == "right"]


def _step(way: int, far: int, of: int = 1) -> tuple[int, int]:
    return rounded(far * sine(way), of * UNIT), rounded(far * cosine(way), of * UNIT)


# ---- Turning and moving ----


def faced(body: Body, facing: int) -> Body:
    """*body* turned about the middle of its front."""
    return replace(body, facing=facing % FULL)


def about(body: Body) -> Body:
    """*body* turned about where it stands: its rear is its front, its ground the same."""
    return replace(body, at=body.rear, facing=opposite(body.facing))


def wheeled(body: Body, by: int) -> Body:
    """*body* wheeled about the wing on the inner hand: the right for a turn to the right (*by* above 0)."""
    side = 1 if by > 0 else -1
    pivot, facing = body.wing("right" if by > 0 else "left"), turned(body.facing, by)
    ex, ey = _step(facing + RIGHT, body.front, 2)
    return replace(body, at=Point(pivot.x - side * ex, pivot.y - side * ey), facing=facing)


def moved(body: Body, way: int, far: int) -> Body:
    """*body* moved *far* on the bearing *way*, its facing kept."""
    return replace(body, at=shifted(body.at, way, far))


def slid(body: Body, taken: Sequence[Shape], most: int, step: int, board: Box | None = None) -> Body | None:
    """*body* slid along its own front until it covers none of *taken* and lies on the *board*.

    The shorter way first, to the right where both are as long; at most *most*, in steps of *step*.  None: no room.
    """
    for far in range(0, most + 1, step):
        for way in (body.facing + RIGHT, body.facing - RIGHT) if far else (body.facing,):
            there = moved(body, way, far)
            if (board is None or on_board(there, board)) and not any(overlap(there.shape, one) for one in taken):
                return there
    return None


def on_board(body: Body, board: Box) -> bool:
    """Whether all of *body* lies on the *board*, its edge included."""
    return encloses(board, body.shape.box)


def room_between(one: Box, other: Box) -> int:
    """How far two boxes, and so what lies in them, are apart at least; below 0, of one in the other: how deep it lies.

    >>> room_between((0, 0, 10, 10), (13, 2, 20, 5)), room_between((0, 0, 10, 10), (4, 3, 4, 3))
    (3, -3)
    """
    west, south, east, north = one
    left, low, right, high = other
    return max(left - east, west - right, low - north, south - high)


ROUNDING = 2
"""By so much a body may lie aside of its way: its places are whole grains."""


def passes(body: Body, way: int, shape: Shape, far: int = 0) -> bool:
    """Whether *body* keeps more than *far* from *shape*, however much it moves on the bearing *way*, or back."""
    east, north = cosine(way), -sine(way)
    own = [x * east + y * north for x, y in body.shape.points]
    theirs = [x * east + y * north for x, y in shape.points]
    room = (far + ROUNDING) * UNIT
    return min(theirs) - max(own) > room or min(own) - max(theirs) > room


# ---- Where others are ----


def in_arc(at: Point, facing: int, target: Point, half: int) -> bool:
    """Whether *target* lies within *half* the arc either side of *facing*; the edge counts, and *at* itself."""
    return at == target or off(facing, bearing(at, target)) <= half


def aspect(body: Body, at: Point, *, front: int, rear: int) -> Aspect:
    """What of *body* is turned to *at*, by the bearing from its middle.

    `front` up to *front* off its facing, that included; `rear` beyond *rear*; else `flank`.
    """
    aside = off(body.facing, bearing(body.middle, at))
    return "front" if aside <= front else "rear" if aside > rear else "flank"


def stands(body: Body, count: int, pitch: int) -> tuple[Point, ...]:
    """The front middles of *count* stands *pitch* apart, from the left wing."""
    places = []
    for k in range(count):
        ex, ey = _step(body.facing + RIGHT, (2 * k - count + 1) * pitch, 2)
        places.append(Point(body.at.x + ex, body.at.y + ey))
    return tuple(places)


def aims(shape: Shape) -> tuple[Point, ...]:
    """The points of an outline at which one aims: its corners, then the middles of its sides."""
    return (*shape.points, *(between(a, b, 1, 2) for a, b in shape.sides))


def away(at: Point, enemies: Sequence[Point]) -> int | None:
    """The bearing directly away from several: the sum of the directions from each.  None: they cancel."""
    ways = [bearing(enemy, at) for enemy in enemies if enemy != at]
    return resultant(ways)


def resultant(ways: Sequence[int]) -> int | None:
    """The bearing of the sum of unit steps along *ways*; None if it is no longer than a thousandth of one."""
    east, north = sum(map(sine, ways)), sum(map(cosine, ways))
    if max(abs(east), abs(north)) * 1000 < UNIT:
        return None
    return bearing(Point(0, 0), Point(east, north))


# ---- Templates ----

ARC_STEP = 5 * FULL // 360


def sector(at: Point, facing: int, half: int, far: int, least: int = 0) -> Shape:
    """The ground between *least* and *far* from *at*, *half* the arc either side of *facing*: a field of fire.

    Its curved edges are chords of five degrees at most; whether a place lies within is for `in_arc` and `within`.
    """
    if half >= HALF:
        return disc(at, far)
    count = max(1, -(-2 * half // ARC_STEP))
    ways = [facing - half + 2 * half * k // count for k in range(count + 1)]
    inner = [shifted(at, way, least) for way in reversed(ways)] if least else [at]
    return ring((*(shifted(at, way, far) for way in ways), *inner))


def disc(at: Point, far: int) -> Shape:
    """The ground within *far* of *at*, as a ring of 72 corners."""
    return ring(shifted(at, way, far) for way in range(0, FULL, ARC_STEP))


def lane(start: Point, end: Point, width: int) -> Shape:
    """The strip *width* wide from *start* to *end*: what a shot may pass through."""
    ex, ey = _step(bearing(start, end) + RIGHT, width, 2)
    return ring(
        (
            Point(start.x - ex, start.y - ey), Point(end.x - ex, end.y - ey),
            Point(end.x + ex, end.y + ey), Point(start.x + ex, start.y + ey),
        )
    )  # fmt: skip
