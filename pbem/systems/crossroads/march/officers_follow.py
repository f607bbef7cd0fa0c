"""Officers who go with their units, and what a unit is without its own (GC-ACT-02)."""

from __future__ import annotations

from typing import TypedDict

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.rules.ledger import rule
from pbem.rules.patch import sets
from pbem.systems.crossroads.play.play import Play, about_him
from pbem.systems.crossroads.scene.scene import tenths
from pbem.systems.crossroads.world.outcomes import OfficerMoved
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch
from pbem.systems.crossroads.world.state import Officer, Unit


class Going(TypedDict):
    """What a fact sets of a unit, and of the officers who are with it."""

    changes: dict[str, Patch]
    officers: dict[str, OfficerPatch]


def going(play: Play, unit: Unit, patch: Patch) -> Going:
    """What a fact sets that makes so much of a unit."""
    return {"changes": {unit.id: patch}, "officers": followed(play, unit, replace(unit, **sets(patch)))}


@rule("GC-ACT-02")
def followed(play: Play, unit: Unit, after: Unit) -> dict[str, OfficerPatch]:
    """Where the officers of a unit are that is *after* something: as they were beside it, else behind its middle."""
    start, end = unit.pos, after.pos
    if start is None or end is None:
        return {}
    found = {}
    for officer in play.field.riders(unit):
        assert officer.pos is not None, "he stands"
        along = Point(officer.pos.x + end.x - start.x, officer.pos.y + end.y - start.y)
        if after.facing != unit.facing or not play.field.beside(replace(officer, pos=along), after):
            along = beside(play, after)
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


def rode(officer: Officer, to: Point, patch: OfficerPatch, rule_id: str, changes: dict[str, Patch]) -> OfficerMoved:
    """The fact of a ride, which makes so much of him, and of units by their *changes*."""
    assert officer.pos is not None, "he stands"
    inches, officers = distance(officer.pos, to), {officer.id: patch}
    head = about_him(officer, rule_id)
    return OfficerMoved(**head, start=officer.pos, to=to, inches=inches, officers=officers, changes=changes)
