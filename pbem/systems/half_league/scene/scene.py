"""The ground and the forces of a scenario, parsed and never changed.

map.toml      as the map data says: [map] width, height, midline_x, russian_edge, allied_edge; [[place]], [[hill]],
              [[area]], [[line]].  Lengths are inches with one decimal.
forces.toml   [[army]], [[brigade]], [[unit]] as the order of battle says; *nation* of a unit defaults to british or
              russian, *wins_ties* to whether it is elite, *figures* to a full stand.
scenario.toml roles      [{ role, name, commander, style, brigades = [] }]: several of one side are written
                         `allied`, `allied.guards`; the first of a side is its senior player and commands what no
                         other's *brigades* names
              [game]     turns = 14, clock = "13:30"
              [[aim]]    place = "Great Redoubt", points = 6, within = 4.0, holder = "russian"
              [exit]     place = "South Road Exit", side = "allied"
              [zones]    allied = [62.0, 84.0], russian = [0.0, 46.0]     from south to north (option `free_setup`)
              [reserve]  side = "russian", brigades = ["B-RES"], turn = 3, line = 48.0
              [burning]  area = "Bourliouk"                      (option `bourliouk_burning`)
              [options]  [charts]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from pbem.ground.plane import Box, Point, Shape
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import Role
from pbem.orders.names import name_key
from pbem.rules.files import convert, need
from pbem.rules.ledger import rule
from pbem.rules.scene import Setting, heading
from pbem.systems.half_league.scene import terrain
from pbem.systems.half_league.scene.roster import Brigade, Commander, read_forces, read_roles, read_side
from pbem.systems.half_league.tables.charts import Charts, overlaid
from pbem.systems.half_league.tables.printed import INCH
from pbem.systems.half_league.world.pieces import ALLIED, RUSSIAN, SIDES, Leader, Unit, side_of

Edge = Literal["north", "south"]


class Aim(Struct, frozen=True):
    """Ground that counts: whose it is at the end."""

    place: str
    points: int
    within: int
    holder: Role
    """Whose it is if the other side does not hold it."""


class Game(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the scenario."""

    turns: int = 14
    clock: str = ""
    """When the first turn begins, `13:30`."""


class Reserve(Struct, frozen=True, forbid_unknown_fields=True):
    """Brigades that may not move before a turn, unless an enemy is seen south of a line."""

    side: Role
    brigades: tuple[str, ...]
    turn: int
    line: int


class Scene(Setting, frozen=True, kw_only=True, dict=True):
    """A scenario: ground, names, forces, numbers, charts, and the options that it starts from."""

    width: int
    height: int
    midline: int
    edges: dict[Role, Edge]
    """At which edge each side has its back."""
    places: dict[str, terrain.Place]
    """By name, folded by `name_key`."""
    hills: tuple[terrain.Hill, ...]
    areas: tuple[terrain.Area, ...]
    lines: tuple[terrain.Line, ...]
    armies: dict[Role, str]
    brigades: dict[str, Brigade]
    units: dict[str, Unit]
    """As they start."""
    leaders: dict[str, Leader]
    game: Game
    aims: tuple[Aim, ...]
    exit_place: str
    exit_side: Role | None
    zones: dict[Role, tuple[int, int]]
    reserve: Reserve | None
    burning: str
    charts: Charts
    commanders: tuple[Commander, ...]

    @property
    def box(self) -> Box:
        """The map."""
        return 0, 0, self.width, self.height

    @rule("HL-MOV-13")
    def on_map(self, at: Point) -> bool:
        """Whether a place lies on the map."""
        return 0 <= at.x <= self.width and 0 <= at.y <= self.height

    @cached_property
    def roads(self) -> tuple[terrain.Line, ...]:
        """The roads."""
        return tuple(one for one in self.lines if one.kind == "road")

    @cached_property
    def sizes(self) -> dict[tuple[str, str, int], tuple[int, int]]:
        """Widths and depths that have been asked for, by type, formation and stands."""
        return {}

    @cached_property
    def summits(self) -> dict[Point, tuple[terrain.Hill, ...]]:
        """The hills on whose crest places are that have been asked for."""
        return {}

    @cached_property
    def obstacles(self) -> tuple[terrain.Line, ...]:
        """All lines but roads."""
        return tuple(one for one in self.lines if one.kind != "road")

    @cached_property
    def high_hills(self) -> tuple[terrain.Hill, ...]:
        """The hills that are hard to go up."""
        return tuple(one for one in self.hills if one.high)

    @cached_property
    def screens(self) -> tuple[terrain.Area, ...]:
        """The areas into which and through which one sees ill."""
        return tuple(one for one in self.areas if one.kind in ("woods", "town"))

    @cached_property
    def walls(self) -> tuple[terrain.Line, ...]:
        """The walls."""
        return tuple(one for one in self.obstacles if one.kind == "wall")

    @cached_property
    def bounds(self) -> tuple[Shape, ...]:
        """All lines at which a march may change: obstacles, and the edges of areas and of high hills."""
        grounds = (*(one.shape for one in self.areas), *(one.base for one in self.high_hills))
        return (*(one.shape for one in self.obstacles), *(ground.edge for ground in grounds))

    def roles(self, side: Role) -> tuple[Role, ...]:
        """The roles of a side, its senior player first."""
        return tuple(one.role for one in self.commanders if side_of(one.role) == side)

    @rule("HL-TRN-04")
    def senior(self, role: Role) -> bool:
        """Whether a role is its side's senior player (HL-TRN-04)."""
        return self.roles(side_of(role))[0] == role

    @rule("HL-TRN-04")
    def commands(self, role: Role, brigade: str, side: Role) -> bool:
        """Whether a role commands a brigade of a side; empty: what is of no brigade."""
        if side_of(role) != side:
            return False
        named = next((one.role for one in self.commanders if brigade and brigade in one.brigades), None)
        return named == role if named is not None else self.senior(role)

    def role_of(self, brigade: str, side: Role) -> Role:
        """The role that commands a brigade."""
        return next(role for role in self.roles(side) if self.commands(role, brigade, side))

    def place_near(self, at: Point) -> terrain.Place | None:
        """The place within four inches of *at*, the nearest."""
        near = [((one.pos.x - at.x) ** 2 + (one.pos.y - at.y) ** 2, one.name, one) for one in self.places.values()]
        found = min(near, default=None)
        return found[2] if found and found[0] <= (4 * INCH) ** 2 else None


