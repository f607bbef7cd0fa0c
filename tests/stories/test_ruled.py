"""A ruling of the Kriegsspiel, as it is shown to the GM and as its reader finds it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.gm.ruling import rule
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.names import Role
from pbem.kernel.terms import Terms
from tests.kit.table import PLAYERS, Table
from tests.kit.table import table as make

ASMUS, KESSEL = Role("asmus"), Role("kessel")
WORDS = "The corps is late."


def test_what_the_umpire_wrote_is_told_in_words_to_him_who_got_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for role in (ASMUS, KESSEL):
        monkeypatch.setitem(PLAYERS, role, f"{role}@player.example")
    with make(tmp_path / "office") as table:
        table.name = "cross"
        scenario = find_scenario(table.office.folder, "kriegsspiel/kreuzweg")
        enrol.new(table.office, "cross", scenario, Terms(trust="address"))
        for role in (ASMUS, KESSEL):
            enrol.add_player(table.office, "cross", role, name=role.title(), address=PLAYERS[role])
        enrol.start(table.office, "cross")
        play(table)
        ruling = rule(table.office, "cross", [f"message asmus: {WORDS}"], "They asked.", make=True)
        play(table)
        his, other = history(table, ASMUS), history(table, KESSEL)

    assert [said for said in ruling.learns[ASMUS] if f"“{WORDS}”" in said]
    assert ruling.learns[KESSEL] == ()
    assert f"“{WORDS}”" in his
    assert "received=" not in his
    assert "sender" not in his
    assert other.startswith("nothing")


def play(table: Table) -> None:
    adjudicate.run(table.office, table.name, early=True)
    while table.dossier.exchange().halt:
        adjudicate.run(table.office, table.name, early=True)
    publish.release(table.office, table.name, early=True)


def history(table: Table, role: Role) -> str:
    """What is said of rulings to *role*."""
    table.write(role, "history")
    return table.words_to(role).partition("What the umpire ruled, as far as you know")[2].lstrip(": ")
