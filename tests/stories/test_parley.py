"""Words to the enemy: the GM is asked, and what he carries is in the enemy's report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.house import clock
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.office import Option
from pbem.kernel.terms import Terms, changed
from tests.kit.table import Table
from tests.kit.table import table as make

WORDS = "I ask for an hour to bring in the wounded."


@pytest.fixture
def kreuzweg(tmp_path: Path) -> Iterator[Table]:
    """A game of two commanders in which the umpire releases the reports, at the run of turn 1."""
    with make(tmp_path / "office") as table:
        table.name = "kreuzweg"
        scenario = find_scenario(table.office.folder, "kriegsspiel/kreuzweg")
        short: dict[str, Option] = {"interrupts": "off", "turn_moves": 12, "step_moves": 12}
        terms = changed(Terms(trust="address"), {"release": "gm"})
        enrol.new(table.office, table.name, scenario, terms, options=short)
        for role in ("asmus", "kessel"):
            enrol.add_player(table.office, table.name, role, name=role.title(), address=f"{role}@player.example")
        enrol.start(table.office, table.name)
        adjudicate.run(table.office, table.name, early=True)
        publish.release(table.office, table.name)
        yield table


def test_the_gm_is_asked_by_letter_and_what_he_carries_is_in_the_enemys_report(kreuzweg: Table) -> None:
    kreuzweg.submit("asmus", f"parley: {WORDS}")
    kreuzweg.submit("kessel", "stay")
    kreuzweg.clock.at = kreuzweg.dossier.exchange().deadline + HOUR
    list(clock.tick(kreuzweg.office))
    [query] = kreuzweg.dossier.campaign.queries.values()

    assert WORDS in kreuzweg.last_to("gm")
    assert f"pbem turn answer kreuzweg {query.key} ANSWER" in kreuzweg.last_to("gm")

    adjudicate.answer(kreuzweg.office, "kreuzweg", query.key, "carry")
    adjudicate.run(kreuzweg.office, "kreuzweg", early=True)
    publish.release(kreuzweg.office, "kreuzweg")
    assert WORDS in kreuzweg.last_to("kessel")
    assert "Letter of the enemy, under a flag of truce, written 06:0" in kreuzweg.words_to("kessel")
