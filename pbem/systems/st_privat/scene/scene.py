"""The board and the numbers of a scenario, parsed and never changed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pbem.ground.square import ORTHOGONAL, Board, Edge, Square, beyond, edge, parse_square, sides, square
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import Role
from pbem.kernel.numbers import whole
from pbem.rules.files import convert, need
from pbem.rules.ledger import rule
from pbem.rules.scene import Setting, commanders, heading
from pbem.systems.st_privat.world.numbers import Numbers

Terrain = Literal["open", "hill", "woods", "town"]
Size = Literal["small", "large"]

TERRAIN: Mapping[str, Terrain] = {
    ".": "open",
    "h": "hill",
    "w": "woods",
    "t": "town",
    "s": "open",
    "=": "open",
}
SIZES: Mapping[str, Size] = {"b": "small", "L": "large"}


class Ground(Struct, frozen=True):
    """What a square is: terrain, town, building, stream and bridge, as the scenario has them."""

    terrain: Terrain = "open"
    town: str = ""
    building: Size | None = None
    stream: str = ""
    """The sides through which the water runs, in the order n e s w; one alone is a spring."""
    bridge: bool = False
    road: bool = False

    @property
    @rule("SP-TER-01", "SP-LOS-02")
    def is_rough(self) -> bool:
        """Whether it is a hill or woods: who enters stops there, and nobody sees through."""
        return self.terrain in ("hill", "woods")


class Town(Struct, frozen=True):
    """A town, its squares, and what the Prussians score for it."""

    name: str
    squares: tuple[Square, ...]
    points: int


class Label(Struct, frozen=True):
    """A name on the map."""

    text: str
    square: Square
    kind: Literal["town", "hill", "wood", "water", "place"]


class General(Struct, frozen=True):
    """A general of the scenario."""

    id: str
    side: Role
    name: str
    c_in_c: bool = False


class Group(Struct, frozen=True):
    """Pieces that a report may name together: `p13-p24`, the Guard."""

    ids: str
    side: Role
    name: str


class Scene(Setting, frozen=True, kw_only=True):
    """A scenario of St. Privat: board, names, forces, numbers, and the options that it starts from."""

    board: Any
    """A `ground.square.Board`."""
    ground: dict[Square, Ground]
    roads: frozenset[Edge]
    """Links between orthogonal neighbours."""
    walls: dict[Edge, str]
    """The standing walls at the start, and the place they belong to."""
    towns: dict[str, Town]
    """By the name that the orders use: `st-privat`."""
    houses: dict[Square, str]
    labels: tuple[Label, ...]
    streams: dict[str, tuple[Square, ...]]
    """The course of each stream, by name."""
    numbers: Numbers
    points: dict[str, int]
    pieces: dict[Role, dict[str, int]]
    limbers: dict[str, int]
    generals: dict[str, General]
    groups: tuple[Group, ...]
    setup: dict[Role, str]
    """The default set-up of each side, in set-up orders."""


def town_key(name: str) -> str:
    """A town's name as orders and directives write it.

    >>> town_key("St. Privat")
    'st-privat'
    """
    return name.lower().replace(".", "").replace(" ", "-")


def _square(text: str, board: Board, where: str) -> Square:
    at = parse_square(text)
    if at is None or at not in board:
        raise BadScenario(where, f'"{text}" is no square of a board of {board.files} by {board.rows}')
    return at


def _grid(text: str, board: Board) -> dict[Square, Ground]:
    """The squares, from rows of signs with the row's number in front (SP-SCN-02)."""
    found: dict[Square, Ground] = {}
    for line in text.strip().splitlines():
        head, *signs = line.split()
        if head == "row":
            continue
        row = whole(head)
        if row is None or not 1 <= row <= board.rows:
            raise BadScenario("map.toml, grid", f'a line begins with "{head}", not with a row from 1 to {board.rows}')
        if len(signs) != board.files:
            raise BadScenario("map.toml, grid", f"row {head} has {len(signs)} squares, not {board.files}")
        for file, sign in enumerate(signs, start=1):
            at = square(file, row)
            body = sign.rstrip("+")
            size = SIZES.get(body[1:]) if len(body) > 1 else None
            if body[:1] not in TERRAIN or (len(body) > 1 and size is None):
                raise BadScenario("map.toml, grid", f'"{sign}" at {at} is no sign of the key')
            found[at] = Ground(terrain=TERRAIN[body[0]], building=size, bridge=body[0] == "=", road=sign.endswith("+"))
    if missing := [at for at in board if at not in found]:
        raise BadScenario("map.toml, grid", f"{missing[0]} is not drawn")
    return found


