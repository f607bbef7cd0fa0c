"""The plan of a sheet by its writer's page: papers, hours, what cannot be known, what is left without orders."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.owed import Call
from pbem.systems.kriegsspiel.scene.words import condition_words, order_words
from pbem.systems.kriegsspiel.sheets.forecast import NOT_KNOWN, TOLD, forecast, idle
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.orders import ORDERS, Dispatch, OnArrival
from tests.systems.kriegsspiel.minds import acts, knowing, mind_of, opening, order, paper, under_way

REHDEN = mind_of("rehden")


def plan(text: str, mind: Mind) -> list[tuple[int, str]]:
    """What is said of a sheet in which nothing is wrong."""
    scene, _ = opening("muehlrode")
    return list(forecast(scene, mind, mind.role, acts(text, mind)))


def left(text: str, mind: Mind) -> tuple[str, ...]:
    """Which units a sheet leaves without orders."""
    scene, _ = opening("muehlrode")
    call = Call(role=mind.role, sorts=("setup", "orders"))
    return idle(scene, mind, mind.role, acts(text, mind) if text else (), call)


def near(x: int, y: int, riders: int = 6) -> Mind:
    """Rehden at move 30, with 1/F at a place of the open field."""
    return knowing(under_way("rehden", at=Point(x, y), riders=riders), "1/F", 2600, 4600)


# ------------------------------------------------------------------ papers


def test_every_act_is_told() -> None:
    assert {*TOLD, Dispatch, OnArrival} == {*ORDERS}


def test_before_the_first_move_papers_need_no_rider() -> None:
    assert plan("to 1/F: march to Kreuzweg", REHDEN) == [
        (1, "Paper to 1/F: in hand at the opening, without a rider."),
        (1, "    march to Kreuzweg."),
    ]


def test_a_paper_is_written_ridden_read_and_acted_on() -> None:
    """Written in move 31, away at 07:02; 1600 paces at 900 are two moves; read in the next, obeyed in the one after."""
    head, line, unknown = plan("to 1/F: march to 2600,4000", near(1000, 4600))

    assert head[1] == "Paper to 1/F: written in 1 move, leaves at 07:02; likely in hand by 07:06; acted on from 07:08."
    assert line == (1, "    march to 2600,4000.")
    assert unknown == (0, NOT_KNOWN)


def test_papers_are_written_one_after_another_a_long_one_longer() -> None:
    told = plan(f"letter Asmus: {'word ' * 41}\nto 1/F: halt", near(1000, 4600))

    assert "written in 2 moves, leaves at 07:04" in told[0][1]
    assert "written in 1 move, leaves at 07:06" in told[2][1]


def test_without_a_rider_a_paper_waits() -> None:
    told = plan("to 1/F copies 2: halt\nto J1: halt", near(1000, 4600, riders=2))

    assert "the second copy two moves after it; likely in hand" in told[0][1]
    assert "no rider is free by your page" in told[2][1]


def test_a_paper_to_another_player_is_his_to_decide() -> None:
    (head, *_) = plan("to Asmus: 1/I halt", under_way("rehden"))
    assert head[1].endswith("Asmus reads it, and decides himself.")

    (head, *_) = plan("to Asmus: 1/I halt", under_way("rehden", players=()))
    assert head[1].endswith("Asmus passes each line on.")


def test_a_unit_of_another_obeys_its_own_commander() -> None:
    (head, *_) = plan("to H5/1: halt", under_way("asmus"))

    assert "H5/1 is under Dorn: it obeys him" in head[1]


def test_a_ride_begins_when_the_papers_are_written() -> None:
    told = plan("ride to 2600,4600\nto 1/F: halt", near(1000, 4600))

    assert told[0] == (1, "You ride to 2600,4600: 2 moves, there by 07:06, after your papers are written.")
    assert plan("ride to 2600,4600", near(1000, 4600)) == [(1, "You ride to 2600,4600: 2 moves, there by 07:04.")]


def test_every_line_is_restated_under_its_number() -> None:
    told = plan(
        "look N\nwake at 08:30\nwake off W6\nsay Dorn: come\nstaff: observe Galgenberg\nstaff: back\nparley: hold\n"
        "ride to Kreuzweg\non arrival: to 1/F: halt\ntake command of 1/I\nhand 1/F to Dorn\noffer end",
        under_way("rehden", at=Point(3050, 5300), near=("dorn",)),
    )

    assert {number for number, _ in told if number} == set(range(1, 13))


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("march to Kreuzweg by heerstrasse in section_column at run facing S",
         "march to Kreuzweg, by Gruenau highway, in section column, at the run, facing S"),
        ("hold until 09:30", "hold until 09:30"),
        ("attack enemy nearest in attack_column", "attack the nearest enemy, in attack column"),
        ("skirmishers out", "send the usual zugs out as skirmishers"),
        ("report when at Kreuzweg", "report when at Kreuzweg"),
        ("patrol size 10 to Dornach return", "patrol of 10 to Dornach, and come back"),
        ("detach half right as 1/Fb", "detach a part as 1/Fb"),
    ],
)  # fmt: skip
def test_orders_in_words(written: str, words: str) -> None:
    scene, _ = opening("muehlrode")

    assert order_words(scene, order(f"to 1/F: {written}", REHDEN)) == words


def test_conditions_in_words_keep_their_brackets() -> None:
    scene, _ = opening("muehlrode")
    (line,) = paper("to 1/F: if (attacked or relieved) and not enemy within 800 of Dornach: halt", REHDEN)
    assert line.test is not None

    assert condition_words(scene, line.test) == (
        "(it is attacked or it is relieved) and not (an enemy is within 800 paces of Dornach)"
    )


# ------------------------------------------------------------------ idle


def test_units_without_an_order_are_named_a_whole_regiment_by_its_name() -> None:
    assert left("", mind_of("dorn")) == (
        "H5 has no order: it stays and acts by its standing reactions.",
        "D2 and 6H1 have no order: they halt inside their entries.",
    )


def test_a_unit_that_is_ordered_here_or_was_before_is_not() -> None:
    mind = mind_of("dorn")
    assert left("to H5: march to Kreuzweg\nto D2/1: react attacked stand\nto 6H1: march to Kreuzweg", mind) == (
        "D2 has no order: it halts inside its entry.",
    )

    before = replace(mind, orders={"6H1": ((3, paper("to 6H1: march to Kreuzweg", mind)),)})
    assert "6H1" not in " ".join(left("", before))
