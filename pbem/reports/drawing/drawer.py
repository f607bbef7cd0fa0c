"""Maps are drawn in a process of their own: what draws them lets no other thread of its process do anything meanwhile.

    with Drawer() as drawer, drawer.meanwhile(look_for_letters):
        drawer.png(svg, fonts, width=1200)

The process is started with the first drawing, and ends with whoever started it, however he ends.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Protocol

import msgspec
from msgspec import Struct

from pbem.kernel import frames
from pbem.reports.drawing.png import png

_SLICE: Final = 0.05  # seconds between two looks at what else there is to do


class Draws(Protocol):
    """Draws as `png.png` does."""

    def __call__(self, svg: str, fonts: Path, *, width: int) -> bytes:
        """The drawing as PNG."""
        ...


class _Drawing(Struct, frozen=True):
    svg: str
    fonts: str
    width: int


_DRAWING: Final = msgspec.msgpack.Decoder(_Drawing)


class Drawer:
    """Draws one map at a time; whoever comes while it draws, or when its process is lost, draws for himself."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        self._hand = ThreadPoolExecutor(1, thread_name_prefix="drawer")
        self._else: tuple[int, Callable[[], None]] = (0, lambda: None)

    def png(self, svg: str, fonts: Path, *, width: int) -> bytes:
        """What `png.png` gives.

        :raises MissingFont: as that does.
        """
        if not self._turn.acquire(blocking=False):
            return png(svg, fonts, width=width)
        try:
            drawn = self._drawn(_Drawing(svg, str(fonts), width))
        finally:
            self._turn.release()
        return drawn or png(svg, fonts, width=width)

    @contextmanager
    def meanwhile(self, call: Callable[[], None]) -> Iterator[None]:
        """While it lasts *call* is called, again and again, by this thread while it waits for a drawing."""
        self._else = (threading.get_ident(), call)
        try:
            yield
        finally:
            self._else = (0, lambda: None)

    def close(self) -> None:
        """End the process, if there is one."""
        self._end()
        self._hand.shutdown()

    def __enter__(self) -> Drawer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _drawn(self, drawing: _Drawing) -> bytes | None:
        """The drawing; None if the process cannot make it."""
        done: Future[bytes | None] = self._hand.submit(self._exchange, msgspec.msgpack.encode(drawing))
        thread, call = self._else
        while not wait([done], _SLICE).done:
            if thread == threading.get_ident():
                call()
        return done.result()

    def _exchange(self, asked: bytes) -> bytes | None:
        process = self._running()
        if process is None or process.stdin is None or process.stdout is None:
            return None
        try:
            frames.put(process.stdin, asked)
            drawn = frames.take(process.stdout)
        except OSError:
            drawn = None
        if drawn is None:
            self._end()
        return drawn

    def _running(self) -> subprocess.Popen[bytes] | None:
        if self._process is None:
            with suppress(OSError):
                # The folder we are in is no place to import from, and an interrupt at the terminal is ours alone.
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", __spec__.name],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
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
        return png(drawing.svg, Path(drawing.fonts), width=drawing.width)
    except Exception:
        return b""


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
