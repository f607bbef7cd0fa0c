"""Connections to the database of an office, and the statements that they carry out: in the driver's own words.

What a library puts between would take longer than a short statement does, and 0.2 s of every command to load.  A
statement names what it is *given* as `:name`, or as `?` in order; what it finds comes as tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pbem.kernel.errors import StorageError

if TYPE_CHECKING:
    import sqlalchemy

Value = Any  # type: ignore[explicit-any] # what a column holds, its statement knows
Row = tuple[Value, ...]
Given = Mapping[str, object] | Sequence[object]
Driver = Any  # type: ignore[explicit-any] # a connection as the driver has it, which its own module knows

Prepare = Callable[[Driver], object]
"""Makes a new connection ready."""


NUMBERED = ("blob", "outbox")
"""Tables of which the rows are asked for in the order in which they came, by their `rowid`."""

MOVED = "SELECT value FROM mark WHERE name = 'moved'"
"""Asked by whoever takes the right to write: the office may be kept elsewhere by now (`pbem.storage.marks`)."""

UNSURE = "it is not known whether this was written"
"""The note on an error that came while a transaction was to be committed."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    holds: str
    """`text`, `integer` or `blob`, as its declaration says; empty for anything else."""
    needed: bool
    own: int
    """Its place in the primary key, from 1; 0: it is not in it."""


class Rows:
    """What a statement found: rows, one after the other.  A driver's cursor is one."""

    if TYPE_CHECKING:

        @property
        def rowcount(self) -> int: ...
        def fetchone(self) -> Row | None: ...
        def fetchmany(self, size: int = 1) -> list[Row]: ...
        def fetchall(self) -> list[Row]: ...
        def __iter__(self) -> Iterator[Row]: ...

    def one_or_none(self) -> Row | None:
        """The only row, or None; more than one is a fault of the statement."""
        found = self.fetchmany(2)
        assert len(found) < 2, "more rows than one"
        return found[0] if found else None

    def one(self) -> Row:
        """The only row."""
        found = self.one_or_none()
        assert found is not None, "no row"
        return found

    def scalar(self) -> Value:
        """The first column of the only row; None if there is none."""
        found = self.one_or_none()
        return None if found is None else found[0]

    def scalars(self) -> list[Value]:
        """The first column of every row."""
        return [row[0] for row in self.fetchall()]


Then = Callable[[Rows], None]
"""Is given what a statement found that was to be carried out later."""


