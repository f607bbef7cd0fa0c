"""Workers: processes, on any machine, that are woken when there is something to do, and do it.

    worker  →  queues of wake-ups, of which each has one thread        `work`
    crew    →  several such processes, begun again when one is lost    `crew`

Procrastinate brings the wake-ups, and sees that no two of one campaign are dealt with at a time; what is to be done is
in the tables of the office (`pbem.storage.wakes`), and they decide: a worker that stood still and wakes does nothing
twice.  None of them retries: what failed is told, and the clock wakes it again.

A turn is worked out by a process of its own, so that it holds up no receipt.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from pbem.desk.house import clock
from pbem.desk.house.lasting import Lasting
from pbem.desk.house.saying import voice
from pbem.desk.house.stopping import until_stopped
from pbem.desk.house.work import TURNS, WORK, Say, see_no_copy, words
from pbem.desk.office.office import Office, database_url, open_office
from pbem.desk.pages.pages import drawer_of
from pbem.kernel.errors import PbemError, Refused, StorageError
from pbem.kernel.names import CampaignId
from pbem.reports.maps.drawer import give_way
from pbem.storage.wakes import TASKS
from pbem.storage.wakes import Queue as Queue

if TYPE_CHECKING:
    from procrastinate import App
    from procrastinate.jobs import Job

QUEUES: Final[tuple[Queue, ...]] = get_args(Queue)

LIGHT: Final[tuple[tuple[Queue, ...], ...]] = (("mail",), ("post", "clock"))
"""What takes no long time, and together a process: who reads letters waits for nobody who sends."""

HEAVY: Final[tuple[Queue, ...]] = ("turns",)
"""What has as many processes as are wanted, each after all others when the processors are busy."""

ALIVE: Final = float(os.environ.get("PBEM_ALIVE", "10"))
"""Seconds between two signs of life of a worker; after three times as many it is taken to be dead."""

ATTEMPTS: Final = 5
"""How often something is begun that each time brought its worker down."""

_AGAIN: Final = 2.0  # seconds until what was lost is begun again
_LONGEST: Final = 30.0  # and at most, when it is lost again and again
_SLICE: Final = 0.1  # seconds after which it is seen whether to stop
_LEAVE: Final = 60.0  # seconds for what is being done when we are to stop
_AT_ONCE: Final = {"post": 2}  # of one queue: letters and programs of players, of which one waits for its server
_MINUTE: Final = 60


def see_woken(office: Office) -> None:
    """See that the office has wake-ups at all.

    :raises Refused: if it is kept in a file, or is a copy that was cut, or what brings them is not installed.
    """
    see_no_copy(office)
    if not office.engine.database.shared:
        raise Refused("workers are for an office in PostgreSQL: what lies in one file is kept by pbem run alone.")
    try:
        import procrastinate
    except ModuleNotFoundError:
        raise Refused("workers need more than is installed here: pip install 'pbem[postgres]'") from None
    del procrastinate


def work(office: Office, queues: Sequence[Queue], stop: threading.Event, say: Say) -> None:
    """Do what comes in *queues* until *stop* is set, which a handler of a signal may do.

    While the server of the database is away it waits for it.

    :raises Refused: as `see_woken` does.
    """
    see_woken(office)
    for name in ("procrastinate", "psycopg.pool"):  # what matters of it is said in our own words
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with drawer_of(office) if "turns" in queues else nullcontext():
        asyncio.run(_work(office, queues, stop, say))


async def _work(office: Office, queues: Sequence[Queue], stop: threading.Event, say: Say) -> None:
    wait, lost = _AGAIN, False
    asyncio.get_running_loop().set_exception_handler(partial(_unheard, say))
    while not stop.is_set():
        began = time.monotonic()
        try:
            app = _app(office, stop, say)
            async with app.open_async():
                if lost:
                    say("the database is back")
                    lost = False
                taking_up = asyncio.create_task(_taking_up(app, partial(_given_up, office, say)))
                await _until(stop, [*(_worker(app, queue) for queue in queues), taking_up])
        except Exception as error:
            if not lost:
                said = str(error).strip().splitlines() or [type(error).__name__]
                say(f"the database is away: {said[0]}")
            lost = True
        # A worker that has lost the server ends in peace, and says nothing of it.
        wait = _AGAIN if time.monotonic() - began > _LONGEST else min(wait * 1.5, _LONGEST)
        for _ in range(round(wait / _SLICE)):
            if stop.is_set():
                break
            await asyncio.sleep(_SLICE)


def _unheard(say: Say, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say what went wrong that nobody waits for; of a wake-up that cannot be struck off, nothing.

    Somebody else has taken it up, for he heard nothing of us for long; or the database is away, which is said.
    """
    from procrastinate.exceptions import ConnectorException

    error = context.get("exception")
    if not isinstance(error, ConnectorException):
        say(words(error) if isinstance(error, Exception) else str(context["message"]))


async def _until(stop: threading.Event, workers: Sequence[asyncio.Task[None]]) -> None:
    """Let all work until *stop* is set or one of them ends; what is being done then is done first."""
    try:
        while not stop.is_set() and not any(worker.done() for worker in workers):
            await asyncio.sleep(_SLICE)
    finally:
        for worker in workers:
            worker.cancel()
        ended = await asyncio.gather(*workers, return_exceptions=True)
    for one in ended:
        if isinstance(one, Exception):
            raise one


