"""`format`: reports come as JSON too, or as a link alone, to whoever asks for it, whatever letter brings them."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as changed

from pbem.desk.players.changes import replace_player, resend_briefing
from pbem.desk.proof.papers import read_papers
from pbem.desk.turns import shelf
from pbem.desk.turns.exchange import annul
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import FormChosen
from pbem.reports.pages.data import ReportData
from pbem.rules.view import VERSION
from tests.kit.table import Table

SMUGGLER = Role("smuggler")


def data_to(table: Table, role: str, kind: str = "") -> list[tuple[str, bytes]]:
    """The JSON in the newest mail to *role* of a *kind* (none: any): the names of the files, and what is in them."""
    who = table.dossier.campaign.players[Role(role)]
    mail = [one for one in table.mails if one.player == who and kind in ("", one.kind)][-1]
    parts = message_from_bytes(table.bytes_of(mail), policy=default).iter_attachments()
    return [
        (str(one.get_filename()), bytes(one.get_payload(decode=True)))
        for one in parts
        if one.get_content_type() == "application/json"
    ]


def test_a_report_comes_with_its_json_to_who_asked_and_to_nobody_else(ford: Table) -> None:
    received = ford.write("smuggler", "format json\nmove s1 to 3")
    assert received.state == "applied"
    assert "Your reports come as JSON too" in " ".join(ford.text_of(ford.mails[-2]).split())
    ford.turn()

    [(name, data)] = data_to(ford, "smuggler")
    assert name == "report-1a-smuggler.json"
    assert data == shelf.data(ford.office, "ford", "smuggler", Moment(1, 1))
    read = msgspec.json.decode(data, type=ReportData)
    assert (read.v, read.campaign, read.role, read.turn, read.version) == (VERSION, "ford", "smuggler", "1A", 1)
    assert [one.text for one in read.view.happened] == ["s1 went from 1 to 3."]
    assert data_to(ford, "guard") == []


def test_it_is_taken_back_and_said_twice_it_is_one_event(ford: Table) -> None:
    for _ in range(2):
        ford.write("smuggler", "format json")
    assert "come as JSON too" in ford.words_to("smuggler")
    ford.write("smuggler", "Format page")
    assert "as a page alone" in ford.words_to("smuggler")
    ford.turn()

    chosen = [one.event.form for one in ford.dossier.log if isinstance(one.event, FormChosen)]
    assert chosen == ["json", "page"]
    assert data_to(ford, "smuggler") == []


@pytest.mark.parametrize("line", ["format", "format xml", "format json page"])
def test_another_form_is_refused_with_those_that_there_are(ford: Table, line: str) -> None:
    ford.write("smuggler", f"{line}\nmove s1 to 3")

    assert 'after "format" stands "json" or "link" or "page"' in ford.words_to("smuggler")
    assert not ford.dossier.campaign.forms


def test_a_report_that_is_asked_for_again_comes_in_the_form_that_is_wanted_now(ford: Table) -> None:
    ford.turn()
    ford.write("smuggler", "format json")
    ford.write("smuggler", "", subject="report 1A")

    assert [name for name, _ in data_to(ford, "smuggler", kind="report")] == ["report-1a-smuggler.json"]


def test_a_correction_says_what_is_new_by_number_and_what_is_gone_in_words(ford: Table) -> None:
    ford.write("smuggler", "format json\nmove s1 to 3")
    ford.turn()
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)
    ford.write("smuggler", "move s1 to 2")
    ford.turn()

    [(name, data)] = data_to(ford, "smuggler")
    read = msgspec.json.decode(data, type=ReportData)
    assert (name, read.version) == ("report-1a-smuggler-v2.json", 2)
    assert read.correction is not None
    assert read.correction.reason == "A cart was misplaced."
    assert [read.view.happened[at].text for at in read.correction.new] == ["s1 stayed: capacity full."]
    assert [one.text for one in read.correction.gone] == ["s1 went from 1 to 3."]


def test_it_outlives_an_annulment_and_not_the_player_who_asked(ford: Table) -> None:
    ford.turn()
    ford.write("smuggler", "format json")
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.")
    assert ford.dossier.campaign.forms == {SMUGGLER: "json"}
    resend_briefing(ford.office, "ford", "smuggler")
    assert [name for name, _ in data_to(ford, "smuggler")] == ["report-s0-smuggler.json"]

    replace_player(ford.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="She is ill.")
    assert not ford.dossier.campaign.forms
    assert data_to(ford, "smuggler") == []


@pytest.fixture
def roomy(ford: Table) -> Table:
    """An office with pages."""
    web = changed(ford.office.settings.web, url="https://games.example.org")
    ford.office = replace(ford.office, settings=changed(ford.office.settings, web=web))
    return ford


def test_a_link_alone_says_nothing_of_the_report_and_holds_the_office_to_its_log(roomy: Table, tmp_path: Path) -> None:
    roomy.write("smuggler", "format link\nmove s1 to 3")
    assert "a link to its page comes" in " ".join(roomy.text_of(roomy.mails[-2]).split())
    roomy.turn()

    who = roomy.dossier.campaign.players[SMUGGLER]
    [mail] = [one for one in roomy.mails if one.kind == "report" and one.player == who]
    text = " ".join(roomy.text_of(mail).split())
    assert "https://games.example.org/games/ford/smuggler/turns/1A" in text
    assert mail.subject == "[ford] 1A report, smuggler"
    assert "s1" not in text
    assert not [one for one in message_from_bytes(roomy.bytes_of(mail)).walk() if one.get_filename()]
    path = tmp_path / "letter.eml"
    path.write_bytes(roomy.bytes_of(mail))
    [paper] = read_papers([path])
    assert (paper.campaign, str(paper.moment), paper.role) == ("ford", "1A", "smuggler")
    page = shelf.find(roomy.office, "ford", "smuggler", Moment(1, 1)).report.text
    assert len(paper.heads) == 1
    assert paper.heads[0] in page
    assert paper.message_id == mail.message_id.strip("<>")


def test_a_link_is_no_answer_where_the_report_itself_is_asked_for(roomy: Table) -> None:
    roomy.write("smuggler", "format link\nmove s1 to 3")
    roomy.turn()
    roomy.write("smuggler", "", subject="report 1A")

    linked, whole = [roomy.text_of(one) for one in roomy.mails if one.kind == "report" and "smuggler" in one.subject]
    assert "s1 went from 1 to 3" in whole
    assert "s1 went" not in linked


def test_without_pages_there_is_no_link(ford: Table) -> None:
    ford.write("smuggler", "format link\nmove s1 to 3")
    assert "has no pages" in " ".join(ford.text_of(ford.mails[-2]).split())
    ford.turn()

    assert not ford.dossier.campaign.forms
    assert "s1 went from 1 to 3" in ford.words_to("smuggler")


def test_what_was_linked_comes_whole_when_the_pages_are_gone(roomy: Table) -> None:
    roomy.write("smuggler", "format link\nmove s1 to 3")
    web = changed(roomy.office.settings.web, url="")
    roomy.office = replace(roomy.office, settings=changed(roomy.office.settings, web=web))
    roomy.turn()

    assert "s1 went from 1 to 3" in roomy.words_to("smuggler")


def test_the_program_of_the_page_on_it_runs(
    ford: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    (tmp_path / "report-4b-french.json").write_bytes(shelf.data(ford.office, "ford", "smuggler"))
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[3] / "docs/json.md").read_text("utf-8")
    exec(page[page.index("import json") : page.index("```", page.index("import json"))], {})

    assert capsys.readouterr().out == "The carts s1 went from 1 to 3. \n"


def test_the_same_report_is_the_same_bytes_and_reads_back_whole(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    data = shelf.data(ford.office, "ford", "smuggler")

    assert data == shelf.data(ford.office, "ford", "smuggler")
    assert msgspec.json.encode(msgspec.json.decode(data, type=ReportData), order="deterministic") == data
