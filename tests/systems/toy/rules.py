"""The rules: functions that take values and fallen dice, and return values; each wears its id."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from tests.systems.toy.outcomes import Reason
from tests.systems.toy.state import GUARD, SMUGGLER, Field, own

REACH = 2
POINTS = {True: 5, False: 1}
"""What the guard scores for a cart, laden or not (TY-FIR-02)."""

TABLE_RULES = {"POINTS": ("TY-FIR-02",)}


@rule("TY-SET-01")
def load(die: int) -> str:
    """The cart that is laden."""
    return "s1" if die % 2 else "s2"


@rule("TY-ORD-01")
def is_own(field: Field, role: Role, piece: str) -> bool:
    """Whether *role* may order *piece*."""
    return piece in own(field, role)


@rule("TY-MOV-01")
def within_reach(start: int, end: int) -> bool:
    """Whether a cart gets from *start* to *end* in one turn."""
    return abs(start - end) <= REACH


@rule("TY-MOV-02")
def is_free(field: Field, square: int) -> bool:
    """Whether no cart stands there."""
    return all(piece.square != square for piece in own(field, SMUGGLER).values())


@rule("TY-FIR-01")
def hits(die: int, hits_on: int) -> bool:
    """Whether a die kills a man."""
    return die >= hits_on


@rule("TY-FIR-03")
def watched(watches: Mapping[str, int], patrol: str) -> int:
    """Where a patrol fires without an order; 0 is nowhere."""
    return watches.get(patrol, 0)


@rule("TY-ALM-01")
def hears(watches: Mapping[str, int], square: int) -> tuple[str, ...]:
    """The patrols that hear a cart come to *square*."""
    return tuple(patrol for patrol, watched in sorted(watches.items()) if watched == square)


@rule("TY-END-01")
def ending(field: Field, places: int) -> tuple[Role, Reason] | None:
    """Who has won now, and why; None while play goes on."""
    laden = [piece for piece in own(field, SMUGGLER).values() if piece.laden]
    if any(piece.square == places for piece in laden):
        return SMUGGLER, "crossed"
    if not laden:
        return GUARD, "caught"
    return (GUARD, "last_turn") if field.turn >= int(field.options["last_turn"]) else None
