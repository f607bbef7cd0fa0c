"""Infantry fire: who fires, with what weight, on whom (KS-FIR-01 to KS-FIR-08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.ground.bearing import off, opposite
from pbem.ground.plane import Shape, distance, gap
from pbem.ground.plane import band as band_of
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import is_formed, outline
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.fire import lanes
from pbem.systems.kriegsspiel.fire.cover import cover_part, defends, firer_covered
from pbem.systems.kriegsspiel.fire.shots import ONE, Shot
from pbem.systems.kriegsspiel.march.tasks import is_arm
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.tables.formation import ONE_HALF_OUT, ZUGS_OUT
from pbem.systems.kriegsspiel.world.bodies import fights, is_afloat, is_lost, is_retiring, may_defend
from pbem.systems.kriegsspiel.world.forms import all_skirmish, zugs_of
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.outcomes import FormationChanged
from pbem.systems.kriegsspiel.world.outcomes_fire import FireHeld
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.strengths import share
from pbem.systems.kriegsspiel.world.troops import ENEMY, Unit

FIRES = ("battalion", "half_battalion", "company", "zug")
"""Bodies of infantry that fire; pickets, posts and patrols look on."""

AT_WILL = 300
"""Paces within which infantry fires at will."""

TOUCHING = 25
"""Paces within which an enemy is seen in any case."""

CLOSE_COLUMNS = ("attack_column", "zug_column", "square", "brigade_mass")
HALF_BATTALION_TW = 5400
PIECES = {"larger": of_fire.LARGER_PIECE, "smaller": of_fire.SMALLER_PIECE}


class Firer(NamedTuple):
    """A part of a unit that may fire in this move, and with what."""

    unit: Unit
    part: lanes.Part
    weapon: str
    units: Fraction
    share: Fraction
    factors: tuple[tuple[str, Fraction], ...]
    bands: int = 4
    all_round: bool = False


# ------------------------------------------------------------------ who fires


@rule("KS-FIR-01")
def infantry_band(far: int) -> int | None:
    """The band of a distance, from 1; None: it is out of range."""
    found = band_of(far, of_fire.INFANTRY_BANDS)
    return found + 1 if found is not None else None


@rule("KS-FRM-08", "KS-ODD-01", "KS-FIR-03")
def blocks_in_line(unit: Unit) -> Fraction:
    """Half battalions in close order: what is left of the blocks when zugs beyond the third rank are out."""
    strength = unit.strength
    if unit.arm == "pioneers" or unit.size in ("company", "zug"):
        return Fraction(strength.tw, HALF_BATTALION_TW)
    blocks = Fraction(strength.blocks)
    out = len(strength.chain.zugs)
    if strength.chain.half and out >= ONE_HALF_OUT[0]:
        return min(blocks, ONE)
    if unit.size == "half_battalion":
        out *= 2
    row = ZUGS_OUT[min(out, len(ZUGS_OUT) - 1)]
    whole = Fraction(row.half_battalions)
    if row.piece is not None:
        whole = whole - 1 + Fraction(*PIECES[row.piece])
    return min(blocks, whole if unit.size == "battalion" else Fraction(whole, 2))


@rule("KS-ATK-07")
def may_fire(play: Play, unit: Unit) -> bool:
    """Whether foot or guns can fire: not taken, worn out, in flight (routed), retiring or unable to defend itself."""
    return fights(unit) and not is_retiring(unit) and not unit.trial.flight and may_defend(unit, play.move)


def reformed(play: Play) -> frozenset[str]:
    """The units that have changed formation in this move: a turn of the front is no such change."""
    return frozenset(
        fact.unit
        for fact in play.facts
        if isinstance(fact, FormationChanged) and fact.move == play.move and fact.start != fact.to
    )


@rule("KS-FIR-02", "KS-ATK-06")
def in_a_fight(play: Play, unit: Unit) -> bool:
    """Whether a body is hand to hand in this move: its fire is then that of step 7."""
    if unit.trial.contact < 0:
        return False
    if unit.trial.attacks:
        return True
    return any(
        enemy.side != unit.side
        and enemy.trial.contact >= 0
        and enemy.trial.attacks
        and (enemy.trial.attacks in (unit.key, unit.place.holds) or play.field.gap(enemy, unit) <= 50)
        for enemy in play.on_map()
    )


@rule("KS-FIR-02")
def moved_part(kind: str, moved: int) -> Fraction:
    """The part that fires after so many paces; 0: none."""
    return next((Fraction(*part) for most, part in of_fire.MOVED_FIRE[kind] if moved <= most), Fraction(0))


@rule("KS-FIR-02")
def formation_part(formation: str, options: Options) -> Fraction:
    """The part of its number that a body fires in its formation."""
    if formation in CLOSE_COLUMNS:
        name = formation if formation in of_fire.FORMATION_FIRE else "attack_column"
        return ONE if options.columns_fire_full and name != "square" else Fraction(*of_fire.FORMATION_FIRE[name])
    return ONE if formation == "line" else Fraction(0)


@rule("KS-FIR-02", "KS-FIR-03", "KS-FIR-05", "KS-FIR-08", "KS-AMM-04")
def firers(play: Play, changed: frozenset[str]) -> Iterator[Firer]:
    """Everybody who may fire with muskets, in the order of the units' ids; a line before its chain."""
    options = play.war.options
    for unit in sorted(play.on_map(), key=lambda one: (one.id, one.side)):
        if not may_fire(play, unit) or in_a_fight(play, unit):
            continue
        if options.infantry_ammunition and unit.strength.rounds <= 0 and unit.arm in ("infantry", "pioneers"):
            continue
        busy = unit.key in changed or (unit.change is not None and unit.change.to != unit.place.formation)
        if unit.arm == "cavalry":
            yield from _carbines(play, unit)
        elif unit.arm == "pioneers" or (unit.arm == "infantry" and unit.size in FIRES):
            if not busy and not all_skirmish(unit):
                yield from _line(play, unit)
            if zugs_of(unit):
                yield from _chain(play, unit)


