"""Names that must not be mixed up, and the address of a sheet."""

from __future__ import annotations

import re
from typing import NewType

from msgspec import Struct

from pbem.kernel.errors import BadMoment

Role = NewType("Role", str)
"""A command in a game: `french`, `blue.cavalry`.  The GM is no role: he sees the truth."""

RuleId = NewType("RuleId", str)
"""A rule of a ledger: `SP-MEL-04`."""

ThrowName = NewType("ThrowName", str)
"""What tells one throw of a turn from all others: `5B/melee/J-10`."""

Aspect = NewType("Aspect", str)
"""How much of a fact one role gets; the system's own words."""

CampaignId = NewType("CampaignId", str)
"""One game being played: `stprivat-autumn`."""

PlayerId = NewType("PlayerId", str)
"""A person who fills roles; random, so that it says nothing."""

FULL = Aspect("full")
"""The fact as it stands."""

NEXT_CALL = 9999
"""In the place of a halt: whatever is asked next of the role, a halt or an exchange.  No halt is numbered so."""

_SET_UP = re.compile(r"s\s*(\d{1,3})(?:\s*(?:[./]|halt\b)\s*(\d{1,4})|\s*(\+))?", re.IGNORECASE)
_PLAY = re.compile(r"t?(\d{1,4})\s*((?a:[a-z])?)(?:\s*(?:[./]|halt\b)\s*(\d{1,4})|\s*(\+))?", re.IGNORECASE)


class Moment(Struct, frozen=True, order=True):
    """The address of a sheet: turn, exchange of that turn, and the private halt if it answers one.

    Turn 0 is set-up.  `3+` is for whoever has sent his orders for 3A: what waits for his next call.  Its text reads
    back:

    >>> [str(Moment(*at)) for at in [(0, 2), (5, 1), (5, 2), (3, 1, 2), (3, 1, NEXT_CALL)]]
    ['S2', '5A', '5B', '3.2', '3+']
    >>> Moment.parse("t5 b") == Moment(5, 2), Moment.parse("3 halt 2") == Moment(3, 1, 2)
    (True, True)
    """

    turn: int
    exchange: int = 1
    halt: int = 0

    @property
    def whole(self) -> Moment:
        """The exchange that it is in."""
        return Moment(self.turn, self.exchange) if self.halt else self

    @property
    def waits(self) -> bool:
        """Whether it is the address of what waits for the next call."""
        return self.halt == NEXT_CALL

    @property
    def then(self) -> Moment:
        """The address of what waits for the next call after this exchange was closed."""
        return Moment(self.turn, self.exchange, NEXT_CALL)

    @property
    def written(self) -> str:
        """As the head of a sheet says it.

        >>> Moment(3, 2).written, Moment(3, 1, 20).written
        ('3B', '3 halt 20')
        """
        if not self.halt or self.waits:
            return str(self)
        return f"{str(self.whole).removesuffix('A')} halt {self.halt}"

    def __str__(self) -> str:
        if self.turn == 0:
            return f"S{self.exchange}{'+' if self.waits else f'.{self.halt}' if self.halt else ''}"
        letter = chr(ord("A") + self.exchange - 1)
        if not self.halt:
            return f"{self.turn}{letter}"
        return f"{self.turn}{letter if self.exchange > 1 else ''}{'+' if self.waits else f'.{self.halt}'}"

    @classmethod
    def parse(cls, text: str) -> Moment:
        """Read what `str` writes, and what people write for it: `S1`, `5`, `5a`, `T5 B`, `3.2`, `3 halt 2`, `3+`.

        :raises BadMoment: if it is none of these.
        """
        if found := _SET_UP.fullmatch(text.strip()):
            return cls(0, int(found[1]), NEXT_CALL if found[3] else int(found[2] or 0))
        if found := _PLAY.fullmatch(text.strip()):
            exchange = ord(found[2].lower()) - ord("a") + 1 if found[2] else 1
            return cls(int(found[1]), exchange, NEXT_CALL if found[4] else int(found[3] or 0))
        raise BadMoment(text)
