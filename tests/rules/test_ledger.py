"""A ledger is read whole, and every fault of it is named by its entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.kernel.errors import BadScenario
from pbem.kernel.names import RuleId
from pbem.rules.ledger import load_ledger, rule, rules_of

RULE = '[[rule]]\nid = "X-ONE-01"\ntitle = "t"\nsource = "s"\nsays = "w"\nplayed_by = "engine"\n'
OPTION = '[[option]]\nname = "o"\ndefault = 1\nvalues = [1, 2]\nrules = ["X-ONE-01"]\nsays = "w"\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "ledger.toml"
    path.write_text(text)
    return path


def test_rules_and_options_are_found_by_name(tmp_path: Path) -> None:
    ledger = load_ledger(write(tmp_path, RULE + 'options = ["o"]\n' + OPTION))

    assert RuleId("X-ONE-01") in ledger
    assert "X-TWO-01" not in ledger
    assert ledger.rules[RuleId("X-ONE-01")].options == ("o",)
    assert ledger.options["o"].values == (1, 2)


@pytest.mark.parametrize(
    ("text", "named"),
    {
        "no TOML": ("[[rule", "is no ledger"),
        "a rule twice": (RULE + RULE, "rule 2 (X-ONE-01): this id stands twice"),
        "an option twice": (RULE + OPTION + OPTION, "option 2 (o): this name stands twice"),
        "a key misspelt": (RULE + 'redaing = "r"\n', "rule 1 (X-ONE-01)"),
        "nobody plays it": (RULE.replace("engine", "nobody"), "rule 1 (X-ONE-01)"),
        "no id": (RULE.replace("id =", "ident ="), "rule 1 (without an id)"),
        "an option that is not there": (RULE + 'options = ["p"]\n', "has no option p"),
        "a rule that is not there": (RULE + OPTION.replace("ONE", "TWO"), "has no rule X-TWO-01"),
        "a default that is no value": (RULE + OPTION.replace("default = 1", "default = 3"), "none of its values"),
    }.values(),
)  # fmt: skip
def test_a_fault_is_named_by_its_entry(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(BadScenario) as fault:
        load_ledger(write(tmp_path, text))

    assert named in str(fault.value)
    assert str(tmp_path) in str(fault.value)


def test_a_missing_ledger_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match=r"ledger\.toml"):
        load_ledger(tmp_path / "ledger.toml")


def test_a_mark_changes_nothing_but_the_mark() -> None:
    def plain(number: int) -> int:
        return number + 1

    marked = rule("X-ONE-01")(plain)

    assert marked is plain
    assert marked(1) == 2
    assert rules_of(marked) == ("X-ONE-01",)


def test_what_wears_no_mark_plays_no_rule() -> None:
    assert rules_of(len) == rules_of(3) == ()
