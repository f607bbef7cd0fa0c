"""Every message that came in, and what became of it.

    applied + held + refused + ignored + unreadable + new  =  all that ever came

A letter is received (its bytes kept, this row written, both committed) before anything reads it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from sqlalchemy import Connection, text

from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, PlayerId

State = Literal["new", "applied", "held", "refused", "ignored", "unreadable"]


class Letter(Struct, frozen=True):
    """One message; its bytes are the blob *digest*."""

    id: int
    digest: str
    received_at: int
    source: str
    """The way it came: `imap`, `maildir`, `mbox`, `lmtp`, `pipe`, `upload`."""
    origin: str | None
    """Which one it was there (a UID, a file's name), if that place can offer it again."""
    state: State
    reason: str
    campaign: CampaignId | None
    seq: int | None
    """Of the event that it became."""
    player: PlayerId | None
    message_id: str | None
    tries: int


_COLUMNS = ", ".join(Letter.__struct_fields__)
_GET = text(f"SELECT {_COLUMNS} FROM letter WHERE id = :id")
_BY_ORIGIN = text(f"SELECT {_COLUMNS} FROM letter WHERE source = :source AND origin = :origin")
_BY_DIGEST = text(f"SELECT {_COLUMNS} FROM letter WHERE digest = :digest ORDER BY id")
_ALL = text(f"SELECT {_COLUMNS} FROM letter ORDER BY id")
_IN_STATE = text(f"SELECT {_COLUMNS} FROM letter WHERE state = :state ORDER BY id")
_COUNT = text("SELECT state, count(*) FROM letter GROUP BY state ORDER BY state")
_INSERT = text(
    "INSERT INTO letter (digest, received_at, source, origin, state, reason, message_id, tries)"
    f" VALUES (:digest, :at, :source, :origin, 'new', '', :message_id, 0) RETURNING {_COLUMNS}"
)
_TRY = text("UPDATE letter SET tries = tries + 1 WHERE id = :id")
_SETTLE = text(
    "UPDATE letter SET state = :state, reason = :reason, campaign = :campaign, seq = :seq, player = :player"
    " WHERE id = :id"
)


def receive(
    connection: Connection,
    *,
    digest: str,
    source: str,
    at: int,
    origin: str | None = None,
    message_id: str | None = None,
) -> tuple[Letter, bool]:
    """Write down a message whose bytes were kept under *digest*; says whether it is new.

    What *source* offers again under the same *origin* is the letter that came before.
    """
    if origin is not None:
        known = of_origin(connection, source, origin)
        if known:
            return known, False
    row = {"digest": digest, "at": at, "source": source, "origin": origin, "message_id": message_id}
    return Letter(*connection.execute(_INSERT, row).one()), True


def get(connection: Connection, id: int) -> Letter:
    """The letter of this number.

    :raises Refused: if there is none.
    """
    found = connection.execute(_GET, {"id": id}).one_or_none()
    if found is None:
        raise Refused(f"there is no letter {id}: pbem mail quarantine lists those that wait.")
    return Letter(*found)


def of_origin(connection: Connection, source: str, origin: str) -> Letter | None:
    """The letter that *source* offered under *origin*, if it did."""
    found = connection.execute(_BY_ORIGIN, {"source": source, "origin": origin}).one_or_none()
    return Letter(*found) if found else None


def of_digest(connection: Connection, digest: str) -> list[Letter]:
    """All letters with these bytes, the first first."""
    return [Letter(*row) for row in connection.execute(_BY_DIGEST, {"digest": digest})]


def listing(connection: Connection, state: State | None = None) -> list[Letter]:
    """All letters, or those in *state*, in the order in which they came."""
    rows = connection.execute(_IN_STATE, {"state": state}) if state else connection.execute(_ALL)
    return [Letter(*row) for row in rows]


def counted(connection: Connection) -> dict[State, int]:
    """How many letters are in each state that has any."""
    return {row[0]: row[1] for row in connection.execute(_COUNT)}


def tried(connection: Connection, id: int) -> int:
    """Count one more attempt to read a letter; gives how many there have been.

    Committed before the attempt, it shows a letter that brings the reader down.
    """
    connection.execute(_TRY, {"id": id})
    return get(connection, id).tries


def settle(
    connection: Connection,
    id: int,
    state: State,
    *,
    reason: str = "",
    campaign: CampaignId | None = None,
    seq: int | None = None,
    player: PlayerId | None = None,
) -> None:
    """Say what became of a letter: *seq* is that of the event in *campaign* that it became.

    :raises Refused: if there is no such letter.
    """
    get(connection, id)
    row = {"id": id, "state": state, "reason": reason, "campaign": campaign, "seq": seq, "player": player}
    connection.execute(_SETTLE, row)
