"""All that is said to SQLite alone: how a connection begins, the triggers of the log, its errors in words."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from sys import modules
from typing import TYPE_CHECKING

from pbem.kernel.errors import StorageError
from pbem.storage import seals
from pbem.storage.databases.connection import Column, Connection, Database, Driver, Engine, Given, Row, Rows

if TYPE_CHECKING:
    import sqlalchemy

shared = False
"""It is a file, and on one machine."""

failures = sqlite3.Error
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
    kind, _, place = url.partition("://")
    if kind.partition("+")[0] != "sqlite":
        raise StorageError(f'"{url}" names no file: write sqlite:///path')
    path = place.removeprefix("/")
    if path in ("", place, ":memory:"):
        raise StorageError(f'"{url}" names no file: write sqlite:///path')
    return Path(path)


def place(url: str, folder: Path | None) -> Path:
    """Beside which file the heads of the office at *url* are written: its own."""
    return path_of(url)


PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")
"""How every connection keeps what it writes: on the disk itself, with nothing left of what was deleted."""


def connect(url: str, folder: Path | None, *, patience: int, create: bool) -> Engine:
    """Connections to the file at *url*; *patience* is how long each waits for another writer, in milliseconds.

    :raises StorageError: if *url* names no file, or one that is not there and is not to be made.
    """

    def new() -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    def prepare(driver: sqlite3.Connection) -> None:
        driver.create_function(seals.DIGEST, -1, seals.digest, deterministic=True)
        for pragma in (f"busy_timeout = {patience}", *PRAGMAS):
            driver.execute(f"PRAGMA {pragma}")

    path = path_of(url)
    _see(path, create=create)
    return Engine(_this(), str(path), path, new, prepare)


def _this() -> Database:
    found: Database = modules[__name__]
    return found


def _see(path: Path, *, create: bool) -> None:
    """Refuse a path that SQLite would refuse in fewer words, or on which it would make an empty file."""
    for folder in path.absolute().parents:
        if folder.exists() and not folder.is_dir():
            raise StorageError(f"{path} cannot be: {folder} is a file, not a folder.")
    if path.is_dir():
        raise StorageError(f"{path} is a folder, not the database of an office.")
    if path.exists():
        return
    if not create:
        raise StorageError(
            f"there is no database at {path}: pbem db restore FILE brings a backup back, "
            "pbem db upgrade makes an empty one."
        )
    if not path.absolute().parent.exists():
        raise StorageError(f"{path} cannot be: there is no folder {path.absolute().parent}.")
    _make(path)


def _make(path: Path) -> None:
    """An empty file for its owner alone, whatever the user's umask is; what SQLite lays beside it is as private."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from None


class _Cursor(sqlite3.Cursor, Rows):
    """What a statement found, as SQLite gives it."""


def execute(driver: Driver, statement: str, given: Given) -> Rows:
    """Carry a statement out."""
    cursor: _Cursor = driver.cursor(_Cursor)
    cursor.execute(statement, given)
    return cursor


def execute_all(driver: Driver, statements: Sequence[tuple[str, Given]]) -> list[Rows]:
    """Carry several out, one after the other; gives what each found."""
    return [execute(driver, statement, given) for statement, given in statements]


@contextmanager
def streamed(driver: Driver, statement: str) -> Iterator[Iterator[Row]]:
    """The rows of a long answer, each when it is asked for."""
    with closing(driver.execute(statement)) as found:
        yield found


