"""The ground and the numbers of a scenario, parsed and never changed.

Places of units are tenths of an inch, shapes on the ground thousandths (`GRAIN` to the tenth).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from pbem.ground.plane import Box, Point, Shape, line, ring
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import Role
from pbem.orders.names import name_key
from pbem.rules.files import convert, need
from pbem.rules.scene import Commander, Setting, commanders, heading
from pbem.systems.crossroads.tables.combat import POINTS
from pbem.systems.crossroads.tables.units import ARMS, FORMATIONS, NATION_SIDE, ZOC
from pbem.systems.crossroads.world.options import parse_options
from pbem.systems.crossroads.world.orders import Formation
from pbem.systems.crossroads.world.state import Nation, Officer, Subtype, Type, Unit

GRAIN = 100
"""Thousandths of an inch in a tenth."""

AreaKind = Literal["woods", "orchard", "town", "marsh", "open"]
LineKind = Literal["wall", "hedge", "stream", "trench", "road", "railway"]
Cover = Literal["none", "soft", "hard"]


class Place(Struct, frozen=True):
    """A name on the map."""

    name: str
    pos: Point


class Hill(Struct, frozen=True):
    """Nested contours, the lowest first, and the crest."""

    name: str
    contours: tuple[Shape, ...]
    crest: Shape


class Area(Struct, frozen=True):
    """Ground of one kind."""

    name: str
    kind: AreaKind
    cover: Cover
    difficult: bool
    shape: Shape


class Line(Struct, frozen=True):
    """A road, a wall, a stream; *crossings* are bridges and fords."""

    name: str
    kind: LineKind
    shape: Shape
    crossings: tuple[Point, ...] = ()


class Held(Struct, frozen=True):
    """A place that counts at the end, and who holds it at the start (GC-WIN-01)."""

    place: str
    points: int
    by: Role


class Exit(Struct, frozen=True):
    """Where units of a side may leave the table by order (GC-MOV-05)."""

    place: str
    at: Point
    side: Role
    points: int


class Scene(Setting, frozen=True, kw_only=True, dict=True):
    """A scenario: its ground, its names, its forces, and the options that it starts from."""

    width: int
    """Tenths of an inch, as is *height*."""
    height: int
    inch_yards: int
    edges: dict[Role, Literal["north", "south", "east", "west"]]
    places: tuple[Place, ...]
    hills: tuple[Hill, ...]
    areas: tuple[Area, ...]
    lines: tuple[Line, ...]
    units: dict[str, Unit]
    officers: dict[str, Officer]
    turns: int
    opens: str
    minutes: int
    """Of a turn."""
    first_control: Role
    held: tuple[Held, ...]
    exits: tuple[Exit, ...]

    @property
    def board(self) -> Box:
        """The table, in thousandths."""
        return 0, 0, self.width * GRAIN, self.height * GRAIN

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What follows from the ground alone and has been reckoned before; the same whoever asks."""
        return {}

    @cached_property
    def by_name(self) -> dict[str, Place]:
        """Places by their names as orders may write them."""
        return {name_key(one.name): one for one in self.places}

    def commander(self, role: Role) -> Commander:
        """Who fills *role*."""
        found = next((one for one in self.commanders if one.role == role), None)
        return found or Commander(role, str(role).capitalize(), f"the {str(role).capitalize()} commander", "first")


def grains(at: Point) -> Point:
    """A place in thousandths."""
    return Point(at.x * GRAIN, at.y * GRAIN)