class Database(Protocol):
    """What is said to one sort of database alone: a module with these functions."""

    @property
    def shared(self) -> bool:
        """Whether processes on several machines can keep an office in it together."""

    @property
    def failures(self) -> type[Exception]:
        """What a statement raises."""

    def place(self, url: str, folder: Path | None) -> Path:
        """Beside which file the heads of the office at *url* are written, of which the settings lie in *folder*.

        :raises StorageError: if *url* names none.
        """

    def connect(self, url: str, folder: Path | None, *, patience: int, create: bool) -> Engine:
        """Connections to the office at *url*, of which the settings lie in *folder*.

        Each waits *patience* milliseconds for another writer.

        :raises StorageError: if there can be none there, or there is none and it is not to be made.
        """

    def execute(self, driver: Driver, statement: str, given: Given) -> Rows:
        """Carry a statement out."""

    def execute_all(self, driver: Driver, statements: Sequence[tuple[str, Given]]) -> Sequence[Rows]:
        """Carry several out, one after the other; gives what each found."""

    def streamed(self, driver: Driver, statement: str) -> AbstractContextManager[Iterator[Row]]:
        """The rows of a long answer, each when it is asked for; nothing else is asked of the connection meanwhile."""

    def fill(self, driver: Driver, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Write *rows* into *table*, each in the order of *columns*."""

    def in_transaction(self, driver: Driver) -> bool:
        """Whether one has begun and not ended."""

    def usable(self, driver: Driver) -> bool:
        """Whether a connection that nobody has still leads to its database."""

    def writing(self, engine: Engine, *, whole: bool) -> AbstractContextManager[Connection]:
        """A transaction that takes the right to write when it begins: of the *whole* office, or beside others.

        Who writes beside others asks to be `alone` with each campaign of which he writes.  Whether the office was
        moved elsewhere the connection says.
        """

    def alone(self, connection: Connection, campaign: str) -> None:
        """Keep others from writing of *campaign* until the transaction ends; waits for who does already."""

    def unhurried(self, connection: Connection) -> None:
        """Let the transaction stand still for as long as it likes."""

    def claimed(self, engine: Engine, kind: int, number: int) -> AbstractContextManager[bool]:
        """Whether something is ours alone until the block ends (`pbem.storage.claims`)."""

    def time_there(self, engine: Engine) -> int:
        """What the clock of the server shows, in microseconds UTC; asked of one that is `shared` alone."""

    def looking(self, engine: Engine) -> AbstractContextManager[Connection]:
        """A transaction that cannot write: it sees the office as it is at its first look."""

    def migrating(self, engine: Engine) -> AbstractContextManager[tuple[Connection, sqlalchemy.Connection]]:
        """A transaction in which tables can be built anew, for us and for Alembic.

        :raises StorageError: if a row refers to nothing at its end.
        """

    def explained(self, error: Exception, engine: Engine) -> StorageError | None:
        """What *error* means for the office, in words; None for one that is no matter of the database."""

    def is_no_text(self, error: Exception) -> bool:
        """Did a column hold bytes that are not the text they should be."""

    def refuses(self, error: Exception) -> bool:
        """Is it a row that is not as it must be, and nothing else, by which a statement failed."""

    def identity(self, engine: Engine) -> object:
        """What tells this database from another in the same place.

        :raises StorageError: if it is not there.
        """

    def checkpoint(self, engine: Engine) -> None:
        """Let nothing be left of what was erased, as far as the database can."""

    def tables(self, connection: Connection) -> set[str]:
        """The names of the tables that are there."""

    def columns(self, connection: Connection, table: str) -> list[Column]:
        """The columns of a table, in their order."""

    def strangers(self, connection: Connection, table: str, column: Column) -> tuple[int, str]:
        """How many rows hold in *column* what it should not, and of what type the first of them is."""

    def digest(self, row: str, shape: Sequence[Column], bare: str | None) -> str:
        """SQL for the digest of *row* (`pbem.storage.seals`), of a table of this *shape*.

        Of the column *bare* it counts only whether something is there.
        """

    def triggers(self, connection: Connection) -> Mapping[str, str]:
        """The triggers that an office of this shape must have, by name."""

    def guard(self, connection: Connection) -> None:
        """Put all triggers back, whatever a migration did to their tables."""

    def unguarded(self, connection: Connection) -> list[str]:
        """The triggers that are missing, or are not what they should be."""

    def lift(self, connection: Connection) -> None:
        """Take the triggers of the seals away."""

    def bare(self, connection: Connection) -> None:
        """Take all triggers away, until they are put back."""

    def settled(self, connection: Connection) -> None:
        """Have the rows to come numbered after those that were copied with their numbers."""

    def letting_delete(self, connection: Connection) -> None:
        """Take away what keeps events from being deleted, until the triggers are put back."""

    def remarks(self, connection: Connection) -> list[str]:
        """What its owner could make safer, each in a sentence with what to do; asked for quickly."""

    def faults(self, connection: Connection) -> list[str]:
        """What is wrong with the files of the database, as far as they can be looked at."""


@cache
def _insert_into(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"


class Connection:
    """A connection, while somebody has it."""

    def __init__(self, driver: Driver, database: Database) -> None:
        self._driver, self.database = driver, database
        self._unsent: list[tuple[str, Given, Then | None]] = []
        self.info: dict[str, Value] = {}
        """What is remembered as long as somebody has it."""
        self.beside = False
        """Whether others write at the same time: then who writes of a campaign sees that he is `alone` with it."""
        self.wakes: set[tuple[str, str]] = set()
        """Who is to be woken when what is written is committed (`pbem.storage.wakes`): a task, and of what."""
        self._alone: set[str] = set()

    @property
    def driver(self) -> Driver:
        """The connection as the driver has it, when all is carried out that was asked for."""
        self.carry_out()
        return self._driver

    def carry_out(self) -> None:
        """Carry out now what was to be carried out later."""
        if self._unsent:
            self._all(*self._unsent)

    def execute(self, statement: str, given: Given = ()) -> Rows:
        """Carry a statement out."""
        if not self._unsent:
            return self.database.execute(self._driver, statement, given)
        return self._all(*self._unsent, (statement, given, None))

    def later(self, statement: str, given: Given = (), *, then: Then | None = None) -> None:
        """Carry out a statement of which nothing is asked; where that saves a trip to a server, with the next one.

        *then* is given what it found, before anybody is given what the next one found.
        """
        if self.database.shared:
            self._unsent.append((statement, given, then))
        else:
            self._all((statement, given, then))

    def _all(self, *statements: tuple[str, Given, Then | None]) -> Rows:
        """Carry several out; gives what the last one found."""
        self._unsent = []
        found = self.database.execute_all(self._driver, [(statement, given) for statement, given, _ in statements])
        for (*_, then), rows in zip(statements, found, strict=True):
            if then is not None:
                then(rows)
        return found[-1]

    def streamed(self, statement: str) -> AbstractContextManager[Iterator[Row]]:
        """The rows of a long answer, each when it is asked for; nothing else is asked meanwhile."""
        return self.database.streamed(self.driver, statement)

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Write *rows* into *table*, each in the order of *columns*."""
        if len(rows) == 1:
            self.later(_insert_into(table, tuple(columns)), rows[0])
        else:
            self.database.fill(self.driver, table, columns, rows)

    def alone(self, campaign: str) -> None:
        """Keep others from writing of *campaign* until the transaction ends; waits for who does already.

        Asked before the log is read of which is written then; who only looks asks for nothing.
        """
        if self.beside and campaign not in self._alone:
            self.database.alone(self, campaign)
            self._alone.add(campaign)

    def wake(self, task: str, of: str = "") -> None:
        """Have somebody look whether there is something to do of a *task*, when what is written is committed."""
        self.wakes.add((task, of))

    @property
    def in_transaction(self) -> bool:
        """Whether one has begun and not ended."""
        return bool(self._unsent) or self.database.in_transaction(self._driver)

    @contextmanager
    def begun(self, *begin: str) -> Iterator[None]:
        """A transaction that begins by the words *begin*: all that is written in it stands, or nothing does."""
        for words in begin:
            self.later(words)
        try:
            yield
            if any(then for *_, then in self._unsent):
                self.carry_out()
            try:
                self.execute("COMMIT")
            except self.database.failures as error:
                error.add_note(UNSURE)
                raise
        except BaseException:
            self._unsent.clear()
            # A transaction that failed may be over already; one that cannot be undone ends with its connection.
            with suppress(self.database.failures):
                self._driver.rollback()
            raise


class Engine:
    """Gives out connections to one office, each to one at a time.

    *at* is what it is called in words; *path*: beside which file its heads are written.  *new* makes a connection.
    """

    def __init__(self, database: Database, at: str, path: Path, new: Callable[[], Driver], prepare: Prepare) -> None:
        self.database, self.at, self.path = database, at, path
        self.prepare: list[Prepare] = [prepare]
        """What is done with every new connection, in order."""
        self._make = new
        self._idle: list[Driver] = []
        self._made = 0
        """How often the connections were closed: who gives one back that is older has it closed."""

    @contextmanager
    def taken(self) -> Iterator[Connection]:
        """A connection, for this block alone."""
        made = self._made
        driver = self._free() or self._new()
        try:
            yield Connection(driver, self.database)
        except self.database.failures:
            # How it was left nobody knows; the next one is given another.
            driver.close()
            raise
        except BaseException:
            self._give_back(driver, made)
            raise
        self._give_back(driver, made)

    def _give_back(self, driver: Driver, made: int) -> None:
        if made == self._made and not self.database.in_transaction(driver):
            self._idle.append(driver)
        else:
            driver.close()

    @contextmanager
    def begun(self, *begin: str) -> Iterator[Connection]:
        """A connection and a transaction on it, for this block alone (`Connection.begun`)."""
        with self.taken() as connection, connection.begun(*begin):
            yield connection

    def dispose(self) -> None:
        """Close all connections; those that somebody has, when he gives them back."""
        self._made += 1
        while (driver := self._free()) is not None:
            driver.close()

    def _free(self) -> Driver | None:
        # In one step, for threads take and give back at the same time.
        while True:
            try:
                driver = self._idle.pop()
            except IndexError:
                return None
            if self.database.usable(driver):
                return driver
            driver.close()

    def _new(self) -> Driver:
        driver = self._make()
        try:
            for prepare in self.prepare:
                prepare(driver)
        except BaseException:
            driver.close()
            raise
        return driver
