"""How punctual somebody is: counted from the logs, of what is known, and of nobody who was erased."""

from __future__ import annotations

import json
import re

import pytest

from pbem.desk.books.standing import Standing, standing_of, standings
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import changes, enrol
from pbem.desk.proof.transfer import fork
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.names import CampaignId
from pbem.kernel.terms import Terms
from tests.kit.table import PLAYERS, Table
from tests.kit.watching import stay


def of(table: Table, role: str) -> Standing | None:
    with table.office.read() as connection:
        return standing_of(table.office, connection, changes.find_player(table.office, PLAYERS[role]))


def late_by(table: Table, hours: float) -> None:
    """It is so many hours after the deadline, and the office has looked at its clock all the while."""
    stay(table, table.dossier.exchange().deadline + int(hours * HOUR))


def test_orders_count_by_when_they_came(table: Table) -> None:
    table.open(grace=6, nmr="hold")
    table.write("smuggler", "move s1 to 2")
    table.turn()
    assert of(table, "smuggler") == Standing(in_time=1, plays=1)

    table.write("guard", "watch g1 4")
    table.clock.at = table.dossier.exchange().deadline + HOUR
    table.turn()
    table.clock.at = table.dossier.exchange().deadline + HOUR
    table.write("smuggler", "move s1 to 3")
    table.turn()

    assert of(table, "smuggler") == Standing(in_time=1, grace=1, plays=1)
    assert of(table, "guard") == Standing(in_time=1, plays=1)


def test_who_sends_nothing_has_missed_it_and_who_sends_it_when_that_was_written_down_is_late(table: Table) -> None:
    table.open(nmr="standing", release="auto")
    late_by(table, 1)
    assert of(table, "smuggler") == Standing(missed=1, plays=1)

    adjudicate.run(table.office, "ford", early=True)
    enrol.set_terms(table.office, "ford", {"nmr": "hold", "release": "gm"})
    late_by(table, 1)
    table.write("smuggler", "move s1 to 2")
    adjudicate.run(table.office, "ford", early=True)
    assert of(table, "smuggler") == Standing(missed=1, plays=1), "it is not made known"
    publish.release(table.office, "ford")
    assert of(table, "smuggler") == Standing(missed=1, late=1, plays=1)


def test_an_exchange_that_was_run_before_its_hour_was_missed_by_nobody(table: Table) -> None:
    table.open()
    table.turn()
    assert of(table, "smuggler") == Standing(plays=1)


def test_what_became_of_his_games(table: Table) -> None:
    table.open()
    table.write("smuggler", "move s1 to 2")
    table.turn()
    changes.replace_player(table.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="Ill.")
    assert of(table, "smuggler") == Standing(in_time=1, replaced=1)

    table.write("guard", "resign ford")
    code = re.search(r"confirm [a-z2-7-]{19}", table.words_to("guard"))
    assert code
    table.write("guard", code[0])
    assert of(table, "guard") == Standing(resigned=1)

    enrol.new(table.office, "bridge", find_scenario(table.office.folder, "toy/ford"), Terms(trust="address"))
    enrol.add_player(table.office, "bridge", "guard", name="", address=PLAYERS["guard"])
    enrol.add_player(table.office, "bridge", "smuggler", name="", address=PLAYERS["smuggler"])
    enrol.start(table.office, "bridge")
    fork(table.office, "bridge", "what-if")
    assert of(table, "guard") == Standing(resigned=1, plays=1)
    enrol.end(table.office, "bridge", "Nobody has time")
    assert of(table, "guard") == Standing(resigned=1, finished=1)


def test_it_is_of_the_games_at_which_whoever_asks_may_look(table: Table) -> None:
    table.open()
    table.write("guard", "watch g1 4")
    table.turn()
    who = changes.find_player(table.office, PLAYERS["guard"])

    assert standings(table.office, [who])[who.id].plays == 1
    assert standings(table.office, [who], lambda campaign: campaign != CampaignId("ford"))[who.id] == Standing()


def test_of_whoever_is_forgotten_there_is_none(table: Table) -> None:
    table.open()
    who = changes.find_player(table.office, PLAYERS["guard"])
    enrol.end(table.office, "ford", "Nobody has time")
    changes.erase_player(table.office, who.id)

    with table.office.read() as connection:
        from pbem.storage import players

        gone = players.get(connection, who.id)
        assert standing_of(table.office, connection, gone) is None
    assert standings(table.office, [gone]) == {}


@pytest.mark.parametrize("role", PLAYERS)
def test_he_himself_is_told_by_status(ford: Table, role: str) -> None:
    ford.write(role, "status")
    assert "games: 1 played now" in ford.words_to(role)
    assert json.dumps(ford.words_to(role)).count("played now") == 1
