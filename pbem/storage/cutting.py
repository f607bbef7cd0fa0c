"""A database in which nothing is that came after an instant: what a backup is cut to, before anybody opens it.

Logs end before their first event after the instant, and with it goes what was kept for later events: letters, mails,
seeds, bytes, people.  What waited to leave never will.  The log's own guards are taken away for it and put back.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.kernel.names import CampaignId, Moment
from pbem.storage.databases.connection import Connection


class End(Struct, frozen=True):
    """Where a log ends when it is cut."""

    seq: int
    """0: nothing of it is left."""
    was: int
    """Where it had ended."""
    moment: Moment
    """Of its last event."""


_ENDS = """\
SELECT campaign, max(seq), (SELECT min(later.seq) FROM event AS later
  WHERE later.campaign = event.campaign AND later.recorded_at > :upto) - 1
FROM event GROUP BY campaign ORDER BY campaign"""

_MOMENT = "SELECT turn, exchange, halt FROM event WHERE campaign = :campaign AND seq = :end"
_EVENTS = "DELETE FROM event WHERE campaign = :campaign AND seq > :end"
_LETTERS = """\
UPDATE letter SET state = 'ignored', reason = :why, seq = NULL, code = NULL
WHERE state = 'new' OR seq IS NOT NULL AND campaign IS NOT NULL
  AND seq > coalesce((SELECT max(event.seq) FROM event WHERE event.campaign = letter.campaign), 0)"""

_REST = (
    "DELETE FROM setback WHERE at > :upto OR mail IN (SELECT id FROM outbox WHERE created_at > :upto)",
    "DELETE FROM outbox WHERE created_at > :upto",
    "DELETE FROM owed WHERE owed_at > :upto",
    "UPDATE outbox SET state = 'dropped', answer = :why, lease_until = NULL, leased_by = NULL"
    " WHERE state IN ('queued', 'sending')",
    "DELETE FROM letter WHERE received_at > :upto",
    "DELETE FROM secret WHERE made_at > :upto",
    "DELETE FROM alias WHERE added_at > :upto",
    "DELETE FROM hook",
    "DELETE FROM look",
    "DELETE FROM session",
    "DELETE FROM sign_in",
    "DELETE FROM blob WHERE created_at > :upto"
    " AND sha256 NOT IN (SELECT digest FROM letter UNION SELECT digest FROM outbox)",
    "DELETE FROM player WHERE created_at > :upto AND id NOT IN (SELECT player FROM letter WHERE player IS NOT NULL"
    " UNION SELECT player FROM outbox WHERE player IS NOT NULL UNION SELECT player FROM alias"
    " UNION SELECT player FROM setback WHERE player IS NOT NULL)",
    "DELETE FROM snapshot",
    "DELETE FROM heartbeat",
    "DELETE FROM node",
)


def cut(connection: Connection, upto: int, why: str) -> dict[CampaignId, End]:
    """Cut all that came after *upto*, in microseconds UTC; *why* is said of letters and mails that were on their way.

    Gives where the log of each campaign ends then.
    """
    ends = {}
    connection.database.letting_delete(connection)
    for campaign, last, before in connection.execute(_ENDS, {"upto": upto}).fetchall():
        at = {"campaign": campaign, "end": last if before is None else before}
        moment = connection.execute(_MOMENT, at).fetchone()
        ends[CampaignId(campaign)] = End(at["end"], last, Moment(*moment) if moment else Moment(0, 0))
        connection.execute(_EVENTS, at)
    given = {"upto": upto, "why": why}
    for statement in _REST:
        connection.execute(statement, {name: value for name, value in given.items() if f":{name}" in statement})
    connection.execute(_LETTERS, {"why": why})
    connection.database.guard(connection)
    return ends
