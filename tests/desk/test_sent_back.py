"""What a letter only sends back is no order, and its writer is told when it looks like one."""

from __future__ import annotations

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
