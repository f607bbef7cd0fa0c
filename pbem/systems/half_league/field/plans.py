"""What a unit sets out to do by an order: the legs of its way, and what forbids them (HL-MOV)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, FULL, off, opposite, turned
from pbem.ground.body import about
from pbem.ground.plane import Point, bearing, distance
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.roads import ROAD_FORMATIONS, on_road, road_ahead
from pbem.systems.half_league.tables.printed import FORWARD
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.pieces import Unit


class Leg(NamedTuple):
    """A straight piece of a move: its bearing and its length; *turn*: the body turns to the bearing first."""

    bearing: int
    far: int
    turn: bool = True


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """What a unit sets out to do.

    *most*: the most that it is to walk.  *one_die*: retiring, turning about, going sideways.  *free_wheels*: turns cost
    nothing.  *target*: of a charge, the enemy to be touched.  *apart*: enemies that bar a reinforcement move.
    """

    legs: tuple[Leg, ...]
    most: int | None = None
    one_die: bool = False
    road: bool = False
    charging: bool = False
    apart: tuple[str, ...] = ()
    unpaid: bool = False
    """No dice are thrown for it: it goes all the way, where nothing bars it."""
    exit_at: Point | None = None
    """Where the unit leaves the map on purpose: the edge does not stop it there."""


def straight(way: int, far: int) -> Leg:
    """A leg on a bearing, the facing kept."""
    return Leg(turned(way, 0), far, turn=False)


def turn_to(way: int) -> Plan:
    """A turn on the spot, for which no dice are thrown."""
    return Plan(legs=(Leg(way, 0),), one_die=True, unpaid=True)


def way_of(unit: Unit, order: say.Move) -> tuple[Point, ...]:
    """The points of a move, its start first; of `move S 8` none but the start."""
    return (unit.front, *order.points)


@rule("HL-MOV-06")
def legs_of(unit: Unit, order: say.Move) -> tuple[Leg, ...]:
    """The legs of a move; the facing at its end is one of no length."""
    last = () if order.facing is None else (Leg(order.facing, 0),)
    if order.bearing is not None:
        return (Leg(order.bearing, order.far or 0), *last)
    return (*(Leg(bearing(a, b), distance(a, b)) for a, b in pairwise(way_of(unit, order)) if a != b), *last)


@rule("HL-MOV-06")
def wrong_turn(field: Field, unit: Unit, legs: Sequence[Leg]) -> str:
    """What forbids a way: a leg that is not forward, too many legs, too much of turning; empty: nothing.

    A leg of no length is the facing at the end.
    """
    wheel = field.charts.wheel
    now, total = unit.bearing, 0
    for number, leg in enumerate(legs, start=1):
        aside = off(now, leg.bearing)
        if aside > FORWARD * DEGREE:
            return "last" if not leg.far else "first" if number == 1 else "leg"
        total, now = total + aside, leg.bearing
    if sum(leg.far > 0 for leg in legs) > wheel.legs:
        return "legs"
    return "turns" if total > wheel.turns * DEGREE else ""


@rule("HL-MOV-08")
def prolongs(unit: Unit, order: say.AnyUnitOrder) -> bool:
    """Whether an order moves a unit as it may be moved: guns in battery keep their facing, and go back or forward."""
    marches = isinstance(order, say.Move | say.FollowRoad | say.Wheel | say.Shift)
    return not unit.unlimbered or not (marches or (isinstance(order, say.About) and order.far))


@rule("HL-MOV-13")
def leaves_by(field: Field, unit: Unit, place: str) -> bool:
    """Whether a unit that is ordered to a place may leave the field there: infantry of the side whose exit it is."""
    scene = field.scene
    return bool(place) and place == scene.exit_place and unit.side == scene.exit_side and unit.type == "infantry"


def plan_for(field: Field, unit: Unit, order: say.Activity) -> tuple[Unit, Plan] | None:
    """A unit (turned about, if the order says so) and what it sets out to do; None: no walk belongs to the order."""
    match order:
        case say.Move():
            legs = legs_of(unit, order)
            way = (unit.front, *order.points) if order.points else ()
            road = unit.formation in ROAD_FORMATIONS and bool(way) and on_road(field, way)
            exit_at = order.points[-1] if leaves_by(field, unit, order.place) and order.points else None
            return unit, Plan(legs=legs, most=order.far, road=road, exit_at=exit_at)
        case say.FollowRoad():
            way = road_ahead(field, unit)
            legs = tuple(Leg(bearing(a, b), distance(a, b)) for a, b in pairwise((unit.front, *way)) if a != b)
            about_face = bool(legs) and off(unit.bearing, legs[0].bearing) > FORWARD * DEGREE
            return unit, Plan(legs=legs, most=order.far, road=True, one_die=about_face)
        case say.Wheel():
            way_to = turned(unit.bearing, order.by)
            return unit, Plan(legs=(Leg(way_to, order.far),), one_die=abs(order.by) > FORWARD * DEGREE)
        case say.About() if order.far:
            body = about(field.body(unit))
            faced = replace(unit, front=body.at, bearing=body.facing)
            return faced, Plan(legs=(straight(body.facing, order.far),), one_die=True)
        case say.Retire():
            return unit, Plan(legs=(straight(opposite(unit.bearing), order.far),), one_die=True)
        case say.Shift():
            side = FULL // 4 if order.hand == "right" else -FULL // 4
            return unit, Plan(legs=(straight(unit.bearing + side, order.far),), one_die=True)
        case say.Prolong():
            return unit, Plan(legs=(straight(order.bearing, order.far),), one_die=True)
    return None
