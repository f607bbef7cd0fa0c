"""The reader of letters in a process of its own: one that hangs, dies or eats all memory costs its letter and no more.

letter  →  length, bytes  →  read_letter  →  length, what it found  →  Letter, or why there is none
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import IO, Final

import msgspec

from pbem.kernel import frames
from pbem.kernel.errors import PbemError
from pbem.mail.reading.letter import Letter, read_letter
from pbem.mail.wire.limits import UnreadableLetter

LIMIT: Final = 5.0
"""Seconds that a letter may take."""

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes that the process may have."""

_START: Final = 60.0
_WORDS: Final = 300


class ReaderBroke(PbemError):
    """The reader did not get through a letter: it may the next time, but hardly five times over."""


class _Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The process can begin."""


class _Read(msgspec.Struct, frozen=True, tag="read"):
    letter: Letter


class _Refused(msgspec.Struct, frozen=True, tag="refused"):
    reason: str


class _Failed(msgspec.Struct, frozen=True, tag="failed"):
    reason: str


_Said = _Ready | _Read | _Refused | _Failed
_DECODER: Final = msgspec.msgpack.Decoder(_Said)


class Reader:
    """Reads letters one after the other, in a process that is started with the first and again whenever it is lost."""

    def __init__(self, limit: float = LIMIT, memory: int = MEMORY) -> None:
        self._limit, self._memory = limit, memory
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def read(self, raw: bytes) -> Letter:
        """What `read_letter` gives; may be called from several threads.

        :raises UnreadableLetter: as `read_letter` does.
        :raises ReaderBroke: if it takes longer than the limit, or the process dies over it.
        """
        with self._turn:
            process = self._running()
            with _Timer(process, self._limit) as timer:
                said = _exchange(process, raw)
            if timer.rang or said is None or isinstance(said, _Failed):
                self._end()
            if isinstance(said, _Read):
                return said.letter
            if isinstance(said, _Refused):
                raise UnreadableLetter(said.reason)
            if isinstance(said, _Failed):
                raise ReaderBroke(f"the reader failed over it: {said.reason}")
            if timer.rang:
                raise ReaderBroke(f"the reader took longer than {self._limit:g} seconds over it.")
            raise ReaderBroke("the reader died over it.")

    def close(self) -> None:
        """End the process, if there is one."""
        with self._turn:
            self._end()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        # The folder we are in is no place to import from, and an interrupt at the terminal is ours alone.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __spec__.name, str(self._memory), str(self._limit)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with _Timer(self._process, _START):
            ready = _said(self._process)
        if ready is None:
            self._end()
            raise ReaderBroke("the reader does not start.")
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


class _Timer:
    """Kills a process that is not done in time."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self.rang = False
        self._process = process
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True

    def _ring(self) -> None:
        self.rang = True
        self._process.kill()

    def __enter__(self) -> _Timer:
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._timer.cancel()
        self._timer.join()


def _exchange(process: subprocess.Popen[bytes], raw: bytes) -> _Said | None:
    """What the process says of a letter; None if it is dead."""
    if process.stdin is None:
        return None
    try:
        frames.put(process.stdin, raw)
    except OSError:
        return None
    return _said(process)


def _said(process: subprocess.Popen[bytes]) -> _Said | None:
    frame = frames.take(process.stdout) if process.stdout is not None else None
    return None if frame is None else _DECODER.decode(frame)


# ------------------------------------------------------------------------------------------------- in the process


def _serve(letters: IO[bytes], answers: IO[bytes], limit: float) -> None:
    frames.put(answers, msgspec.msgpack.encode(_Ready()))
    while (raw := frames.take(letters)) is not None:
        _alarm(2 * limit)  # if whoever started us has died, he no longer looks at the clock
        answer = _answer(raw)
        _alarm(0)
        frames.put(answers, answer)


def _answer(raw: bytes) -> bytes:
    try:
        return msgspec.msgpack.encode(_Read(read_letter(raw)))
    except UnreadableLetter as refused:
        return msgspec.msgpack.encode(_Refused(refused.reason))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:_WORDS].encode("utf-8", "replace").decode()
        return msgspec.msgpack.encode(_Failed(reason))


def _alarm(seconds: float) -> None:
    """Where the system can: this process dies after so long; 0: it does not."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _bound(memory: int) -> None:
    """Where the system can: no more memory than that for this process."""
    try:
        import resource
    except ImportError:
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    _bound(int(sys.argv[1]))
    _serve(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[2]))
