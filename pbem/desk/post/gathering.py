"""What a player wants gathered leaves once a day in one mail: letters of other players and notices, each whole.

    owed, committed with its cause  →  laid to what is gathered for him, which waits for its hour  →  one mail, written

The mail in which they are gathered is itself what is owed from the first of them on (`pbem.storage.owed`): it is
written, sent and counted as any other, and whoever dies over it leaves it owed.  Its cause is that of its first part.
What has an hour before the next digest leaves at once, and so does all that is of no kind that is gathered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Gathered, Owed, Part, ShortLetter, decoded, encoded
from pbem.desk.office.office import Office
from pbem.desk.post import hooks, writing
from pbem.desk.post.wanted import as_wanted, sort_of
from pbem.kernel.deadlines import next_at
from pbem.kernel.event import Event
from pbem.kernel.names import PlayerId, Role
from pbem.kernel.office import DeadlineMoved, DigestSet, ExchangeOpened
from pbem.orders.prose import stands_in
from pbem.storage import owed as waiting
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.owed import GATHERED, Unwritten


def owe(office: Office, connection: Connection, dossier: Dossier, owed: Owed, *, since: int) -> None:
    """Owe a mail as its reader wants it, in the transaction of *connection* that enters what is after event *since*."""
    wanted = as_wanted(dossier.campaign, owed)
    until = 0 if wanted.unwanted else _until(connection, dossier, wanted, since)
    if not until or not isinstance(wanted.says, ShortLetter):
        writing.owe(connection, wanted)
        return
    # Who has a program that is told wants it told at once.
    hooks.owe(office, connection, wanted)
    part, begins = Part(wanted.cause, wanted.at, wanted.says), _begins(wanted.role, wanted.player)
    # To the newest: where his hour was changed to and fro, several may leave at one.
    for row in reversed(waiting.gathered(connection)):
        if row.campaign == dossier.id and row.owed_at == until and row.cause.startswith(begins):
            there = decoded(row.data)
            parts = there.says.parts if isinstance(there.says, Gathered) else ()
            if any(one.cause == part.cause for one in parts):
                return
            if waiting.change(connection, row.id, encoded(replace(there, says=Gathered((*parts, part)))), at=until):
                return
    first = replace(wanted, cause=f"{begins}{wanted.cause}", says=Gathered((part,)), at=until)
    waiting.owe(connection, dossier.id, first.cause, encoded(first), at=until)


def let_go(connection: Connection, dossier: Dossier, events: Iterable[Event], *, at: int) -> None:
    """Let what is gathered for whoever says by *events* that he wants it otherwise leave at his new hour, or now.

    Never later than before, so that what comes after it leaves after it.
    """
    for event in events:
        player = dossier.campaign.players.get(event.role) if isinstance(event, DigestSet) else None
        if not isinstance(event, DigestSet) or player is None:
            continue
        hour = next_at(at, event.at, players.get(connection, player).zone) if event.at else at
        for row in _of(connection, dossier, event.role, player):
            if hour < row.owed_at:
                waiting.change(connection, row.id, encoded(replace(decoded(row.data), at=hour)), at=hour)
                writing.write_after(connection, dossier.id)


def erase(connection: Connection, player: PlayerId, his: Sequence[str]) -> None:
    """Forget what is gathered for a person who is erased, and of what is gathered for others what names him (*his*)."""
    for row in waiting.listing(connection):
        if not row.cause.startswith(GATHERED):
            continue
        owed = decoded(row.data)
        parts = owed.says.parts if isinstance(owed.says, Gathered) else ()
        left = tuple(one for one in parts if not any(stands_in(repr(one).lower(), name) for name in his))
        if owed.player == player or not left:
            waiting.forget(connection, row.id)
        elif len(left) < len(parts):
            waiting.change(connection, row.id, encoded(replace(owed, says=Gathered(left))), at=row.owed_at)


def _of(connection: Connection, dossier: Dossier, role: Role, player: PlayerId) -> list[Unwritten]:
    """What is gathered for *player*, who plays *role*."""
    begins = _begins(role, player)
    return [one for one in waiting.gathered(connection) if one.campaign == dossier.id and one.cause.startswith(begins)]


def _begins(role: Role | None, player: PlayerId | None) -> str:
    return f"{GATHERED}{role}/{player}/"


def _until(connection: Connection, dossier: Dossier, owed: Owed, since: int) -> int:
    """When a mail leaves that is gathered; 0: it is not, and leaves at once."""
    sort, role = sort_of(owed), owed.role
    if sort in (None, "reminders") or role is None or owed.expires_at is not None or not owed.leaves:
        return 0
    campaign = dossier.campaign
    if role not in campaign.digests or owed.player is None or campaign.players.get(role) != owed.player:
        return 0
    until = next_at(owed.at, campaign.digests[role], players.get(connection, owed.player).zone)
    soon = sort == "notices" and any(owed.at < hour <= until for hour in _hours(dossier, since))
    return 0 if soon else until


def _hours(dossier: Dossier, since: int) -> Sequence[int]:
    """The deadline of the exchange, and what it was before what is entered after event *since*."""
    before = (
        one.event.due[-1]
        for one in reversed(dossier.own)
        if one.seq <= since and isinstance(one.event, DeadlineMoved | ExchangeOpened)
    )
    exchange = dossier.campaign.exchange
    return (exchange.deadline if exchange else 0, next(before, 0))
