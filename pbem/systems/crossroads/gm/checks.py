"""What is wrong in a scenario that can be opened: what lies off the table, who stands on another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.rules.checks import HEAD, ROLE, Checks, Fault, beyond, one_style, too_late
from pbem.systems.crossroads.field.field import footprint, lies_on
from pbem.systems.crossroads.scene.scene import Scene, tenths
from pbem.systems.crossroads.scene.words import length

TABLES = {
    "scenario": f"{HEAD} game held",
    "scenario.roles": ROLE,
    "scenario.game": "turns opens minutes first_control south_exit north_exit",
    "scenario.held": "place points by",
    "map": "map place hill area line",
    "map.map": "id title width height inch_yards german_edge french_edge",
    "map.place": "name pos",
    "map.hill": "name contours crest",
    "forces": "officer unit",
}


def _say(x: int, y: int) -> str:
    return f"[{length(x)}, {length(y)}]"


def _faults(scene: Scene) -> Iterator[Fault]:
    units, officers = scene.units.values(), scene.officers.values()
    spots = [(f"forces.toml, unit {one.id}", [one.pos]) for one in units if one.pos is not None]
    spots += [(f"forces.toml, officer {one.id}", [one.pos]) for one in officers if one.pos is not None]
    spots += [(f"map.toml, place {one.name}", [one.pos]) for one in scene.places]
    yield from beyond(spots, scene.width, scene.height, _say)
    shapes = [("area", one.name, one.shape) for one in scene.areas]
    shapes += [("line", one.name, one.shape) for one in scene.lines]
    shapes += [("hill", one.name, shape) for one in scene.hills for shape in (*one.contours, one.crest)]
    corners = [(f"map.toml, {kind} {name}", [tenths(at) for at in shape.points]) for kind, name, shape in shapes]
    yield from beyond(corners, scene.width, scene.height, _say, look=True)
    bodies = [
        (one.id, footprint(one.type, one.formation, one.pos, one.facing).shape) for one in units if not one.arrive
    ]
    for (first, body), (second, other) in combinations(bodies, 2):
        if lies_on(body, other):
            yield Fault(f"forces.toml, unit {second}", f"it stands on {first}")
    comes = [*((one.id, one.arrive) for one in units), *((one.id, one.arrive) for one in officers)]
    yield from too_late(comes, scene.turns, "forces.toml")
    yield from one_style(scene.commanders)


CHECKS = Checks(TABLES, _faults)
"""For `System.checks`."""
