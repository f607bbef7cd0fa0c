"""Where hexes lie on a sheet: what touches, what does not, and lines that hold together."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.hexes import DIRECTIONS, Hex, Hexside, beyond, distance, hexside, neighbours
from pbem.ground.honeycomb import HIGH, PITCH, WIDE, box_of, chains, corners, middle, outline, segment
from tests.ground.boards import hexes, near


@given(hexes(), st.sampled_from(DIRECTIONS))
def test_neighbours_share_the_two_corners_of_their_side_and_no_others(at: Hex, way: str) -> None:
    to = beyond(at, way)
    assert to is not None

    assert set(segment(hexside(at, to))) == set(corners(at)) & set(corners(to))
    assert len(set(corners(at)) & set(corners(to))) == 2


@given(hexes(), hexes())
def test_hexes_apart_share_no_corner(one: Hex, other: Hex) -> None:
    if distance(one, other) > 1:
        assert not set(corners(one)) & set(corners(other))


@pytest.mark.parametrize("at", ["2305", "2306", "2405", "2406"])
def test_a_hex_points_up_and_even_rows_lie_half_a_hex_east(at: str) -> None:
    x, y = middle(Hex(at))
    column, row = int(at[:2]), int(at[2:])

    assert (x, y) == (column * WIDE + (WIDE // 2 if row % 2 == 0 else 0), row * PITCH)
    assert corners(Hex(at))[0] == (x, y - HIGH // 2)
    assert middle(Hex(f"{column + 1:02}{row:02}")) == (x + WIDE, y)


def test_a_hex_is_regular_to_a_thousandth() -> None:
    (ax, ay), (bx, by) = corners(Hex("2305"))[:2]
    squared = (bx - ax) ** 2 + (by - ay) ** 2

    assert abs(squared - (HIGH // 2) ** 2) * 1000 < 2 * (HIGH // 2) ** 2 + 1000


def area(ring: tuple[tuple[int, int], ...]) -> int:
    """Twice the area, above 0 if the ring runs clockwise on the sheet."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))


@given(st.sets(near(), min_size=1, max_size=12))
def test_an_outline_goes_round_the_region_and_nothing_else(region: set[Hex]) -> None:
    rings = outline(region)
    one = area(corners(min(region)))

    assert sum(map(area, rings)) == one * len(region), "holes count against it"
    sides = [frozenset(step) for ring in rings for step in pairwise((*ring, ring[0]))]
    border = [frozenset(segment(hexside(at, to))) for at in region for to in neighbours(at) if to not in region]
    assert Counter(sides) == Counter(border)


def test_a_ring_of_hexes_has_an_outside_and_a_hole() -> None:
    outer, hole = sorted(outline(neighbours(Hex("2306"))), key=len, reverse=True)

    assert area(outer) > 0
    assert area(hole) < 0
    assert set(hole) == set(corners(Hex("2306")))


@given(st.sets(st.tuples(near(), st.sampled_from(DIRECTIONS)), max_size=15))
def test_chains_hold_every_side_once(drawn: set[tuple[Hex, str]]) -> None:
    borders = {hexside(at, to) for at, way in drawn if (to := beyond(at, way))}
    steps = [frozenset(step) for line in chains(borders) for step in pairwise(line)]

    assert Counter(steps) == Counter(frozenset(segment(border)) for border in borders)


@given(st.sets(st.tuples(near(), st.sampled_from(DIRECTIONS)), max_size=15))
def test_a_line_never_runs_through_the_mouth_of_another(drawn: set[tuple[Hex, str]]) -> None:
    borders = {hexside(at, to) for at, way in drawn if (to := beyond(at, way))}
    meeting = Counter(corner for border in borders for corner in segment(border))

    for line in chains(borders):
        assert all(meeting[corner] == 2 for corner in line[1:-1])


def test_a_river_is_one_line() -> None:
    saar = [Hexside("2306|2407"), Hexside("2306|2406"), Hexside("2306|2405")]
    (line,) = chains(saar)

    assert len(line) == 4


def test_a_river_round_a_hex_closes() -> None:
    (line,) = chains(hexside(Hex("2306"), to) for to in neighbours(Hex("2306")))

    assert line[0] == line[-1]
    assert len(line) == 7


def test_a_box_holds_its_hexes_and_a_margin() -> None:
    left, top, right, bottom = box_of([Hex("2305"), Hex("2306")], 10)
    points = [*corners(Hex("2305")), *corners(Hex("2306"))]

    assert (left + 10, top + 10) == (min(x for x, _ in points), min(y for _, y in points))
    assert (right - 10, bottom - 10) == (max(x for x, _ in points), max(y for _, y in points))
    with pytest.raises(ValueError, match="no box"):
        box_of([])


def test_what_is_no_hexside_has_no_ends() -> None:
    with pytest.raises(ValueError, match="no hexside"):
        segment(Hexside("2306|2504"))
