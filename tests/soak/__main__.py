"""`python -m tests.soak [JOB …] [--minutes N] [--letters N] [--kills N] [--seed N] [--write]`: see the package.

`random` is all jobs `random-…`, one for each system: `[--turns N] [--jobs 1|2] [--pass BREACH …] [--story FILE]`.
What `diplomacy` decides is judged by another too, where `--peer` names a Python that has one.
"""

from __future__ import annotations

import argparse
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from pbem.rules.registry import BUILT_IN
from tests.measured import put
from tests.soak import club, club_kills, diplomacy_peer, kills, letters, poison, random_play, scale, senders, ways
from tests.soak.fuzz import fuzz
from tests.soak.games import Fault, plans, play
from tests.systems.play import scenarios

GAMES = 200
TIMES = 20
KILLS_IN_A_RUN = 50
COLUMNS = ("job", "what came of it", "seed", "took")
"""Of the table of MEASURED.md."""
IN_A_ROW = 10_000
LETTERS_BY_A_WAY, KILLS_BY_A_WAY = 2_000, 100
MAILS, KILLS_OF_A_SENDER = 400, 25


class Asked(NamedTuple):
    """How much is to be done."""

    seed: int
    minutes: float
    letters: int | None
    kills: int
    turns: int = 0
    jobs: int = 1
    games: int = 500
    passed: tuple[str, ...] = ()
    peer: str = sys.executable


Job = Callable[[Asked, Path], str]


def games(asked: Asked, folder: Path) -> str:
    """Play each scenario many times to its end."""
    said, faults = [], 0
    for system in sorted(BUILT_IN):
        for scenario in scenarios(system):
            exchanges = orders = 0
            for plan in plans(system, scenario, GAMES, asked.seed % 1_000_000):
                try:
                    played = play(plan)
                except Fault as fault:
                    print(f"  {fault}", flush=True)
                    faults += 1
                    continue
                exchanges, orders = exchanges + played.exchanges, orders + played.orders
            said.append(f"{scenario}: {GAMES} games, {exchanges} exchanges, {orders} orders")
    if faults:
        raise Fault(f"{faults} games went wrong")
    return "; ".join(said)


def fuzzing(asked: Asked, folder: Path) -> str:
    """Send the readers anything."""
    found = [fuzz(system, asked.seed, seconds=asked.minutes * 60 / len(BUILT_IN)) for system in sorted(BUILT_IN)]
    sheets, lines, orders, mails = (sum(column) for column in zip(*found, strict=True))
    return f"{sheets} sheets of {lines} lines, of which {orders} were orders; {mails} letters"


def killed(by: ways.Way) -> Job:
    """Kill the processes that take letters in by one way."""

    def job(asked: Asked, folder: Path) -> str:
        return ways.while_letters_come(
            folder, by, asked.letters or LETTERS_BY_A_WAY, asked.kills, _anywhere(asked.seed)
        )

    return job


def killed_in_a_run(asked: Asked, folder: Path) -> str:
    """Kill `turn run`."""
    return str(kills.while_a_turn_runs(folder, KILLS_IN_A_RUN, _anywhere(asked.seed)))


def senders_killed(asked: Asked, folder: Path) -> str:
    """Kill one of two senders."""
    random = Random(asked.seed)
    alone = senders.undisturbed(folder / "alone", MAILS)
    found = [senders.killed(folder / f"{number}", MAILS, random) for number in range(KILLS_OF_A_SENDER)]
    twice, rate = sum(one.doubled for one in found), median(one.rate for one in found)
    return (
        f"{len(found)} times {MAILS} mails, {len(found)} kills, none lost, {twice} left twice; "
        f"{rate:.0f} mails/s by both, {alone.rate:.0f} by one alone"
    )


def _anywhere(seed: int) -> kills.Aims:
    random = Random(seed)
    return lambda most: kills.at_random(most, random)


def in_a_row(asked: Asked, folder: Path) -> str:
    """Take thousands of letters in."""
    found = letters.row(folder / "office", asked.letters or IN_A_ROW, Random(asked.seed))
    return (
        f"{found.letters} letters; {found.first * 1000:.0f} ms each at first, {found.last * 1000:.0f} ms at last; "
        f"memory grew by {found.growth:.2f} kB a letter, the logs by {found.log:.2f} kB"
    )


def poisoned(part: float, *, due: int = 0, every: float = 0.0) -> Job:
    """Put poison into the letter box of an office on duty, with so many turns *due*, or killed *every* so often."""

    def job(asked: Asked, folder: Path) -> str:
        count = int((asked.letters or IN_A_ROW) * part)
        return str(poison.poisoned(folder, poison.Asked(count, due, every), Random(asked.seed)))

    return job


