"""The rules: functions that take values and fallen dice, and give values; each wears its id."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import Role
from pbem.rules.ledger import rule

from bare_bones.state import Scene, Valley, own, there

LEAST = 2
"""Men that a company has at least, before its die is added."""


@rule("BB-SET-01")
def men_of(die: int) -> int:
    """How many men a company begins with."""
    return LEAST + (die + 1) // 2


@rule("BB-ORD-01")
def is_own(valley: Valley, role: Role, company: str) -> bool:
    """Whether *role* may order a company."""
    return company in own(valley, role)


@rule("BB-MAR-01")
def is_next(scene: Scene, start: str, end: str) -> bool:
    """Whether a company gets from one village to the other in a turn."""
    return end in scene.villages[start].next


@rule("BB-FIG-01")
def strongest(totals: Mapping[Role, int]) -> Role | None:
    """The side with the highest total; None if two have it."""
    best = max(totals.values())
    first, *others = [side for side, total in totals.items() if total == best]
    return None if others else first


@rule("BB-VIL-01")
def taken_by(valley: Valley, village: str) -> Role | None:
    """The side that now takes a village, because it stands there alone; None if it stays in the hands it is in."""
    sides = list(there(valley, village))
    return sides[0] if len(sides) == 1 and valley.holders.get(village) != sides[0] else None


@rule("BB-END-01")
def left_alone(valley: Valley) -> Role | None:
    """The one side that still has companies; None if there are others."""
    sides = {company.side for company in valley.companies.values()}
    return sides.pop() if len(sides) == 1 else None


@rule("BB-END-02")
def has_most(villages: Mapping[Role, int]) -> Role | None:
    """The side that holds more villages than any other."""
    return strongest(villages)
