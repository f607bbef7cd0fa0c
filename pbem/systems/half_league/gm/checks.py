"""What is wrong in a scenario that can be opened: what lies off the map, who stands on another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.ground.body import Body
from pbem.ground.plane import overlap
from pbem.rules.checks import HEAD, ROLE, Checks, Fault, beyond, one_style, too_late
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.tables.charts import footprint
from pbem.systems.half_league.world.pieces import SCALE, side_of

TABLES = {
    "scenario": f"{HEAD} game aim exit zones reserve burning charts",
    "scenario.roles": f"{ROLE} brigades",
    "scenario.burning": "area",
    "map": "map place hill area line",
    "map.map": "id title width height midline_x allied_edge russian_edge",
    "forces": "army brigade unit",
}


def _say(x: int, y: int) -> str:
    return f"[{SCALE.show(x)}, {SCALE.show(y)}]"


def _faults(scene: Scene) -> Iterator[Fault]:
    spots = [(f"forces.toml, unit {one.id}", [one.front]) for one in scene.units.values()]
    spots += [(f"forces.toml, leader {one.id}", [one.front]) for one in scene.leaders.values()]
    spots += [(f"map.toml, place {one.name}", [one.pos]) for one in scene.places.values()]
    yield from beyond(spots, scene.width, scene.height, _say)
    shapes = [("area", one.name, one.shape) for one in scene.areas]
    shapes += [("line", one.name, one.shape) for one in scene.lines]
    shapes += [("hill", one.name, shape) for one in scene.hills for shape in (one.base, one.crest)]
    corners = [(f"map.toml, {kind} {name}", shape.points) for kind, name, shape in shapes]
    yield from beyond(corners, scene.width, scene.height, _say, look=True)
    bodies = [
        (one.id, Body(one.front, one.bearing, *footprint(scene.charts, one.type, one.formation, one.stands)).shape)
        for one in scene.units.values()
    ]
    for (first, body), (second, other) in combinations(bodies, 2):
        if overlap(body, other):
            yield Fault(f"forces.toml, unit {second}", f"it stands on {first}")
    if scene.reserve is not None:
        yield from too_late([("the reserve", scene.reserve.turn)], scene.game.turns, "scenario.toml, reserve")
    yield from one_style(scene.commanders, side_of)


CHECKS = Checks(TABLES, _faults)
"""For `System.checks`."""
