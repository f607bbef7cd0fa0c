"""Reading `map.toml` into a `Chart`; every fault names its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ground.heights import Heights
from pbem.ground.plane import Point
from pbem.kernel.errors import BadScenario
from pbem.rules.files import convert, need
from pbem.systems.kriegsspiel.scene import chart as charts

_RANK = {kind: rank for rank, kind in enumerate(
    ("town", "village", "farm", "garden", "wood_thick", "wood_light", "swamp")
)}  # fmt: skip


def _areas(tables: list[dict[str, Any]]) -> tuple[charts.Area, ...]:
    areas = [convert(table, charts.Area, f'map.toml, area "{table.get("id", "?")}"') for table in tables]
    known = {area.id for area in areas}
    for area in areas:
        # A parent may be named that is a part of the same place and no area of its own.
        if area.parent and area.parent not in known:
            raise BadScenario(f'map.toml, area "{area.id}", parent', f'there is no area "{area.parent}"')
    built = ("town", "village", "farm")
    return tuple(
        sorted(areas, key=lambda one: (0 if one.kind in built else 1, 0 if one.parent else 1, _RANK[one.kind], one.id))
    )


def _table(chart: Mapping[str, Any], key: str, kind: type[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for table in chart.get(key, []):
        one = convert(table, kind, f'map.toml, {key} "{table.get("id", "?")}"')
        if one.id in found:
            raise BadScenario(f'map.toml, {key} "{one.id}"', "stands twice")
        found[one.id] = one
    return found


def parse_chart(chart: Mapping[str, Any]) -> charts.Chart:
    """Parse a map.

    :raises BadScenario: naming the table and what is wrong there.
    """
    size = need(chart, "map", "map.toml")
    relief = need(chart, "elevation", "map.toml")
    rows = convert(need(relief, "rows", "map.toml, elevation"), tuple[tuple[int, ...], ...], "map.toml, elevation")
    roads = {
        table["id"]: charts.Road(
            table["id"],
            table.get("name", table["id"]),
            need(table, "class", f'map.toml, road "{table["id"]}"'),
            convert(table["line"], tuple[Point, ...], f'map.toml, road "{table["id"]}"'),
        )
        for table in chart.get("road", [])
    }
    parsed = charts.Chart(
        title=size.get("title", ""),
        width=need(size, "width", "map.toml, map"),
        height=need(size, "height", "map.toml, map"),
        heights=Heights(
            need(relief, "spacing", "map.toml, elevation"),
            tuple(tuple(height * charts.ZED for height in row) for row in rows),
            Point(*relief.get("origin", (0, 0))),
        ),
        areas=_areas(chart.get("area", [])),
        waters=_table(chart, "water", charts.Water),
        crossings=_table(chart, "crossing", charts.Crossing),
        roads=roads,
        lines=_table(chart, "line", charts.Barrier),
        strongholds=_table(chart, "stronghold", charts.Stronghold),
        boats=_table(chart, "boats", charts.Boats),
        entries=_table(chart, "entry", charts.Named),
        places=_table(chart, "place", charts.Named),
    )
    for crossing in parsed.crossings.values():
        if crossing.water not in parsed.waters:
            raise BadScenario(f'map.toml, crossing "{crossing.id}"', f'there is no water "{crossing.water}"')
    return parsed
