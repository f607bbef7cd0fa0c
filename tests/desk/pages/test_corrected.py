"""Corrected reports: what the second tells otherwise than the first, and why, from what its reader was told alone."""

from __future__ import annotations

import msgspec
import pytest

from pbem.desk.gm import ruling
from pbem.desk.players.changes import resend_briefing
from pbem.desk.turns import adjudicate, publish, shelf
from pbem.desk.turns.exchange import annul
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from pbem.reports.pages.data import ReportData
from pbem.storage import blobs
from tests.kit.table import Table

A1 = Moment(1, 1)
WHY = "A cart was misplaced."


def twice(table: Table, first: str = "move s1 to 3", second: str = "move s1 to 2") -> None:
    """1A is played, annulled, opened again, ordered otherwise, and played once more."""
    table.write("smuggler", first)
    table.turn()
    annul(table.office, "ford", A1, WHY, reopen=True)
    table.write("smuggler", second)
    table.turn()


def read(table: Table, role: str, version: int | None = None) -> ReportData:
    return msgspec.json.decode(shelf.data(table.office, "ford", role, A1, version=version), type=ReportData)


def test_what_is_new_is_marked_and_what_no_longer_holds_is_listed_with_the_reason(ford: Table) -> None:
    twice(ford)
    text = " ".join(shelf.find(ford.office, "ford", "smuggler", A1).report.text.split())

    assert f"CORRECTED REPORT, VERSION 2. It takes the place of the one before. {WHY}" in text
    assert "[NEW] s1 stayed: capacity full." in text
    assert "- s1 went from 1 to 3." in text
    assert "- 1A, line 1, move s1 to 3: done." in text
    assert "[NEW]" in ford.words_to("smuggler")
    assert '<b class="new">New</b>' in shelf.find(ford.office, "ford", "smuggler", A1).as_sent.decode()


def test_who_was_told_nothing_of_it_is_told_that_nothing_is_other(ford: Table) -> None:
    twice(ford, "move s1 to 2", "withdraw")
    text = ford.words_to("guard")

    assert "No longer so, of your orders:" in ford.words_to("smuggler")
    assert "It tells you nothing else than version 1 did." in text
    assert "capacity" not in text


def test_a_ruling_between_the_runs_shows_in_the_reports_of_those_who_see_what_came_of_it(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    annul(ford.office, "ford", A1, WHY)
    ruling.rule(ford.office, "ford", ["set s1 square 2"], WHY, known={"smuggler": ""}, make=True)
    ford.turn()

    found = read(ford, "smuggler")
    assert found.correction is not None
    assert [one.text for one in found.correction.gone] == ["s1 went from 1 to 3."]
    assert "s1 went from 2 to 3." in [found.view.happened[at].text for at in found.correction.new]
    guards = read(ford, "guard")
    assert guards.correction is not None
    assert guards.correction.reason == WHY
    assert [one.text for one in guards.correction.gone] == ["s1 went from 1 to 3."]
    assert guards.correction.gone_results == ()


def test_the_reason_is_that_of_the_annulment_which_voided_what_he_had_and_no_other(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    annul(ford.office, "ford", A1, WHY)
    ford.clock.forward(80)
    adjudicate.run(ford.office, "ford")
    annul(ford.office, "ford", A1, "The GM looked, and nobody was told.")
    ford.turn()

    assert read(ford, "guard").version == 2
    for role in ("smuggler", "guard"):
        assert WHY in ford.last_to(role)
        assert "nobody was told" not in ford.last_to(role)


def test_the_gm_sees_before_it_leaves_what_the_corrected_report_will_say(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    annul(ford.office, "ford", A1, WHY, reopen=True)
    ford.write("smuggler", "move s1 to 2")
    adjudicate.run(ford.office, "ford", early=True)
    staged = shelf.find(ford.office, "ford", "smuggler")

    assert staged.issued is None
    assert staged.report.name == "report-1a-smuggler-v2"
    assert "[NEW]" in staged.report.text
    publish.release(ford.office, "ford")
    after = shelf.find(ford.office, "ford", "smuggler", A1).report.text
    assert after.count("[NEW]") == staged.report.text.count("[NEW]")


def test_every_version_of_a_report_stays_readable(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    first = shelf.find(ford.office, "ford", "smuggler", A1)
    annul(ford.office, "ford", A1, WHY)
    ford.turn()
    again = shelf.find(ford.office, "ford", "smuggler", A1, version=1)

    assert again.as_sent == first.as_sent
    assert again.report.text == first.report.text
    assert again.as_sent != shelf.find(ford.office, "ford", "smuggler", A1, version=2).as_sent
    assert shelf.find(ford.office, "ford", "smuggler", version=1).moment == A1
    of_1a = [one for one in shelf.listing(ford.office, "ford") if one.issued.moment == A1]
    assert [(one.issued.version, one.annulled) for one in of_1a] == [(1, True), (1, True), (2, False), (2, False)]
    with pytest.raises(Refused, match="no report 1A, version 3, to smuggler"):
        shelf.find(ford.office, "ford", "smuggler", A1, version=3)


def test_who_is_briefed_anew_has_the_corrected_report_with_its_marks(ford: Table) -> None:
    twice(ford)
    resend_briefing(ford.office, "ford", "smuggler")

    assert "Corrected report, version 2." in ford.last_to("smuggler")
    assert '<b class="new">New</b>' in ford.last_to("smuggler")


def test_a_first_version_that_was_erased_leaves_a_correction_without_its_list(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    [first] = [one for one in ford.dossier.campaign.reports[ford.dossier.role("smuggler")] if one.moment == A1]
    annul(ford.office, "ford", A1, WHY)
    with ford.office.write() as connection:
        blobs.erase(connection, first.view)
    ford.clock.forward(1)
    ruling.rule(ford.office, "ford", ["set s1 square 2"], WHY, known={"smuggler": ""}, make=True)
    ford.turn()
    text = ford.words_to("smuggler")

    assert f"CORRECTED REPORT, VERSION 2. It takes the place of the one before. {WHY}" in text
    assert "[NEW]" not in text
