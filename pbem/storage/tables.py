"""The tables of an office, as Alembic and its check see them.

These classes declare shapes and nothing more: no module makes an object of one, for a table model checks
nothing and an object that lives in a session grows stale.  Rows are read and written by plain SQL in the
module named after the table, so that reading a campaign does not load SQLModel.

Times are microseconds UTC; digests are SHA-256 in lower-case hexadecimal.  Every key that belongs to a game
begins with its campaign.  What is personal stands in `player`, `alias`, `letter`, `outbox` and `blob`, and can be
destroyed there; nothing of it stands in `event`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from pbem.storage.log import OF_PLAYERS

_OWN, _OF_PLAYERS = text("kind NOT LIKE '%.%'"), text(OF_PLAYERS)


def _words() -> Any:
    """A text that rows of before its migration have empty."""
    return Field(default="", sa_column_kwargs={"server_default": text("''")})


class Event(SQLModel, table=True):
    """What came to pass, once and for all; each row carries the hash of the one before."""

    __table_args__ = (
        Index("event_own", "campaign", "seq", sqlite_where=_OWN, postgresql_where=_OWN),
        Index("event_players", "campaign", "seq", sqlite_where=_OF_PLAYERS, postgresql_where=_OF_PLAYERS),
    )
    campaign: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    kind: str
    turn: int
    exchange: int
    halt: int
    actor: str
    recorded_at: int = Field(sa_type=BigInteger)
    schema_: int = Field(sa_column=Column("schema", Integer, nullable=False))
    data: str = Field(sa_type=Text)
    prev_hash: str
    hash: str


class Blob(SQLModel, table=True):
    """Bytes by their digest; no data: they were erased."""

    sha256: str = Field(primary_key=True)
    size: int
    created_at: int = Field(sa_type=BigInteger)
    data: bytes | None = Field(default=None, sa_type=LargeBinary)
    packed: str = _words()


class Letter(SQLModel, table=True):
    """Every message that came in, and what became of it."""

    __table_args__ = (
        UniqueConstraint("source", "origin", name="letter_origin"),
        Index("letter_digest", "digest"),
        Index("letter_state", "state"),
        Index("letter_message_id", "message_id"),
    )
    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(foreign_key="blob.sha256")
    received_at: int = Field(sa_type=BigInteger)
    source: str
    origin: str | None = None
    state: str
    reason: str
    campaign: str | None = None
    seq: int | None = None
    player: str | None = Field(default=None, foreign_key="player.id")
    message_id: str | None = None
    tries: int
    content: str = _words()
    recipients: str = _words()
    grade: str = _words()
    evidence: str = _words()
    twin: int | None = None
    code: str | None = None
    coded_at: int | None = Field(default=None, sa_type=BigInteger)


class Player(SQLModel, table=True):
    """A person, until erased; events know the id alone."""

    __table_args__ = (UniqueConstraint("address", name="player_address"),)
    id: str = Field(primary_key=True)
    name: str | None = None
    address: str | None = None
    zone: str
    created_at: int = Field(sa_type=BigInteger)
    erased_at: int | None = Field(default=None, sa_type=BigInteger)
    epoch: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    stopped_at: int | None = Field(default=None, sa_type=BigInteger)


class Answer(SQLModel, table=True):
    """When somebody, known here by a digest of his address alone, was answered."""

    __table_args__ = (Index("answer_who", "who", "answered_at"),)
    id: int | None = Field(default=None, primary_key=True)
    who: str
    answered_at: int = Field(sa_type=BigInteger)


class Outbox(SQLModel, table=True):
    """What is to be mailed, and how far it has come."""

    __table_args__ = (
        UniqueConstraint("campaign", "cause", name="outbox_cause"),
        UniqueConstraint("message_id", name="outbox_message_id"),
        Index("outbox_due", "state", "due_at"),
    )
    id: str = Field(primary_key=True)
    campaign: str
    player: str | None = Field(default=None, foreign_key="player.id")
    kind: str
    cause: str
    message_id: str
    subject: str
    digest: str = Field(foreign_key="blob.sha256")
    state: str
    created_at: int = Field(sa_type=BigInteger)
    due_at: int = Field(sa_type=BigInteger)
    expires_at: int = Field(sa_type=BigInteger)
    attempts: int
    lease_until: int | None = Field(default=None, sa_type=BigInteger)
    leased_by: str | None = None
    answer: str
    sent_at: int | None = Field(default=None, sa_type=BigInteger)


class Owed(SQLModel, table=True):
    """A mail that is owed and not yet written."""

    __table_args__ = (UniqueConstraint("campaign", "cause", name="owed_cause"),)
    id: int | None = Field(default=None, primary_key=True)
    campaign: str
    cause: str
    data: bytes = Field(sa_type=LargeBinary)
    owed_at: int = Field(sa_type=BigInteger)
    tries: int
    fault: str


class Setback(SQLModel, table=True):
    """A mail that did not reach its reader."""

    __table_args__ = (Index("setback_player", "player", "at"),)
    mail: str = Field(primary_key=True, foreign_key="outbox.id")
    player: str | None = Field(default=None, foreign_key="player.id")
    at: int = Field(sa_type=BigInteger)
    status: str
    words: str


class Alias(SQLModel, table=True):
    """Another address that a player writes from; not confirmed: he has not said yet that it is his."""

    __table_args__ = (Index("alias_player", "player"),)
    address: str = Field(primary_key=True)
    player: str = Field(foreign_key="player.id")
    added_at: int = Field(sa_type=BigInteger)
    confirmed_at: int | None = Field(default=None, sa_type=BigInteger)


class Hook(SQLModel, table=True):
    """An address at which a program of a player is told what comes to him."""

    __table_args__ = (Index("hook_player", "player"),)
    id: str = Field(primary_key=True)
    player: str = Field(foreign_key="player.id")
    address: str
    what: str
    made_at: int = Field(sa_type=BigInteger)


class Look(SQLModel, table=True):
    """When the clock is to look at a campaign again, if nothing is written until then."""

    campaign: str = Field(primary_key=True)
    seq: int
    at: int | None = Field(default=None, sa_type=BigInteger)
    made_by: str


class Session(SQLModel, table=True):
    """A door of the web that stands open for one person."""

    __table_args__ = (Index("session_player", "player"),)
    id: str = Field(primary_key=True)
    kind: str
    name: str
    made_at: int = Field(sa_type=BigInteger)
    seen_at: int = Field(sa_type=BigInteger)
    player: str | None = Field(default=None, foreign_key="player.id")
    gm: str
    scope: str
    ends_at: int | None = Field(default=None, sa_type=BigInteger)


class SignIn(SQLModel, table=True):
    """A way into the web that was asked for, or an address by a player for himself (`Wish` of `aliases`)."""

    __tablename__ = "sign_in"
    __table_args__ = (
        Index("sign_in_browser", "browser"),
        Index("sign_in_address", "address", "asked_at"),
        Index("sign_in_sender", "sender", "asked_at"),
    )
    id: str = Field(primary_key=True)
    asked_at: int = Field(sa_type=BigInteger)
    ends_at: int = Field(sa_type=BigInteger)
    player: str | None = Field(default=None, foreign_key="player.id")
    gm: str
    code: str
    browser: str
    address: str
    sender: str
    used_at: int | None = Field(default=None, sa_type=BigInteger)
    tries: int


class Pace(SQLModel, table=True):
    """When a domain may be written to as often again as at first."""

    domain: str = Field(primary_key=True)
    full_at: int = Field(sa_type=BigInteger)


class Secret(SQLModel, table=True):
    """Two seeds, under the promises that were published of them."""

    campaign: str = Field(primary_key=True)
    open_promise: str = Field(primary_key=True)
    closed_promise: str
    place: str
    open_seed: bytes = Field(sa_type=LargeBinary)
    closed_seed: bytes = Field(sa_type=LargeBinary)
    made_at: int = Field(sa_type=BigInteger)


class Snapshot(SQLModel, table=True):
    """A fold's result kept to save work; deleting every row changes no answer."""

    campaign: str = Field(primary_key=True)
    fold: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    system: str
    data: bytes = Field(sa_type=LargeBinary)


