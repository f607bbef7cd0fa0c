"""The rulebook prints the tables as they are, and names every rule and option of the ledger."""

from __future__ import annotations

import re
from functools import cache

from pbem.resources import resources
from pbem.systems.kriegsspiel.tables import attack as tables_attack
from pbem.systems.kriegsspiel.tables import dice as tables_dice
from pbem.systems.kriegsspiel.tables import fire as tables_fire
from pbem.systems.kriegsspiel.tables import formation as tables_formation
from pbem.systems.kriegsspiel.tables import knowledge as tables_knowledge
from pbem.systems.kriegsspiel.tables import march as tables_march
from pbem.systems.kriegsspiel.tables import orders as tables_orders
from pbem.systems.kriegsspiel.tables import works as tables_works
from tests.systems.kriegsspiel.ground import SCENARIOS
from tests.systems.kriegsspiel.test_ledger import LEDGER


@cache
def rulebook() -> str:
    return (resources("campaigns") / "kriegsspiel" / "rulebook.md").read_text("utf-8")


def chart(head: str, after: str = "") -> list[list[str]]:
    """The rows of the first table whose head begins so, after some words of the book."""
    text = rulebook()[rulebook().index(after) :]
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(head)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def numbers(cells: list[str]) -> list[int]:
    return [0 if cell == "-" else int(cell) for cell in cells]


def test_every_rule_of_the_ledger_is_cited_and_no_other() -> None:
    assert set(re.findall(r"KS-[A-Z]+-\d\d", rulebook())) == set(LEDGER.rules)


def test_every_option_of_the_ledger_is_listed_with_its_default() -> None:
    listed = {row[0].strip("`"): row[1] for row in chart("| option | default")}
    assert listed == {
        name: str(one.default).lower() if isinstance(one.default, bool) else str(one.default)
        for name, one in LEDGER.options.items()
    }


def test_the_list_of_contents_leads_to_the_chapters() -> None:
    contents = re.findall(r"^\d+\. \[(.+?)\]\(#(.+?)\)$", rulebook(), re.M)
    chapters = re.findall(r"^## (\d+)\. (.+)$", rulebook(), re.M)
    assert [title for title, _ in contents] == [title for _, title in chapters]
    for (title, anchor), (number, _) in zip(contents, chapters, strict=True):
        assert anchor == f"{number}-" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def test_every_scenario_is_described() -> None:
    assert [row[0].strip("`") for row in chart("| scenario |")] == list(SCENARIOS)


def test_the_march_table_is_the_table() -> None:
    printed = {row[0]: numbers(row[1:]) for row in chart("| row | even")}
    assert printed == {row: [cell or 0 for cell in cells.values()] for row, cells in tables_march.MARCH.items()}


def test_the_dice_are_the_dice() -> None:
    for die, faces in tables_dice.DICE.items():
        for row, face in zip(chart("| face | left", f"**Die {die}**"), faces, strict=True):
            assert row[1] == ("-" if face.left is None else " / ".join(map(str, face.left))), die
            assert row[2:4] == [face.circle, face.letter or "-"], die
            assert row[4] == ("{}/{}".format(*face.losses) if face.letter else "-"), die
            assert row[5] == ("-" if face.right is None else " / ".join(map(str, face.right))), die
            assert (row[6] == "flame") == face.flame, die


def test_the_artillery_table_is_the_table() -> None:
    printed = {(row[0], int(row[1])): numbers(row[2:]) for row in chart("| battery | class")}
    assert printed == {
        (battery, which): [*points["good"], *points["bad"]]
        for battery, classes in tables_fire.GUNFIRE.items()
        for which, points in classes.items()
    }


def test_the_range_classes_are_the_table() -> None:
    rows = chart("| class | shot")
    assert [f"to {most}" for most in tables_fire.RANGE_CLASSES["foot_12"]] == [row[2] for row in rows]
    assert [f"to {most}" for most in tables_fire.RANGE_CLASSES["foot_6"]] == [row[3] for row in rows]


