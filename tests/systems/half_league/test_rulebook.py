"""The rulebook prints the charts as they are, and every rule and option of the ledger."""

from __future__ import annotations

import re
from functools import cache

from pbem.kernel.names import RuleId
from pbem.resources import resources
from pbem.systems.half_league.tables import combat, printed
from pbem.systems.half_league.tables.charts import COLUMNS, MOVERS, standard
from pbem.systems.half_league.tables.printed import INCH
from tests.systems.half_league.ground import SCENARIOS, scene
from tests.systems.half_league.test_ledger import LEDGER


@cache
def rulebook() -> str:
    return (resources("campaigns") / "half-league" / "rulebook.md").read_text("utf-8")


def chart(head: str) -> list[list[str]]:
    """The rows under the table whose head begins so, cell by cell."""
    lines = rulebook().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(head)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("| ").split("|")])
    return rows


def test_every_rule_of_the_ledger_is_cited_and_no_other() -> None:
    assert set(re.findall(r"HL-[A-Z]+-\d\d", rulebook())) == set(LEDGER.rules)


def test_every_option_of_the_ledger_is_listed_with_its_default() -> None:
    said = {True: "on", False: "off"}
    listed = {row[0].strip("`"): row[1].strip("`") for row in chart("| option | default | else")}
    assert listed == {
        name: said[one.default] if isinstance(one.default, bool) else str(one.default)
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


def test_the_movement_is_the_chart() -> None:
    shown = {(kind, formation): [int(cell) for cell in cells] for kind, formation, *cells in chart("| type | forma")}
    assert shown == {
        (kind, formation): list(cells.values())
        for kind, rows in standard().movement.items()
        for formation, cells in rows.items()
    }


def test_the_crossings_are_the_chart() -> None:
    shown = {row[0]: row[1:] for row in chart("| to cross")}
    assert shown == {over: [cells[mover] for mover in MOVERS] for over, cells in standard().crossing.items()}


def test_the_fire_is_the_chart_with_its_ranges() -> None:
    shown = {}
    for row, *cells in chart("| row | dense"):
        found = re.fullmatch(r"(\w+)(?:, (\w+))? \(to (\d+)\)", row)
        assert found is not None
        weapon, band, far = found.groups()
        shown["_".join(filter(None, (weapon, band)))] = cells
        long = standard().ranges[weapon]
        assert int(far) * INCH == (long // 2 if band == "short" else long), row
    assert shown == {
        row: ["{} [{}]".format(*cells[column]) for column in COLUMNS] for row, cells in standard().fire.items()
    }


def test_the_saves_are_the_table() -> None:
    shown = {int(left): cells for left, *cells in chart("| stands left")}
    saves = {left: ["X" if one is None else str(one) for one in row.values()] for left, row in standard().saves.items()}
    assert shown == saves


def test_the_modifiers_are_those_of_the_ledger() -> None:
    lines = LEDGER.rules[RuleId("HL-CMB-02")].says.splitlines()
    said = [int(line.split("|")[1]) for line in lines if re.match(r"\| [-+0]", line)]
    assert [int(row[0]) for row in chart("| modifier |")] == said


def test_the_benefits_are_the_seven() -> None:
    assert tuple(row[0].strip("`") for row in chart("| benefit |")) == printed.BENEFITS
    named = re.search(r"^Benefits: (.+)\.$", rulebook(), re.M)
    assert named is not None
    assert tuple(re.findall(r"`(\w+)`", named[1])) == printed.BENEFITS


def test_the_points_of_victory_are_the_chart() -> None:
    victory = standard().victory
    assert [int(points) for _, points in chart("| for | points")] == [
        victory.unit_destroyed,
        victory.unit_routing,
        victory.battery_lost,
        victory.battery_abandoned,
        victory.brigadier_killed,
        victory.army_commander_killed,
        victory.unit_exited,
    ]
    assert f"A lead of **{victory.margin} points** wins" in rulebook()
    assert f"(In `bulganak` {scene('bulganak').charts.victory.margin} are enough.)" in rulebook()


def test_the_places_of_the_kourgane_are_those_of_the_scenario() -> None:
    for aim in scene().aims:
        assert re.search(rf"{aim.place} {aim.points}\b", rulebook()), aim.place


def test_the_numbers_in_the_text_are_those_of_the_tables() -> None:
    text = " ".join(rulebook().split())
    dice = ("no", "one", "two", "three", "four")
    for said in (
        f"within {printed.BRIGADIER_WITHIN // INCH} inches of its brigadier",
        f"gaps up to {printed.BRIGADE_CHAIN // INCH} inches",
        f"runs {dice[printed.ROUT_DICE]} dice",
        f"**withdraws** [HL-CMB-07]: {dice[printed.WITHDRAWAL_DICE]} dice",
        f"spiked on a {combat.SPIKED_FROM} to 6",
        f"more than {printed.REINFORCE_BEYOND // INCH} inches from every enemy",
        f"minus chits: {printed.MORALE_NEED} or more",
        f"**{combat.ARC} degrees** of its front",
        f"each natural **{combat.LOSER_HIT}** of his",
    ):
        assert said in text, said


def test_what_is_tuned_on_the_kourgane_is_printed() -> None:
    tuned, usual = scene("kourgane").charts, standard()
    differ = [row for row, cells in tuned.fire.items() if cells != usual.fire[row]]
    shown = chart("| on the Kourgane Hill |")
    assert [row[0].split(" (")[0].replace(", ", "_") for row in shown] == differ
    for (_, *cells), row in zip(shown, differ, strict=True):
        assert cells == [f"{free} [{covered}]" for free, covered in (tuned.fire[row][key] for key in COLUMNS)]
    need = {left: row["artillery"] for left, row in tuned.saves.items()}
    assert need == {6: 2, 5: 2, 4: 3, 3: 3, 2: 4, 1: None}
    assert "on a 2 with 5 gunners or more, on a 3 with 4 or 3, on a 4 with 2; the last one has no save" in rulebook()
