"""Work that takes long, done in a process of its own: a page never waits behind it.

The process opens the office for itself, and does one thing at a time.  What it is given and what it gives back are
plain values; it is said in the language that is spoken where it is asked.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec.structs import replace as changed

from pbem.desk.office.office import Office, clock, open_office
from pbem.kernel.errors import PbemError, Refused
from pbem.reports.text.speech import language, speaking

Job = Callable[..., Any]
"""Called with the office and what it was given."""

BEGUN = "spawn"
"""How the process is begun: with nothing of what the server has, whose threads would not be there."""

_OPEN: list[Office] = []
_ENDING = ExitStack()


class Works:
    """The process, begun when there is something to do; its clock is *behind* by so many microseconds."""

    def __init__(self, office: Office, *, behind: int = 0) -> None:
        web = office.settings.web
        self._opens = (office.folder, web.bind, web.url, behind, office.mails)
        self._pool: ProcessPoolExecutor | None = None

    async def do(self, job: Job, *arguments: Any) -> Any:
        """Have *job* done; gives what it gives.

        :raises Refused: as the job does, or if its process was lost.
        """
        loop = asyncio.get_running_loop()
        try:
            done = await loop.run_in_executor(self._running(), _do, language(), job, arguments)
        except BrokenProcessPool:
            self.end()
            raise Refused("the process that does such work was lost: try it again.") from None
        if isinstance(done, _Failed):
            raise Refused(done.why)
        return done

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context(BEGUN)
            self._pool = ProcessPoolExecutor(1, context, _open, self._opens)
        return self._pool

    def end(self) -> None:
        """End the process."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


class _Failed:
    """Why a job was refused: errors of ours are written for the reader, and need not be the same class there."""

    def __init__(self, why: str) -> None:
        self.why = why


def bound(office: Office, bind: str, url: str) -> Office:
    """The office with its pages served at *bind* and reached at *url*, whatever its settings say."""
    web = changed(office.settings.web, bind=bind, url=url)
    return replace(office, settings=changed(office.settings, web=web))


def _open(folder: Path, bind: str, url: str, behind: int, mails: bool) -> None:  # noqa: FBT001 - the pool hands it on by place
    # What ends the server ends this with it, and not before it has finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    office = _ENDING.enter_context(open_office(folder, now=lambda: clock() - behind, mails=mails))
    _OPEN.append(bound(office, bind, url))


def _do(spoken: str, job: Job, arguments: tuple[Any, ...]) -> Any:
    try:
        with speaking(spoken):
            return job(_OPEN[0], *arguments)
    except PbemError as error:
        return _Failed(str(error))
