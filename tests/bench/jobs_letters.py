"""Reading letters: those of many mail programs, and those made to hurt the reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.mail.reading.letter import read_letter
from pbem.mail.reading.quotes import mark
from pbem.mail.wire.limits import UnreadableLetter
from tests.bench.measure import Job, Pair
from tests.kit import hostile

LETTERS = Path(__file__).parents[1] / "letters"
LIMIT = 0.5
"""Seconds that any letter whatever may take."""
ROOM = 100_000
"""Characters of a text that is made to hurt."""

Reading = Callable[[], object]


def reading(raw: bytes) -> Reading:
    """Read a letter, or refuse it."""

    def read() -> object:
        try:
            return read_letter(raw)
        except UnreadableLetter as refused:
            return refused

    return read


def marking(lines: list[str]) -> Reading:
    """Look for quotations in a text."""
    return lambda: mark(lines)


def slowest(readings: Iterable[Reading]) -> Reading:
    """Of many, that which takes longest."""

    def seconds(read: Reading) -> float:
        start = time.perf_counter()
        read()
        return time.perf_counter() - start

    return max(readings, key=lambda read: min(seconds(read), seconds(read)))


@contextmanager
def hostile_letters(folder: Path) -> Iterator[Pair]:
    """The slowest of the letters that are made to hurt."""
    yield Pair(slowest(map(reading, hostile.LETTERS.values())), LIMIT)


@contextmanager
def hostile_texts(folder: Path) -> Iterator[Pair]:
    """The slowest of the texts that are made to hurt whoever looks for quotations."""
    sizes = {name: sum(map(len, lines)) + len(lines) for name, lines in hostile.texts(60).items()}
    texts = [hostile.texts(60 * ROOM // size)[name] for name, size in sizes.items()]
    yield Pair(slowest(map(marking, texts)), LIMIT)


@contextmanager
def ordinary_letters(folder: Path) -> Iterator[Pair]:
    """All letters of the collection, one after the other."""
    letters = [reading(path.read_bytes()) for path in sorted(LETTERS.glob("*.eml"))]
    yield Pair(lambda: [read() for read in letters], LIMIT / 100, count=len(letters))


JOBS = (
    Job(
        name="letters",
        what="a letter of any mail program read, lines told from quotations",
        base="a limit of 5 ms",
        target=1.0,
        prepare=ordinary_letters,
        rounds=5,
        rate="letters",
    ),
    Job(
        name="hostile",
        what=f"the slowest of {len(hostile.LETTERS)} hostile letters read or refused",
        base="a limit of 0.5 s",
        target=1.0,
        prepare=hostile_letters,
        rounds=5,
    ),
    Job(
        name="hostile-texts",
        what=f"quotations sought in the slowest of {len(hostile.texts(60))} hostile texts of {ROOM // 1000} kB",
        base="a limit of 0.5 s",
        target=1.0,
        prepare=hostile_texts,
        rounds=5,
    ),
)
