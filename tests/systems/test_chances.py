"""Chances: what is weighed agrees with what is thrown, in every system and for each kind of attack."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random

import pytest

from pbem.rules.chances import Asked, Attack, Fallen, sample, weigh
from tests.systems.play import SYSTEMS
from tests.systems.secret import odds_of

THROWS = 100_000
ERRORS = 3
"""Standard errors within which what is thrown must lie of what is weighed."""
FARTHEST = 2_000_000

KINDS = {
    "toy": {"fire"},
    "st-privat": {"rifle fire", "artillery", "charge"},
    "empire-1870": {"combat", "siege"},
    "half-league": {"fire", "charge", "bombardment"},
    "crossroads": {"fire", "charge"},
    "kriegsspiel": {"fight", "fire"},
}
"""Of each system the attacks that it has odds of."""


@cache
def examples(system: str) -> tuple[Attack, ...]:
    return tuple(odds_of(system).examples())


def test_each_kind_of_attack_has_an_example() -> None:
    assert {name: {attack.kind for attack in examples(name)} for name in SYSTEMS} == KINDS


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_weighed_agrees_with_what_is_thrown(system: str) -> None:
    for number, attack in enumerate(examples(system)):
        random = Random(f"{system}/{number}")

        def throw(asked: Asked, random: Random = random) -> Fallen:
            return asked.read(random.choices(range(1, asked.sides + 1), k=asked.number))

        weights = weigh(attack, FARTHEST)
        assert weights is not None, attack.what
        assert sum(weights.values()) == 1
        thrown = sample(attack, THROWS, throw)
        assert thrown.keys() <= weights.keys()

        good = sum((share for came, share in weights.items() if came.good), Fraction(0))
        count = sum(times for came, times in thrown.items() if came.good)
        assert abs(count - THROWS * good) <= ERRORS * sqrt(THROWS * good * (1 - good)), attack.what

        mean = sum((came.lost * share for came, share in weights.items()), Fraction(0))
        spread = sum((came.lost**2 * share for came, share in weights.items()), Fraction(0)) - mean**2
        lost = sum(came.lost * times for came, times in thrown.items())
        assert abs(lost - THROWS * mean) <= ERRORS * sqrt(THROWS * spread), attack.what
