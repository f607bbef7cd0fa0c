"""The shipped scenarios as their files have them, with the arithmetic of their ground."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import atan, ceil, degrees, dist
from typing import Any

from shapely import LineString, Point, Polygon

from pbem.resources import resources

SCENARIOS = ("muehlrode", "kreuzweg", "weldau")
MAPS = {"muehlrode": "muehlrode", "kreuzweg": "muehlrode", "weldau": "weldau"}
PARTS = ("scenario", "map", "forces")

At = tuple[float, float]


@cache
def files(name: str) -> dict[str, Any]:
    """The files of a shipped scenario, as its TOML says."""
    folder = resources("campaigns") / "kriegsspiel" / name
    return {part: tomllib.loads((folder / f"{part}.toml").read_text("utf-8")) for part in PARTS}


@cache
def named(name: str, kind: str) -> dict[str, dict[str, Any]]:
    """The features of a kind by id."""
    found: dict[str, dict[str, Any]] = {}
    for one in files(name)["map"][kind]:
        assert one["id"] not in found
        found[one["id"]] = one
    return found


def line(feature: dict[str, Any]) -> LineString:
    """A road, water or line."""
    return LineString(feature["line"])


def polygon(feature: dict[str, Any]) -> Polygon:
    """An area."""
    return Polygon(feature["polygon"])


def height(name: str, at: At) -> float:
    """Height in paces, even between the posts of the grid."""
    relief = files(name)["map"]["elevation"]
    rows, spacing = relief["rows"], relief["spacing"]
    x, y = at[0] / spacing, at[1] / spacing
    i, j = min(int(x), len(rows[0]) - 2), min(int(y), len(rows) - 2)
    u, v = x - i, y - j
    south = rows[j][i] * (1 - u) + rows[j][i + 1] * u
    north = rows[j + 1][i] * (1 - u) + rows[j + 1][i + 1] * u
    return float(south * (1 - v) + north * v)


def slopes(name: str, way: LineString) -> Iterator[float]:
    """Degrees of each 100 paces of a way, the last step shorter."""
    points = [way.interpolate(min(100 * n, way.length)) for n in range(ceil(way.length / 100) + 1)]
    for a, b in pairwise((point.x, point.y) for point in points):
        if dist(a, b) > 1:
            yield degrees(atan(abs(height(name, a) - height(name, b)) / dist(a, b)))


def in_water(name: str, at: At) -> bool:
    """Whether a point lies in a river or stream."""
    return any(line(water).distance(Point(at)) < water["width"] / 2 for water in named(name, "water").values())
