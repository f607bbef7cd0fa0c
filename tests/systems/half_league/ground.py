"""The shipped scenarios, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from pbem.ground.body import Body
from pbem.resources import resources
from pbem.systems.half_league.scene.scene import Scene, parse_scene
from pbem.systems.half_league.tables.charts import footprint
from pbem.systems.half_league.world.pieces import Unit

SCENARIOS = ("kourgane", "great-redoubt", "bulganak", "open-board")


@cache
def files(name: str) -> dict[str, Any]:
    """The files of a shipped scenario, as its TOML says."""
    folder = resources("campaigns") / "half-league" / name
    parts = ("scenario", "map", "forces", *(("charts",) if (folder / "charts.toml").is_file() else ()))
    return {part: tomllib.loads((folder / f"{part}.toml").read_text()) for part in parts}


@cache
def scene(name: str = "kourgane") -> Scene:
    """A shipped scenario, parsed."""
    return parse_scene(files(name))


def body(one: Scene, unit: Unit) -> Body:
    """The ground on which a unit stands."""
    wide, deep = footprint(one.charts, unit.type, unit.formation, unit.stands)
    return Body(unit.front, unit.bearing, wide, deep)
