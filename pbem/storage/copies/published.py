"""A file bears its name only when it is whole and on the disk: what was killed half way is called `….part`."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.kernel.errors import StorageError
from pbem.storage.databases import sqlite


@contextmanager
def published(target: Path, *, over: bool = False) -> Iterator[Path]:
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
            sync(target.absolute().parent)
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


def sync(folder: Path) -> None:
    """A name outlives a power cut only when its folder is on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Write a small file of which nobody sees a part, whatever lies there; for its owner alone, or by its *mode*.

    :raises StorageError: if the disk does not let it.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync(path.absolute().parent)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from None
