"""An attacker with letters of the victim that are signed: what he makes of them does nothing at the office."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.kernel.names import Role
from tests.kit.forgeries import FORGERIES, OFFICE, lenient, order, replaced, topped, without, written
from tests.kit.signer import FIVE, HOUSES, OUTLOOK, lookup, signed
from tests.kit.table import Table
from tests.kit.writers import answering, code_to, dated, mails_to, sheet, trusting


@pytest.fixture
def checking(careful: Table) -> Table:
    """The office checks signatures itself."""
    object.__setattr__(careful.office, "lookup", lookup)
    return careful


def done(table: Table) -> int:
    """How many letters became something."""
    return table.kinds.count("message_received")


def test_none_of_the_forgeries_is_believed(checking: Table) -> None:
    states = {name: checking.receive(forge()).state for name, forge in FORGERIES.items()}

    assert {name for name, state in states.items() if state in ("applied", "new")} == set()
    assert done(checking) == 0


def test_nor_by_the_word_of_a_mail_server_that_is_trusted(careful: Table) -> None:
    trusting(careful)
    states = {name: careful.receive(lenient(forge())).state for name, forge in FORGERIES.items()}

    assert {name for name, state in states.items() if state in ("applied", "new")} == set()
    assert done(careful) == 0


def test_a_forwarded_letter_of_mine_resigns_no_game(checking: Table) -> None:
    raw = topped(signed(written("Spy <spy@elsewhere.example>", "Hello.\n")), "Subject: [ford] resign ford")
    received = checking.receive(raw)

    assert received.state == "held"
    assert "Subject stands in it more than once" in received.reason
    assert Role("smuggler") in checking.dossier.campaign.players


def test_what_i_wrote_to_a_friend_of_my_orders_does_not_become_my_orders(checking: Table) -> None:
    received = checking.receive(FORGERIES["a private letter, passed on as it is"]())

    assert (received.state, sheet(checking)) == ("held", None)
    assert "was not written to the office" in received.reason


@pytest.mark.parametrize("house", HOUSES)
def test_a_letter_of_mine_is_believed_as_my_mail_house_signs_it(checking: Table, house: str) -> None:
    raw = signed(written(OFFICE, "move s1 to 3\n", subject="[ford] orders"), fields=HOUSES[house].split(":"))

    assert (checking.receive(raw).state, sheet(checking)) == ("applied", "move s1 to 3")


def test_a_house_that_does_not_sign_to_whom_i_write_costs_me_a_code_where_i_do_not_answer(checking: Table) -> None:
    raw = written(OFFICE, "move s1 to 3\n", subject="[ford] orders")
    asked = checking.receive(signed(raw, fields=OUTLOOK.split(":")))
    assert (asked.state, "does not cover To" in asked.reason) == ("held", True)

    to = answering(checking, "smuggler").replace("Delivered-To: ", "")
    answer = written(to, "move s1 to 3\n", subject="Re: [ford] 1A", id="<10@player.example>")
    assert checking.receive(signed(answer, fields=OUTLOOK.split(":"))).state == "applied"


@pytest.mark.parametrize(
    "again",
    [
        lambda raw: topped(raw, "Sender: x@y.example"),
        lambda raw: topped(raw, "Content-Type: text/plain; charset=latin-1"),
        lambda raw: topped(raw, "In-Reply-To: <a@office.example>", "Received: from x by y"),
        lambda raw: raw.replace(b"s1 to 3", b"s1  to  3") + b"\r\n\r\n",
    ],
    ids=["with a sender", "of another type", "as an answer", "with blanks"],
)
def test_an_old_sheet_of_mine_that_somebody_sends_again_does_not_count_again(
    checking: Table, again: Callable[[bytes], bytes]
) -> None:
    first = order(body="move s1 to 3\n", subject="[ford] orders")
    checking.receive(first)
    later = order(
        body="move s1 to 2\n", subject="[ford] orders", id="<10@player.example>", date="Fri, 20 Nov 2026 22:00:00 +0000"
    )
    checking.receive(later)

    received = checking.receive(again(first))

    assert (received.state, received.reason) == ("ignored", "the same letter came before")
    assert sheet(checking) == "move s1 to 2"


def test_nor_one_that_never_came_here_and_is_older_than_what_stands(checking: Table) -> None:
    newer = order(body="move s1 to 2\n", subject="[ford] orders", date="Fri, 20 Nov 2026 21:30:00 +0000")
    assert checking.receive(newer).state == "applied"
    kept_back = order(body="move s1 to 3\n", subject="[ford] orders", id="<8@player.example>")
    received = checking.receive(kept_back)

    assert (received.state, received.reason) == ("held", "it was written before your newest orders (receipt 1)")
    assert sheet(checking) == "move s1 to 2"
    checking.write("smuggler", code_to(checking, "smuggler"))
    assert "move s1 to 3" in checking.last_to("smuggler"), "he is told what became of it"


def test_a_clock_of_mine_that_was_ahead_once_does_not_hold_all_my_later_letters(checking: Table) -> None:
    ahead = order(body="move s1 to 2\n", subject="[ford] orders", date="Fri, 20 Nov 2099 21:30:00 +0000")
    assert checking.receive(ahead).state == "applied"
    checking.clock.forward(1)
    head = [dated(checking).removeprefix("Date: ")]
    later = order(body="move s1 to 3\n", subject="[ford] orders", id="<8@player.example>", date=head[0])

    assert (checking.receive(later).state, sheet(checking)) == ("applied", "move s1 to 3")


def test_which_letter_mine_answers_counts_only_if_that_was_signed(checking: Table) -> None:
    """A letter without a game in its subject is taken for the one whose letter it answers."""
    checking.name = "weir"
    checking.open(trust="table")
    report = next(mail for mail in mails_to(checking, "smuggler") if mail.campaign == "weir")
    more = [f"In-Reply-To: {report.message_id}"]
    unsigned = signed(written(OFFICE, "move s1 to 3\n", subject="orders", more=more))
    covered = signed(
        written(OFFICE, "move s1 to 3\n", subject="orders", more=more, id="<8@player.example>"),
        fields=(*FIVE, "in-reply-to"),
    )

    refused = checking.receive(unsigned)
    assert (refused.state, refused.reason) == ("refused", "it does not say which campaign it is for")
    assert checking.receive(covered).state == "applied"


@pytest.mark.parametrize("trust", ["table", "address", "strict"])
def test_to_give_my_role_up_takes_a_code_whatever_proves_my_letter(table: Table, trust: str) -> None:
    table.open(trust=trust)
    object.__setattr__(table.office, "lookup", lookup)
    raw = order(body="resign ford\n", subject="[ford] farewell")
    received = table.receive(topped(raw, answering(table, "smuggler")))

    assert (received.state, "for good" in received.reason) == ("held", True)
    assert Role("smuggler") in table.dossier.campaign.players
    table.write("smuggler", code_to(table, "smuggler"))
    assert Role("smuggler") not in table.dossier.campaign.players


def test_a_letter_whose_subject_somebody_doubled_asks_for_nothing_by_it_even_when_it_is_confirmed(
    checking: Table,
) -> None:
    held = checking.receive(topped(order(body="move s1 to 3\n", subject="[ford] a"), "Subject: [ford] resign ford"))
    checking.write("smuggler", code_to(checking, "smuggler"))

    assert held.state == "held"
    assert sheet(checking) == "move s1 to 3"
    assert Role("smuggler") in checking.dossier.campaign.players


def test_a_subject_that_nobody_signed_is_asked_back(checking: Table) -> None:
    raw = replaced(without("subject"), "Subject", "[ford] withdraw")

    assert checking.receive(raw).state == "held"


def test_among_friends_a_signature_makes_no_letter_doubtful(table: Table) -> None:
    table.open(trust="address")
    object.__setattr__(table.office, "lookup", lookup)
    table.receive(order(body="move s1 to 2\n", subject="[ford] orders", date="Fri, 20 Nov 2026 21:30:00 +0000"))
    late = order(body="move s1 to 3\n", subject="[ford] orders", id="<8@player.example>")

    assert (table.receive(late).state, sheet(table)) == ("applied", "move s1 to 3")
