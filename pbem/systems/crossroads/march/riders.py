"""Mounted officers: how they go with their units, and what becomes of who is caught (GC-ACT-02, GC-OFF-01)."""

from __future__ import annotations

from typing import Literal, TypedDict

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.kernel.event import Throw
from pbem.rules.ledger import rule
from pbem.rules.patch import sets
from pbem.systems.crossroads.play.play import Play, about_him
from pbem.systems.crossroads.scene.scene import tenths
from pbem.systems.crossroads.tables.units import OFFICER_RIDES
from pbem.systems.crossroads.world.outcomes import OfficerAttached, OfficerMoved
from pbem.systems.crossroads.world.outcomes_combat import OfficerTested
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch, Status
from pbem.systems.crossroads.world.state import Officer, Unit

# ------------------------------------------------------------------ with their units


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


# ------------------------------------------------------------------ gone or caught


@rule("GC-OFF-01")
def gone(play: Play, name: str, how: Status) -> None:
    """Let go of the officers of a unit that leaves the table; caught with it, they ride to friends or fall."""
    unit = play.unit(name)
    for officer in play.field.riders(unit):
        if how == "surrendered":
            ride_off(play, officer, unit)
        elif officer.attached:
            alone = {officer.id: OfficerPatch(attached="")}
            play.add(OfficerAttached(**about_him(officer, "GC-ACT-02"), officers=alone, changes=without(play, officer)))


@rule("GC-OFF-01")
def ride_off(play: Play, officer: Officer, unit: Unit | None) -> None:
    """A mounted officer who is caught rides to the nearest friend in reach; if there is none, he falls."""
    at = officer.pos
    assert at is not None, "he is with a unit on the table"
    friends = [
        (play.field.off(at, one), one)
        for one in play.field.own(officer.side)
        if (unit is None or one.id != unit.id) and play.field.reaches(at, one, OFFICER_RIDES * 10)
    ]
    if not friends:
        officer_tested(play, officer, unit, "caught", killed=True)
        return
    friend = min(friends, key=lambda found: (found[0], found[1].id))[1]
    to = beside(play, friend)
    other = play.field.attached(friend)
    joined = friend.id if other is None else ""
    changes = without(play, officer) | ({friend.id: Patch(attached_officer=officer.id)} if joined else {})
    play.add(rode(officer, to, OfficerPatch(pos=to, attached=joined), "GC-OFF-01", changes=changes))


def officer_tested(
    play: Play, officer: Officer, unit: Unit | None, cause: Literal["rifle", "mg", "artillery", "melee", "caught"], *,
    killed: bool, thrown: Throw | None = None,
) -> None:  # fmt: skip
    """Put down whether an officer fell, and take him from his unit if he did; *thrown*: no die, if he was caught."""
    play.add(
        OfficerTested(
            **about_him(officer, "GC-OFF-01" if cause in ("melee", "caught") else "GC-FIR-07"),
            dice=(thrown,) if thrown else (), unit=unit.id if unit else "", cause=cause,
            natural=thrown.faces[0] if thrown else 0, killed=killed,
            officers={officer.id: OfficerPatch(status="killed", attached="")} if killed else {},
            changes=without(play, officer) if killed else {},
        )
    )  # fmt: skip
