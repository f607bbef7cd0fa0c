"""Officers who go with their units, and what a unit is without its own (GC-ACT-02)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.rules.ledger import rule
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.scene.scene import tenths
from pbem.systems.crossroads.world.orders import Formation
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch
from pbem.systems.crossroads.world.state import Officer, Unit


@rule("GC-ACT-02")
def followed(
    play: Play, unit: Unit, to: Point, facing: int, formation: Formation | None = None
) -> dict[str, OfficerPatch]:
    """Where the officers of a unit are when it has moved: as they were beside it, else behind its middle."""
    if unit.pos is None:
        return {}
    after = replace(unit, pos=to, facing=facing, formation=formation or unit.formation)
    found = {}
    for officer in play.field.riders(unit):
        assert officer.pos is not None, "he stands"
        along = Point(officer.pos.x + to.x - unit.pos.x, officer.pos.y + to.y - unit.pos.y)
        if facing != unit.facing or not play.field.beside(replace(officer, pos=along), after):
            along = tenths(play.field.body(after).rear)
        found[officer.id] = OfficerPatch(pos=along)
    return found


def without(play: Play, officer: Officer) -> dict[str, Patch]:
    """What the unit to which an officer has ridden is without him: another who is with it is its officer then."""
    others = (one for one in play.field.officers(officer.side) if one.id != officer.id)
    left = next((one.id for one in others if one.attached == officer.attached), "")
    return {officer.attached: Patch(attached_officer=left)} if officer.attached in play.battle.units else {}


def beside(play: Play, unit: Unit) -> Point:
    """Where the officer of a unit stands: at the middle of its rear."""
    return tenths(play.field.body(unit).rear)
