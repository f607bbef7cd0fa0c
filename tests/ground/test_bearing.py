"""Bearings: sines without a mathematical library, turns and their inverses, text read back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.bearing import (
    COMPASS,
    DEGREE,
    FULL,
    HALF,
    UNIT,
    bearing_of,
    compass,
    cosine,
    off,
    opposite,
    parse_bearing,
    rounded,
    show_bearing,
    sine,
    turn,
    turned,
)  # fmt: skip
from tests.ground.planes import bearings

STEPS = st.integers(-(10**7), 10**7)


def test_every_sine_is_that_of_the_mathematical_library() -> None:
    for bearing in range(FULL):
        assert abs(sine(bearing) / UNIT - math.sin(math.radians(bearing / DEGREE))) < 1e-12
        assert abs(cosine(bearing) / UNIT - math.cos(math.radians(bearing / DEGREE))) < 1e-12


@given(bearings)
def test_sines_are_mirrored_exactly(bearing: int) -> None:
    assert sine(-bearing) == -sine(bearing) == sine(bearing + HALF)
    assert sine(HALF - bearing) == sine(bearing) == cosine(bearing - HALF // 2)


@given(STEPS, STEPS)
def test_a_bearing_is_that_of_the_mathematical_library(east: int, north: int) -> None:
    exact = math.degrees(math.atan2(east, north)) * DEGREE if (east, north) != (0, 0) else 0

    assert off(round(exact) % FULL, bearing_of(east, north)) == 0 or abs(exact % 1 - 0.5) < 1e-6


@given(STEPS, STEPS)
def test_the_bearing_back_is_the_opposite(east: int, north: int) -> None:
    if (east, north) != (0, 0):
        assert bearing_of(-east, -north) == opposite(bearing_of(east, north))


@given(bearings, bearings)
def test_a_turn_leads_from_one_to_the_other_and_back(start: int, end: int) -> None:
    by = turn(start, end)

    assert -HALF < by <= HALF
    assert turned(start, by) == end
    assert turned(end, -by) == start
    assert off(start, end) == off(end, start) == abs(by)


@given(bearings, bearings, bearings)
def test_how_far_bearings_are_apart_is_a_metric(one: int, other: int, third: int) -> None:
    assert (off(one, other) == 0) == (one == other)
    assert off(one, third) <= off(one, other) + off(other, third)


@given(bearings)
def test_text_is_read_back(bearing: int) -> None:
    assert parse_bearing(show_bearing(bearing)) == bearing
    assert parse_bearing(f"bearing {bearing // DEGREE}.{bearing % DEGREE:02}") == bearing


@given(bearings, st.sampled_from([4, 8, 16]))
def test_the_nearest_point_of_the_compass_is_none_further_than_any(bearing: int, points: int) -> None:
    named = parse_bearing(compass(bearing, points))

    assert named is not None
    assert off(bearing, named) == min(off(bearing, FULL * k // points) for k in range(points))


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("N", 0), ("sse", 157.5), ("n 45 e", 45), ("N45W", 315), ("S 10.5 E", 169.5), ("bearing 0", 0), ("360", 0),
        ("22.5", 22.5), (" 7° ", 7),
    ],
)  # fmt: skip
def test_what_a_player_writes_is_read(text: str, degrees: float) -> None:
    assert parse_bearing(text) == degrees * DEGREE


@pytest.mark.parametrize("text", ["", "north", "361", "-5", "N 91 E", "E 45 N", "NEN", "22.555", "1,2"])
def test_what_is_no_bearing_is_not_guessed(text: str) -> None:
    assert parse_bearing(text) is None


def test_there_are_sixteen_points() -> None:
    assert [parse_bearing(name) for name in COMPASS] == [2250 * k for k in range(16)]


@given(st.integers(-(10**6), 10**6), st.integers(1, 1000))
def test_rounding_goes_to_the_nearest_and_mirrors(number: int, by: int) -> None:
    assert abs(rounded(number, by) * by - number) * 2 <= by
    assert rounded(-number, by) == -rounded(number, by) == rounded(number, -by)
