"""What was tuned can be set back, and what it was tuned by can be trusted."""

from __future__ import annotations

import pytest

from pbem.kernel.errors import Refused
from pbem.kernel.office import Option
from pbem.systems.empire_1870.world.options import Caps, parse_options
from tests.systems.empire_1870.balance import interval, play
from tests.systems.empire_1870.test_map import scene

UNTUNED: dict[str, Option] = {
    "turn_limit": 20,
    "towns": "all",
    "draw_vp": 11,
    "sp_cap.french": 0,
    "sp_cap.german": 0,
}


@pytest.mark.parametrize(("name", "turns", "draw"), [("france-1870", 7, 1), ("free-set-up", 20, 5)])
def test_the_war_is_tuned_and_can_be_had_untuned(name: str, turns: int, draw: int) -> None:
    tuned, untuned = parse_options(scene(name).options, {}), parse_options(scene(name).options, UNTUNED)
    assert (tuned.turn_limit, tuned.towns, tuned.draw_vp) == (turns, "great", draw)
    assert tuned.sp_cap == Caps(french=160, german=175)
    assert (untuned.turn_limit, untuned.towns, untuned.draw_vp, untuned.sp_cap) == (20, "all", 11, Caps())


def test_seven_towns_of_france_are_great() -> None:
    cells = scene().ground("great").values()
    assert {cell.name for cell in cells if cell.town and cell.country == "FR"} == {
        "Versailles", "Reims", "Troyes", "Chalons", "Dijon", "Nancy", "Mulhouse",
    }  # fmt: skip
    assert sum(cell.town for cell in scene().ground("all").values() if cell.country == "FR") == 26
    assert sum(cell.town for cell in cells if cell.country == "DE") == 12


@pytest.mark.parametrize("vp", [0, 20])
def test_the_draw_lies_within_the_track(vp: int) -> None:
    with pytest.raises(Refused, match="draw_vp can be from 1 to 19"):
        parse_options(scene().options, {"draw_vp": vp})


def test_two_trial_commanders_play_a_war_to_its_end_and_the_same_number_is_the_same_war() -> None:
    wars = [play(scene(), {"turn_limit": 2}, "balance 7") for _ in range(2)]
    assert wars[0].ended is not None
    assert wars[0] == wars[1]


def test_the_interval_is_wide_for_few_games_and_narrow_for_many() -> None:
    assert [round(end) for end in interval(5, 10)] == [24, 76]
    assert [round(end) for end in interval(500, 1000)] == [47, 53]
    assert [round(end) for end in interval(0, 10)] == [0, 28]
