"""A game of five years, by its sheets."""

from __future__ import annotations

from sheets import sheets

from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.suite.play import Game


def played() -> Game:
    """The game, played to its end."""
    game = Game(registry.load("diplomacy"), "standard", options={"last_year": 1905})
    for moment, of_all in sheets().items():
        assert str(game.pause.moment) == moment
        assert set(of_all) <= {call.role for call in game.pause.calls}
        for role, sheet in of_all.items():
            assert list(game.read(role, sheet)[1]) == []
        game.play(of_all)
    return game


def test_every_order_is_taken_and_the_game_comes_to_this() -> None:
    game = played()
    europe = game.world.truth

    assert game.over
    assert europe.winner is None
    assert europe.vp == {
        "austria": 7, "england": 4, "france": 9, "germany": 3, "italy": 6, "russia": 5, "turkey": 0
    }  # fmt: skip
    assert europe.owners["lvp"] == "france"
    assert {unit.at for unit in europe.units.values() if unit.side == "italy"} >= {"vie", "ank"}


def test_who_was_eaten_is_out() -> None:
    game = played()

    assert game.system.out is not None
    assert tuple(game.system.out(game.world.truth)) == (Role("turkey"),)


def test_everybody_reads_the_same_of_what_happened() -> None:
    game = Game(registry.load("diplomacy"), "standard")
    game.play(sheets()["1901A"])
    pages = [[one.text for one in game.page(role).happened] for role in game.roles]

    assert all(page == pages[0] for page in pages)
    assert any("Army Marseilles supports army Paris to Burgundy." in text for text in pages[0])
    assert "Nobody gets into Galicia." in pages[0]
