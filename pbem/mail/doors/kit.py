"""What the doors have in common, whatever they speak."""

from __future__ import annotations

from typing import Final

import msgspec

from pbem.kernel.errors import PbemError

PATIENCE: Final = (1.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds before the next attempt, after the first, the second … in a row that failed."""


class BadDoor(PbemError):
    """Letters cannot be taken in there; the text says why."""


class Round(msgspec.Struct, frozen=True):
    """What one look through the place where letters lie came to."""

    kept: int
    again: int
    """Kept before, and now moved."""

    left: tuple[str, ...]
    """Why a letter was left where it lies, one by one."""
