"""The map with what stands on it now: bodies, outlines, distances, who is near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from pbem.ground.bearing import UNIT, bearing_of, cosine, opposite, sine
from pbem.ground.body import Body
from pbem.ground.plane import Box, Point, Shape, apart, bearing, distance, gap, line, near, shifted, widened
from pbem.ground.way import length, part
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.world.bodies import is_battalion, is_in_play, is_lost, is_on_map, is_worn_out
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.forms import depth_of, front_of, is_column
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import ENEMY, Side, Unit


def terrain_of(scene: Scene) -> Terrain:
    """The ground of a scenario, worked out once."""
    return scene.terrain


class Field:
    """A view of the truth; made anew whenever the truth changes, and cheap."""

    def __init__(self, scene: Scene, war: War) -> None:
        self.scene, self.war = scene, war
        self.terrain = terrain_of(scene)
        self._units: dict[tuple[Side | None, bool], Sequence[Unit]] = {}
        """Who is there, of a side or of both, formed bodies alone or all, as far as it was asked."""

    # -------------------------------------------------------------- bodies

    def shape(self, unit: Unit) -> Shape:
        """Its outline: of a column on the march the way behind its head, of all others their rectangle."""
        return outline(unit)

    def gap(self, one: Unit, other: Unit) -> int:
        """Paces between the outlines of two units."""
        return gap(self.shape(one), self.shape(other)).far

    @rule("KS-MAP-03")
    def within(self, one: Unit, other: Unit, far: int) -> bool:
        """Whether the outlines of two units are at most *far* paces apart: of those far off no more is measured."""
        return comes_within(self.shape(one), self.shape(other), far)

    @rule("KS-MAP-03", "KS-ODD-03")
    def range_to(self, firer: Unit, target: Unit) -> int:
        """From the middle of the firing front edge to the nearest point of the target's outline."""
        return gap(Shape((firer.place.at,)), self.shape(target)).far

    def from_point(self, at: Point, unit: Unit) -> int:
        """Paces from a place to the nearest point of a unit."""
        return gap(Shape((at,)), self.shape(unit)).far

    # -------------------------------------------------------------- who is there

    def units(self, side: Side | None = None, *, formed: bool = False) -> Sequence[Unit]:
        """The units on the map, in the order of their keys; *formed*: formed bodies alone."""
        found = self._units.get((side, formed))
        if found is None:
            found = self._units[side, formed] = [
                unit
                for _, unit in sorted(self.war.units.items())
                if is_in_play(unit) and side in (None, unit.side) and (not formed or is_formed(unit))
            ]
        return found

    def enemies(self, side: Side, *, formed: bool = False) -> Sequence[Unit]:
        """The units of the other side on the map."""
        return self.units(ENEMY[side], formed=formed)

    def near(self, at: Point, far: int, side: Side, *, formed: bool = False) -> list[Unit]:
        """The units of a side within *far* paces of a place, the nearest first."""
        spot = Shape((at,))
        found = [
            (gap(spot, shape).far, unit.key, unit)
            for unit in self.units(side, formed=formed)
            if near(spot, shape := self.shape(unit), far)
        ]
        return [unit for _, _, unit in sorted(found, key=lambda one: one[:2])]

    def nearest_enemy(self, at: Point, side: Side, *, formed: bool = True) -> tuple[int, Unit] | None:
        """The nearest unit of the other side, and how far it is."""
        spot, best = Shape((at,)), None
        for unit in self.enemies(side, formed=formed):
            if best is None or near(spot, self.shape(unit), best[0]):
                far = self.from_point(at, unit)
                best = (far, unit) if best is None or far < best[0] else best
        return best

    @rule("KS-CMD-02")
    def present(self, person: Person, unit: Unit, far: int) -> bool:
        """Whether a person is within *far* paces of a unit: front edge to person, or its outline (KS-CMD-02)."""
        return is_on_map(unit) and (
            distance(person.at, unit.place.at) <= far or comes_within(Shape((person.at,)), self.shape(unit), far)
        )

    def crossing_state(self, name: str) -> str:
        """The true state of a crossing."""
        feature = self.war.features.get(name)
        if feature is not None and feature.state:
            return feature.state
        crossing = self.scene.chart.crossings.get(name)
        return crossing.state if crossing is not None else "intact"


