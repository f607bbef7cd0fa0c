"""What must not grow: commands, and a letter by pipe, in an office of many campaigns beside one of few."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path

from tests.bench.baselines import Processes
from tests.bench.jobs_start import PBEM, command
from tests.bench.measure import Job, Pair
from tests.bench.offices import ROLES, begun, hall, letter

MANY, FEW = 500, 5
_NUMBERS = count()


@cache
def office_of(campaigns: int) -> Path:
    """The folder of an office in which so many campaigns wait for orders; made once, gone with the process."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-bench-many-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with hall(folder) as office:
        for number in range(campaigns):
            begun(office, f"c{number}")
    return folder / "office"


@contextmanager
def beside(folder: Path, *arguments: str) -> Iterator[Pair]:
    """A command in an office of many campaigns, and in one of few."""
    processes = Processes(folder)

    def run(campaigns: int) -> None:
        command(processes, "--office", str(office_of(campaigns)), *arguments)

    run(MANY)
    run(FEW)
    yield Pair(partial(run, MANY), partial(run, FEW))


@contextmanager
def piped(folder: Path) -> Iterator[Pair]:
    """A letter that the mail server pipes in, of whose game only its sender tells."""
    processes = Processes(folder)

    def run(campaigns: int) -> None:
        raw = letter("c3", ROLES[0], f"withdraw {next(_NUMBERS)}", f"many.{next(_NUMBERS)}").replace(b"[c3] ", b"")
        asked = (*PBEM, "--office", str(office_of(campaigns)), "mail", "receive")
        done = subprocess.run(asked, input=raw, env=processes.environment, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()

    run(MANY)
    run(FEW)
    yield Pair(partial(run, MANY), partial(run, FEW))


def _asked(name: str, arguments: tuple[str, ...], target: float) -> Job:
    return Job(
        name=name,
        what=f"pbem {' '.join(arguments)} in an office of {MANY} campaigns",
        base=f"in one of {FEW}",
        target=target,
        prepare=lambda folder: beside(folder, *arguments),
        rounds=7,
    )


JOBS = (
    Job(
        name="many-letter",
        what=f"pbem mail receive: a letter without a tag by pipe, in an office of {MANY} campaigns",
        base=f"in one of {FEW}",
        target=1.2,
        prepare=piped,
        rounds=7,
    ),
    _asked("many-show", ("turn", "show", "c3"), 1.2),
    _asked("many-once", ("run", "--once"), 1.3),
    _asked("many-list", ("campaign", "list"), 2),
    _asked("many-players", ("player", "list"), 2),
)
