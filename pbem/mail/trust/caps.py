"""How many answers a machine may give to one address (RFC 3834)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec


class Reply(StrEnum):
    """Whether one more answer may leave."""

    YES = "yes"
    LAST = "last"
    """Yes, and it should say that it is the last of the day."""

    NO = "no"


class Caps(msgspec.Struct, frozen=True):
    """Automatic answers to one address a day."""

    registered: int = 10
    stranger: int = 1


CAPS: Final = Caps()


def may_answer(answered: int, *, registered: bool, caps: Caps = CAPS) -> Reply:
    """Whether an address that was *answered* so often in the last 24 hours is answered again.

    >>> [str(may_answer(n, registered=True)) for n in (0, 8, 9, 10)], str(may_answer(0, registered=False))
    (['yes', 'yes', 'last', 'no'], 'last')
    """
    left = (caps.registered if registered else caps.stranger) - answered
    return Reply.NO if left <= 0 else Reply.LAST if left == 1 else Reply.YES
