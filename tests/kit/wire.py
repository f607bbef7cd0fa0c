"""A line between a client and a server that can be cut."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType


class Wire:
    """Passes bytes on to a port of this machine and back, until it is cut, or cuts itself after so many bytes."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.port = int(self._listening.getsockname()[1])
        self.calls = 0
        self.cut_after: list[int] = []
        """Bytes from the server before each next call is cut; calls after these are not."""

    def __enter__(self) -> Wire:
        self._start(self._answer)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()
        for thread in self._threads:
            thread.join(10)
        for end in self._ends:
            end.close()

    def cut(self) -> None:
        """Cut all lines that are open."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _answer(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            self.calls += 1
            left = self.cut_after.pop(0) if self.cut_after else None
            self._ends += [near, far]
            self._start(self._pass_on, near, far, None)
            self._start(self._pass_on, far, near, left)

    def _pass_on(self, source: socket.socket, target: socket.socket, left: int | None) -> None:
        with suppress(OSError):
            while (left is None or left > 0) and (data := source.recv(4096 if left is None else min(left, 4096))):
                target.sendall(data)
                left = None if left is None else left - len(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _start(self, work: Callable[..., None], *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()
