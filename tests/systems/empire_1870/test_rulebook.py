"""The rulebook prints the charts as they are, and every rule of the ledger by its id."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pbem.ground.hexes import Hex
from pbem.resources import resources
from pbem.rules.ledger import load_ledger
from pbem.rules.registry import load
from pbem.systems import empire_1870
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.tables import charts
from pbem.systems.empire_1870.tables.headquarters import HEADQUARTERS, Face
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from tests.systems.empire_1870.test_map import scene
from tests.systems.play import Game


@cache
def rulebook() -> str:
    return (resources("campaigns") / "empire-1870" / "rulebook.md").read_text("utf-8")


def chart(head: str) -> list[list[str]]:
    """The rows under the table whose head begins so, cell by cell; minus signs and dashes as in code."""
    lines = rulebook().replace("–", "-").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(head)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("| ").split("|")])
    return rows


def signed(number: int) -> str:
    return f"{number:+}" if number else "0"


def test_every_rule_of_the_ledger_is_cited_and_no_other() -> None:
    ledger = load_ledger(Path(empire_1870.__path__[0]) / "ledger.toml")
    assert set(re.findall(r"WE-[A-Z]+-\d\d", rulebook())) == set(ledger.rules)


def test_every_option_of_the_ledger_is_listed() -> None:
    ledger = load_ledger(Path(empire_1870.__path__[0]) / "ledger.toml")
    listed = {name for row in chart("| option | default | else") for name in re.findall(r"`(\w+)`", row[0])}
    assert listed == set(ledger.options)


def test_the_matrix_is_the_chart() -> None:
    printed = {row[0].split()[0]: row[1:] for row in chart("| ratio | clear")}
    assert printed == {
        ratio: [f"{signed(a)}/{signed(d)}" for a, d in row.values()] for ratio, row in charts.CRM.items()
    }


def test_the_fire_table_is_the_chart() -> None:
    printed = [(row[0], [int(cell) for cell in row[1:]]) for row in chart("| roll | 1")]
    assert printed == [(f"{first}-{last}", list(row)) for (first, last), row in charts.CFT]


def test_the_terrain_is_the_chart() -> None:
    for terrain, mp, column, factor in chart("| terrain entered"):
        ours = charts.TERRAIN[terrain]
        assert (mp, column) == ("closed" if ours.mp is None else str(ours.mp), ours.column or "-")
        assert factor in (f"x {ours.artillery[0] / ours.artillery[1]:g}", "-")


def test_the_losses_are_those_of_the_shares() -> None:
    eliminated, winner = chart("| spread | 0")
    for spread, (loser, won) in enumerate(zip(eliminated[1:], winner[1:], strict=True)):
        gone = max(spread * charts.LOSER_SHARE[0] // charts.LOSER_SHARE[1], charts.FEWEST_ELIMINATED)
        assert loser == f"{gone} + {max(spread - gone, 0)}"
        assert int(won) == spread * charts.WINNER_SHARE[0] // charts.WINNER_SHARE[1]


def test_the_headquarters_are_those_of_the_tables() -> None:
    def face(one: Face) -> str:
        ab, db, ma = one.ratings
        return f"{signed(ab)} / {signed(db)} / {ma}{'c' * one.cautious}"

    printed = re.findall(r"^\| (\w+) \| (.+?) \| (\w+) \| (.+?) \| (.+?) \|$", rulebook().split("## 17.")[1], re.M)
    ours = [
        (one.id, one.name, one.rank, face(one.front), f"{one.successor or 'wounded'} {face(one.back)}")
        for one in HEADQUARTERS.values()
    ]
    assert [row for row in printed if row[0] in HEADQUARTERS] == ours


def test_places_are_named_with_their_hexes() -> None:
    chapters = rulebook().split("## 2. Map and pieces")[1].split("### The pieces")[0]
    printed = {at: name for name, at in re.findall(r"([A-Z][\w-]+) (\d{4})", chapters)}
    assert printed == {at: cell.name for at, cell in scene().cells.items() if cell.town or cell.fortress}


def test_the_examples_of_zones_are_those_of_the_game_as_it_is_played() -> None:
    """By default Forbach is a mere place, and a zone reaches into it."""
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    field = Field(game.scene, game.world.truth)
    assert "10 good French in Saarbruecken 2306 control 2307 and 2206, Forbach" in rulebook()
    assert set(field.projects(FRENCH, Hex("2306"))) == {"2307", "2206"}
    assert "Saarlouis 2305 controls 2204, 2205, 2206 and, across the Saar, 2304" in rulebook()
    assert set(field.projects(GERMAN, Hex("2305"))) == {"2204", "2205", "2206", "2304"}
