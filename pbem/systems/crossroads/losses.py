"""Figures taken off, units gone, officers down (GC-FIR-05, GC-FIR-07, GC-OFF-01)."""

from __future__ import annotations

from typing import Literal

from pbem.ground.plane import Point, distance
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.combat_outcomes import FiguresLost, OfficerTested, UnitDestroyed, UnitSurrendered
from pbem.systems.crossroads.outcomes import OfficerAttached, OfficerMoved
from pbem.systems.crossroads.patches import OfficerPatch, Patch, Status
from pbem.systems.crossroads.play import Play
from pbem.systems.crossroads.scene import tenths
from pbem.systems.crossroads.state import Officer, Unit
from pbem.systems.crossroads.tables_combat import OFFICER_DIE, OFFICER_KILLED
from pbem.systems.crossroads.tables_units import OFFICER_RIDES

Cause = Literal["rifle", "mg", "artillery", "melee"]
CAUSE_OF: dict[str, Cause] = {"infantry": "rifle", "mg": "mg", "artillery": "artillery"}
"""What hits are, by the type of the firer."""
_DEADLY = {"rifle": "infantry", "mg": "mg", "artillery": "artillery", "melee": "melee"}


@rule("GC-FIR-05", "GC-LVL-01")
def lose(play: Play, name: str, count: int, cause: Cause, by: str) -> list[Officer]:
    """Take hits off a unit, and test its officers; those who fell are given back (GC-FIR-07).

    The checks that follow, also that of his friends, are for who asked for it.
    """
    unit = play.unit(name)
    count = min(count, unit.strength - unit.losses)
    if not count:
        return []
    losses = unit.losses + count
    after = min(4 * losses // unit.strength, 4)
    play.add(
        FiguresLost(
            rules=cited("GC-FIR-05" if cause != "melee" else "GC-MEL-03", "GC-LVL-01", "GC-LVL-02"),
            side=unit.side, unit=name, count=count, cause=cause, losses=losses, level_before=unit.level,
            level_after=after, changes={name: Patch(losses=losses)},
        )
    )  # fmt: skip
    fallen = [one for one in play.field.riders(unit) if _falls(play, one, unit, cause)]
    if losses >= unit.strength:
        gone(play, name, "destroyed")
        play.add(
            UnitDestroyed(
                rules=cited("GC-LVL-01"), side=unit.side, unit=name, by=by, why="losses",
                changes={name: Patch(status="destroyed", was=unit.status)},
            )
        )  # fmt: skip
    return fallen


@rule("GC-FIR-07", "GC-OFF-01")
def _falls(play: Play, officer: Officer, unit: Unit, cause: Cause) -> bool:
    """Whether an officer is killed with the hits of the unit that he is with."""
    thrown = play.throw("officer", officer.id, "GC-FIR-07", sides=OFFICER_DIE)
    killed = thrown.faces[0] >= OFFICER_KILLED[_DEADLY[cause]]
    _officer_tested(play, officer, unit, cause, killed=killed, thrown=thrown)
    return killed


def _officer_tested(
    play: Play, officer: Officer, unit: Unit | None, cause: Literal["rifle", "mg", "artillery", "melee", "caught"], *,
    killed: bool, thrown: Throw | None = None,
) -> None:  # fmt: skip
    play.add(
        OfficerTested(
            rules=cited("GC-OFF-01" if cause in ("melee", "caught") else "GC-FIR-07"),
            dice=(thrown,) if thrown else (), side=officer.side, officer=officer.id,
            unit=unit.id if unit else "", cause=cause, natural=thrown.faces[0] if thrown else 0, killed=killed,
            officers={officer.id: OfficerPatch(status="killed", attached="")} if killed else {},
            changes=without(play, officer) if killed else {},
        )
    )  # fmt: skip


@rule("GC-OFF-01")
def gone(play: Play, name: str, how: Status) -> None:
    """Let go of the officers of a unit that leaves the table; caught with it, they ride to friends or fall."""
    unit = play.unit(name)
    for officer in play.field.riders(unit):
        if how == "surrendered":
            ride_off(play, officer, unit)
        elif officer.attached:
            _let_go(play, officer)


def _let_go(play: Play, officer: Officer) -> None:
    play.add(
        OfficerAttached(
            rules=cited("GC-ACT-02"), side=officer.side, officer=officer.id,
            officers={officer.id: OfficerPatch(attached="")}, changes=without(play, officer),
        )
    )  # fmt: skip


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
        _officer_tested(play, officer, unit, "caught", killed=True)
        return
    friend = min(friends, key=lambda found: (found[0], found[1].id))[1]
    to = beside(play, friend)
    other = play.field.attached(friend)
    joined = friend.id if other is None else ""
    play.add(
        OfficerMoved(
            rules=cited("GC-OFF-01"), side=officer.side, officer=officer.id, start=at, to=to, inches=distance(at, to),
            officers={officer.id: OfficerPatch(pos=to, attached=joined)},
            changes=without(play, officer)
            | ({friend.id: Patch(attached_officer=officer.id)} if joined else {}),
        )
    )  # fmt: skip


def without(play: Play, officer: Officer) -> dict[str, Patch]:
    """What the unit to which an officer has ridden is without him: another who is with it is its officer then."""
    others = (one for one in play.field.officers(officer.side) if one.id != officer.id)
    left = next((one.id for one in others if one.attached == officer.attached), "")
    return {officer.attached: Patch(attached_officer=left)} if officer.attached in play.battle.units else {}


def beside(play: Play, unit: Unit) -> Point:
    """Where the officer of a unit stands: at the middle of its rear."""
    return tenths(play.field.body(unit).rear)


@rule("GC-CHG-04", "GC-CHG-06")
def surrender(play: Play, name: str, by: str, *rules: str) -> None:
    """A unit lays down its arms."""
    unit = play.unit(name)
    gone(play, name, "surrendered")
    guns = {"guns": "captured"} if unit.type in ("artillery", "mg") else {}
    play.add(
        UnitSurrendered(
            rules=cited(*rules, "GC-CHG-06"), side=unit.side, unit=name, by=by,
            changes={name: Patch(status="surrendered", was=unit.status, **guns)},  # type: ignore[arg-type]  # as said
        )
    )  # fmt: skip
