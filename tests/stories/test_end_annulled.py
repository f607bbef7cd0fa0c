"""A game was over, and goes on, for what ended it is annulled: all are told, and it is shown to everybody no more."""

from __future__ import annotations

from pbem.desk.deeds.of_campaign import annul as annul_by_page
from pbem.desk.deeds.of_campaign import make_public
from pbem.desk.players import enrol
from pbem.desk.turns.exchange import annul
from tests.kit.table import PLAYERS, Table

GOES_ON = "The game was over; with this it goes on."


def test_all_players_are_told_that_the_game_goes_on(ford: Table) -> None:
    ford.turn()
    enrol.end(ford.office, "ford", "A draw.")
    annul(ford.office, "ford", None, "We go on.")
    assert [GOES_ON in ford.words_to(role) for role in PLAYERS] == [True, True]


def test_of_a_game_that_goes_on_all_the_time_nothing_of_the_kind_is_said(ford: Table) -> None:
    ford.turn()
    annul(ford.office, "ford", None, "A cart was misplaced.")
    assert not any(GOES_ON in ford.words_to(role) for role in PLAYERS)


def test_the_gm_is_told_and_the_pages_that_tell_the_truth_to_everybody_are_taken_down(ford: Table) -> None:
    ford.turn()
    enrol.end(ford.office, "ford", "A draw.")
    make_public(ford.office, "ford", {"role": ""})
    own = ford.office.folder / "public" / "ford"
    assert own.is_dir()

    said = annul_by_page(ford.office, "ford", {"turn": "", "reopen": "on", "reason": "We go on."})

    assert said.endswith("The game was over, and goes on.")
    assert not own.exists()
    assert "ford" not in (ford.office.folder / "public" / "feed.xml").read_text("utf-8")
