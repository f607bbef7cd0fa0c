"""A forger who knows the chain.

He takes the guards away, rewrites what he likes, computes all hashes anew, and puts the guards back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from pbem.desk.books.dossiers import load
from pbem.desk.worlds.walk import Walk
from pbem.desk.worlds.worlds import state_digest
from pbem.kernel.office import ExchangeResolved
from pbem.storage import heads
from pbem.storage.databases.sqlite import TRIGGERS
from pbem.storage.log import HASHED, chained
from tests.kit.table import Table

Event = dict[str, Any]
"""A row of the log, its data parsed."""


@contextmanager
def unguarded(table: Table) -> Iterator[sqlite3.Connection]:
    """The database of the office without the triggers of the log, which are back afterwards."""
    path = table.office.engine.path
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for name in TRIGGERS:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for ddl in TRIGGERS.values():
            connection.execute(ddl)
        connection.commit()


def forge(table: Table, change: Callable[[list[Event]], None]) -> None:
    """Let *change* rewrite the log; every hash, and every digest of a state, is computed anew.

    The file of the heads, which would betray him, is burnt.
    """
    heads.path_of(table.office.engine.path).unlink(missing_ok=True)
    with unguarded(table) as connection:
        events = _read(connection)
        change(events)
        _write(connection, events)
    states = dict(_states(table))
    if states:
        with unguarded(table) as connection:
            events = _read(connection)
            for seq, digest in states.items():
                events[seq - 1]["data"]["state"] = digest
            _write(connection, events)


def only(events: list[Event], kind: str, place: int = 0) -> Event:
    """The event of *kind* that stands at *place* among its like."""
    return [event for event in events if event["kind"] == kind][place]


def _read(connection: sqlite3.Connection) -> list[Event]:
    names = (*HASHED, "hash")
    rows = connection.execute(f"SELECT {', '.join(names)} FROM event ORDER BY seq").fetchall()
    return [dict(zip(names, row, strict=True)) | {"data": json.loads(row[HASHED.index("data")])} for row in rows]


def _write(connection: sqlite3.Connection, events: list[Event]) -> None:
    connection.execute("DELETE FROM event")
    prev_hash = ""
    for event in events:
        data = json.dumps(event["data"], ensure_ascii=False, separators=(",", ":"))
        row = {**event, "data": data, "prev_hash": prev_hash}
        values = [row[name] for name in HASHED]
        prev_hash = chained([str(value).encode() for value in values])
        marks = ", ".join("?" for _ in (*HASHED, "hash"))
        connection.execute(f"INSERT INTO event ({', '.join(HASHED)}, hash) VALUES ({marks})", (*values, prev_hash))
    connection.commit()


def _states(table: Table) -> Iterator[tuple[int, str]]:
    """The digests that the states of a forged log would have."""
    table.office.kept.clear()
    with table.office.read() as connection:
        dossier = load(table.office, connection, "ford")
    walk = Walk(dossier)
    for recorded in dossier.log:
        if isinstance(recorded.event, ExchangeResolved):
            walk.to(recorded.seq)
            yield recorded.seq, state_digest(walk.world())
