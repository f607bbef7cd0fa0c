"""Cover: of skirmishers who fire from it, of infantry that defends it, and of what stands behind woods and houses."""

from __future__ import annotations

from fractions import Fraction

from pbem.ground.bearing import off, opposite
from pbem.ground.plane import Point, apart, bearing, crosses, distance, dot, holds, inside, near, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.fire.lanes import Part, Watch, aim_at, front_point, shape_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Area, Barrier
from pbem.systems.kriegsspiel.scene.terrain import Terrain, closed_line
from pbem.systems.kriegsspiel.tables.fire import COVER, SHELTER_KNOWN, SHELTER_WOOD
from pbem.systems.kriegsspiel.tables.knowledge import EDGE
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.troops import Unit

BEHIND = 30
"""Paces from a hedge, wall or ditch within which troops are behind it."""

COVERING_LINES = ("hedge", "wall", "dike", "ditch", "earthwork", "sunken")
DEFENDED_LINES = ("hedge", "wall", "dike", "ditch", "earthwork", "sunken")
COVERING_AREAS = ("wood_light", "village", "town", "farm", "garden")
DEFENDED_AREAS = ("wood_light", "wood_thick", "village", "town", "farm", "garden")


def _lines(terrain: Terrain, at: Point) -> list[Barrier]:
    """The lines that a place is behind, on one side of them or the other."""
    x, y = at
    box = (x - BEHIND, y - BEHIND, x + BEHIND, y + BEHIND)
    return [
        barrier
        for barrier in terrain.chart.lines.values()
        if barrier.kind in COVERING_LINES and not apart(box, barrier.shape.box) and near(dot(at), barrier.shape, BEHIND)
    ]


@rule("KS-FIR-06")
def firer_covered(terrain: Terrain, unit: Unit, at: Point) -> bool:
    """Whether skirmishers who stand at a place fire from cover."""
    area = terrain.area(at)
    if area is not None and (
        area.kind in COVERING_AREAS or (area.kind == "wood_thick" and terrain.in_edge(area, at))
    ):  # fmt: skip
        return True
    return bool(_lines(terrain, at)) or _held_line(terrain, unit) is not None


def _held_line(terrain: Terrain, unit: Unit) -> Barrier | None:
    stronghold = terrain.chart.strongholds.get(unit.place.holds)
    return terrain.chart.lines.get(stronghold.feature if stronghold is not None else unit.place.holds)


def _held_area(terrain: Terrain, unit: Unit) -> Area | None:
    stronghold = terrain.chart.strongholds.get(unit.place.holds)
    return terrain.chart.area_of.get(stronghold.feature if stronghold is not None else unit.place.holds)


@rule("KS-COV-01")
def defends(terrain: Terrain, target: Unit, on: Part, start: Point) -> bool:
    """Whether infantry at the halt has outskirts, a wall, bank or ditch between itself and a firer at *start*."""
    on_foot = target.arm in ("infantry", "pioneers") or target.place.dismounted
    if not on_foot or target.place.moved or not is_on_map(target):
        return False
    at = front_point(target, on)
    if start == at:
        return False
    back = shifted(at, bearing(start, at), BEHIND)
    if off(target.place.facing, bearing(at, start)) <= 9000:
        held = _held_line(terrain, target)
        lines = [*_lines(terrain, at), *([held] if held is not None and held.kind in DEFENDED_LINES else [])]
        if any(crosses(line.shape, start, back) for line in lines):
            return True
    area = terrain.area(at) or _area_beside(terrain, at)
    if area is None or area.kind not in DEFENDED_AREAS or holds(area.shape, start):
        return False
    return near(dot(at), closed_line(area.shape), EDGE) or _held_area(terrain, target) is area


def _area_beside(terrain: Terrain, at: Point) -> Area | None:
    """The area on whose outline a place lies."""
    return next(
        (area for area in terrain.chart.areas if area.kind in DEFENDED_AREAS and near(dot(at), area.shape, 10)), None
    )


@rule("KS-COV-02")
def sheltered(watch: Watch, target: Unit, on: Part, start: Point) -> bool:
    """Whether a body is hidden behind a wood 200 paces wide, a village or town, or a high embankment."""
    terrain = watch.terrain
    at = aim_at(start, shape_of(target, on))
    if start == at or watch.clear(start, at, target.arm):
        return False
    deep = distance(start, at)
    for area in terrain.chart.areas:
        spans = inside(area.shape, start, at) if area.kind in DEFENDED_AREAS else []
        wide = sum((end - begin for begin, end in spans), Fraction(0)) * deep
        if spans and (area.built or (area.kind.startswith("wood") and wide >= SHELTER_WOOD)):
            return True
    return any(line.kind == "dike" and crosses(line.shape, start, at) for line in terrain.chart.lines.values())


@rule("KS-COV-02")
def knows_place(play: Play, watch: Watch, battery: Unit, target: Unit) -> bool:
    """Whether a battery knows where the sheltered are: it or its escort saw them, or it was told, within ten moves."""
    if watch.told_of(battery, target):
        return True
    since = play.move - SHELTER_KNOWN
    if any(one.body == target.key and one.last >= since for one in play.war.glimpses.get(battery.key, ())):
        return True
    order = battery.duty.fire_on
    spot = order.target.at if order is not None and order.target is not None else None
    return spot is not None and battery.duty.paper[1] >= since and distance(spot.at, target.place.at) <= 500


@rule("KS-COV-01", "KS-COV-02")
def cover_part(how: str, kind: str) -> Fraction:
    """The part of a loss that `defending` or `sheltered` troops take from that kind of fire; 1: no cover."""
    return Fraction(*COVER[how][kind]) if how else Fraction(1)


def behind(unit: Unit, far: int) -> Point:
    """A place so far behind the middle of a front."""
    return shifted(unit.place.at, opposite(unit.place.facing), far)
