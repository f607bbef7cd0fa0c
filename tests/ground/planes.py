"""Places, lines and areas on a small plane, for the tests of continuous ground."""

from __future__ import annotations

from functools import cmp_to_key
from math import gcd

from hypothesis import strategies as st

from pbem.ground.bearing import FULL
from pbem.ground.body import Body
from pbem.ground.plane import Point, Shape, line, ring

WIDE = 1000

points = st.builds(Point, st.integers(0, WIDE), st.integers(0, WIDE))
bearings = st.integers(0, FULL - 1)
coarse = st.builds(Point, st.integers(0, 8), st.integers(0, 8))
"""Few enough that lines lie on each other and corners coincide."""


@st.composite
def stars(draw: st.DrawFn, place: st.SearchStrategy[Point] = points) -> Shape:
    """An area without crossing sides: its corners in the order of their bearings from a place among them."""
    corners = draw(st.lists(place, min_size=3, max_size=8, unique=True))
    turned = _around(corners)
    if turned is None:
        return ring((Point(0, 0), Point(4, 0), Point(4, 4), Point(0, 4)))
    return ring(turned)


def _around(corners: list[Point]) -> list[Point] | None:
    low = min(corners, key=lambda at: (at.y, at.x))
    others = [at for at in corners if at != low]
    # By exact angle round the lowest: of several on one ray the furthest is kept.
    kept: dict[tuple[int, int], Point] = {}
    for at in others:
        dx, dy = at.x - low.x, at.y - low.y
        by = gcd(dx, dy)
        far = kept.get((dx // by, dy // by))
        if far is None or abs(dx) + abs(dy) > abs(far.x - low.x) + abs(far.y - low.y):
            kept[dx // by, dy // by] = at
    if len(kept) < 2:
        return None

    def turn(one: Point, other: Point) -> int:
        return (other.x - low.x) * (one.y - low.y) - (one.x - low.x) * (other.y - low.y)

    return [low, *sorted(kept.values(), key=cmp_to_key(turn))]


@st.composite
def lines(draw: st.DrawFn, place: st.SearchStrategy[Point] = points) -> Shape:
    """A line of a few legs, none of no length."""
    found = draw(st.lists(place, min_size=2, max_size=5))
    kept = [at for i, at in enumerate(found) if i == 0 or at != found[i - 1]]
    return line(kept if len(kept) > 1 else (*kept, Point(kept[0].x + 1, kept[0].y)))


bodies = st.builds(Body, points, bearings, st.integers(1, 400), st.integers(1, 400))
