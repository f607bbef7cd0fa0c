"""What is told to systemd of a service with `Type=notify`: that it is ready, that it ends, and that it lives.

Where nobody wants to hear it (`NOTIFY_SOCKET`), nothing is said.  That it lives says a thread: a process that hangs as
a whole is begun anew, one that only waits, for its database or for a long turn, is not.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Service:
    """A process, as systemd hears of it."""

    def __init__(self, at: str) -> None:
        # One that begins with an at sign lies in no folder.
        self._at = f"\0{at[1:]}" if at.startswith("@") else at
        self._ready = self._stopping = False

    def ready(self) -> None:
        """Say, once, that all is open that will be."""
        if not self._ready:
            self._ready = True
            self.say("READY=1")

    def stopping(self) -> None:
        """Say, once, that the end has begun."""
        if not self._stopping:
            self._stopping = True
            self.say("STOPPING=1")

    def say(self, what: str) -> None:
        """Say something; who does not listen misses it."""
        if self._at:
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
                to.sendto(what.encode(), self._at)


@contextmanager
def told(*, wanted: bool) -> Iterator[Service]:
    """The process at hand, of which systemd hears until the block ends, if that is *wanted*."""
    service = Service(os.environ.get("NOTIFY_SOCKET", "") if wanted else "")
    over, every = threading.Event(), _every() if wanted else 0.0

    def lives() -> None:
        while not over.wait(every):
            service.say("WATCHDOG=1")

    if every:
        threading.Thread(target=lives, name="watchdog", daemon=True).start()
    try:
        yield service
    finally:
        over.set()
        service.stopping()


def _every() -> float:
    """Seconds between two words that it lives: half of what systemd waits; 0 if it waits for none of ours."""
    written = os.environ.get("WATCHDOG_USEC", "")
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()) or not written.isdecimal():
        return 0.0
    return int(written) / 2_000_000
