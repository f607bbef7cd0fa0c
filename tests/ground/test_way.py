"""Ways: their lengths and parts, what they lead through, and how far one comes on them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.plane import Point, Shape, distance, dot, holds, line, near, ring
from pbem.ground.way import (
    Halt,
    Stretch,
    Toll,
    at,
    crossings,
    heading,
    keeps_to,
    length,
    march,
    part,
    steps,
    stretches,
)  # fmt: skip
from tests.ground.planes import lines, stars

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


@given(WAYS, st.lists(stars(), max_size=3))
def test_stretches_cover_the_way_and_say_what_it_lies_in(way: tuple[Point, ...], areas: list[Shape]) -> None:
    found = stretches(way, areas)

    assert found[0].start == 0
    assert found[-1].end == length(way)
    assert all(one.end == other.start and one.within != other.within for one, other in pairwise(found))
    for one in found:
        if one.end - one.start > 4:
            half = at(way, (one.start + one.end) // 2)
            for number, area in enumerate(areas):
                if not near(dot(half), Shape((*area.points, area.points[0])), 2):
                    assert (number in one.within) == holds(area, half)


@given(WAYS, st.integers(10, 300))
def test_stretches_are_cut_where_asked(way: tuple[Point, ...], every: int) -> None:
    found = stretches(way, [], every)

    assert all(one.end - one.start <= every for one in found)
    assert [one.end for one in found[:-1]] == [every * k for k in range(1, len(found))]


@given(WAYS, lines())
def test_a_way_meets_a_line_where_it_lies_on_both(way: tuple[Point, ...], wall: Shape) -> None:
    for far in crossings(way, wall):
        assert near(dot(at(way, far)), wall, 2)


def test_a_column_lies_along_the_way_behind_its_head() -> None:
    way = (Point(0, 0), Point(0, 300), Point(400, 300))

    assert part(way, 200, 450) == (Point(0, 200), Point(0, 300), Point(150, 300))


# ---- Marching ----

EVEN: tuple[int, ...] = ()
STEEP = (0,)
RATES = {EVEN: 200, STEEP: 100}


def paces(one: Stretch) -> int:
    return RATES[one.within]


def test_a_move_ends_wherever_it_is_spent_as_in_the_rules() -> None:
    over = [Stretch(0, 120, EVEN), Stretch(120, 220, STEEP)]

    assert march(over, paces, 1) == Halt(160, Fraction(0), "spent")
    assert march(over, paces, 1, start=160).left == Fraction(2, 5)


def test_a_wall_that_cannot_be_paid_stops_a_march_before_it() -> None:
    over = [Stretch(0, 20_000, EVEN)]
    wall = Fraction(9000, 2)

    assert march(over, lambda _: 1, 9000, [Toll(3000, wall)]) == Halt(4500, Fraction(0), "spent")
    assert march(over, lambda _: 1, 9000, [Toll(5000, wall, 7)]) == Halt(4999, Fraction(4000), "toll", 7)
    assert march(over, lambda _: 1, 9000, [Toll(3000, 3000), Toll(3500, 3000)]) == Halt(3499, Fraction(2500), "toll")
    assert march(over, lambda _: 1, 9000, [Toll(100, None)]).by == "toll"


def test_difficult_ground_costs_double() -> None:
    over = [Stretch(0, 4000, STEEP), Stretch(4000, 30_000, EVEN)]

    assert march(over, lambda one: Fraction(1, 2) if one.within else 1, 12_000).far == 8000


def test_closed_ground_stops_at_its_edge() -> None:
    over = [Stretch(0, 500, EVEN), Stretch(500, 900, STEEP)]

    assert march(over, lambda one: None if one.within else 200, 10) == Halt(500, Fraction(15, 2), "closed", 1)


@given(
    st.lists(st.tuples(st.integers(1, 400), st.sampled_from([EVEN, STEEP])), min_size=1, max_size=6),
    st.integers(1, 20),
    st.integers(1, 6),
)
def test_a_march_in_parts_comes_as_far_as_in_one(
    legs: list[tuple[int, tuple[int, ...]]], twelfths: int, parts: int
) -> None:
    over: list[Stretch] = []
    begun = 0
    for long, within in legs:
        over.append(Stretch(begun * 1000, (begun + long) * 1000, within))
        begun += long

    def rate(one: Stretch) -> int:
        return RATES[one.within] * 1000

    allowance = Fraction(twelfths, 12)
    whole = march(over, rate, allowance)
    far = 0
    for _ in range(parts):
        far = march(over, rate, allowance / parts, start=far).far

    assert far == pytest.approx(whole.far, abs=2 * parts)


def test_a_way_keeps_to_its_road() -> None:
    road = line((Point(0, 0), Point(1000, 0)))

    assert keeps_to((Point(0, 5), Point(900, -10)), road, 10, 50)
    assert not keeps_to((Point(0, 5), Point(500, 40), Point(900, 0)), road, 10, 50)
    assert distance(Point(0, 0), Point(0, 5)) == 5
    assert not keeps_to((Point(0, 11), Point(900, 0)), road, 10, 50)


def test_an_area_along_the_way_is_told_once() -> None:
    wood = ring((Point(100, -10), Point(300, -10), Point(300, 10), Point(100, 10)))

    assert stretches((Point(0, 0), Point(200, 0), Point(400, 0)), [wood]) == [
        Stretch(0, 100, ()), Stretch(100, 300, (0,)), Stretch(300, 400, ()),
    ]  # fmt: skip
