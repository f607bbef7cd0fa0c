"""The ledger says what the charts and the options hold."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest

from pbem.kernel.names import RuleId
from pbem.rules.ledger import Ledger, load_ledger
from pbem.systems import crossroads
from pbem.systems.crossroads.tables.combat import FIRING, FIRING_DICE, MELEE_DICE
from pbem.systems.crossroads.tables.morale import MORALE
from pbem.systems.crossroads.tables.move import MOVEMENT
from pbem.systems.crossroads.tables.units import FOOTPRINTS, LEVELS
from pbem.systems.crossroads.world.options import Options
from tests.systems.crossroads.test_tables import MODULES, faces, hits

LEDGER: Ledger = load_ledger(Path(crossroads.__path__[0]) / "ledger.toml")


def chart(rule: str) -> dict[str, list[str]]:
    """The rows of the table in a rule's text by their first cell, without its head."""
    lines = [line for line in LEDGER.rules[RuleId(rule)].says.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines[2:]]
    return {name: cells for name, *cells in rows}


def dashed(value: object) -> str:
    return "-" if value is None or value == "n/a" else str(value)


def morale_rows() -> dict[str, list[str]]:
    """The morale chart as books print it."""
    found = {}
    for row, levels in MORALE.items():
        found[row] = [
            dashed(cell)
            for one in levels.values()
            for cell in (
                [None] * 4 if one is None else [f"{one.passes}+", *map(faces, (one.shaken, one.withdraw, one.rout))]
            )
        ]
    return found


def movement_rows() -> dict[str, list[str]]:
    """The movement chart as books print it."""
    return {name: [dashed(cell) for cell in row] for name, row in MOVEMENT.items()}


def firing_rows() -> dict[str, list[str]]:
    """The firing chart as books print it."""
    return {name: [*map(hits, row[:-1]), str(row.range)] for name, row in FIRING.items()}


def footprint_rows() -> dict[str, list[str]]:
    """The footprints as books print them."""
    formations = ("line", "column", "skirmish", "deployed", "limbered")
    return {
        arm: [f"{float(at[one].width):g} x {float(at[one].depth):g}" if one in at else "-" for one in formations]
        for arm, at in FOOTPRINTS.items()
    }


def level_rows() -> dict[str, list[str]]:
    """The levels as books print them."""
    return {
        str(strength): [*(f"{first}-{after - 1}" for first, after in itertools.pairwise(at)), str(at[-1])]
        for strength, at in LEVELS.items()
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


def test_what_the_print_does_not_have_says_so() -> None:
    for rule in LEDGER.rules.values():
        if rule.source.startswith("none"):
            assert "econstructed" in rule.reading, rule.id


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_charts_name_rules_of_the_ledger(module: object) -> None:
    marked = getattr(module, "TABLE_RULES")  # noqa: B009 - a module's type has no such attribute
    assert {rule for rules in marked.values() for rule in rules} <= set(LEDGER.rules)


def test_the_charts_of_the_ledger_are_the_charts() -> None:
    assert chart("GC-MOR-02") == morale_rows()
    assert chart("GC-MOV-01") == movement_rows()
    assert chart("GC-FIR-01") == {name: [*map(str, row)] for name, row in FIRING_DICE.items()}
    assert chart("GC-FIR-02") == firing_rows()
    assert chart("GC-MEL-01") == {name: [*map(str, row)] for name, row in MELEE_DICE.items()}
    assert chart("GC-LVL-01") == level_rows()
    assert chart("GC-GEO-01") == footprint_rows()
