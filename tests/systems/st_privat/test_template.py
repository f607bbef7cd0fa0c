"""The lines that a page offers."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.rules import registry
from tests.systems.play import Game


def test_a_default_that_an_option_has_taken_away_stands_behind_a_mark() -> None:
    game = Game(registry.load("st-privat"), "graveyard", options={"limber_distribution.prussian": 2})
    game.play({})
    role = Role("prussian")
    template = game.page(role).template

    orders, complaints = game.read(role, "\n".join(template))

    assert orders
    assert not [one for one in complaints if one.judgement.refuses]
    assert [line for line in template if line.startswith("# section pg3 limbered with limber 3")]
    assert "section pg2 limbered with limber 2" in template
