"""Letters of ours that came back: which mail it was, and whether its reader can still be reached.

    550, or a letter of the post  →  mail  →  setback, once for each mail  →  score  →  the GM is told

Nothing that comes back takes a player out of his game: the GM decides, who has other ways to reach him.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from pbem.desk.office.office import Office
from pbem.desk.post import addresses, gms
from pbem.desk.post.post import to_gm
from pbem.desk.post.writing import owe
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.mail.reading import bounce
from pbem.mail.reading.bounce import Bounce, read_bounce
from pbem.mail.reading.letter import read_head
from pbem.mail.wire.headers import NO_SENDER
from pbem.mail.wire.reply_address import Purpose
from pbem.storage import outbox, players, setbacks
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.outbox import Mail
from pbem.storage.players import Player
from pbem.storage.setbacks import Setback

Reach = Literal["arrives", "one came back", "comes back", "stopped"]
"""Whether the mails to a player arrive, as far as is known; one of late did not; they come back again and again; or
they are not wanted."""

_NOTHING = "the post says nothing of our mails"
_STATUS = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")


def way_back(office: Office, mail: Mail) -> str:
    """The sender on the envelope of *mail*: none for an answer, which must not come back.

    :raises Refused: if the key of the office cannot be read.
    """
    return NO_SENDER if mail.kind == "receipt" else addresses.way_back(office, mail.campaign, mail.id)


class Returned(Struct, frozen=True):
    """What the post says of a mail of ours, by the words of a letter of its."""

    reason: str
    """Why that letter needs no more."""
    mail: Mail | None = None
    """None: it says nothing of any."""
    status: str = ""
    words: str = ""


def read(office: Office, connection: Connection, letter: Letter, raw: bytes) -> Returned:
    """Read what the post wrote of our mails.

    Only what came to the address of a mail, or names an address that we have written to, is believed.
    """
    named = _named(office, connection, (*letter.envelope, *read_head(raw).recipients))
    said = read_bounce(raw, lambda address: _mailed(office, connection, address), mail=named.id if named else None)
    if said is None:
        return Returned(f"it came back from mail {named.id}, which arrived" if named else _NOTHING)
    mail = named or _meant(office, connection, said)
    if mail is None:
        return Returned(_NOTHING)
    grave = max(said.failures, key=lambda failure: failure.status, default=None)
    late = "is late with" if said.status.startswith("4") else "could not deliver"
    reason = f"the post {late} mail {mail.id} ({said.status})"
    return Returned(reason, mail, said.status, grave.words if grave else "")


def refused_at_once(office: Office, connection: Connection, mail: Mail, words: str, *, at: int) -> None:
    """Write down that the mail server would not have *mail*; *words* are its own."""
    status = _STATUS.search(words)
    record(office, connection, mail, status[0] if status and status[0].startswith("5") else "5.0.0", words, at=at)


def record(office: Office, connection: Connection, mail: Mail, status: str, words: str, *, at: int) -> None:
    """Write down that *mail* did not arrive, or not yet, and tell the GM what he must know, once.

    He is told of each mail that is lost, and when its reader can no longer be reached; again, if he could be
    since.  Of mails to himself he cannot be told.
    """
    before = is_failing(connection, mail.player, at)
    setback = Setback(mail.id, mail.player, at, status, words)
    if not setbacks.keep(connection, setback):
        return
    if setback.permanent:
        outbox.returned(connection, mail.id, answer=f"came back: {status} {words}".strip())
        tell_lost(office, connection, mail, f"{status} {words}".strip())
    if mail.player is not None and not before and is_failing(connection, mail.player, at):
        _tell_failing(office, connection, mail, mail.player)


def tell_lost(office: Office, connection: Connection, mail: Mail, why: str) -> None:
    """Tell the GM, once, that *mail* did not reach its player and will not be tried again."""
    if mail.player is None:
        return
    player = players.get(connection, mail.player)
    text = (
        f"This mail to {player.name or player.id} <{player.address or 'no address'}> did not arrive:\n\n"
        f"  {mail.subject}\n  {why}\n\n"
        f"See it: pbem mail outbox show {mail.id}\n"
        f"Send it after all: pbem mail outbox retry {mail.id}\n"
    )
    now = office.now()
    owed = to_gm(mail.campaign, "a mail did not arrive", text, cause=f"lost/{mail.id}/{now}", at=now)
    owe(connection, owed)


def is_failing(connection: Connection, player: PlayerId | None, now: int) -> bool:
    """Whether so many mails to *player* (None: the GM) came back of late that he is hardly reached."""
    return _is_failing(setbacks.of_player(connection, player, since=now - bounce.WINDOW), now)


def failing(connection: Connection, now: int) -> list[PlayerId | None]:
    """Who is hardly reached by mail; None is the GM."""
    by_player: dict[PlayerId | None, list[Setback]] = {}
    for one in setbacks.listing(connection, since=now - bounce.WINDOW):
        by_player.setdefault(one.player, []).append(one)
    return [player for player, found in by_player.items() if _is_failing(found, now)]


def reached(office: Office) -> dict[PlayerId, Reach]:
    """How each player of the office is reached by mail."""
    with office.read() as connection:
        now = office.now()
        back = failing(connection, now)
        some = {one.player for one in setbacks.listing(connection, since=now - bounce.WINDOW)}
        everybody = players.listing(connection)

    def reach(one: Player) -> Reach:
        if one.stopped_at is not None:
            return "stopped"
        return "comes back" if one.id in back else "one came back" if one.id in some else "arrives"

    return {one.id: reach(one) for one in everybody}


def _is_failing(found: Sequence[Setback], now: int) -> bool:
    return bounce.is_failing((bounce.Setback(one.at, one.mail, one.status) for one in found), now)


def _tell_failing(office: Office, connection: Connection, mail: Mail, id: PlayerId) -> None:
    player = players.get(connection, id)
    text = (
        f"Mail to {player.name or player.id} <{player.address or 'no address'}> comes back again and again.  He stays\n"
        "in his game, and mails go on leaving for him; but he hardly gets them.\n\n"
        "Ask him for another address.  His pages: pbem report export\n"
    )
    now = office.now()
    owed = to_gm(mail.campaign, "a player is hardly reached", text, cause=f"failing/{mail.id}", at=now)
    owe(connection, owed)


def _named(office: Office, connection: Connection, recipients: Sequence[str]) -> Mail | None:
    """The mail whose own address is among *recipients*."""
    for meaning in addresses.said(office, connection, recipients):
        if meaning.purpose is Purpose.BOUNCE:
            try:
                return outbox.get(connection, meaning.name)
            except Refused:
                continue
    return None


def _mailed(office: Office, connection: Connection, address: str) -> bool:
    """Whether a mail has left for *address*."""
    player = players.by_address(connection, address)
    return gms.of_address(office, address) is not None or (
        player is not None and outbox.newest_sent(connection, player.id) is not None
    )


def _meant(office: Office, connection: Connection, read: Bounce) -> Mail | None:
    """The mail that a letter speaks of which did not come to its address: by its id, else the newest to the reader."""
    owners = []
    for failure in read.failures:
        player = players.by_address(connection, failure.address)
        owners.append(player.id if player else None)
    mail = outbox.of_message_id(connection, read.message_id) if read.message_id else None
    if mail is not None and mail.player in owners:
        return mail
    return outbox.newest_sent(connection, owners[0]) if owners else None
