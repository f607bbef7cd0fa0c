"""All that is said to PostgreSQL alone: how a connection begins, the guards of the log, its errors in words.

Whoever writes takes a lock, of the whole office or of a campaign beside others, and reads what is committed when he has
it: with a snapshot from before he had it he would write upon what he has not seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from select import select
from sys import modules
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pbem.kernel.errors import StorageError, TryAgain
from pbem.storage import wakes
from pbem.storage.databases.connection import (
    UNSURE,
    Column,
    Connection,
    Database,
    Driver,
    Engine,
    Given,
    Row,
    Rows,
    Value,
)
from pbem.storage.databases.dialect import said
from pbem.storage.databases.guards import JOBS as JOBS
from pbem.storage.databases.guards import MAKE_PART
from pbem.storage.databases.guards import bare as bare
from pbem.storage.databases.guards import digest as digest
from pbem.storage.databases.guards import guard as guard
from pbem.storage.databases.guards import letting_delete as letting_delete
from pbem.storage.databases.guards import lift as lift
from pbem.storage.databases.guards import settled as settled
from pbem.storage.databases.guards import triggers as triggers
from pbem.storage.databases.guards import unguarded as unguarded

if TYPE_CHECKING:
    import sqlalchemy

shared = True
"""Whoever reaches the server can keep the office with others."""

failures = psycopg.Error
"""What a statement raises."""

_IDLE = 120_000
"""Milliseconds after which a transaction that may write, and whose process does nothing, is ended: one that stands
still must not hold up all others.  Who only looks holds nobody up, and may work things out for as long as he likes."""

_PATIENT = f"SELECT set_config('idle_in_transaction_session_timeout', '{_IDLE}', true)"
_WHOLE = f"{_PATIENT}, pg_advisory_xact_lock(0)"
"""The lock of the whole office."""
_BESIDE = f"{_PATIENT}, pg_advisory_xact_lock_shared(0)"
"""That of who writes beside others."""
_ALONE = "SELECT pg_advisory_xact_lock(1, hashtext(?))"
"""That of a campaign.  Two may share a number: it costs a wait, and never a wrong answer."""

_ALIVE = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"
"""So the server knows within a minute of a machine that is no more, and lets go what was claimed there."""

_WORDS = {
    "28": "the server of {at} lets nobody in under this name, or not by this password: {error}.",
    "3D": "there is no database {at}: createdb -T template0 -E UTF8 --locale=C NAME, then pbem db upgrade.",
    "25006": "{at} can only be read: its server stands by for another.",
    "25P03": "{at} has ended a transaction in which nothing was done for two minutes.  Try again.",
    "40": "{at} was being changed by another at the same time.  Try again.",
    "42501": "the role of {at} may not do that: pbem doctor says what it needs.  ({error})",
    "53100": "the disk under {at} is full: nothing was written.  Make room there.",
    "53": "the server of {at} has no room for more: {error}.  Try again.",
    "55P03": "{at} is locked: another process has been writing for too long.  Try again.",
    "57": "the server of {at} has ended the connection: {error}.  Try again.",
    "58": "the disk under {at} failed: {error}.",
    "XX": "{at} is damaged: {error}.  pbem db restore brings a backup back.",
}
"""By what the code of an error begins with."""
_AGAIN = ("40", "55P03")
_ENDED = "57"
"""After these nothing was written, and the same may go well the next time; but what became of a transaction that was
ended while it was committed nobody knows."""
_AWAY = "{at} cannot be reached: {error}.  See whether its server runs, then try again."

_NOWHERE = Path(os.devnull)
"""Who opens an office without its folder writes no heads."""

_AT_THE_DOOR = (
    (re.compile(r'database ".*" does not exist'), "3D"),
    (re.compile(r'authentication failed|role ".*" does not exist|no pg_hba\.conf entry|no password supplied'), "28"),
    (re.compile("is starting up|is shutting down|in recovery mode|not yet accepting"), "57"),
)
"""What a server says to whom it does not let in: no code comes with it."""


def place(url: str, folder: Path | None) -> Path:
    """Beside which file the heads of the office at *url* are written: one in the *folder* of its settings."""
    return (folder or _NOWHERE) / "office.postgresql"


def connect(url: str, folder: Path | None, *, patience: int, create: bool) -> Engine:
    """Connections to the database at *url*; *patience* is how long each waits for another writer, in milliseconds.

    The heads are written in *folder*.  Whether there is a database its server says when it is first asked.

    :raises StorageError: if *url* is none.
    """
    try:
        asked = conninfo_to_dict(url)
        options = f"{asked.get('options') or ''} -c lock_timeout={patience} {_ALIVE}".strip()
        waits = asked.get("connect_timeout") or 10
        told = make_conninfo(url, options=options, application_name="pbem", connect_timeout=waits)
    except psycopg.Error as error:
        raise StorageError(f"the database of the office is not named as it should be: {_said(error)}.") from None

    def new() -> Driver:
        return psycopg.connect(told, autocommit=True, cursor_factory=_Cursor)

    at = f"{asked.get('dbname') or asked.get('user') or 'the database'} at {asked.get('host') or 'this machine'}"
    return Engine(_this(), at, place(url, folder), new, lambda driver: None)


def _this() -> Database:
    found: Database = modules[__name__]
    return found


class _Cursor(psycopg.Cursor[tuple[Value, ...]], Rows):
    """What a statement found, as PostgreSQL gives it."""


def execute(driver: Driver, statement: str, given: Given) -> Rows:
    """Carry a statement out."""
    found: _Cursor = driver.execute(said(statement), _kept(given))
    return found


def execute_all(driver: Driver, statements: Sequence[tuple[str, Given]]) -> list[Rows]:
    """Carry several out in one trip to the server; gives what each found."""
    with driver.pipeline():
        return [execute(driver, statement, given) for statement, given in statements]


@contextmanager
def streamed(driver: Driver, statement: str) -> Iterator[Iterator[Row]]:
    """The rows of a long answer, each when it is asked for: a driver that is asked otherwise fetches all of them."""
    # Until its end is reached, or told, the driver waits for it with all else that is asked.
    with driver.cursor() as cursor, closing(cursor.stream(said(statement), ())) as found:
        yield found


def fill(driver: Driver, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write *rows* into *table*, each in the order of *columns*; the guards look at all of them at once."""
    with driver.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(_kept(row))


