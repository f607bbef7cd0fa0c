"""The umpire's page: the field as it is."""

from __future__ import annotations

from pbem.kernel.names import Moment
from pbem.rules.view import View
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.world.state import FRENCH, GERMAN, Battle
from tests.systems.play import Game


def played() -> tuple[Game, View]:
    """A turn at the Golden Bremm, with its page."""
    game = Game(SYSTEM, "golden-bremm")
    before = len(game.facts)
    game.play({GERMAN: "PR-2 move S 9\npolicy shaken prone", FRENCH: "FR-3 move N 9\nFR-2 face E"})
    assert SYSTEM.umpire is not None
    return game, SYSTEM.umpire(game.scene, game.world, game.facts[:before], game.facts[before:], Moment(1, 1))  # type: ignore[arg-type]  # its facts are of this game


def test_all_that_stand_are_on_it_with_their_losses_and_what_the_enemy_has_of_them() -> None:
    game, page = played()
    truth: Battle = game.world.truth

    french, german, *coming = page.own
    assert [row[0] for row in french.rows] == ["FR-1", "FR-2", "FR-3", "FR-M1"]
    assert [row[0] for row in german.rows] == ["PR-1", "PR-2", "PR-3", "PR-A1"]
    assert [table.caption for table in coming] == ["German, still to come."]
    assert {troop.label for troop in page.picture.troops} >= {one.id for one in truth.units.values() if one.stands}
    [sight] = page.enemy
    assert ("FR-1", "French", "yes", "known by name") in sight.rows
    assert ("PR-3", "German", "yes", "contact 2") in sight.rows
    assert "German standing orders: policy shaken prone." in page.brief


def test_what_happened_is_told_of_both_sides_card_by_card_and_in_no_sides_words() -> None:
    _, page = played()
    said = " ".join(f"{one.lead} {one.text}" for one in page.happened)

    assert "PR-2 checked Rifle Losses and is shaken. PR-2 lay down." in said
    assert "PR-2 could not carry out line 1, “move S 9”: it was prone." in said
    assert "FR-3 went" in said
    assert "FR-2 wheeled to face E." in said
    assert not [word for word in ("you", "You", "contact") if f" {word} " in said]
    assert len([one for one in page.happened if one.phase == "The cards"]) == 10


def test_a_check_is_told_by_the_status_that_a_unit_had_then_and_not_by_what_it_has_now() -> None:
    game = Game(SYSTEM, "golden-bremm")
    before = len(game.facts)
    for _ in range(3):
        game.play({})
        assert SYSTEM.umpire is not None
        page = SYSTEM.umpire(game.scene, game.world, (), game.facts[before:], Moment(game.world.truth.turn - 1, 1))  # type: ignore[arg-type]
        told = {said.strip(" .") for lines in game.told.values() for one in lines for said in one.text.split(". ")}
        checks = [said.strip(" .") for one in page.happened for said in one.text.split(". ") if " checked " in said]
        assert set(checks) <= told
        before = len(game.facts)