def test_the_rounds_are_the_table() -> None:
    assert {row[0]: row[1:4] for row in chart("| gun | limber")} == {
        gun: [
            f"{one.limber_shot}/{one.limber_canister}",
            "{} for {}".format(*one.wagons),
            f"{one.wagon_shot}/{one.wagon_canister}",
        ]
        for gun, one in tables_fire.ROUNDS.items()
    }


def test_the_forms_are_the_table() -> None:
    assert {row[0]: row[1:] for row in chart("| form | of")} == {
        name: [one.of, " / ".join(map(str, one.front)), " / ".join(map(str, one.depth))]
        for name, one in tables_formation.FORMATIONS.items()
    }


def test_the_third_rank_is_the_table() -> None:
    printed = [(int(row[1]), row[2], int(row[3]), int(row[4])) for row in chart("| zugs out")]
    assert printed == [(one.half_battalions, one.piece or "-", one.men, one.front) for one in tables_formation.ZUGS_OUT]


def test_the_sighting_distances_are_the_table() -> None:
    printed = {row[0]: numbers(row[1:]) for row in chart("| what is known")}
    assert printed == {what: list(paces.values()) for what, paces in tables_knowledge.SIGHTING.items()}


def test_the_interrupts_are_the_table() -> None:
    printed = {row[0]: row[2] == "at once" for row in chart("| code | raised when")}
    assert printed == {code: one.urgent for code, one in tables_knowledge.INTERRUPTS.items()}
    switched = [code for code, one in tables_knowledge.INTERRUPTS.items() if one.can_be_switched]
    assert f"switches off {', '.join(switched[:-1])} or {switched[-1]}" in rulebook()


def test_the_reactions_are_the_table() -> None:
    keys = {key for row in chart("| key | values |") for key in re.findall(r"`(\w+)`", row[0])}
    assert keys == {key.split()[0] for key in tables_orders.REACTIONS}


def test_odds_and_states_are_the_tables() -> None:
    assert [row[1] for row in chart("| difference | die")] == [
        one.die or "foregone" for one in tables_attack.ODDS_BY_DIFFERENCE
    ]
    assert {row[0]: row[2:] for row in chart("| letter | is")} == {
        letter: [str(one.cannot_defend), str(one.cannot_attack), str(one.blocks_turned or "all")]
        for letter, one in tables_attack.STATES.items()
    }


def test_the_points_are_the_table() -> None:
    printed: dict[str, list[int]] = {}
    for _, cell in chart("| points for a side"):
        counts, rule = cell.rstrip("]").split(" [")
        printed.setdefault(rule, []).extend(int(one) for one in counts.split(";"))
    ours: dict[str, list[int]] = {}
    for name, points in tables_attack.POINTS.items():
        ours.setdefault(name.split()[0], []).append(points)
    assert {rule: set(points) for rule, points in printed.items()} == {
        rule: set(points) for rule, points in ours.items() if rule != "KS-STR-07"
    }


def test_cavalry_on_infantry_is_the_table() -> None:
    printed = {row[0]: row[1:] for row in chart("| squadrons |")}
    for squadrons, die in tables_attack.CAVALRY_ON_COLUMN.items():
        row = printed["3 or 4" if squadrons > 2 else str(squadrons)]
        assert row == [die, tables_attack.CAVALRY_ON_LINE[squadrons]]


def test_the_table_of_strongholds_is_the_table() -> None:
    printed = {(row[0], int(row[1])): row[2:] for row in chart("| troops | attack |")}
    assert printed == {
        (troops, number): [one.die + "*" * (one.favours == "attacker") for one in cells.values()]
        for troops, attacks in tables_works.STRONGHOLD.items()
        for number, cells in attacks.items()
    }
    assert {row[0]: row[1] for row in chart("| position | class")} == tables_works.DEFENCES
