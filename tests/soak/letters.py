"""Letters by the thousand, one after another."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from pbem.desk.office import Office, make_office, open_office
from pbem.desk.receive import receive
from pbem.desk.verify import verify
from pbem.storage import letters as kept
from tests.bench.offices import ROLES, begun, letter, play_on, played
from tests.desk.table import SETTINGS
from tests.soak.games import Fault

CAMPAIGN = "autumn"
BEFORE = 3
"""Exchanges played before: the two of the set-up and the first move."""


class Row(NamedTuple):
    """How long a letter took, in seconds: of the first hundred and of the last."""

    letters: int
    first: float
    last: float


@contextmanager
def office(folder: Path) -> Iterator[Office]:
    """An office by the clock of the machine, in which a campaign has come to its first fire."""
    make_office(folder, SETTINGS)
    with open_office(folder) as made:
        begun(made, CAMPAIGN)
        for stretch in played()[1][:BEFORE]:
            play_on(made, CAMPAIGN, stretch)
        yield made


def written(count: int, random: Random) -> list[bytes]:
    """So many letters of orders, no two alike."""
    sheets = played()[1][BEFORE].sheets
    found = []
    for number in range(count):
        role = random.choice(ROLES)
        lines = sheets[role].splitlines()
        text = "\n".join([*random.sample(lines, random.randint(1, min(14, len(lines)))), f"# {number}"])
        found.append(letter(CAMPAIGN, role, text, f"soak.{number}"))
    return found


def row(folder: Path, count: int, random: Random) -> Row:
    """Take so many letters in, one after another.

    :raises Fault: if one is not dealt with, or if the campaign does not verify after them.
    """
    took = []
    with office(folder) as made:
        for raw in written(count, random):
            start = time.perf_counter()
            found = receive(made, raw, way="pipe")
            took.append(time.perf_counter() - start)
            if found.state not in ("applied", "refused"):
                raise Fault(f"letter {found.letter} is {found.state}: {found.reason}\n{raw!r}")
        with made.read() as connection:
            waiting = kept.listing(connection, "new")
        verified = verify(made, CAMPAIGN)
    if waiting or not verified.sound:
        raise Fault(f"{len(waiting)} letters wait; {verified.first}")
    return Row(count, median(took[:100]), median(took[-100:]))
