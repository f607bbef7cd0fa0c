"""The scenarios: who sets up where, with what, and whether their files agree with the ledger."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import pytest

from pbem.desk.library.scenarios import read_scenario
from pbem.ground.hexes import Hex, distance
from pbem.kernel.names import Role
from pbem.resources import resources
from pbem.systems.empire_1870.scene.scene import HOME, Group, Scene
from pbem.systems.empire_1870.tables.headquarters import HEADQUARTERS
from pbem.systems.empire_1870.world.options import Options, parse_options
from tests.systems.empire_1870 import second_entry
from tests.systems.empire_1870.test_map import SCENARIOS, files, scene

FRENCH, GERMAN = Role("french"), Role("german")
STRENGTHS = {
    "france-1870": {FRENCH: 110, GERMAN: 160},
    "free-set-up": {FRENCH: 110, GERMAN: 160},
    "woerth": {FRENCH: 27, GERMAN: 40},
    "open-board": {FRENCH: 0, GERMAN: 0},
}


def taking_part(one: Scene, side: Role, **options: object) -> list[Group]:
    """The groups of a side under the options of the scenario and those given."""
    now = msgspec.to_builtins(parse_options({**one.options, **options}, {}))
    return [group for group in one.sides[side].groups if all(now[name] == value for name, value in group.when.items())]


def stood(group: Group) -> tuple[dict[str, str], Counter[str]]:
    """Where the default orders of a group put its HQs and its SP."""
    hqs: dict[str, str] = {}
    sp: Counter[str] = Counter()
    for line in group.orders.strip().splitlines():
        found = re.fullmatch(r"SETUP (?:(\d+)SP(?: OF (\w+))?|(\w+)) AT (\d{4})", line)
        assert found, line
        count, of, hq, at = found.groups()
        if hq:
            assert hq not in hqs
            hqs[hq] = at
        else:
            assert (of or "") == group.name
            sp[at] += int(count)
    return hqs, sp


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("side", [FRENCH, GERMAN])
def test_the_default_set_up_places_all_and_in_its_area(name: str, side: Role) -> None:
    one = scene(name)
    for group in one.sides[side].groups:
        hqs, sp = stood(group)
        assert sorted(hqs) == sorted(group.hqs)
        assert sp.total() == group.sp
        assert not group.area or {*hqs.values(), *sp} <= set(group.area)
    assert sum(group.sp for group in taking_part(one, side)) == STRENGTHS[name][side]


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("side", [FRENCH, GERMAN])
def test_each_side_sets_up_in_its_own_hands(name: str, side: Role) -> None:
    one = scene(name)
    stands = [stood(group) for group in taking_part(one, side)]
    places = {Hex(at) for hqs, sp in stands for at in (*hqs.values(), *sp)}
    held = {at for at in places if one.cells[at].country == HOME[side]}
    assert {at: one.aims.initial_control_exceptions.get(at) for at in places - held} == (
        {"2306": FRENCH} if (name, side) == ("france-1870", FRENCH) else {}
    )


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("side", [FRENCH, GERMAN])
def test_no_hq_begins_twice(name: str, side: Role) -> None:
    one = scene(name)
    begin = [hq for group in taking_part(one, side) for hq in group.hqs] + list(one.sides[side].pool)
    assert len(begin) == len(set(begin))


def test_every_hq_of_the_tables_takes_part_in_the_war() -> None:
    one = scene()
    begin = [hq for side in HOME for group in taking_part(one, side) for hq in group.hqs]
    assert sorted([*begin, *one.sides[FRENCH].pool, *one.sides[GERMAN].pool]) == sorted(HEADQUARTERS)


def test_the_historic_set_up_is_as_printed() -> None:
    hqs: dict[str, str] = {}
    sp: Counter[str] = Counter()
    for side in HOME:
        for group in taking_part(scene(), side):
            placed, strong = stood(group)
            hqs |= placed
            sp += strong
    printed = [entry.split() for entry in re.split(r",|\n", second_entry.SET_UP.strip())]
    assert hqs == {row[0]: row[1] for row in printed if row[0] != "-"}
    strength: Counter[str] = Counter()
    for _, at, count in printed:
        strength[at] += int(count)
    assert sp == strength


def test_areas_are_what_the_rules_call_them() -> None:
    one = scene()

    def germany(within: int, centre: str) -> set[Hex]:
        return {at for at, cell in one.cells.items() if cell.country == "DE" and distance(at, Hex(centre)) <= within}

    areas = {group.name: set(group.area) for group in taking_part(one, GERMAN)}
    assert areas == {"A1": germany(1, "2304"), "A2": germany(2, "2504"), "A3": germany(1, "2713")}
    palatinate = taking_part(one, GERMAN, third_army_area="palatinate")
    assert {group.name: set(group.area) for group in palatinate} == {**areas, "A3": germany(2, "2706")}
    metz = [set(group.area) for group in taking_part(one, FRENCH) if group.area]
    assert metz == [{"2106", "2107", "2108", "2207"}]


def test_without_i_corps_eight_sp_are_missing() -> None:
    for setup in ("historic", "free"):
        groups = taking_part(scene(), GERMAN, setup=setup, i_corps_start="pool")
        assert sum(group.sp for group in groups) == 152
        assert "G1" not in {hq for group in groups for hq in group.hqs}


def test_in_the_free_set_up_a_side_stands_anywhere_at_home() -> None:
    one = scene("free-set-up")
    for side in HOME:
        (group,) = taking_part(one, side)
        assert set(group.area) == {at for at, cell in one.cells.items() if cell.country == HOME[side]}
        assert group.name == ""


def test_both_wars_have_the_same_forces() -> None:
    assert files("free-set-up")["forces"] == files("france-1870")["forces"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_says_every_option_and_no_other(name: str) -> None:
    assert set(files(name)["scenario"]["options"]) == set(msgspec.to_builtins(Options()))
    parse_options(scene(name).options, {})


def test_the_war_is_played_with_the_options_of_the_ledger() -> None:
    assert parse_options(scene().options, {}) == Options()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_presents_itself_and_briefs_both_sides(name: str) -> None:
    shipped = read_scenario(resources("campaigns") / "empire-1870" / name)
    assert (shipped.card.system, shipped.card.name) == ("empire-1870", name)
    assert [part.role for part in shipped.card.roles] == [FRENCH, GERMAN]
    for part in shipped.card.roles:
        briefing = shipped.briefing(part.role)
        assert briefing.startswith("# To ")
        assert "sudden" in briefing.lower()
    assert shipped.rulebook()
