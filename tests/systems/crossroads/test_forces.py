"""Who fights in the scenarios: as strong as the charts say, on ground of his own, with his officer beside him."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import combinations

import pytest

from pbem.ground.body import on_board
from pbem.kernel.errors import BadScenario
from pbem.resources import resources
from pbem.systems.crossroads.field.field import lies_on
from pbem.systems.crossroads.scene.forces import side_of
from pbem.systems.crossroads.scene.scene import parse_scene
from pbem.systems.crossroads.tables.units import ARMS, FORMATIONS, STRENGTH, STRENGTH_OF, SUBTYPES, ZOC
from pbem.systems.crossroads.turn.setup import blank
from pbem.systems.crossroads.world.state import AUSTRIAN, FRENCH, GERMAN, Unit
from tests.systems.crossroads.ground import SCENARIOS, field, scene

NEVER = 99


def strength(unit: Unit) -> int:
    return STRENGTH_OF.get(unit.subtype, STRENGTH[unit.nation][unit.type])


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_unit_is_as_strong_as_the_charts_say(name: str) -> None:
    for unit in scene(name).units.values():
        assert unit.strength == strength(unit), unit.id
        assert unit.formation in FORMATIONS[unit.type]
        assert unit.subtype == "none" or unit.subtype in SUBTYPES[unit.nation]


@pytest.mark.parametrize("name", SCENARIOS)
def test_officers_have_the_zone_of_their_nation_and_stand_with_their_units(name: str) -> None:
    found, field_ = scene(name), field(name, NEVER)
    for officer in found.officers.values():
        assert officer.zoc == ZOC[officer.nation]
        if officer.attached:
            unit = found.units[officer.attached]
            assert (unit.nation, unit.arrive) == (officer.nation, officer.arrive)
            assert field_.beside(officer, unit), officer.id


@pytest.mark.parametrize(("name", "turn"), [(name, turn) for name in SCENARIOS for turn in (1, 2, 3, 4, 5, NEVER)])
def test_units_begin_on_the_table_and_not_on_each_other(name: str, turn: int) -> None:
    here = field(name, turn)
    for unit in here.standing:
        assert on_board(here.body(unit), here.scene.board), unit.id
    for one, other in combinations(here.standing, 2):
        assert not lies_on(here.shape(one), here.shape(other)), (one.id, other.id)


@pytest.mark.parametrize("name", ["la-folie", "golden-bremm"])
def test_no_unit_begins_within_an_inch_of_an_enemy_or_in_his_range(name: str) -> None:
    here = field(name)
    for one in here.own(FRENCH):
        for other in here.own(GERMAN):
            assert here.inches(one, other) > 100, (one.id, other.id)


def test_la_folie_begins_with_eight_units_a_side_and_both_feed_in_more() -> None:
    count = {turn: Counter(unit.side for unit in field(turn=turn).standing) for turn in (1, 3, 4, 5, 6)}
    assert count[1] == {FRENCH: 8, GERMAN: 8}
    assert count[3] == {FRENCH: 9, GERMAN: 11}
    assert count[4] == {FRENCH: 9, GERMAN: 13}
    assert count[5] == {FRENCH: 10, GERMAN: 13}
    assert count[6] == {FRENCH: 11, GERMAN: 13}


def test_the_french_of_la_folie_hold_all_that_counts_with_the_men_for_it() -> None:
    found = scene()
    assert {one.by for one in found.held} == {FRENCH}
    assert sum(one.points for one in found.held) == 16


def test_the_open_board_has_every_arm_of_every_nation_in_reserve() -> None:
    found = scene("open-board")
    assert {(unit.nation, unit.type) for unit in found.units.values()} == {
        (nation, arm) for nation, arms in ARMS.items() for arm in arms
    }
    assert {officer.nation for officer in found.officers.values()} == set(ARMS)
    subtypes = {(unit.nation, unit.subtype) for unit in found.units.values() if unit.type == "infantry"}
    assert subtypes == {(nation, sort) for nation, sorts in SUBTYPES.items() for sort in sorts}
    assert {unit.arrive for unit in found.units.values()} == {NEVER}
    assert found.turns < NEVER


@pytest.mark.parametrize(("where", "side"), [("german", GERMAN), ("french", FRENCH), ("own", AUSTRIAN)])
def test_austrians_are_on_the_side_that_the_option_says(where: str, side: str) -> None:
    truth = blank(scene("open-board"), {"austrian_side": where}).truth
    assert {unit.side for unit in truth.units.values() if unit.nation == "austrian"} == {side}
    assert side_of("prussian", where) == GERMAN
    assert ("FR-1" in truth.units) == (where != "own")


def test_a_unit_that_the_charts_do_not_have_is_refused() -> None:
    folder = resources("campaigns") / "crossroads" / "golden-bremm"
    files = {
        part: tomllib.loads((folder / f"{part}.toml").read_text("utf-8")) for part in ("scenario", "map", "forces")
    }
    files["forces"]["unit"][3]["type"] = "mg"
    with pytest.raises(BadScenario, match="PR-A1: the charts have no mg"):
        parse_scene(files)
