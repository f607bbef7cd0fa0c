"""Make every mutant of a system, run the cases that should notice it, and say which survived."""

from __future__ import annotations

import signal
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from types import CodeType, FrameType, FunctionType

from pbem.kernel.errors import BadScenario
from pbem.kernel.names import RuleId
from pbem.rules import registry
from pbem.rules.cases import Case, Result, load_cases, run_cases
from pbem.rules.coverage import functions_in
from pbem.rules.ledger import rules_of
from pbem.suite.neutral import answers, replaced
from pbem.suite.places import case_files, files, place_of

PATIENCE = 20
"""Seconds of computing on one case after which a mutant is dead because its game does not end."""
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
    """Every function of *system* that wears a rule, and every one that says yes or no, by `module.name`."""
    package = registry.package_of(system)
    aside = f"{package}.{registry.SUITE}"
    return {
        f"{module.__name__.removeprefix(package).strip('.')}.{name}".strip("."): function
        for module in registry.modules_of(package)
        if not f"{module.__name__}.".startswith(f"{aside}.")
        for name, function in functions_in(module)
        if rules_of(function) or function.__annotations__.get("return") in ("bool", bool)
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
        for answer in answers(system, name, function) or [""]
    ]


def played(system: str, chosen: Sequence[Case]) -> Iterator[Result]:
    """What comes of each of the *chosen* cases now, one after the other."""
    return run_cases(chosen, registry.load(system), lambda where: files(*where.split("/")))


def fails(system: str, chosen: Sequence[Case]) -> Iterator[str]:
    """The *chosen* cases that fail now."""
    return (result.case.id for result in played(system, chosen) if not result.passed)


@cache
def called(system: str) -> Mapping[CodeType, frozenset[str]]:
    """By the code of each function the cases in which it is called, as far as no earlier one has cached its answer."""
    found: dict[CodeType, set[str]] = {function.__code__: set() for function in marked(system).values()}
    for case in cases(system):

        def seen(frame: FrameType, event: str, value: object, case: str = case.id) -> None:
            if event == "call" and (of := found.get(frame.f_code)) is not None:
                of.add(case)

        sys.setprofile(seen)
        try:
            list(fails(system, [case]))
        finally:
            sys.setprofile(None)
    return {code: frozenset(of) for code, of in found.items()}


def chosen_for(mutant: Mutant, callers: Collection[str]) -> list[Case]:
    """The cases that a mutant plays: of its *callers* (no other can notice it) those of its rules, if it wears any."""
    return [
        case
        for case in cases(mutant.system)
        if case.id in callers and (not mutant.rules or set(case.rules) & set(mutant.rules))
    ]


def fate(mutant: Mutant) -> Fate:
    """Let a mutant play its cases until one notices it."""
    chosen = chosen_for(mutant, called(mutant.system)[marked(mutant.system)[mutant.function].__code__])
    if not mutant.answer:
        return Fate(mutant, None, len(chosen))
    with replaced(marked(mutant.system)[mutant.function], mutant.answer):
        return Fate(mutant, _killer(mutant.system, chosen), len(chosen))


def _killer(system: str, chosen: Sequence[Case]) -> str | None:
    """The first of the *chosen* cases that fails, or that one does not end; None: all of them pass."""
    results = played(system, chosen)
    try:
        for _ in chosen:
            with patience():
                result = next(results)
            if not result.passed:
                return result.case.id
    except Endless:
        return "a game without end"
    except BadScenario:
        return "a scenario that cannot be read"
    return None


class Endless(BaseException):
    """A mutant's game went on too long; no case may take it for a failure of its own."""


@contextmanager
def patience() -> Iterator[None]:
    """Raise `Endless` when the time is up."""

    def up(number: int, frame: FrameType | None) -> None:
        raise Endless

    # By the clock on the wall a busy machine would kill mutants that no case notices.
    before = signal.signal(signal.SIGVTALRM, up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def hunt(system: str) -> list[Fate]:
    """The fate of every mutant of *system*, in the order of its modules, found by `WORKERS` processes."""
    every = mutants(system)
    called(system)  # once, for all workers
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("fork")) as pool:
        return list(pool.map(fate, every, chunksize=4))


def reasons(system: str) -> Mapping[str, str]:
    """Why mutants of *system* may survive, by their names; `module.*` has the reason of all of a module."""
    path = place_of(system).reasons
    table: Mapping[str, Mapping[str, str]] = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    return table.get(system, {})


def excuses(like: str, name: str) -> bool:
    """Whether the reason *like* is one for the mutant *name*."""
    return like == name or (like.endswith(".*") and name.startswith(like.removesuffix("*")))


def report(system: str, fates: Sequence[Fate], excused: Mapping[str, str]) -> tuple[list[str], bool]:
    """Lines that say what happened, and whether every survivor has its reason and every reason its survivor."""
    survivors = {one.mutant.name: one for one in fates if one.killer is None}
    why = {name: next((said for like, said in excused.items() if excuses(like, name)), None) for name in survivors}
    open_ones = [name for name in survivors if why[name] is None]
    stale = [like for like in excused if not any(excuses(like, name) for name in survivors)]
    lines = [
        f"{system}: {len(fates)} mutants of {len({one.mutant.function for one in fates})} functions, "
        f"{len(fates) - len(survivors)} killed, {len(survivors)} survived, {len(open_ones)} without a reason"
    ]
    for name, one in survivors.items():
        said = why[name] or "NO REASON"
        if not one.mutant.answer:
            said = f"no neutral answer is known: {said}"
        worn = ", ".join(one.mutant.rules) or "no rule"
        lines.append(f"  survived  {name}  [{worn}; {one.tried} cases]  {said}")
    lines += [f"  stale     {name}: this mutant is killed, or is no more" for name in stale]
    return lines, not open_ones and not stale
