"""Programs of players are told that something came: a report, a letter, an hour by which orders are due.

What is told says what came and where it is read, and nothing of what is in it.  It is owed with the letter that says
the same by mail, waits in the outbox beside it, and is tried as often.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from pbem.desk.books.owed import Owed
from pbem.desk.office.office import Office, signing_key
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import CampaignId, Moment, PlayerId
from pbem.reports.text.speech import phrase
from pbem.reports.text.times import stamp
from pbem.storage import blobs, hooks, outbox
from pbem.storage.database import Connection
from pbem.storage.hooks import Hook
from pbem.storage.outbox import Mail

What = Literal["report", "due", "message"]
WHATS: tuple[What, ...] = get_args(What)
"""What a program can be told: that a report came, that orders are due or their hour was moved, that somebody wrote."""

TELLS: Mapping[str, What] = {
    "briefing": "report",
    "report": "report",
    "reminder": "due",
    "grace": "due",
    "late": "due",
    "deadline": "due",
    "hours": "due",
    "resumed": "due",
    "renewed": "due",
    "opened": "due",
    "letter": "message",
    "from-umpire": "message",
    "query": "message",
    "answered": "message",
}
"""What is told with a letter, by how the cause of the letter begins; with all others nothing is."""

MOST = 5
"""So many addresses of one player's programs are known."""


class Data(Struct, frozen=True, kw_only=True):
    """Of what is told."""

    campaign: CampaignId
    title: str
    role: str
    turn: str
    """The exchange that it belongs to; empty: none."""
    url: str
    """The page on which it is read; empty: this office has no pages."""


class Message(Struct, frozen=True, kw_only=True):
    """What a program is told."""

    type: Literal["report", "due", "message", "test"]
    timestamp: str
    """When it came about, as `2026-11-20T22:10:03Z`."""
    data: Data | None = None


def make(office: Office, player: PlayerId, address: str, what: Sequence[str]) -> tuple[Hook, str]:
    """Have a program told at *address*, and told at once that it will be; gives what its messages are signed with.

    :raises Refused: if nothing can be told there, or of nothing, or it is told already, or too many are.
    """
    chosen = [one for one in WHATS if one in what]
    if not chosen:
        raise Refused(phrase("say of what the program is told: {whats}.  Nothing was done.", whats=", ".join(WHATS)))
    from pbem.mail.leaving.hook import BadPlace, place_of, reached

    try:
        reached(place_of(address), office.settings.web.networks)
    except BadPlace as bad:
        raise Refused(f"a program cannot be told at {address[:100]}: {bad}.  Nothing was done.") from None
    if not office.mails:
        raise Refused(phrase("this office tells nobody anything: it is a demonstration, or a copy.  Nothing was done."))
    now = office.now()
    hook = Hook(office.fresh_id(), player, address, " ".join(chosen), now)
    with office.write(whole=True) as connection:
        there = hooks.of_player(connection, player)
        if any(one.address == address for one in there):
            raise Refused(phrase("{address} is told already: end that first.", address=address))
        if len(there) >= MOST:
            raise Refused(phrase("{count} programs are told already: end one first.", count=MOST))
        hooks.make(connection, hook)
        _queue(office, connection, hook, CampaignId(""), "test", Message(type="test", timestamp=stamp(now)), at=now)
    return hook, f"whsec_{base64.b64encode(secret_of(office, hook.id)).decode()}"


def end(office: Office, player: PlayerId, id: str) -> None:
    """Tell a program of *player* no more; what waits for it is dropped.

    :raises Refused: if it is none of his.
    """
    with office.write(whole=True) as connection:
        found = hooks.get(connection, id)
        if found is None or found.player != player:
            raise Refused(phrase("that program is not told anything any more."))
        forget(connection, found)


class Standing(Struct, frozen=True):
    """A program that is told, and what became of what it was told last."""

    hook: Hook
    last: Mail | None


def standing(office: Office, player: PlayerId) -> list[Standing]:
    """All programs of *player* that are told."""
    with office.read() as connection:
        told = outbox.hooks_of(connection, player)
        return [
            Standing(one, next((mail for mail in told if mail.cause.startswith(_cause(one, ""))), None))
            for one in hooks.of_player(connection, player)
        ]


def owe(office: Office, connection: Connection, owed: Owed) -> None:
    """Owe to the programs of a player what a letter to him tells."""
    what = TELLS.get(owed.cause.partition("/")[0])
    if owed.player is None or what is None or owed.kind == "receipt" or not (office.mails and owed.leaves):
        return
    for hook in hooks.of_player(connection, owed.player):
        if what in hook.what.split():
            message = Message(type=what, timestamp=stamp(owed.at), data=_data(office, owed, what))
            _queue(office, connection, hook, owed.campaign, owed.cause, message, at=owed.at)


def _data(office: Office, owed: Owed, what: What) -> Data:
    turn = owed.thread.rpartition("/")[2] if what != "report" else owed.cause.split("/")[1]
    try:
        moment = str(Moment.parse(turn))
    except BadMoment:
        moment = ""
    page = {"report": f"turns/{moment}" if moment else "", "due": "orders", "message": "letters"}[what]
    place = office.settings.web.url
    return Data(
        campaign=owed.campaign,
        title=owed.title,
        role=owed.role or "",
        turn=moment,
        url=f"{place}/games/{owed.campaign}/{owed.role}/{page}".rstrip("/") if place and owed.role else "",
    )


def _cause(hook: Hook, cause: str) -> str:
    return f"hook/{hook.id}/{cause}"


def _queue(
    office: Office, connection: Connection, hook: Hook, campaign: CampaignId, cause: str, message: Message, *, at: int
) -> None:
    body = msgspec.json.encode(message)
    id = office.fresh_id()
    outbox.queue(
        connection,
        outbox.NewMail(
            id=id,
            campaign=campaign,
            player=hook.player,
            kind="hook",
            cause=_cause(hook, cause),
            message_id=f"hook/{id}",
            subject=message.type,
            digest=blobs.keep(connection, body, at=at),
            at=at,
        ),
    )


def forget(connection: Connection, hook: Hook) -> None:
    """Tell a program no more; what waits for it is dropped."""
    hooks.end(connection, hook.id)
    for mail in outbox.hooks_of(connection, hook.player):
        if mail.state == "queued" and mail.cause.startswith(_cause(hook, "")):
            outbox.drop(connection, mail.id, why="its program is not told any more")


def secret_of(office: Office, id: str) -> bytes:
    """What the messages to a program are signed with: made of the key of the office, and kept nowhere.

    :raises Refused: if the key of the office cannot be read.
    """
    return hmac.digest(signing_key(office), f"hook/{id}".encode(), "sha256")
