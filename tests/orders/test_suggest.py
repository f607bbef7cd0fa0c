"""A word is suggested only where it is like what was typed."""

from __future__ import annotations

import pytest

from pbem.orders.suggest import closest, look_into, patience


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("mvoe", "move"), ("MOVEE", "move"), ("chrage", "charge"), ("xyz", None), ("", None)],
)
def test_the_likest_word_is_suggested(typed: str, meant: str | None) -> None:
    assert closest(typed, ["charge", "hold", "move"]) == meant


@pytest.mark.parametrize(
    ("typed", "word"),
    [("now", "no"), ("once", "none"), ("was", "as"), ("ok", "look"), ("hallo", "gallop"), ("so", "to")],
)
def test_another_word_is_no_slip(typed: str, word: str) -> None:
    assert closest(typed, [word]) is None


@pytest.mark.parametrize(
    ("typed", "word"),
    [("hodl", "hold"), ("bomb", "bombard"), ("formatoin", "formation"), ("UK7", "UK-7"), ("pgl", "pg1")],
)
def test_a_slip_is_known(typed: str, word: str) -> None:
    assert closest(typed, [word]) == word


def test_of_two_equally_like_the_first_in_the_alphabet_whatever_their_order() -> None:
    assert closest("p1", ["p3", "p2"]) == closest("p1", ["p2", "p3"])


def test_nothing_is_suggested_for_what_is_no_word() -> None:
    assert closest("m" * 100_000, ["move"]) is None


def test_of_very_many_mistakes_a_few_are_looked_into() -> None:
    with patience(2):
        assert [look_into() for _ in range(4)] == [True, True, False, False]
        assert closest("mvoe", ["move"]) is None
    assert look_into()
    assert closest("mvoe", ["move"]) == "move"
