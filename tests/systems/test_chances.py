"""Chances: what is weighed agrees with what is thrown, in every system and for each kind of attack."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import msgspec
import pytest

from pbem.kernel.dice import SeededDice
from pbem.kernel.names import Moment, Role
from pbem.rules import registry
from pbem.rules.chances import Asked, Attack, Fallen, odds, sample, weigh
from pbem.rules.contract import World
from tests.systems.kriegsspiel.odds import facing, known
from tests.systems.play import SYSTEMS, Game, scenarios, seed
from tests.systems.secret import autoplay, odds_of, plug

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


@pytest.mark.parametrize(("blocks", "chance"), [(1, Fraction(3, 4)), (4, Fraction(1, 4)), (6, Fraction(0))])
def test_a_blank_of_kriegsspiel_is_thrown_again_and_so_is_white_where_numbers_leave_no_doubt(
    blocks: int, chance: Fraction
) -> None:
    """A battalion of two at one, at four, and at six, who are foregone: Die IV is 3 to 1 though two faces are blank."""
    [attack] = known(facing("infantry", blocks, "line"), "to 1/F: attack e1")

    assert odds(attack).chance == chance


# ------------------------------------------------------------------ what is not known, supposed


LUCKS = [f"luck {number}" for number in range(8)]
SUPPOSING = [name for name in SYSTEMS if name in ("toy", "st-privat")]
BOARDS = [(name, scenario) for name in SUPPOSING for scenario in scenarios(name) if scenario != "open-board"]


def supposed(game: Game, role: Role, luck: str) -> World[Any, Any]:
    chances = game.system.chances
    assert chances is not None
    assert chances.suppose is not None
    dice = SeededDice(Moment(0), open_seed=seed(luck), closed_seed=seed(luck), forced={})
    return World(*chances.suppose(game.scene, game.world.minds[role], role, dice))


def positions(name: str, scenario: str) -> Iterator[Game]:
    """A game after each of its first exchanges."""
    game = Game(registry.load(name), scenario)
    yield game
    for _ in autoplay(game, plug(name), Random(5), 8):
        if not game.over:
            yield game


@pytest.mark.parametrize(("name", "scenario"), BOARDS)
def test_in_a_world_that_is_supposed_a_role_knows_what_it_knows_to_the_byte(name: str, scenario: str) -> None:
    differing = 0
    for game in positions(name, scenario):
        for role in game.roles:
            mind = game.world.minds[role]
            before = msgspec.json.encode(mind)
            one, *others = (supposed(game, role, luck) for luck in LUCKS)

            assert msgspec.json.encode(one.minds[role]) == msgspec.json.encode(mind) == before
            assert one.minds.keys() == game.world.minds.keys()
            assert game.system.awaits(one.truth) == game.pause
            assert one == supposed(game, role, LUCKS[0])
            differing += any(one.truth != other.truth for other in others)
    assert differing


@pytest.mark.parametrize(("name", "scenario"), BOARDS)
def test_a_world_that_is_supposed_can_be_played_on(name: str, scenario: str) -> None:
    for game in positions(name, scenario):
        for role in game.roles:
            on = Game(game.system, scenario, luck="on")
            on.world = supposed(game, role, "one")
            total = sum(on.system.counts(on.world.truth).values())
            for _ in on.silence(2):
                assert sum(on.system.counts(on.world.truth).values()) == total


def test_a_system_that_cannot_suppose_says_why() -> None:
    for name in SYSTEMS:
        chances = registry.load(name).chances
        assert chances is not None
        assert (chances.suppose is None) == (name not in SUPPOSING)
        assert (chances.suppose is None) == bool(chances.cannot)
