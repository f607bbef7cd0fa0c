"""A whole office in one file.

A copy of the database file alone lacks what is still in the write-ahead log; this asks SQLite for the copy, while the
office goes on working.  Of an office on a server it is the same file, an SQLite database, copied row by row out of one
look at it.  The copy holds addresses, letters and unrevealed seeds: only its owner may read it.  With the files that
belong to the database (settings, key, heads) it is a tar archive, the database in it under the name `DATABASE`.
"""

from __future__ import annotations

import os
import sqlite3
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.kernel.errors import StorageError
from pbem.storage import marks
from pbem.storage.copies import placing
from pbem.storage.copies.published import published
from pbem.storage.database import in_words, open_office, reading, transaction
from pbem.storage.databases import sqlite
from pbem.storage.databases.choice import chosen
from pbem.storage.databases.connection import MOVED, Engine

DATABASE = "office.sqlite"

_MOST = 1 << 20
"""The longest that a settings or key file may be, in bytes."""


def backup(office: Engine, target: Path, migrations: Path, files: Mapping[str, bytes] | None = None) -> None:
    """Copy the *office* into the new file *target*; with *files*, by their names, into an archive of all of them.

    :raises StorageError: if there is such a file, or if the disk does not let it.
    """
    if files is None:
        with published(target) as part:
            _copy_office(office, part, migrations)
        return
    with (
        published(target) as part,
        TemporaryDirectory(prefix=f"{target.name}.part-", dir=target.absolute().parent) as folder,
    ):
        _copy_office(office, Path(folder) / DATABASE, migrations)
        for name, data in files.items():
            _write(Path(folder) / name, data)
        with tarfile.open(part, "w") as archive:
            for name in (*files, DATABASE):
                archive.add(Path(folder) / name, name)


@contextmanager
def opened(source: Path) -> Iterator[tuple[Path, dict[str, bytes]]]:
    """The database in the backup *source*, and the files that came with it, by their names.

    :raises StorageError: if there is no such file, or it is no backup.
    """
    if not source.is_file():
        raise StorageError(f"there is no file {source}.")
    if not tarfile.is_tarfile(source):
        yield source, {}
        return
    try:
        with (
            tarfile.open(source, "r:") as archive,
            TemporaryDirectory(prefix=".pbem-", dir=source.absolute().parent) as folder,
        ):
            files: dict[str, bytes] = {}
            database = Path(folder) / DATABASE
            for member in archive:
                data = archive.extractfile(member) if member.isreg() else None
                if data is None:
                    raise StorageError(f"{source} is no backup of an office: {member.name} in it is no file.")
                if member.name == DATABASE:
                    with os.fdopen(os.open(database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as written:
                        while block := data.read(_MOST):
                            written.write(block)
                elif member.size <= _MOST:
                    files[member.name] = data.read()
            if not database.exists():
                raise StorageError(f"{source} is no backup of an office: there is no database in it.")
            yield database, files
    except tarfile.TarError as error:
        raise StorageError(f"{source} is damaged: {error}.") from error
    except OSError as error:
        raise StorageError(f"{source} cannot be read: {error.strerror}.") from error


def restore(source: Path, url: str, folder: Path, migrations: Path) -> None:
    """Make the office at *url* from the database *source*, where there is none, or one in which nothing happened yet.

    Its settings lie in *folder*.  Where it is to be on a server, *source* is of this version, and our own: signs that
    are kept in no text there are replaced in it before (`copying.without_nul`).

    :raises StorageError: if there is an office already, or if *source* is no whole backup of one.
    """
    if chosen(url) is not sqlite:
        office = open_office(f"sqlite:///{source}")
        try:
            with transaction(office, whole=True) as connection:
                placing.make(connection, url, folder, migrations)
        finally:
            office.dispose()
        return
    target = sqlite.path_of(url)
    if not source.is_file():
        raise StorageError(f"there is no file {source}.")
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            whole = copy.execute("PRAGMA quick_check").fetchone()[0]
            known = copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'event'").fetchone()[0]
            if whole != "ok" or not known:
                raise StorageError(f"{source} is {'damaged' if known else 'no backup of an office'}.")
            with published(target, over=placing.goes(target)) as part:
                _copy(copy, part)
                if _was_left(copy):
                    _stay(part)
    except sqlite3.Error as error:
        raise sqlite.in_words(error, source) or error from error


def _copy_office(office: Engine, target: Path, migrations: Path) -> None:
    if office.database is sqlite:
        with in_words(office), office.taken() as connection:
            _copy(connection.driver, target)
    else:
        with reading(office) as connection:
            placing.fill(connection, target, migrations)


def _copy(source: sqlite3.Connection, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _was_left(copy: sqlite3.Connection) -> bool:
    known = copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'mark'").fetchone()[0]
    return bool(known and copy.execute(MOVED).fetchone())


def _stay(path: Path) -> None:
    """Let the office at *path* be kept here: it was moved from where it was copied, and is one of its own now."""
    office = open_office(f"sqlite:///{path}", create=True, left=True)
    try:
        with office.database.writing(office, whole=True) as connection:
            marks.drop(connection, marks.MOVED)
        placing.without_log(office)
    finally:
        office.dispose()


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)
