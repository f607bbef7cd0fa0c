"""What a letter only sends back is no order, and its writer is told when it looks like one."""

from __future__ import annotations

from pbem.kernel.names import Moment, Role
from tests.desk.table import Table

WARNING = "PLEASE LOOK"


def test_an_office_letter_quoted_whole_is_no_cause_for_a_warning(ford: Table) -> None:
    ford.write(
        "smuggler", "move s1 to 3\n\n> FORD, REPORT S0\n>\n> Nothing happened.\n> begin\n> # move s2 to ...\n> end\n"
    )

    assert WARNING not in ford.last_to("smuggler")


def test_orders_typed_into_the_letter_that_is_answered_are_not_read_and_the_writer_is_told(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\n\n-----Original Message-----\nFrom: Office\n\nmove s2 to 4\n")

    told = ford.last_to("smuggler").replace("\n", " ")
    assert WARNING in told
    assert "looks like an order but stands in the letter that you answer" in told


def report_to(ford: Table, role: str) -> str:
    """The id of the newest report to *role*."""
    who = ford.dossier.campaign.players[Role(role)]
    return [mail for mail in ford.mails if mail.player == who and mail.kind in ("report", "briefing")][-1].message_id


def test_a_late_answer_to_an_old_report_is_not_for_the_exchange_that_is_open_now(ford: Table) -> None:
    asked = report_to(ford, "smuggler")
    ford.write("smuggler", "move s1 to 3")
    ford.turn()

    received = ford.write("smuggler", "move s1 to 4", head=f"In-Reply-To: {asked}")

    assert received.state == "refused"
    assert "1A is over, and 1B is open" in received.reason


def test_an_answer_to_the_newest_report_is_for_the_exchange_that_is_open_now(ford: Table) -> None:
    ford.turn()

    ford.turn()
    received = ford.write("smuggler", "move s1 to 3", head=f"In-Reply-To: {report_to(ford, 'smuggler')}")

    assert received.state == "applied"
    assert received.moment == Moment(2, 1)
