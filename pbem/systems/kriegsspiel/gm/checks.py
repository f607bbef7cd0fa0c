"""What is wrong in a scenario that can be opened: what lies off the map, and who comes when all is over."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.ground.plane import Point
from pbem.rules.checks import HEAD, ROLE, Checks, Fault, Spots, beyond, one_style, too_late
from pbem.systems.kriegsspiel.scene.scene import Scene

TABLES = {
    "scenario": f"{HEAD} staff clock conditions zones general_idea separate_report timed_messages end secured held "
    "score results",
    "scenario.roles": ROLE,
    "scenario.staff": "roles",
    "scenario.clock": "opens last_move sunrise sunset",
    "scenario.conditions": "weather ground light visibility moon",
    "scenario.zones": "red blue",
    "scenario.general_idea": "text",
    "scenario.separate_report": "red blue",
    "scenario.end": "offers secured infantry_below",
    "scenario.secured": "side bank within half_battalions",
    "scenario.held": "within",
    "scenario.results": "clear_success success undecided",
    "map": "map elevation area water crossing road line stronghold boats entry place",
    "map.map": "id title width height north pace_m scale",
    "map.elevation": "unit spacing origin rows",
    "map.road": "id name class line",
    "map.entry": "id name at height",
    "map.place": "id name at height",
    "forces": "side person regiment unit detached group",
    "forces.side": "red blue",
    "forces.regiment": "id side name kind commander squadrons part behind at along facing formation move entry or_by "
    "or_move men",
}


def _say(x: int, y: int) -> str:
    return f"[{x}, {y}]"


def _spots(scene: Scene) -> Iterator[tuple[str, list[Point]]]:
    for plan in scene.units.values():
        if plan.at is not None:
            yield f'forces.toml, unit "{plan.id}"', [plan.at]
    for person in scene.persons.values():
        if person.at is not None:
            yield f'forces.toml, person "{person.id}"', [person.at]
    for kind, named in (("entry", scene.chart.entries), ("place", scene.chart.places)):
        for one in named.values():
            yield f'map.toml, {kind} "{one.id}"', [one.at]


def _corners(scene: Scene) -> Spots:
    chart = scene.chart
    yield from ((f'map.toml, area "{one.id}"', one.polygon) for one in chart.areas)
    yield from ((f'map.toml, road "{one.id}"', one.line) for one in chart.roads.values())
    yield from ((f'map.toml, water "{one.id}"', one.line) for one in chart.waters.values())


def _faults(scene: Scene) -> Iterator[Fault]:
    width, height = scene.chart.width, scene.chart.height
    yield from beyond(_spots(scene), width, height, _say)
    yield from beyond(_corners(scene), width, height, _say, look=True)
    comes = [(plan.id, plan.move) for plan in scene.units.values()]
    yield from too_late(comes, scene.last_move, "forces.toml", "move")
    yield from one_style(scene.commanders, lambda role: scene.side_of(role) if role in scene.persons else role)


CHECKS = Checks(TABLES, _faults)
"""For `System.checks`."""
