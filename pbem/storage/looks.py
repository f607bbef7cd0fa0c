"""When the clock is to look at a campaign again, if nothing is written into its log until then.

What is kept here saves work and decides nothing: it counts as long as the log ends where it did, and for a day at most.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import asdict

from pbem.kernel.names import CampaignId
from pbem.storage.connection import Connection

LONGEST = 24 * 3_600_000_000
"""A day: so far ahead nothing counts, whatever it says, for clocks go back and rules of summer time change."""

_DUE = """\
WITH RECURSIVE known (campaign) AS (
  SELECT min(campaign) FROM event
  UNION ALL
  SELECT (SELECT min(campaign) FROM event WHERE event.campaign > known.campaign)
  FROM known WHERE known.campaign IS NOT NULL
) SELECT known.campaign FROM known LEFT JOIN look ON look.campaign = known.campaign
WHERE known.campaign IS NOT NULL AND (
  look.campaign IS NULL OR look.made_by <> :by OR look.at <= :at OR look.at > :limit
  OR look.seq <> (SELECT seq FROM event WHERE event.campaign = known.campaign ORDER BY seq DESC LIMIT 1)
)"""
_KEEP = "INSERT OR REPLACE INTO look (campaign, seq, at, made_by) VALUES (:campaign, :seq, :at, :made_by)"


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
        connection.execute(_KEEP, asdict(look))
