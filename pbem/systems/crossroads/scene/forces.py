"""What follows from what a unit is: its side, the die of its morale, its marker."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.crossroads.tables.morale import MORALE_DIE, MORALE_DIE_OF
from pbem.systems.crossroads.tables.units import MARKERS, NATION_SIDE
from pbem.systems.crossroads.world.state import AUSTRIAN, GERMAN, Nation, Unit


@rule("GC-LVL-03")
def side_of(nation: Nation, austrian_side: str) -> Role | None:
    """The side of a nation; None: it has no part in this game.

    With Austrians as a side of their own they have the place of the French, who then take no part.
    """
    if austrian_side == "own":
        return AUSTRIAN if nation == "austrian" else GERMAN if nation != "french" else None
    if nation == "austrian":
        return Role(austrian_side)
    return Role(NATION_SIDE[nation])


@rule("GC-MOR-01")
def morale_die(unit: Unit) -> int:
    """The die of a unit's checks."""
    return MORALE_DIE_OF.get(unit.subtype, MORALE_DIE[unit.nation][unit.type])


@rule("GC-LVL-04")
def marker_of(unit: Unit) -> str:
    """The colour of a unit's status marker; empty if it has none."""
    return MARKERS.get(unit.status, "")
