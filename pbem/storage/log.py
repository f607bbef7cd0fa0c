"""The append-only log in the database.

    log = SqlLog(connection, Codec(system.facts))
    head = log.head(campaign).seq
    log.append(campaign, [(moment, event)], expecting=head, at=now, actor="gm")

Each event carries a hash over all its columns and the hash of the event before, so that nothing can be
changed unseen without writing all that follows anew.  A hash is SHA-256 over the byte 1 (the version of this
recipe) and then each of HASHED in order: its length as four bytes, big-endian, and its bytes (text in UTF-8,
numbers in decimal).  A column that is added later stays outside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from pbem.kernel.errors import BrokenLog, StaleLog
from pbem.kernel.event import Event, Recorded
from pbem.kernel.names import CampaignId, Moment
from pbem.storage.codec import Codec

HASHED = (
    "campaign",
    "seq",
    "kind",
    "turn",
    "exchange",
    "halt",
    "actor",
    "recorded_at",
    "schema",
    "data",
    "prev_hash",
)
"""What a hash is taken of, in this order."""

_CHUNK = 500
_VERSION = b"\x01"

_CAMPAIGNS = text("SELECT DISTINCT campaign FROM event ORDER BY campaign")
_HEAD = text("SELECT seq, hash FROM event WHERE campaign = :campaign ORDER BY seq DESC LIMIT 1")
_HASH_AT = text("SELECT hash FROM event WHERE campaign = :campaign AND seq = :seq")
_READ = text(
    "SELECT seq, recorded_at, actor, turn, exchange, halt, kind, schema, data FROM event"
    " WHERE campaign = :campaign AND seq > :after AND seq <= :upto ORDER BY seq"
)
_STORED = text(f"SELECT {', '.join(HASHED)}, hash FROM event WHERE campaign = :campaign ORDER BY seq")
_INSERT = text(
    f"INSERT INTO event ({', '.join(HASHED)}, hash) VALUES ({', '.join(f':{column}' for column in HASHED)}, :hash)"
)

_NO_END = 2**62


class Head(NamedTuple):
    """Where a log ends; `Head(0, "")` for one that has not begun."""

    seq: int
    hash: str


class SqlLog:
    """The log of an office, of which *codec* reads and writes the kinds of one game."""

    def __init__(self, connection: Connection, codec: Codec) -> None:
        self._connection = connection
        self._codec = codec

    def campaigns(self) -> list[CampaignId]:
        """All campaigns that have a log, by name."""
        return list(self._connection.execute(_CAMPAIGNS).scalars())

    def head(self, campaign: CampaignId) -> Head:
        """The seq and the hash of the last event of *campaign*."""
        found = self._connection.execute(_HEAD, {"campaign": campaign}).one_or_none()
        return Head(*found) if found else Head(0, "")

    def hash_at(self, campaign: CampaignId, seq: int) -> str | None:
        """The hash of one event, if there is such an event."""
        found: str | None = self._connection.execute(_HASH_AT, {"campaign": campaign, "seq": seq}).scalar()
        return found

    def read(self, campaign: CampaignId, *, after: int = 0, upto: int = _NO_END) -> Iterator[Recorded]:
        """The events of *campaign* with a seq above *after* and not above *upto*, in order.

        They come as they are asked for, however long the log.

        :raises BrokenLog: at an event that cannot be read, naming it.
        """
        decode = self._codec.decode
        seq = after
        try:
            bounds = {"campaign": campaign, "after": after, "upto": upto}
            for row in self._connection.execute(_READ, bounds).yield_per(_CHUNK):
                seq, at, actor, turn, exchange, halt, kind, schema, data = row
                event = decode(kind, schema, data)
                yield Recorded(seq, at, actor, Moment(turn, exchange, halt), event)
        except BrokenLog as broken:
            raise BrokenLog(f"event {seq} of {campaign}: {broken}") from broken

    def append(
        self,
        campaign: CampaignId,
        events: Sequence[tuple[Moment, Event]],
        *,
        expecting: int,
        at: int,
        actor: str,
    ) -> int:
        """Append all or nothing, if the log still ends at *expecting*; gives the new end.

        :raises StaleLog: if it does not.
        :raises ValueError: if an event cannot be written (see `Codec.encode`).
        """
        head = self.head(campaign)
        if head.seq != expecting:
            raise StaleLog(campaign, expecting, head.seq)
        rows: list[dict[str, str | int]] = []
        prev_hash = head.hash
        for seq, (moment, event) in enumerate(events, start=expecting + 1):
            kind, schema, data = self._codec.encode(event)
            row: dict[str, str | int] = {
                "campaign": campaign,
                "seq": seq,
                "kind": kind,
                "turn": moment.turn,
                "exchange": moment.exchange,
                "halt": moment.halt,
                "actor": actor,
                "recorded_at": at,
                "schema": schema,
                "data": data,
                "prev_hash": prev_hash,
            }
            prev_hash = row["hash"] = chained(tuple(row.values()))
            rows.append(row)
        if rows:
            self._connection.execute(_INSERT, rows)
        return expecting + len(rows)

    def check_chain(self, campaign: CampaignId) -> int:
        """Compute every hash of *campaign* anew; gives the number of events.

        :raises BrokenLog: at the first event that is not what was written, naming it.
        """
        seq, prev_hash = 0, ""
        try:
            for row in self._connection.execute(_STORED, {"campaign": campaign}).yield_per(_CHUNK):
                *columns, found = row
                seq += 1
                if columns[1] != seq:
                    raise BrokenLog(f"event {seq} of {campaign} is missing: after {seq - 1} comes {columns[1]}")
                if columns[-1] != prev_hash:
                    raise BrokenLog(f"event {seq} of {campaign} does not follow event {seq - 1} as it stands")
                if chained(columns) != found:
                    raise BrokenLog(f"event {seq} of {campaign} is not what was written")
                prev_hash = found
        except DBAPIError as error:
            raise BrokenLog(f"event {seq + 1} of {campaign}, or one soon after, is not text") from error
        return seq


def chained(columns: Sequence[str | int]) -> str:
    """The hash of an event, from the values of HASHED."""
    parts = [_VERSION]
    for value in columns:
        part = str(value).encode()
        parts += (len(part).to_bytes(4, "big"), part)
    return hashlib.sha256(b"".join(parts)).hexdigest()
