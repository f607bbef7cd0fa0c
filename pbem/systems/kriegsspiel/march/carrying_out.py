"""What comes of carrying out an order for one move, and the few things that every order needs."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import is_formed
from pbem.systems.kriegsspiel.field.works_standing import true_terrain, unit_terrain
from pbem.systems.kriegsspiel.knowing.conditions import visible
from pbem.systems.kriegsspiel.mind.beliefs import AT_WILL, CLOSED, arm_of, split_by
from pbem.systems.kriegsspiel.play.play import Play, one, side_unit
from pbem.systems.kriegsspiel.scene.ways import Traveller, Way, find
from pbem.systems.kriegsspiel.tables import march as of_march
from pbem.systems.kriegsspiel.world.bodies import is_staff
from pbem.systems.kriegsspiel.world.forms import on_route, rate_class
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes import WayFound
from pbem.systems.kriegsspiel.world.troops import March, Unit, UnitPatch

THERE = 3
"""Paces from a place at which a unit is there."""


class Did(NamedTuple):
    """How an order stands after the decisions of a move."""

    state: Literal["going", "done", "failed"]
    reason: str = ""
    """Of a failure: in the words of the unit's report."""


GOING = Did("going")
DONE = Did("done")


def failed(reason: str) -> Did:
    """The order cannot be carried out."""
    return Did("failed", reason)


def stage(play: Play, unit: Unit, name: str) -> Unit:
    """Note how far an order has come."""
    duty = replace(unit.duty, stage=name, count=0, begun=play.move if unit.duty.begun < 0 else unit.duty.begun)
    play.change(unit, name, duty=duty)
    return play.unit(unit.key)


@rule("KS-MOV-22")
def in_action(play: Play, unit: Unit) -> bool:
    """Whether a unit is in action: sees an enemy formed body within 2000, or was under fire in the last five moves."""
    if on_route(unit):
        return False
    if unit.trial.under_fire >= play.move - of_march.IN_ACTION_MOVES:
        return True
    return any(far <= of_march.IN_ACTION_SIGHT and is_formed(enemy) for enemy, far, _ in visible(play, unit))


@rule("KS-MOV-22", "KS-MOV-07", "KS-ORD-03", "KS-MOV-12", "KS-MOV-14")
def row_for(play: Play, unit: Unit, rate: str = "", activity: str = "march") -> tuple[str, int]:
    """The row of the march table for what a unit does, and a cap on its cells (0: none)."""
    troops = rate_class(unit)
    if is_staff(unit):
        return "msg_after", 0
    if unit.duty.purpose == "patrol" or unit.size in ("picket10", "picket25", "post", "troop10", "troop21", "vedette"):
        foot = unit.arm == "infantry"
        cap = of_march.RECONNOITRING["infantry" if foot else "cavalry"]
        falling_back = activity == "retreat"
        return ("inf_patrol" if foot else "cav_patrol"), (0 if falling_back else cap)
    if rate:
        gait = of_march.GAITS[troops].get(rate)
        if gait is not None:
            return gait.row, gait.most or 0
    if activity == "march" and in_action(play, unit):
        activity = "in_action"
    rows = of_march.ACTIVITY_ROWS[activity]
    return rows.get(troops) or of_march.ACTIVITY_ROWS["in_action"].get(troops) or of_march.ACTIVITY_ROWS["march"][
        troops
    ], 0


@rule("KS-MOV-14")
def group_pace(play: Play, unit: Unit, order: Order) -> int:
    """The rate on even ground of the slowest of the group that a unit leads; 0: it leads none."""
    rows = of_march.ACTIVITY_ROWS["in_action" if in_action(play, unit) else "march"]
    units = [side_unit(play, unit.side, name) for name in order.units]
    rates = [
        of_march.MARCH[rows.get(rate_class(one_)) or of_march.ACTIVITY_ROWS["march"][rate_class(one_)]]["even"] or 0
        for one_ in units
        if one_ is not None and one_.place.stand != "gone"
    ]
    return min(rates, default=0)


