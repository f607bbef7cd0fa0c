"""Which rules of a ledger are played by code, which are proven by a case, and which are neither."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import FunctionType, ModuleType

from msgspec import Struct

from pbem.kernel.names import RuleId
from pbem.rules.cases import Carried, Case, Result
from pbem.rules.ledger import TABLES, Ledger, rules_of
from pbem.rules.matching import matches, shown
from pbem.rules.registry import modules_of


class Coverage(Struct, frozen=True):
    """What plays and what proves the rules of one ledger; every tuple in the order of the ledger."""

    played: Mapping[RuleId, tuple[str, ...]]
    """By rule: the functions and charts that play it, as `module.name`."""
    proven: Mapping[RuleId, tuple[str, ...]]
    """By rule: the cases that passed and asserted it."""
    unplayed: tuple[RuleId, ...]
    """Rules that the engine should play and no function or chart wears."""
    unproven: tuple[RuleId, ...]
    """Rules that no case asserts."""
    unknown: tuple[tuple[RuleId, str], ...]
    """Ids that stand in no ledger, and where: on code or in a case."""
    vain: tuple[tuple[str, str], ...]
    """What a case wants absent and could not but be: no fact of the kind carries these rules in any case; and where."""


def functions_in(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """The functions written in *module*, also in its classes, as properties and under a cache, by their names."""
    for name, value in vars(module).items():
        within = vars(value).items() if isinstance(value, type) else ()
        for path, one in [(name, value), *((f"{name}.{part}", one) for part, one in within)]:
            one = one.fget if isinstance(one, property) else one
            function = inspect.unwrap(one) if callable(one) else one
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                yield path, function


def functions_of(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """Those of `functions_in` that wear a rule."""
    return ((name, function) for name, function in functions_in(module) if rules_of(function))


def played(package: str) -> dict[RuleId, tuple[str, ...]]:
    """By rule, what in *package* plays it: marked functions, and the charts that `TABLE_RULES` names.

    :raises AttributeError: if `TABLE_RULES` names a chart that its module has not.
    """
    found: dict[RuleId, tuple[str, ...]] = {}
    for module in modules_of(package):
        short = module.__name__.removeprefix(package).strip(".") or package.rpartition(".")[2]
        marks = [(name, rules_of(function)) for name, function in functions_of(module)]
        tables: Mapping[str, tuple[RuleId, ...]] = getattr(module, TABLES, {})
        for name, rules in tables.items():
            if not hasattr(module, name):
                raise AttributeError(f"{TABLES} of {module.__name__} names {name}, which is not there")
            marks.append((name, rules))
        for name, rules in marks:
            for rule in rules:
                found[rule] = (*found.get(rule, ()), f"{short}.{name}")
    return found


def vain(case: Case, carried: Collection[Carried]) -> Iterator[str]:
    """What *case* wants absent without there being the like of it among what is *carried*."""
    facts = [{"kind": kind, "rules": rules} for kind, rules in carried]
    for step in case.steps:
        for table in [*step.expect.absent, *(one for seen in step.expect.view.values() for one in seen.absent)]:
            like = {name: table[name] for name in ("kind", "rules") if name in table}
            if not any(matches(like, fact) for fact in facts):
                yield shown(like)


def cover(ledger: Ledger, package: str, results: Iterable[Result]) -> Coverage:
    """What plays and what proves the rules of *ledger*."""
    plays, results = played(package), tuple(results)
    carried = frozenset[Carried]().union(*(result.carried for result in results))
    proven: dict[RuleId, tuple[str, ...]] = {}
    unknown = [(rule, place) for rule, places in plays.items() for place in places if rule not in ledger]
    for result in results:
        unknown += [(rule, f"case {result.case.id}") for rule in result.case.rules if rule not in ledger]
        for rule in result.asserted if result.passed else ():
            proven[rule] = (*proven.get(rule, ()), result.case.id)
    return Coverage(
        played=plays,
        proven=proven,
        unplayed=tuple(
            rule for rule, entry in ledger.rules.items() if entry.played_by == "engine" and rule not in plays
        ),
        unproven=tuple(rule for rule in ledger.rules if rule not in proven),
        unknown=tuple(unknown),
        vain=tuple((one, f"case {result.case.id}") for result in results for one in vain(result.case, carried)),
    )
