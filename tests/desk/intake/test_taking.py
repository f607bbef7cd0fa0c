"""For which exchange the orders of a letter are taken."""

from __future__ import annotations

import pytest

from pbem.desk.turns import exchange
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersRefused
from tests.kit.table import Table

FIRST, SECOND, THIRD = Moment(1, 1), Moment(1, 2), Moment(2, 1)


def id_of(table: Table, cause: str) -> str:
    """The id of the newest letter whose cause begins so."""
    return [mail.message_id for mail in table.mails if mail.cause.startswith(cause)][-1]


def reports_again(table: Table) -> list[str]:
    """Reports that were sent once more, by what they are."""
    return [mail.cause.rpartition("/")[0] for mail in table.mails if mail.cause.startswith("again/")]


@pytest.fixture
def third(ford: Table) -> Table:
    """The ford in its third exchange, where the smuggler moves again."""
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.turn()
    assert ford.dossier.exchange().moment == THIRD
    return ford


def test_an_answer_to_the_newest_report_is_for_the_open_exchange(third: Table) -> None:
    received = third.write("smuggler", "move s2 to 3", head=f"In-Reply-To: {id_of(third, 'report/1B/smuggler')}")

    assert (received.state, received.moment) == ("applied", THIRD)


@pytest.mark.parametrize("field", ["In-Reply-To:", "References: <x@y.example>"])
@pytest.mark.parametrize("cause", ["report/S0/smuggler", "receipt/smuggler/1"])
def test_an_answer_to_an_old_letter_is_refused_and_the_newest_report_comes_with_it(
    third: Table, field: str, cause: str
) -> None:
    received = third.write("smuggler", "move s2 to 3", head=f"{field} {id_of(third, cause)}")

    assert received.state == "refused"
    assert received.reason == "refused: 1A is over, and 2A is open"
    refused = third.dossier.log[-1].event
    assert isinstance(refused, OrdersRefused)
    assert (refused.moment, refused.text) == (FIRST, "move s2 to 3")
    assert reports_again(third) == ["again/1B/smuggler"]
    told = [mail for mail in third.mails if mail.cause == "receipt/smuggler/2"]
    assert "Your newest report comes with this." in " ".join(third.text_of(told[0]).split())


def test_of_several_letters_that_it_answers_the_nearest_counts(third: Table) -> None:
    old, new = id_of(third, "report/S0/smuggler"), id_of(third, "report/1B/smuggler")

    assert third.write("smuggler", "move s2 to 3", head=f"References: {old} {new}").state == "applied"
    assert third.write("smuggler", "move s2 to 4", head=f"References: {new} {old}").state == "refused"


def test_what_the_head_says_beats_what_the_letter_answers(third: Table) -> None:
    received = third.write("smuggler", "turn 2A\nmove s2 to 3", head=f"In-Reply-To: {id_of(third, 'report/S0/smug')}")

    assert (received.state, received.moment) == ("applied", THIRD)


@pytest.mark.parametrize(
    ("subject", "moment"),
    [
        ("[ford] 2A", THIRD),
        ("[ford] 2a: my orders", THIRD),
        ("[ford] turn 2", THIRD),
        ("[ford] orders", THIRD),
        ("Re: [ford] 1B report, smuggler. Due: movement", THIRD),
        ("[ford] 1A", FIRST),
        ("[ford] Turn 1 B orders", SECOND),
        ("Re: [ford] 1A orders received - OK", FIRST),
        ("AW: [ford] 1A report, smuggler", SECOND),
    ],
)
def test_the_subject_names_the_exchange(third: Table, subject: str, moment: Moment) -> None:
    received = third.write("smuggler", "move s2 to 3", subject=subject)

    assert received.moment == moment
    assert received.state == ("applied" if moment == THIRD else "refused")
    if moment < THIRD:
        assert received.reason == f"refused: {moment} is over, and 2A is open"
        assert reports_again(third) == ["again/1B/smuggler"]


