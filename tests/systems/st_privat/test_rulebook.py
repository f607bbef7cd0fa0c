"""The rulebook prints the charts as they are, and names every rule, scenario, and what each begins with."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest

from pbem.orders.sheet import lines_of
from pbem.resources import resources
from pbem.rules.registry import load
from pbem.systems.st_privat.tables.charts import COLUMNS, MELEE, MOVEMENT, RIFLES, as_read
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN
from tests.systems.play import Game
from tests.systems.st_privat.test_ledger import (
    ARMS,
    LEDGER,
    artillery_rows,
    casualty_rows,
    deviation_rows,
    hits,
    strength_rows,
)

SCENARIOS = ("graveyard", "ste-marie", "open-board")


@cache
def rulebook() -> str:
    """The book, its dashes plain."""
    return (resources("campaigns") / "st-privat" / "rulebook.md").read_text("utf-8").replace("–", "-")


def chart(head: str) -> list[list[str]]:
    """The rows of the first table whose head begins so, cell by cell."""
    lines = rulebook().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(head)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]])
    return rows


def scenario(name: str) -> dict[str, dict[str, int]]:
    """What a scenario's file says."""
    return tomllib.loads((resources("campaigns") / "st-privat" / name / "scenario.toml").read_text("utf-8"))


def test_every_rule_of_the_ledger_is_cited_and_no_other() -> None:
    assert set(re.findall(r"SP-[A-Z]+-\d\d", rulebook())) == set(LEDGER.rules)


def test_the_options_that_are_listed_are_those_of_the_ledger_with_their_defaults() -> None:
    for names, default, _ in chart("| option | default"):
        said = [cell.strip("` ") for cell in default.split(",")]
        options = [LEDGER.options[name.strip("` ")] for name in names.split(",")]
        for option, one in zip(options, said, strict=True):
            value = option.default
            told = " and ".join(map(str, value.values())) if isinstance(value, dict) else str(value)
            told = {"True": "on", "False": "off"}.get(told, told)
            assert one == told, option.name


def test_the_list_of_contents_leads_to_the_chapters() -> None:
    contents = re.findall(r"^\d+\. \[(.+?)\]\(#(.+?)\)$", rulebook(), re.M)
    chapters = re.findall(r"^## (\d+)\. (.+)$", rulebook(), re.M)
    assert [title for title, _ in contents] == [title for _, title in chapters]
    for (title, anchor), (number, _) in zip(contents, chapters, strict=True):
        assert anchor == f"{number}-" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def test_every_scenario_is_described_with_what_the_french_begin_with() -> None:
    assert [row[0].strip("`") for row in chart("| scenario | board")] == list(SCENARIOS)
    folder = resources("campaigns") / "st-privat"
    assert {one.name for one in folder.iterdir() if one.is_dir()} == set(SCENARIOS)
    points = {name: scenario(name)["game"]["french_start_points"] for name in SCENARIOS}
    assert f"at St. Privat it is {points['graveyard']}, at Ste. Marie {points['ste-marie']}" in rulebook()
    assert f"no guns, {scenario('ste-marie')['game']['last_turn']} turns" in rulebook()


def test_the_briefings_say_what_the_french_begin_with() -> None:
    for name in ("graveyard", "ste-marie"):
        begin = scenario(name)["game"]["french_start_points"]
        folder = resources("campaigns") / "st-privat" / name
        assert f"You begin with {begin} points" in (folder / "briefing-french.md").read_text("utf-8")
        assert f"French begin with {begin}" in (folder / "briefing-prussian.md").read_text("utf-8")


def test_the_balance_of_every_battle_is_printed() -> None:
    rows = {row[0].strip("`"): row for row in chart("| scenario | battles")}
    assert set(rows) == {"graveyard", "ste-marie"}
    for _, battles, *shares in rows.values():
        assert int(battles) >= 100
        assert all(int(re.match(r"(\d+) %", share)[1]) <= 60 for share in shares[:2])  # type: ignore[index]


def test_the_charts_are_the_charts() -> None:
    movement = {ARMS[name]: cells for name, *cells in chart("| unit | open")}
    assert movement == {
        arm: ["-" if one is None else str(one) for one in row[:3]] + [str(row[3]) if row[3] else "-"]
        for arm, row in MOVEMENT.items()
    }
    rifles = {name.split()[0].lower(): cells for name, *cells in chart("| rifle | range 1")}
    assert rifles == {side: [*map(hits, row)] for side, row in RIFLES.items()}
    assert chart("| range | Pr. shot") == artillery_rows()
    assert chart("| | left | middle") == deviation_rows()
    assert sorted(row[:2] for row in chart("| structure |")) == sorted(row[:2] for row in strength_rows())
    assert sorted(row[2:] for row in chart("| structure |")) == sorted(row[2:] for row in strength_rows())
    assert chart("| value | light") == casualty_rows()


def test_the_melee_is_the_table_with_the_cell_that_is_played_otherwise() -> None:
    printed = {
        int(die): [tuple(as_read(part.replace("+ ", "+")) for part in cell.split(" / ")) for cell in cells]
        for die, *cells in chart("| die | 1-4")
    }
    played = {die: [row[column] for column in COLUMNS] for die, row in MELEE.items()}
    played[1][COLUMNS.index("1-1")] = ("+2L", str(LEDGER.options["melee_errata_11_1"].default))
    assert printed == played


def _cells(line: str) -> list[str]:
    """The cells of a table's row; a bar behind a backslash is no border."""
    return [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


EXAMPLES = [
    example
    for line in rulebook()[rulebook().index("## 5. ") : rulebook().index("## 6. ")].splitlines()
    if line.startswith(("| `", "| with"))
    for example in re.findall(r"`([^`]+)`", _cells(line)[1])
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_an_order_is_one(example: str) -> None:
    game = Game(load("st-privat"), "graveyard")
    side = (
        PRUSSIAN if re.search(r"\bp[cghklt]?\d|siege|ps1", example) and not re.search(r"\bf\w?\d", example) else FRENCH
    )
    reading = game.system.read(game.scene, lines_of(example), game.world.minds[side], side, None)
    assert [one.why for one in reading.complaints] == []
    assert len(reading.items) == 1
