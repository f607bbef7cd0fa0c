"""What is wrong in a scenario that can be opened."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.checks import HEAD, ROLE, Checks, Fault, one_style
from pbem.systems.st_privat.scene.forces import HEADS
from pbem.systems.st_privat.scene.scene import Scene

TABLES = {
    "scenario": f"{HEAD} game",
    "scenario.roles": ROLE,
    "map": "size grid bridges roads walls towns labels buildings streams stream_names",
    "map.walls": "place edges",
    "map.towns": "name squares points",
    "map.labels": "text square kind",
    "map.buildings": "square name",
    "forces": "points pieces limbers generals groups setup",
    "forces.points": "infantry cavalry field_gun mitrailleuse siege_gun crew_limber_team general dummy",
    "forces.generals": "id side name c_in_c corps",
    "forces.groups": "ids side name",
    "forces.setup": "french prussian",
}


def _faults(scene: Scene) -> Iterator[Fault]:
    numbers, rows = scene.numbers, scene.board.rows
    for key in ("french_rows", "prussian_rows"):
        first, last = getattr(numbers, key)
        if not 1 <= first <= last <= rows:
            yield Fault("scenario.toml, game", f"{key} are from {first} to {last}, and the board has 1 to {rows}")
    if numbers.exit_square not in scene.board:
        yield Fault("scenario.toml, game", f'exit_square "{numbers.exit_square}" is beyond the map', look=True)
    for at in (one.square for one in scene.labels):
        if at not in scene.board:
            yield Fault("map.toml, labels", f'"{at}" is beyond the map', look=True)
    for side, counted in scene.pieces.items():
        for kind in counted.keys() - HEADS.keys():
            yield Fault(f"forces.toml, pieces.{side}", f'there is no kind of piece "{kind}"')
    yield from one_style(scene.commanders)


CHECKS = Checks(TABLES, _faults)
"""For `System.checks`."""
