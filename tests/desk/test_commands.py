from __future__ import annotations

import pytest

from pbem.kernel.office import LetterSent, WaitSet
from pbem.orders.words import WORDS
from tests.desk.table import Table


def test_every_word_has_its_deed() -> None:
    from pbem.desk.commands import WHAT_TO_DO

    assert set(WHAT_TO_DO) | {"add", "preview"} == set(WORDS)


def test_help_lists_every_word_and_lines_to_begin_from(ford: Table) -> None:
    ford.write("smuggler", "help")

    said = ford.words_to("smuggler")
    assert all(word.says in said for word in WORDS.values())
    assert "move s1 to 1" in said


def test_status_says_what_is_owed_and_when(ford: Table) -> None:
    ford.write("smuggler", "status")
    said = ford.words_to("smuggler")

    assert "1A, the carts" in said
    assert "Mon 23 Nov 2026, 22:00 UTC" in said
    assert "you owe: movement" in said


def test_orders_are_sent_back_as_they_stand(ford: Table) -> None:
    ford.write("smuggler", "orders?")
    assert "You have no orders for 1A" in ford.words_to("smuggler")
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "orders?")
    assert "receipt 1: move s1 to 3" in ford.words_to("smuggler")


def test_a_report_is_sent_again(ford: Table) -> None:
    ford.write("smuggler", "report S0")

    assert {mail.cause.split("/")[0] for mail in ford.mails[2:]} == {"again", "answer"}
    ford.write("smuggler", "report 4B")
    assert "There is no report 4B to send" in ford.words_to("smuggler")


def test_wait_holds_the_run_and_is_written_once(ford: Table) -> None:
    ford.write("smuggler", "wait on")
    ford.write("smuggler", "wait on")
    waits = [one.event for one in ford.dossier.log if isinstance(one.event, WaitSet)]
    assert [one.on for one in waits] == [True]
    ford.write("smuggler", "wait off\nmove s1 to 3")
    assert not any(ford.dossier.campaign.waits.values())


def test_after_the_deadline_nothing_can_be_withdrawn_or_held(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(73)
    for word in ("withdraw", "wait on"):
        received = ford.write("smuggler", word)
        assert received.state == "refused"
        assert "was due at" in ford.words_to("smuggler")

    assert ford.kinds[-1] == "message_received"


def test_a_word_to_the_umpire_reaches_him_and_nobody_else(ford: Table) -> None:
    ford.write("smuggler", "umpire: may carts swim?\nmove s1 to 3")

    assert "may carts swim?" in ford.last_to("gm")
    assert "may carts swim?" not in ford.last_to("guard")
    [sent] = [one.event for one in ford.dossier.log if isinstance(one.event, LetterSent)]
    assert (sent.sender, sent.to, sent.text) == ("smuggler", None, "may carts swim?")


def test_a_letter_goes_through_the_office_and_shows_no_address(ford: Table) -> None:
    ford.write("smuggler", "letter to guard:\nShall we talk?\nAt the mill.\n\nmove s1 to 3")

    letter = ford.last_to("guard")
    assert "Shall we talk?" in letter
    assert "At the mill." in letter
    assert "ann@player.example" not in letter
    assert ford.kinds[-3:] == ["message_received", "letter_sent", "orders_accepted"]


@pytest.mark.parametrize("to", ["miller", "smuggler"])
def test_a_letter_to_nobody_is_not_delivered(ford: Table, to: str) -> None:
    mails = len(ford.mails)
    ford.write("smuggler", f"letter to {to}: hello")

    assert "Not delivered" in ford.words_to("smuggler")
    assert len(ford.mails) == mails + 1


def test_a_preview_judges_and_enters_nothing(ford: Table) -> None:
    ford.write("smuggler", "preview\nmove s1 to 3\nmove s1 to 99")

    assert ford.kinds[-1] == "message_received"
    assert "there is no place 99" in ford.words_to("smuggler")
    assert "Nothing was entered" in ford.words_to("smuggler")


@pytest.mark.parametrize("word", ["resign", "vacation 2026-12-24 to 2027-01-02"])
def test_what_the_gm_decides_is_passed_to_him(ford: Table, word: str) -> None:
    ford.write("smuggler", word)

    assert word in ford.last_to("gm")


def test_a_word_that_is_wrong_is_said_in_the_receipt(ford: Table) -> None:
    received = ford.write("smuggler", "wait maybe\nmove s1 to 3")

    assert received.state == "applied"
    assert 'after "wait" stands "on" or "off"' in ford.words_to("smuggler")
