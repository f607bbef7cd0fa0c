"""Officers whose unit leaves the table, or who are caught alone (GC-OFF-01)."""

from __future__ import annotations

from typing import Literal

from pbem.kernel.event import Throw
from pbem.rules.ledger import rule
from pbem.systems.crossroads.march.officers_follow import beside, rode, without
from pbem.systems.crossroads.play.play import Play, about_him
from pbem.systems.crossroads.tables.units import OFFICER_RIDES
from pbem.systems.crossroads.world.outcomes import OfficerAttached
from pbem.systems.crossroads.world.outcomes_combat import OfficerTested
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch, Status
from pbem.systems.crossroads.world.state import Officer, Unit


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
