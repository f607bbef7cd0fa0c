"""The append-only log in the database.

    log = SqlLog(connection, Codec(system.facts))
    head = log.head(campaign).seq
    log.append(campaign, [(moment, event)], expecting=head, at=now, actor="gm")

Each event carries a hash over all its columns and the hash of the event before, so that nothing can be
changed unseen without writing all that follows anew.  A hash is SHA-256 over the byte 1 (the version of this
recipe), the lengths of all columns of HASHED, in order, as four bytes each, big-endian, and then their bytes
(text in UTF-8, numbers in decimal).  A column that is added later stays outside it.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import index
from typing import Literal, NamedTuple

from pbem.kernel.errors import BrokenLog, StaleLog
from pbem.kernel.event import Event, Recorded
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import ObserverAdmitted, PlayerEnrolled, PlayerReplaced, PlayerWithdrew
from pbem.storage import heads
from pbem.storage.codec import Codec
from pbem.storage.databases.connection import Connection

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

_PAGE = 500
"""Rows are fetched in pages, each to its end: a query half read holds its reader's view of the database."""

_VERSION = b"\x01"
_LENGTHS = struct.Struct(f">{len(HASHED)}I").pack

# One look a campaign; DISTINCT would look at every event.
CAMPAIGNS = """\
WITH RECURSIVE known (campaign) AS (
  SELECT min(campaign) FROM event
  UNION ALL
  SELECT (SELECT min(campaign) FROM event WHERE event.campaign > known.campaign)
  FROM known WHERE known.campaign IS NOT NULL
) SELECT campaign FROM known WHERE campaign IS NOT NULL"""
"""SQL for the names of all campaigns, found without looking at their events."""

_BEGINNING = """\
WITH RECURSIVE known (campaign) AS (
  SELECT min(campaign) FROM event WHERE campaign >= :first AND campaign < :beyond
  UNION ALL
  SELECT (SELECT min(campaign) FROM event WHERE event.campaign > known.campaign AND event.campaign < :beyond)
  FROM known WHERE known.campaign IS NOT NULL
) SELECT campaign FROM known WHERE campaign IS NOT NULL"""
_FEW = 50
"""So many campaigns are looked for one by one; of more, all there are is the shorter question."""

OF_PLAYERS = "kind IN ('player_enrolled', 'player_replaced', 'player_withdrew', 'stand_in_named', 'observer_admitted')"
"""Of the events that name who has a part in a game; as the index event_players has it."""
_PARTS = f"SELECT campaign, kind, schema, data FROM event WHERE {OF_PLAYERS} ORDER BY campaign, seq"
_PLAYED = f"""\
SELECT DISTINCT campaign FROM event
WHERE {OF_PLAYERS}
  AND kind <> 'observer_admitted' AND json_valid(data)
  AND :player IN (json_extract(data, '$.player'), json_extract(data, '$.stand_in'))
ORDER BY campaign"""
_LAST = "(SELECT max(seq) FROM event WHERE event.campaign = known.campaign)"
_ENDS = CAMPAIGNS.replace("SELECT campaign FROM known", f"SELECT campaign, {_LAST} FROM known")
_ADMITTED = f"SELECT campaign, kind, schema, data FROM event WHERE {OF_PLAYERS} AND kind = 'observer_admitted'"
_HEAD = "SELECT seq, hash FROM event WHERE campaign = ? ORDER BY seq DESC LIMIT 1"
_HASH_AT = "SELECT hash FROM event WHERE campaign = :campaign AND seq = :seq"
_SEQ_OF = "SELECT min(seq) FROM event WHERE campaign = :campaign AND hash = :hash"
_READ = (
    "SELECT seq, recorded_at, actor, turn, exchange, halt, kind, schema, data FROM event"
    " WHERE campaign = ? AND seq > ? AND seq <= ? AND {which} ORDER BY seq"
    f" LIMIT {_PAGE}"
)
# As the index event_own has it: a fact's kind begins with the name of its system and a point.
_OWN = "kind NOT LIKE '%.%'"
_READS = {
    "all": _READ.format(which="1 = 1"),
    "own": _READ.format(which=_OWN),
    "facts": _READ.format(which=f"NOT ({_OWN})"),
}
_STORED = (
    f"SELECT {', '.join(f'CAST({column} AS BLOB)' for column in (*HASHED, 'hash'))} FROM event"
    f" WHERE campaign = ? AND seq > ? ORDER BY seq LIMIT {_PAGE}"
)
_COLUMNS = (*HASHED, "hash")

