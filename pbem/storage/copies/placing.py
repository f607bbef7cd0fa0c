"""An office is made elsewhere, of what somebody sees of another: in a file, or on a server.

What lies there already stays until the other is whole and compared: a file is written beside and takes its name then, a
server is written in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pbem.kernel.errors import StorageError
from pbem.storage.copies import copying
from pbem.storage.copies.copying import Tell, silent
from pbem.storage.copies.published import published
from pbem.storage.database import in_words, open_office, reading
from pbem.storage.databases import sqlite
from pbem.storage.databases.choice import chosen
from pbem.storage.databases.connection import Connection, Engine

May = Callable[[Connection], bool]
"""Whether the office that somebody looks at may be replaced; else raises StorageError, or it is said in few words."""

_HELD = ("event", "letter", "player", "outbox")
"""The tables that have rows as soon as an office was used."""


def is_unused(connection: Connection) -> bool:
    """Whether there is no office yet, or one in which nothing has happened."""
    there = connection.database.tables(connection)
    return not any(connection.execute(f"SELECT 1 FROM {one} LIMIT 1").fetchone() for one in _HELD if one in there)


def make(
    source: Connection, url: str, folder: Path, migrations: Path, *, may: May = is_unused, tell: Tell = silent
) -> int:
    """Make an office at *url*, of which the settings lie in *folder*, of what *source* sees in its transaction.

    Where one lies there already, it is replaced if it *may*.  Gives in how many texts of *source*, if they lie in a
    file and go to a server, a sign was replaced first that is kept in none there.

    :raises StorageError: if it may not, cannot be made there, or has come to be another on the way.
    """
    if chosen(url) is sqlite:
        path = sqlite.path_of(url)
        with published(path, over=goes(path, may)) as part:
            fill(source, part, migrations, tell)
        return 0
    # Loaded here, for Alembic takes longer to load than all else that most commands need.
    from pbem.storage import migrate

    replaced = copying.without_nul(source) if source.database is sqlite else 0
    engine = open_office(url, folder, create=True, left=True)
    try:
        with reading(engine) as connection:
            _see(connection, engine, may)
        migrate.upgrade(engine, migrations)
        _pour(source, engine, may, tell)
    finally:
        engine.dispose()
    return replaced


def fill(source: Connection, path: Path, migrations: Path, tell: Tell = silent) -> None:
    """Make of the empty file at *path* an office, of what *source* sees in its transaction.

    :raises StorageError: if it cannot be, or has come to be another on the way.
    """
    from pbem.storage import migrate

    engine = open_office(f"sqlite:///{path}", create=True)
    try:
        migrate.upgrade(engine, migrations)
        _pour(source, engine, is_unused, tell)
        without_log(engine)
    finally:
        engine.dispose()


def without_log(engine: Engine) -> None:
    """Have all of an office in its file alone, with no write-ahead log beside it."""
    with in_words(engine), engine.taken() as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()


def _pour(source: Connection, engine: Engine, may: May, tell: Tell) -> None:
    with in_words(engine), engine.database.writing(engine, whole=True) as target:
        _see(target, engine, may)
        copying.copy(source, target, tell)
        copying.compare(source, target, tell)


def goes(path: Path, may: May = is_unused) -> bool:
    """Whether an office lies at *path* and is replaced; its write-ahead log is brought home.

    :raises StorageError: if one lies there that may not be.
    """
    if not path.is_file():
        return False
    engine = open_office(f"sqlite:///{path}", create=True, left=True)
    try:
        with reading(engine) as connection:
            _see(connection, engine, may)
        engine.database.checkpoint(engine)
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise StorageError(f"{path} is still being read by another process: end that first.")
    finally:
        engine.dispose()
    return True


def _see(connection: Connection, engine: Engine, may: May) -> None:
    if not may(connection):
        raise StorageError(f"{engine.at} is there already, and nothing is written over.")
