"""What is supposed of a field looks as a side knows it, and no hidden piece is where it truly is but by chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pbem.kernel.dice import SeededDice
from pbem.kernel.names import Moment
from pbem.systems.st_privat import SYSTEM
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.sheets.suppose import known_to, suppose
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, PRUSSIAN, SIDES
from pbem.systems.st_privat.world.state import Battle
from tests.systems.play import Game, seed
from tests.systems.secret import autoplay, plug


@pytest.fixture(scope="module")
def game() -> Game:
    """Graveyard after some exchanges."""
    found = Game(SYSTEM, "graveyard")
    for _ in autoplay(found, plug("st-privat"), Random(3), 6):
        pass
    return found


def supposed(game: Game, side: str, lucks: int = 4) -> Iterator[Battle]:
    for luck in range(lucks):
        dice = SeededDice(Moment(0), open_seed=seed(f"{luck}"), closed_seed=seed(f"{luck}"), forced={})
        for role in SIDES:
            if role == side:
                yield suppose(game.scene, game.world.minds[role], role, dice)[0]


@pytest.mark.parametrize("side", SIDES)
def test_what_a_side_would_see_there_is_what_it_sees(game: Game, side: str) -> None:
    mind = next(mind for role, mind in game.world.minds.items() if role == side)
    for truth in supposed(game, side):
        assert mind.viewer is not None
        again = known_to(Field(game.scene, truth), mind.viewer)

        assert again.cards == mind.cards
        theirs = {name: piece for name, piece in mind.pieces.items() if piece.side == ENEMY[mind.viewer]}
        assert {name: again.pieces.get(name) for name in theirs if theirs[name].is_open and theirs[name].stands} == {
            name: piece for name, piece in theirs.items() if piece.is_open and piece.stands
        }


def test_under_the_cards_lies_somebody_of_the_order_of_battle_and_not_who_truly_does(game: Game) -> None:
    truly = {name: one.square for name, one in game.world.truth.pieces.items() if one.side == FRENCH and one.hidden}
    found = [{name: truth.pieces[name].square for name in truly} for truth in supposed(game, PRUSSIAN)]

    assert all(set(truth.pieces) == set(game.world.truth.pieces) for truth in supposed(game, PRUSSIAN))
    assert truly not in found
    assert len({tuple(sorted(one.items(), key=str)) for one in found}) > 1


def test_the_siege_gun_that_nobody_saw_may_stand_wherever_its_zone_is_thrown(game: Game) -> None:
    places = {truth.pieces["ps1"].square for truth in supposed(game, FRENCH, 12)}

    assert "ps1" not in game.world.minds[FRENCH].pieces
    assert None not in places
    assert len(places) > 1
