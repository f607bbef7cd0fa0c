from __future__ import annotations

import pytest

from pbem.desk.gm import history, letter
from pbem.desk.players import changes
from pbem.desk.proof.verify import verify
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import LetterSent
from tests.kit.table import Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def test_the_gm_writes_to_a_role_through_the_office(ford: Table) -> None:
    before = len(ford.mails)
    [(role, player)] = letter.write_to(ford.office, "ford", "Smuggler", "The *bridge* is gone.\n", subject="A word")

    assert (role, player.address) == (SMUGGLER, "ann@player.example")
    read = ford.last_to("smuggler")
    assert "Subject: [ford] A word" in read
    assert "From: The office <office@office.example>" in read
    assert "gm@office.example" not in read
    assert "bridge is gone" in ford.words_to("smuggler")
    assert len(ford.mails) == before + 1
    [sent] = [one for one in ford.dossier.log if isinstance(one.event, LetterSent)]
    assert (sent.actor, sent.event) == (
        "gm",
        LetterSent(sender=Role("umpire"), to=SMUGGLER, text="The *bridge* is gone."),
    )


def test_its_reader_finds_it_in_his_history_and_nobody_else(ford: Table) -> None:
    letter.write_to(ford.office, "ford", "smuggler", "The bridge is gone.")

    told = {role: [one.what for one in history.entries(ford.office, "ford", role=role)] for role in (SMUGGLER, GUARD)}
    assert any("umpire to smuggler: The bridge is gone." in what for what in told[SMUGGLER])
    assert not any("bridge" in what for what in told[GUARD])


def test_the_gm_writes_to_all_and_twice_the_same_is_two_letters(ford: Table) -> None:
    for _ in range(2):
        reached = letter.write_to(ford.office, "ford", "all", "Welcome.")
        assert [role for role, _ in reached] == list(ford.dossier.roles)

    assert sum("A letter from the umpire" in mail.subject for mail in ford.mails) == 4
    assert verify(ford.office, "ford").sound


@pytest.mark.parametrize(
    ("to", "text", "why"),
    [("guard", " \n", "empty"), ("saxon", "x", 'no role "saxon"'), ("smuggler", "x", "nobody plays smuggler")],
)
def test_what_cannot_be_written_is_refused_and_nothing_is_entered(ford: Table, to: str, text: str, why: str) -> None:
    changes.withdraw_player(ford.office, "ford", "smuggler", reason="He left.")
    kinds = ford.kinds

    with pytest.raises(Refused, match=why):
        letter.write_to(ford.office, "ford", to, text)
    assert ford.kinds == kinds
