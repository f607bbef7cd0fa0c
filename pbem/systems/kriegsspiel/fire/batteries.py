"""Which batteries fire in a move, with what of their guns, on whom: arcs, policy and order (KS-ART-06, KS-ART-07)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import bearing
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.fire import gunnery, lanes
from pbem.systems.kriegsspiel.fire.ammunition import Charge, charge_for
from pbem.systems.kriegsspiel.fire.cover import knows_place, sheltered
from pbem.systems.kriegsspiel.fire.gunnery import Choice, Section, range_class
from pbem.systems.kriegsspiel.fire.musketry import in_a_fight, may_fire, moved_part, ordered_target, stands_there
from pbem.systems.kriegsspiel.fire.shots import Shot
from pbem.systems.kriegsspiel.march.gate import swung
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.fire import FIRE_ARC, RANGE_CLASSES, SHIFTED_ARC, SHIFTED_FIRE, THREAT
from pbem.systems.kriegsspiel.world.bodies import is_lost
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.outcomes_fire import FireHeld
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import ENEMY, Unit

AT_PLACES = ("bombard", "breach", "batter")
"""Orders by which a battery fires at houses, walls and bridges, and not at troops."""


class Laid(NamedTuple):
    """A fire of a battery, the rounds it takes, and whether the guns are turned for it."""

    shot: Shot
    charge: Charge
    turned: int | None


@rule("KS-ART-07", "KS-FRM-07", "KS-BAT-05")
def serves(play: Play, unit: Unit, changed: frozenset[str]) -> Fraction:
    """What part of its fire a battery has: unlimbered the whole move, or hauled by ropes not far; 0: none."""
    trial = unit.trial
    out = trial.taken_by or trial.out_until < 0 or trial.out_until > play.move
    if unit.arm != "artillery" or out or not may_fire(play, unit):
        return Fraction(0)
    if unit.place.limbered or unit.key in changed or unit.change is not None:
        return Fraction(0)
    if not unit.place.moved:
        return Fraction(1)
    return (
        moved_part("guns_by_ropes", unit.place.moved) if unit.place.ropes or unit.march.row == "ropes" else Fraction(0)
    )


@rule("KS-ART-06", "KS-ART-07", "KS-FIR-07", "KS-ATK-06")
def battery_shots(play: Play, watch: lanes.Watch, changed: frozenset[str]) -> list[Laid]:
    """The fire of all batteries in this move, on where everybody now stands, in the order of their ids.

    Guns that are attacked and stay fire on those who have come to them.
    """
    found: list[Laid] = []
    for unit in sorted(play.on_map(), key=lambda one_: (one_.id, one_.side)):
        part = serves(play, unit, changed)
        order = unit.duty.order
        hand_to_hand = in_a_fight(play, unit)
        if not part or (order is not None and order.verb in AT_PLACES and not hand_to_hand):
            continue
        if unit.duty.policy == "hold":
            continue
        laid = _fires(play, watch, unit, part)
        found += _on_attackers(play, laid) if hand_to_hand else laid
    return found


@rule("KS-ATK-06")
def _on_attackers(play: Play, laid: Iterator[Laid]) -> Iterator[Laid]:
    """Of the fire of guns that are hand to hand what falls on those who have come to them."""
    for one_ in laid:
        if play.unit(one_.shot.target).trial.contact >= 0:
            yield one_._replace(shot=one_.shot._replace(rules=(*one_.shot.rules, "KS-ATK-06")))


@rule("KS-ART-03", "KS-ART-06")
def _fires(play: Play, watch: lanes.Watch, unit: Unit, part: Fraction) -> Iterator[Laid]:
    """One target for all its guns; by an order `with shell` one for the howitzers and one for the cannon."""
    order = unit.duty.fire_on if unit.duty.policy == "on_target" else None
    howitzers, cannon = sum(unit.strength.howitzers), sum(unit.strength.cannon)
    if order is not None and howitzers and cannon and "shell" in order.manner:
        shell = _laid_on_order(play, watch, unit, "howitzers", order, part)
        if shell is not None:
            yield shell
            other = _at_will(play, watch, unit, "cannon", part, but=shell.shot.target)
        else:
            other = _at_will(play, watch, unit, "battery", part)
        if other is not None:
            yield other
        return
    laid = _laid_on_order(play, watch, unit, "battery", order, part) if order is not None else None
    laid = laid or _at_will(play, watch, unit, "battery", part)
    if laid is not None:
        yield laid


@rule("KS-ART-01", "KS-ART-06", "KS-NIG-01")
def choices(play: Play, watch: lanes.Watch, unit: Unit, most: int, *, unseen: bool = False) -> list[Choice]:
    """The bodies within the range classes up to *most* and 90 degrees of the front, the best first.

    *unseen*: also what it does not see, but an order may name.
    """
    at = unit.place.at
    found = []
    for enemy in play.field.near(at, RANGE_CLASSES[unit.kind][most - 1], ENEMY[unit.side]):
        if is_lost(enemy):
            continue
        if enemy.key not in watch.sees(unit) and not (unseen and _may_be_meant(play, watch, unit, enemy)):
            continue
        for on in lanes.parts_of(enemy):
            shape = lanes.shape_of(enemy, on)
            far, aim = lanes.range_between(at, shape), lanes.aim_at(at, shape)
            dark = by_night(play.war) and not gunnery.laid_beforehand(play, unit, aim)
            which = range_class(unit.kind, far, night=dark)
            if which is None or which > most or lanes.turn_to(unit, at, aim) > SHIFTED_ARC * 100:
                continue
            rank = gunnery.target_rank(unit, enemy, on, far, THREAT)
            found.append(Choice(rank, far, enemy.key, on, enemy, which))
    return sorted(found, key=lambda choice: choice[:4])


@rule("KS-ORD-02", "KS-NIG-01", "KS-FIR-07")
def _may_be_meant(play: Play, watch: lanes.Watch, unit: Unit, enemy: Unit) -> bool:
    """Whether guns may fire as ordered at whom they do not see: into the night, over what is between, or as told.

    Whom weather hides by day, or who lies hidden in the open, nobody lays a gun on; by night it is laid on a place.
    """
    if watch.told_of(unit, enemy):
        return True
    if by_night(play.war):
        aim = lanes.aim_at(unit.place.at, lanes.shape_of(enemy, "line"))
        return stands_there(unit, enemy) or gunnery.laid_beforehand(play, unit, aim)
    return not watch.clear(unit.place.at, enemy.place.at, enemy.arm)


@rule("KS-ART-06")
def _at_will(
    play: Play, watch: lanes.Watch, unit: Unit, section: Section, part: Fraction, *, but: str = ""
) -> Laid | None:
    """At will: nothing beyond the third class, for random shot needs an order; by policy canister alone."""
    policy = unit.duty.policy
    most = 2 if policy == "canister_only" else 3
    limit = int(policy.split()[-1]) if policy.startswith("hold until") else 10_000
    held = ""
    for choice in choices(play, watch, unit, most):
        if choice.key == but or choice.far > limit or choice.rank > 4:
            continue
        laid, why = _try(play, watch, unit, section, choice, part)
        if laid is not None:
            return laid
        held = held or why
    if held:
        _hold(play, unit, held)
    return None


@rule("KS-ART-06", "KS-FIR-07", "KS-COV-02")
def _laid_on_order(
    play: Play, watch: lanes.Watch, unit: Unit, section: Section, order: Order, part: Fraction
) -> Laid | None:
    """`fire on TARGET [with canister|shot|shell|random]`; what cannot be done is told, and it fires at will."""
    fit = choices(play, watch, unit, 4, unseen=True)
    wanted = ordered_target(unit, [choice.unit for choice in fit])
    if wanted is None:
        # Whether anybody stands in the dark on whom they were laid, they do not know and cannot tell.
        _hold(play, unit, "not in sight, in range or in the arc", told=not by_night(play.war))
        return None
    aimed_at = "chain" if order.target is not None and order.target.arm == "skirmishers" else "line"
    mine = [choice for choice in fit if choice.key == wanted.key]
    choice = next((one_ for one_ in mine if one_.on == aimed_at), mine[0])
    words = set(order.manner)
    if "canister" in words and choice.which > 2:
        _hold(play, unit, "too far for canister")
        return None
    laid, why = _try(play, watch, unit, section, choice, part, ball="shot" in words)
    if laid is None:
        _hold(play, unit, why, told=True)
    return laid


def _try(
    play: Play,
    watch: lanes.Watch,
    unit: Unit,
    section: Section,
    choice: Choice,
    part: Fraction,
    *,
    ball: bool = False,
) -> tuple[Laid | None, str]:
    """Lay the guns on a body: in the lane, in sight, with rounds; else why not.

    Where cannon cannot reach it, its howitzers may throw grenades over what is between (KS-FIR-07).
    """
    section, why = _free(play, watch, unit, section, choice)
    if why:
        return None, why
    charge = charge_for(play, unit, choice.which, ball=ball)
    if not charge.what:
        return None, "no rounds left"
    at = unit.place.at
    aim = lanes.aim_at(at, lanes.shape_of(choice.unit, choice.on))
    turn = lanes.turn_to(unit, at, aim)
    turned = bearing(at, aim) if turn > FIRE_ARC["artillery"] * 100 else None
    factors = (
        *((("KS-ART-07", part),) if part != 1 else ()),
        *((("KS-ART-06", Fraction(*SHIFTED_FIRE)),) if turned is not None else ()),
    )
    shot = gunnery.laid(play, watch, unit, section, choice, charge, factors)
    return Laid(shot, charge, turned), ""


@rule("KS-FIR-07", "KS-COV-02")
def _free(play: Play, watch: lanes.Watch, unit: Unit, section: Section, choice: Choice) -> tuple[Section, str]:
    """The guns that can fire at a body: all, or the howitzers over what is between; else what hinders them."""
    target, on = choice.unit, choice.on
    at = unit.place.at
    clear = watch.clear(at, lanes.aim_at(at, lanes.shape_of(target, on)), target.arm)
    by = lanes.in_the_way(play.field, unit, "line", target, on, guns=True)
    if clear and not by:
        return section, ""
    grenades = choice.which >= 3 and max(unit.strength.howitzers) > 0 and section != "cannon"
    if grenades:
        hidden = sheltered(watch, target, on, lanes.front_point(unit, "line"))
        if knows_place(play, watch, unit, target) if hidden else watch.told_of(unit, target):
            return ("howitzers" if sum(unit.strength.cannon) else section), ""
    return section, f"lane {by}" if by else "not in sight"


def _hold(play: Play, unit: Unit, reason: str, *, told: bool = False) -> None:
    play.add(FireHeld(firer=unit.key, reason=reason, rules=cited("KS-ART-06", "KS-FIR-07"), changes=Changes()))
    if told and play.move - unit.duty.reported >= 10:
        play.note(unit.key, "order_impossible", "We cannot fire on what you ordered.")


@rule("KS-ART-06", "KS-TUR-04")
def turn_guns(play: Play, laid: Laid) -> None:
    """The shift of the front that was needed for a fire."""
    if laid.turned is not None:
        unit = play.unit(laid.shot.firer)
        turned = swung(unit, replace(unit.place, facing=laid.turned), play.field.enemies(unit.side))
        play.change(unit, "guns turned", place=turned)