def properties(asked: Asked, folder: Path) -> str:
    """Look for examples that break an invariant, further than the tests do."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadgroup", "--deep", str(TIMES)]
    done = subprocess.run([*command, f"--hypothesis-seed={asked.seed}"], text=True, capture_output=True, check=False)
    said = done.stdout.rstrip().rpartition("\n")[2]
    if done.returncode:
        raise Fault(f"{said}\n{done.stdout}{done.stderr}")
    return said


def random_orders(system: str) -> Job:
    """Play a system by whatever may be ordered."""

    def job(asked: Asked, folder: Path) -> str:
        return random_play.run(system, asked.seed, turns=asked.turns, jobs=asked.jobs, passed=asked.passed)

    return job


def sunday_evening(asked: Asked, folder: Path) -> str:
    """Letters before the hour, turns due at it, reports out: on a file, and on a server with one worker and more."""
    evenings = club.evening(folder, games=asked.games, letters=asked.letters or 8 * asked.games, minutes=asked.minutes)
    print(club.table(evenings), flush=True)
    return "; ".join(
        f"{one.how}: receipts in {one.receipts[1]:.1f} s, reports in {one.reports:.0f} s" for one in evenings
    )


def workers_killed(asked: Asked, folder: Path) -> str:
    """Kill a worker each second, and the server three times."""
    return str(club_kills.killed(folder, games=asked.games, minutes=asked.minutes, random=Random(asked.seed)))


def judged_beside(asked: Asked, folder: Path) -> str:
    """Let another adjudicator of Diplomacy judge what ours does."""
    return diplomacy_peer.beside(1000, asked.seed, asked.peer)


def costs(asked: Asked, folder: Path) -> str:
    """What a turn of each game costs."""
    print(scale.table(folder), flush=True)
    return f"{len(scale.SCENARIOS)} scenarios"


JOBS: dict[str, Job] = {
    "games": games,
    "fuzz": fuzzing,
    "imap": killed(ways.by_imap),
    "lmtp": killed(ways.by_lmtp),
    "pipe": killed(ways.by_pipe),
    "maildir": killed(ways.by_maildir),
    "run": killed_in_a_run,
    "senders": senders_killed,
    "letters": in_a_row,
    "poison": poisoned(1.0),
    "poison-turns": poisoned(0.2, due=60),
    "poison-kills": poisoned(0.2, every=10.0),
    "club": sunday_evening,
    "club-kills": workers_killed,
    "scale": costs,
    "diplomacy": judged_beside,
    "properties": properties,
} | {f"random-{system}": random_orders(system) for system in sorted(BUILT_IN)}

GROUPS = {"random": tuple(name for name in JOBS if name.startswith("random-"))}
"""Several jobs by one name."""


def main(arguments: list[str]) -> int:
    """Do the jobs; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description="Long work: games, fuzzing, kills, letters."
    )
    parser.add_argument("job", nargs="*", help=f"of {', '.join(JOBS)}; all, if none is named")
    parser.add_argument("--minutes", type=float, default=10, help="how long to send the readers anything")
    parser.add_argument("--letters", type=int, help="how many come in, by each way or in a row")
    parser.add_argument("--games", type=int, default=500, help="of a club")
    parser.add_argument("--kills", type=int, default=KILLS_BY_A_WAY, help="how often each way is killed")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="from which all is drawn")
    parser.add_argument("--turns", type=int, default=0, help="of a random player; else as many as a long run has")
    parser.add_argument("--jobs", type=int, default=1, choices=(1, 2), help="processes of a random player")
    parser.add_argument(
        "--pass", dest="passed", nargs="*", default=(), help="breaches that are known, by their beginnings"
    )
    parser.add_argument("--peer", default=sys.executable, help="a Python that has the package `diplomacy` of PyPI")
    parser.add_argument("--story", type=Path, help="a story of a random player, to be played again")
    parser.add_argument("--write", action="store_true", help="write what came of each job into MEASURED.md")
    said = parser.parse_args(arguments)
    if said.story:
        print(random_play.again(said.story))
        return 0
    jobs = [name for job in said.job for name in GROUPS.get(job, (job,))]
    if strange := [job for job in jobs if job not in JOBS]:
        parser.error(f"no job {strange[0]}: there are {', '.join(JOBS)}")
    asked = Asked(
        said.seed,
        said.minutes,
        said.letters,
        said.kills,
        said.turns,
        said.jobs,
        said.games,
        tuple(said.passed),
        said.peer,
    )
    sound = True
    for name in jobs or JOBS:
        print(f"{name}: seed {asked.seed} …", flush=True)
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="pbem-soak-") as folder:
            try:
                words = JOBS[name](asked, Path(folder))
            except Fault as fault:
                words, sound = f"WRONG: {fault}", False
        took = f"{time.monotonic() - start:.0f} s"
        print(f"{name}: {words} ({took})", flush=True)
        if said.write:
            put("soak", COLUMNS, {name: (words, str(asked.seed), took)}, right=(2, 3))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
