"""Set-up lines that were read for a later exchange."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.rules import registry
from tests.systems.play import Game


def test_who_sets_up_after_the_opening_is_told_that_it_was_over() -> None:
    game = Game(registry.load("kriegsspiel"), "kreuzweg")
    for _ in game.silence(1):
        pass
    role = Role("asmus")
    mind = game.world.minds[role]
    acts = game.system.read(game.scene, lines_of("start 1/F at Kreuzweg"), mind, role, None).items

    game.resolve({role: acts})

    assert acts
    assert [(told.line, told.text) for told in game.page(role).ordered] == [(1, "The opening was over.")]
