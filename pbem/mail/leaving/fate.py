"""What became of something that was to leave the office."""

from __future__ import annotations

from enum import StrEnum


class Fate(StrEnum):
    """What became of a letter."""

    SENT = "sent"
    RETRY = "retry"
    """Not now: the server asked to come again, or did not answer."""

    FAILED = "failed"
    """Never as it is."""
