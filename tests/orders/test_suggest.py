"""A word is suggested only where it is like what was typed."""

from __future__ import annotations

import pytest

from pbem.orders.suggest import closest


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("mvoe", "move"), ("MOVEE", "move"), ("chrage", "charge"), ("xyz", None), ("", None)],
)
def test_the_likest_word_is_suggested(typed: str, meant: str | None) -> None:
    assert closest(typed, ["charge", "hold", "move"]) == meant


def test_of_two_equally_like_the_first_in_the_alphabet_whatever_their_order() -> None:
    assert closest("p1", ["p3", "p2"]) == closest("p1", ["p2", "p3"])


def test_nothing_is_suggested_for_what_is_no_word() -> None:
    assert closest("m" * 100_000, ["move"]) is None
