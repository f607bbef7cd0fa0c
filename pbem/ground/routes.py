"""Ways over continuous ground, as they are told: no more points than they turn at."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.plane import (
    Point,
)  # fmt: skip

Way = tuple[Point, ...]


def straightened(way: Sequence[Point]) -> Way:
    """The way without the points at which it does not turn."""
    kept = [
        here
        for before, here, after in zip(way, way[1:], way[2:], strict=False)
        if (here.x - before.x) * (after.y - here.y) != (here.y - before.y) * (after.x - here.x)
        or (here.x - before.x) * (after.x - here.x) + (here.y - before.y) * (after.y - here.y) < 0
    ]
    return (way[0], *kept, way[-1]) if len(way) > 1 else tuple(way)
