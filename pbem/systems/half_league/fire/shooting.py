"""Whom a unit fires at, and with how many stands: range, arc, sight and priority (HL-FIR-02, HL-FIR-05)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.body import in_arc
from pbem.ground.plane import Point, gap, near, reaches
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.may import may_fire
from pbem.systems.half_league.field.sight import Looking, points_of
from pbem.systems.half_league.tables import combat as table
from pbem.systems.half_league.world.pieces import Unit

Sub = Literal["artillery", "small_arms"]


class Aim(Struct, frozen=True):
    """What a unit could fire at: which of its stands, how far off, and of what priority (0 is the first)."""

    target: str
    stands: tuple[int, ...]
    far: int
    priority: int


class Shot(Struct, frozen=True):
    """So many stands of a unit at one target; *gunners* of two dice each are at canister range."""

    target: str
    stands: int
    far: int
    priority: int
    dice: int
    bombards: bool = False


@rule("HL-FIR-04", "HL-FIR-09")
def long_range(field: Field, unit: Unit, *, bombards: bool = False) -> int:
    """How far a unit fires."""
    if bombards:
        return field.charts.ranges["bombardment"]
    return field.charts.ranges["artillery" if unit.arm == "gun" else unit.arm]


@rule("HL-FIR-04")
def is_short(far_squared: tuple[int, int], long: int) -> bool:
    """Whether a distance, as the square *number* / *by*, is within short range."""
    number, by = far_squared
    return number * table.SHORT_SHARE[1] ** 2 <= (long * table.SHORT_SHARE[0]) ** 2 * by


@rule("HL-FIR-01", "HL-FIR-02", "HL-FIR-06")
def able(unit: Unit, sub: Sub) -> bool:
    """Whether a unit fires in a sub-phase at all: it is in order, and it has what fires then."""
    return may_fire(unit) and (unit.arm == "gun") == (sub == "artillery")


@rule("HL-FIR-05")
def priority(field: Field, unit: Unit, enemy: Unit) -> int:
    """Of which class an enemy is as a target: 0 charging this unit, 1 firing at it, 2 advancing on it, 3 any other."""
    if enemy.charge_target == unit.id:
        return table.PRIORITIES.index("charging")
    if unit.id in enemy.fired_at or unit.id in enemy.fired_before:
        return table.PRIORITIES.index("firing")
    return table.PRIORITIES.index("advancing" if _advances(field, unit, enemy) else "nearest")


@rule("HL-FIR-05")
def _advances(field: Field, unit: Unit, enemy: Unit) -> bool:
    """Whether an enemy ended its move an inch nearer or more, with the unit in its front arc."""
    if enemy.began is None or enemy.began == enemy.front or not field.ahead(enemy, unit):
        return False
    shape = field.shape(unit)
    before = field.shape(replace(enemy, front=enemy.began, bearing=enemy.began_bearing))
    return gap(before, shape).far - gap(field.shape(enemy), shape).far >= table.ADVANCED_BY


@rule("HL-GEO-03", "HL-LOS-01", "HL-FIR-02")
def bears(field: Field, unit: Unit, stand: tuple[Point, int], target: Unit, far: int) -> bool:
    """Whether a stand of a unit, at a place and looking on a bearing, has range, arc and sight to a target."""
    (at, way), shape = stand, field.shape(target)
    if not reaches(at, shape, far):
        return False
    looking, half = Looking(field, at, unit, target), table.ARC * DEGREE
    return any(in_arc(at, way, aim, half) and looking.clear(aim) for aim in points_of(shape, at))


@rule("HL-FIR-02", "HL-FIR-11")
def aims(field: Field, unit: Unit, *, bombards: bool = False) -> list[Aim]:
    """All that a unit could fire at; leaders never."""
    stands = field.firing_stands(unit)
    if not stands:
        return []
    far = long_range(field, unit, bombards=bombards)
    shape, found = field.shape(unit), []
    for enemy in field.enemies(unit.side):
        if not near(shape, field.shape(enemy), far):
            continue
        # The gunners of one gun stand at one place: what one of them can do, the other can.
        able_at = {stand: bears(field, unit, stand, enemy, far) for stand in dict.fromkeys(stands)}
        numbers = tuple(number for number, stand in enumerate(stands) if able_at[stand])
        if numbers:
            found.append(Aim(enemy.id, numbers, field.gap(unit, enemy), priority(field, unit, enemy)))
    return found


@dataclass
class Wish:
    """What an order says: targets by their ids, and how many stands each (0: all that can)."""

    targets: Sequence[tuple[str, int]] = ()
    dropped: tuple[str, ...] = ()
    """Of those, the targets of a lower class than another that could be fired at."""


@rule("HL-FIR-05", "HL-FIR-09")
def shots(field: Field, unit: Unit, wish: Wish) -> list[Shot]:
    """How a unit's stands are told off to targets; fills in what of the wish is dropped."""
    found = {aim.target: aim for aim in aims(field, unit)}
    if not found:
        return []
    best = min(aim.priority for aim in found.values())
    wish.dropped = tuple(name for name, _ in wish.targets if name in found and found[name].priority > best)
    taken: dict[int, str] = {}
    for name, count in wish.targets:
        if name not in found or name in wish.dropped:
            continue
        free = [stand for stand in found[name].stands if stand not in taken]
        others = [aim for aim in found.values() if aim.target != name]
        # Stands that bear on nothing else first: the others may be wanted for the next target.
        free.sort(key=lambda stand: (sum(stand in aim.stands for aim in others), stand))
        for stand in free[: count or len(free)]:
            taken[stand] = name
    order = sorted(found.values(), key=lambda aim: (aim.priority, aim.far, aim.target))
    for stand in sorted({number for aim in order for number in aim.stands}):
        if stand not in taken:
            taken[stand] = next(aim.target for aim in order if stand in aim.stands)
    canister = field.charts.ranges["canister"]
    fired = []
    for aim in order:
        count = sum(name == aim.target for name in taken.values())
        if count:
            close = unit.guns and field.within(unit, field.unit(aim.target), canister)
            dice = count * table.CANISTER_DICE if close else count
            fired.append(Shot(aim.target, count, aim.far, aim.priority, dice))
    return fired


@rule("HL-FIR-10")
def stood_still(unit: Unit) -> bool:
    """Whether a unit has stood still for three whole turns, and in this one."""
    return unit.stationary_turns >= table.STATIONARY_TURNS and not unit.stirred


@rule("HL-FIR-10")
def bombardment(field: Field, unit: Unit, target: Unit | None) -> Shot | str:
    """A bombardment of a target, or the code of what forbids it."""
    if target is None or not target.there:
        return "target_unknown"
    if unit.type != "foot_artillery" or not unit.unlimbered:
        return "not_able"
    if not (stood_still(unit) and stood_still(target)):
        return "not_stationary"
    artillery, most = field.charts.ranges["artillery"], field.charts.ranges["bombardment"]
    if field.within(unit, target, artillery - 1) or not field.within(unit, target, most):
        return "out_of_range"
    if any(aim.priority < table.PRIORITIES.index("nearest") for aim in aims(field, unit)):
        return "lower_priority"
    aim = next((one for one in aims(field, unit, bombards=True) if one.target == target.id), None)
    if aim is None:
        return "not_eligible"
    return Shot(aim.target, len(aim.stands), aim.far, aim.priority, len(aim.stands), bombards=True)
