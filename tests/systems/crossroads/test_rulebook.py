"""The rulebook prints the charts as they are, and names every rule, option, scenario and unit."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest

from pbem.orders.sheet import lines_of
from pbem.resources import resources
from pbem.rules.registry import load
from pbem.systems.crossroads.tables.combat import FIRING_DICE, MELEE_DICE, MELEE_MODIFIERS, POINTS
from pbem.systems.crossroads.tables.morale import MORALE_DIE, MORALE_MODIFIERS
from pbem.systems.crossroads.tables.units import MARKERS, STRENGTH, STRENGTH_OF
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.crossroads.ground import SCENARIOS
from tests.systems.crossroads.test_ledger import (
    LEDGER,
    firing_rows,
    footprint_rows,
    level_rows,
    morale_rows,
    movement_rows,
)
from tests.systems.play import Game


@cache
def rulebook() -> str:
    return (resources("campaigns") / "crossroads" / "rulebook.md").read_text("utf-8")


def chart(head: str, after: str = "") -> list[list[str]]:
    """The rows of the first table whose head begins so, cell by cell, after some words of the book."""
    lines = rulebook()[rulebook().index(after) :].splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(head)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("| ").split("|")])
    return rows


def table(head: str, after: str = "") -> dict[str, list[str]]:
    return {name: cells for name, *cells in chart(head, after)}


def test_every_rule_of_the_ledger_is_cited_and_no_other() -> None:
    assert set(re.findall(r"GC-[A-Z]+-\d\d", rulebook())) == set(LEDGER.rules)


def test_every_option_of_the_ledger_is_listed_with_its_default() -> None:
    listed = {row[0].strip("`"): row[1] for row in chart("| option | default")}
    assert listed == {
        name: str(one.default).lower() if isinstance(one.default, bool) else str(one.default)
        for name, one in LEDGER.options.items()
    }


def test_every_value_of_an_option_is_listed() -> None:
    for row in chart("| option | default"):
        values = LEDGER.options[row[0].strip("`")].values
        if isinstance(values, tuple):
            named = {str(value).lower() if isinstance(value, bool) else str(value) for value in values}
            assert {row[1], *row[2].split(", ")} - {"-"} == named, row[0]


def test_the_list_of_contents_leads_to_the_chapters() -> None:
    contents = re.findall(r"^\d+\. \[(.+?)\]\(#(.+?)\)$", rulebook(), re.M)
    chapters = re.findall(r"^## (\d+)\. (.+)$", rulebook(), re.M)
    assert [title for title, _ in contents] == [title for _, title in chapters]
    for (title, anchor), (number, _) in zip(contents, chapters, strict=True):
        assert anchor == f"{number}-" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def test_every_scenario_is_described() -> None:
    assert [row[0].strip("`") for row in chart("| scenario |")] == list(SCENARIOS)
    folder = resources("campaigns") / "crossroads"
    assert {one.name for one in folder.iterdir() if one.is_dir()} == set(SCENARIOS)


def test_the_charts_are_the_charts() -> None:
    assert table("| row | 1 pass") == morale_rows()
    assert table("| troops | line | column") == movement_rows()
    assert table("| firer | column") == firing_rows()
    assert table("| type | line") == footprint_rows()
    assert table("| strength | level 0") == level_rows()
    assert table("| troops | 0", "## 10.") == {name: [*map(str, row)] for name, row in FIRING_DICE.items()}
    assert table("| troops | 0", "## 12.") == {name: [*map(str, row)] for name, row in MELEE_DICE.items()}


def test_the_dice_and_strengths_of_nations_are_the_tables() -> None:
    arms = ("infantry", "cavalry", "artillery", "mg")
    dice = {nation: [str(row.get(arm, "-")) for arm in arms] for nation, row in MORALE_DIE.items()}
    assert table("| nation | infantry") == dice
    printed = table("| troops | french")
    assert {arm: printed[arm] for arm in arms} == {
        arm: [str(row.get(arm, "-")) for row in STRENGTH.values()] for arm in arms
    }
    assert set(STRENGTH_OF.values()) == {int(printed["Zouaves and Chasseurs"][0])}


def test_markers_modifiers_and_points_are_the_tables() -> None:
    assert [row[0] for row in chart("| marker |")] == list(MARKERS.values())
    assert [int(row[1]) for row in chart("| modifier | adds")] == list(MORALE_MODIFIERS.values())
    printed = [int(row[1]) for row in chart("| modifier | dice")]
    assert sorted(printed) == sorted(MELEE_MODIFIERS.values())
    points = [int(row[1]) for row in chart("| for | points")[1:]]
    assert points == [
        *(POINTS.lost, POINTS.guns_captured, POINTS.routed, POINTS.level_3),
        *(POINTS.officer, POINTS.exit),
    ]


def test_the_forces_of_la_folie_are_those_of_its_files() -> None:
    folder = resources("campaigns") / "crossroads" / "la-folie"
    forces = tomllib.loads((folder / "forces.toml").read_text("utf-8"))
    ours = [
        [
            unit["id"],
            unit["name"] + ", elite" * unit["elite"],
            str(unit["strength"]),
            unit["formation"],
            ",".join(f"{at:g}" for at in unit["pos"]),
            str(unit["arrive"] or "-"),
        ]
        for unit in forces["unit"]
    ]
    printed = chart("| id | name", "The French:") + chart("| id | name", "The Germans:")
    assert sorted(printed) == sorted(ours)
    for officer in forces["officer"]:
        assert f"{officer['name']} ({officer['id']}) with {officer['attached']}" in rulebook()


def test_the_points_of_places_are_those_of_the_scenario() -> None:
    folder = resources("campaigns") / "crossroads" / "la-folie"
    scenario = tomllib.loads((folder / "scenario.toml").read_text("utf-8"))
    places = tomllib.loads((folder / "map.toml").read_text("utf-8"))["place"]
    at = {one["name"]: ",".join(f"{number:g}" for number in one["pos"]) for one in places}
    for held in scenario["held"]:
        place = held["place"]
        assert re.search(rf"{place} {at[place]} \({held['points']}( points)?\)", rulebook()), place


def test_every_rule_of_movement_in_the_summary_is_that_of_the_chart() -> None:
    rows = movement_rows()
    said = re.search(r"French and Austrians (\d+) in line, (\d+) in column; Prussians and Bavarians", rulebook())
    assert said is not None
    assert list(said.groups()) == rows["french"][:2] == rows["austrian"][:2]


EXAMPLES = [example for row in chart("| order | example") for example in re.findall(r"`([^`]+)`", row[-1])]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_an_order_is_one(example: str) -> None:
    game = Game(load("crossroads"), "la-folie")
    german = re.search(r"^(?:officer |joker |policy joker-order )?(?:PR|KO|BA)-", example)
    side = GERMAN if german else FRENCH
    reading = game.system.read(game.scene, lines_of(example), game.world.minds[side], side, None)
    assert [one.why for one in reading.complaints] == []
    assert len(reading.items) == 1