def test_an_answer_to_a_report_that_was_annulled_is_refused(third: Table) -> None:
    old = id_of(third, "report/1B/smuggler")
    third.clock.forward(1)
    exchange.annul(third.office, "ford", SECOND, "A patrol was misplaced.")
    third.turn()
    received = third.write("smuggler", "move s2 to 3", head=f"In-Reply-To: {old}")

    assert received.state == "refused"
    assert "it answers the letter" in received.reason
    assert "which came before 2A was opened" in received.reason
    assert (
        third.write("smuggler", "move s2 to 3", head=f"In-Reply-To: {id_of(third, 'report/1B/smug')}").state
        == "applied"
    )


def test_a_withdrawal_in_answer_to_an_old_receipt_withdraws_nothing(third: Table) -> None:
    third.write("smuggler", "turn 2A\nmove s2 to 3")
    received = third.write("smuggler", "withdraw", head=f"In-Reply-To: {id_of(third, 'receipt/smuggler/1')}")

    assert received.state == "refused"
    assert "Nothing was withdrawn: 1A is over" in third.words_to("smuggler")
    assert (THIRD, Role("smuggler")) in third.dossier.campaign.sheets


def test_a_question_in_answer_to_an_old_letter_is_answered(third: Table) -> None:
    received = third.write("smuggler", "status", head=f"In-Reply-To: {id_of(third, 'report/S0/smuggler')}")

    assert (received.state, received.reason) == ("applied", "answered")


@pytest.mark.parametrize("says", ["turn 1B\n", ""])
def test_orders_for_a_turn_to_come_wait_and_are_read_again_with_their_errors_mailed(ford: Table, says: str) -> None:
    received = ford.write(
        "guard", f"{says}fire g1 at 3\nfire g2 at 99\nwatch s1 4", subject="orders" if says else "[ford] 1B"
    )
    assert (received.reason, received.moment) == ("kept", SECOND)
    kept = ford.dossier.log[-1].event
    assert isinstance(kept, OrdersKept)
    assert "They wait for 1B: so far only their words were judged" in ford.words_to("guard")
    mails = len(ford.mails)
    ford.turn()

    accepted = ford.dossier.log[-1].event
    assert isinstance(accepted, OrdersAccepted)
    assert (accepted.moment, len(accepted.orders), [one.line for one in accepted.told]) == (SECOND, 1, [2, 3])
    [again] = [mail for mail in ford.mails[mails:] if mail.cause == f"receipt/guard/{accepted.receipt}"]
    said = " ".join(ford.text_of(again).split())
    assert "[ford] 1B orders received - 2 problems" in said
    assert "You sent these lines before 1B was opened. They have now been read again." in said
    assert "there is no place 99" in said
    assert "s1 is no piece of yours" in said


def test_kept_orders_of_which_no_line_stands_when_they_are_read_again_are_refused_then(ford: Table) -> None:
    ford.write("guard", "turn 1B\nwatch s1 4")
    ford.turn()

    assert isinstance(ford.dossier.log[-1].event, OrdersRefused)
    assert "s1 is no piece of yours" in ford.words_to("guard")


def test_a_question_that_is_no_order_is_told_who_answers_it(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nwhat became of s2?")

    told = ford.words_to("smuggler")
    assert "no order; a question to the umpire begins with umpire:" in told
    assert "umpire: what became of s2?" in told


def test_a_mended_line_that_is_added_clears_the_problem(ford: Table) -> None:
    ford.write("smuggler", "mvoe s1 to 3\nmove s2 to 4")
    assert "which you can mend with add" in ford.words_to("smuggler")
    ford.write("smuggler", "add\nmove s1 to 3")

    assert ford.dossier.campaign.sheets[FIRST, Role("smuggler")].text == "move s1 to 3\nmove s2 to 4"
    assert "[ford] 1A orders received - OK" in ford.text_of(ford.mails[-1])


def test_what_is_added_and_is_not_like_a_refused_line_comes_last(ford: Table) -> None:
    ford.write("smuggler", "frobnicate\nmove s2 to 4")
    ford.write("smuggler", "add\nmove s1 to 3")

    assert ford.dossier.campaign.sheets[FIRST, Role("smuggler")].text == "move s2 to 4\nmove s1 to 3"
