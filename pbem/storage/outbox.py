"""What is to be mailed: written in the transaction that gives cause for it, sent later by whoever claims it.

    queue  →  queued  →  claim  →  sending  →  sent
                 ↑____ retry ________|   |____ failed        dropped: never to be sent

A mail is owed once for each cause.  A claim is a lease: who dies with it is followed by another when it runs
out, and the same bytes leave under the same Message-ID.  After a failure that may pass, the next attempt
waits as `WAITS` says, then an hour and the jitter given, until the mail expires.  To some domains only so many
leave in a minute (`pbem.storage.pace`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from msgspec import Struct, json
from msgspec.structs import asdict, replace

from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, PlayerId
from pbem.storage import pace
from pbem.storage.databases.connection import Connection

Kind = Literal["receipt", "report", "briefing", "notice", "hook"]
"""What leaves: letters of some kind, and (`hook`) what a program of a player is told."""
State = Literal["queued", "sending", "sent", "failed", "dropped"]

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

WAITS = (1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE)
"""How long to wait after the first attempts; after later ones an hour and the jitter."""

KEPT = 5 * DAY
"""How long a mail is tried."""


class Mail(Struct, frozen=True):
    """One mail; its bytes are the blob *digest*.  Its *id* is random, for the player sees it."""

    id: str
    campaign: CampaignId
    player: PlayerId | None
    """None: the GM."""
    kind: Kind
    cause: str
    """What it is owed for, once in a campaign: `report/5B/french/1`."""
    message_id: str
    subject: str
    digest: str
    state: State
    created_at: int
    due_at: int
    expires_at: int
    attempts: int
    lease_until: int | None = None
    leased_by: str | None = None
    answer: str = ""
    """The last words of the server."""
    sent_at: int | None = None

    @property
    def timely(self) -> bool:
        """Whether it is of use until an hour that was set for it, and not to be sent after."""
        return self.expires_at < self.created_at + KEPT


class NewMail(Struct, frozen=True, kw_only=True):
    """A mail as it comes to be owed; what its fields say, they say of the `Mail` as well."""

    id: str
    campaign: CampaignId
    player: PlayerId | None
    kind: Kind
    cause: str
    message_id: str
    subject: str
    digest: str
    at: int
    """When it is owed: microseconds UTC."""
    due_at: int | None = None
    """None: at once."""
    expires_at: int | None = None
    """None: `KEPT` after it is due."""


_FIELDS = Mail.__struct_fields__
_COLUMNS = ", ".join(_FIELDS)
_GET = f"SELECT {_COLUMNS} FROM outbox WHERE id = :id"
_BY_CAUSE = f"SELECT {_COLUMNS} FROM outbox WHERE campaign = :campaign AND cause = :cause"
_BY_MESSAGE_ID = f"SELECT {_COLUMNS} FROM outbox WHERE message_id = :id"
_ALL = f"SELECT {_COLUMNS} FROM outbox WHERE kind <> 'hook' ORDER BY created_at, rowid"
_IN_STATE = f"SELECT {_COLUMNS} FROM outbox WHERE state = :state AND kind <> 'hook' ORDER BY created_at, rowid"
_INSERT = (
    f"INSERT INTO outbox ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in _FIELDS)})"
    " ON CONFLICT (campaign, cause) DO NOTHING"
)
_PASSED_OVER = "/* who comes next passes outbox over */"
_SORT = "(kind = 'hook') = :hooks"
_WAITS = "((state = 'queued' AND due_at <= :at) OR (state = 'sending' AND lease_until <= :at))"
_EXPIRED = (
    f"SELECT {_COLUMNS} FROM outbox WHERE {_WAITS} AND expires_at <= :at AND {_SORT}"
    f" ORDER BY created_at, id {_PASSED_OVER}"
)
_ADDRESS = "coalesce(player.address, :gm)"
_DOMAIN = f"lower(substr({_ADDRESS}, instr({_ADDRESS}, '@') + 1))"
_CLAIMABLE = (
    f"SELECT {', '.join(f'outbox.{name}' for name in _FIELDS)}, {_DOMAIN}"
    " FROM outbox LEFT JOIN player ON player.id = outbox.player"
    f" WHERE expires_at > :at AND kind <> 'hook' AND {_DOMAIN} NOT IN (SELECT value FROM json_each(:full)) AND"
)
_LAPSED = (
    f"{_CLAIMABLE} state = 'sending' AND lease_until <= :at"
    f" ORDER BY lease_until, outbox.rowid LIMIT :limit {_PASSED_OVER}"
)
_DUE = f"{_CLAIMABLE} state = 'queued' AND due_at <= :at ORDER BY due_at, outbox.rowid LIMIT :limit {_PASSED_OVER}"
_CLAIM = (
    "UPDATE outbox SET state = 'sending', attempts = attempts + 1, lease_until = :until, leased_by = :by WHERE id = :id"
)
_HOLDERS = "SELECT DISTINCT leased_by FROM outbox WHERE state = 'sending' AND lease_until > :at ORDER BY leased_by"
_LET_GO = "UPDATE outbox SET lease_until = :at WHERE state = 'sending' AND leased_by = :by"
_SENT = (
    "UPDATE outbox SET state = 'sent', answer = :answer, sent_at = :at, lease_until = NULL, leased_by = NULL"
    " WHERE id = :id"
)
_BACK = (
    "UPDATE outbox SET state = 'queued', answer = :answer, due_at = :due, lease_until = NULL, leased_by = NULL"
    " WHERE id = :id"
)
_END = "UPDATE outbox SET state = :state, answer = :answer, lease_until = NULL, leased_by = NULL WHERE id = :id"
_AGAIN = (
    "UPDATE outbox SET state = 'queued', due_at = :at, expires_at = :expires_at, attempts = 0,"
    " lease_until = NULL, leased_by = NULL WHERE id = :id"
)
_RETURNED = "UPDATE outbox SET state = 'failed', answer = :answer WHERE id = :id AND state = 'sent'"
_BLANK = "UPDATE outbox SET subject = '', answer = '' WHERE id = :id"
_NEWEST_SENT = (
    f"SELECT {_COLUMNS} FROM outbox WHERE player IS :player AND sent_at IS NOT NULL AND kind <> 'hook'"
    " ORDER BY sent_at DESC, id LIMIT 1"
)
_OF_PLAYER = f"SELECT {_COLUMNS} FROM outbox WHERE player = :player AND kind <> 'hook' ORDER BY created_at, rowid"
_HOOKS_OF = (
    f"SELECT {_COLUMNS} FROM outbox WHERE player = :player AND kind = 'hook' ORDER BY created_at DESC, rowid DESC"
)
_DROP_WAITING = (
    "UPDATE outbox SET state = 'dropped', answer = :why"
    " WHERE player = :player AND state = 'queued' AND kind NOT IN ('receipt', 'hook')"
)
_DROP_OF_GAME = (
    "UPDATE outbox SET state = 'dropped', answer = :why WHERE player = :player AND campaign = :campaign"
    " AND (state IN ('queued', 'sending') OR state = 'dropped' AND answer = :held)"
    " AND (:role = '' OR '/' || cause || '/' LIKE '%/' || :role || '/%')"
)
_NEXT = (
    f"SELECT min(CASE state WHEN 'queued' THEN due_at ELSE lease_until END), {_DOMAIN}"
    " FROM outbox LEFT JOIN player ON player.id = outbox.player"
    " WHERE state IN ('queued', 'sending') AND kind <> 'hook' GROUP BY 2"
)
_HOOK_DUE = (
    f"SELECT {_COLUMNS} FROM outbox WHERE kind = 'hook' AND expires_at > :at AND {_WAITS}"
    " AND substr(cause, 1, :long) NOT IN (SELECT value FROM json_each(:but)) ORDER BY due_at, rowid LIMIT 1"
    f" {_PASSED_OVER}"
)
_NEXT_HOOK = (
    "SELECT min(CASE state WHEN 'queued' THEN due_at ELSE lease_until END)"
    " FROM outbox WHERE state IN ('queued', 'sending') AND kind = 'hook'"
)
_HELD_UP = (
    f"SELECT {_DOMAIN}, count(*) FROM outbox LEFT JOIN player ON player.id = outbox.player"
    f" WHERE {_WAITS} AND kind <> 'hook' AND {_DOMAIN} IN (SELECT value FROM json_each(:full)) GROUP BY 1 ORDER BY 1"
)

NO_LIMITS: Mapping[str, int] = {}


def queue(connection: Connection, new: NewMail) -> tuple[Mail, bool]:
    """Owe a mail for its cause; says whether it is new.  What was owed for that before stays as it is."""
    due = new.at if new.due_at is None else new.due_at
    mail = Mail(
        id=new.id,
        campaign=new.campaign,
        player=new.player,
        kind=new.kind,
        cause=new.cause,
        message_id=new.message_id,
        subject=new.subject,
        digest=new.digest,
        state="queued",
        created_at=new.at,
        due_at=due,
        expires_at=due + KEPT if new.expires_at is None else new.expires_at,
        attempts=0,
    )
    if not connection.execute(_INSERT, asdict(mail)).rowcount:
        before = of_cause(connection, new.campaign, new.cause)
        return (before, False) if before else queue(connection, new)
    connection.wake("hooks" if new.kind == "hook" else "post")
    return mail, True


def is_owed(connection: Connection, campaign: CampaignId, cause: str) -> bool:
    """Whether a mail is or was owed for *cause*, whatever became of it."""
    return connection.execute(_BY_CAUSE, {"campaign": campaign, "cause": cause}).fetchone() is not None


def of_cause(connection: Connection, campaign: CampaignId, cause: str) -> Mail | None:
    """The mail that is or was owed for *cause*, if one is."""
    found = connection.execute(_BY_CAUSE, {"campaign": campaign, "cause": cause}).fetchall()
    return Mail(*found[0]) if found else None


def get(connection: Connection, id: str) -> Mail:
    """The mail of this id.

    :raises Refused: if there is none.
    """
    found = connection.execute(_GET, {"id": id}).one_or_none()
    if found is None:
        raise Refused(f"there is no mail {id}: pbem mail outbox lists them.")
    return Mail(*found)


def of_message_id(connection: Connection, message_id: str) -> Mail | None:
    """The mail that bears this id, if one does."""
    found = connection.execute(_BY_MESSAGE_ID, {"id": message_id}).one_or_none()
    return Mail(*found) if found else None


def listing(connection: Connection, state: State | None = None) -> list[Mail]:
    """All mails, or those in *state*, in the order in which they were owed; nothing that programs are told."""
    rows = connection.execute(_IN_STATE, {"state": state}) if state else connection.execute(_ALL)
    return [Mail(*row) for row in rows]


def of_player(connection: Connection, player: PlayerId) -> list[Mail]:
    """All mails that are or were owed to *player*, in the order in which they came about."""
    return [Mail(*row) for row in connection.execute(_OF_PLAYER, {"player": player})]


def hooks_of(connection: Connection, player: PlayerId) -> list[Mail]:
    """All that programs of *player* are or were told, the newest first."""
    return [Mail(*row) for row in connection.execute(_HOOKS_OF, {"player": player})]


def next_due(connection: Connection, *, limits: Mapping[str, int] = NO_LIMITS, gm: str = "") -> int | None:
    """When there will be a mail to claim; None if none waits.  *limits* and *gm* as for `claim`."""
    free = pace.free_at(connection, limits)
    return min((max(due, free.get(domain, due)) for due, domain in connection.execute(_NEXT, {"gm": gm})), default=None)


def next_hook(connection: Connection) -> int | None:
    """When there will be something to tell a program; None if nothing waits."""
    due: int | None = connection.execute(_NEXT_HOOK).scalar()
    return due


def expire(connection: Connection, *, at: int, hooks: bool = False) -> list[Mail]:
    """End what has waited too long: what was of use until an hour is dropped, all else has failed; gives them."""
    expired = [Mail(*row) for row in connection.execute(_EXPIRED, {"at": at, "hooks": hooks})]
    for mail in expired:
        state, why = ("dropped", "too late") if mail.timely else ("failed", "given up")
        connection.execute(_END, {"id": mail.id, "state": state, "answer": ": ".join(filter(None, (why, mail.answer)))})
    return [get(connection, mail.id) for mail in expired]


def claim(
    connection: Connection,
    *,
    at: int,
    until: int,
    by: str,
    limit: int = 20,
    limits: Mapping[str, int] = NO_LIMITS,
    gm: str = "",
) -> list[Mail]:
    """Take up to *limit* mails that are due, or whose holder let the lease run out, for *by* alone *until* then.

    *limits*: how many may leave in a minute, by domain; what is of a domain that has had so many is passed over.
    *gm*: the address of the GM.
    """
    claimed = []
    full = [domain for domain, free in sorted(pace.free_at(connection, limits).items()) if free > at]
    asked = {"at": at, "limit": limit, "gm": gm, "full": _listed(full)}
    found = connection.execute(_DUE, asked).fetchall() or connection.execute(_LAPSED, asked).fetchall()
    for *row, domain in found:
        mail = Mail(*row)
        if domain not in limits or pace.take(connection, domain, a_minute=limits[domain], at=at):
            connection.later(_CLAIM, {"id": mail.id, "until": until, "by": by})
            claimed.append(replace(mail, state="sending", attempts=mail.attempts + 1, lease_until=until, leased_by=by))
    return claimed


def holders(connection: Connection, *, at: int) -> list[str]:
    """Who has a lease that has not run out."""
    return [by for (by,) in connection.execute(_HOLDERS, {"at": at})]


def let_go(connection: Connection, by: str, *, at: int) -> None:
    """Let the leases of *by*, who is dead, run out now."""
    connection.execute(_LET_GO, {"by": by, "at": at})


def claim_hook(connection: Connection, *, at: int, until: int, by: str, but: Collection[str] = ()) -> Mail | None:
    """Take what a program is to be told next, as `claim` does a mail; None if nothing is due.

    *but*: beginnings of causes, all of one length, that are passed over.
    """
    long = max(map(len, but), default=0)
    found = connection.execute(_HOOK_DUE, {"at": at, "long": long, "but": _listed(but)}).one_or_none()
    if found is None:
        return None
    mail = Mail(*found)
    connection.later(_CLAIM, {"id": mail.id, "until": until, "by": by})
    return replace(mail, state="sending", attempts=mail.attempts + 1, lease_until=until, leased_by=by)


def _listed(values: Collection[str]) -> str:
    """*values* as a statement is given several."""
    return json.encode(list(values)).decode()


def held_up(connection: Connection, *, at: int, limits: Mapping[str, int], gm: str) -> dict[str, int]:
    """How many mails are due to each domain that has had as many as it may."""
    full = [domain for domain, free in sorted(pace.free_at(connection, limits).items()) if free > at]
    if not full:
        return {}
    rows = connection.execute(_HELD_UP, {"at": at, "gm": gm, "full": _listed(full)}).fetchall()
    return {str(domain): int(count) for domain, count in rows}


def sent(connection: Connection, id: str, *, answer: str, at: int) -> None:
    """The other side took it, with these words; true whoever holds the lease by now."""
    connection.later(_SENT, {"id": id, "answer": answer, "at": at})


def retry(connection: Connection, id: str, *, by: str, answer: str, at: int, jitter: int) -> Mail:
    """It failed in a way that may pass: try again later, or fail if that is too late.

    *jitter*, in microseconds, is added to waits of an hour.  Nothing changes if *by* no longer holds the lease.
    """
    mail = get(connection, id)
    if mail.state != "sending" or mail.leased_by != by:
        return mail
    wait = WAITS[mail.attempts - 1] if mail.attempts <= len(WAITS) else HOUR + jitter
    if at + wait >= mail.expires_at:
        connection.execute(_END, {"id": id, "state": "failed", "answer": answer})
    else:
        connection.execute(_BACK, {"id": id, "answer": answer, "due": at + wait})
    return get(connection, id)


def fail(connection: Connection, id: str, *, by: str, answer: str) -> Mail:
    """It failed for good.  Nothing changes if *by* no longer holds the lease."""
    mail = get(connection, id)
    if mail.state == "sending" and mail.leased_by == by:
        connection.execute(_END, {"id": id, "state": "failed", "answer": answer})
    return get(connection, id)


def returned(connection: Connection, id: str, *, answer: str) -> None:
    """It had left, and came back for good: it has failed after all."""
    connection.execute(_RETURNED, {"id": id, "answer": answer})


def newest_sent(connection: Connection, player: PlayerId | None) -> Mail | None:
    """The mail that left last for *player* (None: the GM), whatever became of it."""
    found = connection.execute(_NEWEST_SENT, {"player": player}).one_or_none()
    return Mail(*found) if found else None


def drop(connection: Connection, id: str, *, why: str) -> None:
    """Never send it.

    :raises Refused: if it has left already.
    """
    if get(connection, id).state == "sent":
        raise Refused(f"mail {id} has left already.")
    connection.execute(_END, {"id": id, "state": "dropped", "answer": why})


def blank(connection: Connection, id: str) -> None:
    """Forget its subject and the last words of the server, as its bytes are."""
    connection.execute(_BLANK, {"id": id})


def drop_waiting(connection: Connection, player: PlayerId, *, why: str) -> None:
    """Never send *player* what waits for him, but for answers to his own letters."""
    connection.execute(_DROP_WAITING, {"player": player, "why": why})


def drop_of_game(
    connection: Connection, player: PlayerId, campaign: CampaignId, role: str, *, why: str, held: str
) -> None:
    """Never send *player* what waits for him of a game; with a *role*, of what has it in its cause alone.

    Nor what was dropped for the reason *held*, and would leave after all when that has passed.
    """
    given = {"player": player, "campaign": campaign, "role": role, "why": why, "held": held}
    connection.execute(_DROP_OF_GAME, given)


def again(connection: Connection, id: str, *, at: int) -> None:
    """Send a mail that failed or was dropped after all, or one that waits at once.

    :raises Refused: if it has left already, or is being sent, or the hour has passed until which it was of use.
    """
    mail = get(connection, id)
    if mail.state == "sent":
        raise Refused(f"mail {id} has left already.")
    if mail.state == "sending" and (mail.lease_until or 0) > at:
        raise Refused(f"mail {id} is being sent just now: look again in a while.")
    if mail.timely and mail.expires_at <= at:
        raise Refused(f"mail {id} is of no use any more: the hour that it speaks of has passed.")
    expires = mail.expires_at if mail.timely else at + KEPT
    connection.execute(_AGAIN, {"id": id, "at": at, "expires_at": expires})
