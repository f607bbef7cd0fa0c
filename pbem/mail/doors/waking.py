"""Whoever lays a letter down for an office that is on duty wakes it: a byte in a named pipe in the office's folder.

A named pipe has a reader only as long as somebody lives who reads it, so that a letter is never left to an office that
died; and its path may be as long as any, which that of a socket may not.
"""

from __future__ import annotations

import os
import select
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOOK = 0.5  # seconds after which it is seen whether to stop
_OWNER = 0o600


@contextmanager
def awake(pipe: Path, call: Callable[[], None]) -> Iterator[None]:
    """Have *call* called, by a thread of its own, whenever somebody wakes us through *pipe*, until the block ends.

    On a disk that knows no named pipes nobody is woken; a pipe that cannot be made is left alone.
    """
    try:
        handle = _opened(pipe)
    except OSError:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_hear, args=(handle, over, call), name="woken", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        os.close(handle)


class Sleeper:
    """Somebody who can be woken, as long as he lives."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def wake(self) -> None:
        """Wake him; one who has died meanwhile finds what lies there when he comes back."""
        # A pipe that is full has woken him already.
        with suppress(OSError):
            os.write(self._handle, b"\n")


@contextmanager
def asleep(pipe: Path) -> Iterator[Sleeper | None]:
    """Whoever is woken through *pipe*; None if nobody is."""
    try:
        handle = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        yield None
        return
    try:
        yield Sleeper(handle) if _is_pipe(handle) else None
    finally:
        os.close(handle)


def _opened(pipe: Path) -> int:
    with suppress(FileExistsError):
        os.mkfifo(pipe, _OWNER)
    # For writing too: else it would be at its end whenever nobody has it open to wake us.
    handle = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    if not _is_pipe(handle):
        os.close(handle)
        raise FileExistsError(pipe)
    return handle


def _is_pipe(handle: int) -> bool:
    return stat.S_ISFIFO(os.fstat(handle).st_mode)


def _hear(handle: int, over: threading.Event, call: Callable[[], None]) -> None:
    while not over.is_set():
        if select.select([handle], [], [], _LOOK)[0]:
            with suppress(BlockingIOError):
                os.read(handle, 4096)
            call()