def row_of_march(play: Play, unit: Unit, order: Order) -> tuple[str, int]:
    """The row of a march, and the cap that its group puts on it."""
    row, most = row_for(play, unit, order.rate)
    slowest = group_pace(play, unit, order)
    caps = [one_ for one_ in (most, slowest) if one_]
    return row, min(caps, default=0)


def closed_for(unit: Unit) -> frozenset[str]:
    """The crossings that a unit itself knows to be closed (KS-MOV-18)."""
    return frozenset(name for name, state in unit.duty.knows.items() if state in CLOSED)


@rule("KS-MOV-18", "KS-SIT-07", "KS-ORD-08")
def way_for(play: Play, unit: Unit, to: Point, order: Order | None = None, *, row: str = "") -> Way | None:
    """The way of a unit to a place, from what it knows itself; None: there is none."""
    start = unit.place.at
    if start == to:
        return (start,)
    row = row or row_for(play, unit, order.rate if order else "")[0]
    seen_from: tuple[tuple[Point, int], ...] = ()
    if order is not None and order.concealed:
        seen_from = tuple((enemy.place.at, 1500) for enemy, _, _ in visible(play, unit))
    who = Traveller(row, arm_of(unit.arm), closed_for(unit), seen_from=seen_from, table=play.table)
    if order is not None and order.across:
        return (start, to)
    via, roads = split_by(play.scene, order.by) if order is not None else AT_WILL
    named = tuple(spot.at for spot in order.by) if order is not None else ()
    return find(unit_terrain(play.scene, play.war, unit, named), start, to, who, via, roads)


def set_way(play: Play, unit: Unit, way: Way, row: str, most: int = 0, *, wait: int = 0, keeps: bool = False) -> None:
    """Put a unit on its way."""
    march = March(way=way, row=row, most=most, wait=wait, fast=unit.march.fast, keeps=keeps, speed=unit.march.speed)
    play.add(
        WayFound(
            unit=unit.key,
            way=way,
            rules=cited("KS-MOV-18"),
            changes=one(
                unit,
                UnitPatch(
                    march=march, duty=replace(unit.duty, begun=play.move if unit.duty.begun < 0 else unit.duty.begun)
                ),
            ),
        )
    )


def set_off(play: Play, unit: Unit, way: Way, activity: str = "march") -> None:
    """Put a unit on its way, at the rate of what it does."""
    row, most = row_for(play, unit, activity=activity)
    set_way(play, unit, way, row, most)


def set_row(play: Play, unit: Unit, row: str, most: int) -> None:
    """The row of a unit under way, where it is another now."""
    if unit.march.way and (unit.march.row, unit.march.most) != (row, most):
        play.change(unit, "rate", march=replace(unit.march, row=row, most=most))


def stop(play: Play, unit: Unit) -> None:
    """A unit stands still."""
    if unit.march.way or unit.march.wait:
        march = March(fast=unit.march.fast, row=unit.march.row)
        play.change(unit, "halts", march=march)


@rule("KS-MOV-04")
def is_at(unit: Unit, at: Point, far: int = THERE) -> bool:
    """Whether a unit stands at a place."""
    return distance(unit.place.at, at) <= far


@rule("KS-MOV-18")
def barred(play: Play, unit: Unit) -> str:
    """The id of a closed crossing right before a unit on its way; empty: none."""
    if not unit.march.way:
        return ""
    terrain = true_terrain(play.scene, play.war)
    for far, name in terrain.crossings_on(unit.march.way):
        ahead = (far - unit.march.done) // 12
        crossing = terrain.chart.crossings[name]
        if -crossing.length <= ahead <= crossing.length // 2 + 120 and play.field.crossing_state(name) in CLOSED:
            return name
    return ""


def goal(order: Order) -> Spot | None:
    """The place that an order goes to."""
    return order.to[-1] if order.to else None
