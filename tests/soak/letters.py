"""Letters by the thousand, one after another: each as fast as the first, and none leaves anything in memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import linear_regression, median
from typing import NamedTuple

from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.proof.verify import verify, verify_office
from pbem.desk.ways.arrivals import keep, sweep
from pbem.storage import letters as kept
from tests.bench.offices import ROLES, begun, letter, play_on, played
from tests.kit.table import SETTINGS
from tests.soak.games import Fault

CAMPAIGN = "autumn"
BEFORE = 3
"""Exchanges played before: the two of the set-up and the first move."""
MANY = f"{SETTINGS}[trust]\nanswers = 1000\n"
"""The settings of an office in which nobody's thousandth letter of a day goes without its receipt."""
TO_A_CAMPAIGN = 1000
"""Letters to one campaign at most, from its two players."""

EVERY = 100
"""Letters after which the memory is looked at."""
STRANGERS = 0.5
"""The part of all letters that enter no log."""
A_LETTER = 0.5
"""Kilobytes that a letter which enters no log may leave in memory: less than it is long."""
A_LOG = 6.0
"""Times its own length that a log may take up in memory, where its campaign is open."""


class Row(NamedTuple):
    """What so many letters in a row came to."""

    letters: int
    first: float
    """Seconds that a letter took, of the first hundred, and of the last."""
    last: float
    growth: float
    """Kilobytes of memory for each letter, after the first tenth."""
    log: float
    """Kilobytes that each letter added to the logs."""


def campaigns(count: int) -> list[str]:
    """Those among which so many letters are spread."""
    return [CAMPAIGN if not number else f"{CAMPAIGN}-{number}" for number in range(1 + count // TO_A_CAMPAIGN)]


@contextmanager
def office(folder: Path, count: int = 0) -> Iterator[Office]:
    """An office by the clock of the machine, in which campaigns for so many letters have come to their first fire."""
    make_office(folder, MANY)
    with open_office(folder) as made:
        for campaign in campaigns(count):
            begun(made, campaign)
            for stretch in played()[1][:BEFORE]:
                play_on(made, campaign, stretch)
        yield made


def written(count: int, random: Random) -> list[bytes]:
    """So many letters of orders, no two alike."""
    sheets, names = played()[1][BEFORE].sheets, campaigns(count)
    found = []
    for number in range(count):
        role = random.choice(ROLES)
        lines = sheets[role].splitlines()
        said = "\n".join([*random.sample(lines, random.randint(1, min(14, len(lines)))), f"# {number}"])
        found.append(letter(names[number % len(names)], role, said, f"soak.{number}"))
    return found


def strange(number: int) -> bytes:
    """A letter of somebody who plays nothing here."""
    return f"From: x{number % 7}@stranger.example\nMessage-ID: <strange.{number}@x>\n\nbuy {number}\n".encode()


def row(folder: Path, count: int, random: Random) -> Row:
    """Take so many letters in, one after another, as the office on duty does.

    :raises Fault: if one is not dealt with, if a campaign does not verify after them, if the last ones take much longer
        than the first, or if they fill the memory.
    """
    took, memory = [], []
    ours = int(count * (1 - STRANGERS))
    mixed = [*written(ours, random), *map(strange, range(count - ours))]
    random.shuffle(mixed)
    with office(folder, ours) as made:
        before = logs(made)
        for number, raw in enumerate(mixed):
            start = time.perf_counter()
            keep(made, raw, way="lmtp")
            found = list(sweep(made))
            took.append(time.perf_counter() - start)
            if [one.state in ("applied", "refused") for one in found] != [True]:
                raise Fault(f"{[(one.letter, one.state, one.reason) for one in found]}\n{raw!r}")
            if number % EVERY == 0:
                memory.append(resident())
        added = (logs(made) - before) / count
        with made.read() as connection:
            balance = kept.balance(connection)
        whole = [verify_office(made), *(verify(made, name) for name in campaigns(ours))]
        faults = [str(seen.first) for seen in whole if not seen.sound]
    if faults or not balance.even or balance.states["new"]:
        raise Fault(f"{balance}; {faults}")
    settled = memory[len(memory) // 10 :]
    slope = linear_regression(range(len(settled)), settled).slope / EVERY if len(settled) > 2 else 0.0
    done = Row(count, median(took[:100]), median(took[-100:]), slope, added)
    if slope > A_LETTER + A_LOG * added:
        raise Fault(f"{done}: the memory grows by more than the open campaigns do")
    if done.last > 3 * done.first:
        raise Fault(f"{done}: letters come to take longer")
    return done


def resident() -> float:
    """Kilobytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024


def logs(office: Office) -> float:
    """Kilobytes of all logs."""
    with office.read() as connection:
        found: int = connection.execute("SELECT coalesce(sum(length(data)), 0) FROM event").scalar()
    return found / 1024
