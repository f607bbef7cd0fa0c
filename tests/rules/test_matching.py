"""What a case expects is compared with things of any game."""

from __future__ import annotations

from enum import Enum

import pytest
from msgspec import Struct

from pbem.kernel.names import Moment, RuleId
from pbem.rules.matching import difference, matches, rules_in, shown
from tests.systems.toy.outcomes import LossRecorded, PiecePlaced


class Colour(Enum):
    RED = "red"


class Modifier(Struct, frozen=True):
    rule: str
    by: int = 0


class Melee(Struct, frozen=True):
    rules: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()


@pytest.mark.parametrize(
    ("expected", "found", "met"),
    [
        ({"men": 1}, LossRecorded(piece="s1", men=1), True),
        ({"kind": "loss_recorded"}, LossRecorded(piece="s1", men=1), True),
        ({"kind": "toy.loss_recorded"}, LossRecorded(piece="s1", men=1), False),
        ({"men": ""}, PiecePlaced(piece="s1", side="guard", square=1, men=None), True),  # type: ignore[arg-type]
        ("red", Colour.RED, True),
        ("5B", Moment(5, 2), True),
        ({"rule": "A"}, Modifier("A", 3), True),
        ([{"by": 1}, {"by": 3}], (Modifier("", 1), Modifier("", 2), Modifier("", 3)), True),
        ([{"by": 3}, {"by": 1}], (Modifier("", 1), Modifier("", 2), Modifier("", 3)), False),
        (["b", "a"], frozenset({"a", "b", "c"}), True),
        (["d"], frozenset({"a"}), False),
        ([], (), True),
        ([], (1,), False),
        (["a"], "a", False),
        ({"5": 1}, {5: 1}, True),
        (1, True, False),
        (True, 1, False),
        ("1", 1, False),
        ({"x": {}}, {}, False),
    ],
)  # fmt: skip
def test_a_thing_is_what_is_expected_or_not(expected: object, found: object, met: bool) -> None:
    assert matches(expected, found) is met


def test_a_difference_names_only_what_differs() -> None:
    assert difference({"by": 2, "rule": "A"}, Modifier("A", 3)) == [".by: expected 2, found 3"]


def test_rules_are_found_at_any_depth() -> None:
    melee = Melee(("A",), (Modifier("B"), Modifier("")))

    assert rules_in({"melee": [melee]}) == {RuleId("A"), RuleId("B")}


def test_what_was_found_is_written_as_a_case_writes_it() -> None:
    assert shown(Melee(("A",))) == '{rules = ["A"], modifiers = []}'
    assert shown(LossRecorded(piece="s1", men=1)) == '{kind = "loss_recorded", piece = "s1", men = 1}'
