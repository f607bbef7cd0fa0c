from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.intake.handed import rehearse
from pbem.desk.office.office import HOUR
from pbem.desk.pages import files
from pbem.desk.pages.pages import read_view, told_in, written
from pbem.desk.post.entries import ATTEMPTS
from pbem.desk.turns import adjudicate, publish, shelf
from pbem.kernel.dice import promise
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CampaignEnded, ExchangeReleased, ReportIssued
from pbem.storage import blobs
from tests.kit.table import START, Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def test_what_is_not_resolved_cannot_be_released(ford: Table) -> None:
    with pytest.raises(Refused, match="First: pbem turn run ford"):
        publish.release(ford.office, "ford")


def test_a_release_reveals_the_seed_opens_the_next_exchange_and_sends_every_report(ford: Table) -> None:
    promises = ford.dossier.exchange().promises
    ford.turn()

    assert ford.kinds[-4:] == ["exchange_released", "exchange_opened", "report_issued", "report_issued"]
    revealed = ford.dossier.log[-4].event
    assert isinstance(revealed, ExchangeReleased)
    assert promise(bytes.fromhex(revealed.open_seed)) == promises.open
    assert ford.dossier.exchange().promises != promises
    assert sorted(mail.cause for mail in ford.mails if mail.kind == "report") == [
        "report/1A/guard/1",
        "report/1A/smuggler/1",
    ]


def test_the_hour_is_counted_from_the_release(ford: Table) -> None:
    ford.clock.forward(5)
    ford.turn()

    assert ford.dossier.exchange().deadline == START + 77 * HOUR


def test_a_report_is_made_of_the_view_that_was_kept(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    resolved = ford.dossier.exchange().resolved
    assert resolved is not None
    publish.release(ford.office, "ford")
    issued = {one.event.role: one.event for one in ford.dossier.log[-2:] if isinstance(one.event, ReportIssued)}

    assert {role: one.view for role, one in issued.items()} == resolved.views
    with ford.office.read() as connection:
        view = blobs.fetch(connection, issued[SMUGGLER].view)
        page = blobs.fetch(connection, issued[SMUGGLER].page)
    assert written(read_view(view)) == view
    assert "s1 went from 1 to 3" in page.decode()
    assert f"upto {issued[SMUGGLER].upto}" == f"upto {ford.dossier.exchange(Moment(1, 1)).resolved_seq}"


def test_the_report_says_what_became_of_each_line(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 3")
    ford.turn()
    said = ford.words_to("smuggler")

    assert "1 move s1 to 3 DONE" in said
    assert "2 move s2 to 3 NOT CARRIED OUT" in said


def test_a_turn_is_told_from_its_beginning(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("guard", "fire g1 at 3")
    ford.turn()

    said = ford.words_to("guard")
    assert "s1 went from 1 to 3" in said
    assert "g1 fired at 3" in said
    ford.turn()
    assert "g1 fired at 3" not in ford.words_to("guard")


def test_who_learns_nothing_is_told_nothing(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 2")
    adjudicate.run(ford.office, "ford", early=True)
    told = told_in(ford.dossier, Moment(1, 1), lambda seq: ford.dossier.blank).told

    assert any("stayed" in one.text for one in told[SMUGGLER])
    assert not any("stayed" in one.text for one in told[GUARD])


def test_reports_are_written_as_files_too(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    released = publish.release(ford.office, "ford")
    pages = files.write(ford.office, released.campaign, released.reports.values())

    folder = ford.office.folder / "reports" / "ford"
    assert sorted(path.name for path in folder.iterdir()) == [
        f"1a-{role}.{kind}" for role in ("guard", "smuggler") for kind in ("html", "png", "svg", "txt")
    ]
    assert {path.suffix for path in pages} == {".html"}
    assert (folder / "1a-guard.png").read_bytes().startswith(b"\x89PNG")


def test_who_writes_without_end_keeps_no_report_back(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    enter_release, letters = publish.enter_release, list[str]()

    def busy(*args: Any) -> Any:
        released = enter_release(*args)
        if len(letters) < ATTEMPTS - 1:
            letters.append(f"help me {len(letters)}")
            ford.write("guard", letters[-1])
        return released

    monkeypatch.setattr(publish, "enter_release", busy)
    assert publish.release(ford.office, "ford").reports
    assert len(letters) == ATTEMPTS - 1
    assert sum(kind == "exchange_released" for kind in ford.kinds) == 1
    assert sum(mail.kind == "report" for mail in ford.mails) == 2


def test_a_rehearsed_answer_writes_no_file(ford: Table) -> None:
    adjudicate.run(ford.office, "ford", early=True)
    publish.release(ford.office, "ford")
    shutil.rmtree(ford.office.folder / "reports")
    rehearsed = rehearse(ford.office, "ford", "guard", b"report")
    assert any("report" in subject for subject, _ in rehearsed.answers)
    assert not (ford.office.folder / "reports").exists()


def test_a_folder_that_cannot_be_written_loses_nothing(ford: Table, tmp_path: Path) -> None:
    (ford.office.folder / "reports").write_text("a file")
    adjudicate.run(ford.office, "ford", early=True)
    released = publish.release(ford.office, "ford")
    with pytest.raises(Refused, match="pbem report export ford"):
        files.write(ford.office, released.campaign, released.reports.values())

    pages = shelf.export(ford.office, "ford", tmp_path / "there", (), Moment(1, 1))
    assert sorted(path.name for path in pages) == ["1a-guard.html", "1a-smuggler.html"]


def test_a_report_made_again_is_the_report_that_was_sent(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("guard", "fire g1 at 3")
    ford.turn()
    for role in ("smuggler", "guard"):
        for moment in (Moment(0, 0), Moment(1, 1), Moment(1, 2)):
            kept = shelf.find(ford.office, "ford", role, moment)
            assert kept.report.html.encode() == kept.as_sent


def test_the_gm_can_look_at_what_is_staged(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    kept = shelf.find(ford.office, "ford", "guard")

    assert (kept.issued, kept.moment) == (None, Moment(1, 1))
    assert "s1 went from 1 to 3" in kept.report.text
    assert shelf.find(ford.office, "ford", "guard", Moment(0, 0)).issued is not None


def test_a_report_that_is_not_there_is_refused(ford: Table) -> None:
    with pytest.raises(Refused, match="no report 4B to guard"):
        shelf.find(ford.office, "ford", "guard", Moment(4, 2))
    with pytest.raises(Refused, match="no such report"):
        shelf.export(ford.office, "ford", None, (), Moment(4, 2))


def test_at_the_end_every_seed_is_revealed_and_everybody_told_who_won(table: Table) -> None:
    table.open(options={"last_turn": 1})
    muster = table.dossier.campaign.muster
    promised = {str(table.dossier.exchange().moment): table.dossier.exchange().promises}
    table.turn()
    promised[str(table.dossier.exchange().moment)] = table.dossier.exchange().promises
    table.turn()
    ended = table.dossier.campaign.ended

    assert isinstance(ended, CampaignEnded)
    assert ended.winner == "guard"
    assert muster is not None
    assert promise(bytes.fromhex(ended.muster_seed)) == muster.open
    assert {at: promise(bytes.fromhex(seed)) for at, seed in ended.closed_seeds.items()} == {
        "muster": muster.closed,
        **{at: both.closed for at, both in promised.items()},
    }
    for role in ("smuggler", "guard"):
        assert "The guard has won" in table.words_to(role)
        assert all(seed in table.last_to(role) for seed in ended.closed_seeds.values())
    assert table.dossier.campaign.exchange == table.dossier.exchange(Moment(1, 2))
