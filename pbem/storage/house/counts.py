"""How the office stands, in numbers: counted over indexes, no game is opened for it.

Times are microseconds UTC.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.kernel.event import Event
from pbem.kernel.names import CampaignId
from pbem.storage.codec import Codec
from pbem.storage.databases.connection import Connection
from pbem.storage.log import CAMPAIGNS


class Mails(NamedTuple):
    """What is to be mailed."""

    owed: int
    """Not yet written."""
    unwritten: int
    """Could not be written."""
    queued: int
    sending: int
    failed: int
    due: int | None
    """Since when the oldest could leave that waits; None if none could."""


class Queue(NamedTuple):
    """Wake-ups that lie in one queue."""

    name: str
    todo: int
    doing: int
    failed: int
    oldest: int | None
    """When the oldest was laid there that waits."""


class Answered(NamedTuple):
    """A letter with a sheet: when it came, when its receipt was made out, and when that was sent, if it was."""

    received_at: int
    made_at: int
    sent_at: int | None


class Step(NamedTuple):
    """What the log of a campaign says of how far it has come."""

    seq: int
    at: int
    event: Event


STEPS = (
    "campaign_paused",
    "campaign_resumed",
    "exchange_opened",
    "deadline_moved",
    "exchange_resolved",
    "exchange_released",
    "exchange_annulled",
    "campaign_ended",
)
"""The kinds of events by which a campaign gets on."""

_OWN = "kind NOT LIKE '%.%'"  # as the index event_own has it
_THEIRS = "event.campaign = there.campaign"
# Two openings back lies what was released last.
_SINCE = (
    f"SELECT seq FROM event WHERE {_THEIRS} AND {_OWN} AND kind = 'exchange_opened' ORDER BY seq DESC LIMIT 1 OFFSET 1"
)
_LISTED = ", ".join(f"'{kind}'" for kind in STEPS)
_STEPS = f"""\
SELECT there.campaign, event.seq, event.recorded_at, event.kind, event.schema, event.data
FROM ({CAMPAIGNS}) AS there LEFT JOIN event ON {_THEIRS}
  AND event.seq >= coalesce(({_SINCE}), 0) AND event.{_OWN} AND event.kind IN ({_LISTED})
ORDER BY there.campaign, event.seq"""
_OLDEST = "SELECT state, min(received_at) FROM letter WHERE state IN ('new', 'held', 'unreadable') GROUP BY state"
# What is gathered waits for its hour, and for nobody who writes.
_OWED = "SELECT fault <> '', count(*) FROM owed WHERE fault <> '' OR substr(cause, 1, 7) <> 'digest/' GROUP BY 1"
_MAILS = (
    "SELECT state, count(*) FROM outbox"
    " WHERE state IN ('queued', 'sending', 'failed') AND kind <> 'hook' GROUP BY state"
)
_DUE = "SELECT min(due_at) FROM outbox WHERE state = 'queued' AND kind <> 'hook' AND due_at <= :at"
# Letters are numbered as they come: from the end on, until one is older.
_ANSWERED = """\
SELECT letter.received_at, outbox.created_at, outbox.sent_at
FROM letter
JOIN event ON event.campaign = letter.campaign AND event.seq BETWEEN letter.seq AND letter.seq + 3
  AND event.kind IN ('orders_accepted', 'orders_kept', 'orders_refused')
JOIN outbox ON outbox.campaign = letter.campaign
  AND outbox.cause = 'receipt/' || json_extract(data, '$.role') || '/' || json_extract(data, '$.receipt')
WHERE letter.id > (SELECT coalesce(max(id), 0) FROM letter WHERE received_at < :since)
  AND letter.received_at >= :since AND json_extract(data, '$.message') = letter.digest"""
_QUEUES = """\
SELECT queue_name,
  count(*) FILTER (WHERE status = 'todo'), count(*) FILTER (WHERE status = 'doing'),
  count(*) FILTER (WHERE status = 'failed'),
  CAST(1000000 * extract(epoch FROM min(laid.at) FILTER (WHERE status = 'todo')) AS bigint)
FROM procrastinate_jobs LEFT JOIN procrastinate_events AS laid
  ON laid.job_id = procrastinate_jobs.id AND laid.type = 'deferred'
WHERE status IN ('todo', 'doing', 'failed') GROUP BY queue_name ORDER BY queue_name"""


def steps(connection: Connection) -> dict[CampaignId, list[Step]]:
    """Of each campaign by what events it came to where it is, since its last exchange but one was opened."""
    found: dict[CampaignId, list[Step]] = {}
    codec = Codec()
    for campaign, seq, at, kind, schema, data in connection.execute(_STEPS):
        steps = found.setdefault(CampaignId(campaign), [])
        if seq is not None:
            steps.append(Step(seq, at, codec.decode(kind, schema, data)))
    return found


def oldest_letters(connection: Connection) -> dict[str, int]:
    """Of each state in which letters wait when the oldest in it came."""
    return {str(state): int(at) for state, at in connection.execute(_OLDEST)}


def mails(connection: Connection, *, at: int) -> Mails:
    """How many mails wait, and for what; nothing that programs are told."""
    owed = {bool(failed): int(count) for failed, count in connection.execute(_OWED)}
    states = {str(state): int(count) for state, count in connection.execute(_MAILS)}
    return Mails(
        owed=owed.get(False, 0),
        unwritten=owed.get(True, 0),
        queued=states.get("queued", 0),
        sending=states.get("sending", 0),
        failed=states.get("failed", 0),
        due=connection.execute(_DUE, {"at": at}).scalar(),
    )


def answered(connection: Connection, *, since: int) -> list[Answered]:
    """The letters with sheets that came *since* then and have their receipts."""
    return [Answered(*row) for row in connection.execute(_ANSWERED, {"since": since})]


def queues(connection: Connection) -> list[Queue]:
    """The queues of wake-ups in which something lies; none in an office that wakes nobody."""
    if not connection.database.shared:
        return []
    return [Queue(*row) for row in connection.execute(_QUEUES)]
