"""Papers that players kept are held to the log, real letters and files: each fault is named for what it is."""

from __future__ import annotations

import mailbox
import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbem.desk.proof.exported import BadFile
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.proof.witness import Verdict, Witnessed, of_file, of_office
from pbem.desk.turns import shelf
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.event import Event, Recorded
from pbem.kernel.office import OrdersAccepted, ReportIssued
from pbem.storage.outbox import Mail
from tests.kit.forger import Event as Row
from tests.kit.forger import forge, unguarded
from tests.kit.table import Table
from tests.kit.table import table as make


@pytest.fixture
def played(table: Table) -> Table:
    """Three exchanges, with sheets of both, and a letter of the GM's that prints where the log stood."""
    table.open()
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.clock.forward(1)
    table.write("guard", "fire g1 at 3\numpire: May I?")
    table.turn()
    table.clock.forward(1)
    table.write("smuggler", "move s2 to 4")
    table.turn()
    return table


def keep(table: Table, folder: Path, *kinds: str) -> list[Path]:
    """The letters of these *kinds* that left so far (none: all), each as a file; gives them in order."""
    folder.mkdir(exist_ok=True)
    kept = []
    for number, mail in enumerate(table.mails):
        if not kinds or mail.kind in kinds:
            kept.append(folder / f"{number:02}-{mail.kind}-{to(table, mail)}.eml")
            kept[-1].write_bytes(table.bytes_of(mail))
    return kept


def to(table: Table, mail: Mail) -> str:
    held = {player: role for role, player in table.dossier.campaign.players.items()}
    return str(held[mail.player]) if mail.player else "gm"


def written(table: Table, file: Path) -> Path:
    file.write_bytes(b"".join(export(table.office, "ford")))
    return file


def events(table: Table, kind: type[Event]) -> list[Recorded]:
    return [one for one in table.dossier.log.own if isinstance(one.event, kind)]


def states(found: Witnessed) -> list[str]:
    return [one.state for one in found.verdicts]


def only_one(found: tuple[list[Witnessed], list[Verdict]]) -> Witnessed:
    [witnessed], _ = found
    return witnessed


def cut(table: Table, seq: int) -> None:
    """Cut all behind *seq* off the log, as somebody could who has the disk."""
    with unguarded(table) as connection:
        connection.execute("DELETE FROM event WHERE seq > ?", (seq,))
    table.office.kept.clear()


def in_another_hour(rows: list[Row]) -> None:
    """The log from its first event on is another, and everything else about it is as it was."""
    for row in rows:
        row["recorded_at"] += 1


def test_a_log_as_it_was_has_every_head(played: Table, tmp_path: Path) -> None:
    letters = keep(played, tmp_path / "kept")
    pages = shelf.export(played.office, "ford", tmp_path / "pages", (), None)
    found = only_one(of_office(played.office, [tmp_path / "kept", *pages]))

    assert found.sound
    assert found.conclusions == ["The log has every head in them."]
    assert set(states(found)) == {"held"}
    of = {(one.paper.where, str(one.paper.moment or ""), one.paper.role) for one in found.verdicts}
    assert (str(letters[0]), "S0", "smuggler") in of
    assert all(any(str(page) == where for where, _, _ in of) for page in pages)
    receipts = [(one.paper.receipt, one.seq) for one in found.verdicts if one.paper.receipt]
    entered = [(one.event, one.seq) for one in played.dossier.log.own]
    assert receipts == [(event.receipt, seq) for event, seq in entered if isinstance(event, OrdersAccepted)]


def test_a_player_needs_no_office_but_a_file_of_the_campaign(played: Table, tmp_path: Path) -> None:
    keep(played, tmp_path / "kept", "briefing", "report", "receipt")
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [tmp_path / "kept"]))

    assert found.sound
    assert found.key == "same"
    assert set(states(found)) == {"held", "orders"}
    assert [one.paper.receipt > 0 for one in found.verdicts] == [one.state == "orders" for one in found.verdicts]


