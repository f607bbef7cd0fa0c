"""Every conformance case of St. Privat holds, and together they prove every rule of the ledger."""

from __future__ import annotations

from dataclasses import replace as with_
from functools import cache
from pathlib import Path

import pytest

from pbem.rules import registry
from pbem.rules.cases import Case, Result, load_cases, run_case
from pbem.rules.contract import AnySystem
from pbem.rules.coverage import cover
from pbem.systems.st_privat import SYSTEM
from pbem.systems.st_privat.scene import Scene
from tests.systems.play import files

CASES = Path(__file__).parents[2] / "cases" / "st-privat"
ALL = load_cases(CASES)


@cache
def scene_of(name: str) -> Scene:
    """The scenario of that name, parsed once for all cases."""
    return SYSTEM.scene(files("st-privat", name.partition("/")[2]))


@cache
def _parsed() -> AnySystem:
    """The system, taking a scenario that is parsed already."""
    return with_(SYSTEM, scene=lambda tables: scene_of(str(tables["name"])))


@cache
def result_of(number: int) -> Result:
    """What comes of a case, run once."""
    return played(ALL[number])


def played(case: Case) -> Result:
    """Run a case, with its scenario parsed but once."""
    return run_case(case, _parsed(), lambda name: {"name": name})


@pytest.mark.parametrize("number", range(len(ALL)), ids=[case.id for case in ALL])
def test_the_case_holds(number: int) -> None:
    assert result_of(number).failures == ()


def test_every_rule_is_played_and_proven_and_nothing_is_denied_in_vain() -> None:
    found = cover(registry.ledger_of("st-privat"), "pbem.systems.st_privat", map(result_of, range(len(ALL))))

    assert (found.unplayed, found.unproven, found.unknown, found.vain) == ((), (), (), ())


def test_every_question_is_asked_by_a_case() -> None:
    asked = {question.fact for case in ALL for step in case.steps for question in step.expect.ask}

    assert sorted(SYSTEM.asks.keys() - asked) == []
