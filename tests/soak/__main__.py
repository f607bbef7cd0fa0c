"""`python -m tests.soak [JOB …] [--minutes N] [--seed N]`: see the package."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from pbem.rules.registry import BUILT_IN
from tests.soak import kills, letters
from tests.soak.fuzz import fuzz
from tests.soak.games import Fault, plans, play
from tests.systems.play import scenarios

GAMES = 200
KILLS_BY_A_WAY, KILLS_IN_A_RUN = 100, 50
LETTERS = 10_000


def games(seed: int, minutes: float, folder: Path) -> str:
    """Play each scenario many times to its end."""
    said, faults = [], 0
    for system in sorted(BUILT_IN):
        for scenario in scenarios(system):
            exchanges = orders = 0
            for plan in plans(system, scenario, GAMES, seed % 1_000_000):
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


def fuzzing(seed: int, minutes: float, folder: Path) -> str:
    """Send the readers anything."""
    found = [fuzz(system, seed, seconds=minutes * 60 / len(BUILT_IN)) for system in sorted(BUILT_IN)]
    sheets, lines, orders, mails = (sum(column) for column in zip(*found, strict=True))
    return f"{sheets} sheets of {lines} lines, of which {orders} were orders; {mails} letters"


def killed_by_pipe(seed: int, minutes: float, folder: Path) -> str:
    """Kill `mail receive` while a letter comes by a pipe."""
    return str(kills.while_letters_come(folder, kills.by_pipe, KILLS_BY_A_WAY, _anywhere(seed)))


def killed_by_maildir(seed: int, minutes: float, folder: Path) -> str:
    """Kill `mail receive` while letters are fetched from a Maildir."""
    return str(kills.while_letters_come(folder, kills.by_maildir, KILLS_BY_A_WAY, _anywhere(seed)))


def killed_in_a_run(seed: int, minutes: float, folder: Path) -> str:
    """Kill `turn run`."""
    return str(kills.while_a_turn_runs(folder, KILLS_IN_A_RUN, _anywhere(seed)))


def _anywhere(seed: int) -> kills.Aims:
    random = Random(seed)
    return lambda most: kills.at_random(most, random)


def in_a_row(seed: int, minutes: float, folder: Path) -> str:
    """Take thousands of letters in."""
    found = letters.row(folder / "office", LETTERS, Random(seed))
    return f"{found.letters} letters; {found.first * 1000:.0f} ms each at first, {found.last * 1000:.0f} ms at last"


JOBS: dict[str, Callable[[int, float, Path], str]] = {
    "games": games,
    "fuzz": fuzzing,
    "pipe": killed_by_pipe,
    "maildir": killed_by_maildir,
    "run": killed_in_a_run,
    "letters": in_a_row,
}


def main(arguments: list[str]) -> int:
    """Do the jobs; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description="Long work: games, fuzzing, kills, letters."
    )
    parser.add_argument("job", nargs="*", help=f"of {', '.join(JOBS)}; all, if none is named")
    parser.add_argument("--minutes", type=float, default=10, help="how long to send the readers anything")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="from which all is drawn")
    asked = parser.parse_args(arguments)
    if strange := [job for job in asked.job if job not in JOBS]:
        parser.error(f"no job {strange[0]}: there are {', '.join(JOBS)}")
    sound = True
    for name in asked.job or JOBS:
        print(f"{name}: seed {asked.seed} …", flush=True)
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="pbem-soak-") as folder:
            try:
                said = JOBS[name](asked.seed, asked.minutes, Path(folder))
            except Fault as fault:
                said, sound = f"WRONG: {fault}", False
        print(f"{name}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
