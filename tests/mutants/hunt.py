"""Make every mutant of a system, run the cases that should notice it, and say which survived."""

from __future__ import annotations

import signal
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from types import FrameType, FunctionType

from pbem.kernel.names import RuleId
from pbem.rules import registry
from pbem.rules.cases import Case, load_cases, run_cases
from pbem.rules.coverage import functions_of
from pbem.rules.ledger import rules_of
from tests.mutants.neutral import answers, replaced
from tests.systems.play import case_files, files

REASONS = Path(__file__).parent / "reasons.toml"
PATIENCE = 20
"""Seconds after which a mutant is dead because its game does not end."""
WORKERS = 2


@dataclass(frozen=True)
class Mutant:
    """One function with one neutral answer; an empty answer: none is known."""

    system: str
    function: str
    """`melee.odds`"""
    answer: str
    rules: tuple[RuleId, ...]

    @property
    def name(self) -> str:
        """How the table of reasons calls it."""
        return f"{self.function} = {self.answer}" if self.answer else self.function


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: the case that killed it, or None, and how many cases were tried."""

    mutant: Mutant
    killer: str | None
    tried: int


@cache
def marked(system: str) -> dict[str, FunctionType]:
    """Every function of *system* that wears a rule, by `module.name`."""
    package = registry.package_of(system)
    return {
        f"{module.__name__.removeprefix(package).strip('.')}.{name}".strip("."): function
        for module in registry.modules_of(package)
        for name, function in functions_of(module)
    }


@cache
def cases(system: str) -> tuple[Case, ...]:
    """The cases of *system*."""
    return load_cases(case_files(system))


def mutants(system: str) -> list[Mutant]:
    """Every mutant of *system*, in the order of its modules."""
    return [
        Mutant(system, name, answer, rules_of(function))
        for name, function in marked(system).items()
        for answer in answers(f"{system}: {name}", function) or [""]
    ]


def fails(system: str, chosen: Sequence[Case]) -> Iterator[str]:
    """The *chosen* cases that fail now."""
    results = run_cases(chosen, registry.load(system), lambda where: files(*where.split("/")))
    return (result.case.id for result in results if not result.passed)


def fate(mutant: Mutant) -> Fate:
    """Let a mutant play the cases of its rules until one notices it."""
    chosen = [case for case in cases(mutant.system) if set(case.rules) & set(mutant.rules)]
    if not mutant.answer:
        return Fate(mutant, None, len(chosen))
    with replaced(marked(mutant.system)[mutant.function], mutant.answer):
        try:
            with patience():
                killer = next(fails(mutant.system, chosen), None)
        except Endless:
            killer = "a game without end"
    return Fate(mutant, killer, len(chosen))


class Endless(BaseException):
    """A mutant's game went on too long; no case may take it for a failure of its own."""


@contextmanager
def patience() -> Iterator[None]:
    """Raise `Endless` when the time is up."""

    def up(number: int, frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def hunt(system: str) -> list[Fate]:
    """The fate of every mutant of *system*, in the order of its modules, found by `WORKERS` processes."""
    every = mutants(system)
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("fork")) as pool:
        return list(pool.map(fate, every, chunksize=4))


def reasons(system: str) -> Mapping[str, str]:
    """Why mutants of *system* may survive, by their names."""
    table: Mapping[str, Mapping[str, str]] = tomllib.loads(REASONS.read_text())
    return table.get(system, {})


def report(system: str, fates: Sequence[Fate], excused: Mapping[str, str]) -> tuple[list[str], bool]:
    """Lines that say what happened, and whether every survivor has its reason and every reason its survivor."""
    survivors = {one.mutant.name: one for one in fates if one.killer is None}
    open_ones = [one for name, one in survivors.items() if name not in excused]
    stale = [name for name in excused if name not in survivors]
    lines = [
        f"{system}: {len(fates)} mutants of {len({one.mutant.function for one in fates})} rule functions, "
        f"{len(fates) - len(survivors)} killed, {len(survivors)} survived, {len(open_ones)} without a reason"
    ]
    for one in survivors.values():
        why = excused.get(one.mutant.name, "NO REASON")
        if not one.mutant.answer:
            why = f"no neutral answer is known: {why}"
        lines.append(f"  survived  {one.mutant.name}  [{', '.join(one.mutant.rules)}; {one.tried} cases]  {why}")
    lines += [f"  stale     {name}: this mutant is killed, or is no more" for name in stale]
    return lines, not open_ones and not stale
