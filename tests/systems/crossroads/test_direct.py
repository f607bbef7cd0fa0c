"""The GM's language at the crossroads: what it takes, and what it says of a directive that it cannot carry out."""

from __future__ import annotations

import pytest

from pbem.kernel.names import FULL, Role
from pbem.orders.sheet import lines_of
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.gm.direct import FORMS
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.play import Game


def ruled(game: Game, text: str, *, known: bool = False) -> list[str]:
    """Carry *text* out; what is said against it."""
    marks = {GERMAN: FULL} if known else {}
    reading = SYSTEM.direct(game.scene, game.world, lines_of(text), marks)
    game.add(reading.items)
    return [one.why for one in reading.complaints]


@pytest.mark.parametrize("example", FORMS.values())
def test_every_example_is_taken(example: str) -> None:
    assert ruled(Game(SYSTEM, "la-folie"), example) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("move PR-1 to 3,4", '"move" is no directive'),
        ("place PR-1 at 97,3", "is no point of the table"),
        ("place PR-1 at 40,40 facing up", '"up" is no direction'),
        ("place PR-1 at 40,40 facing S limbered", "infantry has no formation limbered"),
        ("place PR-99 at 40,40", "there is no unit PR-99"),
        ("set PR-1 losses 24", "has 24 figures"),
        ("set PR-1 courage 3", 'has no attribute "courage"'),
        ("set PR-1 status brave", "cannot be brave"),
        ("set weather fine", "no piece and no attribute of the game"),
        ("set deck PR-7", "has no card"),
        ("set holder german Berlin", 'there is no place "Berlin"'),
        ("set controller danish", '"danish" is no side'),
        ("identify german PR-1", "is no unit of the enemy"),
        ("remove KO-1 destroyed", "is an officer"),
        ("remove PR-1 tired", "a status is"),
        ("option level_four 1", "an option is wrong"),
        ("set PR-1 formation deployed", "infantry has no formation deployed"),
        ("set PR-A1 prone true", "artillery is not prone"),
        ("set PR-1 jammed true", "infantry does not jam"),
        ("set PR-1 crossing 2", "infantry pays for an obstacle at once"),
        ("set FR-1 green true", "french units are led by nobody"),
        ("set PR-1 attached_officer KO-1", "set ID attached PR-1"),
        ("set KO-1 attached FR-1", "is no unit of his side"),
        ("set PR-1 status destroyed", "write remove PR-1 destroyed"),
        ("set deck PR-1 FR-1 PR-1", "PR-1 stands twice"),
    ],
)
def test_what_cannot_be_done_is_said(text: str, why: str) -> None:
    (said,) = ruled(Game(SYSTEM, "la-folie"), text)

    assert why in said


def test_a_ruling_is_told_to_whom_it_is_marked_for_and_seen_by_whom_can_see_it() -> None:
    game = Game(SYSTEM, "la-folie")
    before = game.world.minds[FRENCH]
    assert ruled(game, "set PR-6 losses 3", known=True) == []
    assert game.world.minds[GERMAN].units["PR-6"].losses == 3
    assert game.world.minds[FRENCH] == before

    assert ruled(game, "set PR-1 status shaken", known=True) == []
    contact = next(one for one in game.world.minds[FRENCH].units.values() if one.at == "52.0,60.0")
    assert contact.status == "shaken"
    assert not contact.known


def test_where_a_unit_is_set_its_officer_goes_along() -> None:
    game = Game(SYSTEM, "la-folie")
    assert ruled(game, "set PR-1 pos 30,60\nset PR-7 status shaken\nset turn 4") == []
    game.play({})

    truth = game.world.truth
    assert truth.officers["KO-1"].at == "30.0,61.5"
    assert truth.units["PR-7"].pos is not None


def test_an_officer_who_is_set_away_from_his_unit_or_whose_unit_is_gone_is_alone() -> None:
    game = Game(SYSTEM, "la-folie")
    assert ruled(game, "place KO-1 at 60,50\nremove BA-1 destroyed\nplace BO-1 at 20,60") == []

    truth = game.world.truth
    assert (truth.officers["KO-1"].attached, truth.units["PR-1"].attached_officer) == ("", "")
    assert truth.officers["BO-1"].attached == ""


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "option level_zero as_level_1", "set turn 3", "set phase turn_end", "set controller german",
        "set holder german Stiring", "set PR-6 losses 3", "set FR-6 losses 3", "remove PR-1 destroyed",
    ],
)  # fmt: skip
def test_the_clock_the_options_and_its_own_units_a_side_knows_though_nobody_tells_it_of_the_ruling(
    text: str, known: bool
) -> None:
    game = Game(SYSTEM, "la-folie")
    assert ruled(game, text, known=known) == []

    truth = game.world.truth
    for role, mind in game.world.minds.items():
        for field in ("turn", "phase", "controller", "options", "holders"):
            assert getattr(mind, field) == getattr(truth, field), (role, field)
        assert all(mind.units[name] == one for name, one in truth.units.items() if one.side == role)


def told_of(game: Game, fact: Fact, role: Role) -> str:
    """What a role is told of a fact, and the fact as it gets it."""
    got = SYSTEM.seen(fact, fact.known[role], role)
    assert got is not None
    return f"{SYSTEM.tell(game.scene, got, game.world.minds[role], role)} {getattr(got, 'text', '')}"


def test_a_ruling_for_the_ears_of_one_side_is_not_told_to_the_other() -> None:
    game = Game(SYSTEM, "la-folie")
    (fact,) = SYSTEM.direct(game.scene, game.world, lines_of("set FR-6 losses 3"), {GERMAN: FULL}).items

    assert told_of(game, fact, FRENCH) == "[] "
    assert "set FR-6 losses 3" in told_of(game, fact, GERMAN)


def test_in_what_order_the_cards_will_come_is_told_to_nobody() -> None:
    game = Game(SYSTEM, "la-folie")
    (fact,) = SYSTEM.direct(game.scene, game.world, lines_of("set deck PR-1 FR-1"), {}).items

    for role in (FRENCH, GERMAN):
        assert "The umpire ruled." in told_of(game, fact, role)
        assert "deck" not in told_of(game, fact, role)
