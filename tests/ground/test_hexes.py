"""Hexes: names, neighbours, distances, rings, lines and sides."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.hexes import (
    DIRECTIONS,
    OPPOSITE,
    Board,
    Hex,
    beyond,
    cube,
    direction,
    distance,
    frontiers,
    hex_at,
    hexside,
    linked,
    neighbours,
    parse_hex,
    place,
    ring,
    sides,
    within,
)
from tests.ground.boards import BOARD, hexes, near


def steps_between(start: Hex, end: Hex) -> int:
    """The distance by walking: ring after ring of neighbours."""
    seen, edge, far = {start}, {start}, 0
    while end not in seen:
        edge = {to for at in edge for to in neighbours(at)} - seen
        seen |= edge
        far += 1
    return far


@pytest.mark.parametrize(
    ("at", "around"),
    [
        ("2306", "2405 2406 2407 2307 2206 2305"),
        ("2305", "2304 2405 2306 2206 2205 2204"),
        ("2405", "2404 2505 2406 2306 2305 2304"),
        ("2406", "2505 2506 2507 2407 2306 2405"),
    ],
    ids=["odd column, even row", "odd column, odd row", "even column, odd row", "even column, even row"],
)
def test_neighbours_stand_clockwise_from_the_north(at: str, around: str) -> None:
    assert neighbours(Hex(at)) == tuple(around.split())
    assert [direction(Hex(at), to) for to in neighbours(Hex(at))] == list(DIRECTIONS)


@given(hexes())
def test_a_neighbour_has_its_neighbour_in_the_opposite_direction(at: Hex) -> None:
    assert len(set(neighbours(at))) == 6
    for way in DIRECTIONS:
        to = beyond(at, way)
        assert to is not None
        assert to != at
        assert beyond(to, OPPOSITE[way]) == at
        assert direction(at, to) == way
        assert distance(at, to) == 1


@given(hexes())
def test_the_cube_axes_add_up_to_nothing(at: Hex) -> None:
    assert sum(cube(at)) == 0
    assert hex_at(*place(at)) == at


@given(near(), near())
def test_the_distance_is_the_steps_that_it_takes(one: Hex, other: Hex) -> None:
    assert distance(one, other) == steps_between(one, other)


@given(hexes(), hexes(), hexes())
def test_the_distance_is_a_metric(one: Hex, other: Hex, third: Hex) -> None:
    assert (distance(one, other) == 0) == (one == other)
    assert distance(one, other) == distance(other, one)
    assert distance(one, third) <= distance(one, other) + distance(other, third)


@given(hexes(), st.sampled_from(["{0}{1}", "{0}.{1}", "{0}-{1}", " {0} {1} ", "{0}/{1}", "{0} . {1}"]))
def test_a_name_reads_back_however_it_is_written(at: Hex, form: str) -> None:
    assert parse_hex(form.format(at[:2], at[2:])) == at


@pytest.mark.parametrize("text", ["", "250", "25040", "0005", "0500", "25.004", "A-10", "25,", "²504", "Metz"])
def test_what_is_no_hex_is_not_read(text: str) -> None:
    assert parse_hex(text) is None


def test_short_numbers_are_read_where_a_mark_parts_them() -> None:
    assert parse_hex("5.1") == "0501"
    assert parse_hex("25.4") == "2504"


@pytest.mark.parametrize(("column", "row"), [(0, 5), (5, 0), (100, 5), (5, 100)])
def test_there_is_no_hex_beyond_the_names(column: int, row: int) -> None:
    with pytest.raises(ValueError, match=f"column {column} and row {row}"):
        hex_at(column, row)


def test_the_names_end_at_the_edge_of_all_boards() -> None:
    assert neighbours(Hex("0101")) == ("0201", "0102")
    assert beyond(Hex("9999"), "E") is None
    assert ring(Hex("0101"), 1) == ("0201", "0102")


@given(hexes(), st.integers(0, 5))
def test_a_ring_holds_what_is_just_so_far(at: Hex, far: int) -> None:
    column, row = place(at)
    all_near = [hex_at(column + x, row + y) for x in range(-6, 7) for y in range(-6, 7)]

    assert sorted(ring(at, far)) == sorted(one for one in all_near if distance(at, one) == far)
    assert sorted(within(at, far)) == sorted(one for one in all_near if distance(at, one) <= far)
    assert all(distance(one, other) == 1 for one, other in pairwise(ring(at, far)))


def test_hexes_apart_share_no_side() -> None:
    with pytest.raises(ValueError, match="2306 and 2504 share no side"):
        hexside(Hex("2306"), Hex("2504"))


@given(hexes(), st.sampled_from(DIRECTIONS))
def test_a_hexside_is_the_same_from_both_sides(at: Hex, way: str) -> None:
    to = beyond(at, way)
    assert to is not None
    border = hexside(at, to)

    assert border == hexside(to, at)
    assert sides(border) == (min(at, to), max(at, to))


@given(st.dictionaries(near(), st.sampled_from(["FR", "DE"]), max_size=12))
def test_a_frontier_lies_between_two_owners(owners: dict[Hex, str]) -> None:
    borders = {hexside(at, to) for at in owners for to in neighbours(at)}
    between = [border for border in sorted(borders) if set(sides(border)) <= set(owners)]

    assert list(frontiers(owners)) == [
        border for border in between if owners[sides(border)[0]] != owners[sides(border)[1]]
    ]


def test_links_lead_both_ways_and_no_further() -> None:
    rails = linked([hexside(Hex("2306"), Hex("2405")), hexside(Hex("2305"), Hex("2306"))])

    assert rails == {"2305": ("2306",), "2306": ("2405", "2305"), "2405": ("2306",)}


def test_a_board_ends_where_it_is_said_to_end() -> None:
    assert len(BOARD) == 486
    assert list(BOARD)[:2] == ["0501", "0502"]
    assert BOARD.neighbours(Hex("0501")) == ("0601", "0502")
    assert BOARD.neighbours(Hex("0502")) == ("0601", "0602", "0603", "0503", "0501")
    assert BOARD.step(Hex("3118"), "E") is None
    assert BOARD.step(Hex("3118"), "NW") == "3117"
    assert "3201" not in BOARD
    assert BOARD.within(Hex("0501"), 1) == ("0501", "0601", "0502")


@given(st.integers(1, 4), st.integers(1, 4))
def test_neighbours_on_a_board_are_symmetric(columns: int, rows: int) -> None:
    board = Board((1, columns), (1, rows))
    for at in board:
        for to in board.neighbours(at):
            assert at in board.neighbours(to)