@pytest.mark.sqlite
def test_a_log_that_was_cut_at_its_tail_is_found_by_the_reports_of_what_came_then(
    played: Table, tmp_path: Path
) -> None:
    keep(played, tmp_path / "kept", "briefing", "report", "receipt")
    last = max(one.seq for one in events(played, ReportIssued) if str(one.moment) == "1A")
    cut(played, last)
    file = written(played, tmp_path / "ford.jsonl")

    for found in (
        only_one(of_file(file, [tmp_path / "kept"])),
        only_one(of_office(played.office, [tmp_path / "kept"])),
    ):
        assert not found.sound
        assert "cut" in states(found)
        assert not {"altered", "rewritten", "either"} & set(states(found))
        assert found.conclusions == [f"The log was cut at its tail: it ends at event {last}, 1A, and had come to 2A."]


@pytest.mark.sqlite
def test_a_log_that_was_cut_between_the_reports_of_one_exchange_lacks_the_second(played: Table, tmp_path: Path) -> None:
    letters = [path for path in keep(played, tmp_path / "kept", "report") if path.name.startswith(("03", "04"))]
    first = min(one.seq for one in events(played, ReportIssued) if str(one.moment) == "1A")
    cut(played, first)
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), letters))

    assert states(found) == ["held", "cut"]


@pytest.mark.sqlite
def test_a_log_of_which_no_report_is_left_was_cut_or_written_anew(played: Table, tmp_path: Path) -> None:
    keep(played, tmp_path / "kept", "briefing", "report")
    cut(played, 4)
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [tmp_path / "kept"]))

    assert set(states(found)) == {"cut"}


@pytest.mark.sqlite
def test_a_log_written_anew_from_its_start_is_found_though_its_chain_is_whole(played: Table, tmp_path: Path) -> None:
    keep(played, tmp_path / "kept", "briefing", "report")
    forge(played, in_another_hour)
    played.office.kept.clear()
    file = written(played, tmp_path / "ford.jsonl")

    for found in (
        only_one(of_file(file, [tmp_path / "kept"])),
        only_one(of_office(played.office, [tmp_path / "kept"])),
    ):
        assert not found.sound
        assert set(states(found)) == {"rewritten"}
        assert found.conclusions == ["The log was written anew from its start: it is not what these were made from."]


@pytest.mark.sqlite
def test_a_log_that_was_written_anew_from_a_turn_on_stands_up_to_there(played: Table, tmp_path: Path) -> None:
    keep(played, tmp_path / "kept", "briefing", "report")
    seqs = [one.seq for one in events(played, OrdersAccepted)]

    def change(rows: list[Row]) -> None:
        in_another_hour(rows[seqs[1] - 1 :])

    forge(played, change)
    played.office.kept.clear()
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [tmp_path / "kept"]))

    assert {"held", "rewritten"} == set(states(found))
    vouched = max(one.seq for one in found.verdicts if one.state == "held")
    assert vouched < seqs[1]
    assert found.conclusions[0].startswith(f"The log was written anew after event {vouched}:")


def test_one_letter_whose_head_was_altered_is_named_and_the_log_stands(played: Table, tmp_path: Path) -> None:
    letters = keep(played, tmp_path / "kept", "report")
    raw = letters[0].read_bytes()
    head = re.findall(rb"Log as known to you:\s+([0-9a-f]{64})", raw)[0]
    letters[0].write_bytes(raw.replace(head, b"0" * 64))
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [tmp_path / "kept"]))

    bad = [one for one in found.verdicts if one.state != "held"]
    assert [(one.paper.where, one.state) for one in bad] == [(str(letters[0]), "altered")]
    assert found.conclusions == ["1 of these was altered: the log stands against it."]
    assert not found.sound


def test_a_letter_with_another_head_in_all_its_parts_is_refuted_by_a_later_one(played: Table, tmp_path: Path) -> None:
    texts = [path for path in text_reports(played, tmp_path) if "guard" in path.name]
    head = texts[0].read_text().rpartition("Log as known to you:")[2].split()[0]
    texts[0].write_text(texts[0].read_text().replace(head, "0" * 64))
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), texts))

    assert states(found) == ["altered", *["held"] * (len(texts) - 1)]
    assert "vouches for all before it" in found.verdicts[0].says


def text_reports(table: Table, folder: Path) -> list[Path]:
    shelf.export(table.office, "ford", folder / "pages", (), None)
    return sorted((folder / "pages").rglob("*.txt"))


