"""Work in processes of its own, which can be killed; started in milliseconds, for all that it needs is loaded once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess


def dying(point: str, at: int, after: float | None) -> Callable[[str], None]:
    """What to call, with its name, at each point that the work comes to.

    This process dies by SIGKILL when it comes to *point* for the time *at*, or so many seconds *after* the first call;
    at a point that there is not, and after None, it does not.
    """
    timers = [] if after is None else [threading.Timer(after, os.kill, (os.getpid(), signal.SIGKILL))]
    passed = 0

    def come_to(here: str) -> None:
        nonlocal passed
        while timers:
            timers.pop().start()
        passed += here == point
        if here == point and passed == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return come_to


class Fork:
    """One process."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """End it by SIGKILL, if it is still there."""
        self._process.kill()

    def wait(self, seconds: float | None = None) -> int | None:
        """Its exit code, or None if it still runs after so many seconds."""
        self._process.join(seconds)
        return self._process.exitcode


class Forks:
    """Starts processes."""

    def __init__(self, *loaded: str) -> None:
        self._context = get_context("forkserver")
        self._context.set_forkserver_preload(list(loaded))

    @contextmanager
    def run(self, work: Callable[..., None], *given: object) -> Iterator[Fork]:
        """A process that does *work*; killed at the end if it is not done."""
        process = self._context.Process(target=work, args=given)
        process.start()
        fork = Fork(process)
        try:
            yield fork
        finally:
            fork.kill()
            fork.wait()