@rule("KS-FIR-02", "KS-FIR-03")
def _line(play: Play, unit: Unit) -> Iterator[Firer]:
    moved = moved_part("close_order", unit.place.moved)
    form = formation_part(unit.place.formation, play.war.options)
    blocks = blocks_in_line(unit)
    if moved and form and blocks:
        factors = (("KS-FIR-02", form),) if form != 1 else ()
        yield Firer(
            unit, "line", "close_order", blocks, share(unit), factors, all_round=unit.place.formation == "square"
        )


@rule("KS-FIR-05", "KS-FIR-06", "KS-NIG-01")
def chain_weapon(play: Play, unit: Unit) -> str:
    """By what die and side the skirmishers of a unit fire: by night, in cover too, as in the open."""
    covered = firer_covered(true_terrain(play.scene, play.war), unit, lanes.front_point(unit, "chain"))
    if not covered or by_night(play.war):
        return "skirmishers_open"
    return "jaeger_cover" if unit.kind == "jaeger" else "line_cover"


@rule("KS-FIR-02", "KS-FIR-05")
def _chain(play: Play, unit: Unit) -> Iterator[Firer]:
    moved = moved_part("skirmishers", max(unit.place.moved, unit.strength.chain.moved))
    if moved:
        factors = (("KS-FIR-02", moved),) if moved != 1 else ()
        yield Firer(
            unit, "chain", chain_weapon(play, unit), Fraction(zugs_of(unit), of_fire.ZUGS_PER_NUMBER), ONE, factors
        )


@rule("KS-ATK-06")
def firers_of(play: Play, unit: Unit) -> Iterator[Firer]:
    """What of a body that is hand to hand fires in its fight: the line, then the chain."""
    if play.war.options.infantry_ammunition and unit.strength.rounds <= 0:
        return
    if not all_skirmish(unit):
        yield from _line(play, unit)
    if zugs_of(unit):
        yield from _chain(play, unit)


@rule("KS-FIR-08")
def screen_out(unit: Unit) -> bool:
    """Whether a squadron has its mounted screen out."""
    return unit.arm == "cavalry" and (
        unit.place.formation == "mounted_skirmish" or unit.strength.chain.ahead not in (0, 100)
    )  # fmt: skip


