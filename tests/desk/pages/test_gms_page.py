"""The umpire's report: written for him alone; of it nothing reaches a player."""

from __future__ import annotations

import stat

import pytest

from pbem.desk.pages import gms_page
from pbem.desk.turns import adjudicate, annotate
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from tests.kit.table import Table


def test_before_anything_came_to_pass_it_shows_the_muster(ford: Table) -> None:
    written = gms_page.write(ford.office, "ford")

    assert written.moment == Moment(0, 0)
    assert "for the umpire alone" in written.path.read_text()


def test_of_rules_that_show_no_truth_it_sets_the_pages_side_by_side(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    written = gms_page.write(ford.office, "ford")
    page = written.path.read_text()

    assert (written.moment, written.whole) == (Moment(1), False)
    assert 'id="role-smuggler"' in page
    assert 'id="role-guard"' in page
    assert "s1 went from 1 to 3" in page
    assert 'id="truth"' not in page


def test_it_lies_apart_from_the_reports_and_no_other_user_may_look(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    written = gms_page.write(ford.office, "ford")

    assert written.path == ford.office.folder / "umpire" / "ford" / "1a.html"
    assert stat.S_IMODE(written.path.parent.stat().st_mode) & 0o077 == 0


def test_to_write_it_enters_nothing_and_mails_nothing(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    before = (ford.dossier.seq, len(ford.mails))
    gms_page.write(ford.office, "ford")

    assert (ford.dossier.seq, len(ford.mails)) == before


def test_it_holds_what_the_umpire_ruled_and_noted(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    annotate.note(ford.office, "ford", "guard", "Mind <the> ford.")

    assert "Your note to guard: Mind &lt;the&gt; ford." in gms_page.write(ford.office, "ford").path.read_text()


def test_an_earlier_exchange_is_shown_as_it_then_stood(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    first = gms_page.page(ford.office, "ford", Moment(1))
    ford.write("smuggler", "move s1 to 2")
    ford.turn()

    assert gms_page.page(ford.office, "ford", Moment(1)).views == first.views


def test_what_is_not_resolved_is_refused(ford: Table) -> None:
    with pytest.raises(Refused, match="not resolved"):
        gms_page.write(ford.office, "ford", Moment(1))
