"""Processes killed at any moment: no letter is lost, none is taken twice, no turn is half resolved."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.desk.books import dossiers
from pbem.desk.intake.receive import receive
from pbem.desk.office.office import Office, open_office
from pbem.desk.proof.verify import verify, verify_office
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.office import ExchangeResolved
from tests.soak.games import Fault
from tests.soak.letters import CAMPAIGN, office, written

ROOT = Path(__file__).parents[2]
FEWEST = 0.2
"""The part of all kills that must hit between the first write and its commit."""
LONGEST = 120
"""Seconds after which a command hangs."""


QUIET = 10
"""Seconds without a mark after which a server has nothing to do, and is killed where it stands."""
KILLS_A_BATCH = 2
"""Fewer than the times after which the office gives up a letter that brings it down."""


@dataclass
class Kills:
    """What was killed, and where it was."""

    asked: int
    killed: int = 0
    inside: int = 0
    """Between a first write and its commit."""
    at_commit: int = 0
    """After a commit was begun, before the next thing."""
    ended: int = 0
    """Commands that came to their end before they were killed."""

    def __str__(self) -> str:
        return (
            f"{self.killed} kills, {self.inside} between a first write and its commit, {self.at_commit} at a commit; "
            f"{self.ended} ended by themselves"
        )

    def see(self) -> None:
        """See that the kills were where it matters.

        :raises Fault: if they were not.
        """
        if self.killed < self.asked or self.inside < self.asked * FEWEST:
            raise Fault(f"{self}: too few hit")


def spawn(office: Path, *arguments: str, stdin: bytes = b"") -> tuple[subprocess.Popen[bytes], int]:
    """Start a command, and give where it says how far it has come."""
    here, there = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.soak.victim", str(there), "--office", str(office), *arguments],
        cwd=ROOT,
        pass_fds=(there,),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    os.close(there)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    return process, here


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Wait for the end of a command; gives its code, and what it complained of."""
    assert process.stderr is not None
    with process.stderr as complaints:
        words = complaints.read().decode()
    return process.wait(LONGEST), words


def marks_of(office: Path, *arguments: str, stdin: bytes = b"") -> int:
    """How many marks a command makes when nobody kills it.

    :raises Fault: if it fails.
    """
    process, marks = spawn(office, *arguments, stdin=stdin)
    found = b"".join(iter(lambda: os.read(marks, 4096), b""))
    os.close(marks)
    code, words = ended(process)
    if code:
        raise Fault(f"{arguments}: {words}")
    return len(found)


class Aim(NamedTuple):
    """When a command is killed: after so many of its marks, and so many seconds after that."""

    marks: int
    after: float = 0.0


def at_random(most: int, random: Random) -> Iterator[Aim]:
    """Anywhere among *most* marks; half the time right there, else within three thousandths of a second."""
    while True:
        yield Aim(random.randint(1, most), random.choice((0.0, random.random() * 0.003)))


Aims = Callable[[int], Iterator[Aim]]
"""Of a command that makes so many marks."""


def kill(kills: Kills, aim: Aim, office: Path, *arguments: str, stdin: bytes = b"") -> bool:
    """Start a command and kill it as *aim* says; whether it was still alive."""
    process, marks = spawn(office, *arguments, stdin=stdin)
    seen = b""
    while len(seen) < aim.marks and select.select([marks], [], [], QUIET)[0]:
        found = os.read(marks, aim.marks - len(seen))
        if not found:
            break
        seen += found
    time.sleep(aim.after)
    process.send_signal(signal.SIGKILL)
    seen += b"".join(iter(lambda: os.read(marks, 4096), b""))
    os.close(marks)
    code, words = ended(process)
    if code != -signal.SIGKILL:
        if code:
            raise Fault(f"{arguments} failed: {words}")
        kills.ended += 1
        return False
    kills.killed += 1
    kills.inside += seen.endswith(b"w")
    kills.at_commit += seen.endswith(b"c")
    return True


@contextmanager
def opened(folder: Path) -> Iterator[Office]:
    """An office, by its own clock."""
    with open_office(folder) as office:
        yield office


def while_a_turn_runs(folder: Path, count: int, aims: Aims) -> Kills:
    """Kill the office so often while it resolves an exchange.

    :raises Fault: if that left a part of a run, or changed what it comes to, or if too few kills hit.
    """
    kills = Kills(count)
    with office(folder / "office") as made:
        for raw in written(20, Random(count)):
            receive(made, raw, way="pipe")
    in_a_run(folder / "office", CAMPAIGN, kills, aims)
    kills.see()
    return kills


def see_whole(folder: Path) -> None:
    """See that the database is whole.

    :raises Fault: if it is not.
    """
    with sqlite3.connect(folder / "office.sqlite") as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    if found != [("ok",)]:
        raise Fault(f"the database is damaged: {found}")


def in_a_run(folder: Path, campaign: str, kills: Kills, aims: Aims) -> None:
    """Kill `turn run` of one exchange again and again, each time in a copy; then it must run as if nothing had been.

    :raises Fault: if a part of a run stands in the log, or if it then comes to something else.
    """
    undisturbed = folder.parent / "undisturbed"
    shutil.copytree(folder, undisturbed)
    command = ("turn", "run", campaign, "--early")
    aim = aims(marks_of(undisturbed, *command))
    wanted = resolved(undisturbed, campaign)
    number = 0
    while kills.killed < kills.asked:
        number += 1
        copy = folder.parent / f"run-{number}"
        shutil.copytree(folder, copy)
        while kills.killed < kills.asked:
            if not kill(kills, next(aim), copy, *command):
                break
            see_whole(copy)
            if resolved(copy, campaign):
                break
        if not resolved(copy, campaign):
            marks_of(copy, *command)
        if resolved(copy, campaign) != wanted:
            raise Fault(f"the run came to {resolved(copy, campaign)}, undisturbed to {wanted}")
        shutil.rmtree(copy)


def resolved(folder: Path, campaign: str) -> tuple[str, int, str] | None:
    """What the last run came to: its exchange, how many facts stand before it, the digest of the state.

    :raises Fault: if a part of a run stands in the log.
    """
    with opened(folder) as office:
        with office.read() as connection:
            dossier = dossiers.load(office, connection, campaign)
        exchange = dossier.exchange()
        after = [one for one in dossier.log[exchange.opened :] if isinstance(one.event, Outcome | ExchangeResolved)]
        if exchange.resolved is None:
            if after:
                raise Fault(f"a part of a run stands in the log: {[kind_of(one.event) for one in after]}")
            return None
        if len(after) != exchange.resolved.facts + 1:
            raise Fault(f"{exchange.resolved.facts} facts were resolved, {len(after) - 1} stand in the log")
        found = verify(office, campaign)
        if not found.sound:
            raise Fault(f"it does not verify: {found.first}")
        if not (kept := verify_office(office)).sound:
            raise Fault(f"the office does not verify: {kept.first}")
        return str(exchange.moment), exchange.resolved.facts, exchange.resolved.state
