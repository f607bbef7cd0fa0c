"""The ledger says what the charts and the options hold."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from pbem.kernel.names import RuleId
from pbem.rules.ledger import Ledger, load_ledger
from pbem.systems import half_league
from pbem.systems.half_league.tables import charts, combat, printed
from pbem.systems.half_league.tables.charts import COLUMNS, standard
from pbem.systems.half_league.world.options import Options

LEDGER: Ledger = load_ledger(Path(half_league.__path__[0]) / "ledger.toml")


def chart(rule: str) -> list[list[str]]:
    """The rows of the table in a rule's text, cell by cell, without its head."""
    lines = [line for line in LEDGER.rules[RuleId(rule)].says.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines[2:]]


def test_the_rules_of_each_chapter_are_numbered_without_a_gap() -> None:
    chapters = defaultdict(list)
    for rule in LEDGER.rules:
        _, chapter, number = rule.split("-")
        chapters[chapter].append(int(number))
    assert chapters == {chapter: list(range(1, len(numbers) + 1)) for chapter, numbers in chapters.items()}
    assert len(chapters) == 17


def test_the_options_of_the_ledger_are_those_of_the_game() -> None:
    assert {name: choice.default for name, choice in LEDGER.options.items()} == msgspec.to_builtins(Options())


def test_rules_and_options_name_each_other() -> None:
    by_rule = {(name, rule.id) for rule in LEDGER.rules.values() for name in rule.options}
    by_option = {(choice.name, rule) for choice in LEDGER.options.values() for rule in choice.rules}
    assert by_rule == by_option


def test_what_is_made_for_play_by_letter_says_so() -> None:
    for rule in LEDGER.rules.values():
        if rule.source == "none: play by mail":
            assert "econstructed" in rule.reading, rule.id


@pytest.mark.parametrize("module", [printed, combat, charts], ids=lambda module: module.__name__)
def test_charts_name_rules_of_the_ledger(module: object) -> None:
    marked = getattr(module, "TABLE_RULES")  # noqa: B009 - the modules have it, their common type has not
    assert {rule for rules in marked.values() for rule in rules} <= set(LEDGER.rules)


def test_the_movement_of_the_ledger_is_the_chart() -> None:
    said = [(kind, formation, list(map(int, cells))) for kind, formation, *cells in chart("HL-MOV-02")]
    assert said == [
        (kind, formation, list(cells.values()))
        for kind, rows in standard().movement.items()
        for formation, cells in sorted(rows.items(), key=lambda row: [one for _, one, _ in said].index(row[0]))
    ]


def test_the_fire_of_the_ledger_is_the_chart() -> None:
    said = {row: cells for row, *cells in chart("HL-FIR-03")}
    assert said == {
        row: ["{} [{}]".format(*cells[column]) for column in COLUMNS] for row, cells in standard().fire.items()
    }


def test_the_saves_of_the_ledger_are_the_table() -> None:
    said = {int(left): cells for left, *cells in chart("HL-SAV-02")}
    assert said == {left: ["X" if one is None else str(one) for one in row.values()] for left, row in
                    standard().saves.items()}  # fmt: skip


def test_the_modifiers_of_the_ledger_are_those_of_the_table() -> None:
    said = [int(modifier) for modifier, _ in chart("HL-CMB-02")]
    assert sorted(set(said)) == sorted({0, *combat.MELEE.values()})
