"""A group deploys in one line or two: each unit to its place, the middle first, then outwards (KS-CMD-12)."""

from __future__ import annotations

from typing import assert_never

from pbem.ground.bearing import FULL
from pbem.ground.plane import Point, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.march.carrying_out import DONE, GOING, Did, is_at, set_off, stage, stop, way_for
from pbem.systems.kriegsspiel.march.forming import bearing_of, begin_change, formed
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.tables.formation import GROUP_DISTANCES
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.forms import DEPLOYED
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.troops import Unit

LINE_DISTANCE = {"infantry": 200, "cavalry": 500}


def _front(unit: Unit, formation: str) -> int:
    match unit.arm:
        case "infantry":
            if formation == "attack_column":
                return 75
            return 250 if unit.size == "battalion" else 125
        case "cavalry":
            return 100
        case "artillery" | "pioneers" | "train":
            return 200 if unit.size == "battery" else 100
        case other:
            assert_never(other)


def _gap(unit: Unit, formation: str, interval: int | None) -> int:
    if interval is not None and unit.arm != "cavalry":
        return interval
    if unit.arm == "infantry" and formation == "attack_column":
        return GROUP_DISTANCES["between_columns"][0]
    return interval or 0


@rule("KS-CMD-12", "KS-FRM-10")
def places(units: list[Unit], order: Order, at: Point, facing: int) -> dict[str, Point]:
    """Where each unit of a group stands: the middle of its front, by key."""
    reserve = [unit for unit in units if unit.id == order.unit]
    guns = [unit for unit in units if unit.arm == "artillery"]
    troops = [unit for unit in units if unit not in guns and unit not in reserve]
    two = "two lines" in order.manner
    half = (len(troops) + 1) // 2 if two else len(troops)
    first, second = troops[:half], troops[half:]
    arm = troops[0].arm if troops else "infantry"
    deep = order.second or LINE_DISTANCE.get(arm, 200)
    found = _line(first, guns, order, at, facing) if first or guns else {}
    back = (facing + FULL // 2) % FULL
    if second:
        found |= _line(second, [], order, shifted(at, back, deep), facing)
    for unit in reserve:
        found[unit.key] = shifted(at, back, deep * (2 if two else 1))
    return found


def _line(units: list[Unit], guns: list[Unit], order: Order, at: Point, facing: int) -> dict[str, Point]:
    formation = order.formation or ""
    row: list[Unit] = []
    side = {"guns left": "left", "guns right": "right"}
    where = next((side[name] for name in side if name in order.manner), "centre")
    odd = len(units) % 2 == 1
    for i, unit in enumerate(units):
        # Middle first when the number is odd, then right, left, right … outwards.
        right = (i % 2 == 1) if odd else (i % 2 == 0)
        row = [*row, unit] if i == 0 or right else [unit, *row]
    middle = len(row) // 2
    if where == "left":
        row = [*guns, *row]
    elif where == "right":
        row = [*row, *guns]
    else:
        row = [*row[:middle], *guns, *row[middle:]]
    fronts = [_front(unit, formation) for unit in row]
    gaps = [_gap(unit, formation, order.number) for unit in row[:-1]]
    whole = sum(fronts) + sum(gaps)
    found: dict[str, Point] = {}
    along = -whole
    for unit, front, gap in zip(row, fronts, [*gaps, 0], strict=True):
        centre = along + front
        found[unit.key] = (
            shifted(at, (facing + 9000) % FULL, centre // 2)
            if centre >= 0
            else shifted(at, (facing + 27000) % FULL, -centre // 2)
        )
        along += 2 * (front + gap)
    return found


@rule("KS-CMD-12", "KS-FRM-05")
def do_deploy(play: Play, unit: Unit, order: Order) -> Did:
    """One unit of the group: to its place, and there into its formation."""
    if unit.change is not None:
        return GOING
    if unit.duty.stage == "forming":
        return formed(unit, order)
    group = order.units or (unit.id,)
    units = [found for name in group if (found := side_unit(play, unit.side, name)) is not None and is_on_map(found)]
    at = order.to[-1].at if order.to else unit.place.at
    facing = bearing_of(unit, order.facing)
    there = places(units, order, at, facing).get(unit.key, unit.place.at)
    if not is_at(unit, there, 5):
        if unit.duty.stage != "deploying" or not unit.march.way:
            way = way_for(play, unit, there)
            if way is None or len(way) < 2:
                return DONE
            unit = stage(play, unit, "deploying")
            set_off(play, unit, way, "in_action")
        return GOING
    stop(play, unit)
    unit = play.unit(unit.key)
    to = order.formation or DEPLOYED[unit.arm]
    limber = False if unit.arm == "artillery" else None
    if begin_change(play, unit, to, facing, limber=limber):
        stage(play, play.unit(unit.key), "forming")
        return GOING
    return DONE
