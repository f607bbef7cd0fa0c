"""All that is said to SQLite alone: how a connection begins, the triggers of the log, its errors in words.

An office that is to live in another database needs a module like this one and one like `connection`, and in `log` that
driver's mark for a value; all other statements are any database's.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from pbem.kernel.errors import StorageError
from pbem.storage import seals
from pbem.storage.connection import Connection, Engine

FAILURES = sqlite3.Error
"""What a statement raises."""

TRIGGERS: Mapping[str, str] = {
    "event_follows": """\
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN CASE NEW.seq
  WHEN 1 THEN NEW.prev_hash <> '' OR EXISTS (SELECT 1 FROM event WHERE campaign = NEW.campaign)
  ELSE (NEW.seq - 1, NEW.prev_hash) IS NOT
    (SELECT seq, hash FROM event WHERE campaign = NEW.campaign ORDER BY seq DESC LIMIT 1) END
BEGIN SELECT RAISE(ABORT, 'an event must follow the last one of its campaign'); END""",
    "event_is_not_changed": """\
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END""",
    "event_is_not_deleted": """\
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END""",
}
"""The guards of the log.  `event_follows` also stops INSERT OR REPLACE, which deletes without a trigger."""

_LEAST = 1 << 20
"""With fewer bytes than that a disk is full."""

_WORDS = {
    "SQLITE_BUSY": "{at} is locked: another process has been writing for too long.  Try again.",
    "SQLITE_LOCKED": "{at} is locked: another process has been writing for too long.  Try again.",
    "SQLITE_FULL": (
        "the disk under {at} is full: nothing was written.  Make room there (df {folder}).  Letters that come "
        "meanwhile are set aside in the office's folder emergency, or stay with the mail server."
    ),
    "SQLITE_READONLY": "{at} cannot be written: give its file and folder to the user who runs pbem.",
    "SQLITE_CANTOPEN": "{at} cannot be opened: see whether its folder is there and may be written.",
    "SQLITE_PERM": "{at} cannot be opened: the user who runs pbem may not.",
    "SQLITE_NOTADB": "{at} is not an SQLite database.",
    "SQLITE_CORRUPT": "{at} is damaged: pbem db restore brings a backup back.",
    "SQLITE_IOERR": "the disk under {at} failed: {error}.",
}


def path_of(url: str) -> Path:
    """The file that *url* names (`sqlite:///office.db`, `sqlite:////srv/pbem/office.db`).

    :raises StorageError: if it names another database, or no file.
    """
    kind, there, place = url.partition("://")
    if not there or not _KIND.fullmatch(kind):
        raise StorageError(f'"{url}" names no database: write sqlite:///path')
    if kind.partition("+")[0] != "sqlite":
        raise StorageError(f"an office is kept in SQLite: write sqlite:///path, not {kind}")
    path = place.removeprefix("/")
    if path in ("", place, ":memory:"):
        raise StorageError(f'"{url}" names no file: write sqlite:///path')
    return Path(path)


_KIND = re.compile(r"[a-z][a-z0-9+]*", re.IGNORECASE)

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")
"""How every connection keeps what it writes: on the disk itself, with nothing left of what was deleted."""


def connect(url: str, *, patience: int) -> Engine:
    """Connections to the office at *url*; *patience* is how long each waits for another writer, in milliseconds.

    :raises StorageError: if *url* names no file.
    """

    def prepare(driver: sqlite3.Connection) -> None:
        driver.create_function(seals.DIGEST, -1, seals.digest, deterministic=True)
        for pragma in (f"busy_timeout = {patience}", *PRAGMAS):
            driver.execute(f"PRAGMA {pragma}")

    return Engine(path_of(url), prepare)


def writing(engine: Engine) -> AbstractContextManager[Connection]:
    """A transaction that takes the right to write when it begins.

    A deferred one that reads and then writes fails on a lock that no waiting can lift.
    """
    return engine.begun("BEGIN IMMEDIATE")


@contextmanager
def looking(engine: Engine) -> Iterator[Connection]:
    """A transaction that needs no right to write and cannot: it sees the office as it is at its first look."""
    with engine.taken() as connection:
        connection.execute("PRAGMA query_only = 1")
        try:
            with connection.begun("BEGIN"):
                yield connection
        finally:
            connection.execute("PRAGMA query_only = 0")


def explained(error: sqlite3.Error, at: Path) -> StorageError | None:
    """What *error* means for the office *at*, in words; None for one that is no matter of the disk."""
    # The name of an extended code begins with that of its family: SQLITE_READONLY_DBMOVED.
    family = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
    folder = at.absolute().parent
    words = _WORDS.get("SQLITE_FULL" if family == "SQLITE_IOERR" and _is_full(folder) else family)
    return StorageError(words.format(at=at, folder=folder, error=error)) if words else None


def _is_full(folder: Path) -> bool:
    """Whether the disk of *folder* has no room: SQLite calls that a failure where it is its own files that lack it."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LEAST


def insert_into(table: str, columns: Sequence[str]) -> str:
    """SQL in the driver's own words, for rows in the order of *columns*."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"


def as_stored(column: str) -> str:
    """SQL for the bytes of *column* as they lie on the disk: of text that is none, and of numbers in decimal."""
    return f"CAST({column} AS BLOB)"


def tables(connection: Connection) -> set[str]:
    """The names of the tables that are there."""
    return seals.names(connection)


def triggers(connection: Connection) -> dict[str, str]:
    """The triggers that an office of this shape must have, by name: those of the log, and those of the seals."""
    return {**TRIGGERS, **seals.triggers(connection)}


def guard(connection: Connection) -> None:
    """Put all triggers back, whatever a migration did to their tables."""
    if "event" not in tables(connection):
        return
    for name, ddl in triggers(connection).items():
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        connection.execute(ddl)


def unguarded(connection: Connection) -> list[str]:
    """The triggers that are missing, or are not what they should be."""
    there = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall())
    return [name for name, ddl in triggers(connection).items() if there.get(name) != ddl]


def checkpoint(engine: Engine) -> None:
    """Bring the write-ahead log home and empty its file, as far as no reader needs it."""
    with engine.taken() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def is_no_text(error: sqlite3.Error) -> bool:
    """Did a column hold bytes that are not the text they should be."""
    return "Could not decode to UTF-8" in str(error)
