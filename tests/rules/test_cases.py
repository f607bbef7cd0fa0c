"""The runner of cases passes what is so, and fails, saying why, what is not, is not said, or could not fail."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.kernel.errors import BadScenario
from pbem.rules.cases import Case, Result, load_cases, run_case, run_cases
from pbem.rules.contract import AnySystem
from tests.systems import toy as toy_package
from tests.systems.play import files

CASES = Path(toy_package.__file__).parent / "cases.toml"


def scenario(name: str) -> Mapping[str, object]:
    return files(*name.split("/"))


def run(system: AnySystem, folder: Path, text: str) -> Result:
    path = folder / "case.toml"
    path.write_text(text)
    (case,) = load_cases(path)
    return run_case(case, system, scenario)


@pytest.mark.parametrize("case", load_cases(CASES), ids=lambda case: case.id)
def test_every_case_of_the_toy_passes(toy: AnySystem, case: Case) -> None:
    assert run_case(case, toy, scenario).failures == ()


SHOT = """
[[case]]
id = "X"
title = "x"
rules = ["TY-FIR-01"]
scenario = "toy/ford"
position = '''
set phase fire
place s1 at 4
place g1 at 5
'''
orders.guard = "fire g1 at 4"
dice = { fire = [5] }
expect.outcomes = [{ kind = "patrol_fired", hit = true }]
"""


def test_the_case_that_all_wrong_ones_are_made_from_passes(toy: AnySystem, tmp_path: Path) -> None:
    assert run(toy, tmp_path, SHOT).passed


@pytest.mark.parametrize(
    ("of", "put", "said"),
    {
        "another value": ("hit = true", "hit = false", "found one with hit: expected false, found true"),
        "another kind": ('"patrol_fired"', '"cart_moved"', "found no such kind among patrol_fired, loss_recorded"),
        "an attribute misspelt": ("hit = true", "hti = true", "hti: expected true, found nothing of that name"),
        "another order": (
            '[{ kind = "patrol_fired", hit = true }]',
            '[{ kind = "loss_recorded" }, { kind = "patrol_fired" }]',
            "found it only before the one above",
        ),
        "one outcome too many": (
            '[{ kind = "patrol_fired", hit = true }]',
            '[{ kind = "patrol_fired" }, { kind = "patrol_fired" }]',
            "outcomes, 2:",
        ),
        "a die not scripted": ("dice = { fire = [5] }", "", "asks for 1 dice, 0 are left"),
        "a die of another purpose": ("fire = [5]", "load = [5]", "asks for 1 dice, 0 are left"),
        "a die left over": ("[5]", "[5, 2]", "scripted and not asked for {fire = [2]}"),
        "a die that cannot be": ("[5]", "[7]", "cannot show"),
        "nothing of the rule": ("expect.outcomes", "expect.purposes = ['fire'] #", "names TY-FIR-01, which nothing"),
        "nothing at all": ("expect.outcomes", "#", "asserts nothing"),
        "a rule not asserted": ('["TY-FIR-01"]', '["TY-FIR-01", "TY-END-01"]', "names TY-END-01"),
        "too many rules": ('["TY-FIR-01"]', '["a", "b", "c", "d"]', "names 4 rules"),
        "no rule": ('["TY-FIR-01"]', "[]", "names 0 rules"),
        "a refusal not told": ("fire g1 at 4", "fire g1 at 44", "guard, line 1: not allowed: there is no place 44"),
        "an order not used": ("set phase fire", "set phase move", "guard, line 1: not used"),
        "a directive misspelt": ("place s1", "plaec s1", 'position, line 2, "plaec s1 at 4"'),
        "a directive in vain": ("place s1 at 4", "place s1 at 4\nremove s2 gone", "position, line 3"),
        "a role misspelt": ("orders.guard", "orders.gaurd", 'there is no role "gaurd"'),
        "an option that is none": ('rio = "toy/ford"', 'rio = "toy/ford"\noptions = { luck = 1 }', 'no option "luck"'),
    }.values(),
)
def test_what_is_not_so_fails_and_says_what_was_found(
    toy: AnySystem, tmp_path: Path, of: str, put: str, said: str
) -> None:
    assert of in SHOT
    result = run(toy, tmp_path, SHOT.replace(of, put, 1))

    assert not result.passed
    assert said in "\n".join(result.failures)


@pytest.mark.parametrize(
    ("expectation", "said"),
    {
        "another piece": ("pieces.s1 = { men = 2 }", "pieces.s1.men: expected 2, found 1"),
        "no piece": ("pieces.s1 = false", "pieces.s1: expected false"),
        "a piece": ("pieces.s2 = true", "pieces.s2: expected true"),
        "an absence": ('absent = [{ kind = "loss_recorded" }]', "expected no {kind"),
        "an absence of a kind that is none": ('absent = [{ kind = "loss_recoded" }]', "no fact can be {kind"),
        "an absence misspelt": ('absent = [{ kind = "patrol_fired", hti = true }]', "no fact can be {kind"),
        "an absence nobody can see": ('view.guard.absent = [{ kind = "loss" }]', "view.guard.absent: no fact can be"),
        "a score": ("score.guard = 1", "score.guard: expected 1, found 0"),
        "a state": ("state.turn = 2", "state.turn: expected 2, found 1"),
        "a pause": ('awaits.moment = "1A"', 'awaits.moment: expected "1A", found "1B"'),
        "purposes": ("purposes = []", "purposes: expected []"),
        "an outcome seen": ('view.guard.outcomes = [{ kind = "loss_recorded" }]', "view.guard.outcomes, 1:"),
        "an outcome not seen": ('view.guard.absent = [{ kind = "patrol_fired" }]', "view.guard.absent: expected no"),
        "a thing known": ("view.guard.pieces.s1 = { men = 1 }", "view.guard.pieces.s1.men: expected 1"),
        "a view of nobody": ("view.nobody.pieces = {}", 'no role "nobody"'),
        "an answer": (
            'ask = [{ fact = "within_reach", args = [1, 3], is = false }]',
            "within_reach(1, 3): expected false, found true",
        ),
        "a question": (
            'ask = [{ fact = "weather", args = [], is = "rain" }]',
            "there is no fact weather; there are within_reach",
        ),
        "a problem": ("problems.guard = [{ line = 1 }]", "problems.guard: expected [{line = 1}], found none"),
    }.values(),
)
def test_each_expectation_can_fail(toy: AnySystem, tmp_path: Path, expectation: str, said: str) -> None:
    result = run(toy, tmp_path, f"{SHOT}expect.{expectation}\n")

    assert not result.passed
    assert said in "\n".join(result.failures)


def test_rules_that_break_fail_the_case_and_name_the_place(
    toy: AnySystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.systems.toy.turn.hits", lambda die, least: 1 // 0)

    failures = run(toy, tmp_path, SHOT).failures

    assert failures[0].startswith("the rules broke: ZeroDivisionError")
    assert "test_cases.py" in failures[0]


def test_dice_said_to_be_left_may_be_left(toy: AnySystem, tmp_path: Path) -> None:
    text = SHOT.replace("[5]", "[5, 2]").replace("expect.o", "expect.dice_left = { fire = [2] }\nexpect.o")

    assert run(toy, tmp_path, text).passed


def test_a_rule_is_asserted_by_what_carries_it_and_denied_by_what_is_absent(toy: AnySystem, tmp_path: Path) -> None:
    text = SHOT.replace('["TY-FIR-01"]', '["TY-FIR-01", "TY-FIR-03"]').replace(
        "expect.o", 'expect.absent = [{ rules = ["TY-FIR-03"] }]\nexpect.o'
    )
    result = run(toy, tmp_path, text)

    assert result.passed
    assert result.asserted == ("TY-FIR-01",)


def test_a_rule_is_asserted_by_what_there_is_none_of_because_of_it(toy: AnySystem, tmp_path: Path) -> None:
    hit = SHOT.replace('["TY-FIR-01"]', '["TY-FIR-03"]').replace(
        "expect.o", 'expect.absent = [{ kind = "loss_recorded", because = ["TY-FIR-03"] }]\nexpect.o'
    )
    missed = hit.replace("[5]", "[1]").replace("hit = true", "hit = false")

    assert run(toy, tmp_path, missed).asserted == ("TY-FIR-03",)
    assert "expected no {kind" in run(toy, tmp_path, hit).failures[0]


def test_a_rule_because_of_which_there_is_none_is_to_be_one_of_the_case(toy: AnySystem, tmp_path: Path) -> None:
    text = SHOT.replace("expect.o", 'expect.absent = [{ kind = "cart_loaded", because = ["TY-FIR-03"] }]\nexpect.o')

    assert "says because of TY-FIR-03, and does not name it" in run(toy, tmp_path, text).failures[0]


def test_a_failure_in_a_step_names_the_step(toy: AnySystem, tmp_path: Path) -> None:
    head, tail = SHOT.split("position", 1)
    text = f"{head}[[case.step]]\nposition{tail}[[case.step]]\nexpect.state.turn = 9\n"

    assert run(toy, tmp_path, text).failures == ("step 2: state.turn: expected 9, found 1",)


@pytest.mark.parametrize(
    ("of", "put", "said"),
    {
        "a key misspelt": ("expect.outcomes", "expect.outcoms", "outcoms"),
        "a key of the case misspelt": ("position =", "positoin =", "positoin"),
        "a key missing": ('title = "x"', "", "title"),
        "a way to run that is none": ("position =", 'run = "day"\nposition =', "run"),
        "no TOML": ("[[case]]", "[[case]", "holds no cases"),
        "an id twice": ("[[case]]", SHOT + "[[case]]", "this id stands twice"),
        "orders beside steps": (
            "expect.outcomes",
            "[[case.step]]\nexpect.outcomes",
            "orders, dice, answers and expect stand in its steps",
        ),
    }.values(),
)
def test_a_file_that_cannot_be_read_names_the_case(tmp_path: Path, of: str, put: str, said: str) -> None:
    path = tmp_path / "case.toml"
    path.write_text(SHOT.replace(of, put, 1))

    with pytest.raises(BadScenario) as fault:
        load_cases(path)

    assert said in str(fault.value)
    assert str(path) in str(fault.value)


def test_a_folder_is_read_whole_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.toml").write_text(SHOT.replace('"X"', f'"{name}"'))

    assert [case.id for case in load_cases(tmp_path)] == ["a", "b"]


def test_a_scenario_is_parsed_once_for_all_its_cases(toy: AnySystem) -> None:
    asked: list[str] = []

    def counted(name: str) -> Mapping[str, object]:
        asked.append(name)
        return scenario(name)

    assert len(list(run_cases(load_cases(CASES), toy, counted))) > 1
    assert asked == ["toy/ford"]
