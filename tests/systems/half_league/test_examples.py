"""The examples that a player is given name what is his, and points and places of his map."""

from __future__ import annotations

import re

import pytest

from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement
from pbem.systems.half_league import SYSTEM
from pbem.systems.half_league.sheets.examples import own_forms
from pbem.systems.half_league.sheets.verbs import EXAMPLES
from tests.systems.play import Game, scenarios

EVERYBODY = [
    (scenario, role) for scenario in scenarios("half-league") for role in Game(SYSTEM, scenario).roles
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "role"), EVERYBODY)
def test_every_example_is_an_order_of_its_reader(scenario: str, role: Role) -> None:
    game = Game(SYSTEM, scenario)
    forms = own_forms(game.scene, game.world.minds[role], role)

    assert set(forms) <= set(EXAMPLES)
    for example in forms.values():
        said = game.read(role, example)[1]
        assert not [one.why for one in said if one.judgement is Judgement.NOT_UNDERSTOOD], example
        assert not [one.why for one in said if "none of your" in one.why or "command" in one.why], example


@pytest.mark.parametrize(("scenario", "role"), EVERYBODY)
def test_the_units_named_are_his_or_enemies_in_his_sight(scenario: str, role: Role) -> None:
    game = Game(SYSTEM, scenario)
    mind = game.world.minds[role]
    said = " ".join(own_forms(game.scene, mind, role).values())

    named = set(re.findall(r"\b[A-Z]{2}-\w+|\bcontact \d+", said))
    assert named - {"contact 1", "contact 2"} <= mind.units.keys() | mind.leaders.keys()


def test_who_has_no_army_and_no_guns_is_not_told_to_order_them() -> None:
    game = Game(SYSTEM, "great-redoubt")
    guards, allied = (
        own_forms(game.scene, game.world.minds[role], role) for role in (Role("allied.guards"), Role("allied"))
    )

    assert not {"initiative", "flank", "army-pull", "bombard", "prolong"} & set(guards)
    assert guards["brigadier"] == "brigadier BG-GDS fire unit UK-CG"
    assert allied["army-pull"] == "army-pull AC-1 when chits >= 3"
    assert allied["prolong"].startswith("UK-A3 prolong ")


def test_a_complaint_names_what_is_its_readers() -> None:
    _, [complaint] = Game(SYSTEM, "great-redoubt").read(Role("russian.right"), "move forward")

    assert "UK-7" not in complaint.why
    assert complaint.example.startswith("RU-")
