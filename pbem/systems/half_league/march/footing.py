"""What the ground and the lines on the map allow: how many dice a unit has there, and where it may not go (HL-MOV)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.ground.plane import Point, crosses, cuts, holds, reaches, to_shape
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.tables.charts import Ground, mover
from pbem.systems.half_league.world.pieces import Unit


@rule("HL-MOV-02")
def grounds(field: Field, at: Point, on: Point | None) -> list[tuple[Ground, str]]:
    """The kinds of ground at a place, with their names, on the way *on* from there."""
    kinds: dict[str, Ground] = {"woods": "woods", "rough": "rough", "town": "town"}
    found: list[tuple[Ground, str]] = [
        (kinds[area.kind], area.name) for area in field.scene.areas if area.kind in kinds and holds(area.shape, at)
    ]
    if on is not None:
        found += climbed(field, at, on)
    return found or [("open", "")]


def climbed(field: Field, at: Point, on: Point) -> list[tuple[Ground, str]]:
    """The high hills that one goes up on the way from *at* to *on*."""
    found: list[tuple[Ground, str]] = []
    for hill in field.scene.high_hills:
        if holds(hill.base, at):
            here, there = to_shape(at, hill.crest), to_shape(on, hill.crest)
            if there.number * here.by < here.number * there.by:
                found.append(("high_hill", hill.name))
    return found


@rule("HL-MOV-02", "HL-MOV-03")
def dice_on(field: Field, unit: Unit, kinds: Iterable[tuple[Ground, str]]) -> tuple[int, str]:
    """How many dice the worst of these kinds of ground gives a unit, and its name."""
    row = field.charts.movement[unit.type][unit.formation]
    return min(((row[kind], name or kind) for kind, name in kinds), key=lambda one: one[0])


def alike(field: Field, at: Point, most: int, *, climbs: bool) -> int:
    """How far round a place, up to *most*, the ground is the same, and no line is come to.

    *climbs*: it matters whether one goes up or down.
    """
    if climbs and any(holds(hill.base, at) for hill in field.scene.high_hills):
        return 0
    for edge in field.scene.bounds:
        if reaches(at, edge, most):
            most = to_shape(at, edge).far
    return most


@rule("HL-GEO-01", "HL-MOV-09")
def stays_short(field: Field, front: Point, there: Point) -> bool:
    """Whether a place beside a front centre lies beyond no line, and in no ground, that this is short of."""
    scene = field.scene
    beyond = any(share > 0 for one in scene.obstacles for share in cuts(one.shape, front, there))
    return not beyond and all(holds(one.shape, front) for one in scene.areas if holds(one.shape, there))


@rule("HL-MOV-09", "HL-FRM-03")
def may_go(field: Field, unit: Unit, start: Point, end: Point) -> bool:
    """Whether a front centre may go from one place to another at all: no ground or line between bars the unit."""
    never = [
        one
        for one in field.scene.obstacles
        if field.charts.crossing[one.kind][mover(unit.type, unit.formation)] == "never"
    ]
    if any(crosses(one.shape, start, end) for one in never):
        return False
    burning = any(field.burns(one) and holds(one.shape, end) for one in field.scene.areas)
    return not burning and dice_on(field, unit, grounds(field, end, None))[0] > 0