_NO_END = 2**62

Which = Literal["all", "own", "facts"]
"""All events, or those of the office alone, or those of the game."""


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
        """All campaigns that have a log, by name.

        :raises BrokenLog: if the name of one is not text.
        """
        with _text_only(self._connection, "the name of a campaign is not text"):
            return [name for (name,) in self._connection.execute(CAMPAIGNS)]

    def beginning(self, first: str) -> list[CampaignId]:
        """The campaigns whose names begin with the letters *first*, by name."""
        found = self._connection.execute(_BEGINNING, {"first": first, "beyond": f"{first}~"})
        return [CampaignId(name) for name in found.scalars()]

    def those_there(self, names: Iterable[str]) -> set[CampaignId]:
        """Those of *names*, whatever else they may be, that are names of campaigns."""
        asked = {name for name in names if name.isascii() and name.isprintable()}
        if len(asked) > _FEW:
            return set(self.campaigns()) & asked
        if not asked:
            return set()
        ask = f"SELECT campaign FROM event WHERE seq = 1 AND campaign IN ({', '.join('?' * len(asked))})"
        return {CampaignId(name) for name in self._connection.execute(ask, tuple(asked)).scalars()}

    def played(self, player: PlayerId) -> list[CampaignId]:
        """The campaigns in which *player* has or had a role, or was asked to stand in for another, by name."""
        return [CampaignId(name) for name in self._connection.execute(_PLAYED, {"player": player}).scalars()]

    def parts(self) -> dict[tuple[CampaignId, Role], PlayerId]:
        """Who fills which role, in all campaigns.

        :raises BrokenLog: at an event that cannot be read, naming its campaign.
        """
        found: dict[tuple[CampaignId, Role], PlayerId] = {}
        for campaign, kind, schema, data in self._connection.execute(_PARTS):
            try:
                event = self._codec.decode(kind, schema, data)
            except BrokenLog as broken:
                raise BrokenLog(f"{campaign}: {broken}") from broken
            if isinstance(event, PlayerEnrolled | PlayerReplaced | PlayerWithdrew):
                part = CampaignId(campaign), event.role
                found.pop(part, None)  # who came last stands last
                if not isinstance(event, PlayerWithdrew):
                    found[part] = event.player
        return found

    def ends(self) -> dict[CampaignId, int]:
        """Where the log of each campaign ends."""
        return {CampaignId(campaign): seq for campaign, seq in self._connection.execute(_ENDS)}

    def admitted(self, campaign: CampaignId | None = None, after: int = 0) -> list[tuple[CampaignId, PlayerId]]:
        """Who was ever let look on: in *campaign* above event *after*, or (None) in all.

        :raises BrokenLog: at an event that cannot be read, naming its campaign.
        """
        query = f"{_ADMITTED} AND campaign = :campaign AND seq > :after" if campaign else _ADMITTED
        found = []
        for where, kind, schema, data in self._connection.execute(
            query, {"campaign": campaign, "after": after} if campaign else {}
        ).fetchall():
            try:
                event = self._codec.decode(kind, schema, data)
            except BrokenLog as broken:
                raise BrokenLog(f"{where}: {broken}") from broken
            if isinstance(event, ObserverAdmitted):
                found.append((CampaignId(where), event.player))
        return found

    def head(self, campaign: CampaignId) -> Head:
        """The seq and the hash of the last event of *campaign*."""
        found = self._connection.execute(_HEAD, (campaign,)).fetchone()
        return Head(*found) if found else Head(0, "")

    def has_grown(self, campaign: CampaignId) -> bool:
        """Whether it was appended to in this transaction."""
        return heads.is_noted(self._connection, campaign)

    def hash_at(self, campaign: CampaignId, seq: int) -> str | None:
        """The hash of one event, if there is such an event."""
        found: str | None = self._connection.execute(_HASH_AT, {"campaign": campaign, "seq": seq}).scalar()
        return found

    def seq_of(self, campaign: CampaignId, hash: str) -> int | None:
        """The event that bears *hash*, if one does."""
        found: int | None = self._connection.execute(_SEQ_OF, {"campaign": campaign, "hash": hash}).scalar()
        return found

    def read(
        self, campaign: CampaignId, *, after: int = 0, upto: int = _NO_END, which: Which = "all"
    ) -> Iterator[Recorded]:
        """The events of *campaign* with a seq above *after* and not above *upto*, in order.

        They come as they are asked for, however long the log.

        :raises BrokenLog: at an event that cannot be read, naming it.
        """
        decode = self._codec.decode
        more = True
        while more:
            with _text_only(self._connection, f"an event of {campaign} is not text: pbem verify names it"):
                page = self._connection.execute(_READS[which], (campaign, after, upto)).fetchall()
            for after, at, actor, turn, exchange, halt, kind, schema, data in page:
                try:
                    event = decode(kind, schema, data)
                except BrokenLog as broken:
                    raise BrokenLog(f"event {after} of {campaign}: {broken}") from broken
                yield Recorded(after, at, actor, Moment(turn, exchange, halt), event)
            more = len(page) == _PAGE

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
        :raises ValueError: if an event cannot be written (see `Codec.encode`), or outside a transaction.
        """
        self._connection.alone(campaign)
        rows = self._rows(campaign, events, expecting=expecting, at=at, actor=actor)
        if rows:
            if not self._connection.in_transaction:
                raise ValueError("outside a transaction, a part of the events could be kept without the rest")
            self._connection.fill("event", _COLUMNS, rows)
            heads.note(self._connection, campaign, expecting + len(rows), str(rows[-1][-1]))
        return expecting + len(rows)

    def hashes(
        self,
        campaign: CampaignId,
        events: Sequence[tuple[Moment, Event]],
        *,
        expecting: int,
        at: int,
        actor: str,
    ) -> list[str]:
        """The hash that each of *events* will have when `append` is called with the same arguments.

        :raises StaleLog: if the log does not end at *expecting*.
        :raises ValueError: if an event cannot be written (see `Codec.encode`).
        """
        return [str(row[-1]) for row in self._rows(campaign, events, expecting=expecting, at=at, actor=actor)]

    def _rows(
        self,
        campaign: CampaignId,
        events: Sequence[tuple[Moment, Event]],
        *,
        expecting: int,
        at: int,
        actor: str,
    ) -> list[tuple[str | int, ...]]:
        """The rows of *events*, as they follow the last event of the log."""
        head = self.head(campaign)
        if head.seq != expecting:
            raise StaleLog(campaign, expecting, head.seq)
        recorded_at = index(at)
        whose, who, when = campaign.encode(), actor.encode(), b"%d" % recorded_at
        rows: list[tuple[str | int, ...]] = []
        prev_hash = head.hash
        for seq, (moment, event) in enumerate(events, start=expecting + 1):
            kind, schema, data = self._codec.encode(event)
            turn, exchange, halt = moment.turn, moment.exchange, moment.halt
            row = (campaign, seq, kind, turn, exchange, halt, actor, recorded_at, schema, data, prev_hash)
            columns = [whose, b"%d" % seq, kind.encode(), b"%d" % turn, b"%d" % exchange, b"%d" % halt]
            columns += [who, when, b"%d" % schema, data.encode(), prev_hash.encode()]
            prev_hash = chained(columns)
            rows.append((*row, prev_hash))
        return rows

    def check_chain(self, campaign: CampaignId) -> int:
        """Compute every hash of *campaign* anew; gives the number of events.

        :raises BrokenLog: at the first event that is not what was written, naming it.
        """
        seq, prev_hash = 0, b""
        more = True
        while more:
            # Not from 0: an event that was given a number below 1 would look like one cut off the end.
            page = self._connection.execute(_STORED, (campaign, seq or -_NO_END)).fetchall()
            for *columns, found in page:
                seq += 1
                if columns[1] != str(seq).encode():
                    raise BrokenLog(f"event {seq} of {campaign} is missing")
                if columns[-1] != prev_hash:
                    raise BrokenLog(f"event {seq} of {campaign} does not follow event {seq - 1} as it stands")
                if chained(columns).encode() != found:
                    raise BrokenLog(f"event {seq} of {campaign} is not what was written")
                prev_hash = found
            more = len(page) == _PAGE
        return seq


@contextmanager
def _text_only(connection: Connection, otherwise: str) -> Iterator[None]:
    try:
        yield
    except connection.database.failures as error:
        if not connection.database.is_no_text(error):
            raise
        raise BrokenLog(otherwise) from error


def chained(columns: Sequence[bytes]) -> str:
    """The hash of an event, from the bytes of HASHED."""
    return hashlib.sha256(b"".join((_VERSION, _LENGTHS(*map(len, columns)), *columns))).hexdigest()
