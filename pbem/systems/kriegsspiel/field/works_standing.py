"""Bridges that are built, roads that are barred and earthworks that are dug in the course of play.

The id of such a thing says what it is and where (`pontoon_5200_2700`, `floating_5200_2700_foot`,
`barricade_3700_3600`, `earthwork_3700_2600_0_300`: facing and length), so that whoever has learned of it knows its
place, and a map with it can be drawn for whom it is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, bearing, distance, dot, gap, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.chart import Barrier, Chart, Crossing, Road, Stronghold, Water
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables.knowledge import SIGHTING
from pbem.systems.kriegsspiel.tables.works import DEFENCE_CLASSES
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import Side, Unit

BUILT = ("pontoon", "floating", "trestle")
"""Bridges that troops build (KS-BRG-01 to KS-BRG-03)."""

AT_WATER = 60
"""Paces from a bank within which a place is at the water."""

NEAR = 60
"""Paces within which a place named is that of a crossing."""

CROSSING_SEEN = SIGHTING["arm"]["formed"]
"""Paces from which the state of a crossing can be seen."""

RAMP = 20
"""Paces of way beyond each end of a bridge that is built with it."""

BARRICADE = 10
"""Paces of road that a barricade closes."""

_ID = re.compile(r"(pontoon|floating|trestle|barricade)_(\d+)_(\d+)(_foot)?")
_EARTHWORK = re.compile(r"earthwork_(\d+)_(\d+)_(\d+)_(\d+)")
_BREACH = re.compile(r"breach_(\d+)_(\d+)_(\d+)")


def built_id(kind: str, at: Point, *, foot: bool = False) -> str:
    """The id of a new bridge or barricade.

    >>> built_id("floating", Point(5200, 2700), foot=True)
    'floating_5200_2700_foot'
    """
    return f"{kind}_{at.x}_{at.y}{'_foot' if foot else ''}"


def water_near(chart: Chart, at: Point) -> tuple[Water, Point] | None:
    """The water at whose bank a place lies, and the place in its middle; None: it lies at no water."""
    found = []
    for water in chart.waters.values():
        lie = gap(water.shape, dot(at))
        if lie.far <= water.width // 2 + AT_WATER:
            found.append((lie.far, water.id, lie.here))
    return (chart.waters[(low := min(found))[1]], low[2]) if found else None


def earthwork_id(at: Point, facing: int, length: int) -> str:
    """The id of an earthwork; *facing* in hundredths of a degree.

    >>> earthwork_id(Point(3700, 2600), 9000, 300)
    'earthwork_3700_2600_90_300'
    """
    return f"earthwork_{at.x}_{at.y}_{facing // 100 % 360}_{length}"


@rule("KS-MAP-05", "KS-BRG-10")
def line_of(name: str) -> Barrier | None:
    """An earthwork dug in play, by its id: its front is a line right across the way it faces."""
    found = _EARTHWORK.fullmatch(name)
    if found is None:
        return None
    x, y, facing, length = (int(one) for one in found.groups())
    at, along = Point(x, y), (facing * 100 + 9000) % 36000
    ends = (shifted(at, (along + 18000) % 36000, length // 2), shifted(at, along, length - length // 2))
    return Barrier(name, f"earthwork at {x},{y}", "earthwork", "strong", ends)


def breach_id(wall: Barrier, at: Point) -> str:
    """The id of a breach in a wall: its place, and the way through it in whole degrees."""
    a, b = min(zip(wall.line, wall.line[1:], strict=False), key=lambda leg: (gap(dot(at), Shape(leg)).far, leg))
    return f"breach_{at.x}_{at.y}_{(bearing(a, b) + 9000) // 100 % 180}"


@rule("KS-BRE-06", "KS-MOV-08")
def breach_road(name: str) -> Road | None:
    """The passage through a breach, by its id: as narrow as a small road."""
    found = _BREACH.fullmatch(name)
    if found is None:
        return None
    x, y, through = (int(one) for one in found.groups())
    at, way = Point(x, y), through * 100
    ends = (shifted(at, way, RAMP), at, shifted(at, (way + 18000) % 36000, RAMP))
    return Road(name, f"breach at {x},{y}", "small", ends)


def name_of(chart: Chart, name: str) -> str:
    """What a crossing, work or strengthened place is called."""
    thing = crossing_of(chart, name) or line_of(name)
    return thing.name if thing is not None else chart.strongholds[name].name if name in chart.strongholds else name


@rule("KS-ORD-09", "KS-MOV-09")
def crossing_of(chart: Chart, name: str) -> Crossing | None:
    """A crossing of the map, or one built since, by its id; None: there is none of that name."""
    printed = chart.crossings.get(name)
    found = _ID.fullmatch(name)
    if printed is not None or found is None:
        return printed
    kind, at, foot = found[1], Point(int(found[2]), int(found[3])), found[4] is not None
    told = f"{kind} bridge at {at.x},{at.y}" if kind in BUILT else f"{kind} at {at.x},{at.y}"
    if kind == "barricade":
        return Crossing(name, told, kind, at, BARRICADE, "")
    water = water_near(chart, at)
    if water is None:
        return None
    allows = ("infantry", "persons") if foot else ("infantry", "cavalry", "artillery", "wagons", "persons")
    return Crossing(name, told, kind, at, water[0].width, water[0].id, material="wood", allows=allows)


def across_water(water: Water, at: Point, far: int) -> tuple[Point, Point]:
    """Two places so far to either side of one in the middle of a water, right across it."""
    a, b = min(zip(water.line, water.line[1:], strict=False), key=lambda leg: (gap(dot(at), Shape(leg)).far, leg))
    way = (bearing(a, b) + 9000) % 36000
    return shifted(at, way, far), shifted(at, (way + 18000) % 36000, far)


def ends_of(chart: Chart, crossing: Crossing, beyond: int = 0) -> tuple[Point, Point]:
    """The two ends of a crossing, or places so many paces beyond them."""
    return across_water(chart.waters[crossing.water], crossing.at, crossing.length // 2 + beyond)


def bridged(chart: Chart, names: Iterable[str]) -> Chart:
    """A map with what has been built since it was printed."""
    new = [one for name in sorted(set(names)) if (one := crossing_of(chart, name)) is not None]
    roads = {
        one.id: Road(one.id, one.name, "small", (a, one.at, b))
        for one in new
        if one.water
        for a, b in (ends_of(chart, one, RAMP),)
    }
    roads |= {road.id: road for name in sorted(set(names)) if (road := breach_road(name)) is not None}
    lines = {work.id: work for name in sorted(set(names)) if (work := line_of(name)) is not None}
    return replace(
        chart,
        crossings=chart.crossings | {one.id: one for one in new},
        roads=chart.roads | roads,
        lines=chart.lines | lines,
    )


def terrain_with(scene: Scene, names: Iterable[str]) -> Terrain:
    """The ground with the new crossings of these ids; worked out once for each set of them."""
    new = sorted(name for name in set(names) if any(form.fullmatch(name) for form in (_ID, _EARTHWORK, _BREACH)))
    if not new:
        return scene.terrain
    return scene.terrain.keep(" ".join(("with", *new)), Terrain, lambda: Terrain(bridged(scene.chart, new)))


# ------------------------------------------------------------------ who knows of them


@rule("KS-BRG-10")
def stands(feature: Feature) -> bool:
    """Whether a new bridge, barricade or breach is there, passable or not."""
    if feature.kind == "breach":
        return True
    if feature.kind in ("barricade", "earthwork"):
        return feature.state in ("barricaded", "strong")
    return feature.kind in BUILT and feature.state not in ("", "building", "removed")


def true_terrain(scene: Scene, war: War) -> Terrain:
    """The ground with all that has been built."""
    return terrain_with(scene, [name for name, feature in war.features.items() if stands(feature)])


def side_terrain(scene: Scene, war: War, side: Side) -> Terrain:
    """The ground with what a side has built itself, for its riders."""
    return terrain_with(scene, [name for name, one in war.features.items() if stands(one) and one.side == side])


@rule("KS-MOV-18")
def unit_terrain(scene: Scene, war: War, unit: Unit, via: Iterable[Point] = ()) -> Terrain:
    """The ground as a unit knows it: with the new crossings it has seen, and those its order leads it over."""
    named = [
        name
        for name, feature in war.features.items()
        if stands(feature) and any(distance(feature.at, at) <= NEAR for at in via)
    ]
    return terrain_with(scene, [*named, *(name for name, state in unit.duty.knows.items() if state != "removed")])


def mind_terrain(scene: Scene, mind: Mind) -> Terrain:
    """The ground as a commander knows it."""
    gone = ("removed", "building")
    return terrain_with(scene, [name for name, (state, _) in mind.crossings.items() if state not in gone])


def crossing_at(chart: Chart, names: Iterable[str], at: Point) -> Crossing | None:
    """The crossing, printed or of these ids, that lies at a place named."""
    every = [one for name in {*chart.crossings, *names} if (one := crossing_of(chart, name)) is not None]
    near = [(distance(one.at, at), one.id, one) for one in every if distance(one.at, at) <= NEAR]
    return min(near, key=lambda one: one[:2])[2] if near else None


@rule("KS-STR-02")
def class_of(war: War, place: Stronghold) -> str:
    """The class of a place: as the map has it, or as it has been strengthened."""
    found: str = place.defences
    for name in (place.id, place.feature):
        feature = war.features.get(name)
        state = {"barricaded": "strong"}.get(feature.state, feature.state) if feature is not None else ""
        if state in DEFENCE_CLASSES:
            found = max(found, state, key=DEFENCE_CLASSES.index)
    return found
