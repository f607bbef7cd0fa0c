"""A whole office in one file.

A copy of the database file alone lacks what is still in the write-ahead log; this asks SQLite for the copy,
while the office goes on working.  The copy holds addresses, letters and unrevealed seeds: only its owner may
read it.  With the files that belong to the database (settings, key, heads) it is a tar archive, the database in it
under the name `DATABASE`.

A file bears its name only when it is whole and on the disk: what was killed half way is called `….part`.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.kernel.errors import StorageError
from pbem.storage.database import in_words
from pbem.storage.databases import sqlite
from pbem.storage.databases.connection import Engine

DATABASE = "office.sqlite"

_HELD = ("event", "letter", "player", "outbox")
"""The tables that have rows as soon as an office was used."""
_MOST = 1 << 20
"""The longest that a settings or key file may be, in bytes."""


def backup(office: Engine, target: Path, files: Mapping[str, bytes] | None = None) -> None:
    """Copy the *office* into the new file *target*; with *files*, by their names, into an archive of all of them.

    :raises StorageError: if there is such a file, or if the disk does not let it.
    """
    if office.database is not sqlite:
        raise StorageError(f"{office.at} is copied by the tools of its server: pg_dump --format=custom.")
    with in_words(office), office.taken() as connection:
        driver = connection.driver
        if files is None:
            with _published(target) as part:
                _copy(driver, part)
            return
        with (
            _published(target) as part,
            TemporaryDirectory(prefix=f"{target.name}.part-", dir=target.absolute().parent) as folder,
        ):
            _copy(driver, Path(folder) / DATABASE)
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


def restore(source: Path, url: str) -> None:
    """Make the office at *url* from the database *source*, where there is none, or one in which nothing happened yet.

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
            with _published(target, over=_is_fresh(target)) as part:
                _copy(copy, part)
    except sqlite3.Error as error:
        raise sqlite.in_words(error, source) or error from error


def _is_fresh(path: Path) -> bool:
    """Whether there is an office at *path* in which nothing has happened yet; its write-ahead log is brought home."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as office:
            office.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            there = {name for (name,) in office.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            return there >= {*_HELD} and not any(
                office.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in _HELD
            )
    except sqlite3.Error:
        return False


@contextmanager
def _published(target: Path, *, over: bool = False) -> Iterator[Path]:
    """A file for its owner alone to be written, which is called *target* once it is whole and on the disk.

    What bears the name already is written *over* only if that is said.

    :raises StorageError: if it may not, or the disk does not let it.
    """
    part = target.with_name(f"{target.name}.part")
    there = StorageError(f"{target} is there already, and nothing is written over.")
    if target.exists() and not over:
        raise there
    try:
        handle = os.open(part, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.fchmod(handle, 0o600)
            os.ftruncate(handle, 0)
            yield part
            os.fsync(handle)
            if over:
                part.replace(target)
                for beside in ("-wal", "-shm"):
                    target.with_name(f"{target.name}{beside}").unlink(missing_ok=True)
            else:
                _named(part, target)
            _sync(target.absolute().parent)
        finally:
            os.close(handle)
    except BaseException as error:
        if not isinstance(error, BlockingIOError | IsADirectoryError | NotADirectoryError):
            with suppress(OSError):
                part.unlink()
        if isinstance(error, FileExistsError):
            raise there from None
        if isinstance(error, BlockingIOError):
            raise StorageError(f"{target} is being written by another process.") from None
        if isinstance(error, OSError):
            raise StorageError(f"{target} cannot be written: {error.strerror}.") from error
        if isinstance(error, sqlite3.Error):
            raise sqlite.in_words(error, target) or error from error
        raise


def _named(part: Path, target: Path) -> None:
    """Give *part* its name, unless somebody took that meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a disk that knows no second name for a file
        if target.exists():
            raise FileExistsError from None
        part.rename(target)
    else:
        part.unlink()


def _copy(source: sqlite3.Connection, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)


def _sync(folder: Path) -> None:
    """A name outlives a power cut only when its folder is on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
