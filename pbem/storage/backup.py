"""A whole office in one file.

A copy of the database file alone lacks what is still in the write-ahead log; this asks SQLite for the copy,
while the office goes on working.  The copy holds addresses, letters and unrevealed seeds: only its owner may
read it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Engine

from pbem.kernel.errors import StorageError
from pbem.storage import sqlite
from pbem.storage.database import in_words


def backup(office: Engine, target: Path) -> None:
    """Copy the *office* into the new file *target*.

    :raises StorageError: if there is such a file, or if the disk does not let it.
    """
    with in_words(office), office.connect() as connection:
        _copy(sqlite.driver_of(connection), target)


def restore(source: Path, url: str) -> None:
    """Make the office at *url* from the backup *source*.

    :raises StorageError: if there is an office already, or if *source* is no whole backup of one.
    """
    target = sqlite.path_of(url)
    if not source.is_file():
        raise StorageError(f"there is no file {source}.")
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            whole = copy.execute("PRAGMA quick_check").fetchone()[0]
            known = copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'event'").fetchone()[0]
            if whole != "ok" or not known:
                raise StorageError(f"{source} is {'damaged' if known else 'no backup of an office'}.")
            _copy(copy, target)
    except sqlite3.Error as error:
        raise sqlite.explained(error, str(source)) or error from error


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """Take the name *target*, write the copy beside it, and put it there when it is whole and on the disk."""
    part = target.with_name(f"{target.name}.part")
    private = os.O_CREAT | os.O_WRONLY
    try:
        os.close(os.open(target, private | os.O_EXCL, 0o600))
    except FileExistsError:
        raise StorageError(f"{target} is there already, and nothing is written over.") from None
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror}.") from error
    try:
        os.close(os.open(part, private | os.O_TRUNC, 0o600))
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(target)
    except BaseException as error:
        for path in (target, part):
            with suppress(OSError):
                path.unlink()
        if isinstance(error, OSError):
            raise StorageError(f"{target} cannot be written: {error.strerror}.") from error
        if isinstance(error, sqlite3.Error):
            raise sqlite.explained(error, str(target)) or error from error
        raise