@pytest.mark.sqlite
def test_one_paper_alone_does_not_tell_which_of_the_two_was_altered(played: Table, tmp_path: Path) -> None:
    text = text_reports(played, tmp_path)[-1]
    forge(played, in_another_hour)
    played.office.kept.clear()
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [text]))

    assert states(found) == ["either"]
    assert found.conclusions == [
        "Either the log was written anew there, or that paper was altered: one alone cannot tell."
    ]


@pytest.mark.sqlite
def test_one_page_alone_is_enough_where_the_log_itself_says_that_it_was_issued(played: Table, tmp_path: Path) -> None:
    page = shelf.export(played.office, "ford", tmp_path / "pages", (), None)[-1]
    forge(played, in_another_hour)
    played.office.kept.clear()
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [page]))

    assert states(found) == ["rewritten"]


@pytest.mark.parametrize("change", [("carts", "wagons"), ("</body>", "<p>You won.</p></body>")])
def test_a_page_of_which_a_word_was_altered_is_named_though_its_head_stands(
    played: Table, tmp_path: Path, change: tuple[str, str]
) -> None:
    page = shelf.export(played.office, "ford", tmp_path / "pages", (), None)[0]
    text = page.read_text("utf-8")
    page.write_text(text.replace(*change) + " ", "utf-8")
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [page]))

    assert states(found) == ["altered"]
    assert "its page is not byte for byte one that was issued" in found.verdicts[0].says


def test_a_letter_of_which_a_word_was_altered_is_named_by_the_office_that_sent_it(
    played: Table, tmp_path: Path
) -> None:
    letters = keep(played, tmp_path / "kept", "receipt")
    letters[0].write_bytes(letters[0].read_bytes().replace(b"accepted", b"refused"))
    found = only_one(of_office(played.office, letters))

    assert [(one.paper.where, one.state) for one in found.verdicts if one.state != "held"] == [
        (str(letters[0]), "altered")
    ]
    assert len(found.verdicts) > 1


def test_a_promise_that_was_never_made_is_named(played: Table, tmp_path: Path) -> None:
    text = text_reports(played, tmp_path)[0]
    words = text.read_text()
    promise = re.findall(r"Promised for \S+, open and closed\s+([0-9a-f]{64})", words)[0]
    text.write_text(words.replace(promise, "f" * 64))
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), [text]))

    assert states(found) == ["altered"]
    assert "that it prints was never made" in found.verdicts[0].says


def test_who_prints_the_head_of_another_report_is_named(played: Table, tmp_path: Path) -> None:
    texts = [path for path in text_reports(played, tmp_path) if "guard" in path.name]
    heads = [path.read_text().rpartition("Log as known to you:")[2].split()[0] for path in texts]
    texts[0].write_text(texts[0].read_text().replace(heads[0], heads[1]))
    found = only_one(of_file(written(played, tmp_path / "ford.jsonl"), texts))

    assert states(found)[0] == "altered"
    assert found.verdicts[0].says.startswith("it prints the head of event ")


def test_a_paper_that_says_it_is_of_another_campaign_and_prints_a_head_of_this_one_was_altered(
    played: Table, tmp_path: Path
) -> None:
    texts = text_reports(played, tmp_path)[:2]
    texts[0].write_text(texts[0].read_text().replace("FORD, REPORT", "BRIDGE, REPORT"))
    for found in (of_file(written(played, tmp_path / "ford.jsonl"), texts), of_office(played.office, texts[:1])):
        first = only_one(found).verdicts[0]

        assert first.state == "altered"
        assert first.says == "it says that it is of bridge, and prints the head of event " + f"{first.seq} of ford"


