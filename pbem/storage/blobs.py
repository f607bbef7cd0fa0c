"""Bytes kept by their digest: letters as they came, mails as they leave, pages and views as they were made.

Kept before anything reads them, and never changed; most are text, and lie packed.  What is personal can be
destroyed: digest and size stay, so that a log which names the digest is erased in part, not broken.
"""

from __future__ import annotations

import zlib
from typing import Literal

from msgspec import Struct

from pbem.kernel.digest import digest_of as digest_of
from pbem.kernel.errors import BrokenLog, Refused
from pbem.storage.databases.connection import Connection

State = Literal["kept", "erased", "missing"]

_STATE = "SELECT data IS NOT NULL FROM blob WHERE sha256 = :digest"
_DATA = "SELECT data, packed FROM blob WHERE sha256 = :digest"
_KEEP = (
    "INSERT INTO blob (sha256, size, created_at, data, packed)"
    " SELECT CAST(:digest AS VARCHAR), :size, :at, :data, :packed"
    " WHERE NOT EXISTS (SELECT 1 FROM blob WHERE sha256 = :digest AND data IS NOT NULL)"
    " ON CONFLICT (sha256) DO UPDATE SET data = excluded.data, packed = excluded.packed"
)
_PAGE = "SELECT rowid, CAST(sha256 AS BLOB), size, data, packed FROM blob WHERE rowid > :last ORDER BY rowid LIMIT 200"
_ERASE = "UPDATE blob SET data = NULL WHERE sha256 = :digest"


def keep(connection: Connection, data: bytes, *, at: int) -> str:
    """Keep *data*, once however often it comes; gives its digest.

    What was erased and comes again is kept again.
    """
    return keep_packed(connection, packed_up(data), at=at)


class Kept(Struct, frozen=True):
    """Bytes ready to be kept: to pack them takes longer than to write them, and needs no transaction."""

    digest: str
    size: int
    data: bytes
    packed: str


def packed_up(data: bytes) -> Kept:
    """*data* ready to be kept by `keep_packed`."""
    return Kept(digest_of(data), len(data), *packed(data))


def bytes_of(kept: Kept) -> bytes:
    """The bytes that were packed by `packed_up`."""
    data = unpacked(kept.data, kept.packed)
    assert data is not None, "they were packed here"
    return data


def keep_packed(connection: Connection, kept: Kept, *, at: int) -> str:
    """Keep bytes that were packed before, once however often they come; gives their digest."""
    row = {"digest": kept.digest, "size": kept.size, "at": at, "data": kept.data, "packed": kept.packed}
    connection.later(_KEEP, row)
    return kept.digest


def state(connection: Connection, digest: str) -> State:
    """Whether the bytes of *digest* are there, were erased, or never came."""
    found = connection.execute(_STATE, {"digest": digest}).fetchall()
    return "missing" if not found else "kept" if found[0][0] else "erased"


def fetch(connection: Connection, digest: str) -> bytes:
    """The bytes of *digest*.

    :raises Refused: if they were erased, or never came.
    :raises BrokenLog: if they are not what was kept.
    """
    found = connection.execute(_DATA, {"digest": digest}).fetchall()
    if not found:
        raise Refused(f"nothing was ever kept under the digest {digest}.")
    kept, how = found[0]
    if kept is None:
        raise Refused(f"what was kept under the digest {digest} was erased.")
    data = unpacked(kept, how)
    if data is None or digest_of(data) != digest:
        raise BrokenLog(f"the bytes kept under the digest {digest} are not what was kept")
    return data


def wrong(connection: Connection) -> tuple[int, list[str]]:
    """How many bytes are kept, and under which digests lies what is not that."""
    count, found = 0, []
    last = -(2**62)
    while page := connection.execute(_PAGE, {"last": last}).fetchall():
        for _, name, size, kept, how in page:
            count += 1
            data = None if kept is None else unpacked(kept, how) if isinstance(kept, bytes) else b""
            if kept is not None and (data is None or digest_of(data).encode() != name or len(data) != size):
                found.append(name.decode("utf-8", "replace"))
        last = page[-1][0]
    return count, found


def packed(data: bytes) -> tuple[bytes, str]:
    """*data* as it is kept, and how it is packed: `zlib`, or not at all where that would save nothing."""
    smaller = zlib.compress(data)
    return (smaller, "zlib") if len(smaller) < len(data) else (data, "")


def unpacked(kept: bytes, how: str) -> bytes | None:
    """What was packed by `packed`; None if it cannot be unpacked."""
    if not how:
        return kept
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(kept)
    except zlib.error:
        return None
    return data if reader.eof and not reader.unused_data else None


def erase(connection: Connection, digest: str) -> None:
    """Destroy the bytes of *digest*; that they were there, and how many, stays.

    They are overwritten in the database; `sqlite.checkpoint` takes them out of the write-ahead log.
    """
    connection.execute(_ERASE, {"digest": digest})
