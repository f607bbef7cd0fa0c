"""What troops say of themselves to their own side (KS-SIT-09)."""

from __future__ import annotations

from pbem.systems.kriegsspiel.world.dispatches import OwnState
from pbem.systems.kriegsspiel.world.strengths import told_losses
from pbem.systems.kriegsspiel.world.troops import Unit


def own_state(unit: Unit, seen: int, source: str) -> OwnState:
    """What a unit says of itself now (KS-SIT-09, KS-LOS-07)."""
    queue = unit.duty.queue
    return OwnState(
        unit=unit.id,
        seen=seen,
        at=unit.place.at,
        source=source,
        facing=unit.place.facing,
        formation=unit.place.formation,
        body=unit.trial.state,
        losses=told_losses(unit),
        zugs_out=len(unit.strength.chain.zugs),
        guns=unit.strength.guns,
        doing=queue[0].text if queue else "",
        stand=unit.place.stand,
        trail=unit.place.trail,
        limbered=unit.place.limbered,
        size=unit.size,
    )
