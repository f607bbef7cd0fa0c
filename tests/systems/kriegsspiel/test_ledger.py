"""The ledger is whole, and says what the tables hold."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from pbem.kernel.names import RuleId
from pbem.rules.ledger import Ledger, load_ledger
from pbem.systems import kriegsspiel
from pbem.systems.kriegsspiel.tables import attack as tables_attack
from pbem.systems.kriegsspiel.tables import dice as tables_dice
from pbem.systems.kriegsspiel.tables import fire as tables_fire
from pbem.systems.kriegsspiel.tables import formation as tables_formation
from pbem.systems.kriegsspiel.tables import knowledge as tables_knowledge
from pbem.systems.kriegsspiel.tables import march as tables_march
from pbem.systems.kriegsspiel.tables import works as tables_works
from tests.systems.kriegsspiel.test_tables import ENTRIES

LEDGER: Ledger = load_ledger(Path(kriegsspiel.__path__[0]) / "ledger.toml")


def chart(rule: str) -> list[list[str]]:
    """The rows of the table in a rule's text, cell by cell, without its head."""
    lines = [line for line in LEDGER.rules[RuleId(rule)].says.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def dashed(cells: object) -> list[str]:
    """Cells as the ledger writes them."""
    assert isinstance(cells, list)
    return ["-" if cell is None else str(cell) for cell in cells]


def test_the_rules_of_each_chapter_are_numbered_without_a_gap() -> None:
    chapters = defaultdict(list)
    for rule in LEDGER.rules:
        _, chapter, number = rule.split("-")
        chapters[chapter].append(int(number))
    assert {chapter: sorted(numbers) for chapter, numbers in chapters.items()} == {
        chapter: list(range(1, len(numbers) + 1)) for chapter, numbers in chapters.items()
    }
    assert len(chapters) == 31


def test_rules_and_options_name_each_other() -> None:
    by_rule = {(name, rule.id) for rule in LEDGER.rules.values() for name in rule.options}
    by_option = {(choice.name, rule) for choice in LEDGER.options.values() for rule in choice.rules}
    assert by_rule == by_option


def test_what_is_made_for_play_by_letter_says_so() -> None:
    for rule in LEDGER.rules.values():
        if rule.source == "none: play by mail":
            assert "econstructed" in rule.reading, rule.id


@pytest.mark.parametrize("module", [module for module, _ in ENTRIES], ids=lambda module: module.__name__)
def test_tables_name_rules_of_the_ledger(module: object) -> None:
    marked = getattr(module, "TABLE_RULES")  # noqa: B009 - a module's type has no such attribute
    assert {rule for rules in marked.values() for rule in rules} <= set(LEDGER.rules)


def test_the_march_table_of_the_ledger_is_the_table() -> None:
    ours = [[row, *dashed(list(cells.values()))] for row, cells in tables_march.MARCH.items()]
    assert chart("KS-MOV-01") == ours


@pytest.mark.parametrize(("rule", "die"), [(f"KS-DIE-0{n + 2}", die) for n, die in enumerate(tables_dice.DICE)])
def test_the_dice_of_the_ledger_are_the_dice(rule: str, die: str) -> None:
    for row, face in zip(chart(rule), tables_dice.DICE[die], strict=True):
        _, left, circle, letter, losses, right, flame = row
        assert (circle, letter, flame == "flame") == (face.circle, face.letter or "-", face.flame)
        assert left == ("-" if face.left is None else " / ".join(map(str, face.left)))
        assert right == ("-" if face.right is None else " / ".join(map(str, face.right)))
        assert losses == ("{}/{}".format(*face.losses) if face.letter else "-")


def test_the_artillery_table_of_the_ledger_is_the_table() -> None:
    ours = {
        (battery, str(which)): [*points["good"], *points["bad"]]
        for battery, classes in tables_fire.GUNFIRE.items()
        for which, points in classes.items()
    }
    said = {(row[0], row[1]): [0 if cell == "-" else int(cell) for cell in row[2:]] for row in chart("KS-ART-02")}
    assert said == ours


def test_the_table_of_strongholds_of_the_ledger_is_the_table() -> None:
    said = {(row[0], int(row[1])): row[2:] for row in chart("KS-STR-03")}
    assert said == {
        (troops, number): [one.die + "*" * (one.favours == "attacker") for one in cells.values()]
        for troops, numbers in tables_works.STRONGHOLD.items()
        for number, cells in numbers.items()
    }
    assert {row[0]: row[1] for row in chart("KS-STR-02")} == tables_works.DEFENCES


def test_the_odds_and_states_of_the_ledger_are_the_tables() -> None:
    assert [row[1] for row in chart("KS-ODD-02")] == [one.die or "foregone" for one in tables_attack.ODDS_BY_DIFFERENCE]
    assert {row[0]: row[2:] for row in chart("KS-ATK-07")} == {
        letter: [str(one.cannot_defend), str(one.cannot_attack), str(one.blocks_turned or "all")]
        for letter, one in tables_attack.STATES.items()
    }


def test_the_sighting_distances_of_the_ledger_are_the_table() -> None:
    said = {row[0]: [int(cell) for cell in row[1:]] for row in chart("KS-SIT-02")}
    assert said == {what: list(paces.values()) for what, paces in tables_knowledge.SIGHTING.items()}


def test_the_forms_and_the_third_rank_of_the_ledger_are_the_tables() -> None:
    assert {row[0]: (row[2], row[3]) for row in chart("KS-FRM-02")} == {
        name: (" / ".join(map(str, one.front)), " / ".join(map(str, one.depth)))
        for name, one in tables_formation.FORMATIONS.items()
    }
    assert [(int(row[1]), int(row[3]), int(row[4])) for row in chart("KS-FRM-08")] == [
        (one.half_battalions, one.men, one.front) for one in tables_formation.ZUGS_OUT
    ]


def test_the_rounds_of_the_ledger_are_the_table() -> None:
    assert {row[0]: (row[1], row[3]) for row in chart("KS-AMM-01")} == {
        gun: (f"{one.limber_shot}/{one.limber_canister}", f"{one.wagon_shot}/{one.wagon_canister}")
        for gun, one in tables_fire.ROUNDS.items()
    }
