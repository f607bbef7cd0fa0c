"""The office on disk: open it, write to it in a transaction, read from it.

    engine = open_office("sqlite:///office.db")
    with transaction(engine) as connection:      # writes; all or nothing
        SqlLog(connection, codec).append(…)
    with reading(engine) as connection:          # sees one unchanging state, cannot write
        for recorded in SqlLog(connection, codec).read(campaign): …

`open_office(url, create=True)`, then `migrate.upgrade(engine, folder)`, makes an office or brings an older one
up to date.  Every function of this package takes a Connection from one of the two, and every failure of the
disk leaves them as a StorageError written for the reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.kernel.errors import Moved, StorageError
from pbem.storage import heads, marks
from pbem.storage.databases.choice import chosen
from pbem.storage.databases.connection import MOVED, Rows
from pbem.storage.databases.connection import Connection as Connection
from pbem.storage.databases.connection import Engine as Engine

VERSION = "0014"
"""The newest migration; the numbers of migrations grow."""

PATIENCE = 10_000
"""How long to wait for another writer, in milliseconds."""


def open_office(
    url: str,
    folder: Path | None = None,
    *,
    create: bool = False,
    patience: int = PATIENCE,
    unguarded: bool = False,
    left: bool = False,
) -> Engine:
    """Open the office at *url*, or, with *create*, one that may be missing or of an older shape.

    *folder* is that of its settings: beside them lie the heads of an office whose database is no file.  *patience* is
    how long to wait for another writer, in milliseconds; *unguarded* opens one whose triggers are not in place, to be
    looked at; *left*, one that was moved elsewhere, to be replaced.

    :raises StorageError: if there is none, if it is no office, is of an older version (without *create*) or
        of a newer one, or if the triggers of its log are not in place.
    :raises Moved: if it is kept elsewhere by now.
    """
    engine = chosen(url).connect(url, folder, patience=patience, create=create)
    try:
        with reading(engine) as connection:
            _check(connection, engine.at, create=create, unguarded=unguarded, left=left)
    except BaseException:
        engine.dispose()
        raise
    return engine


def version(engine: Engine) -> str | None:
    """The number of the last migration that the office went through; None before the first."""
    with reading(engine) as connection:
        return _version(connection)


@contextmanager
def transaction(engine: Engine, *, whole: bool = False) -> Iterator[Connection]:
    """A connection that may write; committed at the end, or not at all.

    Others write meanwhile where the database lets them, but for who writes of the *whole* office: of people, of doors,
    of what all campaigns share.  Who writes of a campaign is `Connection.alone` with it.

    Where the logs end that have grown is written beside the database then, if the disk lets it: the doctor says so
    where it does not.

    :raises StorageError: if the disk does not let it.
    :raises Moved: if the office is kept elsewhere by now.
    """

    def see(found: Rows) -> None:
        if where := found.scalar():
            raise Moved(engine.at, str(where))

    with in_words(engine):
        with engine.database.writing(engine, whole=whole) as connection:
            connection.later(MOVED, then=see)
            yield connection
            grown = heads.noted(connection)
        with suppress(OSError):
            heads.append(heads.path_of(engine.path), grown)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection that sees the office as it is when first asked, and cannot write.

    :raises StorageError: if the disk does not let it.
    """
    with in_words(engine), engine.database.looking(engine) as connection:
        yield connection


def server_time(engine: Engine) -> int:
    """What the clock of the server shows that all go by who keep the office together, in microseconds UTC.

    :raises StorageError: if it cannot be asked.
    """
    with in_words(engine):
        return engine.database.time_there(engine)


@contextmanager
def in_words(engine: Engine) -> Iterator[None]:
    """Turn what the disk says into a StorageError that a reader understands."""
    try:
        yield
    except engine.database.failures as error:
        explained = engine.database.explained(error, engine)
        if explained is None:
            raise
        raise explained from error


def _version(connection: Connection) -> str | None:
    if "alembic_version" not in connection.database.tables(connection):
        return None
    found: str | None = connection.execute("SELECT version_num FROM alembic_version").scalar()
    return found


def _check(connection: Connection, at: str, *, create: bool, unguarded: bool, left: bool) -> None:
    there = _version(connection)
    if there is None and connection.database.tables(connection):
        raise StorageError(f"{at} is a database, but not of an office.")
    if not left and (where := marks.get(connection, marks.MOVED)):
        raise Moved(at, where)
    if there is not None and there > VERSION:
        raise StorageError(
            f"{at} was written by a newer pbem (its version is {there}, this one knows {VERSION}): install that one."
        )
    if create:
        return
    if there != VERSION:
        raise StorageError(f"{at} is of version {there or 'none'}, not {VERSION}: run pbem db upgrade.")
    if not unguarded and (missing := connection.database.unguarded(connection)):
        raise StorageError(
            f"{at} is not guarded, for these triggers are missing or changed: {', '.join(missing)}.  "
            "What was written meanwhile is named by pbem verify; pbem db upgrade puts them back."
        )
