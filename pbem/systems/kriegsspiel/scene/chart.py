"""The map of a scenario: ground, waters, crossings, roads, lines, strongholds and names (`map.toml`), never changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, Protocol

from msgspec import Struct

from pbem.ground.heights import Heights
from pbem.ground.plane import Box, Point, Shape, line, ring
from pbem.orders.names import name_key

ZED = 100
"""Heights are held in hundredths of a pace, places in whole paces."""


class Area(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A wood, swamp, garden or built place (KS-MAP-02)."""

    id: str
    name: str
    kind: Literal["wood_light", "wood_thick", "swamp", "garden", "village", "town", "farm"]
    polygon: tuple[Point, ...]
    buildings: Literal["", "wood", "stone"] = ""
    border: Literal["", "light", "strong", "fortified"] = ""
    street_width: Literal["", "main", "small"] = ""
    parent: str = ""

    @cached_property
    def shape(self) -> Shape:
        """Its outline."""
        return ring(self.polygon)

    @property
    def built(self) -> bool:
        """Whether houses stand there."""
        return self.kind in ("village", "town", "farm")


class Water(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A river, stream, ditch or lake (KS-MAP-06)."""

    id: str
    name: str
    kind: str
    width: int
    crossing: Literal["swim", "wade", "step", "none"]
    line: tuple[Point, ...]
    current: str = "slow"
    flows_to: str = ""
    bank: Literal["normal", "steep", "soft"] = "normal"

    @cached_property
    def shape(self) -> Shape:
        """Its middle."""
        return line(self.line)


class Crossing(Struct, frozen=True, forbid_unknown_fields=True):
    """A bridge, ford or ferry."""

    id: str
    name: str
    kind: str
    at: Point
    length: int
    water: str
    size: Literal["large", "small"] = "small"
    material: Literal["", "stone", "wood"] = ""
    state: str = "intact"
    allows: tuple[str, ...] = ("infantry", "cavalry", "artillery", "wagons", "persons")


class Road(Struct, frozen=True, dict=True):
    """A highway, small road or street."""

    id: str
    name: str
    width: str
    """`main`, `small` or `town`."""
    line: tuple[Point, ...]

    @cached_property
    def shape(self) -> Shape:
        """Its middle."""
        return line(self.line)


class Barrier(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A hedge, wall, ditch, dike, sunken road, fence or earthwork (KS-MAP-05)."""

    id: str
    name: str
    kind: Literal["hedge", "wall", "ditch", "dike", "sunken", "fence", "earthwork"]
    strength: Literal["light", "strong", "fortified"]
    line: tuple[Point, ...]

    @cached_property
    def shape(self) -> Shape:
        """Its course."""
        return line(self.line)


class Stronghold(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that can be held (KS-STR-01); *front* 0: a defile, as wide as its passage."""

    id: str
    name: str
    feature: str
    defences: Literal["light", "strong", "fortified"]
    front: int


class Boats(Struct, frozen=True, forbid_unknown_fields=True):
    """Boats at a bank (KS-BOT-01)."""

    id: str
    name: str
    size: Literal["large", "small"]
    count: int
    at: Point


class _Thing(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


class Named(Struct, frozen=True):
    """An entry or a place."""

    id: str
    name: str
    at: Point
    height: int = 0


class Chart(Struct, frozen=True, kw_only=True, dict=True):
    """A map, parsed."""

    title: str
    width: int
    height: int
    heights: Heights
    """In hundredths of a pace."""
    areas: tuple[Area, ...]
    """A child before its parent, in the order of KS-MAP-02."""
    waters: dict[str, Water]
    crossings: dict[str, Crossing]
    roads: dict[str, Road]
    lines: dict[str, Barrier]
    strongholds: dict[str, Stronghold]
    boats: dict[str, Boats]
    entries: dict[str, Named]
    places: dict[str, Named]

    @property
    def box(self) -> Box:
        """Its edges."""
        return (0, 0, self.width, self.height)

    @cached_property
    def area_of(self) -> dict[str, Area]:
        """Areas by id."""
        return {area.id: area for area in self.areas}

    @cached_property
    def names(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Everything that orders may name, folded by `name_key`: (kind, id)."""
        found: dict[str, list[tuple[str, str]]] = {}
        tables: tuple[tuple[str, Mapping[str, _Thing]], ...] = (
            ("place", self.places), ("crossing", self.crossings), ("area", self.area_of),
            ("stronghold", self.strongholds), ("line", self.lines), ("road", self.roads), ("boats", self.boats),
            ("entry", self.entries), ("water", self.waters),
        )  # fmt: skip
        for kind, table in tables:
            for one in table.values():
                for name in {one.id, one.name, one.name.split("(")[0]}:
                    key = name_key(name)
                    if key and (kind, one.id) not in found.setdefault(key, []):
                        found[key].append((kind, one.id))
        return {key: tuple(ones) for key, ones in found.items()}

    @cached_property
    def written(self) -> dict[str, str]:
        """The ids of everything that orders may name."""
        tables: tuple[Mapping[str, _Thing], ...] = (
            self.places, self.crossings, self.area_of, self.strongholds, self.lines, self.roads, self.boats,
            self.entries, self.waters,
        )  # fmt: skip
        return {name: name for table in tables for name in table}

    def point_of(self, kind: str, name: str) -> Point:
        """Where a thing that orders may name lies: the middle of an area, of a line; the head of a road."""
        match kind:
            case "place":
                return self.places[name].at
            case "crossing":
                return self.crossings[name].at
            case "area":
                return centre(self.area_of[name].polygon)
            case "stronghold":
                return self.feature_point(self.strongholds[name].feature)
            case "line":
                course = self.lines[name].line
                return course[len(course) // 2]
            case "road":
                return self.roads[name].line[0]
            case "boats":
                return self.boats[name].at
            case "entry":
                return self.entries[name].at
            case _:  # a water
                course = self.waters[name].line
                return course[len(course) // 2]

    def feature_point(self, feature: str) -> Point:
        """The middle of an area, line or crossing by its id."""
        for kind, table in (("area", self.area_of), ("crossing", self.crossings), ("line", self.lines)):
            if feature in table:
                return self.point_of(kind, feature)
        return Point(0, 0)


def centre(points: tuple[Point, ...]) -> Point:
    """The middle of a polygon's corners, in whole paces."""
    count = len(points)
    return Point(sum(p.x for p in points) // count, sum(p.y for p in points) // count)
