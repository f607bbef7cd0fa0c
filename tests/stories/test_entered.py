"""What the GM does in the name of a player, that player is told, in the lines that he would have written."""

from __future__ import annotations

from datetime import date

from pbem.desk.players.aliases import add_address, drop_address
from pbem.desk.post.entries import Entry, commit
from pbem.desk.turns import absences
from pbem.desk.turns.adjudicate import answer
from pbem.kernel.names import Role
from pbem.kernel.office import QueryPut
from tests.kit.table import PLAYERS, Table

HIS = PLAYERS["smuggler"]


def test_i_hear_that_the_umpire_booked_me_away_and_called_me_back(ford: Table) -> None:
    absences.book_for(ford.office, "ford", "smuggler", date(2026, 12, 1), date(2026, 12, 3))
    assert "vacation 2026-12-01 to 2026-12-03" in ford.last_to("smuggler")
    assert "The umpire entered this for you" in ford.last_to("smuggler")

    absences.cancel_for(ford.office, "ford", "smuggler", "He stays at home.")
    assert "vacation off" in ford.last_to("smuggler")
    assert "He stays at home." in ford.last_to("smuggler")


def test_i_hear_how_the_umpire_answered_a_question_that_was_mine(ford: Table) -> None:
    dossier = ford.dossier
    with ford.office.write() as connection:
        entry = Entry(dossier, ford.office.now(), "system")
        moment = dossier.exchange().moment
        for key, to in (("mine", Role("smuggler")), ("the-gms", None)):
            asked = QueryPut(moment=moment, key=key, to=to, rule="", asks="Stand or run?", options=("stand", "run"))
            entry.add(moment, asked)
        commit(ford.office, connection, entry)
    before = len(ford.mails)
    answer(ford.office, "ford", "the-gms", "run")
    assert len(ford.mails) == before

    answer(ford.office, "ford", "mine", "stand")
    [told] = ford.mails[before:]
    assert told.player == ford.dossier.campaign.players[Role("smuggler")]
    assert "answer mine: stand" in ford.text_of(told)


def test_i_hear_that_an_address_of_mine_no_longer_counts(ford: Table) -> None:
    add_address(ford.office, HIS, "anna@work.example")
    drop_address(ford.office, HIS, "anna@work.example")

    assert "taken anna@work.example out" in ford.words_to("smuggler")
