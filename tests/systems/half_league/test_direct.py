"""What the umpire may put into the state: slips are refused, and a ruling tells no more than it must."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.orders.sheet import Line
from pbem.rules import registry
from pbem.systems.half_league import SYSTEM
from pbem.systems.half_league.world.outcomes import GmRuling, Sighting
from tests.systems.play import Game


def ruled(text: str) -> tuple[Game, list[str]]:
    """A game of the Kourgane Hill after its first turn, and what is refused of a directive."""
    game = Game(registry.load("half-league"), "kourgane")
    game.play({})
    reading = SYSTEM.direct(game.scene, game.world, [Line(1, text)], {})
    game.facts.clear()
    game.add(reading.items)
    return game, [one.why for one in reading.complaints]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("set BG-COD attached_to UK-99", "UK-99"),
        ("set BG-COD attached_to RU-1", "a leader is with his own side"),
        ("set UK-7 charge_target RU-99", "RU-99"),
        ("set UK-7 charge_target UK-33", "UK-33 is a friend of UK-7"),
        ("set UK-7 chits banana", "chits cannot be banana: Expected `int`, got `str`"),
    ],
)
def test_a_slip_of_the_umpire_is_refused(text: str, why: str) -> None:
    game, whys = ruled(text)

    assert len(whys) == 1
    assert why in whys[0]
    assert game.facts == []


def test_a_ruling_on_a_secret_thing_tells_the_enemy_nothing() -> None:
    game, whys = ruled("set RU-1 command_points 3")

    assert whys == []
    assert [type(one) for one in game.facts] == [GmRuling]
    assert Role("allied") not in game.facts[0].known


def test_a_ruling_on_what_the_enemy_sees_tells_him_of_that_alone() -> None:
    game, _ = ruled("place UK-7 at 61,66")
    (sighting,) = [one for one in game.facts if isinstance(one, Sighting)]

    assert [unit.id for unit in sighting.new_units] == ["UK-7"]
