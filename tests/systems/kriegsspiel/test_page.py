"""A commander's page: what became of his lines, how far play goes on, and what is told first."""

from __future__ import annotations

import re

import pytest

from pbem.kernel.names import Moment, Role
from pbem.kernel.office import Option
from pbem.rules.view import Told
from pbem.systems.kriegsspiel import SYSTEM
from pbem.systems.kriegsspiel.ordered import ordered, told_of
from pbem.systems.kriegsspiel.tidings import SheetTaken, Taken
from tests.systems.kriegsspiel.minds import opening, under_way
from tests.systems.play import Game

ASMUS, DORN = Role("asmus"), Role("dorn")


def game(scenario: str = "kreuzweg", **options: Option) -> Game:
    """A game before its first move."""
    return Game(SYSTEM, scenario, options=options)


def of_line(told: tuple[Told, ...]) -> dict[tuple[str, int], tuple[str | None, str]]:
    """What became of each line, by the moment of the sheet and its number."""
    return {(str(one.moment), one.line): (one.result, one.text) for one in told}


# ------------------------------------------------------------------ his orders


def test_every_line_that_he_sent_stands_there_with_what_he_can_know_of_it() -> None:
    played = game("muehlrode")
    played.play({})
    sheet = (
        "voice H5/1: march to Kreuzweg\nto H5/2: march to Kreuzweg\nto H5/2: then halt\nletter asmus: come\n"
        "say rehden: I go\nwake at 09:30\nride to Kreuzweg"
    )
    assert not played.read(DORN, sheet)[1]
    played.play({DORN: sheet})
    page = played.page(DORN)
    found = of_line(page.ordered)

    assert [line for _, line in found] == [1, 2, 3, 4, 5, 6, 7]
    assert {moment for moment, _ in found} == {"1A"}
    assert found["1A", 1] == ("given", "Said to H5/1, which obeys in the next move.")
    assert found["1A", 2][0] == "sent"
    assert found["1A", 2][1].startswith("Paper 1 to H5/2: ")
    assert found["1A", 3] == found["1A", 2]
    assert found["1A", 4][1].startswith("Paper 2 to Colonel Asmus: ")
    assert found["1A", 5] == ("done", "You said it to Major-General Rehden.")
    assert found["1A", 6] == ("standing", "In force.")
    assert found["1A", 7][0] in ("standing", "done")
    assert not {"sent", "given"} & {one.result for one in page.happened}


def test_a_sheet_of_a_halt_stands_under_its_halt_and_the_later_ride_in_the_place_of_the_first() -> None:
    played = game("muehlrode")
    played.play({})
    clock = played.scene.clock
    played.play({DORN: f"wake at {clock(2)}\nride to Kreuzweg"})
    while played.pause.call(DORN) is None:
        played.play({})
    halt = str(played.pause.moment)
    played.play({DORN: "stay"})
    while played.pause.moment.halt:
        played.play({})
    found = of_line(played.page(DORN).ordered)

    assert found["1A", 2] == ("superseded", "A later line of yours took its place.")
    assert found[halt, 1][0] == "done"


def test_the_lines_of_the_dispositions_are_told_with_the_first_page() -> None:
    played = game()
    played.play({ASMUS: "intention: to hold the crossroads\nto 1/F: march to Kreuzweg"})

    assert of_line(played.page(ASMUS).ordered) == {
        ("S1", 1): ("done", "The umpire has it."), ("S1", 2): ("given", "Known to 1/F at the opening."),
    }  # fmt: skip


def test_what_cannot_be_done_is_not_carried_out_and_the_reason_stands_there() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: "ride to 3000,6000\non arrival: voice H5/1: halt"})
    while played.pause.moment.halt:
        played.play({})
    page = played.page(DORN)

    assert of_line(page.ordered)["1A", 2] == ("not carried out", "“halt”: not within voice.")
    assert any(one.lead == "Not done." for one in page.happened)


def test_what_he_meant_to_do_at_the_end_of_a_ride_that_was_cut_off_is_not_carried_out() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: "ride to Kreuzweg\non arrival: voice H5/4: halt"})
    played.play({})

    assert ("not carried out", "The enemy barred your way.") in of_line(played.page(DORN).ordered).values()


def test_a_commander_who_is_down_is_told_that_nothing_was_done() -> None:
    told = told_of(SheetTaken(lines=(Taken(3, "nothing", why="you can give no orders"),)), under_way("dorn"))

    assert of_line(ordered(opening("muehlrode")[0], under_way("dorn"), told)) == {
        ("S1", 3): ("not carried out", "You can give no orders."),
    }  # fmt: skip


# ------------------------------------------------------------------ how far play goes on


def minutes(text: str) -> int:
    """A clock in minutes."""
    hours, past = text.split(":")
    return int(hours) * 60 + int(past)


@pytest.mark.parametrize(
    ("options", "moves"),
    [({}, 15), ({"turn_moves": 10}, 10), ({"interrupts": "off"}, 15), ({"interrupts": "shared"}, 15)],
)
def test_the_page_says_to_what_hour_play_goes_on_from_where_it_stands(options: dict[str, Option], moves: int) -> None:
    played = game("muehlrode", **options)
    assert played.page(DORN).next == "Play opens."
    for _ in range(3):
        played.play({})
        played.settle(DORN)
        mind = played.world.minds[DORN]
        if played.over:
            return
        page = played.page(DORN)
        found = re.search(r"(\d+) moves are played, to (\d\d:\d\d)", page.next)
        assert found is not None, page.next
        begun = mind.run_from if played.pause.moment.halt else mind.move + 1
        assert int(found[1]) == begun + moves - 1 - mind.move
        assert minutes(found[2]) == minutes(played.scene.clock(mind.move)) + 2 * int(found[1])


def test_at_a_halt_it_is_the_rest_of_the_run() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: f"wake at {played.scene.clock(3)}"})

    while played.pause.call(DORN) is None:
        played.play({})
    assert played.pause.moment == Moment(1, 1, 5)
    assert played.page(DORN).next.startswith(f"10 moves are played, to {played.scene.clock(15)}")
