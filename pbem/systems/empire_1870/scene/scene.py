"""The map and the forces of a scenario, parsed and never changed.

map.toml      as the map data says: [map], [sources], [victory], [aliases], [railways], [rivers], [hex."2504"]
forces.toml   [french] and [german]:
                  resource_points = 25
                  pool = ["CR12", "CR13"]        HQs that may be mobilized
                  [[french.groups]]              one for each HQ of the set-up tables, or each army
                      name = "Guard"             what `OF` names; empty where the side has no such groups
                      hqs = ["NAP", "IG"]
                      sp = 28
                      area = ["2107", "2106"]    where it may be set up; empty: fixed, as in *orders*
                      orders = \"\"\"
                      SETUP NAP AT 2107
                      SETUP 16SP AT 2107
                      \"\"\"
scenario.toml [game] first_turn, vp, control (hexes that do not begin in their country's hands), [options]
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.hexes import DIRECTIONS, Board, Hex, Hexside, are_neighbours, beyond, hexside, parse_hex
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import Role
from pbem.orders.names import name_key
from pbem.rules.files import convert, need
from pbem.rules.scene import Setting, commanders, heading
from pbem.systems.empire_1870.tables.headquarters import FRENCH_CAVALRY, HEADQUARTERS, Headquarters

Country = Literal["FR", "DE", "BE", "LU", "CH"]
Terrain = Literal["clear", "forest", "rough", "mountain", "neutral"]
HOME: Mapping[Role, Country] = {Role("french"): "FR", Role("german"): "DE"}
OWNER: Mapping[str, Role] = {country: side for side, country in HOME.items()}


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A hex of the map."""

    terrain: Terrain
    country: Country
    name: str = ""
    town: bool = False
    small: bool = False
    """A town by the option `towns` all alone (WE-VIC-01)."""
    fortress: int = 0
    """The SR of its fortress; 0: none."""
    border: bool = False
    edge: tuple[str, ...] = ()
    rail: tuple[Hex, ...] = ()
    river: dict[str, str] = {}
    """The name of the river on each side that has one."""

    @property
    def owner(self) -> Role | None:
        """The side whose country it lies in."""
        return OWNER.get(self.country)


class Sources(Struct, frozen=True):
    """The edges from which lines of communication run (WE-LOC-01)."""

    french_west_edge: tuple[Hex, ...] = ()
    french_south_edge: tuple[Hex, ...] = ()
    german_east_edge: tuple[Hex, ...] = ()

    def of(self, side: Role) -> tuple[Hex, ...]:
        """The edge hexes of a side."""
        if side == "german":
            return self.german_east_edge
        return tuple(dict.fromkeys((*self.french_west_edge, *self.french_south_edge)))


class Aims(Struct, frozen=True):
    """The hexes on which sudden ends depend (WE-VIC-04 to WE-VIC-06)."""

    border_french: tuple[Hex, ...] = ()
    border_german: tuple[Hex, ...] = ()
    french_major_german_hexes: tuple[Hex, ...] = ()
    german_major_hexes: tuple[Hex, ...] = ()
    southeast_exit_hexes: tuple[Hex, ...] = ()
    initial_control_exceptions: dict[Hex, Role] = {}


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """HQs and SP that are set up together."""

    name: str = ""
    hqs: tuple[str, ...] = ()
    sp: int = 0
    area: tuple[Hex, ...] = ()
    orders: str = ""
    """The default set-up, in set-up orders."""
    when: dict[str, str] = {}
    """Options under which this group takes part: `{ third_army_area = "freiburg" }`; empty: always."""


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    """What a side begins with."""

    resource_points: int
    pool: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()


