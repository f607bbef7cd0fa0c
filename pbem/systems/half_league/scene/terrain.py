"""The ground of a scenario: places, hills, areas and lines, and how they are read from its map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from msgspec import Struct

from pbem.ground.plane import Point, Shape, line, ring
from pbem.kernel.errors import BadScenario
from pbem.orders.names import name_key
from pbem.rules.files import convert
from pbem.systems.half_league.world.pieces import SCALE

Ground = Literal["woods", "rough", "town", "field"]
Cover = Literal["none", "soft", "hard"]
LineKind = Literal["stream", "wall", "trench", "road", "hedge"]


class Place(Struct, frozen=True):
    """A place that orders may name."""

    name: str
    pos: Point


class Hill(Struct, frozen=True):
    """A hill: its foot, and the line of its greatest height."""

    name: str
    high: bool
    base: Shape
    crest: Shape


class Area(Struct, frozen=True):
    """Ground of one kind."""

    name: str
    kind: Ground
    cover: Cover
    shape: Shape


class Crossing(Struct, frozen=True):
    """Where a stream may be crossed."""

    name: str
    kind: Literal["bridge", "ford"]
    at: Point


class Line(Struct, frozen=True):
    """A stream, a wall, a trench, a road or a hedge."""

    name: str
    kind: LineKind
    shape: Shape
    crossings: tuple[Crossing, ...] = ()


# ------------------------------------------------------------------ reading

Table = Mapping[str, object]
Kind = TypeVar("Kind", bound=Struct)


class _Place(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    pos: object


class _Hill(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    high: bool
    base: object
    crest: object


class _Area(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: Ground
    polygon: object
    cover: Cover = "none"


class _Crossing(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    at: object
    kind: Literal["bridge", "ford"]


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: LineKind
    points: object
    crossings: tuple[_Crossing, ...] = ()


def length(found: object, where: str) -> int:
    """Inches, as a file has them, in grains.

    :raises BadScenario: if it is no such length.
    """
    grains = None if isinstance(found, bool) else SCALE.parse(str(found))
    if grains is None:
        raise BadScenario(where, f"{found!r} is no length in inches")
    return grains


def point(found: object, where: str) -> Point:
    """A place `[x, y]`.

    :raises BadScenario: if it is none.
    """
    if not isinstance(found, list | tuple) or len(found) != 2:
        raise BadScenario(where, f"{found!r} is no place [x, y]")
    return Point(length(found[0], where), length(found[1], where))


def _points(found: object, where: str, least: int) -> tuple[Point, ...]:
    if not isinstance(found, list | tuple) or len(found) < least:
        raise BadScenario(where, f"needs {least} places at least")
    return tuple(point(one, where) for one in found)


def rows(tables: object, kind: type[Kind], where: str) -> list[tuple[str, Kind]]:
    """The tables of a list as rows of a *kind*, each with where it stands.

    :raises BadScenario: if it is no list of such tables.
    """
    if not isinstance(tables, list | tuple):
        raise BadScenario(where, "is no list of tables")
    found = []
    for number, table in enumerate(tables, start=1):
        called = table.get("id") or table.get("name") if isinstance(table, Mapping) else None
        at = f"{where} {called or number}"
        found.append((at, convert(table, kind, at)))
    return found


def read_hills(chart: Table) -> tuple[Hill, ...]:
    """The hills of a map."""
    found = rows(chart.get("hill", ()), _Hill, "map.toml, hill")
    return tuple(
        Hill(row.name, row.high, ring(_points(row.base, at, 3)), line(_points(row.crest, at, 2))) for at, row in found
    )


def read_areas(chart: Table) -> tuple[Area, ...]:
    """The areas of a map."""
    found = rows(chart.get("area", ()), _Area, "map.toml, area")
    return tuple(Area(row.name, row.kind, row.cover, ring(_points(row.polygon, at, 3))) for at, row in found)


def read_lines(chart: Table) -> tuple[Line, ...]:
    """The lines of a map."""
    found = rows(chart.get("line", ()), _Line, "map.toml, line")
    return tuple(
        Line(
            row.name,
            row.kind,
            line(_points(row.points, at, 2)),
            tuple(Crossing(one.name, one.kind, point(one.at, at)) for one in row.crossings),
        )
        for at, row in found
    )


def read_places(chart: Table) -> dict[str, Place]:
    """The places of a map, by name, folded."""
    places: dict[str, Place] = {}
    for at, row in rows(chart.get("place", ()), _Place, "map.toml, place"):
        if name_key(row.name) in places:
            raise BadScenario(at, "stands twice")
        places[name_key(row.name)] = Place(row.name, point(row.pos, at))
    return places
