"""Attacks on batteries: the situations of ¶65, guns lost without a throw, supports, taking and retaking (KS-BAT)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import FULL
from pbem.ground.plane import Point, between, shifted
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import is_formed, terrain_of
from pbem.systems.kriegsspiel.fire.canister import HALF_BATTERY
from pbem.systems.kriegsspiel.fire.lanes import escorts
from pbem.systems.kriegsspiel.melee.aftermath import beaten_side, winning_side
from pbem.systems.kriegsspiel.melee.fighters import Bout, as_they_stood, units_of, worth
from pbem.systems.kriegsspiel.melee.flanks import taken_in
from pbem.systems.kriegsspiel.melee.letters import Beaten, forced
from pbem.systems.kriegsspiel.melee.melee import lose_beaten
from pbem.systems.kriegsspiel.melee.odds import index_of, with_points
from pbem.systems.kriegsspiel.melee.points import ON_BATTERIES, Sides, added, of_fight
from pbem.systems.kriegsspiel.melee.retreats import passable
from pbem.systems.kriegsspiel.play.fight_review import Decided, decided, faces_of, ruled_points
from pbem.systems.kriegsspiel.play.losses import beaten_losses
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables import attack as of_attack
from pbem.systems.kriegsspiel.world.bodies import is_on_map, may_defend
from pbem.systems.kriegsspiel.world.forms import front_of, zugs_of
from pbem.systems.kriegsspiel.world.outcomes_attack import BatteryAttacked, BatteryRetaken, BatteryTaken, Pointed
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.strengths import SQUADRON
from pbem.systems.kriegsspiel.world.troops import ENEMY, March, Unit, UnitPatch

ZUGS, RIDERS = 6, 150
"""Of a half battalion and of a squadron: a zug counts a sixth, as in a fight (KS-ODD-01)."""

HOLDS = 100
"""Paces from guns within which those who took them hold them."""


# ------------------------------------------------------------------ situations


@rule("KS-BAT-03", "KS-BAT-06")
def supports_of(play: Play, battery: Unit) -> list[Unit]:
    """Its unbeaten escort, and formed infantry or cavalry that stands right beside it."""
    found = {unit.key: unit for unit in escorts(play.field, battery)}
    for unit in play.field.units(battery.side, formed=True):
        if unit.arm in ("infantry", "cavalry") and play.field.gap(unit, battery) <= 50:
            found[unit.key] = unit
    return [found[key] for key in sorted(found) if not found[key].trial.flight and is_formed(found[key])]


@rule("KS-BAT-02")
def covers_flank(play: Play, battery: Unit) -> bool:
    """A half battery faces each way, or both flanks lie on ground that nobody passes."""
    return battery.place.refused or not any(_open_side(play, battery, turn) for turn in (9000, 27000))


@rule("KS-BAT-02")
def _open_side(play: Play, battery: Unit, turn: int) -> bool:
    side = (battery.place.facing + turn) % FULL
    start = shifted(battery.place.at, side, front_of(battery) // 2)
    return _has_room(play, battery, start, shifted(start, side, HOLDS))


@rule("KS-BAT-01")
def _has_room(play: Play, battery: Unit, start: Point, end: Point) -> bool:
    """Whether one can go from a place to another, and stand there and on the way."""
    terrain = terrain_of(play.scene)
    dry = all(terrain.water_at(between(start, end, part, 4)) is None for part in range(1, 5))
    return dry and passable(play, battery, start, end)


@rule("KS-BAT-01", "KS-BAT-02")
def narrow(play: Play, battery: Unit) -> bool:
    """Whether the ground before it is too narrow to spread out: at neither side can one pass, 100 paces before it."""
    before = shifted(battery.place.at, battery.place.facing, HOLDS)
    return not any(
        _has_room(play, battery, before, shifted(before, (battery.place.facing + turn) % FULL, front_of(battery)))
        for turn in (9000, 27000)
    )


@rule("KS-BAT-01", "KS-BAT-02")
def situation_of(half_battalions: Fraction, squadrons: Fraction, *, covers: bool, is_narrow: bool) -> str:
    """The situation of an isolated battery.

    >>> situation_of(Fraction(1), Fraction(0), covers=False, is_narrow=False)
    'A2'
    """
    if covers:
        return "B2" if is_narrow else "B1"
    if is_narrow:
        return "A4"
    for name, row in (("A1", "whole"), ("A2", "half")):
        need = of_attack.SPREAD_OUT[row]
        if Fraction(half_battalions, need["half_battalions"]) + Fraction(squadrons, need["squadrons"]) >= 1:
            return name
    return "A3"


@rule("KS-BAT-01")
def too_weak(situation: str, half_battalions: Fraction, squadrons: Fraction, *, guns: int) -> bool:
    """Whether there are too few even to try it: a zug or 20 riders, on narrow ground by each half battery as laid down.

    >>> too_weak("A4", Fraction(0), Fraction(1), guns=8), too_weak("A4", Fraction(0), Fraction(1), guns=4)
    (True, False)
    """
    if situation == "A4":
        need = of_attack.SPREAD_OUT["half"]
        have = Fraction(half_battalions, need["half_battalions"]) + Fraction(squadrons, need["squadrons"])
        return have < -(-guns // HALF_BATTERY)
    least = of_attack.SPREAD_OUT["least"]
    have = half_battalions * Fraction(ZUGS, least["zugs"]) + squadrons * Fraction(RIDERS, least["riders"])
    return situation == "A3" and have < 1


@rule("KS-FLK-03")
def lost_in_flank(kind: str, half_battalions: Fraction, squadrons: Fraction) -> bool:
    """Whether a battery taken in flank or rear by so many is lost without a throw."""
    need = of_attack.BATTERY_IN_FLANK["horse" if kind == "horse_6" else "foot"]
    return half_battalions >= Fraction(*need["half_battalions"]) or squadrons >= Fraction(*need["squadrons"])


@rule("KS-BAT-01", "KS-BAT-07", "KS-FLK-03")
def _forces(units: Sequence[Unit]) -> tuple[Fraction, Fraction]:
    """Half battalions and squadrons as the pieces stand: the losses of the guns' last fire do not make them less."""
    foot = sum((worth(unit).blocks for unit in units if unit.arm in ("infantry", "pioneers")), Fraction(0))
    riders = sum((_squadrons(unit) for unit in units if unit.arm == "cavalry"), Fraction(0))
    return foot, riders