def _roads(table: Mapping[str, Any], board: Board) -> frozenset[Edge]:
    links = set()
    for name, road in table.items():
        run = [_square(one, board, f"map.toml, roads.{name}") for one in road["squares"].split()]
        for one, other in itertools.pairwise(run):
            if not any(beyond(one, way) == other for way in ORTHOGONAL):
                raise BadScenario(f"map.toml, roads.{name}", f"{one} and {other} are not side by side")
            links.add(edge(one, other))
    return frozenset(links)


def _walls(tables: list[dict[str, Any]], board: Board) -> dict[Edge, str]:
    walls: dict[Edge, str] = {}
    for table in tables:
        for text in table["edges"]:
            pair = [_square(one, board, f"map.toml, walls of {table['place']}") for one in text.split("|")]
            if len(pair) != 2 or not any(beyond(pair[0], way) == pair[1] for way in ORTHOGONAL):
                raise BadScenario(f"map.toml, walls of {table['place']}", f'"{text}" is no edge of two neighbours')
            walls[edge(pair[0], pair[1])] = table["place"]
    return walls


def _towns(tables: list[dict[str, Any]], board: Board) -> dict[str, Town]:
    towns = {}
    for table in tables:
        where = f"map.toml, town {table.get('name', '?')}"
        squares = tuple(_square(one, board, where) for one in need(table, "squares", where))
        towns[town_key(table["name"])] = Town(table["name"], squares, int(need(table, "points", where)))
    return towns


def parse_scene(files: Mapping[str, Any]) -> Scene:
    """Parse a scenario: `{"scenario": …, "map": …, "forces": …}` as its TOML files say.

    :raises BadScenario: naming the file, the table and what is wrong there.
    """
    scenario, chart, forces = (need(files, name, "scenario") for name in ("scenario", "map", "forces"))
    files_, rows = need(chart, "size", "map.toml")
    board = Board(files_, rows)
    ground = _grid(need(chart, "grid", "map.toml"), board)
    towns = _towns(chart.get("towns", []), board)
    for town in towns.values():
        for at in town.squares:
            if ground[at].terrain != "town":
                raise BadScenario(f"map.toml, town {town.name}", f"the grid has no town at {at}")
            ground[at] = msgspec.structs.replace(ground[at], town=town.name)
    for at, water in chart.get("streams", {}).items():
        where = _square(at, board, "map.toml, streams")
        run = "".join(way for way in ORTHOGONAL if way.upper() in water.upper())
        if not run or len(run) != len(water):
            raise BadScenario("map.toml, streams", f'"{water}" at {at} is no set of the sides N E S W')
        ground[where] = msgspec.structs.replace(ground[where], stream=run)
    bridges = {_square(at, board, "map.toml, bridges") for at in chart.get("bridges", [])}
    if wrong := sorted(at for at in board if ground[at].bridge != (at in bridges)):
        raise BadScenario("map.toml, bridges", f"grid and list of bridges differ at {wrong[0]}")
    walls = _walls(chart.get("walls", []), board)
    for border in walls:
        if any(at not in board for at in sides(border)):
            raise BadScenario("map.toml, walls", f"{border} is off the board")
    numbers = convert(need(scenario, "game", "scenario.toml"), Numbers, "scenario.toml, game")
    generals = convert(forces.get("generals", []), tuple[General, ...], "forces.toml, generals")
    groups = convert(forces.get("groups", []), tuple[Group, ...], "forces.toml, groups")
    labels = convert(chart.get("labels", []), tuple[Label, ...], "map.toml, labels")
    pieces = convert(need(forces, "pieces", "forces.toml"), dict[Role, dict[str, int]], "forces.toml, pieces")
    return Scene(
        **heading(scenario),
        board=board,
        ground=ground,
        roads=_roads(chart.get("roads", {}), board),
        walls=walls,
        towns=towns,
        houses={
            _square(one["square"], board, "map.toml, buildings"): one["name"] for one in chart.get("buildings", [])
        },
        labels=labels,
        streams={
            name: tuple(_square(at, board, "map.toml, stream_names") for at in run.split())
            for name, run in chart.get("stream_names", {}).items()
        },
        numbers=numbers,
        points=dict(need(forces, "points", "forces.toml")),
        pieces=pieces,
        limbers=dict(forces.get("limbers", {})),
        generals={one.id: one for one in generals},
        groups=groups,
        commanders=commanders(scenario),
        setup={Role(side): table["orders"] for side, table in forces.get("setup", {}).items()},
    )
