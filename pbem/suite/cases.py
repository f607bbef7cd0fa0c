"""The cases of a system: each is run once, and each scenario parsed once for all of them.

A test of one's own takes `Cases` under a name that begins with `Test`, and says of which system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as with_
from functools import cache
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.rules.cases import Case, Result, load_cases, run_case
from pbem.rules.contract import AnySystem, Resolution, World, form
from pbem.rules.coverage import cover
from pbem.suite.places import case_files, files


@cache
def cases_of(system: str) -> Mapping[str, Case]:
    """All cases of *system*, by id."""
    return {case.id: case for case in load_cases(case_files(system))}


@cache
def scene_of(scenario: str) -> Any:
    """A scenario, by `system/scenario`, as its system has parsed it."""
    system, _, name = scenario.partition("/")
    return registry.load(system).scene(files(system, name))


@cache
def parsed(system: str) -> AnySystem:
    """The system, taking a scenario that is parsed already."""
    return with_(registry.load(system), scene=lambda tables: scene_of(str(tables["name"])))


def played(case: Case) -> Result:
    """Run a case, with its scenario parsed but once."""
    return run_case(case, parsed(case.system), lambda name: {"name": name})


@cache
def seen_of(system: str, case: str) -> tuple[Result, tuple[str, ...]]:
    """What comes of a case, run once; and the throws of the open seed in it that some role is not shown whole."""
    told, minds = parsed(system), set[Role]()
    shown: dict[Throw, set[Role]] = {}

    def resolve(scene: Any, world: World[Any, Any], *given: Any) -> Resolution[Any]:
        resolution: Resolution[Any] = told.resolve(scene, world, *given)
        minds.update(world.minds)
        for fact in resolution.facts:
            for throw in fact.dice:
                if throw.seed == "open":
                    of = shown.setdefault(throw, set())
                    of |= {role for role in world.minds if throw in getattr(form(told, fact, role), "dice", ())}
        return resolution

    result = run_case(cases_of(system)[case], with_(told, resolve=resolve), lambda name: {"name": name})
    return result, tuple(throw.name for throw, roles in shown.items() if roles != minds)


def result_of(system: str, case: str) -> Result:
    """What comes of a case, run once."""
    return seen_of(system, case)[0]


def see_case(system: str, case: str) -> None:
    """See that a case holds, and that no throw of the open seed in it is kept from anybody.

    Pytest explains an `assert` in modules of tests alone: those here say themselves what is wrong.
    """
    result, hidden = seen_of(system, case)

    assert result.failures == (), "\n".join(result.failures)
    assert hidden == (), hidden


def see_proven(system: str) -> None:
    """See that every rule is played and proven, that none is cited which there is not, and nothing denied in vain."""
    results = [result_of(system, case) for case in cases_of(system)]
    found = cover(registry.ledger_of(system), registry.package_of(system), results)
    amiss = {
        "no code plays": found.unplayed,
        "no case proves": found.unproven,
        "the ledger has not": found.unknown,
        "denied, and can never be": found.vain,
    }

    assert not any(amiss.values()), amiss


def see_asked(system: str) -> None:
    """See that every question that cases may put is put by one."""
    cases = cases_of(system).values()
    asked = {question.fact for case in cases for step in case.steps for question in step.expect.ask}
    unasked = sorted(registry.load(system).asks.keys() - asked)

    assert unasked == [], unasked


class Cases:
    """Each holds, and together they prove every rule and ask every question."""

    system: ClassVar[str]
    pytestmark: ClassVar[list[pytest.MarkDecorator]]

    def __init_subclass__(cls) -> None:
        # One process plays them all: what they prove together is then known without playing any of them again.
        cls.pytestmark = [pytest.mark.xdist_group(f"cases of {cls.system}")]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Each case is a test."""
        if "case" in metafunc.fixturenames:
            metafunc.parametrize("case", cases_of(self.system))

    def test_the_case_holds_and_an_open_seed_hides_nothing_in_it(self, case: str) -> None:
        """See `see_case`."""
        see_case(self.system, case)

    def test_every_rule_is_played_and_proven_and_nothing_is_denied_in_vain(self) -> None:
        """See `see_proven`."""
        see_proven(self.system)

    def test_every_question_is_asked_by_a_case(self) -> None:
        """See `see_asked`."""
        see_asked(self.system)


def matters(case: Case, option: str) -> bool:
    """Whether a case that sets an option fails without it; that the others then do not fit together shows nothing."""
    without = {one: value for one, value in case.options.items() if one != option}
    result = played(replace(case, options=without))
    return not result.passed and not result.failures[0].startswith("Refused: ")


def idle_options(system: str) -> list[str]:
    """The options of *system*, but for those with one value, of which no case shows that they matter."""
    choices = {one.name for one in registry.ledger_of(system).options.values() if one.values != (one.default,)}
    shown = {
        option
        for option in choices
        if any(option in case.options and matters(case, option) for case in cases_of(system).values())
    }
    return sorted(choices - shown)
