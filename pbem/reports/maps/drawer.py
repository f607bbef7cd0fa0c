"""Maps are laid out and drawn in processes of their own: no other work of an office waits for them, nor its threads.

    with Drawer() as drawer, drawer.meanwhile(look_for_letters):
        drawer.begin(picture, fonts, width=1200)
        drawer.png(picture, fonts, width=1200)

A process is started when there is something to draw, and ends with whoever started it, however he ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Final, Protocol

import msgspec
from msgspec import Struct

from pbem.ground.picture import Picture
from pbem.kernel import frames
from pbem.reports.maps.maps import as_png

MOST_BEGUN: Final = 100
"""Maps that are drawn, or drawn already, and not asked for yet."""

AFTER_OTHERS: Final = 15
"""How nice to all others a process is that works for long.

A thirtieth of what the others have: beside a program that is always busy it gets on, as it would not at the nicest.
"""

_SLICE: Final = 0.05  # seconds between two looks at what else there is to do


def give_way() -> None:
    """From now on let all other processes go first: letters are answered before maps are drawn.

    Who reads letters sleeps and wakes at every question to a database.  However nice we are, he would wait each time
    for the end of our slice of the processor, and we would take his; on Linux a `batch` does neither.
    """
    if sys.platform == "linux":
        with suppress(OSError):  # in some containers it is not allowed
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.setpriority(os.PRIO_PROCESS, 0, AFTER_OTHERS)


class Draws(Protocol):
    """Draws as `maps.as_png` does."""

    def __call__(self, picture: Picture, fonts: Path, *, width: int) -> bytes:
        """The map as PNG."""
        ...


class _Drawing(Struct, frozen=True):
    picture: Picture
    fonts: str
    width: int


_DRAWING: Final = msgspec.msgpack.Decoder(_Drawing)


class Drawer:
    """Draws maps, as many at a time as it has processes; what they cannot draw whoever asks draws for himself."""

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self._idle: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        for _ in range(count):
            self._idle.put(None)
        self._ending = False
        self._started: list[subprocess.Popen[bytes]] = []
        self._hands = ThreadPoolExecutor(count, thread_name_prefix="drawer")
        self._begun: dict[bytes, Future[bytes | None]] = {}
        self._else: tuple[int, Callable[[], None]] = (0, lambda: None)

    def begin(self, picture: Picture, fonts: Path, *, width: int) -> Future[bytes | None]:
        """Have a map drawn that will be asked for; it is kept until then."""
        return self._begin(msgspec.msgpack.encode(_Drawing(picture, str(fonts), width)))

    def _begin(self, asked: bytes) -> Future[bytes | None]:
        begun = self._begun.get(asked)
        if begun is None:
            if len(self._begun) >= MOST_BEGUN:
                # Whoever was to ask for it has not: he draws it himself, if he still does.
                del self._begun[next(iter(self._begun))]
            begun = self._begun[asked] = self._hands.submit(self._drawn, asked)
        return begun

    def png(self, picture: Picture, fonts: Path, *, width: int) -> bytes:
        """What `maps.as_png` gives.

        :raises MissingFont: as that does.
        """
        asked = msgspec.msgpack.encode(_Drawing(picture, str(fonts), width))
        done = self._begin(asked)
        self.wait(done)
        self._begun.pop(asked, None)
        return done.result() or as_png(picture, fonts, width=width)

    def wait(self, begun: Future[bytes | None]) -> None:
        """Wait until a drawing that was begun is done, or cannot be."""
        thread, call = self._else
        while not wait([begun], _SLICE).done:
            if thread == threading.get_ident():
                call()

    @contextmanager
    def meanwhile(self, call: Callable[[], None]) -> Iterator[None]:
        """While it lasts *call* is called, again and again, by this thread while it waits for a drawing."""
        self._else = (threading.get_ident(), call)
        try:
            yield
        finally:
            self._else = (0, lambda: None)

    def close(self) -> None:
        """End the processes, if there are some."""
        self._ending = True
        for process in tuple(self._started):
            process.kill()
        self._hands.shutdown(cancel_futures=True)
        for process in self._started:
            _end(process)

    def __enter__(self) -> Drawer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _drawn(self, asked: bytes) -> bytes | None:
        """The drawing; None if no process can make it."""
        process = self._idle.get() or self._start()
        drawn = _exchange(process, asked) if process else None
        if process and drawn is None:
            _end(process)
            self._started.remove(process)
            process = None
        self._idle.put(process)
        return drawn

    def _start(self) -> subprocess.Popen[bytes] | None:
        if self._ending:
            return None
        with suppress(OSError):
            # The folder we are in is no place to import from, and an interrupt at the terminal is ours alone.  In a
            # session of its own it would be nice to nobody: Linux shares its processors among sessions first.
            started = subprocess.Popen(
                [sys.executable, "-P", "-m", __spec__.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
            self._started.append(started)
            return started
        return None


def _exchange(process: subprocess.Popen[bytes], asked: bytes) -> bytes | None:
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    try:
        frames.put(process.stdin, asked)
        return frames.take(process.stdout)
    except (OSError, ValueError):
        return None  # it is no more, or we are to end


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for end in (process.stdin, process.stdout):
        if end is not None:
            with suppress(OSError):
                end.close()
    process.wait()


# ------------------------------------------------------------------------------------------------- in the process


def _serve(drawings: IO[bytes], answers: IO[bytes]) -> None:
    while (asked := frames.take(drawings)) is not None:
        frames.put(answers, _answer(asked))


def _answer(asked: bytes) -> bytes:
    """The drawing; nothing, if it cannot be made: who asked says why when he has tried himself."""
    try:
        drawing = _DRAWING.decode(asked)
        return as_png(drawing.picture, Path(drawing.fonts), width=drawing.width)
    except Exception:
        return b""


if __name__ == "__main__":
    give_way()
    _serve(sys.stdin.buffer, sys.stdout.buffer)
