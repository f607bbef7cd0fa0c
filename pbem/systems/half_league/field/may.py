"""What a unit may do at all, as it stands."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.half_league.world.pieces import Unit


@rule("HL-FIR-02", "HL-MOR-03")
def may_fire(unit: Unit) -> bool:
    """Whether a unit fires, if it has an enemy in range, arc and sight: in order, not routing, and with fire-arms."""
    return unit.in_order and unit.arm != "none"


@rule("HL-CHG-01", "HL-MOR-03")
def may_charge(unit: Unit) -> bool:
    """Whether a unit charges, if it has an enemy in front of it: infantry and cavalry in order that can run."""
    return unit.in_order and not unit.guns and not unit.in_square and unit.formation != "road_column"


@rule("HL-TRN-03", "HL-MOV-07", "HL-MOR-05")
def may_move(unit: Unit) -> bool:
    """Whether a unit leaves its place by order, or turns: one in square stands, one that routs only rallies."""
    return unit.in_order and not unit.in_square
