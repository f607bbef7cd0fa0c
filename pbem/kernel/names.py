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

_SET_UP = re.compile(r"s\s*(\d{1,3})", re.IGNORECASE)
_PLAY = re.compile(r"t?(\d{1,4})\s*([a-z]?)(?:\s*[./]\s*(\d{1,4}))?", re.IGNORECASE)


class Moment(Struct, frozen=True, order=True):
    """The address of a sheet: turn, exchange of that turn, and the private halt if it answers one.

    Turn 0 is set-up.  Its text reads back:

    >>> [str(Moment(*at)) for at in [(0, 2), (5, 1), (5, 2), (3, 1, 2)]]
    ['S2', '5A', '5B', '3.2']
    >>> Moment.parse("t5 b") == Moment(5, 2)
    True
    """

    turn: int
    exchange: int = 1
    halt: int = 0

    def __str__(self) -> str:
        if self.turn == 0:
            return f"S{self.exchange}"
        letter = chr(ord("A") + self.exchange - 1)
        if not self.halt:
            return f"{self.turn}{letter}"
        return f"{self.turn}{letter if self.exchange > 1 else ''}.{self.halt}"

    @classmethod
    def parse(cls, text: str) -> Moment:
        """Read what `str` writes, and what people write for it: `S1`, `5`, `5a`, `T5 B`, `3.2`.

        :raises BadMoment: if it is none of these.
        """
        if found := _SET_UP.fullmatch(text.strip()):
            return cls(0, int(found[1]))
        if found := _PLAY.fullmatch(text.strip()):
            exchange = ord(found[2].lower()) - ord("a") + 1 if found[2] else 1
            return cls(int(found[1]), exchange, int(found[3] or 0))
        raise BadMoment(text)
