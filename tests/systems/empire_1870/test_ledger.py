"""The ledger says what the charts and the options hold."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pbem.kernel.names import RuleId
from pbem.rules.ledger import Ledger, load_ledger
from pbem.systems import empire_1870
from pbem.systems.empire_1870.tables import charts, headquarters
from pbem.systems.empire_1870.world.options import Options

LEDGER: Ledger = load_ledger(Path(empire_1870.__path__[0]) / "ledger.toml")


def chart(rule: str) -> list[list[str]]:
    """The rows of the table in a rule's text, cell by cell; the first is its head."""
    lines = LEDGER.rules[RuleId(rule)].says.splitlines()
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith("|")]


def test_the_options_of_the_ledger_are_those_of_the_game() -> None:
    assert {name: choice.default for name, choice in LEDGER.options.items()} == msgspec.to_builtins(Options())


def test_rules_and_options_name_each_other() -> None:
    by_rule = {(name, rule.id) for rule in LEDGER.rules.values() for name in rule.options}
    by_option = {(choice.name, rule) for choice in LEDGER.options.values() for rule in choice.rules}
    assert by_rule == by_option


@pytest.mark.parametrize("module", [charts, headquarters], ids=lambda module: module.__name__.rpartition(".")[2])
def test_charts_name_rules_of_the_ledger(module: object) -> None:
    marked = getattr(module, "TABLE_RULES")  # noqa: B009 - both modules have it, their common type has not
    assert {rule for rules in marked.values() for rule in rules} <= set(LEDGER.rules)


def test_the_matrix_of_the_ledger_is_the_chart() -> None:
    head, *rows = chart("WE-CBT-05")
    assert tuple(head[1:]) == charts.CRM_COLUMNS
    said = {ratio: [tuple(int(n) for n in cell.split("/")) for cell in cells] for ratio, *cells in rows}
    assert said == {ratio: [row[column] for column in charts.CRM_COLUMNS] for ratio, row in charts.CRM.items()}


def test_the_fire_table_of_the_ledger_is_the_chart() -> None:
    head, *rows = chart("WE-OCF-02")
    assert [int(cell.rpartition("-")[2]) for cell in head[1:-1]] == list(charts.CFT_COLUMNS[:-1])
    said = [(tuple(int(n) for n in roll.split("-")), tuple(int(n) for n in cells)) for roll, *cells in rows]
    assert said == list(charts.CFT)


def test_the_terrain_of_the_ledger_is_the_chart() -> None:
    _, *rows = chart("WE-MOV-02")
    for terrain, mp, column, factor in rows:
        ours = charts.TERRAIN[terrain]
        assert (mp, column) == ("closed" if ours.mp is None else str(ours.mp), ours.column or "-")
        assert factor.strip("x -") in (f"{ours.artillery[0] / ours.artillery[1]:g}", "")
    assert [row[0] for row in rows] == list(charts.TERRAIN)


def test_the_victory_points_of_the_ledger_are_the_chart() -> None:
    said = [points for _, points in chart("WE-VIC-01")[1:]]
    vp = charts.VP
    assert said == [
        f"{vp['german_town_taken']:+}",
        f"{vp['german_town_retaken']:+}",
        f"{vp['german_fortress_destroyed']:+}",
        f"{charts.VP_FRENCH_FORTRESS[3]:+}",
        f"{charts.VP_FRENCH_FORTRESS[5]:+}",
        f"{vp['french_town_taken']:+}",
        f"{vp['french_town_retaken']:+}",
        "1 for its winner",
        "+1",
        "-1",
    ]