def round_about(box: Box, far: int, units: Iterable[Unit]) -> list[Unit]:
    """Those whose outline may lie within so much of a box: whoever is asked about at each step asks this first."""
    west, south, east, north = widened(box, far)
    found = []
    for unit in units:
        left, low, right, high = outline(unit).box
        if left <= east and right >= west and low <= north and high >= south:
            found.append(unit)
    return found


@rule("KS-MAP-03")
def comes_within(one: Shape, other: Shape, far: int) -> bool:
    """Whether one shape is at most *far* whole paces from another."""
    return not apart(one.box, other.box, far) and gap(one, other).far <= far


def body_of(unit: Unit) -> Body:
    """The rectangle of a unit."""
    return _body(unit.place.at, unit.place.facing, max(front_of(unit), 1), max(depth_of(unit), 1))


_body = lru_cache(maxsize=4096)(Body)
_trail = lru_cache(maxsize=4096)(line)


@rule("KS-MOV-19")
def outline(unit: Unit) -> Shape:
    """The outline of a unit: a column on the march is the way behind its head, any other body its rectangle."""
    kept = unit.__dict__
    if "outline" not in kept:
        column = is_column(unit) and len(unit.place.trail) > 1
        kept["outline"] = _trail(unit.place.trail) if column else body_of(unit).shape
    shape: Shape = kept["outline"]
    return shape


def trail_behind(unit: Unit) -> tuple[Point, ...]:
    """The way behind the head of a column, straight back from its facing where it has not marched."""
    deep = depth_of(unit)
    trail = unit.place.trail if len(unit.place.trail) > 1 else (unit.place.at,)
    long = length(trail)
    if long < deep:
        tail = trail[-1]
        back = bearing(trail[-2], tail) if len(trail) > 1 and trail[-2] != tail else opposite(unit.place.facing)
        trail = (*trail, shifted(tail, back, deep - long))
    return part(trail, 0, deep)


@rule("KS-TUR-04", "KS-ATK-01")
def fightable(enemy: Unit) -> bool:
    """Whether there is anybody left to attack."""
    return is_on_map(enemy) and not is_lost(enemy)


@rule("KS-BRG-09", "KS-BOT-05", "KS-STR-07")
def under_canister(unit: Unit, move: int) -> bool:
    """Whether canister fell on a body in that move, of good effect or of bad."""
    return move in unit.trial.canister or any(when == move for when, _ in unit.trial.canister_from)


@rule("KS-SIT-02")
def is_formed(unit: Unit) -> bool:
    """Half battalion, squadron, half battery or more, in fighting state of some kind (KS-SIT-02)."""
    if is_worn_out(unit) or not is_on_map(unit):
        return False
    match unit.arm:
        case "infantry":
            return unit.strength.blocks > 0 and is_battalion(unit) and unit.strength.tw > 0
        case "cavalry":
            return unit.size == "squadron" and unit.strength.tw > 0
        case "artillery":
            return unit.strength.guns >= 2
        case "pioneers" | "train":
            return False
        case other:
            assert_never(other)


def half_battalions(unit: Unit) -> Fraction:
    """A unit's strength in half battalions without regard to losses (KS-ORG-05): 450 men, a squadron, 4 guns."""
    match unit.arm:
        case "infantry" | "pioneers":
            return Fraction(unit.strength.men_tw, 5400)
        case "cavalry":
            return Fraction(unit.strength.tw, 1800)
        case "artillery" | "train":
            return Fraction(0)
        case other:
            assert_never(other)


def toward(start: Point, end: Point) -> int:
    """The bearing from one place to another; north where they are the same."""
    return bearing_of(end.x - start.x, end.y - start.y) if start != end else 0


def along_and_aside(one: Unit, other: Unit) -> tuple[int, int]:
    """How far another body's front lies before the front of one (below 0: behind), and to its right."""
    x, y = other.place.at.x - one.place.at.x, other.place.at.y - one.place.at.y
    way = one.place.facing
    return (x * sine(way) + y * cosine(way)) // UNIT, (x * cosine(way) - y * sine(way)) // UNIT
