"""Bring an office to the shape that this version of pbem reads and writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from pbem.kernel.errors import StorageError
from pbem.storage.connection import Connection, Engine, Value
from pbem.storage.database import in_words, open_office, version


def upgrade(office: Engine | str, migrations: Path, to: str = "head") -> str:
    """Run the *migrations* (a folder) that the *office* (open, or by its url) has not been through.

    All of them, or none; the triggers of the log are put back in any case.  Gives the new version.

    :raises StorageError: if the disk does not let it.
    """
    return _move(office, migrations, command.upgrade, to)


def downgrade(office: Engine | str, migrations: Path, to: str) -> str:
    """Take migrations back down to the version *to* (`base`: all); gives the new version, `""` for none.

    :raises StorageError: if the disk does not let it.
    """
    return _move(office, migrations, command.downgrade, to)


def _move(office: Engine | str, migrations: Path, move: Callable[[Config, str], None], to: str) -> str:
    engine = open_office(office, create=True) if isinstance(office, str) else office
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    try:
        with in_words(engine), whole(engine) as connection, for_alembic(connection) as alembics:
            config.attributes |= {"connection": alembics, "office": connection}
            move(config, to)
        return version(engine) or ""
    finally:
        if isinstance(office, str):
            engine.dispose()


@contextmanager
def whole(engine: Engine) -> Iterator[Connection]:
    """A transaction in which tables can be built anew: no row is held to what it refers to before the end.

    :raises StorageError: if one refers to nothing then.
    """
    with engine.taken() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begun("BEGIN IMMEDIATE"):
                yield connection
                if astray := connection.execute("PRAGMA foreign_key_check").fetchall():
                    raise StorageError(f"{len(astray)} rows refer to nothing, the first in {astray[0][0]}.")
        finally:
            connection.execute("PRAGMA foreign_keys = ON")


class _Lent:
    """A driver's connection, of which the transaction is not to be ended by who has it."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self._driver = driver

    def __getattr__(self, name: str) -> Value:
        return getattr(self._driver, name)

    def commit(self) -> None:
        """Left to the office."""

    def rollback(self) -> None:
        """Left to the office."""

    def close(self) -> None:
        """Left to the office."""


@contextmanager
def for_alembic(connection: Connection) -> Iterator[sqlalchemy.Connection]:
    """The same connection, as Alembic knows it; its transaction begins and ends outside."""
    driver = _Lent(connection.driver)
    engine = sqlalchemy.create_engine("sqlite://", creator=lambda: driver, poolclass=StaticPool)
    try:
        with engine.connect() as alembics, alembics.begin():
            yield alembics
    except DBAPIError as error:
        raise error.orig or error from error