def test_what_bears_no_head_and_what_is_of_another_campaign_is_said(played: Table, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("We met at the ford.")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    text = text_reports(played, tmp_path)[0]
    other = tmp_path / "other.txt"
    head = text.read_text().rpartition("Log as known to you:")[2].split()[0]
    other.write_text(text.read_text().replace("FORD, REPORT", "BRIDGE, REPORT").replace(head, "0" * 64))
    named = [tmp_path / "notes.txt", tmp_path / "picture.png", other]
    found, others = of_file(written(played, tmp_path / "ford.jsonl"), [*named, text])

    assert found[0].sound
    assert [(one.state, one.says) for one in others] == [
        ("empty", "it bears no head of a log"),
        ("empty", "it is a picture, which bears no head"),
        ("foreign", "it is of bridge, which is not ford"),
    ]
    nothing = of_file(written(played, tmp_path / "again.jsonl"), named)[0][0]
    assert not nothing.sound
    assert nothing.conclusions == ["There is no head in them that the log can be held to."]


def test_letters_are_read_from_an_mbox_a_maildir_and_where_they_are_quoted(played: Table, tmp_path: Path) -> None:
    letters = keep(played, tmp_path / "kept", "report")
    box = mailbox.mbox(tmp_path / "box")
    folder = mailbox.Maildir(tmp_path / "folder")
    for letter in letters:
        box.add(letter.read_bytes())
        folder.add(letter.read_bytes())
    box.close()
    body = message_from_bytes(letters[-1].read_bytes(), policy=default).get_body(("plain",))
    assert body
    quoted = "\n".join(f"> {line}" for line in body.get_content().splitlines())
    (tmp_path / "answer.txt").write_text(f"You wrote:\n{quoted}\nI move.\n")
    found = only_one(of_office(played.office, [tmp_path / "box", tmp_path / "folder", tmp_path / "answer.txt"]))

    assert states(found) == ["held"] * (2 * len(letters) + 1)
    assert [one.paper.where for one in found.verdicts][:2] == [f"{tmp_path / 'box'}, letter {n}" for n in (1, 2)]
    assert sorted((tmp_path / "folder" / "new").iterdir()), "nothing is moved"


def test_a_file_signed_by_another_than_the_briefing_says_is_not_believed(played: Table, tmp_path: Path) -> None:
    letters = keep(played, tmp_path / "kept", "briefing", "report")
    file = written(played, tmp_path / "ford.jsonl")
    with make(tmp_path / "forger", luck="forger") as forger:
        forger.clock.forward(10)
        take_in(forger.office, file.read_bytes().splitlines(keepends=True), "ford.jsonl")
        found = only_one(of_file(written(forger, tmp_path / "theirs.jsonl"), letters))

    assert set(states(found)) == {"held"}
    assert found.key == "other"
    assert not found.sound
    assert "signed with another key" in found.conclusions[-1]


def test_a_file_that_is_not_as_it_was_signed_is_no_log_at_all(played: Table, tmp_path: Path) -> None:
    file = written(played, tmp_path / "ford.jsonl")
    file.write_bytes(file.read_bytes().replace(b'"created_at":', b'"created_at":1', 1))

    with pytest.raises(BadFile, match="not as its office signed it"):
        of_file(file, [file])


@pytest.mark.sqlite
def test_a_log_whose_chain_is_broken_is_not_held_to_anything(played: Table, tmp_path: Path) -> None:
    letters = keep(played, tmp_path / "kept", "report")
    with unguarded(played) as connection:
        connection.execute("UPDATE event SET actor = 'x' WHERE seq = 3")

    with pytest.raises(BrokenLog, match="ford: event 3 is not what was written"):
        of_office(played.office, letters)


@pytest.mark.parametrize(
    "data",
    [
        b"Log as known to you:" + b" " * 3_000_000,
        b"<html>" + b"<" * 3_000_000,
        b"A, REPORT " * 300_000,
        b"".join(b"Log as known to you: %064x " % n for n in range(40_000)),
        b"Received: x\nContent-Type: multipart/mixed; boundary=a\n\n" + b"--a\n" * 100_000,
        b"From a Mon Jan  1 00:00:00 2024\n" * 50_000,
        b"\xff\xfe\x00" * 10_000,
        b"",
    ],
    ids=["gap", "tags", "titles", "heads", "parts", "letters", "binary", "empty"],
)
def test_papers_made_to_hurt_are_read_soon_and_bear_nothing(played: Table, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "evil").write_bytes(data)
    found, others = of_office(played.office, [tmp_path / "evil"])

    assert found == []
    assert 1 <= len(others) <= 50_000
    assert {one.state for one in others} <= {"empty", "foreign"}


def test_a_file_that_is_not_there_is_refused(played: Table, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no file"):
        of_office(played.office, [tmp_path / "nothing"])
