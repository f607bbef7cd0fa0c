"""What a receipt says of a sheet."""

from __future__ import annotations

import re

import pytest

from pbem.desk.sheets.receipts import _still
from pbem.kernel.names import Role
from tests.kit.table import Table


def stands(said: str) -> str:
    """The orders that a receipt says stand."""
    found = said.partition("YOUR ORDERS AS THEY NOW STAND")[2]
    return re.split(r"turn 1\w|\bend\b", found)[1].strip()


def test_it_says_what_the_orders_come_to_by_what_is_known(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s1 to 2")

    said = ford.words_to("smuggler")
    assert "YOUR LINES, AND HOW THEY ARE READ By what you know; what you do not know may make it otherwise. 1 " in said
    assert "2 accepted move s1 to 2 s1 goes from 1 to 2 " in said


def test_it_names_itself_by_its_number_its_revision_and_the_beginning_of_its_hash(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 99")
    assert "Receipt ford/1, revision 0, " in ford.words_to("smuggler")
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "move s1 to 2")
    said = ford.words_to("smuggler")
    digest = ford.dossier.campaign.sheets[ford.dossier.exchange().moment, Role("smuggler")].digest

    assert f"Receipt ford/3, revision 2, {digest[:8]}" in said
    assert "Replaces receipt 2 of Fri 20 Nov 2026, 22:00 UTC" in said
    assert digest[:32] in said


def test_what_was_received_is_not_always_complete(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    assert "Complete yes: every line was taken" in ford.words_to("smuggler")
    ford.write("smuggler", "move s1 to 3\nmove s2 to 99")
    assert "Complete no: without one line, which you can mend with add" in ford.words_to("smuggler")
    ford.write("smuggler", "move s1 to 99")
    assert "Complete no: none of these lines was taken" in ford.words_to("smuggler")


def test_lines_that_do_not_count_are_not_among_those_that_stand(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s1 to 2\nfire s1 at 2\nmove s2 to 99\nsing")
    said = ford.words_to("smuggler")

    assert "move s1 to 3 line 2 orders the same" in said
    assert "not used fire s1 at 2" in said
    assert stands(said) == "move s1 to 2"
    ford.write("smuggler", "sing a song")
    assert stands(ford.words_to("smuggler")) == "move s1 to 2"
    ford.write("smuggler", "orders?")
    assert "receipt 1: move s1 to 2" in ford.words_to("smuggler")


def test_it_names_what_has_no_order(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")

    assert "No order, so s2 stays as it is." in ford.words_to("smuggler")


def test_an_order_of_which_only_the_verb_was_understood_is_shown_in_full(ford: Table) -> None:
    ford.write("smuggler", "move s1 4\nmove s2 to 3")

    assert "HOW IT IS WRITTEN move move s1 to 3" in ford.words_to("smuggler")


def test_every_line_that_was_written_is_echoed_with_its_verdict(ford: Table) -> None:
    ford.write("smuggler", "wait on\nmove s1 to 3\nsing a song\nfire s1 at 2")
    said = ford.words_to("smuggler")

    for line in (
        "1 accepted move s1 to 3",
        "2 REFUSED, not understood sing a song",
        "3 not used fire s1 at 2",
        "4 done by the office wait on",
    ):
        assert line in said
    assert "Your wait is on" in said
    assert "To replace reply with a whole new sheet" in said
    assert "To cancel send the one line withdraw" in said
    assert "begin game ford role smuggler turn 1A move s1 to 3 end" in said


def test_the_same_message_id_with_other_content_is_flagged(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.written -= 1
    ford.write("smuggler", "move s1 to 2")

    assert "Another letter came before under the same Message-ID" in ford.words_to("smuggler")


def test_a_date_that_no_clock_shows_breaks_nothing(ford: Table) -> None:
    for date in ("Mon, 1 Jan 0001 00:00:00 +1400", "Fri, 31 Dec 9999 23:59:59 -1200", "yesterday"):
        assert ford.write("smuggler", f"move s1 to 3  # {date}", head=f"Date: {date}").state == "applied"


@pytest.mark.parametrize(
    ("date", "warned"), [("Fri, 20 Nov 2026 20:00:00 +0000", False), ("Mon, 1 Nov 2027 1:00 -0500", True)]
)
def test_a_letter_whose_own_date_is_another_is_told_which_counts(ford: Table, date: str, warned: bool) -> None:
    ford.write("smuggler", "move s1 to 3", head=f"Date: {date}")

    said = "Your letter says that it was sent on Mon 1 Nov 2027, 06:00 UTC. What counts is when it came here."
    assert (said in ford.words_to("smuggler")) is warned


def test_after_a_withdrawal_beside_a_bad_line_nothing_is_said_to_stand(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "withdraw\nmove s1 to the song")

    said = ford.words_to("smuggler")
    assert "and no sheet of yours stands" in said
    assert "still stands" not in said


def test_a_reaction_that_is_given_again_does_not_stand_from_before_as_well() -> None:
    standing = ("retreat p1 to  B-2", "# flank: your larger half", "advance yes")

    assert _still(standing, ("Retreat p1 to b-2  # as before", "# a remark", "move p1 to 3")) == standing[1:]
    assert _still(standing, ()) == standing
