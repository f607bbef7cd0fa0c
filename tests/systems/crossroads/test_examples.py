"""The examples that a player is given name what is his, and points of his table."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement, lines_of
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.sheets.examples import own_forms
from pbem.systems.crossroads.sheets.verbs import ACTIONS, EXAMPLES, GRAMMAR, order_in
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.play import Game

AUSTRIAN = Role("austrian")


@pytest.mark.parametrize(
    ("scenario", "role"),
    [
        *(("golden-bremm", role) for role in (FRENCH, GERMAN)),
        *(("la-folie", role) for role in (FRENCH, GERMAN)),
        *(("sadowa", role) for role in (AUSTRIAN, GERMAN)),
    ],
)
def test_every_example_is_an_order_of_its_reader(scenario: str, role: Role) -> None:
    game = Game(SYSTEM, scenario)
    mind = game.world.minds[role]
    forms = own_forms(game.scene, mind, role)

    assert set(forms) <= set(EXAMPLES)
    for example in forms.values():
        said = game.read(role, example)[1]
        assert not [one.why for one in said if one.judgement is Judgement.NOT_UNDERSTOOD], example
        assert not [one.why for one in said if "none of your" in one.why], example


def test_what_a_side_has_not_it_is_not_told_to_order() -> None:
    game = Game(SYSTEM, "golden-bremm")
    french, german = (own_forms(game.scene, game.world.minds[side], side) for side in (FRENCH, GERMAN))

    assert not {"joker", "officer lead"} & set(french)
    assert french["clear"] == "FR-M1 clear"
    assert "clear" not in german
    assert german["officer lead"] == "officer KO-1 lead PR-1, PR-2, PR-3 move S 8"
    assert french["move to"] == "FR-1 move to 24,20 via 24,15 facing N"


def test_a_complaint_names_what_is_its_readers() -> None:
    _, [complaint] = Game(SYSTEM, "golden-bremm").read(FRENCH, "Hello office")

    assert "orders begin with a unit or officer, like FR-1" in complaint.why


def test_every_kind_of_order_and_of_action_has_its_record() -> None:
    game = Game(SYSTEM, "la-folie")
    trees = [(line, GRAMMAR.tree(line.text)) for line in lines_of("\n".join(EXAMPLES.values()))]
    orders = [order_in(game.scene, line, tree) for line, tree in trees if tree is not None]

    assert {type(one) for one in orders} == set(say.ORDERS)
    assert {one.__struct_config__.tag for one in say.AnyAction.__args__} == ACTIONS.keys()