def _kept(given: Given) -> Given:
    """What is *given*, without the one sign that no text may hold here."""
    values = given.values() if isinstance(given, Mapping) else given
    if not any(isinstance(value, str) and "\0" in value for value in values):
        return given
    if isinstance(given, Mapping):
        return {name: _without(value) for name, value in given.items()}
    return [_without(value) for value in given]


def _without(value: object) -> object:
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value


def in_transaction(driver: Driver) -> bool:
    """Whether one has begun and not ended."""
    idle: bool = driver.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    return not idle


def usable(driver: Driver) -> bool:
    """Whether a connection that nobody has still leads to its server: what that says unasked is a farewell."""
    if driver.closed:
        return False
    return not select([driver.fileno()], [], [], 0)[0]


@contextmanager
def writing(engine: Engine, *, whole: bool) -> Iterator[Connection]:
    """A transaction that takes the right to write when it begins: of the *whole* office, or beside others."""
    with engine.begun("BEGIN ISOLATION LEVEL READ COMMITTED", _WHOLE if whole else _BESIDE) as connection:
        connection.beside = not whole
        if whole:
            # Now, and not with the first statement: whoever has it may look at the office by other connections.
            connection.carry_out()
        yield connection
        wakes.wake(connection)


def alone(connection: Connection, campaign: str) -> None:
    """Keep others from writing of *campaign* until the transaction ends; waits for who does already."""
    connection.later(_ALONE, (campaign,))


def unhurried(connection: Connection) -> None:
    """Let the transaction stand still for as long as it likes."""
    connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")


@contextmanager
def claimed(engine: Engine, kind: int, number: int) -> Iterator[bool]:
    """Whether something is ours alone until the block ends: a connection of its own has a lock for it."""
    with engine.taken() as connection:
        run, what = connection.execute, (kind, number)
        ours = bool(run("SELECT pg_try_advisory_lock(?, ?)", what).scalar())
        try:
            yield ours
        finally:
            if ours:
                # One that is lost has let it go.
                with suppress(failures):
                    run("SELECT pg_advisory_unlock(?, ?)", what)


