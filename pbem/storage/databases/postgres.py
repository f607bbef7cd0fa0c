"""All that is said to PostgreSQL alone: how a connection begins, the guards of the log, its errors in words.

Whoever writes takes a lock, of the whole office or of a campaign beside others, and reads what is committed when he has
it: with a snapshot from before he had it he would write upon what he has not seen.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from math import inf
from pathlib import Path
from select import select
from sys import modules
from typing import TYPE_CHECKING, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pbem.kernel.errors import StorageError, TryAgain
from pbem.storage import seals, wakes
from pbem.storage.databases.connection import (
    MOVED,
    NUMBERED,
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

if TYPE_CHECKING:
    import sqlalchemy

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
_AGAIN = ("40", "55P03", "57")
"""After these nothing was written, and the same may go well the next time."""
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


_SAID: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(ours), theirs)
    for ours, theirs in (
        (r"%", "%%"),
        (r"json_each\(([^()]+)\)", r"json_array_elements_text(CAST(\1 AS json)) AS value"),
        (r"json_valid\(\w+\)", "TRUE"),
        (r"json_extract\((\w+), '\$\.(\w+)'\)", r"(CAST(\1 AS json) ->> '\2')"),
        (r"\binstr\(", "strpos("),
        (r"\bIS NOT (?!NULL\b|DISTINCT\b)", "IS DISTINCT FROM "),
        (r"\bIS (?!NOT\b|NULL\b|DISTINCT\b)", "IS NOT DISTINCT FROM "),
        (r"CAST\((.+?) AS BLOB\)", r"convert_to(CAST(\1 AS text), 'UTF8')"),
        (r"typeof\((\w+)\) = 'text'", r"\1 IS NOT NULL"),
        (r"/\* who comes next passes (\w+) over \*/", r"FOR UPDATE OF \1 SKIP LOCKED"),
        (r"/\* who comes next waits \*/", "FOR UPDATE"),
        (r"(?<![:\w]):([a-z_]\w*)", r"%(\1)s"),
        (r"\?", "%s"),
    )
)
"""What SQLite says otherwise, in this order."""


@lru_cache(maxsize=1_000)
def said(statement: str) -> str:
    """A statement in the words of PostgreSQL and its driver.

    >>> said("SELECT 1 FROM outbox WHERE player IS :player AND kind LIKE 'a%' AND campaign = ?")
    "SELECT 1 FROM outbox WHERE player IS NOT DISTINCT FROM %(player)s AND kind LIKE 'a%%' AND campaign = %s"
    """
    for ours, theirs in _SAID:
        statement = ours.sub(theirs, statement)
    return statement


def execute(driver: Driver, statement: str, given: Given) -> Rows:
    """Carry a statement out."""
    found: _Cursor = driver.execute(said(statement), _kept(given))
    return found


@contextmanager
def streamed(driver: Driver, statement: str) -> Iterator[Iterator[Row]]:
    """The rows of a long answer, each when it is asked for: a driver that is asked otherwise fetches all of them."""
    # Until its end is reached, or told, the driver waits for it with all else that is asked.
    with driver.cursor() as cursor, closing(cursor.stream(said(statement), ())) as found:
        yield found


def fill(driver: Driver, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write *rows* into *table*, each in the order of *columns*; the guards look at all of them at once."""
    if len(rows) == 1:
        places = ", ".join("?" for _ in columns)
        execute(driver, f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows[0])
        return
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
    # In one go: each trip to the server takes as long as a short statement does.
    begin = f"BEGIN ISOLATION LEVEL READ COMMITTED; {_WHOLE if whole else _BESIDE}; {MOVED}"
    with engine.taken() as connection, connection.begun(begin) as found:
        while found.nextset():
            pass
        connection.moved = next(iter(found.fetchone() or ()), "")
        connection.beside = not whole
        yield connection
        wakes.wake(connection)