def fill(driver: Driver, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write *rows* into *table*, each in the order of *columns*."""
    places = ", ".join("?" for _ in columns)
    driver.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)


def in_transaction(driver: Driver) -> bool:
    """Whether one has begun and not ended."""
    found: bool = driver.in_transaction
    return found


def usable(driver: Driver) -> bool:
    """Whether a connection that nobody has still leads to its database: a file does not go away by itself."""
    return True


@contextmanager
def writing(engine: Engine, *, whole: bool) -> Iterator[Connection]:
    """A transaction that takes the right to write when it begins: there is one for the whole file.

    A deferred one that reads and then writes fails on a lock that no waiting can lift.
    """
    with engine.begun("BEGIN IMMEDIATE") as connection:
        yield connection


def alone(connection: Connection, campaign: str) -> None:
    """Keep others from writing of *campaign*: whoever may write here is alone with all of them."""


def unhurried(connection: Connection) -> None:
    """Let the transaction stand still for as long as it likes, as any may here."""


def time_there(engine: Engine) -> int:
    """What the clock of the server shows: there is none."""
    raise NotImplementedError("all who keep it are on one machine")


_CLAIMED: dict[Path, tuple[int, set[int]]] = {}
"""The files of claims that this process has open, and the bytes of each that it has locked.

A lock belongs to the process, and every lock on a file is gone when one that has it open closes it."""
_CLAIMING = threading.Lock()


@contextmanager
def claimed(engine: Engine, kind: int, number: int) -> Iterator[bool]:
    """Whether something is ours alone until the block ends: a byte of a file beside the database is locked for it."""
    path, byte = engine.path.with_suffix(".locks").absolute(), (kind << 32) + number
    ours = _claim(path, byte)
    try:
        yield ours
    finally:
        if ours:
            _let_go(path, byte)


def _claim(path: Path, byte: int) -> bool:
    with _CLAIMING:
        if path not in _CLAIMED:
            try:
                _CLAIMED[path] = os.open(path, os.O_RDWR | os.O_CREAT, 0o600), set()
            except OSError as error:
                raise StorageError(f"{path} cannot be written: {error.strerror}.") from None
        file, held = _CLAIMED[path]
        try:
            if byte in held:
                return False
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
            held.add(byte)
        except BlockingIOError:
            return False
        finally:
            _close_unused(path)
        return True


def _let_go(path: Path, byte: int) -> None:
    with _CLAIMING:
        file, held = _CLAIMED[path]
        held.remove(byte)
        fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)
        _close_unused(path)


def _close_unused(path: Path) -> None:
    file, held = _CLAIMED[path]
    if not held:
        del _CLAIMED[path]
        os.close(file)


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


@contextmanager
def migrating(engine: Engine) -> Iterator[tuple[Connection, sqlalchemy.Connection]]:
    """A transaction in which tables can be built anew: no row is held to what it refers to before the end.

    :raises StorageError: if one refers to nothing then.
    """
    with engine.taken() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begun("BEGIN IMMEDIATE"):
                with _for_alembic(connection) as alembics:
                    yield connection, alembics
                if astray := connection.execute("PRAGMA foreign_key_check").fetchall():
                    raise StorageError(f"{len(astray)} rows refer to nothing, the first in {astray[0][0]}.")
        finally:
            connection.execute("PRAGMA foreign_keys = ON")


class _Lent:
    """A driver's connection, of which the transaction is not to be ended by who has it."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def __getattr__(self, name: str) -> Driver:
        return getattr(self._driver, name)

    def commit(self) -> None:
        """Left to the office."""

    def rollback(self) -> None:
        """Left to the office."""

    def close(self) -> None:
        """Left to the office."""


@contextmanager
def _for_alembic(connection: Connection) -> Iterator[sqlalchemy.Connection]:
    """The same connection, as Alembic knows it; its transaction begins and ends outside."""
    # Loaded here, for it takes longer to load than all else that most commands need.
    import sqlalchemy
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import StaticPool

    driver = _Lent(connection.driver)
    engine = sqlalchemy.create_engine("sqlite://", creator=lambda: driver, poolclass=StaticPool)
    try:
        with engine.connect() as alembics, alembics.begin():
            yield alembics
    except DBAPIError as error:
        raise error.orig or error from error


def explained(error: Exception, engine: Engine) -> StorageError | None:
    """What *error* means for an office, in words; None for one that is no matter of the disk."""
    return in_words(error, engine.path)


def in_words(error: Exception, at: Path) -> StorageError | None:
    """What *error* means for the file *at*, in words; None for one that is no matter of the disk."""
    # The name of an extended code begins with that of its family: SQLITE_READONLY_DBMOVED.
    family = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
    folder = at.absolute().parent
    words = _WORDS.get("SQLITE_FULL" if family == "SQLITE_IOERR" and _is_full(folder) else family)
    return StorageError(words.format(at=at, folder=folder, error=error)) if words else None


def identity(engine: Engine) -> object:
    """What tells the file from another that was put in its place.

    :raises StorageError: if it is not there.
    """
    try:
        return engine.path.stat().st_ino
    except OSError as error:
        raise StorageError(f"{engine.path}: {(error.strerror or str(error)).lower()}.") from None


def _is_full(folder: Path) -> bool:
    """Whether the disk of *folder* has no room: SQLite calls that a failure where it is its own files that lack it."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LEAST


def tables(connection: Connection) -> set[str]:
    """The names of the tables that are there."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {str(name) for (name,) in found}


_KINDS = {"VARCHAR": "text", "TEXT": "text", "INTEGER": "integer", "BIGINT": "integer", "BLOB": "blob"}
"""What a column of each type holds."""


def columns(connection: Connection, table: str) -> list[Column]:
    """The columns of a table, in their order."""
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return [
        Column(str(name), _KINDS.get(kind.partition("(")[0], ""), bool(needed), own)
        for _, name, kind, needed, _, own in found
    ]


def strangers(connection: Connection, table: str, column: Column) -> tuple[int, str]:
    """How many rows hold in *column* what it should not, and of what type the first of them is."""
    allowed = [column.holds, *([] if column.needed or column.own else ["null"])]
    marks = ", ".join(f"'{one}'" for one in allowed)
    name = column.name
    count, kind = connection.execute(
        f"SELECT count(*), min(typeof({name})) FROM {table} WHERE typeof({name}) NOT IN ({marks})"
    ).one()
    return int(count), str(kind)


def digest(row: str, shape: Sequence[Column], bare: str | None) -> str:
    """SQL for the digest of *row*; of the column *bare* it counts only whether something is there."""
    parts = [
        f"{row}.{name} IS NULL" if name == bare else f"typeof({row}.{name}), CAST({row}.{name} AS BLOB)"
        for name, *_ in shape
    ]
    return f"{seals.DIGEST}({', '.join(parts)})"


def triggers(connection: Connection) -> dict[str, str]:
    """The triggers that an office of this shape must have, by name: those of the log, and those of the seals."""
    return {**TRIGGERS, **_sealing(connection)}


def _sealing(connection: Connection) -> dict[str, str]:
    return {
        name: f"CREATE TRIGGER {name} AFTER {when.upper()} ON {table}\nBEGIN {statement}; END"
        for name, when, table, statement in seals.triggers(connection)
    }


def guard(connection: Connection) -> None:
    """Put all triggers back, whatever a migration did to their tables."""
    if "event" not in tables(connection):
        return
    for name, ddl in triggers(connection).items():
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        connection.execute(ddl)


def unguarded(connection: Connection) -> list[str]:
    """The triggers that are missing, or are not what they should be."""
    there: dict[str, str] = dict(
        connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    )
    return [name for name, ddl in triggers(connection).items() if there.get(name) != ddl]


def lift(connection: Connection) -> None:
    """Take the triggers of the seals away."""
    for name in _sealing(connection):
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")


def bare(connection: Connection) -> None:
    """Take all triggers away, until they are put back."""
    for name in triggers(connection):
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")


def settled(connection: Connection) -> None:
    """Have the rows to come numbered after those that were copied with their numbers, as SQLite does by itself."""


def letting_delete(connection: Connection) -> None:
    """Take away what keeps events from being deleted, until the triggers are put back."""
    connection.execute("DROP TRIGGER event_is_not_deleted")


def remarks(connection: Connection) -> list[str]:
    """What its owner could make safer: of a file the doctor looks at who may read it."""
    return []


def faults(connection: Connection) -> list[str]:
    """What is wrong with the file, and which rows refer to one that is not there."""
    run = connection.execute
    wrong = [str(said) for said in run("PRAGMA integrity_check").scalars() if said != "ok"]
    return wrong + [
        f"{row[0]} {row[1]} refers to a {row[2]} that is not there" for row in run("PRAGMA foreign_key_check")
    ]


def checkpoint(engine: Engine) -> None:
    """Bring the write-ahead log home and empty its file, as far as no reader needs it."""
    with engine.taken() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def is_no_text(error: Exception) -> bool:
    """Did a column hold bytes that are not the text they should be."""
    return "Could not decode to UTF-8" in str(error)


def refuses(error: Exception) -> bool:
    """Is it a row that is not as it must be, and nothing else, by which a statement failed."""
    return isinstance(error, sqlite3.IntegrityError | sqlite3.DataError) or is_no_text(error)