def time_there(engine: Engine) -> int:
    """What the clock of the server shows, in microseconds UTC."""
    with engine.taken() as connection:
        return int(connection.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000000").scalar())


@contextmanager
def looking(engine: Engine) -> Iterator[Connection]:
    """A transaction that cannot write: it sees the office as it is at its first look."""
    with engine.begun("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
        yield connection


@contextmanager
def migrating(engine: Engine) -> Iterator[tuple[Connection, sqlalchemy.Connection]]:
    """A transaction in which tables can be altered, for us and for Alembic."""
    # Loaded here, for it takes longer to load than all else that most commands need.
    import sqlalchemy
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import StaticPool

    with engine.taken() as connection:
        driver = connection.driver
        # SQLAlchemy begins and ends transactions in the driver's own way.
        driver.autocommit = False
        alembic = sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: driver, poolclass=StaticPool)
        try:
            with alembic.connect() as alembics, alembics.begin():
                driver.execute(_WHOLE)
                driver.execute(MAKE_PART)
                yield connection, alembics
        except DBAPIError as error:
            raise error.orig or error from error
        finally:
            if not driver.closed:
                driver.rollback()
                driver.autocommit = True


def explained(error: Exception, engine: Engine) -> StorageError | None:
    """What *error* means for the office, in words; None for one that is no matter of the server."""
    code = getattr(error, "sqlstate", None)
    if code is None and isinstance(error, psycopg.OperationalError):
        code = next((code for said, code in _AT_THE_DOOR if said.search(str(error))), "")
    if code is None:
        return None
    words = next((_WORDS[code[:size]] for size in (5, 2) if code[:size] in _WORDS), None if code else _AWAY)
    if words is None:
        return None
    unsure = UNSURE in getattr(error, "__notes__", ())
    again = code.startswith(_AGAIN) or (code.startswith(_ENDED) and not unsure)
    kind = TryAgain if again else StorageError
    return kind(words.format(at=engine.at, error=_said(error)))


def _said(error: Exception) -> str:
    """The first line of what a server or the driver says, without its full stop."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")


def is_no_text(error: Exception) -> bool:
    """Did a column hold bytes that are not the text they should be: the server takes none."""
    return False


def refuses(error: Exception) -> bool:
    """Is it a row that is not as it must be, and nothing else, by which a statement failed."""
    return isinstance(error, psycopg.IntegrityError | psycopg.DataError)


def identity(engine: Engine) -> object:
    """What tells the database from another under the same name.

    :raises StorageError: if it is not there.
    """
    ask = "SELECT system_identifier, (SELECT oid FROM pg_database WHERE datname = current_database())"
    try:
        with engine.taken() as connection:
            return tuple(connection.execute(f"{ask} FROM pg_control_system()").one())
    except psycopg.Error as error:
        raise explained(error, engine) or error from error


def checkpoint(engine: Engine) -> None:
    """Give the room of erased rows back; what of them is in the server's own log goes when that does."""
    with engine.taken() as connection:
        connection.driver.execute("VACUUM blob, letter, player, outbox")


def tables(connection: Connection) -> set[str]:
    """The names of the tables that are there."""
    found = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND NOT starts_with(tablename, ?)", (JOBS,)
    )
    return {str(name) for (name,) in found}


_COLUMNS = """\
SELECT a.attname, format_type(a.atttypid, NULL), a.attnotnull,
  coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0)
FROM pg_attribute AS a LEFT JOIN pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary
WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'rowid' ORDER BY a.attnum"""
_KINDS = {
    "character varying": "text",
    "text": "text",
    "integer": "integer",
    "bigint": "integer",
    "bytea": "blob",
}


def columns(connection: Connection, table: str) -> list[Column]:
    """The columns of a table, in their order."""
    found = connection.execute(_COLUMNS, (table,))
    return [Column(str(name), _KINDS.get(kind, ""), bool(needed), own) for name, kind, needed, own in found]


def strangers(connection: Connection, table: str, column: Column) -> tuple[int, str]:
    """How many rows hold in *column* what it should not: none, for the server takes none."""
    return 0, ""


def faults(connection: Connection) -> list[str]:
    """What is wrong with the database: the order of its texts, by which campaigns are listed."""
    ask = "SELECT datcollate, pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()"
    order, letters = connection.execute(ask).one()
    found = [] if order in ("C", "POSIX") else [f"its texts are in the order of {order}, and not of C"]
    return found + ([] if letters == "UTF8" else [f"its texts are kept as {letters}, and not as UTF8"])


_RIGHTS = """\
SELECT current_user, rolsuper OR pg_has_role(current_user, c.relowner, 'MEMBER'),
  array_remove(ARRAY[
    CASE WHEN has_table_privilege('event', 'UPDATE') THEN 'UPDATE' END,
    CASE WHEN has_table_privilege('event', 'DELETE') THEN 'DELETE' END,
    CASE WHEN has_table_privilege('event', 'TRUNCATE') THEN 'TRUNCATE' END], NULL)
FROM pg_roles, pg_class AS c WHERE rolname = current_user AND c.oid = to_regclass('event')"""


def remarks(connection: Connection) -> list[str]:
    """What its owner could make safer: the order of its texts, and a role that could lift the guards of the log."""
    user, owns, rights = connection.execute(_RIGHTS).one()
    found = [
        f"{fault}: make it anew by createdb -T template0 -E UTF8 --locale=C, and move it"
        for fault in faults(connection)
    ]
    if owns:
        found.append(
            f"the role {user} owns the tables, and could take their guards away: let another own them and run "
            "pbem db upgrade, and give this one SELECT, INSERT on event and all rows of the others"
        )
    elif rights:
        found.append(f"the role {user} may change the log: REVOKE {', '.join(rights)} ON event FROM {user}")
    return found