def alone(connection: Connection, campaign: str) -> None:
    """Keep others from writing of *campaign* until the transaction ends; waits for who does already."""
    connection.execute(_ALONE, (campaign,))


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


class _Clock:
    """The clock of the server, asked once a minute and kept by what counts the time since this machine was started."""

    EVERY = 60.0  # seconds

    def __init__(self, engine: Engine) -> None:
        self._engine, self._asked = engine, -inf
        self._ahead = 0

    def __call__(self) -> int:
        now = _since_start()
        if now - self._asked > self.EVERY:
            self._ask()
        return self._ahead + round(_since_start() * 1_000_000)

    def _ask(self) -> None:
        try:
            with self._engine.taken() as connection:
                before = _since_start()
                there = int(connection.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000000").scalar())
                after = _since_start()
        except failures as error:
            if self._asked == -inf:
                raise explained(error, self._engine) or error from error
            return  # what was told before is good until the server is back
        self._ahead, self._asked = there - round((before + after) / 2 * 1_000_000), after


def _since_start() -> float:
    """Seconds since the machine was started, those in which it slept with them where it can tell."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def clock(engine: Engine) -> Callable[[], int]:
    """The clock that all go by who keep the office together, on whatever machine: that of the server."""
    return _Clock(engine)


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
                driver.execute(_MAKE_PART)
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
    kind = TryAgain if code.startswith(_AGAIN) and not unsure else StorageError
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


JOBS = "procrastinate_"
"""How the tables of those who are woken begin: they are another's, and nothing hangs on them."""


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


PART = "pbem_part"
"""The function that gives what a column adds to the digest of its row."""
_PART = """
SELECT CASE WHEN data IS NULL THEN int8send(4) || convert_to('null', 'UTF8') || int8send(0)
  ELSE int8send(length(kind)) || convert_to(kind, 'UTF8') || int8send(length(data)) || data END
"""

_MAKE_PART = (
    f"CREATE OR REPLACE FUNCTION {PART}(kind text, data bytea) RETURNS bytea"
    f" LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body${_PART}$body$"
)


def digest(row: str, shape: Sequence[Column], bare: str | None) -> str:
    """SQL for the digest of *row*; of the column *bare* it counts only whether something is there."""
    parts = []
    for column in shape:
        name = f"{row}.{column.name}"
        if column.name == bare:
            bit = f"convert_to(CASE WHEN {name} IS NULL THEN '1' ELSE '0' END, 'UTF8')"
            parts.append(f"int8send(1) || {bit}")
        else:
            data = name if column.holds == "blob" else f"convert_to(CAST({name} AS text), 'UTF8')"
            parts.append(f"{PART}('{column.holds}', {data})")
    return f"sha256({' || '.join(parts)})"


class _Trigger(NamedTuple):
    """A trigger, and the body of the function that it calls."""

    table: str
    when: str
    kind: int
    """How the server's catalogue says when: rows 1, before 2, insert 4, delete 8, update 16, truncate 32."""
    body: str


def _refused(why: str) -> str:
    return f"BEGIN RAISE EXCEPTION '{why}' USING ERRCODE = 'integrity_constraint_violation'; END"


_FOLLOWS = """\
BEGIN
  IF EXISTS (
    SELECT 1 FROM new_events AS come WHERE NOT (
      CASE WHEN come.seq = 1 THEN come.prev_hash = '' ELSE EXISTS (
        SELECT 1 FROM event AS last
        WHERE last.campaign = come.campaign AND last.seq = come.seq - 1 AND last.hash = come.prev_hash) END)
  ) THEN
    RAISE EXCEPTION 'an event must follow the last one of its campaign'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END"""

TRIGGERS: Mapping[str, _Trigger] = {
    "event_follows": _Trigger(
        "event", "AFTER INSERT ON event REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT", 4, _FOLLOWS
    ),
    "event_is_not_changed": _Trigger(
        "event", "BEFORE UPDATE ON event FOR EACH ROW", 19, _refused("an event is never changed")
    ),
    "event_is_not_deleted": _Trigger(
        "event", "BEFORE DELETE ON event FOR EACH ROW", 11, _refused("an event is never deleted")
    ),
    "event_is_not_emptied": _Trigger(
        "event", "BEFORE TRUNCATE ON event FOR EACH STATEMENT", 34, _refused("an event is never deleted")
    ),
}
"""The guards of the log.  The key of the table does the rest: no two events have one number."""

_SEALING = {"insert": 5, "update": 17, "delete": 9}


def _sealing(connection: Connection) -> dict[str, _Trigger]:
    return {
        name: _Trigger(
            table,
            f"AFTER {when.upper()} ON {table} FOR EACH ROW",
            _SEALING[when],
            f"BEGIN {statement}; RETURN NULL; END",
        )
        for name, when, table, statement in seals.triggers(connection)
    }


def _all(connection: Connection) -> dict[str, _Trigger]:
    return {**TRIGGERS, **_sealing(connection)}


def triggers(connection: Connection) -> dict[str, str]:
    """The triggers that an office of this shape must have, by name: those of the log, and those of the seals."""
    return {name: one.body for name, one in _all(connection).items()}


def guard(connection: Connection) -> None:
    """Put all triggers back, whatever a migration did to their tables; number the rows that SQLite numbers itself."""
    run = connection.driver.execute
    there = tables(connection)
    if "event" not in there:
        return
    for table in there.intersection(NUMBERED):
        run(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS rowid bigint GENERATED ALWAYS AS IDENTITY")
    run(_MAKE_PART)
    for name, one in _all(connection).items():
        # A table that grew fast has no statistics yet, and would be read from end to end for each event.
        run(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off"
            f" AS $body${one.body}$body$"
        )
        run(f"DROP TRIGGER IF EXISTS {name} ON {one.table}")
        run(f"CREATE TRIGGER {name} {one.when} EXECUTE FUNCTION {name}()")


_THERE = """\
SELECT t.tgname, p.prosrc, t.tgtype, t.tgrelid::regclass::text
FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')"""


def unguarded(connection: Connection) -> list[str]:
    """The triggers that are missing, or are not what they should be."""
    found = {name: (table, kind, body) for name, body, kind, table in connection.execute(_THERE)}
    missing = [name for name, one in _all(connection).items() if found.get(name) != (one.table, one.kind, one.body)]
    part = connection.execute("SELECT prosrc FROM pg_proc WHERE oid = to_regproc(?)", (PART,)).scalar()
    return missing if part == _PART else [PART, *missing]


def lift(connection: Connection) -> None:
    """Take the triggers of the seals away."""
    for name, one in _sealing(connection).items():
        connection.driver.execute(f"DROP TRIGGER IF EXISTS {name} ON {one.table}")


def bare(connection: Connection) -> None:
    """Take all triggers away, until they are put back."""
    for name, one in _all(connection).items():
        connection.driver.execute(f"DROP TRIGGER IF EXISTS {name} ON {one.table}")


_SEQUENCES = """\
SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
FROM information_schema.columns
WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%' AND NOT starts_with(table_name, ?)"""


def settled(connection: Connection) -> None:
    """Have the rows to come numbered after those that were copied with their numbers; look over what has come."""
    for table, column, sequence in connection.execute(_SEQUENCES, (JOBS,)).fetchall():
        last = f"SELECT max({column}) FROM {table}"
        connection.execute(f"SELECT setval(?, greatest(({last}), 1), ({last}) IS NOT NULL)", (sequence,))
    connection.driver.execute("ANALYZE")


def letting_delete(connection: Connection) -> None:
    """Take away what keeps events from being deleted, until the triggers are put back."""
    connection.driver.execute("DROP TRIGGER event_is_not_deleted ON event")


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
