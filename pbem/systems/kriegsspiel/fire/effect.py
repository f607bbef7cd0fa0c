"""Good or bad effect of guns: what the ground between gun and target does to shot (KS-ART-04)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from pbem.ground.plane import Point, apart, between, cuts, distance, dot, line, near, through
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.eyes import sights_of
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables.fire import GOOD_GROUND, GOOD_VIEW, SAMPLES, Quality
from pbem.systems.kriegsspiel.tables.knowledge import EYES, SLOPE_STEP

LINES = ("hedge", "ditch", "wall", "dike", "sunken")


class Effect(NamedTuple):
    """Good or bad, and what makes it bad."""

    quality: Quality
    reasons: tuple[str, ...] = ()


GOOD = Effect("good")


@rule("KS-ART-04")
def effect(terrain: Terrain, gun: Point, target: Point, which: int) -> Effect:
    """The effect of a range class on the line from gun to target."""
    if gun == target:
        return GOOD
    reasons = _far_reasons(terrain, gun, target) if which == 3 else _ground_reasons(terrain, gun, target)
    return Effect("bad", tuple(reasons)) if reasons else GOOD


def _marks(start: Point, end: Point, step: int) -> list[Point]:
    long = distance(start, end)
    return [between(start, end, far, long) for far in (*range(0, long, step), long)]


@rule("KS-ART-04", "KS-MAP-04")
def _ground_reasons(terrain: Terrain, gun: Point, target: Point) -> list[str]:
    """Canister and random shot: slopes, swamp, hedges, waves of the ground between."""
    found = []
    steps = _marks(gun, target, SLOPE_STEP)
    if any(abs(terrain.slope(a, b)) > GOOD_GROUND["slope"] * 100 for a, b in pairwise(steps)):
        found.append("slope")
    swamp = sum(through(area.shape, gun, target) for area in terrain.chart.areas if area.kind == "swamp")
    if swamp > GOOD_GROUND["swamp"]:
        found.append("swamp")
    if _lines_crossed(terrain, gun, target) >= GOOD_GROUND["lines"]:
        found.append("lines")
    steep = GOOD_GROUND["undulation_slope"] * 100
    slopes = [terrain.slope(a, b) for a, b in pairwise(_marks(gun, target, SAMPLES))]
    signs = [slope > 0 for slope in slopes if abs(slope) >= steep]
    if sum(1 for a, b in pairwise(signs) if a != b) >= GOOD_GROUND["undulations"]:
        found.append("undulating")
    return found


def _lines_crossed(terrain: Terrain, gun: Point, target: Point) -> int:
    box = line((gun, target)).box
    return sum(
        len(cuts(barrier.shape, gun, target))
        for barrier in terrain.chart.lines.values()
        if barrier.kind in LINES and not apart(box, barrier.shape.box)
    )


@rule("KS-ART-04")
def _far_reasons(terrain: Terrain, gun: Point, target: Point) -> list[str]:
    """Elevation shot: swamp by the target, a steep mean slope, no view of the ground before it or behind it."""
    found = []
    if any(
        area.kind == "swamp" and near(dot(target), area.shape, GOOD_VIEW["swamp_near"]) for area in terrain.chart.areas
    ):
        found.append("swamp")
    if abs(terrain.slope(gun, target)) > GOOD_VIEW["slope"] * 100:
        found.append("slope")
    if not (_view(terrain, gun, target, before=True) or _view(terrain, gun, target, before=False)):
        found.append("view")
    return found


@rule("KS-ART-04")
def _view(terrain: Terrain, gun: Point, target: Point, *, before: bool) -> bool:
    """Whether the 200 paces of ground before the target, or behind it, lie open to the battery."""
    long = distance(gun, target)
    for far in range(SAMPLES, GOOD_VIEW["view"] + 1, SAMPLES):
        at = between(gun, target, long - far if before else long + far, long)
        if not terrain.on_board(at) or not sights_of(terrain).clear(gun, EYES["unit"], at, 0):
            return False
    return True