# ------------------------------------------------------------------ reading


class _Aim(Struct, frozen=True, forbid_unknown_fields=True):
    place: str
    points: int
    within: object = 4
    holder: Role = RUSSIAN


class _Exit(Struct, frozen=True, forbid_unknown_fields=True):
    place: str
    side: Role


class _Size(Struct, frozen=True):
    """The table [map]; what else it holds is for readers."""

    width: object
    height: object
    midline_x: object = None
    allied_edge: Edge = "north"
    russian_edge: Edge = "south"


def _placed(name: str, places: Mapping[str, terrain.Place], where: str) -> str:
    if name_key(name) not in places:
        raise BadScenario(where, f'the map has no place "{name}"')
    return name


def _aims(scenario: Mapping[str, Any], places: Mapping[str, terrain.Place]) -> tuple[Aim, ...]:
    found = terrain.rows(scenario.get("aim", ()), _Aim, "scenario.toml, aim")
    return tuple(
        Aim(_placed(row.place, places, at), row.points, terrain.length(row.within, at), read_side(row.holder, at))
        for at, row in found
    )


def _exit(scenario: Mapping[str, Any], places: Mapping[str, terrain.Place]) -> tuple[str, Role | None]:
    if "exit" not in scenario:
        return "", None
    where = "scenario.toml, exit"
    row = convert(scenario["exit"], _Exit, where)
    return _placed(row.place, places, where), read_side(row.side, where)


def _reserve(scenario: Mapping[str, Any], brigades: Mapping[str, Brigade]) -> Reserve | None:
    table = scenario.get("reserve")
    if table is None:
        return None
    where = "scenario.toml, reserve"
    read = convert({**table, "line": terrain.length(need(table, "line", where), where)}, Reserve, where)
    read_side(read.side, where)
    if unknown := [one for one in read.brigades if one not in brigades]:
        raise BadScenario(where, f'"{unknown[0]}" is no brigade')
    return read


def parse_scene(files: Mapping[str, Any]) -> Scene:
    """Parse a scenario: `{"scenario": …, "map": …, "forces": …}` as its TOML files say.

    :raises BadScenario: naming the file, the table and what is wrong there.
    """
    scenario, chart, forces = (need(files, name, "scenario") for name in ("scenario", "map", "forces"))
    size = convert(need(chart, "map", "map.toml"), _Size, "map.toml, map")
    charts = overlaid(files)
    order = read_forces(forces, charts)
    places = terrain.read_places(chart)
    exit_place, exit_side = _exit(scenario, places)
    width, height = (terrain.length(found, "map.toml, map") for found in (size.width, size.height))
    midline = width // 2 if size.midline_x is None else terrain.length(size.midline_x, "map.toml, midline_x")
    zones = {read_side(side, "scenario.toml, zones"): _zone(found) for side, found in scenario.get("zones", {}).items()}
    return Scene(
        **heading(scenario),
        width=width,
        height=height,
        midline=midline,
        edges={ALLIED: size.allied_edge, RUSSIAN: size.russian_edge},
        places=places,
        hills=terrain.read_hills(chart),
        areas=terrain.read_areas(chart),
        lines=terrain.read_lines(chart),
        armies=order.armies,
        brigades=order.brigades,
        units=order.units,
        leaders=order.leaders,
        game=convert(scenario.get("game", {}), Game, "scenario.toml, game"),
        aims=_aims(scenario, places),
        exit_place=exit_place,
        exit_side=exit_side,
        zones={side: zones.get(side, (0, height)) for side in SIDES},
        reserve=_reserve(scenario, order.brigades),
        burning=convert(scenario.get("burning", {}).get("area", ""), str, "scenario.toml, burning"),
        charts=charts,
        commanders=read_roles(need(scenario, "roles", "scenario.toml"), order.brigades),
    )


def _zone(found: object) -> tuple[int, int]:
    low, high = terrain.point(found, "scenario.toml, zones")
    return low, high
