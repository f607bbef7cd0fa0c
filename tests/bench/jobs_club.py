"""An office in PostgreSQL beside what its driver alone would take, and beside one in a file.

`make bench ARGS=--postgres`

The server is one of its own, and keeps what it is given on the disk as it does by default.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from pbem.kernel.event import Event
from tests.bench.baselines import COLUMNS, rows_of
from tests.bench.jobs_log import CAMPAIGN, TURN, Ours, of_one_kind
from tests.bench.measure import Job, Pair
from tests.bench.offices import facts
from tests.kit.server import server

_TABLE = """\
CREATE TABLE event (
  campaign text NOT NULL, seq integer NOT NULL, kind text NOT NULL, turn integer NOT NULL, exchange integer NOT NULL,
  halt integer NOT NULL, actor text NOT NULL, recorded_at bigint NOT NULL, schema integer NOT NULL,
  data text NOT NULL, prev_hash text NOT NULL, hash text NOT NULL, PRIMARY KEY (campaign, seq))"""
_INSERT = f"INSERT INTO event VALUES ({', '.join(['%s'] * COLUMNS)})"


class RawLog:
    """Rows of the office's shape in a table without guards, by the driver alone."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute(_TABLE)
        self.end = 0

    def append(self, events: Sequence[Event]) -> None:
        """Write events as JSON, in one transaction."""
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.executemany(_INSERT, rows_of(events, self.end))
        self.end += len(events)


@contextmanager
def beside_raw(folder: Path, events: Sequence[Event]) -> Iterator[Pair]:
    """Events appended in one transaction."""
    with ExitStack() as stack:
        found = stack.enter_context(server(()))
        raw = RawLog(found.database())
        stack.callback(raw.connection.close)
        log = Ours(folder, found.empty)
        stack.callback(log.engine.dispose)
        log.append(events)
        yield Pair(lambda: log.append(events), lambda: raw.append(events))


@contextmanager
def append_one(folder: Path) -> Iterator[Pair]:
    """One event a transaction."""
    with beside_raw(folder, facts(1)) as pair:
        yield pair


@contextmanager
def append_turn(folder: Path) -> Iterator[Pair]:
    """The events of a turn in one transaction."""
    with beside_raw(folder, facts(TURN)) as pair:
        yield pair


@contextmanager
def replay(folder: Path) -> Iterator[Pair]:
    """A log read, each event as its class, from a server and from a file."""
    (folder / "file").mkdir()
    with server(()) as found, ExitStack() as stack:
        logs = Ours(folder, found.empty), Ours(folder / "file")
        for log in logs:
            stack.callback(log.engine.dispose)
            log.append(of_one_kind())
        yield Pair(logs[0].replay, logs[1].replay)


JOBS = (
    Job(
        name="club-append",
        what="one event appended in PostgreSQL, all guards",
        base="raw psycopg insert and commit",
        target=1.5,
        prepare=append_one,
        rounds=200,
    ),
    Job(
        name="club-turn",
        what=f"a turn of {TURN:,} events appended in PostgreSQL, all guards",
        base="raw psycopg executemany and commit",
        target=1.5,
        prepare=append_turn,
    ),
    Job(
        name="club-replay",
        what=f"{CAMPAIGN:,} events replayed from PostgreSQL, typed",
        base="from SQLite",
        target=1.5,
        prepare=replay,
    ),
)
