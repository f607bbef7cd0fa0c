"""Rounds: what a battery has at hand, limbers and wagons, what a move of fire takes, and when it runs out (KS-AMM)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, crosses, distance
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import Field, outline
from pbem.systems.kriegsspiel.march.carrying_out import DONE, Did, failed, goal
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.outcomes_fire import AmmunitionOut, AmmunitionUsed
from pbem.systems.kriegsspiel.world.troops import ENEMY, Strength, Unit, UnitPatch

WAGON_RATE = 200
"""Paces of a move that munition wagons march to the place they are sent to (KS-MOV-01)."""


class Charge(NamedTuple):
    """What a battery fires with in a move."""

    what: str
    """`canister` or `shot`; empty: there is nothing left to fire."""
    rounds: int
    part: Fraction
    """What of a whole move's fire these rounds are."""
    ball: bool = False
    """Ball, for want of canister."""


def counted_pieces(unit: Unit) -> int:
    """The guns whose rounds are counted: the cannon, and of a howitzer battery the howitzers (KS-AMM-02)."""
    cannon = sum(unit.strength.cannon)
    return cannon or sum(unit.strength.howitzers)


@rule("KS-AMM-01", "KS-AMM-02")
def limbers_hold(unit: Unit) -> tuple[int, int]:
    """Canister and shot that the limbers of a battery carry."""
    row = of_fire.ROUNDS[unit.kind if of_fire.GUNS[unit.kind][0] else "howitzer_7"]
    pieces = counted_pieces(unit)
    return pieces * row.limber_canister, pieces * row.limber_shot


@rule("KS-AMM-02")
def wagons_feed(field: Field, unit: Unit, move: int) -> bool:
    """Whether wagons stand within 1500 paces with a free way: no enemy formed body on it."""
    strength = unit.strength
    if not strength.wagons or move < strength.wagons_due:
        return False
    place = strength.wagons_at
    if place is None:
        return True
    if distance(place, unit.place.at) > of_fire.WAGONS_NEAR:
        return False
    return not any(
        crosses(outline(enemy), place, unit.place.at) for enemy in field.units(ENEMY[unit.side], formed=True)
    )


@rule("KS-AMM-02")
def at_hand(field: Field, unit: Unit, move: int) -> tuple[int, int]:
    """Canister and shot that a battery can fire now: all it has, or, without its wagons, what the limbers hold."""
    strength = unit.strength
    if wagons_feed(field, unit, move):
        return strength.canister, strength.shot
    apart = strength.apart
    if apart is None:
        apart = left_behind(unit)
    return max(strength.canister - apart[0], 0), max(strength.shot - apart[1], 0)


@rule("KS-AMM-02")
def left_behind(unit: Unit) -> tuple[int, int]:
    """Canister and shot that stay with the wagons when the limbers leave them, full."""
    canister, shot = limbers_hold(unit)
    return max(unit.strength.canister - canister, 0), max(unit.strength.shot - shot, 0)


@rule("KS-AMM-01", "KS-AMM-02")
def charge_for(play: Play, unit: Unit, which: int, *, ball: bool = False) -> Charge:
    """The rounds for a move of fire in a range class; *ball*: shot is ordered at canister range."""
    if not play.war.options.ammunition:
        return Charge("canister" if which <= 2 and not ball else "shot", 0, _ball_part(ball=ball and which <= 2), ball)
    canister, shot = at_hand(play.field, unit, play.move)
    pieces = counted_pieces(unit)
    if which <= 2 and canister and not ball:
        whole = pieces * of_fire.ROUNDS_A_MOVE["canister"]
        rounds = min(whole, canister)
        return Charge("canister", rounds, Fraction(rounds, whole))
    name = "random" if which == 4 else "elevation"
    whole = pieces * of_fire.ROUNDS_A_MOVE[name]
    rounds = min(whole, shot)
    if not rounds:
        return Charge("", 0, Fraction(0))
    return Charge("shot", rounds, Fraction(rounds, whole) * _ball_part(ball=which <= 2), which <= 2)


