"""Connections to the file of an office, and the statements that they carry out: in the driver's own words.

What a library puts between would take longer than a short statement does, and 0.2 s of every command to load.  A
statement names what it is *given* as `:name`, or as `?` in order; what it finds comes as tuples.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

Value = Any  # type: ignore[explicit-any] # what a column holds, its statement knows
Row = tuple[Value, ...]
Given = Mapping[str, object] | Sequence[object]

Prepare = Callable[[sqlite3.Connection], object]
"""Makes a new connection ready."""


class Rows(sqlite3.Cursor):
    """What a statement found: rows, one after the other."""

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


class Connection:
    """A connection, while somebody has it."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.driver = driver
        self.info: dict[str, Value] = {}
        """What is remembered as long as somebody has it."""

    def execute(self, statement: str, given: Given = ()) -> Rows:
        """Carry a statement out."""
        return self.driver.cursor(Rows).execute(statement, given)

    @contextmanager
    def begun(self, begin: str) -> Iterator[None]:
        """A transaction that begins by the words *begin*: all that is written in it stands, or nothing does."""
        self.driver.execute(begin)
        try:
            yield
            self.driver.execute("COMMIT")
        except BaseException:
            # A transaction that failed may be over already; one that cannot be undone ends with its connection.
            with suppress(sqlite3.Error):
                self.driver.rollback()
            raise


class Engine:
    """Gives out connections to the office at *path*, each to one at a time."""

    def __init__(self, path: Path, prepare: Prepare) -> None:
        self.path = path
        self.prepare: list[Prepare] = [prepare]
        """What is done with every new connection, in order."""
        self._idle: list[sqlite3.Connection] = []
        self._made = 0
        """How often the connections were closed: who gives one back that is older has it closed."""

    @contextmanager
    def taken(self) -> Iterator[Connection]:
        """A connection, for this block alone."""
        made = self._made
        driver = self._free() or self._new()
        try:
            yield Connection(driver)
        except sqlite3.Error:
            # How it was left nobody knows; the next one is given another.
            driver.close()
            raise
        except BaseException:
            self._give_back(driver, made)
            raise
        self._give_back(driver, made)

    def _give_back(self, driver: sqlite3.Connection, made: int) -> None:
        if made == self._made and not driver.in_transaction:
            self._idle.append(driver)
        else:
            driver.close()

    @contextmanager
    def begun(self, begin: str) -> Iterator[Connection]:
        """A connection and a transaction on it, for this block alone (`Connection.begun`)."""
        with self.taken() as connection, connection.begun(begin):
            yield connection

    def dispose(self) -> None:
        """Close all connections; those that somebody has, when he gives them back."""
        self._made += 1
        while (driver := self._free()) is not None:
            driver.close()

    def _free(self) -> sqlite3.Connection | None:
        # In one step, for threads take and give back at the same time.
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _new(self) -> sqlite3.Connection:
        driver = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            for prepare in self.prepare:
                prepare(driver)
        except BaseException:
            driver.close()
            raise
        return driver
