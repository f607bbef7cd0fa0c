"""The umpire's page: the field as it is, and what happened to both sides."""

from __future__ import annotations

from random import Random

import pytest

from pbem.kernel.names import Moment
from pbem.rules.view import View
from pbem.systems.half_league import SYSTEM
from pbem.systems.half_league.world.outcomes_combat import FireResolved
from pbem.systems.half_league.world.state import Battle
from tests.systems.play import Game, scenarios
from tests.systems.secret import autoplay, plug


def played(scenario: str, exchanges: int = 3) -> tuple[Game, View]:
    """Some turns of a scenario, with the page of the last."""
    game, before, at = Game(SYSTEM, scenario), 0, Moment(0, 1)
    start = len(game.facts)
    for pause in autoplay(game, plug("half-league"), Random(20), exchanges):
        before, start, at = start, len(game.facts), pause.moment
    assert SYSTEM.umpire is not None
    return game, SYSTEM.umpire(game.scene, game.world, game.facts[:before], game.facts[before:], at)  # type: ignore[arg-type]  # its facts are of this game


@pytest.mark.parametrize("scenario", scenarios("half-league"))
def test_all_that_stand_are_on_it_by_their_own_names(scenario: str) -> None:
    game, page = played(scenario)
    truth: Battle = game.world.truth
    there = {one.id for one in truth.units.values() if one.there}

    assert {troop.label for troop in page.picture.troops} >= there
    assert {row[0] for table in page.own for row in table.rows if table.columns[0] == "Unit"} == there
    unseen, standing = page.enemy
    assert {row[0] for row in unseen.rows} == there
    assert {row[0] for row in standing.rows} == {str(role) for role in game.roles}


def test_it_says_what_each_side_has_of_a_unit_of_the_other() -> None:
    game, page = played("great-redoubt", 1)
    truth: Battle = game.world.truth
    known = {row[0]: row[3] for row in page.enemy[0].rows}

    for unit in truth.units.values():
        if unit.there:
            label = truth.labels["russian" if unit.side == "allied" else "allied"].get(unit.id)  # type: ignore[index]  # roles
            assert known[unit.id] == {None: "not seen", unit.id: "known by name"}.get(label, label)


def test_what_happened_is_told_of_both_sides_and_in_no_sides_words() -> None:
    game, page = played("kourgane", 4)
    said = " ".join(f"{one.lead} {one.text}" for one in page.happened)
    shots = [fact for fact in game.facts if isinstance(fact, FireResolved) and fact.turn == page.moment.turn]

    assert shots
    for shot in shots:
        assert shot.target in said
    assert not [word for word in ("you", "You", "contact", "unseen") if f" {word} " in f" {said} "]
    thrown = {throw.name for one in page.happened for note in one.notes for throw in note.dice}
    assert {throw.name for shot in shots for throw in shot.dice} <= thrown
