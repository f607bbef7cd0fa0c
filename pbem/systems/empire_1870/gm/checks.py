"""What is wrong in a scenario that can be opened."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.checks import HEAD, ROLE, Checks, Fault, one_style
from pbem.systems.empire_1870.scene.scene import Scene

TABLES = {
    "scenario": f"{HEAD} game",
    "scenario.roles": ROLE,
    "map": "map hex sources victory aliases railways rivers",
    "map.map": "columns rows layout countries",
    "map.sources": "french_west_edge french_south_edge german_east_edge",
    "map.victory": "border_french border_german french_major_german_hexes german_major_hexes southeast_exit_hexes "
    "initial_control_exceptions",
    "forces": "french german",
}


def _faults(scene: Scene) -> Iterator[Fault]:
    for side, force in scene.sides.items():
        for group in force.groups:
            for at in group.area:
                if at not in scene.board:
                    yield Fault(f'forces.toml, {side}.groups "{group.name}"', f'area: "{at}" is beyond the map')
    yield from one_style(scene.commanders)


CHECKS = Checks(TABLES, _faults)
"""For `System.checks`."""
