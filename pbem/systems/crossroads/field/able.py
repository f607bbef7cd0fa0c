"""What a unit is, and may do as it is: asked here by the names of the rules, and nowhere else by its status.

Why it may not is a code of `world.reasons`; empty: it may.
"""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.crossroads.tables.combat import CHARGE_LEVELS, CHARGERS
from pbem.systems.crossroads.tables.morale import RALLY_ROW
from pbem.systems.crossroads.world.state import Unit

# ------------------------------------------------------------------ what it is


@rule("GC-MOR-05", "GC-MOR-08", "GC-CHG-03", "GC-MEL-05")
def in_order(unit: Unit) -> bool:
    """Whether a unit bears no marker of morale."""
    return unit.status == "good"


@rule("GC-MOR-05")
def shaken(unit: Unit) -> bool:
    """Whether a unit is shaken."""
    return unit.status == "shaken"


@rule("GC-MOR-06", "GC-FIR-03")
def withdrawn(unit: Unit) -> bool:
    """Whether a unit has fallen back."""
    return unit.status == "withdrawn"


@rule("GC-MOR-07", "GC-CHG-04")
def routed(unit: Unit) -> bool:
    """Whether a unit flees."""
    return unit.status == "routed"


@rule("GC-MOR-06", "GC-MOR-07")
def broken(unit: Unit) -> bool:
    """Whether a unit has fallen back or flees."""
    return withdrawn(unit) or routed(unit)


@rule("GC-MOR-06", "GC-MOR-07")
def steady(unit: Unit) -> bool:
    """Whether a unit is on the table, and neither has fallen back nor flees."""
    return unit.stands and not broken(unit)


@rule("GC-RAL-01")
def must_rally(unit: Unit) -> bool:
    """Whether a unit rallies on its card before anything else."""
    return unit.status in RALLY_ROW


# ------------------------------------------------------------------ what it may do


@rule("GC-FIR-01", "GC-FIR-06", "GC-MOR-07", "GC-MOV-01")
def why_no_fire(unit: Unit) -> str:
    """Why a unit cannot fire as it is."""
    if unit.type == "cavalry":
        return "cavalry"
    if routed(unit):
        return "routed"
    return "jammed" if unit.jammed else "limbered" if unit.formation == "limbered" else ""


@rule("GC-FIR-01", "GC-FIR-06", "GC-MOR-07", "GC-MOV-01")
def may_fire(unit: Unit) -> bool:
    """Whether a unit can fire as it is: no cavalry, no routed unit, no jammed MG, no limbered guns."""
    return not why_no_fire(unit)


@rule("GC-CHG-01", "GC-MOR-02", "GC-FIR-09")
def why_no_charge(unit: Unit) -> str:
    """Why a unit cannot charge as it is."""
    if unit.type not in CHARGERS:
        return "out_of_reach"
    if unit.level not in CHARGE_LEVELS:
        return "level_3"
    if not in_order(unit):
        return unit.status
    return "prone" if unit.prone else ""


@rule("GC-CHG-01", "GC-MOR-02", "GC-FIR-09")
def may_charge(unit: Unit) -> bool:
    """Whether a unit can charge as it is: infantry or cavalry in order, on its feet, not at level 3."""
    return not why_no_charge(unit)


@rule("GC-FIR-09", "GC-MOR-06", "GC-MOR-07", "GC-MOV-03")
def why_no_drill(unit: Unit) -> str:
    """Why a unit cannot change its formation as it is."""
    if unit.prone:
        return "prone"
    if broken(unit):
        return unit.status
    return "crossing" if unit.crossing is not None else ""


@rule("GC-MOV-01", "GC-MOV-03", "GC-FIR-09", "GC-MOR-06", "GC-MOR-07")
def why_no_move(unit: Unit) -> str:
    """Why a unit cannot move as it is."""
    return "deployed" if unit.formation == "deployed" else why_no_drill(unit)


@rule("GC-MOV-01", "GC-MOV-03", "GC-FIR-09", "GC-MOR-06", "GC-MOR-07")
def may_move(unit: Unit) -> bool:
    """Whether a unit can move as it is: no deployed guns, nobody prone, fallen back, routed or crossing."""
    return not why_no_move(unit)
