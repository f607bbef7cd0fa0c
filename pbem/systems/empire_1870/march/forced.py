"""Forced marches (WE-FRC-01, WE-MOV-07)."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.fitness import in_order
from pbem.systems.empire_1870.march.force import Force
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import FORCED_MARCH_HOLDS
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import ForcedMarchResolved
from pbem.systems.empire_1870.world.parts import GERMAN
from pbem.systems.empire_1870.world.stacks import every, together, without


@rule("WE-FRC-01")
def may_force(play: Play, force: Force) -> bool:
    """Whether a force may make a forced march from where it stands: all SP good, out of the enemy's ZOC."""
    return bool(force.stack) and all(map(in_order, force.stack)) and not play.field.in_ezoc(force.side, force.hex)


@rule("WE-FRC-01", "WE-MOV-07")
def extra_mp(play: Play, force: Force, number: int) -> int:
    """Throw for a forced march of *number* MP: above the limit every SP of the force is disrupted; gives the MP."""
    throw = play.throw("forced_march", force.hex, count=2, seed="closed")
    total = sum(throw.faces) + number
    disrupted = total > FORCED_MARCH_HOLDS
    after = every(force.stack, status="disrupted") if disrupted else force.stack
    here = together(without(play.stack(force.side, force.hex), force.stack), after)
    play.happens(
        ForcedMarchResolved,
        **owner_only(force.side, "WE-FRC-01", "WE-MOV-07" if force.side == GERMAN else ""),
        dice=(throw,),
        units=force.hqs,
        hex=force.hex,
        n=number,
        total=total,
        disrupted=disrupted,
        stacks={force.side: {force.hex: here}} if disrupted else {},
    )
    force.stack = after
    return number
