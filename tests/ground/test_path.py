"""Ways: the cheapest, and all that can be reached, each compared with what trying everything finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.hexes import Board, Hex, hexside, linked
from pbem.ground.path import Flood, cheapest, flood

BOARD = Board((1, 5), (1, 5))
HEXES = st.sampled_from(list(BOARD))

Prices = dict[tuple[Hex, Hex], int | None]


@st.composite
def prices(draw: st.DrawFn) -> Prices:
    """What each step costs; 0 and closed among it, and not the same there and back."""
    steps = [(at, to) for at in BOARD for to in BOARD.neighbours(at)]
    fallen = draw(st.lists(st.sampled_from([None, 0, 1, 1, 2, 3]), min_size=len(steps), max_size=len(steps)))
    return dict(zip(steps, fallen, strict=True))


def asking(costs: Prices) -> Callable[[Hex, Hex], int | None]:
    return lambda start, end: costs[start, end]


def relaxed(sources: Iterable[Hex], costs: Prices, limit: int | None, renewed: Collection[Hex] = ()) -> dict[Hex, int]:
    """The least costs by trying every step until none betters anything."""
    least = dict.fromkeys(sources, 0)
    while True:
        better = {}
        for (start, end), price in costs.items():
            if start in least and price is not None:
                spent = least[start] + price
                if limit is None or spent <= limit:
                    spent = 0 if end in renewed else spent
                    if spent < least.get(end, spent + 1):
                        better[end] = spent
                        least[end] = spent
        if not better:
            return least


def spent_on(way: Iterable[Hex], costs: Prices) -> int:
    spent = 0
    for step in pairwise(way):
        price = costs[step]
        assert price is not None, f"{step} is closed"
        spent += price
    return spent


@given(st.sets(HEXES, min_size=1, max_size=3), prices(), st.none() | st.integers(0, 6))
def test_a_flood_reaches_what_trying_everything_reaches(sources: set[Hex], costs: Prices, limit: int | None) -> None:
    found = flood(sources, BOARD.neighbours, asking(costs), limit=limit)

    assert found.costs == relaxed(sources, costs, limit)
    for at in found.costs:
        way = found.path(at)
        assert way[0] in sources
        assert way[-1] == at
        assert spent_on(way, costs) == found.costs[at]


@given(st.sets(HEXES, min_size=1, max_size=2), prices(), st.integers(1, 3), st.sets(HEXES, max_size=8))
def test_a_flood_starts_anew_where_it_is_renewed(
    sources: set[Hex], costs: Prices, limit: int, renewed: set[Hex]
) -> None:
    found = flood(sources, BOARD.neighbours, asking(costs), limit=limit, renewed=renewed)

    assert found.costs == relaxed(sources, costs, limit, renewed)
    for at in found.costs:
        way = found.path(at)
        assert way[0] in sources
        assert len(way) == len(set(way)) or renewed, "no way goes in a circle"
        spent = 0
        for step in pairwise(way):
            price = costs[step]
            assert price is not None
            spent += price
            assert spent <= limit
            spent = 0 if step[1] in renewed else spent


@given(HEXES, HEXES, prices(), st.none() | st.integers(0, 6))
def test_the_cheapest_way_is_the_cheapest(start: Hex, end: Hex, costs: Prices, limit: int | None) -> None:
    way = cheapest(start, {end}, BOARD.neighbours, asking(costs), limit=limit)
    least = relaxed([start], costs, limit)

    if end in least:
        assert way is not None
        assert (way[0], way[-1]) == (start, end)
        assert spent_on(way, costs) == least[end]
    else:
        assert way is None


@given(HEXES, st.sets(HEXES, min_size=1, max_size=4), prices())
def test_of_several_ends_the_nearest_is_taken(start: Hex, ends: set[Hex], costs: Prices) -> None:
    way = cheapest(start, ends, BOARD.neighbours, asking(costs))
    least = relaxed([start], costs, None)
    reached = [least[end] for end in ends if end in least]

    assert (spent_on(way, costs) if way else None) == min(reached, default=None)


@given(HEXES, HEXES, prices())
def test_the_order_of_neighbours_does_not_matter(start: Hex, end: Hex, costs: Prices) -> None:
    def backward(at: Hex) -> tuple[Hex, ...]:
        return BOARD.neighbours(at)[::-1]

    assert cheapest(start, {end}, BOARD.neighbours, asking(costs)) == cheapest(start, {end}, backward, asking(costs))


def test_of_equal_ways_the_shorter_then_the_lower_is_taken() -> None:
    def flat(_start: Hex, _end: Hex) -> int:
        return 1

    def free(_start: Hex, _end: Hex) -> int:
        return 0

    assert cheapest(Hex("0202"), {Hex("0402")}, BOARD.neighbours, flat) == ("0202", "0302", "0402")
    assert cheapest(Hex("0202"), {Hex("0402")}, BOARD.neighbours, free) == ("0202", "0302", "0402")
    assert cheapest(Hex("0202"), {Hex("0204")}, BOARD.neighbours, flat) == ("0202", "0203", "0204")


def test_a_chain_of_depots_carries_supply_as_far_as_it_reaches() -> None:
    board = Board((1, 12), (1, 1))

    def flat(_start: Hex, _end: Hex) -> int:
        return 1

    bare = flood([Hex("0101")], board.neighbours, flat, limit=2)
    chained = flood([Hex("0101")], board.neighbours, flat, limit=2, renewed={Hex("0301"), Hex("0401"), Hex("0701")})

    assert sorted(bare.costs) == ["0101", "0201", "0301"]
    assert sorted(chained.costs)[-1] == "0601", "0701 is three steps from 0401"
    assert chained.path(Hex("0601")) == ("0101", "0201", "0301", "0401", "0501", "0601")


def test_a_railway_is_followed_along_its_links_alone() -> None:
    rails = linked([hexside(Hex("0101"), Hex("0201")), hexside(Hex("0201"), Hex("0301"))])

    def ride(_start: Hex, _end: Hex) -> int:
        return 0

    found: Flood[Hex] = flood([Hex("0301")], rails.__getitem__, ride)
    assert set(found.costs) == {"0101", "0201", "0301"}
    assert Hex("0102") not in found
    with pytest.raises(KeyError):
        found.path(Hex("0102"))


def test_nothing_is_reached_from_nowhere() -> None:
    assert flood([], BOARD.neighbours, asking({})).costs == {}
