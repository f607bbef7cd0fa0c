"""Which process deals with a letter: others leave it alone meanwhile, and if it dies the letter is free at once."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.desk.office.office import Office
from pbem.kernel.errors import StorageError

LOCK = "reading.lock"
"""A file of the office in which the byte of a letter's number is locked while a process deals with it."""


@contextmanager
def claimed(office: Office, letter: int) -> Iterator[bool]:
    """Whether *letter* is this process's alone until the block ends; not, if another has it.

    :raises StorageError: if the office's folder cannot be written.
    """
    path = office.folder / LOCK
    try:
        file = path.open("ab")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from None
    with file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, letter)
        except BlockingIOError:
            yield False
        else:
            yield True
