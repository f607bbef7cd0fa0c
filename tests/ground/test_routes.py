"""Ways as they are told."""

from __future__ import annotations

from pbem.ground.plane import Point
from pbem.ground.routes import straightened


def test_a_way_without_turns_is_its_two_ends() -> None:
    way = (Point(0, 0), Point(10, 10), Point(20, 20), Point(20, 30), Point(20, 20))

    assert straightened(way) == (Point(0, 0), Point(20, 20), Point(20, 30), Point(20, 20))
