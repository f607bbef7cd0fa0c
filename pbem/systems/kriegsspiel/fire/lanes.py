"""Who stands where for fire: fronts and chains, what is seen, and what stands in the line of fire (KS-FIR-07)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Literal

from pbem.ground.bearing import off, opposite
from pbem.ground.body import Body, lane
from pbem.ground.plane import Point, Shape, apart, bearing, distance, dot, gap, near, nearest, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.eyes import sights_of
from pbem.systems.kriegsspiel.field.field import Field, outline
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.knowing.sighting import Eye, Scan, observers
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables.fire import LANE, OVER_HEADS
from pbem.systems.kriegsspiel.tables.formation import FORMATIONS
from pbem.systems.kriegsspiel.tables.knowledge import EYES, SIGHTING, TOPS
from pbem.systems.kriegsspiel.world.bodies import is_afloat, is_post, is_staff
from pbem.systems.kriegsspiel.world.forms import all_skirmish, zugs_of
from pbem.systems.kriegsspiel.world.troops import Unit

Part = Literal["line", "chain"]
"""The close-ordered body, or the skirmishers before it."""

CHAIN_DEPTH = 10
"""Paces of ground that the chain itself takes; its supports are further back (KS-FRM-09)."""


def parts_of(unit: Unit) -> tuple[Part, ...]:
    """What of a unit can be fired at."""
    if all_skirmish(unit):
        return ("chain",)
    return ("line", "chain") if zugs_of(unit) else ("line",)


@rule("KS-FRM-09", "KS-MAP-03")
def front_point(unit: Unit, part: Part) -> Point:
    """The middle of the front edge of a body, or of its chain."""
    if part == "chain" and not all_skirmish(unit):
        return shifted(unit.place.at, unit.place.facing, unit.strength.chain.ahead)
    return unit.place.at


@rule("KS-FRM-02", "KS-FRM-09")
def shape_of(unit: Unit, part: Part) -> Shape:
    """The ground that a body, or its chain, covers."""
    if part == "line":
        return outline(unit)
    front = FORMATIONS["skirmish_order"].front[0] * zugs_of(unit) // 2
    return Body(front_point(unit, "chain"), unit.place.facing, max(front, 1), CHAIN_DEPTH).shape


@rule("KS-MAP-03")
def range_between(at: Point, shape: Shape) -> int:
    """From the middle of the firing front edge to the nearest point of the outline fired at."""
    return gap(dot(at), shape).far


def aim_at(at: Point, shape: Shape) -> Point:
    """The nearest point of an outline."""
    return nearest(shape, at)


@rule("KS-FIR-02", "KS-ART-06")
def turn_to(unit: Unit, at: Point, aim: Point) -> int:
    """By how many hundredths of a degree a target lies off the front."""
    return off(unit.place.facing, bearing(at, aim)) if at != aim else 0


class Watch:
    """Who sees whom at the end of movement; each unit looks once."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.terrain: Terrain = true_terrain(play.scene, play.war)
        self._seen: dict[str, dict[str, int]] = {}

    @cached_property
    def _scan(self) -> Scan:
        return Scan(self.play, self.play.war)

    @cached_property
    def _eyes(self) -> dict[str, Eye]:
        return {eye.name: eye for eye in observers(self.play.war)}

    def sees(self, unit: Unit) -> dict[str, int]:
        """The keys of the enemy bodies that a unit sees, and how far each is; an officer of the staff is no target."""
        found = self._seen.get(unit.key)
        if found is None:
            eye = self._eyes.get(unit.key)
            seen = self._scan.seen(eye) if eye is not None else ()
            found = {enemy.key: far for enemy, far, _ in seen if not is_staff(enemy)}
            self._seen[unit.key] = found = found | self._boats(unit)
        return found

    @rule("KS-BOT-05")
    def _boats(self, unit: Unit) -> dict[str, int]:
        """The loads afloat that a unit sees."""
        at = unit.place.at
        return {
            enemy.key: far
            for enemy in self.play.field.enemies(unit.side)
            if is_afloat(enemy)
            and (far := distance(at, enemy.place.at)) <= SIGHTING["arm"]["formed"]
            and self.clear(at, enemy.place.at, enemy.arm)
        }

    @rule("KS-SIT-03")
    def clear(self, at: Point, aim: Point, arm: str) -> bool:
        """Whether nothing of the ground hides a body of that arm at *aim*."""
        return sights_of(self.terrain).clear(at, EYES["unit"], aim, TOPS.get(arm, TOPS["infantry"]))

    @rule("KS-FIR-07")
    def told_of(self, unit: Unit, target: Unit) -> bool:
        """Whether the crew of a battery, or its escort, sees a body."""
        if target.key in self.sees(unit):
            return True
        return any(target.key in self.sees(friend) for friend in escorts(self.play.field, unit))


@rule("KS-BAT-06")
def escorts(field: Field, battery: Unit) -> Iterator[Unit]:
    """The units that cover a battery: ordered to, and within 200 paces of it."""
    for unit in field.units(battery.side):
        order = unit.duty.order
        if order is not None and order.verb == "cover" and order.unit == battery.id and field.gap(unit, battery) <= 200:
            yield unit


@rule("KS-FIR-07")
def in_the_way(
    field: Field, firer: Unit, part: Part, target: Unit, on: Part, *, guns: bool, but: Collection[str] = ()
) -> str:
    """The key of a body in the lane to a target, *but* those that do not matter; empty: it is free.

    Over troops at least 10 paces lower than the firer, and nearer to it or to the target than half the range, may be
    fired.  An enemy chain stops no guns; for infantry it is itself the target.
    """
    at = front_point(firer, part)
    aim = aim_at(at, shape_of(target, on))
    far = distance(at, aim)
    if far <= LANE:
        return ""
    free = lane(at, _short(at, aim, far), LANE)
    lower, (number, by) = OVER_HEADS
    height = field.terrain.height(at) - lower * 100
    for unit in field.units():
        if is_post(unit) or unit.key in but:
            continue
        for piece in parts_of(unit):
            if (unit.key == firer.key and (piece == "line" or piece == part or not unit.strength.chain.ahead)) or (
                unit.key == target.key and (piece == on or piece == "line")
            ):
                continue
            if guns and piece == "chain" and unit.side != firer.side:
                continue
            shape = shape_of(unit, piece)
            if apart(free.box, shape.box) or not near(free, shape, 0):
                continue
            there = front_point(unit, piece)
            close = min(gap(dot(at), shape).far, gap(dot(aim), shape).far)
            if field.terrain.height(there) <= height and close * by < far * number:
                continue
            return unit.key
    return ""


def _short(at: Point, aim: Point, far: int) -> Point:
    """The end of the lane, short of the target, so that what stands beside the target is not in it."""
    return shifted(aim, opposite(bearing(at, aim)), LANE) if far > 2 * LANE else aim
