"""How a process says what it does: a line for people, or an object of JSON for programs that gather such lines.

    say = voice(office.now, print)
    say(Said("ford: turn 5A was run", campaign="ford"))

    {"time":"2026-11-24T20:00:01.204000Z","node":"north/4711","campaign":"ford","text":"ford: turn 5A was run"}

Which of the two says the environment, so that all processes that one begins speak as it does.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from pbem.desk.office.office import Clock
from pbem.reports.text.times import in_seconds

FORM = "PBEM_LOG"
"""The variable of the environment that says in what form lines are said: `text` or `json`."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Said(str):
    """A line with what is known of it beside its text; what wants a line takes it for one."""

    __slots__ = ("campaign", "level")

    def __new__(cls, text: str, *, campaign: str = "", level: Literal["", "error"] = "") -> Said:
        """A line *text*; *level*: it tells of something that went wrong."""
        said = super().__new__(cls, text)
        said.campaign, said.level = campaign, level
        return said

    campaign: str
    level: str


def voice(now: Clock, write: Callable[[str], object], *, flat: bool = False) -> Callable[[str], None]:
    """What says lines, with the hour that *now* gives, through *write*; *flat*: for people, too, one is one line."""
    node, as_json = f"{socket.gethostname()}/{os.getpid()}", os.environ.get(FORM) == "json"

    def say(what: str) -> None:
        if not as_json:
            write(f"{in_seconds(now())} UTC  {' '.join(what.split()) if flat else what}")
            return
        line = {"time": rfc3339(now()), "node": node}
        if isinstance(what, Said):
            line |= {name: said for name in ("level", "campaign") if (said := getattr(what, name))}
        write(msgspec.json.encode({**line, "text": str(what)}).decode())

    return say


def rfc3339(at: int) -> str:
    """An instant, to the microsecond.

    >>> rfc3339(1_795_546_800_000_001)
    '2026-11-24T19:00:00.000001Z'
    """
    return f"{(_EPOCH + timedelta(microseconds=at)).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
