"""Units that come onto the table in the course of play (GC-ARV-01)."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import footprint
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.words import natural
from pbem.systems.crossroads.world.outcomes import UnitArrived
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch


@rule("GC-ARV-01")
def arrive(play: Play) -> None:
    """The units of this turn appear at their places; one whose place is taken comes a turn later."""
    due = [
        unit
        for unit in play.battle.units.values()
        if unit.pos is None and not unit.gone and unit.arrive == play.battle.turn
    ]
    for unit in sorted(due, key=lambda one: natural(one.id)):
        at = play.scene.units[unit.id].pos
        assert at is not None, "the scenario says where it appears"
        delayed = not play.field.room(footprint(unit.type, unit.formation, at, unit.facing))
        officer = OfficerPatch(arrive=unit.arrive + 1) if delayed else None
        officers = {
            one.id: officer or OfficerPatch(pos=play.scene.officers[one.id].pos)
            for one in play.battle.officers.values()
            if one.attached == unit.id and one.pos is None
        }
        patch = Patch(arrive=unit.arrive + 1) if delayed else Patch(pos=at)
        play.add(
            UnitArrived(
                **about(unit, "GC-ARV-01"), type=unit.type, pos=None if delayed else at, delayed=delayed,
                changes={unit.id: patch}, officers=officers,
            )
        )  # fmt: skip