@rule("KS-FIR-08")
def _carbines(play: Play, unit: Unit) -> Iterator[Firer]:
    """By the option `carbine_fire` a squadron's screen fires a little; else it looks on."""
    if not play.war.options.carbine_fire or unit.size != "squadron" or not screen_out(unit):
        return
    moved = moved_part("skirmishers", unit.place.moved)
    part, bands = of_fire.CARBINES
    if moved:
        yield Firer(unit, "line", "skirmishers_open", Fraction(*part), ONE, (("KS-FIR-02", moved),), bands)


# ------------------------------------------------------------------ on whom


@rule("KS-FIR-01", "KS-FIR-02", "KS-FIR-07")
def targets(
    play: Play, watch: lanes.Watch, firer: Firer, within: int, *, unseen: bool = False
) -> list[tuple[int, str, Unit, lanes.Part]]:
    """What a firing body can hit within so many paces and in its arc: the nearest first.

    *unseen*: by night also what stands in the open and is not seen.
    """
    unit = firer.unit
    at = lanes.front_point(unit, firer.part)
    arc = _arc(firer)
    dark = unseen and by_night(play.war)
    found = []
    for enemy in play.field.near(at, within, ENEMY[unit.side]):
        if is_lost(enemy) or in_a_fight(play, enemy):
            continue
        for on in lanes.parts_of(enemy):
            shape = lanes.shape_of(enemy, on)
            far, aim = lanes.range_between(at, shape), lanes.aim_at(at, shape)
            if far > within or lanes.turn_to(unit, at, aim) > arc:
                continue
            if (
                far <= TOUCHING
                or enemy.key in watch.sees(unit)
                or (dark and stands_there(unit, enemy) and watch.clear(at, aim, enemy.arm))
            ):
                found.append((far, enemy.key, enemy, on))
    return sorted(found, key=lambda one: (not _worth(one[2]), one[0], one[1], one[3]))


@rule("KS-FIR-02")
def _arc(firer: Firer) -> int:
    """How many hundredths of a degree to each side of its front a body fires."""
    return (
        18000 if firer.all_round else of_fire.FIRE_ARC["close_order" if firer.part == "line" else "skirmishers"] * 100
    )


@rule("KS-FIR-02", "KS-ATK-06")
def in_arc(firer: Firer, attacker: Unit) -> bool:
    """Whether one who is hand to hand stands or came on within the arc: at a corner of the front both are asked."""
    unit, arc = firer.unit, _arc(firer)
    at = lanes.front_point(unit, firer.part)
    aim = lanes.aim_at(at, lanes.shape_of(attacker, "chain" if all_skirmish(attacker) else "line"))
    came = off(opposite(attacker.place.facing), unit.place.facing)
    return min(lanes.turn_to(unit, at, aim), came) <= arc


@rule("KS-FIR-02")
def _worth(enemy: Unit) -> bool:
    """Formed bodies, chains and loads afloat are fired at before posts, riders and wagons."""
    return is_formed(enemy) or bool(zugs_of(enemy)) or is_afloat(enemy)


@rule("KS-FIR-03", "KS-FIR-04", "KS-FIR-05")
def weapon_numbers(weapon: str, band: int) -> tuple[Die, tuple[Fraction, ...]]:
    """The die of a way of infantry fire, and its number for each face in a band."""
    die, side = of_fire.WEAPONS[weapon]
    numbers = (getattr(face, side) for face in DICE[die])
    return _die(die), tuple(Fraction(one[band - 1]) if one is not None else Fraction(0) for one in numbers)


@rule("KS-FIR-01", "KS-FIR-03", "KS-FIR-04", "KS-FIR-05", "KS-COV-01", "KS-NIG-01")
def laid(play: Play, firer: Firer, target: Unit, on: lanes.Part, far: int, *, band: int | None = None) -> Shot | None:
    """The fire of a body on a target; None: out of range.  *band* overrules the distance (KS-ATK-06)."""
    band = band or infantry_band(far)
    if band is None or band > firer.bands:
        return None
    die, numbers = weapon_numbers(firer.weapon, band)
    at = lanes.front_point(firer.unit, firer.part)
    covered = defends(true_terrain(play.scene, play.war), target, on, at)
    night = by_night(play.war)
    close = firer.weapon == "close_order"
    return Shot(
        firer=firer.unit.key,
        part=firer.part,
        target=target.key,
        on=on,
        weapon=firer.weapon,
        kind="infantry",
        distance=far,
        band=band,
        die=die,
        numbers=numbers,
        units=firer.units,
        share=firer.share,
        factors=firer.factors,
        cover=cover_part("defending" if covered else "", "infantry"),
        night=Fraction(*of_fire.NIGHT_INFANTRY) if night else ONE,
        rules=(
            "KS-FIR-01", "KS-FIR-03" if close else "KS-FIR-05", {"I": "KS-DIE-02", "II": "KS-DIE-03"}[die], "KS-FIR-02",
            "KS-FIR-04",
            *(("KS-FIR-06",) if not close else ()), *(("KS-COV-01",) if covered else ()),
            *(("KS-NIG-01",) if night else ()), *(("KS-BOT-05",) if is_afloat(target) else ()),
            *(("KS-FIR-08",) if firer.unit.arm in ("cavalry", "pioneers") else ()),
        ),
    )  # fmt: skip


