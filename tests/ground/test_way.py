"""Ways: their lengths and parts, what they lead through, and how far one comes on them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.plane import Point, distance, dot, line, near
from pbem.ground.way import (
    at,
    heading,
    keeps_to,
    length,
    part,
    steps,
    straightened,
)  # fmt: skip
from tests.ground.planes import lines

WAYS = lines().map(lambda shape: shape.points)


@given(WAYS, st.integers(0, 6000))
def test_a_place_on_a_way_lies_on_it(way: tuple[Point, ...], far: int) -> None:
    assert near(dot(at(way, far)), line(way), 1)
    assert at(way, 0) == way[0]
    assert at(way, length(way)) == at(way, length(way) + far) == way[-1]


@given(WAYS, st.integers(0, 3000), st.integers(0, 3000))
def test_parts_of_a_way_add_up(way: tuple[Point, ...], start: int, more: int) -> None:
    whole = length(way)
    cut = min(start, whole)
    first, rest = part(way, 0, cut), part(way, cut, whole)

    assert first[-1] == rest[0]
    assert abs(length(first) + length(rest) - whole) <= 3
    assert part(way, cut, cut + more)[0] == at(way, cut)


@given(WAYS, st.integers(1, 300))
def test_steps_are_even_and_end_with_the_way(way: tuple[Point, ...], step: int) -> None:
    found = list(steps(way, step))

    assert found[-1] == (length(way), way[-1])
    assert [far for far, _ in found[:-1]] == [step * k for k in range(1, len(found))]
    assert all(place == at(way, far) for far, place in found)


def test_a_way_looks_where_its_leg_goes() -> None:
    way = (Point(0, 0), Point(0, 100), Point(100, 100))

    assert [heading(way, far) for far in (0, 99, 100, 500)] == [0, 0, 9000, 9000]


def test_a_column_lies_along_the_way_behind_its_head() -> None:
    way = (Point(0, 0), Point(0, 300), Point(400, 300))

    assert part(way, 200, 450) == (Point(0, 200), Point(0, 300), Point(150, 300))


# ---- Marching ----

EVEN: tuple[int, ...] = ()


def test_a_way_keeps_to_its_road() -> None:
    road = line((Point(0, 0), Point(1000, 0)))

    assert keeps_to((Point(0, 5), Point(900, -10)), road, 10, 50)
    assert not keeps_to((Point(0, 5), Point(500, 40), Point(900, 0)), road, 10, 50)
    assert distance(Point(0, 0), Point(0, 5)) == 5
    assert not keeps_to((Point(0, 11), Point(900, 0)), road, 10, 50)


def test_a_way_without_turns_is_its_two_ends() -> None:
    way = (Point(0, 0), Point(10, 10), Point(20, 20), Point(20, 30), Point(20, 20))

    assert straightened(way) == (Point(0, 0), Point(20, 20), Point(20, 30), Point(20, 20))
