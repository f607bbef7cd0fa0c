"""Figures taken off, units gone, officers down (GC-FIR-05, GC-FIR-07, GC-OFF-01)."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from pbem.rules.ledger import rule
from pbem.systems.crossroads.march.riders import gone, officer_tested
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.tables.combat import OFFICER_DIE, OFFICER_KILLED
from pbem.systems.crossroads.world.outcomes_combat import FiguresLost, UnitDestroyed, UnitSurrendered
from pbem.systems.crossroads.world.patches import Patch
from pbem.systems.crossroads.world.state import GUNS, Officer, Unit

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
    cited_for = ("GC-FIR-05" if cause != "melee" else "GC-MEL-03", "GC-LVL-01", "GC-LVL-02")
    play.add(
        FiguresLost(
            **about(unit, *cited_for), count=count, cause=cause, losses=losses, level_before=unit.level,
            level_after=after, changes={name: Patch(losses=losses)},
        )
    )  # fmt: skip
    fallen = [one for one in play.field.riders(unit) if _falls(play, one, unit, cause)]
    if losses >= unit.strength:
        gone(play, name, "destroyed")
        destroyed = {name: Patch(status="destroyed", was=unit.status)}
        play.add(UnitDestroyed(**about(unit, "GC-LVL-01"), by=by, why="losses", changes=destroyed))
    return fallen


@rule("GC-FIR-07", "GC-OFF-01")
def _falls(play: Play, officer: Officer, unit: Unit, cause: Cause) -> bool:
    """Whether an officer is killed with the hits of the unit that he is with."""
    thrown = play.throw("officer", officer.id, "GC-FIR-07", sides=OFFICER_DIE)
    killed = thrown.faces[0] >= OFFICER_KILLED[_DEADLY[cause]]
    officer_tested(play, officer, unit, cause, killed=killed, thrown=thrown)
    return killed


@rule("GC-CHG-04", "GC-CHG-06")
def surrender(play: Play, name: str, by: str, *rules: str) -> None:
    """A unit lays down its arms."""
    unit = play.unit(name)
    gone(play, name, "surrendered")
    patch = Patch(status="surrendered", was=unit.status, guns="captured" if unit.type in GUNS else UNSET)
    play.add(UnitSurrendered(**about(unit, *rules, "GC-CHG-06"), by=by, changes={name: patch}))
