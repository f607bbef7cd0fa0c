"""The clock that all go by who keep an office together: that of the server which has its database.

It is asked once a minute, and kept meanwhile by what counts the time since this machine was started: what the clock on
its wall shows does not matter.
"""

from __future__ import annotations

import time
from math import inf
from typing import Final

from pbem.kernel.errors import StorageError
from pbem.storage.database import Engine, server_time

EVERY: Final = 60.0
"""Seconds between two questions."""


class ServerClock:
    """Gives microseconds UTC.

    :raises StorageError: if the server cannot be asked the first time; what it told once is good while it is away.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine, self._asked, self._ahead = engine, -inf, 0

    def __call__(self) -> int:
        if _since_start() - self._asked > EVERY:
            self._ask()
        return self._ahead + round(_since_start() * 1_000_000)

    def _ask(self) -> None:
        before = _since_start()
        try:
            there = server_time(self._engine)
        except StorageError:
            if self._asked == -inf:
                raise
            return
        after = _since_start()
        self._ahead, self._asked = there - round((before + after) / 2 * 1_000_000), after


def _since_start() -> float:
    """Seconds since the machine was started, those in which it slept with them where it can tell."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
