"""Rows as they are stored, for carrying a campaign to another office and back.

The log's own code turns events into rows; here rows stay what they are, so that every hash stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict, astuple

from pbem.kernel.errors import BrokenLog
from pbem.kernel.names import CampaignId, PlayerId
from pbem.storage import heads
from pbem.storage.blobs import packed, unpacked
from pbem.storage.databases.connection import Connection
from pbem.storage.log import HASHED, chained

Number = Annotated[int, Meta(ge=-(2**31), lt=2**31)]
"""What a column of the log can hold in any database."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """An event as it is stored."""

    campaign: CampaignId
    seq: Number
    kind: str
    turn: Number
    exchange: Number
    halt: Number
    actor: str
    recorded_at: int
    schema: Number
    data: str
    prev_hash: str
    hash: str

    def follows(self, seq: int, hash: str) -> None:
        """See that it comes after the event *seq* that bears *hash*, and is what was written.

        :raises BrokenLog: if it does not, or is not.
        """
        if self.seq != seq + 1:
            raise BrokenLog(f"event {seq + 1} is missing")
        if self.prev_hash != hash:
            raise BrokenLog(f"event {self.seq} does not follow event {seq} as it stands")
        if chained([str(value).encode() for value in astuple(self)[: len(HASHED)]]) != self.hash:
            raise BrokenLog(f"event {self.seq} is not what was written")


class Blob(Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes as they are kept; no data: they were erased."""

    sha256: str
    size: int
    created_at: int
    data: bytes | None


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """A player as he is known; in an office that he did not come to himself, perhaps by his id alone."""

    id: PlayerId
    name: str | None = None
    address: str | None = None
    zone: str = "UTC"
    created_at: int = 0


_PAGE = 500
_COLUMNS = Row.__struct_fields__
_ROWS = f"SELECT {', '.join(_COLUMNS)} FROM event WHERE campaign = ? AND seq > ? ORDER BY seq LIMIT {_PAGE}"
_BLOB = "SELECT sha256, size, created_at, data, packed FROM blob WHERE sha256 = :digest"
_KEEP = "INSERT INTO blob (sha256, size, created_at, data, packed) VALUES (:sha256, :size, :created_at, :data, :packed)"
_KNOWN = "SELECT count(*) FROM player WHERE id = :id"
_PERSON = "INSERT INTO player (id, name, address, zone, created_at) VALUES (:id, :name, :address, :zone, :created_at)"


def rows(connection: Connection, campaign: CampaignId) -> Iterator[Row]:
    """The log of *campaign*, in order."""
    seq, more = 0, True
    while more:
        page = connection.execute(_ROWS, (campaign, seq)).fetchall()
        for columns in page:
            row = Row(*columns)
            seq = row.seq
            yield row
        more = len(page) == _PAGE


def write(connection: Connection, events: Sequence[Row]) -> None:
    """Write events as they are, after those that are there."""
    connection.fill("event", _COLUMNS, [astuple(row) for row in events])
    for row in events:
        heads.note(connection, row.campaign, row.seq, row.hash)


def blob(connection: Connection, digest: str) -> Blob | None:
    """The bytes of *digest*, if they ever came.

    :raises BrokenLog: if they are not what was kept.
    """
    found = connection.execute(_BLOB, {"digest": digest}).one_or_none()
    if found is None:
        return None
    sha256, size, created_at, kept, how = found
    data = unpacked(kept, how) if kept is not None else None
    if kept is not None and data is None:
        raise BrokenLog(f"the bytes kept under the digest {digest} are not what was kept")
    return Blob(sha256, size, created_at, data)


def keep_blob(connection: Connection, kept: Blob) -> None:
    """Keep bytes, or that they were erased, unless something is known of them here."""
    if blob(connection, kept.sha256) is None:
        data, how = packed(kept.data) if kept.data is not None else (None, "")
        connection.execute(_KEEP, {**asdict(kept), "data": data, "packed": how})


def keep_person(connection: Connection, person: Person) -> bool:
    """Write down a player, unless one of this id is known here; says whether he is new."""
    if connection.execute(_KNOWN, {"id": person.id}).scalar():
        return False
    connection.execute(_PERSON, asdict(person))
    return True
