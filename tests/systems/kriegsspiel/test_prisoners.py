"""Who is taken: what he reads, what is asked of him, who follows him, and who knows of it when."""

from __future__ import annotations

import re

from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.systems.kriegsspiel import SYSTEM
from tests.systems.play import Game

AUER, BRANDT, KESSEL = Role("auer"), Role("brandt"), Role("kessel")
OVERRUN = """
place red H5/1 at 6000,300 facing E in cav_line
place blue 3/F at 7000,900 facing W in line
set person brandt at 3900,900
set person auer at 6300,340
red H5/1: react enemy_seen ignore
red H5/1: march to 6400,300 in cav_line
"""


def overrun(more: str = "", **options: int) -> Game:
    """A game in which red cavalry rides over Auer in the first move."""
    game = Game(SYSTEM, "muehlrode", options={"turn_moves": 3, "step_moves": 3, **options})
    game.play({})
    reading = SYSTEM.direct(game.scene, game.world, lines_of(OVERRUN + more), {})
    assert not reading.complaints
    game.add(reading.items)
    return game


def called(game: Game) -> tuple[str, ...]:
    """Who is asked now."""
    return tuple(call.role for call in game.pause.calls)


def test_a_prisoner_is_headed_so_asked_nothing_and_called_as_the_major_that_he_becomes() -> None:
    game = overrun()
    game.play({})
    taken = game.page(AUER)

    assert AUER not in called(game)
    assert BRANDT in called(game)
    assert (taken.title, taken.owed, taken.template) == ("You are a prisoner", "", ())
    assert taken.brief[0].startswith("You are a prisoner of the enemy and give no orders.")
    assert not any(".." in line.text for line in taken.happened)

    game.play({})
    back = game.page(AUER)

    assert AUER in called(game)
    assert (back.title, back.addressed) == (
        "You go on as the major of 3/F",
        "the major of 3/F, Blue outposts and cavalry",
    )
    assert game.world.minds[AUER].command == ("3/F",)
    assert not game.read(AUER, "to 3/F: halt")[1]


def test_he_is_called_at_the_next_step_of_the_run_in_which_he_goes_on() -> None:
    game = overrun(turn_moves=9, step_moves=3)
    game.play({})
    while AUER not in called(game):
        game.play({})

    assert game.pause.moment.halt == 6
    assert {call.role: call.why for call in game.pause.calls}[AUER].startswith("you go on as the major of 3/F")


def test_who_follows_him_reads_his_command_as_before_until_a_rider_brings_the_word() -> None:
    game = overrun()
    game.play({})
    before = game.page(BRANDT)

    assert "Auer has been taken" not in repr(before)
    assert not game.world.minds[BRANDT].comrades[AUER].captured

    game.play({})
    after = game.page(BRANDT)

    assert after.title == "Major Auer has been taken by the enemy"
    assert [line.quote for line in after.happened if "taken by the enemy" in line.quote] == [
        "Major Auer has been taken by the enemy; outposts, C4, U3/4a, U3/4b, U3/4c, U3/4d and 3/Fb are under your "
        "command now."
    ]
    assert game.world.minds[BRANDT].comrades[AUER].captured


def test_the_papers_that_had_not_left_are_taken_with_him_and_he_is_told() -> None:
    game = overrun()
    long = " ".join(["word"] * 200)
    game.play({AUER: f"letter brandt: {long}"})
    told = " ".join(line.text for line in game.page(AUER).happened)

    assert re.search("Your paper 1 to .*Brandt had not left; it is taken with you.", told)
    for _ in range(3):
        game.play({})
    assert long not in repr(game.world.minds[BRANDT].received)


def test_only_the_commander_in_chief_offers_the_end_and_who_follows_him_may() -> None:
    game = overrun("set person brandt at 6300,330\nset person kessel stand map\nset person kessel at 6300,800")

    assert game.read(KESSEL, "offer end")[1]
    game.play({})
    assert not game.read(KESSEL, "offer end")[1]


def test_a_major_who_calls_to_what_was_once_his_is_sent_to_his_superior() -> None:
    game = overrun()
    for _ in range(2):
        game.play({})
    told = game.read(AUER, "voice U3/1: halt")[1]

    assert [(one.why, one.instead) for one in told] == [("U3/1 is not under your command", "letter Brandt: ...")]
