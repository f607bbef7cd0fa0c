"""What is left of a unit: shares for fire and odds, fractions as reports tell them."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.tables.fire import EXCHANGE, REPORTED_LOSS, Step
from pbem.systems.kriegsspiel.tables.works import DISMOUNTED
from pbem.systems.kriegsspiel.world.troops import Unit

SQUADRON = 1800
"""Twelfths of men of a full squadron."""


@rule("KS-LOS-03", "KS-LOS-02")
def step_of(blocks: int, points: int) -> Step:
    """How a body of infantry stands with so many half battalions, and points lost since the last was taken off."""
    steps = EXCHANGE["battalion" if blocks >= 2 else "half_battalion"]
    return next(step for step in reversed(steps) if points >= step.points)


@rule("KS-LOS-03")
def share(unit: Unit) -> Fraction:
    """The share that multiplies fire and strength: 1, 5/6 or 4/6 of what its blocks are worth."""
    if unit.arm != "infantry" or unit.strength.blocks < 1:
        return Fraction(1)
    return Fraction(*step_of(unit.strength.blocks, unit.strength.points).share)


def loss_fraction(unit: Unit) -> Fraction:
    """The part of its men, or guns, that a unit has lost."""
    strength = unit.strength
    if unit.arm == "artillery":
        guns = strength.guns
        full = 8 if unit.size == "battery" else 4
        return Fraction(full - guns, full)
    left = strength.men_tw
    return Fraction(max(strength.full_tw - left, 0), strength.full_tw) if strength.full_tw else Fraction(0)


@rule("KS-LOS-07")
def told_losses(unit: Unit) -> str:
    """Losses as a unit reports them, by fractions alone: points of a battalion count of 180 (KS-LOS-03)."""
    lost = loss_fraction(unit)
    word = REPORTED_LOSS[0][1]
    for (number, by), name in REPORTED_LOSS[1:]:
        bound = Fraction(number, by)
        if lost > bound or (lost == bound and name not in ("light", "more")):
            word = name
    return word


@rule("KS-STR-06")
def on_foot(unit: Unit) -> Fraction:
    """What dismounted cavalry is worth, in half battalions: four squadrons are one."""
    squadrons, half_battalions = DISMOUNTED
    return Fraction(unit.strength.tw, SQUADRON) * Fraction(half_battalions, squadrons)
