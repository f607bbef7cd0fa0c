"""The forces of the scenarios: as listed, whole, each on ground of its own."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from pbem.ground.bearing import DEGREE
from pbem.ground.body import on_board
from pbem.ground.plane import apart, distance, overlap
from pbem.systems.half_league.tables.charts import standard
from pbem.systems.half_league.tables.printed import BRIGADIER_WITHIN, COMMAND_DICE
from pbem.systems.half_league.world.pieces import ALLIED, RUSSIAN, SCALE, SIDES, Unit
from tests.systems.half_league import second_entry
from tests.systems.half_league.ground import SCENARIOS, body, scene

TYPES = {"foot": "foot_artillery", "horse": "horse_artillery", "cavalry": "cavalry"}


def typed() -> dict[str, dict[str, object]]:
    """Every unit of the second entry, with what is not said filled in."""
    found: dict[str, dict[str, object]] = {}
    for line in second_entry.FORCES.strip().splitlines():
        head, listed = line.split(": ")
        brigade, side, *_ = head.split()
        for one in listed.split("; "):
            name, stands, formation, at, *more = one.split()
            kind = next((TYPES[word] for word in more if word in TYPES), "infantry")
            plain = {"infantry": "rifle" if side == "allied" else "musket", "cavalry": "none"}.get(kind, "gun")
            faces = more[more.index("faces") + 1] if "faces" in more else {"allied": "180", "russian": "0"}[side]
            found[name] = {
                "brigade": brigade,
                "side": side,
                "type": kind,
                "cls": next((word for word in more if word in ("elite", "second")), "regular"),
                "arm": next((word for word in more if word in ("rifle", "musket", "carbine")), plain),
                "stands": int(stands),
                "formation": formation,
                "front": SCALE.point(at),
                "bearing": int(faces) * DEGREE,
                "cp_dice": 2 if side == "allied" else 1,
            }
    return found


def test_the_order_of_battle_of_the_kourgane_is_as_typed() -> None:
    wanted = typed()
    assert set(scene().units) == set(wanted)
    for name, unit in scene().units.items():
        assert {key: getattr(unit, key) for key in wanted[name]} == wanted[name], name


def test_leaders_stand_where_they_are_typed() -> None:
    heads = [line.split(": ")[0] for line in second_entry.FORCES.strip().splitlines()]
    wanted = {}
    for head in heads:
        brigade, _, *name, at = head.split()
        wanted[brigade.replace("B-", "BG-")] = (" ".join(name), SCALE.point(at))
    for one in second_entry.LEADERS.split("; "):
        leader, *name, at = one.split()
        wanted[leader] = (" ".join(name), SCALE.point(at))
    assert {one.id: (one.name, one.front) for one in scene().leaders.values()} == wanted


def test_the_places_that_count_are_as_typed() -> None:
    wanted = {name: int(points) for name, points in re.findall(r"([A-Z][A-Za-z ]+) (\d)", second_entry.AIMS)}
    assert {aim.place: aim.points for aim in scene().aims} == wanted
    assert {(aim.holder, aim.within) for aim in scene().aims} == {(RUSSIAN, 4000)}


def units(name: str) -> list[Unit]:
    return list(scene(name).units.values())


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_two_units_stand_on_one_another(name: str) -> None:
    shapes = {unit.id: body(scene(name), unit).shape for unit in units(name)}
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        assert apart(first.box, second.box) or not overlap(first, second), (one, other)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_unit_stands_on_the_map(name: str) -> None:
    for unit in units(name):
        assert on_board(body(scene(name), unit), scene(name).box), unit.id


@pytest.mark.parametrize("name", SCENARIOS)
def test_units_have_what_their_type_has(name: str) -> None:
    for unit in units(name):
        assert set(unit.stand_figures) == {standard().figures[unit.type]}, unit.id
        assert unit.cp_dice == COMMAND_DICE[unit.nation], unit.id
        assert unit.wins_ties == (unit.cls == "elite"), unit.id


@pytest.mark.parametrize("name", SCENARIOS)
def test_brigadiers_can_reach_all_their_units_at_the_start(name: str) -> None:
    one = scene(name)
    for unit in units(name):
        brigadier = one.leaders[one.brigades[unit.brigade].brigadier]
        assert distance(brigadier.front, unit.front) <= BRIGADIER_WITHIN, unit.id


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_side_has_an_army_with_a_commander(name: str) -> None:
    armies = [one.side for one in scene(name).leaders.values() if one.kind == "army"]
    assert sorted(armies) == sorted(SIDES)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_sides_face_each_other(name: str) -> None:
    for unit in units(name):
        toward = 180 if unit.side == ALLIED else 0
        assert abs(unit.facing - toward) <= 30, unit.id


def test_the_open_board_has_a_unit_of_every_kind() -> None:
    there = units("open-board")
    assert {unit.type for unit in there} == {"infantry", "cavalry", "foot_artillery", "horse_artillery"}
    assert {unit.cls for unit in there} == {"elite", "regular", "second"}
    assert {unit.arm for unit in there} == {"musket", "rifle", "carbine", "gun", "none"}
    assert {unit.nation for unit in there} == set(COMMAND_DICE)
