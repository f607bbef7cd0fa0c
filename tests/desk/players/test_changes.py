"""A role changes hands, a briefing leaves again, a person is forgotten."""

from __future__ import annotations

import pytest

from pbem.desk.players.changes import erase_player, find_player, replace_player, resend_briefing, withdraw_player
from pbem.desk.proof.proof import Row
from pbem.desk.proof.transfer import fork
from pbem.desk.proof.verify import verify
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId, Role
from tests.kit.table import PLAYERS, Table


def test_a_newcomer_gets_the_briefing_and_the_last_report_and_sees_what_counts_no_more(table: Table) -> None:
    table.open()
    table.turn()
    table.write("guard", "fire g1 at 1")

    replace_player(table.office, "ford", "guard", name="Cid", address="cid@player.example", reason="He is ill.")

    new = table.dossier.campaign.players[Role("guard")]
    [mail] = [mail for mail in table.mails if mail.player == new]
    briefed = table.text_of(mail)
    assert "cid@player.example" in briefed
    assert "What was sent for 1B before you, and does not count" in briefed
    assert "fire g1 at 1" in briefed
    assert b'filename="report-1a-guard.html"' in table.bytes_of(mail)


def test_the_one_who_leaves_and_the_others_are_told_without_names(table: Table) -> None:
    table.open()
    former = table.dossier.campaign.players[Role("guard")]
    table.clock.forward(1)

    replace_player(table.office, "ford", "guard", name="Cid", address="cid@player.example", reason="He is ill.")

    left = table.text_of([mail for mail in table.mails if mail.player == former][-1])
    assert "You no longer play guard" in left
    assert "He is ill." in left
    other = table.last_to("smuggler")
    assert "guard is played by somebody else from now on" in other
    told = table.words_to("smuggler")
    assert "Since Friday 20 November 2026, 23:00 UTC" in told
    assert "Due Monday 23 November 2026, 23:00 UTC" in told
    assert "your orders stay as they are" in told
    assert not any(word in other for word in ("Cid", "cid@", "ben@", "ill"))


def test_by_terms_that_say_so_the_others_are_told_by_name(table: Table) -> None:
    table.open(names="told")

    replace_player(table.office, "ford", "guard", name="Cid", address="cid@player.example", reason="He is ill.")

    assert "guard is played by Cid from now on" in table.words_to("smuggler")
    assert "cid@player.example" not in table.last_to("smuggler")


def test_letters_of_the_one_who_left_are_no_longer_his_roles(table: Table) -> None:
    table.open()
    replace_player(table.office, "ford", "guard", name="Cid", address="cid@player.example", reason="He is ill.")

    assert table.write("guard", "watch g1 3").state == "refused"
    assert table.write("cid@player.example", "watch g1 3").state == "applied"


def test_a_role_that_nobody_plays_is_not_mailed_and_the_turn_runs(table: Table) -> None:
    table.open()
    withdraw_player(table.office, "ford", "guard", reason="He was called away.")
    table.clock.forward(1)

    table.turn()

    new = [mail for mail in table.mails if mail.created_at == table.clock()]
    assert {mail.player for mail in new} == {table.dossier.campaign.players[Role("smuggler")]}
    assert verify(table.office, "ford").sound


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nowhere", '"nowhere" is no address'),
        ("office@office.example", "the office's own address"),
        ("ben@player.example", "Guard plays guard already"),
    ],
)
def test_who_cannot_play_a_role_is_refused(table: Table, address: str, words: str) -> None:
    before = table.open().seq

    with pytest.raises(Refused, match=words):
        replace_player(table.office, "ford", "guard", name="Cid", address=address, reason="He is ill.")

    assert table.dossier.seq == before


def test_a_briefing_leaves_again_with_what_is_new(table: Table) -> None:
    table.open()
    table.turn()
    table.write("guard", "fire g1 at 1")
    before = table.dossier.seq

    resend_briefing(table.office, "ford", "guard")
    resend_briefing(table.office, "ford", "guard")

    mails = [mail for mail in table.mails if mail.kind == "briefing" and "ben@" in table.text_of(mail)]
    assert len(mails) == 3
    assert "fire g1 at 1" in table.text_of(mails[-1])
    assert b'filename="report-1a-guard.html"' in table.bytes_of(mails[-1])
    assert table.dossier.seq == before
    assert verify(table.office, "ford").sound


def test_a_briefing_that_cannot_leave_is_refused(table: Table) -> None:
    table.open()
    fork(table.office, "ford", "what-if")
    with pytest.raises(Refused, match="what-if never mails"):
        resend_briefing(table.office, "what-if", "guard")
    withdraw_player(table.office, "ford", "guard", reason="He was called away.")
    with pytest.raises(Refused, match="nobody plays guard"):
        resend_briefing(table.office, "ford", "guard")


def orders_row(table: Table) -> Row:
    return next(row for row in verify(table.office, "ford").rows if row.name == "orders")


def left(table: Table) -> PlayerId:
    """The guard has played, and plays no more."""
    table.write("ben@player.example", "May I join?", subject="hello")
    table.clock.forward(1)
    table.open(trust="table")
    table.write("guard", "watch g1 3")
    table.submit("guard", "watch g1 4")
    table.turn()
    who = table.dossier.campaign.players[Role("guard")]
    withdraw_player(table.office, "ford", "guard", reason="He was called away.")
    return who


@pytest.mark.sqlite
def test_of_a_person_who_is_erased_no_byte_is_left_and_verify_says_so(table: Table) -> None:
    who = left(table)
    database = table.office.engine.path
    files = [database, database.with_name(f"{database.name}-wal")]
    assert any(b"ben@player.example" in path.read_bytes() for path in files)

    erase_player(table.office, who)

    for path in files:
        assert b"ben@player.example" not in path.read_bytes(), path.name
        assert b"May I join?" not in path.read_bytes(), path.name
    assert verify(table.office, "ford").sound
    assert orders_row(table).what.endswith("; 1 erased")
    assert not any(
        PLAYERS["guard"] in table.text_of(mail) for mail in table.mails if mail.player != who and mail.player
    )
    table.turn()
    assert verify(table.office, "ford").sound


def test_who_still_plays_or_is_gone_cannot_be_erased(table: Table) -> None:
    table.open()
    with pytest.raises(Refused, match="First: pbem player withdraw ford guard"):
        erase_player(table.office, find_player(table.office, " BEN@player.example").id)
    who = table.dossier.campaign.players[Role("guard")]
    withdraw_player(table.office, "ford", "guard", reason="He was called away.")
    erase_player(table.office, who)
    with pytest.raises(Refused, match="was erased"):
        find_player(table.office, who)
    with pytest.raises(Refused, match="there is no player"):
        find_player(table.office, PLAYERS["guard"])
