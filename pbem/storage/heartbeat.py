"""When the office last looked at its clock, and when it last did not for long.

Whether it was switched off, asleep, or its clock leapt: it did not see the time pass, and that is all that counts.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.storage.connection import Connection

_GET = "SELECT seen_at, away_since, away_until FROM heartbeat WHERE id = 1"
_INSERT = "INSERT INTO heartbeat (id, seen_at, away_since, away_until) VALUES (1, :at, :at, :at)"
_UPDATE = "UPDATE heartbeat SET seen_at = :seen, away_since = :since, away_until = :until WHERE id = 1"


class Watch(Struct, frozen=True):
    """What the office saw of the time; microseconds UTC."""

    seen_at: int
    """The last look."""
    away_since: int
    away_until: int
    """The newest time that it did not see; the two are one if there was none."""

    def missed(self, begin: int, end: int) -> bool:
        """Whether it was away for some of the time from *begin* to *end*."""
        return max(self.away_since, begin) < min(self.away_until, end)


def last(connection: Connection) -> Watch | None:
    """What was written at the last look; None before the first."""
    found = connection.execute(_GET).one_or_none()
    return Watch(*found) if found else None


def look(connection: Connection, at: int, *, away_after: int) -> tuple[Watch, int]:
    """Write down that the clock shows *at*; gives what is seen, and how far the clock went back (0: it did not).

    A time of more than *away_after* since the last look is one that was not seen.
    """
    before = last(connection)
    if before is None:
        connection.execute(_INSERT, {"at": at})
        return Watch(at, at, at), 0
    away = (before.seen_at, at) if at - before.seen_at > away_after else (before.away_since, before.away_until)
    now = Watch(at, *away)
    connection.execute(_UPDATE, {"seen": now.seen_at, "since": now.away_since, "until": now.away_until})
    return now, max(before.seen_at - at, 0)
