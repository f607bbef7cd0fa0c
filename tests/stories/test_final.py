"""A sheet that stands once it is taken (WE-SEQ-05)."""

from __future__ import annotations

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersRefused
from pbem.kernel.terms import Terms
from tests.kit.table import Table

PLAYERS = {"french": "anna@player.example", "german": "bernd@player.example"}
FIRST = Moment(1, 1)


def war(table: Table, amend: str) -> Table:
    """A campaign of 1870 at its first exchange, whose sheets can be amended so."""
    table.name = "war"
    scenario = find_scenario(table.office.folder, "empire-1870/woerth")
    enrol.new(table.office, "war", scenario, Terms(trust="address"), options={"amend_orders": amend})
    for role, address in PLAYERS.items():
        enrol.add_player(table.office, "war", role, name=role.title(), address=address)
    enrol.start(table.office, "war")
    table.turn()
    table.turn()
    assert table.dossier.exchange().moment == FIRST
    return table


def send(table: Table, role: str, text: str) -> object:
    """Write a letter of *role*; gives the last event of the log that is about its sheet."""
    table.write(PLAYERS[role], text)
    sheets = (one.event for one in reversed(table.dossier.log))
    return next(one for one in sheets if isinstance(one, OrdersAccepted | OrdersRefused))


@pytest.mark.parametrize(
    ("amend", "french", "german"),
    [
        ("both", "REACT LOSSES SPREAD", "REACT ADVANCE ALL"),
        ("german_only", "PASS", "REACT ADVANCE ALL"),
        ("none", "PASS", "PASS"),
    ],
)
def test_whose_first_sheet_stands_is_an_option(table: Table, amend: str, french: str, german: str) -> None:
    war(table, amend)

    for role, second in (("french", "REACT LOSSES SPREAD"), ("german", "REACT ADVANCE ALL")):
        assert isinstance(send(table, role, "PASS"), OrdersAccepted)
        send(table, role, second)

    sheets = table.dossier.campaign.sheets
    assert sheets[FIRST, Role("french")].text == french
    assert sheets[FIRST, Role("german")].text == german


def test_a_sheet_that_stands_can_be_neither_replaced_nor_withdrawn_and_that_is_said(table: Table) -> None:
    war(table, "german_only")
    send(table, "french", "PASS")

    refused = send(table, "french", "REACT LOSSES SPREAD")
    send(table, "french", "withdraw")

    assert isinstance(refused, OrdersRefused)
    assert "final" in refused.reason
    assert table.dossier.campaign.sheets[FIRST, Role("french")].text == "PASS"
    assert "final" in table.words_to("french")


def test_a_first_sheet_of_which_no_line_was_taken_is_not_final(table: Table) -> None:
    war(table, "none")
    send(table, "german", "MRACH 2306")

    assert isinstance(send(table, "german", "PASS"), OrdersAccepted)