class Node(SQLModel, table=True):
    """A process that is on duty for the office, and what it goes by."""

    id: str = Field(primary_key=True)
    host: str
    pid: int
    does: str
    since: int = Field(sa_type=BigInteger)
    seen_at: int = Field(sa_type=BigInteger)
    version: str
    key: str
    templates: str
    scenarios: str
    systems: str


class Heartbeat(SQLModel, table=True):
    """One row: when the office last looked at its clock, and the newest time that it did not see."""

    id: int | None = Field(default=None, primary_key=True)
    seen_at: int = Field(sa_type=BigInteger)
    away_since: int = Field(sa_type=BigInteger)
    away_until: int = Field(sa_type=BigInteger)


class Mark(SQLModel, table=True):
    """What the office must find unchanged outside its database, by name: the fingerprint of its key."""

    name: str = Field(primary_key=True)
    value: str


class Seal(SQLModel, table=True):
    """The digest of a row that no log vouches for; the triggers of `pbem.storage.seals` keep it."""

    __table_args__ = ({"sqlite_with_rowid": False},)
    place: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    digest: bytes = Field(sa_type=LargeBinary)


def in_order() -> list[str]:
    """The names of all tables, each after those that it refers to."""
    return [table.name for table in SQLModel.metadata.sorted_tables]
