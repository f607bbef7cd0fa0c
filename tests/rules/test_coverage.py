"""Coverage counts a rule as played where code wears it and as proven where a passing case asserts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.kernel.names import RuleId
from pbem.rules import registry
from pbem.rules.cases import Result, load_cases, run_cases
from pbem.rules.contract import AnySystem
from pbem.rules.coverage import cover, played
from tests.rules.test_cases import CASES, scenario

PACKAGE = "tests.systems.toy"


def results(toy: AnySystem) -> list[Result]:
    return list(run_cases(load_cases(CASES), toy, scenario))


def test_functions_and_charts_are_found_by_the_rules_they_wear() -> None:
    plays = played(PACKAGE)

    assert plays[RuleId("TY-FIR-01")] == ("rules.hits",)
    assert plays[RuleId("TY-FIR-02")] == ("rules.POINTS",)


def test_the_toy_is_covered(toy: AnySystem) -> None:
    coverage = cover(registry.ledger_of("toy"), PACKAGE, results(toy))

    assert (coverage.unplayed, coverage.unproven, coverage.unknown, coverage.vain) == ((), (), (), ())


def test_a_case_that_fails_or_only_denies_proves_nothing(toy: AnySystem) -> None:
    kept = [one for one in results(toy) if one.case.id != "TY-FIR-03-a"]
    failed = [Result(one.case, ("no",), one.asserted) if one.case.id == "TY-SET-01-a" else one for one in kept]

    assert cover(registry.ledger_of("toy"), PACKAGE, failed).unproven == ("TY-SET-01", "TY-FIR-03")


def test_a_rule_that_no_code_wears_is_unplayed(toy: AnySystem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.systems.toy.rules.TABLE_RULES", {})

    assert cover(registry.ledger_of("toy"), PACKAGE, []).unplayed == ("TY-FIR-02",)


def test_an_id_of_no_ledger_is_named_with_its_place(
    toy: AnySystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.systems.toy.rules.TABLE_RULES", {"POINTS": ("TY-XXX-01",)})
    path = tmp_path / "cases.toml"
    path.write_text(CASES.read_text().replace('rules = ["TY-SET-01"]', 'rules = ["TY-YYY-01"]'))

    ran = run_cases(load_cases(path), toy, scenario)
    unknown = cover(registry.ledger_of("toy"), PACKAGE, ran).unknown

    assert unknown == (("TY-XXX-01", "rules.POINTS"), ("TY-YYY-01", "case TY-SET-01-a"))


@pytest.mark.parametrize(
    "like",
    ['{kind = "patrol_fired", rules = ["TY-END-01"]}', '{kind = "patrol_fired", rules = ["TY-FIR-03", "TY-SET-01"]}'],
)
def test_what_no_fact_of_the_kind_carries_is_denied_in_vain(toy: AnySystem, tmp_path: Path, like: str) -> None:
    path = tmp_path / "cases.toml"
    denial = '{ kind = "patrol_fired", rules = ["TY-FIR-03"] }'
    path.write_text(CASES.read_text().replace(denial, like))
    ran = list(run_cases(load_cases(path), toy, scenario))

    assert denial in CASES.read_text()
    assert cover(registry.ledger_of("toy"), PACKAGE, ran).vain == ((like, "case TY-FIR-03-b"),)


def test_what_a_role_is_not_to_see_is_denied_in_vain_too(toy: AnySystem, tmp_path: Path) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(
        CASES.read_text().replace('absent = [{ kind = "cart_loaded" }]', 'absent = [{ rules = ["TY-END-09"] }]')
    )
    ran = list(run_cases(load_cases(path), toy, scenario))

    assert cover(registry.ledger_of("toy"), PACKAGE, ran).vain == (('{rules = ["TY-END-09"]}', "case TY-SET-01-a"),)


def test_a_chart_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.systems.toy.rules.TABLE_RULES", {"PIONTS": ("TY-FIR-02",)})

    with pytest.raises(AttributeError, match="PIONTS"):
        played(PACKAGE)
