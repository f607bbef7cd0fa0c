"""The maps: hexes, frontier, rails, rivers and places, each against the others and against a second entry."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from pbem.ground.hexes import Hex, Hexside, are_neighbours, beyond, distance, hexside, sides
from pbem.ground.honeycomb import segment
from pbem.resources import resources
from pbem.systems.empire_1870.scene.scene import Cell, Scene, parse_scene
from tests.systems.empire_1870 import second_entry

SCENARIOS = ("france-1870", "free-set-up", "woerth", "open-board")


@cache
def files(name: str) -> dict[str, Any]:
    """The files of a shipped scenario, as its TOML says."""
    folder = resources("campaigns") / "empire-1870" / name
    return {part: tomllib.loads((folder / f"{part}.toml").read_text()) for part in ("scenario", "map", "forces")}


@cache
def scene(name: str = "france-1870") -> Scene:
    """A shipped scenario, parsed."""
    return parse_scene(files(name))


def named(text: str) -> dict[str, str]:
    """`Metz 2107, Toul 2009`: places by hex."""
    return {at: name for name, at in re.findall(r"([A-Z][\w-]+) (\d{4})", text)}


@pytest.mark.parametrize(
    ("name", "count"), [("france-1870", 486), ("free-set-up", 486), ("woerth", 42), ("open-board", 192)]
)
def test_every_hex_of_the_board_is_there(name: str, count: int) -> None:
    one = scene(name)
    assert set(one.cells) == set(one.board)
    assert len(one.cells) == count


def test_towns_and_fortresses_are_as_printed() -> None:
    cells = scene().cells
    towns = {
        country: {at: c.name for at, c in cells.items() if c.town and c.country == country} for country in ("FR", "DE")
    }
    assert towns == {"FR": named(second_entry.FRENCH_TOWNS), "DE": named(second_entry.GERMAN_TOWNS)}
    printed = {
        at: (name, int(row[0]), "DE" if name in second_entry.GERMAN_FORTRESSES.split() else "FR")
        for row in second_entry.FORTRESSES.strip().splitlines()
        for at, name in named(row).items()
    }
    assert {at: (c.name, c.fortress, c.country) for at, c in cells.items() if c.fortress} == printed
    assert not [at for at, c in cells.items() if c.town and c.fortress]


def test_what_is_neutral_is_closed_and_nothing_else_is() -> None:
    for cell in scene().cells.values():
        assert (cell.terrain == "neutral") == (cell.country in ("BE", "LU", "CH"))
        assert cell.terrain != "neutral" or not (cell.town or cell.fortress or cell.rail)


@pytest.mark.parametrize("name", SCENARIOS)
def test_edges_are_where_the_board_ends(name: str) -> None:
    cells, board = scene(name).cells, scene(name).board
    (west, east), (north, south) = board.columns, board.rows
    for at, cell in cells.items():
        column, row = int(at[:2]), int(at[2:])
        ends = {"north": row == north, "east": column == east, "south": row == south, "west": column == west}
        assert set(cell.edge) == {way for way, true in ends.items() if true}, at


@pytest.mark.parametrize("name", SCENARIOS)
def test_lines_of_communication_run_off_the_edges_of_a_country(name: str) -> None:
    cells, sources = scene(name).cells, scene(name).sources

    def at_edge(country: str, way: str) -> set[Hex]:
        return {at for at, cell in cells.items() if cell.country == country and way in cell.edge}

    assert set(sources.french_west_edge) == at_edge("FR", "west")
    assert set(sources.french_south_edge) == at_edge("FR", "south")
    assert set(sources.german_east_edge) == at_edge("DE", "east")


@pytest.mark.parametrize("name", SCENARIOS)
def test_sudden_ends_depend_on_hexes_of_the_right_country(name: str) -> None:
    cells, aims = scene(name).cells, scene(name).aims
    for country, hexes in (
        ("FR", (*aims.border_french, *aims.german_major_hexes)),
        ("DE", (*aims.border_german, *aims.french_major_german_hexes, *aims.southeast_exit_hexes)),
    ):
        assert {cells[at].country for at in hexes} == {country}
    assert aims.german_major_hexes, "control of nothing would be control of all"
    assert aims.french_major_german_hexes


@pytest.mark.parametrize("name", ["france-1870", "free-set-up", "woerth"])
def test_the_border_places_are_those_marked(name: str) -> None:
    cells, aims = scene(name).cells, scene(name).aims
    assert set(aims.border_french) | set(aims.border_german) == {at for at, cell in cells.items() if cell.border}
    assert all(cells[at].town or cells[at].fortress for at in (*aims.border_french, *aims.border_german))


def test_exits_lie_on_the_east_edge_at_the_end_of_a_railway() -> None:
    for at in scene().aims.southeast_exit_hexes:
        assert "east" in scene().cells[at].edge
        assert any(run[-1] == at for run in scene().railways.values())


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_rail_link_belongs_to_a_railway(name: str) -> None:
    one = scene(name)
    assert {hexside(a, b) for run in one.railways.values() for a, b in pairwise(run)} == set(one.links)
    assert all(are_neighbours(*sides(link)) for link in one.links)


def test_the_railways_are_one_network() -> None:
    links = scene().links
    assert len(links) == 186
    around: dict[Hex, list[Hex]] = {}
    for link in links:
        a, b = sides(link)
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    seen, edge = {min(around)}, [min(around)]
    while edge:
        new = [at for at in around[edge.pop()] if at not in seen]
        seen.update(new)
        edge.extend(new)
    assert seen == set(around)


def test_trains_cross_as_many_rivers_as_were_counted() -> None:
    assert len(scene().links & set(scene().rivers)) == 53


def streams(name: str) -> dict[str, list[Hexside]]:
    """The rivers of a map as their table lists them, without the sides at the edge of the board."""
    table = files(name)["map"].get("rivers", {})
    return {river: [hexside(*map(Hex, side.split("|"))) for side in run] for river, run in table.items()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_course_of_the_rivers_is_what_the_hexes_show(name: str) -> None:
    listed = {(side, river) for river, run in streams(name).items() for side in run}
    assert listed == {(side, river) for side, river in scene(name).rivers.items()}
    for at, cell in scene(name).cells.items():
        for way, river in cell.river.items():
            to = beyond(at, way)
            assert to in scene(name).cells
            assert (hexside(at, to), river) in listed


@pytest.mark.parametrize("name", SCENARIOS)
def test_rivers_run_on_from_hexside_to_hexside(name: str) -> None:
    for river, run in streams(name).items():
        for one, other in pairwise(run):
            assert set(segment(one)) & set(segment(other)), (river, one, other)


def test_the_rhine_is_the_frontier_of_alsace() -> None:
    one = scene()
    border = [
        hexside(at, to)
        for at, cell in one.cells.items()
        for way in ("NE", "E", "SE")
        if (to := beyond(at, way)) in one.cells
        and {cell.country, one.cells[to].country} == {"FR", "DE"}
        and min(int(at[2:]), int(to[2:])) > 7
        and min(int(at[:2]), int(to[:2])) > 24
    ]
    assert border
    assert {one.rivers.get(side) for side in border} == {"rhine"}


@pytest.mark.parametrize(
    ("at", "other", "river"),
    [
        ("2306", "2405", "saar"),
        ("2306", "2406", "saar"),
        ("2306", "2407", "saar"),
        ("2304", "2305", "saar"),
        ("2007", "2107", "moselle"),
        ("2109", "2209", "meurthe"),
        ("2307", "2407", "saar"),
        ("2306", "2307", None),
        ("2306", "2206", None),
        ("2405", "2406", None),
        ("2205", "2305", None),
        ("2106", "2107", None),
    ],
)
def test_rivers_that_the_rules_speak_of_lie_where_they_say(at: str, other: str, river: str | None) -> None:
    assert scene().rivers.get(hexside(Hex(at), Hex(other))) == river


def test_the_map_of_the_free_set_up_is_the_theatre_of_war() -> None:
    free, historic = files("free-set-up")["map"], files("france-1870")["map"]
    assert historic["victory"].pop("initial_control_exceptions") == {"2306": "french"}
    assert free["victory"].pop("initial_control_exceptions") == {}
    files.cache_clear()
    assert free == historic


def test_the_map_of_woerth_is_cut_from_the_theatre_of_war() -> None:
    cut, whole = scene("woerth"), scene()

    def kept(one: Scene, at: Hex) -> tuple[object, ...]:
        cell: Cell = one.cells[at]
        return cell.terrain, cell.country, cell.name, cell.town, cell.fortress, cell.border

    assert all(kept(cut, at) == kept(whole, at) for at in cut.cells)
    assert cut.links == inside(whole.links, cut.cells)
    assert set(cut.rivers) == inside(whole.rivers, cut.cells)


def inside(borders: Iterable[Hexside], cells: dict[Hex, Cell]) -> set[Hexside]:
    """Those with both sides on a smaller map."""
    return {side for side in borders if all(at in cells for at in sides(side))}


def test_the_open_board_has_nothing_on_it() -> None:
    cells = scene("open-board").cells.values()
    assert {(cell.terrain, cell.name, cell.town, cell.fortress) for cell in cells} == {("clear", "", False, 0)}
    assert Counter(cell.country for cell in cells) == {"FR": 96, "DE": 96}


def test_other_names_lead_to_places_on_the_map() -> None:
    for name in SCENARIOS:
        aliases = files(name)["map"].get("aliases", {})
        assert set(aliases) <= set(scene(name).places)
        assert distance(scene().places["rastadt"], Hex("2708")) == 0
    assert [scene().places[name] for name in ("hagenau", "saargemuend", "saarburg")] == ["2608", "2406", "2409"]
