"""The cases of a system: each is run once, and each scenario parsed once for all of them.

`tests/systems/<package>/test_cases.py` takes `Cases` under a name that begins with `Test`, and says of which system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as with_
from functools import cache
from typing import Any, ClassVar

import pytest

from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.rules.cases import Case, Result, load_cases, run_case
from pbem.rules.contract import AnySystem, Resolution, World, form
from pbem.rules.coverage import cover
from tests.systems.play import case_files, files


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


class Cases:
    """Each holds, and together they prove every rule and ask every question.

    Pytest explains an `assert` in modules of tests alone: those here say themselves what is wrong.
    """

    system: ClassVar[str]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "case" in metafunc.fixturenames:
            metafunc.parametrize("case", cases_of(self.system))

    def test_the_case_holds_and_an_open_seed_hides_nothing_in_it(self, case: str) -> None:
        result, hidden = seen_of(self.system, case)

        assert result.failures == (), "\n".join(result.failures)
        assert hidden == (), hidden

    def test_every_rule_is_played_and_proven_and_nothing_is_denied_in_vain(self) -> None:
        results = [result_of(self.system, case) for case in cases_of(self.system)]
        found = cover(registry.ledger_of(self.system), registry.package_of(self.system), results)
        amiss = (found.unplayed, found.unproven, found.unknown, found.vain)

        assert amiss == ((), (), (), ()), amiss

    def test_every_question_is_asked_by_a_case(self) -> None:
        cases = cases_of(self.system).values()
        asked = {question.fact for case in cases for step in case.steps for question in step.expect.ask}
        unasked = sorted(registry.load(self.system).asks.keys() - asked)

        assert unasked == [], unasked
