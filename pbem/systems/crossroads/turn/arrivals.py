"""Units that come onto the table in the course of play (GC-ARV-01)."""

from __future__ import annotations

from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.field import footprint
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.turn.cards import id_order
from pbem.systems.crossroads.world.outcomes import UnitArrived
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch
from pbem.systems.crossroads.world.state import GONE


@rule("GC-ARV-01")
def arrive(play: Play) -> None:
    """The units of this turn appear at their places; one whose place is taken comes a turn later."""
    due = [
        unit
        for unit in play.battle.units.values()
        if unit.pos is None and unit.status not in GONE and unit.arrive == play.battle.turn
    ]
    for unit in sorted(due, key=lambda one: id_order(one.id)):
        at = play.scene.units[unit.id].pos
        assert at is not None, "the scenario says where it appears"
        delayed = not play.field.room(footprint(unit.type, unit.formation, at, unit.facing))
        officers = {
            one.id: OfficerPatch(arrive=unit.arrive + 1)
            if delayed
            else OfficerPatch(pos=play.scene.officers[one.id].pos)
            for one in play.battle.officers.values()
            if one.attached == unit.id and one.pos is None
        }
        play.add(
            UnitArrived(
                rules=cited("GC-ARV-01"), side=unit.side, unit=unit.id, type=unit.type, pos=None if delayed else at,
                delayed=delayed, changes={unit.id: Patch(arrive=unit.arrive + 1) if delayed else Patch(pos=at)},
                officers=officers,
            )
        )  # fmt: skip
