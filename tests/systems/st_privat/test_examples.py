"""The examples that a player is given name what is his, and squares of his board."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement
from pbem.systems.st_privat import SYSTEM
from pbem.systems.st_privat.sheets.examples import own_forms
from pbem.systems.st_privat.world.language import EXAMPLES
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN
from tests.systems.play import Game

STEPS = 4
"""Exchanges of silence after which the examples are looked at again."""


@pytest.mark.parametrize("role", [FRENCH, PRUSSIAN])
@pytest.mark.parametrize("scenario", ["ste-marie", "graveyard", "open-board"])
def test_every_example_is_an_order_of_its_reader(scenario: str, role: Role) -> None:
    game = Game(SYSTEM, scenario)
    for _ in range(STEPS):
        forms = own_forms(game.scene, game.world.minds[role], role)
        assert set(forms) <= set(EXAMPLES)
        for example in forms.values():
            said = game.read(role, example)[1]
            assert not [one.why for one in said if one.judgement is Judgement.NOT_UNDERSTOOD], example
            assert not [one.why for one in said if "not your piece" in one.why], example
        game.play({})


def test_what_a_side_has_not_it_is_not_told_to_order() -> None:
    game = Game(SYSTEM, "ste-marie")
    french, prussian = (own_forms(game.scene, game.world.minds[side], side) for side in (FRENCH, PRUSSIAN))

    assert not {"shoot", "limber", "exit", "siege reveal"} & (french.keys() | prussian.keys())
    assert "card" not in prussian
    assert french["place"] == "place f1+f2 at D-4 in face n line"
    assert french["fire"] == "fire f1+f2 at D-6 else D-5"
    assert prussian["move"] == "move p1+p2+p3 via E-7 E-6"


def test_a_complaint_names_what_is_its_readers() -> None:
    game = Game(SYSTEM, "ste-marie")
    _, [complaint] = game.read(PRUSSIAN, "move p1 to nowhere")

    assert complaint.why.endswith("expected a square, like E-8")
    assert complaint.example == "move p1+p2+p3 via E-7 E-6"
