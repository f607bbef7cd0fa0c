"""The hunt finds what no case notices, and puts back what it took away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Literal

import pytest

from pbem.kernel.names import Role, RuleId
from pbem.suite import hunt
from pbem.suite.neutral import answers, replaced
from tests.systems.play import SIXTH
from tests.systems.toy import rules


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SIXTH))


def test_every_mutant_of_the_toy_is_killed() -> None:
    lines, sound = hunt.report("toy", hunt.hunt("toy"), hunt.reasons("toy"))

    assert sound, lines
    assert "2 survived, 0 without" in lines[0]


def test_a_rule_that_no_case_asserts_survives_and_wants_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tuple(case for case in hunt.cases("toy") if not case.id.startswith("TY-FIR-03"))
    monkeypatch.setattr(hunt, "cases", lambda system: kept)
    fates = [hunt.fate(mutant) for mutant in hunt.mutants("toy")]

    lines, sound = hunt.report("toy", fates, {})
    assert not sound
    assert "  survived  rules.watched = 0  [TY-FIR-03; 0 cases]  NO REASON" in lines
    assert hunt.report("toy", fates, {"rules.watched = 0": "it is told by hand"} | dict(hunt.reasons("toy")))[1]


def test_a_gate_that_wears_no_rule_is_taken_out_too_and_plays_every_case_that_comes_to_it() -> None:
    [denied, granted] = [mutant for mutant in hunt.mutants("toy") if mutant.function == "rules.within_reach"]
    [sealed, _] = [mutant for mutant in hunt.mutants("toy") if mutant.function == "turn.seals"]

    assert (denied.answer, granted.answer) == ("False", "True")
    assert sealed.rules == ()
    asked = hunt.called("toy")[hunt.marked("toy")["rules.within_reach"].__code__]
    assert 0 < len(asked) < len(hunt.cases("toy"))
    assert {case.id for case in hunt.chosen_for(replace(denied, rules=()), asked)} == asked
    assert hunt.fate(sealed).tried == len(hunt.called("toy")[hunt.marked("toy")["turn.seals"].__code__])


def test_one_reason_may_stand_for_a_module_and_for_no_other() -> None:
    assert hunt.excuses("page.*", "page.shown = False")
    assert not hunt.excuses("page.*", "pages.shown = False")
    assert not hunt.excuses("page.shown", "page.shown = False")


def test_a_reason_that_nothing_needs_is_refused() -> None:
    fates = [hunt.fate(mutant) for mutant in hunt.mutants("toy")]

    lines, sound = hunt.report("toy", fates, dict(hunt.reasons("toy")) | {"rules.hits = False": "once it survived"})

    assert not sound
    assert "stale     rules.hits = False" in lines[-1]


def test_a_mutant_whose_game_does_not_end_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(system: str, chosen: Sequence[object]) -> Iterator[int]:
        return (number for number in count() if number < 0)

    hunt.called("toy")  # which plays cases as well, and is remembered
    monkeypatch.setattr(hunt, "PATIENCE", 1)
    monkeypatch.setattr(hunt, "played", forever)

    assert hunt.fate(hunt.mutants("toy")[0]).killer == "a game without end"


def test_a_function_answers_neutrally_wherever_it_is_held_and_is_itself_again() -> None:
    held = rules.hits
    function = hunt.marked("toy")["rules.hits"]
    with replaced(function, "False"):
        assert held(6, hits_on=4) is False
    assert held(6, hits_on=4) is True


def flag() -> bool: ...  # type: ignore[empty-body]
def maybe() -> int | None: ...
def named() -> Role: ...  # type: ignore[empty-body]
def one_of() -> Literal["a", "b"]: ...  # type: ignore[empty-body]
def pair() -> tuple[int, bool]: ...  # type: ignore[empty-body]
def many() -> tuple[RuleId, ...]: ...  # type: ignore[empty-body]
def table() -> Mapping[str, int]: ...  # type: ignore[empty-body]
def same(path: Path, other: int) -> Path: ...  # type: ignore[empty-body]
def strange() -> Path: ...  # type: ignore[empty-body]
def nothing() -> None: ...


@pytest.mark.parametrize(
    ("function", "neutral"),
    [
        (flag, ["False", "True"]),
        (maybe, ["None"]),
        (named, ['""']),
        (one_of, ["'a'", "'b'"]),
        (pair, ["(0, False,)", "(0, True,)"]),
        (many, ["()"]),
        (table, ["{}"]),
        (same, ["args[0]"]),
        (strange, []),
        (nothing, ["None"]),
    ],
)  # fmt: skip
def test_the_neutral_answer_follows_from_the_type(function: FunctionType, neutral: list[str]) -> None:
    assert answers("toy", "a test", function) == neutral
