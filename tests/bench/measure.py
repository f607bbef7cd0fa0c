"""Jobs, their measurement, and the table that comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal

SLACK = 1.3
"""A ratio may be so many times its target before it counts as over: machines are not quiet."""

STEADY = 0.0065
"""Seconds that `steady` takes on the machine for which limits are given, when it is quiet."""

Call = Callable[[], object]
Unit = Literal["s", "longest", "kB"]
"""Seconds, seconds of the longest of several, which *ours* returns, or kilobytes, which it returns."""


@dataclass(frozen=True)
class Pair:
    """What is measured, and what it is measured against: something that runs, or a limit in seconds (or kB).

    A limit in seconds is for one machine; on another, or a busy one, it is longer by as much as `steady` is.
    """

    ours: Call
    base: Call | float
    count: int = 1
    """How many things one call does; times, and a limit, are for one."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One row of the table."""

    name: str
    what: str
    base: str
    """What it is measured against, in words."""
    target: float
    """The largest ratio of ours to the base that is wanted."""
    prepare: Callable[[Path], AbstractContextManager[Pair]]
    """Called with an empty folder; nothing of it is measured."""
    aim: str = ""
    """What was first aimed at, where the target is what is reached."""
    rounds: int = 20
    rate: str = ""
    """What one thing is called; the table then says how many are done in a second."""
    unit: Unit = "s"


@dataclass(frozen=True)
class Result:
    """What came of a job: both medians, for one thing."""

    job: Job
    ours: float
    base: float

    @property
    def ratio(self) -> float:
        """Ours to the base."""
        return self.ours / self.base

    @property
    def verdict(self) -> str:
        """`ok` within the target, `ok (slack)` within the slack above it, else `OVER`."""
        if self.ratio <= self.job.target:
            return "ok"
        return "ok (slack)" if self.ratio <= self.job.target * SLACK else "OVER"

    @property
    def is_over(self) -> bool:
        """Whether it is too slow (or too big), slack granted."""
        return self.verdict == "OVER"


def run(job: Job, folder: Path) -> Result:
    """Measure *job*, ours and the base in turns."""
    with job.prepare(folder) as pair:
        limit = pair.base if isinstance(pair.base, float | int) else None
        ours, base = [], []
        for _ in range(job.rounds):
            base.append(_measured(steady if isinstance(pair.base, float | int) else pair.base, "s"))
            ours.append(_measured(pair.ours, job.unit))
        if limit is None:
            against = median(base) / pair.count
        else:
            against = limit if job.unit == "kB" else limit * median(base) / STEADY
        return Result(job, median(ours) / pair.count, against)


def steady() -> int:
    """Work that is always the same: numbers, texts and mappings, as rules and reports are made of."""
    found: dict[str, int] = {}
    for number in range(25_000):
        name = f"p{number % 97}"
        found[name] = found.get(name, 0) + number % 7
    return sum(found.values())


def _measured(call: Call, unit: Unit) -> float:
    start = time.perf_counter()
    found = call()
    took = time.perf_counter() - start
    if unit == "s":
        return took
    assert isinstance(found, int | float), "a job of this unit returns its figure"
    return float(found)


def figure(value: float, unit: Unit) -> str:
    """A median as one reads it.

    >>> [figure(one, "s") for one in (0.0000123, 0.0123, 1.23)], figure(80.4, "kB")
    (['12.3 µs', '12.3 ms', '1.23 s'], '80 kB')
    """
    if unit == "kB":
        return f"{value:.0f} kB"
    for size, name in ((1e-3, "µs"), (1.0, "ms")):
        if value < size:
            return f"{value / size * 1000:.3g} {name}"
    return f"{value:.3g} s"


COLUMNS = ("job", "ours", "base", "ratio", "target", "")


def row(result: Result) -> tuple[str, ...]:
    """A result as a row of the table."""
    job = result.job
    ours = figure(result.ours, job.unit)
    if job.rate:
        ours = f"{ours} ({1 / result.ours:,.0f} {job.rate}/s)"
    return (
        job.what,
        ours,
        f"{job.base}: {figure(result.base, job.unit)}",
        f"{result.ratio:.2f}",
        f"{job.target:g}{f' ({job.aim})' if job.aim else ''}",
        result.verdict,
    )


def markdown(results: Iterable[Result]) -> Iterator[str]:
    """The table in Markdown."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---|---|---|---:|---:|---|"
    for result in results:
        yield f"| {' | '.join(row(result))} |"