class Game(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the scenario."""

    vp: int = 11
    first_activation: Literal["french", "german", "rolled"] = "french"
    """Who takes the first activation of turn 1 (WE-SET-02)."""
    mobilization: bool = True
    """Whether there are RP and mobilization at all."""


class Scene(Setting, frozen=True, kw_only=True):
    """A scenario of 1870: the map, names, forces, numbers, and the options that it starts from."""

    board: Any
    """A `ground.hexes.Board`."""
    cells: dict[Hex, Cell]
    """The map with every town that it has; what is a town in a game, `ground` says."""
    great: dict[Hex, Cell]
    """The map with its great towns alone."""
    rivers: dict[Hexside, str]
    """The name of the river on each hexside that has one."""
    links: frozenset[Hexside]
    """Rail links."""
    railways: dict[str, tuple[Hex, ...]]
    fortresses: tuple[Hex, ...]
    towns: tuple[Hex, ...]
    places: dict[str, Hex]
    """Every name that orders may use, folded by `name_key`."""
    sources: Sources
    aims: Aims
    game: Game
    sides: dict[Role, Side]
    headquarters: dict[str, Headquarters]
    """Every HQ that can take part."""

    def ground(self, towns: Literal["great", "all"]) -> dict[Hex, Cell]:
        """The map by the option `towns`: what is a small town is a mere place without it."""
        return self.cells if towns == "all" else self.great

    def place_name(self, at: Hex) -> str:
        """How a report names a hex: `Metz 2107`, `2108`."""
        name = self.cells[at].name
        return f"{name} {at}" if name else at


def _cells(chart: Mapping[str, Any], board: Board) -> dict[Hex, Cell]:
    cells = {}
    for text, table in need(chart, "hex", "map.toml").items():
        at = parse_hex(text)
        if at is None or at not in board:
            raise BadScenario(f'map.toml, hex."{text}"', "is no hex of this map")
        cells[at] = convert(table, Cell, f'map.toml, hex."{text}"')
    if missing := [at for at in board if at not in cells]:
        raise BadScenario("map.toml", f"hex {missing[0]} is missing")
    return cells


def _rivers(cells: Mapping[Hex, Cell]) -> dict[Hexside, str]:
    rivers: dict[Hexside, str] = {}
    for at, cell in cells.items():
        for way, name in cell.river.items():
            if way not in DIRECTIONS:
                raise BadScenario(f'map.toml, hex."{at}", river', f'"{way}" is none of {" ".join(DIRECTIONS)}')
            to = beyond(at, way)
            if to is not None and to in cells:
                rivers[hexside(at, to)] = name
    for border, name in rivers.items():
        one, other = border.split("|")
        if sum(name in cells[Hex(at)].river.values() for at in (one, other)) != 2:
            raise BadScenario(f"map.toml, {border}", f"the river {name} is there seen from one side only")
    return rivers


def _links(cells: Mapping[Hex, Cell]) -> frozenset[Hexside]:
    links = set()
    for at, cell in cells.items():
        for to in cell.rail:
            if to not in cells or not are_neighbours(at, to) or at not in cells[to].rail:
                raise BadScenario(f'map.toml, hex."{at}", rail', f"{to} is no neighbour that is linked back")
            links.add(hexside(at, to))
    return frozenset(links)


def _railways(chart: Mapping[str, Any], links: frozenset[Hexside]) -> dict[str, tuple[Hex, ...]]:
    railways = convert(chart.get("railways", {}), dict[str, tuple[Hex, ...]], "map.toml, railways")
    for name, run in railways.items():
        for one, other in itertools.pairwise(run):
            if not are_neighbours(one, other) or hexside(one, other) not in links:
                raise BadScenario(f"map.toml, railways.{name}", f"{one} and {other} are not linked")
    return railways


def _places(chart: Mapping[str, Any], cells: Mapping[Hex, Cell]) -> dict[str, Hex]:
    places: dict[str, Hex] = {}
    for at, cell in sorted(cells.items()):
        if cell.name and places.setdefault(name_key(cell.name), at) != at:
            raise BadScenario(f'map.toml, hex."{at}"', f"{cell.name} stands twice")
    for other, name in chart.get("aliases", {}).items():
        if name_key(name) in places:
            places.setdefault(name_key(other), places[name_key(name)])
    return places


def parse_scene(files: Mapping[str, Any]) -> Scene:
    """Parse a scenario: `{"scenario": …, "map": …, "forces": …}` as its TOML files say.

    :raises BadScenario: naming the file, the table and what is wrong there.
    """
    scenario, chart, forces = (need(files, name, "scenario") for name in ("scenario", "map", "forces"))
    size = need(chart, "map", "map.toml")
    board = Board(tuple(need(size, "columns", "map.toml, map")), tuple(need(size, "rows", "map.toml, map")))
    cells = _cells(chart, board)
    links = _links(cells)
    known = {**HEADQUARTERS, **FRENCH_CAVALRY}
    sides = {}
    for side in HOME:
        sides[side] = convert(need(forces, side, "forces.toml"), Side, f"forces.toml, {side}")
        for name in (*sides[side].pool, *(hq for group in sides[side].groups for hq in group.hqs)):
            if name not in known or known[name].side != side:
                raise BadScenario(f"forces.toml, {side}", f'"{name}" is no HQ of that side')
    return Scene(
        **heading(scenario),
        board=board,
        cells=cells,
        great={at: replace(cell, town=False) if cell.small else cell for at, cell in cells.items()},
        rivers=_rivers(cells),
        links=links,
        railways=_railways(chart, links),
        fortresses=tuple(sorted(at for at, cell in cells.items() if cell.fortress)),
        towns=tuple(sorted(at for at, cell in cells.items() if cell.town)),
        places=_places(chart, cells),
        sources=convert(chart.get("sources", {}), Sources, "map.toml, sources"),
        aims=convert(chart.get("victory", {}), Aims, "map.toml, victory"),
        game=convert(scenario.get("game", {}), Game, "scenario.toml, game"),
        sides=sides,
        headquarters=known,
        commanders=commanders(scenario),
    )
