"""Dispositions before the first move, on receipt: where a unit may stand, where it may come in, to whom it may go."""

from __future__ import annotations

import pytest

from pbem.orders.sheet import Judgement
from pbem.systems.kriegsspiel.world.orders import Start
from tests.systems.kriegsspiel.minds import RUN, acts, mind_of, reading, refusals, under_way


@pytest.mark.parametrize(
    ("role", "line", "why"),
    [
        ("dorn", "start H5/1 at 3050,4899", "outside your zone"),
        ("auer", "start J2/a at 3700,4100", "outside your zone"),
        ("kessel", "start 3/I at 3700,3600", "not listed north of the Lohe"),
        ("auer", "start U3/3 at 5020,4800", "within 100 paces of its listed place"),
        ("auer", "start J2/a at 2500,2700", "in the swamp"),
        ("auer", "start J2/a at 3700,3500 in cav_line", "no formation of infantry"),
        ("kessel", "start 3/I at 3700,2950 facing N in line", "3/F stands there"),
        ("kessel", "start 3/I at 4500,5 facing N in attack_column", "with its whole body"),
        ("dorn", "start H5 at 3050,5300", "place its units one by one"),
        ("dorn", "start D2/1 at 3050,5300", "not there at the opening"),
        ("asmus", "start H5/1 at 3050,5300", "not under your command"),
        ("dorn", "enter D2 by sued_heer", "can come by nord_ost, nord_heer, nord_west"),
        ("dorn", "enter D2 by Kreuzweg", "is no entry"),
        ("dorn", "enter H5 by nord_heer", "is there at the opening"),
        ("asmus", "give 1/F to Dorn", "not under your command"),
    ],
)
def test_what_is_refused_of_dispositions(role: str, line: str, why: str) -> None:
    said = refusals(line, mind_of(role))

    assert any(why in one for one in said), said


@pytest.mark.parametrize(
    ("role", "line"),
    [
        ("dorn", "start H5/1 at 3050,4900 facing S"),
        ("auer", "start U3/3 at 5020,4760 facing N"),
        ("auer", "start J2/a at 3700,3600 facing N in line"),
        ("kessel", "start 3/I at 4400,1100 facing N in section_column"),
        ("rehden", "enter D2 by nord_west"),
        ("rehden", "give 1/F to Asmus"),
    ],
)
def test_and_what_is_taken(role: str, line: str) -> None:
    assert acts(line, mind_of(role))


def test_the_later_start_of_a_unit_stands_and_makes_room() -> None:
    found = reading(
        "start J2/a at 3700,3600 facing N in line\nstart J2/a at 3500,3650 facing N in line\n"
        "start U3/1 at 3700,3600 facing N in cav_line",
        mind_of("auer"),
    )

    assert [(act.unit, act.at.at.x) for act in found.items if isinstance(act, Start)] == [
        ("J2/a", 3500),
        ("U3/1", 3700),
    ]
    assert [one.judgement for one in found.complaints] == [Judgement.SUPERSEDED]


def test_dispositions_are_refused_once_the_game_has_begun() -> None:
    found = reading("start H5/1 at 3050,5300", under_way("dorn"), sorts=RUN)

    assert [one.rule for one in found.complaints] == ["KS-GM-08"]
