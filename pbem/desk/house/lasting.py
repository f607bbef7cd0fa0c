"""A process beside this one that is begun again when it is lost."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Final

_LEAVE: Final = 62.0  # seconds for what is being done when it is to stop, and a little more

_CALLED = threading.Lock()
"""Whoever begins a process also learns how others ended (`multiprocessing`), which would be lost to who waits for
them."""


class Lasting:
    """A process that does *target* with *arguments*, from now on, and again when it is lost.

    *lost* is given how it ended, -9 for a signal 9, or why it could not be begun; *again* are the seconds until it is
    begun again.
    """

    def __init__(
        self,
        target: Callable[..., None],
        arguments: tuple[object, ...],
        *,
        name: str,
        lost: Callable[[object], None],
        again: float,
    ) -> None:
        self._target, self._arguments, self._name = target, arguments, name
        self._lost, self._again = lost, again
        self._ended = threading.Event()
        self._process: SpawnProcess | None = None
        self._thread = threading.Thread(target=self._watch, name=f"sees to: {name}", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.is_set():
            how = self._until_it_ends()
            if not self._ended.is_set():
                self._lost(how)
                self._ended.wait(self._again)

    def _until_it_ends(self) -> object:
        process = _SPAWN.Process(target=self._target, args=self._arguments, name=self._name)
        try:
            with _CALLED:
                process.start()
        except OSError as error:  # no memory, or too many processes: for now
            return error.strerror
        self._process = process
        wait([process.sentinel])
        with _CALLED:
            process.join()
        return process.exitcode

    def leave(self) -> None:
        """Let it end what it does, and begin it no more."""
        self._ended.set()
        process = self._process
        if process is not None and process.is_alive():
            process.terminate()

    def end(self) -> None:
        """Wait until it has ended, and no longer than it may take."""
        until = time.monotonic() + _LEAVE
        while self._thread.is_alive() and time.monotonic() < until:
            self.leave()  # again, for it may have been just about to begin
            self._thread.join(1.0)
        process = self._process
        if process is not None and process.is_alive():
            process.kill()  # the tables know what it was at


_SPAWN = multiprocessing.get_context("spawn")
