"""The umpire's signed note: it stands on the next report of one role, and nobody else learns of it."""

from __future__ import annotations

import pytest

from pbem.desk.gm import history
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, annotate, exchange, publish, shelf
from pbem.kernel.errors import Refused, UnknownRole
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import UmpireNoted
from tests.kit.table import Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
WORDS = "Look <b>twice</b> & wait.\nThe rest later."


def _page(table: Table, role: str) -> str:
    return shelf.find(table.office, "ford", role).as_sent.decode()


def test_a_note_stands_signed_and_escaped_on_the_next_report_of_that_role_alone(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    assert annotate.note(ford.office, "ford", "Guard", WORDS) == GUARD
    publish.release(ford.office, "ford")

    page = _page(ford, "guard")
    assert "Look &lt;b&gt;twice&lt;/b&gt; &amp; wait. The rest later." in page
    assert "<b>twice</b>" not in page
    assert "Signed: the umpire" in page
    assert "Note of the umpire" not in _page(ford, "smuggler")


def test_it_goes_with_the_letter_in_both_its_forms(ford: Table) -> None:
    annotate.note(ford.office, "ford", "guard", WORDS)
    ford.turn()

    [mail] = [one for one in ford.mails if one.cause == "report/1A/guard/1"]
    said = ford.text_of(mail)
    assert "NOTE OF THE UMPIRE Look <b>twice</b> & wait." in " ".join(said.split())
    assert "Look &lt;b&gt;twice&lt;/b&gt; &amp; wait." in said
    [other] = [one for one in ford.mails if one.cause == "report/1A/smuggler/1"]
    assert "twice" not in ford.text_of(other)


def test_it_is_written_in_the_marks_of_all_letters_of_the_umpire(ford: Table) -> None:
    annotate.note(ford.office, "ford", "guard", "That was **good**.\n\n- one\n- two")
    ford.turn()

    [mail] = [one for one in ford.mails if one.cause == "report/1A/guard/1"]
    said = ford.text_of(mail)
    assert "That was good." in said
    assert "**" not in said
    assert "**" not in _page(ford, "guard")


def test_it_is_printed_once(ford: Table) -> None:
    annotate.note(ford.office, "ford", "guard", "Once.")
    ford.turn()
    ford.turn()

    assert "Once." not in _page(ford, "guard")


def test_a_staged_report_shows_it_and_the_report_as_sent_can_be_made_again(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    annotate.note(ford.office, "ford", "guard", "Stay.")
    assert "Stay." in shelf.find(ford.office, "ford", "guard").report.text
    publish.release(ford.office, "ford")
    ford.turn()

    again = shelf.find(ford.office, "ford", "guard", Moment(1))
    assert again.report.html.encode() == again.as_sent
    assert verify(ford.office, "ford").first is None


def test_what_is_annulled_takes_its_note_with_it(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    annotate.note(ford.office, "ford", "guard", "Of what was void.")
    exchange.annul(ford.office, "ford", None, "a wrong stone", reopen=True)
    ford.turn()

    assert "Of what was void." not in _page(ford, "guard")


def test_nobody_reads_it_in_the_log_but_the_umpire(ford: Table) -> None:
    annotate.note(ford.office, "ford", "guard", "Hush.")
    ford.turn()

    logged = [one for one in history.entries(ford.office, "ford") if isinstance(one.event, UmpireNoted)]
    assert [history.in_a_line(one.event) for one in logged] == ["to guard: Hush."]
    for role in (SMUGGLER, GUARD):
        assert not any(isinstance(one.event, UmpireNoted) for one in history.entries(ford.office, "ford", role=role))


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 4001])
def test_an_empty_or_endless_note_is_refused(ford: Table, text: str) -> None:
    before = ford.dossier.seq
    with pytest.raises(Refused):
        annotate.note(ford.office, "ford", "guard", text)
    assert ford.dossier.seq == before


def test_a_role_that_is_not_there_is_refused(ford: Table) -> None:
    with pytest.raises(UnknownRole):
        annotate.note(ford.office, "ford", "miller", "Who?")
