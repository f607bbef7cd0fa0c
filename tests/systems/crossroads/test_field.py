"""What holds of the field whatever is ordered: nobody stands on another, nobody off the table; each knows his own."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from pbem.ground.body import on_board
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.field.field import Field, lies_on
from pbem.systems.crossroads.world.state import Battle
from tests.systems.crossroads import secrets
from tests.systems.play import Game
from tests.systems.secret import Plug, plug, sheet


def likely() -> Plug:
    """Orders such as players may send."""
    return plug("crossroads")


def check(game: Game) -> None:
    """The field as it lies between two turns."""
    truth: Battle = game.world.truth
    field = Field(game.scene, truth)
    for one, other in combinations(field.standing, 2):
        assert not lies_on(field.shape(one), field.shape(other)), (one, other)
    for unit in field.standing:
        assert on_board(field.body(unit), game.scene.board), unit
        assert 0 <= unit.losses < unit.strength, unit
    for role in game.roles:
        mind: Battle = game.world.minds[role]
        assert {name: one for name, one in mind.units.items() if one.side == role} == {
            name: one for name, one in truth.units.items() if one.side == role
        }
        assert {name for name, one in mind.units.items() if one.known} <= set(truth.units)
        assert not mind.deck
        assert not mind.watch


@pytest.mark.parametrize(
    ("scenario", "luck"), [("golden-bremm", "green"), ("golden-bremm", "black"), ("la-folie", "red")]
)
def test_footprints_never_overlap_and_every_side_knows_its_own(scenario: str, luck: str) -> None:
    game, random = Game(SYSTEM, scenario, luck=luck), Random(luck)
    while not game.over:
        game.play({call.role: sheet(game, call.role, likely(), random) for call in game.pause.calls})
        check(game)

    assert secrets.likely(game, game.roles[0])


def test_the_shipped_scenarios_stand_as_they_should() -> None:
    for scenario in ("golden-bremm", "la-folie", "open-board"):
        check(Game(SYSTEM, scenario))
