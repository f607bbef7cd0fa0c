"""The ledger says what the charts and the options hold."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from pbem.kernel.names import RuleId
from pbem.rules.ledger import Ledger, load_ledger
from pbem.systems import st_privat
from pbem.systems.st_privat.tables import charts as tables
from pbem.systems.st_privat.tables.charts import (
    ARTILLERY,
    CASUALTY_FACTORS,
    COLUMNS,
    DEVIATION,
    EQUIPMENT,
    MELEE,
    MOVEMENT,
    RIFLES,
    STRUCTURES,
    as_read,
)
from pbem.systems.st_privat.world.options import Options

LEDGER: Ledger = load_ledger(Path(st_privat.__path__[0]) / "ledger.toml")

ARMS = {
    "infantry in column": "column",
    "infantry in line": "line",
    "cavalry": "cavalry",
    "artillery, limbered": "limbered",
    "artillery, prolonged": "prolonged",
    "general": "general",
}
"""The rows of the movement chart, as books name them."""


def chart(rule: str) -> list[list[str]]:
    """The rows of the table in a rule's text, cell by cell, without its head."""
    lines = [line for line in LEDGER.rules[RuleId(rule)].says.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.removeprefix("|").split("|")] for line in lines[1:]]


def hits(most: int) -> str:
    """How a chart says which dice hit: `1-4`, or `-` for none."""
    return f"1-{most}" if most else "-"


def artillery_rows() -> list[list[str]]:
    """The chart of the guns as books print it."""
    return [[f"{at[0]}-{at[-1]}" if len(at) > 1 else str(at[0]), *map(hits, row)] for at, row in ARTILLERY]


def deviation_rows() -> list[list[str]]:
    """Where shells fall, as books print it."""
    names = {1: "far", 0: "level", -1: "near"}
    return [[names[ahead], *(", ".join(map(str, sums)) for sums in row)] for ahead, row in DEVIATION]


def strength_rows() -> list[list[str]]:
    """What things stand, as books print it."""
    things = (("wall section", "wall"), ("small building", "small"), ("large building", "large"))
    left = [[name, str(STRUCTURES[key])] for name, key in (*things, ("stone bridge", "bridge"))]
    right = [[name.replace("_", " "), str(points)] for name, points in EQUIPMENT.items()]
    return [[*one, *other] for one, other in zip(left, right, strict=True)]


def casualty_rows() -> list[list[str]]:
    """The casualty factors by the largest value of their row, as books print them."""
    rows, least = [], 1
    for most, row in CASUALTY_FACTORS:
        rows.append([f"{least}-{most}" if most < 10**6 else f"{least} and more", *map(str, row.values())])
        least = most + 1
    return rows


def test_the_rules_of_each_chapter_are_numbered_without_a_gap() -> None:
    chapters = defaultdict(list)
    for rule in LEDGER.rules:
        _, chapter, number = rule.split("-")
        chapters[chapter].append(int(number))
    assert {name: sorted(found) for name, found in chapters.items()} == {
        name: list(range(1, len(found) + 1)) for name, found in chapters.items()
    }


def test_the_options_of_the_ledger_are_those_of_the_game() -> None:
    assert {name: choice.default for name, choice in LEDGER.options.items()} == msgspec.to_builtins(Options())


def test_the_values_of_the_ledger_are_those_of_the_game() -> None:
    for choice in LEDGER.options.values():
        if isinstance(choice.values, tuple):
            for value in choice.values:
                msgspec.convert({choice.name: value}, Options)
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({choice.name: "neither"}, Options)


def test_rules_and_options_name_each_other() -> None:
    by_rule = {(name, rule.id) for rule in LEDGER.rules.values() for name in rule.options}
    by_option = {(choice.name, rule) for choice in LEDGER.options.values() for rule in choice.rules}
    assert by_rule == by_option


def test_charts_name_rules_of_the_ledger() -> None:
    assert {rule for rules in tables.TABLE_RULES.values() for rule in rules} <= set(LEDGER.rules)


def test_the_movement_of_the_ledger_is_the_chart() -> None:
    assert {ARMS[name]: cells for name, *cells in chart("SP-MOV-01")} == {
        arm: [*("none" if one is None else str(one) for one in row[:3]), f"+{row[3]}" if row[3] else "none"]
        for arm, row in MOVEMENT.items()
    }


def test_the_hits_of_the_ledger_are_the_charts() -> None:
    rifles = {name.split()[0].lower(): cells for name, *cells in chart("SP-RIF-02")}
    assert rifles == {
        side: [hits(most).replace("-", "none", most == 0) for most in row] for side, row in RIFLES.items()
    }
    assert chart("SP-ART-01") == artillery_rows()
    assert chart("SP-ART-04") == deviation_rows()


def test_what_things_stand_by_the_ledger_is_the_chart() -> None:
    assert sorted(row[:2] for row in chart("SP-DMG-01")) == sorted(row[:2] for row in strength_rows())
    assert sorted(row[2:] for row in chart("SP-DMG-01")) == sorted(row[2:] for row in strength_rows())


def test_the_melee_of_the_ledger_is_the_table_as_printed() -> None:
    said = {int(die): [tuple(map(as_read, cell.split(" / "))) for cell in cells] for die, *cells in chart("SP-MEL-09")}
    assert said == {die: [row[column] for column in COLUMNS] for die, row in MELEE.items()}
