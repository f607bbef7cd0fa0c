"""How single facts are told: to whom, and in which words."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.page.sentences import ReportLine, gathered
from pbem.systems.crossroads.page.sentences import told as told_of
from pbem.systems.crossroads.page.telling import tell
from pbem.systems.crossroads.tables.morale import Result
from pbem.systems.crossroads.world.outcomes import DeckBuilt
from pbem.systems.crossroads.world.outcomes_combat import MoraleChecked
from pbem.systems.crossroads.world.patches import Status
from pbem.systems.crossroads.world.state import FRENCH, GERMAN, Battle
from tests.systems.crossroads.ground import field, scene
from tests.systems.play import Game


def told(game: Game, side: Role) -> str:
    """All sentences that a side has been told."""
    return " ".join(one.text for one in game.told[side])


def test_that_a_friend_stood_in_the_way_is_not_told_to_the_enemy_who_may_not_see_him() -> None:
    game = Game(SYSTEM, "golden-bremm")
    game.play({GERMAN: "PR-3 move to 21,30"})

    assert "PR-3 went 1.6 inches to 26.8,35.4, facing S, before a friendly unit." in told(game, GERMAN)
    assert "Contact 2 went 1.6 inches to 26.8,35.4, facing S." in told(game, FRENCH)


@pytest.mark.parametrize(
    ("status", "result", "said"),
    [
        ("good", "S", "is shaken"),
        ("shaken", "S", "stays shaken"),
        ("withdrawn", "S", "stays withdrawn"),
        ("withdrawn", "WD", "falls back again"),
        ("routed", "S", "flees again"),
        ("routed", "WD", "flees again"),
    ],
)
def test_a_check_is_told_by_what_it_does_to_a_unit_that_was_broken_before(
    status: Status, result: Result, said: str
) -> None:
    mind = field("golden-bremm").battle
    mind = replace(mind, units={**mind.units, "PR-3": replace(mind.units["PR-3"], status=status)})
    fact = MoraleChecked(
        side=GERMAN, unit="PR-3", row="Rifle Losses", level=3, die_sides=10, natural=5, need=6, result=result
    )

    [line] = tell(scene("golden-bremm"), fact, mind, GERMAN)

    assert line.text == f"PR-3 checked Rifle Losses and {said}."


def test_a_check_that_needed_no_die_is_a_note_to_its_owner_and_nothing_to_the_enemy() -> None:
    mind = field("golden-bremm").battle
    fact = MoraleChecked(side=GERMAN, unit="PR-3", row="Rifle Losses", level=0, die_sides=10, natural=0, result="pass")

    [mine], [theirs] = (tell(scene("golden-bremm"), fact, mind, side) for side in (GERMAN, FRENCH))

    assert [note.text for note in mine.notes] == ["PR-3, Rifle Losses: level 0 passes."]
    assert not theirs.notes
    assert not mine.text + theirs.text


def test_the_summary_tells_all_that_decides_of_one_card_and_says_nothing_twice() -> None:
    def line(text: str, weight: int) -> ReportLine:
        return told_of(DeckBuilt(turn=1, seq=1), Battle(), text, weight=weight, headline=text)

    card = gathered(
        [line("Five hits.", 3).opening(), line("FR-1 routs.", 5), line("PR-2 wins.", 6), line("FR-1 is gone.", 7)]
    )

    assert [one.gist for one in card] == ["PR-2 wins. FR-1 is gone."]
    assert card[0].headline == "FR-1 is gone."


def test_an_enemy_who_lost_nobody_lost_none() -> None:
    game = Game(SYSTEM, "golden-bremm")
    game.play({FRENCH: "star FR-1 none\nFR-1 none\nFR-2 none\nFR-M1 none\nFR-3 none"})

    assert any(said.endswith("the enemy, as far as you saw, none.") for said in game.page(FRENCH).brief)


def test_of_an_officer_who_comes_into_sight_the_enemy_is_not_told_how_far_he_has_come() -> None:
    game = Game(SYSTEM, "golden-bremm")
    game.play({GERMAN: "officer KO-1 move to Clover Hill first", FRENCH: "officer FO-1 attach FR-2 first"})

    assert "KO-1, Oberst von Rex, rode 18 inches to 33.3,21.9." in told(game, GERMAN)
    assert "KO-1 rode up to 33.3,21.9." in told(game, FRENCH)
    assert "FO-1" not in told(game, FRENCH)


def test_who_comes_in_the_turn_that_opens_is_still_to_come() -> None:
    game = Game(SYSTEM, "golden-bremm")
    game.play({})

    [coming] = [table for table in game.page(GERMAN).own if table.caption == "Still to come."]
    assert [row[:2] for row in coming.rows] == [("turn 2", "BA-1")]


def ruled(game: Game, *directives: str) -> None:
    """Let the umpire's words come to pass, one after the other."""
    for directive in directives:
        reading = SYSTEM.direct(game.scene, game.world, lines_of(directive), {})
        assert not reading.complaints, reading.complaints
        for fact in reading.items:
            game.add([fact])


def test_where_one_is_seen_to_stand_no_ghost_of_another_does() -> None:
    game = Game(SYSTEM, "open-board")
    ruled(game, "place PR-1 at 48,44 facing S line", "place FR-1 at 48,20 facing N column")
    ruled(game, "place FR-2 at 48,24 facing N line")
    mind: Battle = game.world.minds[GERMAN]
    assert set(mind.ghosts) == {"contact 1"}

    ruled(game, "place PR-1 at 62,44 facing S line")

    mind = game.world.minds[GERMAN]
    assert {unit.pos for unit in mind.units.values() if unit.side == FRENCH and unit.stands} == {
        Point(480, 200),
        Point(480, 240),
    }
    assert not mind.ghosts


def test_a_charge_at_the_nearest_that_could_not_be_made_says_who_that_was() -> None:
    game = Game(SYSTEM, "golden-bremm")
    game.play({GERMAN: "PR-2 move S 9", FRENCH: "FR-1 none\nFR-M1 none\nstar FR-3 none"})
    game.play({FRENCH: "FR-2 charge nearest"})

    assert re.search(
        r"FR-2 could not carry out line 1, “charge nearest”: PR-\d was not in its front arc\.", told(game, FRENCH)
    )
