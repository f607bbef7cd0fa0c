"""The command line from a cold start: a new process each time, its bytecode compiled before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.baselines import Processes
from tests.bench.jobs_desk import CAMPAIGN, EARLY, advanced, without_pictures
from tests.bench.measure import Job, Pair
from tests.bench.offices import ROLES, hall, played

PBEM = (sys.executable, "-c", "from pbem.cli import main; main(prog_name='pbem')")


def command(processes: Processes, *arguments: str) -> None:
    """Run `pbem` with *arguments*."""
    processes.start(*PBEM, *arguments)


@contextmanager
def ready(folder: Path, *arguments: str) -> Iterator[Processes]:
    """A place to start programs from, the bytecode of this command there."""
    processes = Processes(folder)
    command(processes, *arguments)
    processes.bare()
    yield processes


@contextmanager
def helped(folder: Path) -> Iterator[Pair]:
    """`pbem --help`."""
    with ready(folder, "--help") as processes:
        yield Pair(lambda: command(processes, "--help"), processes.bare)


@contextmanager
def helped_at_once(folder: Path) -> Iterator[Pair]:
    """`pbem --help`, by the clock."""
    with ready(folder, "--help") as processes:
        yield Pair(lambda: command(processes, "--help"), 0.15)


@contextmanager
def listed(folder: Path) -> Iterator[Pair]:
    """A command that reads an office."""
    with hall(folder) as office, without_pictures():
        advanced(office, CAMPAIGN, EARLY)
    arguments = ("--office", str(folder / "office"), "campaign", "list")
    with ready(folder, *arguments) as processes:
        yield Pair(lambda: command(processes, *arguments), 0.6)


@contextmanager
def checked(folder: Path) -> Iterator[Pair]:
    """`pbem orders check FILE`."""
    sheet = folder / "orders.txt"
    setup = played()[1][0]
    role = next(iter(setup.sheets))
    sheet.write_text(setup.sheets[role].splitlines()[0], "utf-8")
    arguments = ("orders", "check", str(sheet), "--scenario", "st-privat/graveyard", "--as", role)
    assert role in ROLES
    with ready(folder, *arguments) as processes:
        yield Pair(lambda: command(processes, *arguments), 0.3)


JOBS = (
    Job(
        name="help",
        what="pbem --help",
        base="bare interpreter",
        target=5,
        prepare=helped,
        rounds=9,
    ),
    Job(
        name="help-limit",
        what="pbem --help",
        base="limit",
        target=1,
        prepare=helped_at_once,
        rounds=9,
    ),
    Job(
        name="list",
        what="pbem campaign list",
        base="limit",
        target=1,
        aim="aimed at: 320 ms",
        prepare=listed,
        rounds=5,
    ),
    Job(
        name="check-cold",
        what="pbem orders check FILE, from a cold start",
        base="limit",
        target=1,
        prepare=checked,
        rounds=5,
    ),
)
