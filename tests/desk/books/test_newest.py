"""Which of several sendings counts: the one that came last, whatever the clocks said."""

from __future__ import annotations

from pbem.desk.intake.receive import deal_with
from pbem.desk.ways.arrivals import keep
from pbem.kernel.names import Moment, Role
from tests.kit.table import Table

OPEN = (Moment(1, 1), Role("smuggler"))


def test_orders_are_not_refused_because_the_clock_was_ahead_when_an_earlier_letter_came(ford: Table) -> None:
    ford.clock.forward(10)
    assert ford.write("smuggler", "move s1 to 3").state == "applied"
    ford.clock.forward(-9)
    received = ford.write("smuggler", "move s1 to 2")

    assert received.state == "applied"
    assert ford.dossier.campaign.sheets[OPEN].text == "move s1 to 2"
    assert ford.write("smuggler", "withdraw").state == "applied"
    assert OPEN not in ford.dossier.campaign.sheets


def test_of_letters_that_are_dealt_with_out_of_order_the_one_that_came_last_stands(ford: Table) -> None:
    """The hours at which they were laid in their mailboxes are no matter."""
    first = keep(ford.office, ford.letter("smuggler", "move s1 to 2"), way="imap", origin="1")
    ford.clock.forward(1)
    second = keep(ford.office, ford.letter("smuggler", "move s1 to 3"), way="imap", origin="2", laid=ford.clock.at - 1)
    assert deal_with(ford.office, second).state == "applied"
    late = deal_with(ford.office, first)

    assert (late.state, "after it you sent newer orders for 1A" in late.reason) == ("refused", True)
    assert ford.dossier.campaign.sheets[OPEN].text == "move s1 to 3"


def test_what_was_sent_ahead_is_replaced_by_what_comes_when_it_has_been_read_again(ford: Table) -> None:
    ford.write("guard", "turn 1B\nwatch g1 3")
    ford.write("smuggler", "move s1 to 3")
    ford.turn()

    assert ford.write("guard", "watch g1 5").state == "applied"