def tenths(at: Point) -> Point:
    """A place in thousandths to the nearest tenth of an inch."""
    return Point((2 * at.x + GRAIN) // (2 * GRAIN), (2 * at.y + GRAIN) // (2 * GRAIN))


# ---- The files ----


def _inches(value: object, where: str, unit: int = 10) -> int:
    """A length of a file in whole parts of an inch."""
    try:
        length = Fraction(str(value)) * unit
    except ValueError:
        raise BadScenario(where, f"{value!r} is no length in inches") from None
    if length.denominator > 1:
        raise BadScenario(where, f"{value} is finer than {unit} to the inch")
    return int(length)


def _point(value: object, where: str, unit: int = 10) -> Point:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise BadScenario(where, f"{value!r} is no place; write [x, y]")
    return Point(_inches(value[0], where, unit), _inches(value[1], where, unit))


def _points(values: object, where: str) -> list[Point]:
    if not isinstance(values, list) or len(values) < 2:
        raise BadScenario(where, "has fewer than two points")
    return [_point(one, where, 10 * GRAIN) for one in values]


def _hill(table: Mapping[str, Any]) -> Hill:
    where = f"map.toml, hill {table.get('name', '?')}"
    contours = tuple(ring(_points(one, where)) for one in need(table, "contours", where))
    return Hill(need(table, "name", where), contours, line(_points(need(table, "crest", where), where)))


class _Area(Struct, frozen=True, forbid_unknown_fields=True):
    """An `[[area]]` of the map."""

    name: str
    kind: AreaKind
    polygon: list[Any]
    cover: Cover = "none"
    difficult: bool = False


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[line]]` of the map."""

    name: str
    kind: LineKind
    points: list[Any]
    crossings: list[dict[str, Any]] = []


class _Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[unit]]` of the forces."""

    id: str
    name: str
    nation: Nation
    type: Type
    strength: int
    formation: Formation
    pos: list[Any]
    facing: int
    subtype: Subtype | None = None
    light: bool = False
    elite: bool = False
    losses: int = 0
    arrive: int = 0


class _Officer(Struct, frozen=True, forbid_unknown_fields=True):
    """An `[[officer]]` of the forces."""

    id: str
    name: str
    nation: Nation
    pos: list[Any]
    zoc: int | None = None
    attached: str = ""
    arrive: int = 0


def _area(table: Mapping[str, Any]) -> Area:
    where = f"map.toml, area {table.get('name', '?')}"
    row = convert(table, _Area, where)
    return Area(row.name, row.kind, row.cover, row.difficult, ring(_points(row.polygon, where)))


def _line(table: Mapping[str, Any]) -> Line:
    where = f"map.toml, line {table.get('name', '?')}"
    row = convert(table, _Line, where)
    crossings = tuple(_point(need(one, "at", where), where, 10 * GRAIN) for one in row.crossings)
    return Line(row.name, row.kind, line(_points(row.points, where)), crossings)


def _unit(table: Mapping[str, Any]) -> Unit:
    where = f"forces.toml, unit {table.get('id', '?')}"
    row = convert(table, _Unit, where)
    if row.type not in ARMS.get(row.nation, ()):
        raise BadScenario(where, f'the charts have no {row.type} of "{row.nation}"')
    if row.formation not in FORMATIONS[row.type]:
        known = ", ".join(FORMATIONS[row.type])
        raise BadScenario(where, f"{row.type} has no formation {row.formation}; it has {known}")
    if row.strength < 4 or row.strength % 4 or not 0 <= row.losses < row.strength:
        raise BadScenario(where, f"strength {row.strength} with losses {row.losses} is no unit of four equal bases")
    subtype = row.subtype or ("line" if row.type == "infantry" else "none")
    return Unit(
        id=row.id, side=Role(NATION_SIDE[row.nation]), name=row.name, nation=row.nation, type=row.type,
        subtype=subtype, light=row.light, elite=row.elite, strength=row.strength, losses=row.losses,
        formation=row.formation, pos=_point(row.pos, where), facing=row.facing % 360, arrive=row.arrive,
    )  # fmt: skip


def _officer(table: Mapping[str, Any]) -> Officer:
    where = f"forces.toml, officer {table.get('id', '?')}"
    row = convert(table, _Officer, where)
    if row.nation not in ZOC:
        raise BadScenario(where, f'"{row.nation}" is no nation')
    return Officer(
        id=row.id, side=Role(NATION_SIDE[row.nation]), name=row.name, nation=row.nation,
        zoc=row.zoc if row.zoc is not None else ZOC[row.nation], pos=_point(row.pos, where), attached=row.attached,
        arrive=row.arrive,
    )  # fmt: skip


def _exits(game: Mapping[str, Any], places: Mapping[str, Place], height: int) -> tuple[Exit, ...]:
    """The exits of a scenario, on the edge: `south_exit` for those from the north, `north_exit` for the others."""
    found = []
    for key, side, points, edge in (
        ("south_exit", "german", POINTS.exit, 0),
        ("north_exit", "french", 0, height),
    ):
        if name := game.get(key):
            place = places.get(name_key(name))
            if place is None:
                raise BadScenario("scenario.toml, game", f'{key} "{name}" is no place of the map')
            found.append(Exit(place.name, Point(place.pos.x, edge), Role(side), points))
    return tuple(found)


def parse_scene(files: Mapping[str, Any]) -> Scene:
    """Parse a scenario: `{"scenario": …, "map": …, "forces": …}` as its TOML files say.

    :raises BadScenario: naming the file, the table and what is wrong there.
    """
    scenario, chart, forces = (need(files, name, "scenario") for name in ("scenario", "map", "forces"))
    head = need(chart, "map", "map.toml")
    game = need(scenario, "game", "scenario.toml")
    places = tuple(
        Place(need(one, "name", "map.toml, place"), _point(need(one, "pos", "map.toml, place"), "map.toml, place"))
        for one in chart.get("place", [])
    )
    by_name = {name_key(one.name): one for one in places}
    held = convert(scenario.get("held", []), tuple[Held, ...], "scenario.toml, held")
    if wrong := [one.place for one in held if name_key(one.place) not in by_name]:
        raise BadScenario("scenario.toml, held", f'"{wrong[0]}" is no place of the map')
    units = [_unit(one) for one in forces.get("unit", [])]
    officers = [_officer(one) for one in forces.get("officer", [])]
    names = [*(one.id for one in units), *(one.id for one in officers)]
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadScenario("forces.toml", f"{twice[0]} stands twice")
    if lost := [one for one in officers if one.attached and one.attached not in names]:
        raise BadScenario(f"forces.toml, officer {lost[0].id}", f"there is no unit {lost[0].attached}")
    parse_options(scenario.get("options", {}), {})
    return Scene(
        **heading(scenario),
        width=_inches(need(head, "width", "map.toml"), "map.toml, map"),
        height=_inches(need(head, "height", "map.toml"), "map.toml, map"),
        inch_yards=convert(head.get("inch_yards", 25), int, "map.toml, map"),
        edges={Role("german"): head.get("german_edge", "north"), Role("french"): head.get("french_edge", "south")},
        places=places,
        hills=tuple(map(_hill, chart.get("hill", []))),
        areas=tuple(map(_area, chart.get("area", []))),
        lines=tuple(map(_line, chart.get("line", []))),
        units={one.id: one for one in units},
        officers={one.id: one for one in officers},
        turns=convert(need(game, "turns", "scenario.toml, game"), int, "scenario.toml, game"),
        opens=str(game.get("opens", "")),
        minutes=convert(game.get("minutes", 10), int, "scenario.toml, game"),
        first_control=Role(game.get("first_control", "french")),
        held=held,
        exits=_exits(game, by_name, _inches(need(head, "height", "map.toml"), "map.toml, map")),
        commanders=commanders(scenario),
    )
