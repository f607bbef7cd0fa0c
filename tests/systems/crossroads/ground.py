"""The scenarios of the system, read once, and the field as it stands when they begin."""

from __future__ import annotations

import tomllib
from functools import cache

from msgspec.structs import replace

from pbem.resources import resources
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.scene.scene import Scene, parse_scene
from pbem.systems.crossroads.world.state import Battle, Unit

SCENARIOS = ("la-folie", "golden-bremm", "sadowa", "open-board")


@cache
def scene(name: str = "la-folie") -> Scene:
    """A scenario as it ships."""
    folder = resources("campaigns") / "crossroads" / name
    return parse_scene(
        {part: tomllib.loads((folder / f"{part}.toml").read_text("utf-8")) for part in ("scenario", "map", "forces")}
    )


def present(unit: Unit, turn: int) -> bool:
    """Whether a unit has come by a turn."""
    return unit.arrive <= turn


def field(name: str = "la-folie", turn: int = 1) -> Field:
    """Everybody who has come by *turn*, at the place where he appears."""
    found = scene(name)
    units = {unit.id: unit if present(unit, turn) else replace(unit, pos=None) for unit in found.units.values()}
    officers = {one.id: one if one.arrive <= turn else replace(one, pos=None) for one in found.officers.values()}
    return Field(found, Battle(turn=turn, units=units, officers=officers))
