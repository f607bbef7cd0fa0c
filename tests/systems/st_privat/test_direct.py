"""What the GM may set right, and what he is told when it cannot be."""

from __future__ import annotations

from pbem.orders.sheet import lines_of
from pbem.systems.st_privat import SYSTEM
from tests.systems.play import Game


def ruled(game: Game, text: str) -> str:
    """Rule so; the first complaint, if there is one."""
    found = SYSTEM.direct(game.scene, game.world, lines_of(text), {})
    game.add(found.items)
    return found.complaints[0].why if found.complaints else ""


def test_a_stand_has_no_more_men_than_it_began_with() -> None:
    game = Game(SYSTEM, "open-board")
    ruled(game, "place p1+pc1 at Q-11 face s")

    assert ruled(game, "set p1 men 2") == ""
    assert "p1 has 3 men at most" in ruled(game, "set p1 men 99")
    assert "pc1 has 2 men at most" in ruled(game, "set pc1 men 3")
    assert game.world.truth.pieces["p1"].men == 2


def test_who_was_lost_comes_back_whole() -> None:
    game = Game(SYSTEM, "open-board")
    ruled(game, "place p1+p2 at Q-11 face s")
    ruled(game, "set p2 men 1")
    ruled(game, "set p1 men 0\nremove p1 killed")
    ruled(game, "place p1+p2 at Q-12 face s")

    pieces = game.world.truth.pieces
    assert (pieces["p1"].square, pieces["p1"].men) == ("Q-12", 3)
    assert pieces["p2"].men == 1


def test_nobody_is_set_down_beyond_the_board() -> None:
    game = Game(SYSTEM, "ste-marie")

    assert ruled(game, "set p1 square Z-99") == '"Z-99" is no square of the board'
    assert game.world.truth.pieces["p1"].square is None
