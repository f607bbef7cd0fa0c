"""What is asked of a body, wherever it is: whether it is there, what it has gone through, what it may do.

Whether it may fire, `fire.musketry.may_fire` says, for that hangs on more than its state.
"""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.world.forms import POSTS
from pbem.systems.kriegsspiel.world.troops import Unit

BEATEN = ("repulsed", "defeated", "totally_defeated")
"""The states of those who have lost a fight."""

# ------------------------------------------------------------------ where it is


def is_on_map(unit: Unit) -> bool:
    """Whether it stands on land, on the map."""
    return unit.place.stand == "map"


def is_afloat(unit: Unit) -> bool:
    """Whether it is in boats."""
    return unit.place.stand == "afloat"


def is_in_play(unit: Unit) -> bool:
    """Whether it is on the map, on land or in boats."""
    return is_on_map(unit) or is_afloat(unit)


def is_to_come(unit: Unit) -> bool:
    """Whether it is still to enter the map."""
    return unit.place.stand == "off"


# ------------------------------------------------------------------ what it has gone through


def is_fresh(unit: Unit) -> bool:
    """Whether it is in good order."""
    return unit.trial.state == "fresh"


def in_order(unit: Unit) -> bool:
    """Whether it is in good order, or was no more than repulsed."""
    return unit.trial.state in ("fresh", "repulsed")


def is_beaten(unit: Unit) -> bool:
    """Whether it was beaten and has not come back to order."""
    return unit.trial.state in BEATEN


def is_totally_defeated(unit: Unit) -> bool:
    """Whether it was beaten as badly as can be."""
    return unit.trial.state == "totally_defeated"


@rule("KS-ATK-04")
def is_retiring(unit: Unit) -> bool:
    """Whether it goes back under canister."""
    return unit.trial.state == "retiring"


def is_remnant(unit: Unit) -> bool:
    """Whether so few are left of it that it fights no more."""
    return unit.trial.state == "remnant"


def is_lost(unit: Unit) -> bool:
    """Whether it was captured or destroyed."""
    return unit.trial.state in ("captured", "destroyed")


def is_worn_out(unit: Unit) -> bool:
    """Whether no more than a remnant is left of it."""
    return is_remnant(unit) or is_lost(unit)


# ------------------------------------------------------------------ what it may do


@rule("KS-ATK-08")
def fights(unit: Unit) -> bool:
    """Whether it can be in a fight: it is there, and no mere remnant."""
    return is_on_map(unit) and not is_worn_out(unit)


@rule("KS-ATK-07", "KS-ODD-07")
def may_defend(unit: Unit, move: int) -> bool:
    """Whether it is able to defend itself again in a move."""
    return unit.trial.defend_from <= move


@rule("KS-ATK-07", "KS-ODD-07")
def may_attack(unit: Unit, move: int) -> bool:
    """Whether it is able to attack again in a move."""
    return unit.trial.attack_from <= move


# ------------------------------------------------------------------ what it is


def is_battalion(unit: Unit) -> bool:
    """Whether it is a battalion or the half of one."""
    return unit.size in ("battalion", "half_battalion")


def is_post(unit: Unit) -> bool:
    """Whether it is too small to have a front: a patrol, a post, an officer of a staff."""
    return unit.size in POSTS


def is_staff(unit: Unit) -> bool:
    """Whether it is an officer of a staff, sent out to observe."""
    return unit.size == "staff"


def is_sent_out(unit: Unit) -> bool:
    """Whether it is a patrol or a post that another unit has sent."""
    return unit.duty.purpose in ("patrol", "post")
