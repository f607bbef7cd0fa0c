"""What a brigade gets of its brigadier."""

from __future__ import annotations

from pbem.kernel.names import FULL
from pbem.orders.sheet import lines_of
from pbem.rules import registry
from pbem.systems.half_league.fire.losses import kill
from pbem.systems.half_league.play.command import benefit_of
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.world.outcomes import SuccessorRolled
from tests.systems.play import Game

POSITION = """
set phase fire_small
place UK-7 at 60,50
place RU-2 at 60,46 facing N line
place BG-RIN with RU-2
set BG-RIN status killed_replaced
"""
FAILS = "luck 2"
"""The first successor throws less than five."""


def test_a_successor_who_falls_has_a_successor_with_a_die_of_his_own() -> None:
    game = Game(registry.load("half-league"), "open-board", luck=FAILS)
    for line in lines_of(POSITION.strip()):
        game.add(game.system.direct(game.scene, game.world, (line,), dict.fromkeys(game.roles, FULL)).items)
    play = Play(game.scene, game.world, {}, {}, game.dice(game.pause.moment))

    benefit_of(play, "RU-2", "fire")
    kill(play, "RU-2", "BG-RIN", at_once=True)
    benefit_of(play, "RU-2", "fire")

    rolled = [fact for fact in play.facts if isinstance(fact, SuccessorRolled)]
    assert [str(fact.dice[0].name) for fact in rolled] == ["1A/successor/BG-RIN", "1A/successor/BG-RIN/2"]