def _die(name: str) -> Die:
    dice: dict[str, Die] = {"I": "I", "II": "II", "III": "III", "IV": "IV", "V": "V"}
    return dice[name]


# ------------------------------------------------------------------ by policy and order


@rule("KS-FIR-02", "KS-FIR-07")
def infantry_shots(play: Play, watch: lanes.Watch) -> list[Shot]:
    """The fire of all infantry in this move, by order and policy, on where everybody now stands."""
    shots = []
    for firer in list(firers(play, reformed(play))):
        within = range_by_policy(firer.unit)
        if not within:
            continue
        shot = _aimed(play, watch, firer, within)
        if shot is not None:
            shots.append(shot)
    return shots


@rule("KS-FIR-02")
def range_by_policy(unit: Unit) -> int:
    """How far off infantry opens fire: 300 paces at will, as ordered when it holds; 0: it does not."""
    policy = unit.duty.policy
    if policy.startswith("hold until"):
        return min(int(policy.split()[-1]), of_fire.INFANTRY_BANDS[-1])
    if policy == "on_target":
        return of_fire.INFANTRY_BANDS[-1]
    return 0 if policy == "hold" else AT_WILL


def _aimed(play: Play, watch: lanes.Watch, firer: Firer, within: int) -> Shot | None:
    choice = targets(play, watch, firer, within, unseen=firer.unit.duty.policy == "on_target")
    wanted = ordered_target(firer.unit, [one[2] for one in choice])
    if firer.unit.duty.policy == "on_target":
        if wanted is not None:
            choice = [one for one in choice if one[1] == wanted.key]
        else:
            choice = [one for one in choice if one[0] <= AT_WILL and one[1] in watch.sees(firer.unit)]
    held = ""
    for far, _, enemy, on in choice:
        held = lanes.in_the_way(play.field, firer.unit, firer.part, enemy, on, guns=False)
        if not held:
            return laid(play, firer, enemy, on, far)
    if held:
        play.add(_held(firer.unit, held))
    return None


def _held(unit: Unit, by: str) -> FireHeld:
    return FireHeld(firer=unit.key, reason=f"lane {by}", rules=cited("KS-FIR-07"), changes=Changes())


IN_THE_DARK = 50
"""Paces from the place named within which fire into the dark finds whom it was meant for."""


@rule("KS-NIG-01", "KS-ORD-02")
def stands_there(unit: Unit, enemy: Unit) -> bool:
    """Whether a body stands where a unit was ordered to fire, and is hit there though nobody sees it."""
    order = unit.duty.fire_on
    spot = order.target.at if order is not None and order.target is not None else None
    return spot is not None and gap(Shape((spot.at,)), outline(enemy)).far <= IN_THE_DARK


def ordered_target(unit: Unit, seen: Sequence[Unit]) -> Unit | None:
    """The body among those it can hit that a unit takes its order `fire on` to mean; None: none of them."""
    order = unit.duty.fire_on
    if unit.duty.policy != "on_target" or order is None or order.target is None:
        return None
    target = order.target
    fit = [enemy for enemy in seen if is_arm(enemy, target.arm)]
    if target.at is None:
        return fit[0] if fit else None
    place = target.at.at
    near_by = [(distance(enemy.place.at, place), enemy.key, enemy) for enemy in fit]
    near_by = [one for one in near_by if one[0] <= 500]
    return min(near_by, key=lambda one: one[:2])[2] if near_by else None
