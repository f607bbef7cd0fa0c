"""How single facts are told: to whom, and in which words."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.state import FRENCH, GERMAN
from tests.systems.play import Game


def told(game: Game, side: Role) -> str:
    """All sentences that a side has been told."""
    return " ".join(one.text for one in game.told[side])


def test_that_a_friend_stood_in_the_way_is_not_told_to_the_enemy_who_may_not_see_him() -> None:
    game = Game(SYSTEM, "golden-bremm")
    game.play({GERMAN: "PR-3 move to 21,30"})

    assert "PR-3 went 1.8 inches to 26.7,35.3, facing S, before a friendly unit." in told(game, GERMAN)
    assert "Contact 3 went 1.8 inches to 26.7,35.3, facing S." in told(game, FRENCH)
