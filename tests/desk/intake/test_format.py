"""`format json`: whoever asks for it gets his reports as JSON too, whatever letter brings them."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest

from pbem.desk.players.changes import replace_player, resend_briefing
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

    assert 'after "format" stands "json" or "page"' in ford.words_to("smuggler")
    assert not ford.dossier.campaign.as_json


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
    assert ford.dossier.campaign.as_json == {SMUGGLER}
    resend_briefing(ford.office, "ford", "smuggler")
    assert [name for name, _ in data_to(ford, "smuggler")] == ["report-s0-smuggler.json"]

    replace_player(ford.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="She is ill.")
    assert not ford.dossier.campaign.as_json
    assert data_to(ford, "smuggler") == []


def test_the_program_of_the_page_on_it_runs(
    ford: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    (tmp_path / "report-4b-french.json").write_bytes(shelf.data(ford.office, "ford", "smuggler"))
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[3] / "docs/json.md").read_text("utf-8")
    exec(dedent(page[page.index("    import json") : page.index("## A reel")]), {})

    assert capsys.readouterr().out == "The carts s1 went from 1 to 3. \n"


def test_the_same_report_is_the_same_bytes_and_reads_back_whole(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    data = shelf.data(ford.office, "ford", "smuggler")

    assert data == shelf.data(ford.office, "ford", "smuggler")
    assert msgspec.json.encode(msgspec.json.decode(data, type=ReportData), order="deterministic") == data