def _squadrons(unit: Unit) -> Fraction:
    return Fraction(1) if unit.size == "squadron" else Fraction(unit.strength.tw, SQUADRON)


# ------------------------------------------------------------------ the attack


@rule("KS-BAT-01", "KS-BAT-02", "KS-BAT-07", "KS-FLK-03")
def attack_guns(play: Play, bout: Bout, battery: Unit) -> bool:
    """An attack on guns that nobody defends beside them; whether they are taken."""
    attackers = as_they_stood(play, bout.attackers)
    side = attackers[0].side
    foot, riders = _forces(attackers)
    covers = covers_flank(play, battery)
    flanking = [unit for unit in attackers if taken_in(unit, battery) != "front"]
    if flanking and not covers and lost_in_flank(battery.kind, *_forces(flanking)):
        _told(play, bout, battery, Attempt("flank", side, ("KS-FLK-03",), wins=True))
        _taken(play, bout, battery, attackers[0])
        return True
    situation = situation_of(foot, riders, covers=covers, is_narrow=narrow(play, battery))
    row = of_attack.BATTERY[situation]
    rules = ("KS-BAT-02" if situation.startswith("B") else "KS-BAT-01", "KS-BAT-07")
    if too_weak(situation, foot, riders, guns=battery.strength.guns):
        _told(play, bout, battery, Attempt(situation, ENEMY[side], rules, wins=False))
        _driven_off(play, bout, battery, None)
        return False
    if row.die is None:
        _told(play, bout, battery, Attempt(situation, side, rules, wins=True))
        _taken(play, bout, battery, attackers[0])
        return True
    points = of_fight(play, Sides(attackers, [battery]), ON_BATTERIES)
    ruled = ruled_points(play, (*bout.attackers, battery.key), side)
    if ruled:
        points.append(("ruling", ruled))
    start = index_of(row.die) * (1 if row.black == "attackers" else -1)
    odds = with_points(start, added(points))
    asks = f"{' and '.join(bout.attackers)} against {battery.key}, situation {situation}."
    found = decided(play, "battery", (*bout.attackers, battery.key), odds.die, odds.favoured, asks, side)
    wins = (found.favoured == "attackers") == (found.face.circle == "black")
    favoured = side if found.favoured == "attackers" else ENEMY[side]
    rules = (*rules, *(name for name, _ in points if name.startswith("KS")), *(("KS-GM-02",) if found.ruled else ()))
    _told(play, bout, battery, Attempt(situation, favoured, rules, wins, tuple(points), found.die, found.throws))
    if wins:
        _taken(play, bout, battery, attackers[0])
    else:
        _driven_off(play, bout, battery, found)
    return wins


@rule("KS-BAT-01", "KS-LOS-05", "KS-ODD-11")
def _driven_off(play: Play, bout: Bout, battery: Unit, found: Decided | None) -> None:
    """The attackers must go back: R, or one worse if they could not defend themselves; a throw costs them as a fight.

    *found*: what was thrown; None: they were too few even to try it.
    """
    attackers = units_of(play, bout.attackers)
    letters = {unit.key: forced("R", Beaten(not_defending=not may_defend(unit, play.move)))[0] for unit in attackers}
    if found is not None:
        d4_inf = play.war.options.die4_D_inf
        for unit in attackers:
            per = beaten_losses(found.face, letters[unit.key], found.die, unit.arm, d4_inf=d4_inf)
            lose_beaten(play, unit, per)
    beaten_side(play, bout, Sides(attackers, [battery]), letters, attackers_win=False, owed={})
    winning_side(play, bout, attackers_win=False, letter="R")


