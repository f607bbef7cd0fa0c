"""The charts of `charts.toml`, checked cell by cell, and what a scenario puts over them.

An overlay has the form of the file and only the cells that differ:

    [movement.infantry]
    line = { rough = 1 }
    [saves]
    1 = { second = 6 }
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from pbem.ground.scale import Scale
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import RuleId
from pbem.rules.files import convert, shipped
from pbem.rules.ledger import rule
from pbem.systems.half_league.tables.combat import LONG_RANGE, Pair
from pbem.systems.half_league.tables.printed import FORMATIONS, GUNNERS_PER_GUN, INCH

Type = Literal["infantry", "cavalry", "foot_artillery", "horse_artillery"]
Ground = Literal["road", "open", "rough", "town", "woods", "high_hill"]
Crossing = Literal["free", "die", "even", "never"]
Column = Literal["dense", "line", "right"]
Cell = TypeVar("Cell")

GROUNDS: tuple[Ground, ...] = ("road", "open", "rough", "town", "woods", "high_hill")
OBSTACLES = ("stream", "ford", "bridge", "wall", "trench", "hedge")
MOVERS = ("leader", "foot_front", "foot_files", "horse_front", "horse_files", "limbered", "unlimbered")
COLUMNS: tuple[Column, ...] = ("dense", "line", "right")
BANDED = ("rifle", "musket", "carbine", "canister", "artillery")
"""Weapons with a row for short and one for long range."""
FIRE_ROWS = (*(f"{weapon}_{band}" for weapon in BANDED for band in ("short", "long")), "bombardment")
CLASSES = ("elite", "regular", "second", "artillery")
"""The columns of the save table: the class of a unit, and `artillery` for every battery."""
MOST_STANDS = 6
"""The first row of the save table: so many stands left, or more."""
STANDS = ("infantry", "cavalry", "dismounted", "gun", "team", "leader")
RULES = {
    "movement": "HL-MOV-02",
    "wheel": "HL-MOV-06",
    "crossing": "HL-MOV-09",
    "firing": "HL-FIR-02",
    "range": "HL-FIR-04",
    "target": "HL-FIR-03",
    "fire": "HL-FIR-03",
    "saves": "HL-SAV-02",
    "stand": "HL-GEO-01",
    "footprint": "HL-GEO-01",
    "figures": "HL-SAV-03",
    "victory": "HL-WIN-01",
    "scale": "HL-MOV-01",
}
"""Which rule each table of the file plays."""

_FRONTS = ("line", "double_line", "dismounted")
_SCALE = Scale(INCH, 1)
_FILE = "charts.toml"


class Count(Struct, frozen=True, forbid_unknown_fields=True):
    """How many of a unit's stands: a share of them, rounded, within bounds."""

    share: tuple[Annotated[int, Meta(ge=0, le=9)], Annotated[int, Meta(ge=1, le=9)]] = (1, 1)
    round: Literal["up", "down"] = "up"
    least: Annotated[int, Meta(ge=0, le=99)] = 0
    most: Annotated[int, Meta(ge=0, le=99)] = 99

    def of(self, stands: int) -> int:
        """So many of *stands*.

        >>> Count(share=(1, 2)).of(5), Count(share=(1, 4), round="down", least=1).of(3), Count(most=2).of(1)
        (3, 1, 1)
        """
        part, whole = stands * self.share[0], self.share[1]
        return min(max(-(-part // whole) if self.round == "up" else part // whole, self.least), self.most)


class Wheel(Struct, frozen=True):
    """Turns on the way: free up to *above* degrees, else at a *cost* in grains, by formation (HL-MOV-06)."""

    above: int
    legs: int
    """The most legs of a path."""
    turns: int
    """The most degrees that all turns of a path come to."""
    cost: Mapping[str, int]


class Footprint(Struct, frozen=True):
    """How stands lie in a formation; gaps in grains (HL-GEO-01)."""

    front: Count
    ranks: Count
    gap: int
    rank_gap: int


class Victory(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of victory, and by how many of them a battle is won (HL-WIN-01)."""

    unit_destroyed: int
    unit_routing: int
    battery_lost: int
    battery_abandoned: int
    brigadier_killed: int
    army_commander_killed: int
    unit_exited: int
    margin: int


class Extent(Struct, frozen=True, forbid_unknown_fields=True):
    """What inch, turn and stand stand for."""

    inch_yards: int
    turn_minutes: int
    stand_men: int


class Charts(Struct, frozen=True):
    """All charts of the file; lengths in grains."""

    movement: Mapping[str, Mapping[str, Mapping[Ground, int]]]
    """Dice by type, formation and ground; of a leader alone as `["leader"]["alone"]` (HL-MOV-02)."""
    wheel: Wheel
    crossing: Mapping[str, Mapping[str, Crossing]]
    """By `OBSTACLES` and `MOVERS` (HL-MOV-09)."""
    firing: Mapping[str, Mapping[str, Count]]
    """Stands that fire, by type and formation (HL-FIR-02)."""
    ranges: Mapping[str, int]
    """Long range by weapon, the printed ones among them (HL-FIR-04)."""
    target: Mapping[str, Mapping[str, Column]]
    """The column of a target, by type and formation (HL-FIR-03)."""
    fire: Mapping[str, Mapping[Column, Pair]]
    """By `FIRE_ROWS` and column: needed in the open; in cover or in skirmish order (HL-FIR-03)."""
    saves: Mapping[int, Mapping[str, int | None]]
    """By stands left, up to `MOST_STANDS`, and `CLASSES`; None: no save (HL-SAV-02)."""
    stand: Mapping[str, Pair]
    """Width and depth, by `STANDS` (HL-GEO-01)."""
    footprint: Mapping[str, Footprint]
    """By formation (HL-GEO-01)."""
    figures: Mapping[str, int]
    """On a full stand, by type (HL-SAV-03)."""
    victory: Victory
    scale: Extent


@rule("HL-MOV-09")
def mover(kind: str, formation: str) -> str:
    """The column of a unit in the chart of crossings."""
    if formation in ("limbered", "unlimbered"):
        return formation
    on_foot = kind == "infantry" or formation == "dismounted"
    return f"{'foot' if on_foot else 'horse'}_{'front' if formation in _FRONTS else 'files'}"


@rule("HL-GEO-01")
def pieces(kind: str, stands: int) -> int:
    """Stands that lie on the ground: of artillery, models of guns for so many gunners."""
    return -(-stands // GUNNERS_PER_GUN) if kind.endswith("artillery") else stands


@rule("HL-GEO-01")
def size(charts: Charts, kind: str, formation: str) -> Pair:
    """Width and depth of one stand of a unit in this formation."""
    if formation == "dismounted":
        return charts.stand["dismounted"]
    if kind.endswith("artillery"):
        return charts.stand["team" if formation == "limbered" else "gun"]
    return charts.stand[kind]


@rule("HL-GEO-01")
def footprint(charts: Charts, kind: str, formation: str, stands: int) -> Pair:
    """Width and depth of a unit of so many *stands* (gunners) left."""
    row, there, (wide, deep) = charts.footprint[formation], pieces(kind, stands), size(charts, kind, formation)
    files, ranks = row.front.of(there), row.ranks.of(there)
    width = files * wide + (files - 1) * row.gap
    return width, ranks * deep + (ranks - 1) * row.rank_gap if ranks else width


@rule("HL-GEO-03")
def pitch(charts: Charts, kind: str, formation: str) -> int:
    """From the middle of a stand to that of its neighbour in the front rank."""
    return size(charts, kind, formation)[0] + charts.footprint[formation].gap


# ---- Reading ----

Table = Mapping[str, object]


def _table(found: object, where: str) -> Table:
    if not isinstance(found, Mapping):
        raise BadScenario(where, f"{found!r} is no table of named rows")
    return found


def _rows(found: object, where: str, keys: tuple[str, ...], cell: Callable[[object, str], Cell]) -> dict[str, Cell]:
    """A table with exactly these rows, each read by *cell*; in the order of *keys*."""
    table = _table(found, where)
    if unknown := [key for key in table if key not in keys]:
        raise BadScenario(where, f'there is no row "{unknown[0]}"; the rows are {", ".join(keys)}')
    if missing := [key for key in keys if key not in table]:
        raise BadScenario(where, f'the row "{missing[0]}" is missing')
    return {key: cell(table[key], f"{where}, {key}") for key in keys}


def _whole(least: int, most: int) -> Callable[[object, str], int]:
    def cell(found: object, where: str) -> int:
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            raise BadScenario(where, f"{found!r} is no whole number from {least} to {most}")
        return found

    return cell


def _choice(words: tuple[Cell, ...]) -> Callable[[object, str], Cell]:
    def cell(found: object, where: str) -> Cell:
        for word in words:
            if found == word:
                return word
        raise BadScenario(where, f"{found!r} is none of {', '.join(map(str, words))}")

    return cell


def _length(found: object, where: str) -> int:
    grains = None if isinstance(found, bool) else _SCALE.parse(str(found))
    if grains is None or grains < 0:
        raise BadScenario(where, f"{found!r} is no length in inches")
    return grains


def _listed(found: object, where: str) -> list[object]:
    if not isinstance(found, list | tuple) or len(found) != 2:
        raise BadScenario(where, f"{found!r} is no pair [a, b]")
    return list(found)


def _lengths(found: object, where: str) -> Pair:
    wide, deep = _listed(found, where)
    return _length(wide, where), _length(deep, where)


def _scores(found: object, where: str) -> Pair:
    free, covered = _listed(found, where)
    score = _whole(1, 6)
    pair = score(free, where), score(covered, where)
    if pair[1] < pair[0]:
        raise BadScenario(where, f"{found!r} makes a target in cover easier to hit")
    return pair


def _save(found: object, where: str) -> int | None:
    return None if found == "X" else _whole(1, 6)(found, where)


def _count(found: object, where: str) -> Count:
    if found == "all":
        return Count()
    if isinstance(found, Mapping):
        return convert(found, Count, where)
    number = _whole(0, 99)(found, where)
    return Count((0, 1), least=number, most=number)


def _footprint(found: object, where: str) -> Footprint:
    row = {"gap": 0, "rank_gap": 0, **_table(found, where)}
    if unknown := [key for key in row if key not in ("front", "ranks", "gap", "rank_gap")]:
        raise BadScenario(where, f'there is no "{unknown[0]}"')
    if missing := [key for key in ("front", "ranks") if key not in row]:
        raise BadScenario(where, f'"{missing[0]}" is missing')
    return Footprint(
        _count(row["front"], f"{where}, front"),
        _count(row["ranks"], f"{where}, ranks"),
        _length(row["gap"], f"{where}, gap"),
        _length(row["rank_gap"], f"{where}, rank_gap"),
    )


def _wheel(found: object, where: str) -> Wheel:
    table = _table(found, where)
    numbers = {key: cell for key, cell in table.items() if key != "cost"}
    whole = _rows(numbers, where, ("above", "legs", "turns"), _whole(0, 360))
    known = tuple(dict.fromkeys(one for formations in FORMATIONS.values() for one in formations))
    cost = dict.fromkeys(known, 0) | dict(_table(table.get("cost", {}), f"{where}, cost"))
    return Wheel(**whole, cost=_rows(cost, f"{where}, cost", known, _length))


def _by_formation(found: object, where: str, cell: Callable[[object, str], Cell]) -> dict[str, dict[str, Cell]]:
    by_type = _rows(found, where, tuple(FORMATIONS), _table)
    return {kind: _rows(rows, f"{where}, {kind}", FORMATIONS[kind], cell) for kind, rows in by_type.items()}


def _dice(found: object, where: str) -> dict[Ground, int]:
    cells = _rows(found, where, GROUNDS, _whole(0, 12))
    return {ground: cells[ground] for ground in GROUNDS}


def _movement(found: object, where: str) -> dict[str, dict[str, dict[Ground, int]]]:
    units = {kind: rows for kind, rows in _table(found, where).items() if kind != "leader"}
    leader = _rows(_table(found, where).get("leader", {}), f"{where}, leader", ("alone",), _dice)
    return {**_by_formation(units, where, _dice), "leader": leader}


def _needed(found: object, where: str) -> dict[Column, Pair]:
    cells = _rows(found, where, COLUMNS, _scores)
    return {column: cells[column] for column in COLUMNS}


def _saves(found: object, where: str) -> dict[int, dict[str, int | None]]:
    rows = tuple(str(left) for left in range(MOST_STANDS, 0, -1))
    read = _rows(found, where, rows, lambda row, at: _rows(row, at, CLASSES, _save))
    return {int(left): cells for left, cells in read.items()}


def _crossings(found: object, where: str) -> dict[str, Crossing]:
    ways: tuple[Crossing, ...] = ("free", "die", "even", "never")
    return _rows(found, where, MOVERS, _choice(ways))


def read_charts(tables: Table, where: str = _FILE) -> Charts:
    """Charts from the tables of a file.

    :raises BadScenario: naming *where*, table, row and what is wrong with it.
    """
    table = _rows(tables, where, tuple(RULES), _table)
    shapes = tuple(dict.fromkeys(one for formations in FORMATIONS.values() for one in formations))
    at = {name: f"{where}, {name}" for name in table}
    return Charts(
        movement=_movement(table["movement"], at["movement"]),
        wheel=_wheel(table["wheel"], at["wheel"]),
        crossing=_rows(table["crossing"], at["crossing"], OBSTACLES, _crossings),
        firing=_by_formation(table["firing"], at["firing"], _count),
        ranges={**LONG_RANGE, **_rows(table["range"], at["range"], ("carbine",), _length)},
        target=_by_formation(table["target"], at["target"], _choice(COLUMNS)),
        fire=_rows(table["fire"], at["fire"], FIRE_ROWS, _needed),
        saves=_saves(table["saves"], at["saves"]),
        stand=_rows(table["stand"], at["stand"], STANDS, _lengths),
        footprint=_rows(table["footprint"], at["footprint"], shapes, _footprint),
        figures=_rows(table["figures"], at["figures"], tuple(FORMATIONS), _whole(1, 12)),
        victory=convert(table["victory"], Victory, at["victory"]),
        scale=convert(table["scale"], Extent, at["scale"]),
    )


def _laid(under: Table, over: Table) -> dict[str, object]:
    """*under* with the cells of *over* in it, table by table."""
    laid = dict(under)
    for key, cell in over.items():
        below = under.get(key)
        if isinstance(below, Mapping) and isinstance(cell, Mapping):
            laid[key] = _laid(below, cell)
        else:
            laid[key] = cell
    return laid


@cache
def _printed() -> Table:
    return tomllib.loads(shipped(__package__ or "", _FILE))


@cache
def standard() -> Charts:
    """The charts as the game has them."""
    return read_charts(_printed())


def overlaid(files: Table) -> Charts:
    """The charts with those cells that a scenario has under `[charts]` and in its `charts.toml` in place of theirs.

    :raises BadScenario: naming file, table, row and what is wrong with it.
    """
    scenario = _table(files.get("scenario", {}), "scenario.toml")
    charts = standard()
    tables = _printed()
    for where, cells in (("scenario.toml, charts", scenario.get("charts", {})), (_FILE, files.get("charts", {}))):
        if cells:
            tables = _laid(tables, _table(cells, where))
            charts = read_charts(tables, where)
    return charts


TABLE_RULES = {"RULES": tuple(RuleId(of) for of in dict.fromkeys(RULES.values()))}
"""The rules that the charts of the file play."""
