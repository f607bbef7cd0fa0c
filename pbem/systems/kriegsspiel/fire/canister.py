"""Step 6 of a move: troops under good canister stand it or retire (KS-ATK-04)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import Point, bearing, distance, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.command import may_command
from pbem.systems.kriegsspiel.field.eyes import sights_of
from pbem.systems.kriegsspiel.field.field import is_formed
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.knowledge import sees_own
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.play.review import AS_IT_STANDS, reviewed
from pbem.systems.kriegsspiel.scene.terrain import cell
from pbem.systems.kriegsspiel.tables.fire import RANGE_CLASSES
from pbem.systems.kriegsspiel.tables.knowledge import EYES, TOPS
from pbem.systems.kriegsspiel.tables.march import GAITS
from pbem.systems.kriegsspiel.world.bodies import is_beaten, is_fresh
from pbem.systems.kriegsspiel.world.forms import all_skirmish, rate_class
from pbem.systems.kriegsspiel.world.outcomes import UnitHalted
from pbem.systems.kriegsspiel.world.outcomes_fire import CanisterTested, FireResolved
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Unit, UnitPatch

HALF_BATTERY = 4
"""Guns from which canister makes troops give way."""

STEP = 50
"""Paces at which the way back is looked at."""

TURN_ABOUT = 2
"""Ticks of a turn about (KS-ATK-02)."""


@rule("KS-ATK-04", "KS-BAT-07")
def canister_tests(play: Play) -> None:
    """Who was under good canister of a half battery or more in this move, in the order of the units' ids."""
    shots = [
        fact
        for fact in play.facts
        if isinstance(fact, FireResolved) and fact.move == play.move and fact.shot == "canister"
    ]
    answered = {fact.target for fact in shots}
    good: dict[str, list[FireResolved]] = {}
    for fact in shots:
        on_line = any(name == "line" for name, _ in fact.parts)
        if fact.quality == "good" and on_line and fact.firer not in answered:
            good.setdefault(fact.target, []).append(fact)
    tested: set[str] = set()
    for key in sorted(good, key=lambda name: (name.split(":", 1)[1], name)):
        unit, facts = play.war.units.get(key), good[key]
        guns = sum(_guns(play, firer) for firer in dict.fromkeys(fact.firer for fact in facts))
        covered = any(fact.cover_factor != "1" for fact in facts)
        if unit is None or key in tested or guns < HALF_BATTERY or covered or not must_be_tested(unit):
            continue
        pair = _pair(play, unit, frozenset(good))
        tested |= {one_.key for one_ in pair}
        _test(play, facts[0].firer, unit, pair)


def _guns(play: Play, key: str) -> int:
    strength = play.unit(key).strength
    return strength.guns


@rule("KS-ATK-04", "KS-BAT-07")
def must_be_tested(unit: Unit) -> bool:
    """Formed infantry and cavalry that is not hand to hand, not going back already, and not spread out."""
    return (
        is_formed(unit)
        and unit.arm in ("infantry", "cavalry")
        and unit.trial.contact < 0
        and not unit.trial.flight
        and (is_fresh(unit) or is_beaten(unit))
        and not all_skirmish(unit)
        and unit.place.formation not in ("skirmish_order", "mounted_skirmish")
    )


@rule("KS-ATK-04")
def _pair(play: Play, unit: Unit, hit: frozenset[str]) -> list[Unit]:
    """One test for a battalion, or for a pair of squadrons: the one hit and its neighbour."""
    if unit.arm != "cavalry":
        return [unit]
    near = [
        other
        for other in play.on_map(unit.side)
        if other.key != unit.key and other.arm == "cavalry" and must_be_tested(other)
        and other.regiment == unit.regiment and play.field.gap(unit, other) <= STEP
    ]  # fmt: skip
    near.sort(key=lambda other: (other.key not in hit, play.field.gap(unit, other), other.key))
    return [unit, *near[:1]]


@rule("KS-ATK-04", "KS-DIE-03")
def _test(play: Play, battery: str, unit: Unit, pair: list[Unit]) -> None:
    """Die II for the battery: black, they must retire."""
    words = f"{unit.key} under the canister of {battery}: Die II."
    said = reviewed(play, "canister_test", unit.key, words, "stays", "retires")
    face, throws = play.decide("canister_test", unit.key, "II")
    retires = face.circle == "black" if said == AS_IT_STANDS else said == "retires"
    play.add(
        CanisterTested(
            battery=battery, target=unit.key, die="II", face=throws[-1].faces[0],
            result="retires" if retires else "stays", dice=throws, rules=cited("KS-ATK-04", "KS-BAT-07", "KS-DIE-03"),
            changes=Changes(),
        )
    )  # fmt: skip
    if retires:
        for one_ in pair:
            _retire(play, play.unit(one_.key), play.unit(battery))


@rule("KS-ATK-04", "KS-TUR-08")
def _retire(play: Play, unit: Unit, battery: Unit) -> None:
    """Back from the battery, out of its second class or into cover; an attack is broken off."""
    way = way_back(play, unit, battery)
    trial = replace(
        unit.trial, state="retiring", kept=unit.trial.state, attacks="", declared=-100, answer="", hit_advancing=False,
        forced=play.move, pursuing=0, half_follows=False, back_to=None,
    )  # fmt: skip
    duty = replace(unit.duty, queue=(), begun=-1, stage="", count=0, idle_since=play.move, told_idle=False)
    march = March(way=way, row=_row(unit), wait=TURN_ABOUT, fast=unit.march.fast)
    play.add(
        UnitHalted(
            unit=unit.key, cause="canister", by=battery.key, rules=cited("KS-ATK-04"),
            changes=one(unit, UnitPatch(trial=trial, duty=duty, march=march, change=None)),
        )
    )  # fmt: skip
    play.note(unit.key, "retiring_under_canister", "We go back under canister.")
    for person in list(play.persons(unit.side)):
        if person.role and may_command(play, person.id, unit) and sees_own(play, person, unit):
            why = f"{unit.id} must fall back under canister"
            raise_interrupt(play, person.id, "W3", why, f"{play.move} {unit.id}")


def _row(unit: Unit) -> str:
    """Infantry goes back at its row in action, cavalry at a trot."""
    return "inf_action" if unit.arm == "infantry" else GAITS[rate_class(unit)]["trot"].row


@rule("KS-ATK-04")
def way_back(play: Play, unit: Unit, battery: Unit) -> tuple[Point, ...]:
    """Straight away from the battery to where it is safe, or as far as the ground lets it."""
    terrain = true_terrain(play.scene, play.war)
    at, gun, row = unit.place.at, battery.place.at, _row(unit)
    away = bearing(gun, at) if gun != at else opposite(unit.place.facing)
    last = at
    for far in range(STEP, RANGE_CLASSES[battery.kind][1] + 2 * STEP, STEP):
        there = shifted(at, away, far)
        if not terrain.on_board(there) or terrain.water_at(there) is not None:
            break
        if not all(cell(row, piece) for piece in terrain.pieces((last, there))):
            break
        last = there
        if safe_from(play, there, battery):
            break
    return (at, last) if last != at else ()


@rule("KS-ATK-04")
def safe_from(play: Play, at: Point, battery: Unit) -> bool:
    """Out of class 2 of a battery, in a wood, or behind a height or houses."""
    terrain = true_terrain(play.scene, play.war)
    if distance(at, battery.place.at) > RANGE_CLASSES[battery.kind][1]:
        return True
    area = terrain.area(at)
    if area is not None and area.kind.startswith("wood"):
        return True
    return not sights_of(terrain).clear(battery.place.at, EYES["unit"], at, TOPS["infantry"])