def _worker(app: App, queue: Queue) -> asyncio.Task[None]:
    return asyncio.create_task(
        app.run_worker_async(
            queues=[queue],
            concurrency=_AT_ONCE.get(queue, 1),
            install_signal_handlers=False,
            delete_jobs="always",
            update_heartbeat_interval=ALIVE,
            stalled_worker_timeout=3 * ALIVE,
            shutdown_graceful_timeout=_LEAVE,
        ),
        name=queue,
    )


def _app(office: Office, stop: threading.Event, say: Say) -> App:
    """What brings wake-ups and calls who is woken."""
    from procrastinate import App, PsycopgConnector

    url = database_url(office.folder, office.settings)
    app = App(connector=PsycopgConnector(conninfo=url, min_size=1, max_size=8))

    def woken(name: str) -> Callable[[str], None]:
        def do(of: str = "") -> None:
            # It never raises: what failed would wait under its lock, and with it all that comes after.
            try:
                WORK[name](office, of, stop, say)
            except Exception as error:
                say(f"{': '.join(filter(None, (of, name)))} could not be done: {words(error)}")

        return do

    for name, task in TASKS.items():
        if name != "tick":
            app.task(name=name, queue=task.queue)(woken(name))

    every = office.settings.clock.tick
    beats = f"* * * * * */{every}" if every < _MINUTE else "* * * * * 0"
    tick = woken("tick")

    def look(timestamp: int = 0) -> None:
        tick("")

    # Every worker of any queue brings it, and the database keeps one.  What is due is asked of the tables and never of
    # the instant that comes with it, which is of the clock of a worker.
    app.periodic(cron=beats)(app.task(name="tick", queue="clock", lock="tick", queueing_lock="tick")(look))
    return app


async def _taking_up(app: App, give_up: Callable[[str, str], None]) -> None:
    """Look for what the dead were at, again and again.

    Every worker does, and none as a job: one who dies over the look at the clock would keep all others from it.
    """
    while True:
        await asyncio.sleep(ALIVE)
        await _take_up(app, give_up)


async def _take_up(app: App, give_up: Callable[[str, str], None]) -> None:
    """Let others do what those had begun who are dead."""
    from procrastinate.exceptions import ConnectorException, UniqueViolation
    from procrastinate.jobs import Status

    manager = app.job_manager
    for job in await manager.get_stalled_jobs(seconds_since_heartbeat=3 * ALIVE):
        with suppress(ConnectorException):  # somebody else has taken it up
            if job.attempts < ATTEMPTS:
                try:
                    await manager.retry_job(job)
                    continue
                except UniqueViolation:
                    pass  # another waits to do the same
            else:
                await asyncio.to_thread(give_up, job.task_name, _of(job))
            await manager.finish_job(job=job, status=Status.FAILED, delete_job=True)


def _of(job: Job) -> str:
    return str(job.task_kwargs.get("of", ""))


def _given_up(office: Office, say: Say, task: str, of: str) -> None:
    """Leave for a while what has brought down one worker after the other, and tell the GM."""
    say(f"{': '.join(filter(None, (of, task)))} has brought down {ATTEMPTS} workers")
    if task == "turn":
        with suppress(PbemError):
            clock.leave(office, CampaignId(of), f"it has brought down {ATTEMPTS} workers")


# ------------------------------------------------------------------------------------------------- several of them


@contextmanager
def crew(folder: Path, queues: Sequence[Queue], *, turns: int, say: Say) -> Iterator[None]:
    """Have workers for *queues* of the office in *folder*, *turns* of them for turns, until the block ends.

    Each is a process; one that is lost is begun again.
    """
    groups = [found for together in LIGHT if (found := tuple(queue for queue in queues if queue in together))]
    groups += [HEAVY] * turns if "turns" in queues else []
    workers = [_lasting(folder, group, say) for group in groups]
    try:
        yield
    finally:
        for one in workers:
            one.leave()
        for one in workers:
            one.end()


def _lasting(folder: Path, queues: tuple[Queue, ...], say: Say) -> Lasting:
    name = ", ".join(queues)

    def lost(how: object) -> None:
        say(f"a worker ({name}) was lost ({how}): it is begun again")

    return Lasting(_process, (folder, queues), name=name, lost=lost, again=_AGAIN)


def _process(folder: Path, queues: Sequence[Queue]) -> None:
    """A worker in a process of its own, until it is told to stop or has lost who began it."""
    stop = until_stopped(signal.SIGTERM)
    sys.setswitchinterval(TURNS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who sits at the terminal stops who began us
    threading.Thread(target=_orphaned, args=(os.getppid(), stop), daemon=True).start()

    wait = _AGAIN
    while not stop.is_set():
        try:
            with open_office(folder) as office:
                if "turns" in queues:
                    give_way()
                work(office, queues, stop, voice(office.now, partial(print, flush=True), flat=True))
        except StorageError as error:
            print(error, file=sys.stderr, flush=True)
            stop.wait(wait)
            wait = min(wait * 1.5, _LONGEST)
        except PbemError as error:
            print(error, file=sys.stderr, flush=True)
            raise SystemExit(1) from None


def _orphaned(parent: int, stop: threading.Event) -> None:
    while not stop.wait(1.0):
        if os.getppid() != parent:
            stop.set()
