"""When the office last looked at its clock, when it last did not for long, and when it is to look at a campaign again.

Whether it was switched off, asleep, or its clock leapt: it did not see the time pass, and that is all that counts.

When to look at a campaign again, if nothing is written into its log until then, saves work and decides nothing: it
counts as long as the log ends where it did, and for a day at most.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import asdict

from pbem.kernel.names import CampaignId
from pbem.storage.databases.connection import Connection
from pbem.storage.log import CAMPAIGNS

_GET = "SELECT seen_at, away_since, away_until FROM heartbeat WHERE id = 1"
_INSERT = "INSERT INTO heartbeat (id, seen_at, away_since, away_until) VALUES (1, :at, :at, :at)"
_UPDATE = "UPDATE heartbeat SET seen_at = :seen, away_since = :since, away_until = :until WHERE id = 1"

LONGEST = 24 * 3_600_000_000
"""A day: so far ahead nothing counts, whatever it says, for clocks go back and rules of summer time change."""

_DUE = f"""\
SELECT there.campaign FROM ({CAMPAIGNS}) AS there LEFT JOIN look ON look.campaign = there.campaign
WHERE look.campaign IS NULL OR look.made_by <> :by OR look.at <= :at OR look.at > :limit
  OR look.seq <> (SELECT seq FROM event WHERE event.campaign = there.campaign ORDER BY seq DESC LIMIT 1)"""
_KEEP = (
    "INSERT INTO look (campaign, seq, at, made_by) VALUES (:campaign, :seq, :at, :made_by) ON CONFLICT (campaign)"
    " DO UPDATE SET seq = excluded.seq, at = excluded.at, made_by = excluded.made_by"
)


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
    # A clock that went back shows hours again of which nothing has passed yet.
    away = (min(away[0], at), min(away[1], at))
    now = Watch(at, *away)
    connection.execute(_UPDATE, {"seen": now.seen_at, "since": now.away_since, "until": now.away_until})
    return now, max(before.seen_at - at, 0)


class Look(Struct, frozen=True):
    """When a campaign is looked at again."""

    campaign: CampaignId
    seq: int
    """Where its log ended."""
    at: int | None
    """In microseconds UTC; None: not before something is written."""
    made_by: str
    """Which version of the office found so."""


def due(connection: Connection, *, at: int, by: str) -> list[CampaignId]:
    """The campaigns that are to be looked at, by name; *by*: which version of the office asks."""
    found = connection.execute(_DUE, {"at": at, "limit": at + LONGEST, "by": by})
    return [CampaignId(campaign) for (campaign,) in found]


def keep(connection: Connection, looks: Iterable[Look]) -> None:
    """Write down when campaigns are looked at again."""
    for look in looks:
        connection.later(_KEEP, asdict(look))