class Attempt(NamedTuple):
    """How an attack on guns goes, and what decides it."""

    situation: str
    favoured: str
    """The side."""
    rules: tuple[str, ...]
    wins: bool
    points: tuple[tuple[str, int], ...] = ()
    """For the attackers, below 0 for the guns."""
    die: str = ""
    throws: tuple[Throw, ...] = ()


def _told(play: Play, bout: Bout, battery: Unit, attempt: Attempt) -> None:
    side = play.unit(bout.attackers[0]).side
    play.add(
        BatteryAttacked(
            battery=battery.key, attackers=bout.attackers, situation=attempt.situation,
            points=tuple(Pointed(name, side if n >= 0 else ENEMY[side], abs(n)) for name, n in attempt.points),
            die=attempt.die, favoured=attempt.favoured, throws=faces_of(attempt.throws),
            winner=side if attempt.wins else ENEMY[side], dice=attempt.throws, rules=cited(*attempt.rules),
            changes=Changes(),
        )
    )  # fmt: skip


@rule("KS-BAT-03")
def can_occupy(attackers: Sequence[Unit]) -> bool:
    """Whether skirmishers enough keep the guns occupied while their support is fought."""
    zugs = sum(zugs_of(unit) for unit in attackers)
    riders = sum(1 for unit in attackers if unit.place.formation == "mounted_skirmish")
    return zugs >= of_attack.OCCUPY_BATTERY["zugs"] or riders >= of_attack.OCCUPY_BATTERY["squadrons"]


@rule("KS-BAT-03")
def supported(play: Play, bout: Bout, battery: Unit) -> None:
    """The support was fought first: whether the guns fall with it in this move."""
    side = play.unit(bout.attackers[0]).side
    _told(play, bout, battery, Attempt("C", side, ("KS-BAT-03", "KS-BAT-06", "KS-FLK-03"), wins=False))


# ------------------------------------------------------------------ taken and retaken


@rule("KS-BAT-05")
def _taken(play: Play, bout: Bout, battery: Unit, by: Unit) -> None:
    battery = play.unit(battery.key)
    trial = replace(
        battery.trial, state="captured", taken_by=by.side, taken_in=play.move, attacks="", answer="", contact=-1
    )
    duty = replace(battery.duty, queue=(), begun=-1, stage="", count=0)
    patch = UnitPatch(trial=trial, duty=duty, march=March(), change=None, place=replace(battery.place, moved=0))
    play.add(BatteryTaken(battery=battery.key, by=by.key, rules=cited("KS-BAT-05"), changes=one(battery, patch)))
    play.note(by.key, "change", "We have taken guns.")
    winning_side(play, bout, attackers_win=True, letter="T")


@rule("KS-BAT-05")
def guns_after_move(play: Play) -> None:
    """Step 8: guns in the enemy's hands are retaken, or after four moves lost for the game."""
    for unit in list(play.war.units.values()):
        taken = unit.arm == "artillery" and unit.trial.taken_by and is_on_map(unit)
        if not taken or unit.trial.taken_in >= play.move:
            continue
        own = play.field.near(unit.place.at, HOLDS, unit.side, formed=True)
        own = [friend for friend in own if friend.arm in ("infantry", "cavalry") and not friend.trial.flight]
        held = [
            enemy
            for enemy in play.field.near(unit.place.at, HOLDS, ENEMY[unit.side], formed=True)
            if not enemy.trial.flight
        ]
        gone = play.move - unit.trial.taken_in
        if gone >= of_attack.TAKEN_FOR_GOOD:
            _for_good(play, unit)
        elif own and not held:
            until = play.move + of_attack.RETAKEN_OUT
            trial = replace(unit.trial, state="fresh", taken_by="", taken_in=-1, out_until=until)
            play.add(
                BatteryRetaken(
                    battery=unit.key, by=own[0].key, out_until=until, rules=cited("KS-BAT-05"),
                    changes=one(unit, UnitPatch(trial=trial)),
                )
            )  # fmt: skip


@rule("KS-BAT-05")
def _for_good(play: Play, unit: Unit) -> None:
    guns = unit.strength.guns
    strength = replace(unit.strength, cannon=(0, 0), howitzers=(0, 0), points=0)
    trial = replace(unit.trial, out_until=-1, taken_in=unit.trial.taken_in)
    changes = Changes(
        units={unit.key: UnitPatch(strength=strength, trial=replace(trial, state="destroyed"),
                                   place=replace(unit.place, stand="gone"))},
        losses={f"{unit.side} guns lost": guns} if guns else {},
    )  # fmt: skip
    play.add(BatteryRetaken(battery=unit.key, by="", out_until=-1, rules=cited("KS-BAT-05"), changes=changes))
    play.note(unit.key, "battery_lost", "The battery is lost.")