@rule("KS-AMM-02")
def _ball_part(*, ball: bool) -> Fraction:
    """Ball at canister ranges does half."""
    return Fraction(*of_fire.BALL_FOR_CANISTER) if ball else Fraction(1)


@rule("KS-AMM-02", "KS-MSG-08")
def spend(play: Play, key: str, charge: Charge) -> None:
    """Take the rounds off; what has run out is reported."""
    if not charge.rounds:
        return
    unit = play.unit(key)
    strength = unit.strength
    if wagons_feed(play.field, unit, play.move):
        strength = replace(strength, apart=None)
    elif strength.apart is None:
        strength = replace(strength, apart=left_behind(unit))
    left = getattr(strength, charge.what) - charge.rounds
    after = replace(strength, canister=left) if charge.what == "canister" else replace(strength, shot=left)
    play.add(
        AmmunitionUsed(
            battery=key, what=charge.what, used=charge.rounds, left=left, rules=cited("KS-AMM-01", "KS-AMM-02"),
            changes=one(unit, UnitPatch(strength=after)),
        )
    )  # fmt: skip
    unit = play.unit(key)
    canister, shot = at_hand(play.field, unit, play.move)
    if not (canister if charge.what == "canister" else shot):
        play.add(AmmunitionOut(battery=key, what=charge.what, rules=cited("KS-AMM-02"), changes=one(unit, UnitPatch())))
        play.note(key, "ammunition_out", f"We have no more {charge.what}.")


@rule("KS-AMM-04")
def spend_muskets(play: Play, key: str) -> None:
    """By the option `infantry_ammunition` a move of musketry is counted."""
    if not play.war.options.infantry_ammunition:
        return
    unit = play.unit(key)
    left = max(unit.strength.rounds - 1, 0)
    play.add(
        AmmunitionUsed(
            battery=key, what="musketry", used=1, left=left, rules=cited("KS-AMM-04"),
            changes=one(unit, UnitPatch(strength=replace(unit.strength, rounds=left))),
        )
    )  # fmt: skip
    if not left:
        play.note(key, "ammunition_out", "We have no more cartridges.")


@rule("KS-AMM-04")
def refilled(play: Play, unit: Unit) -> Strength | None:
    """Infantry that has rested ten moves near wagons has its rounds again; None: nothing changes."""
    full, moves = of_fire.INFANTRY_ROUNDS
    if not play.war.options.infantry_ammunition or unit.trial.rested < moves or unit.strength.rounds >= full:
        return None
    return replace(unit.strength, rounds=full) if wagons_near(play, unit) else None


@rule("KS-AMM-02")
def wagons_near(play: Play, unit: Unit) -> bool:
    """Whether munition wagons of its side stand within 1500 paces of a unit."""
    for other in play.on_map(unit.side):
        place: Point | None = None
        if other.arm == "train":
            place = other.place.at
        elif other.arm == "artillery" and other.strength.wagons:
            place = other.strength.wagons_at or other.place.at
        if place is not None and distance(place, unit.place.at) <= of_fire.WAGONS_NEAR:
            return True
    return False


@rule("KS-AMM-02")
def do_send_wagons(play: Play, unit: Unit, order: Order) -> Did:
    """`send wagons to PLACE`: they leave for it, and feed the limbers again when they are there, if it is near."""
    spot = goal(order)
    if unit.arm != "artillery" or not unit.strength.wagons:
        return failed("we have no wagons")
    if spot is None:
        return failed("no place was named")
    start = unit.strength.wagons_at or unit.place.at
    due = play.move + -(-distance(start, spot.at) // WAGON_RATE)
    strength = replace(unit.strength, wagons_at=spot.at, wagons_due=due)
    play.change(unit, "wagons", strength=strength)
    return DONE
