"""Sources of letters: byte for byte, each once, and none put away before its bytes are safe."""

from __future__ import annotations

import io
import mailbox
from pathlib import Path

import pytest

from pbem.mail.doors import inbox
from pbem.mail.doors.inbox import NoSource, from_file, from_maildir, from_mbox, from_stream

LETTER = b"From: a@x.example\r\nSubject: orders\r\n\r\nhold\r\n"


def maildir(folder: Path) -> mailbox.Maildir:
    return mailbox.Maildir(folder, create=True)


def test_a_file_is_one_letter(tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(LETTER)
    (arrival,) = from_file(tmp_path / "one.eml")
    arrival.done()

    assert (arrival.raw, arrival.key) == (LETTER, "file:one.eml")
    assert (tmp_path / "one.eml").exists()


def test_standard_input_is_one_letter() -> None:
    (arrival,) = from_stream(io.BytesIO(LETTER))

    assert (arrival.raw, arrival.key) == (LETTER, "stdin")


@pytest.mark.parametrize(
    ("name", "why"), [("gone.eml", "no such file or directory."), (".", "is a directory.")], ids=["no file", "a folder"]
)
def test_a_file_that_cannot_be_read_is_said(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(NoSource) as refused:
        list(from_file(tmp_path / name))

    assert str(refused.value) == f"{tmp_path / name}: {why}"


def test_input_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MAX_INPUT", 100)

    with pytest.raises(NoSource, match="standard input is too big for a letter"):
        list(from_stream(io.BytesIO(b"x" * 101)))
    assert [arrival.raw for arrival in from_stream(io.BytesIO(b"x" * 100))] == [b"x" * 100]


# ------------------------------------------------------------------------------------------------------- Maildir


def test_a_maildir_gives_each_letter_and_puts_it_away_when_it_is_safe(tmp_path: Path) -> None:
    box = maildir(tmp_path / "box")
    for n in range(3):
        box.add(LETTER + b"%d" % n)

    arrivals = list(from_maildir(tmp_path / "box"))
    assert sorted(arrival.raw for arrival in arrivals) == [LETTER + b"%d" % n for n in range(3)]

    arrivals[1].done()
    left = {arrival.key for arrival in from_maildir(tmp_path / "box")}
    assert left == {arrivals[0].key, arrivals[2].key}
    processed = mailbox.Maildir(tmp_path / "box").get_folder("Processed")
    assert [processed.get_bytes(key) for key in processed.iterkeys()] == [arrivals[1].raw]


def test_a_letter_keeps_its_key_when_a_mail_program_has_seen_it(tmp_path: Path) -> None:
    box = maildir(tmp_path / "box")
    name = box.add(LETTER)
    (before,) = from_maildir(tmp_path / "box")
    (tmp_path / "box" / "new" / name).rename(tmp_path / "box" / "cur" / f"{name}:2,S")
    (after,) = from_maildir(tmp_path / "box")

    assert before.key == after.key == f"maildir:{name}"
    before.done()
    assert list(from_maildir(tmp_path / "box")) == []


def test_a_letter_that_somebody_took_away_is_passed_over(tmp_path: Path) -> None:
    box = maildir(tmp_path / "box")
    names = sorted(box.add(LETTER) for _ in range(2))
    arrivals = from_maildir(tmp_path / "box")
    first = next(arrivals)
    (tmp_path / "box" / "new" / names[1]).unlink()

    assert list(arrivals) == []
    (tmp_path / "box" / "new" / names[0]).unlink()
    first.done()


def test_what_is_still_being_delivered_is_not_read(tmp_path: Path) -> None:
    maildir(tmp_path / "box")
    (tmp_path / "box" / "tmp" / "1.half").write_bytes(LETTER)
    (tmp_path / "box" / "new" / ".hidden").write_bytes(LETTER)

    assert list(from_maildir(tmp_path / "box")) == []


def test_a_folder_that_is_no_maildir_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSource, match="is no Maildir: it has no folders new and cur"):
        list(from_maildir(tmp_path))


# ------------------------------------------------------------------------------------------------------- mbox

ENVELOPE = b"From anton@x.example Fri Jun 12 18:20:00 2026\n"


def mbox(tmp_path: Path, content: bytes) -> list[bytes]:
    (tmp_path / "box").write_bytes(content)
    return [arrival.raw for arrival in from_mbox(tmp_path / "box")]


def test_an_order_that_starts_with_from_does_not_split_a_letter(tmp_path: Path) -> None:
    letter = b"From: a@x.example\n\nhold\n\nFrom Metz to Sedan move 3 corps\n\nFrom Fri to Sun rest\n"

    assert mbox(tmp_path, ENVELOPE + letter + b"\n" + ENVELOPE + letter) == [letter + b"\n", letter]


def test_an_envelope_within_a_letter_needs_an_empty_line_above(tmp_path: Path) -> None:
    letter = b"From: a@x.example\n\nhe was written\n" + ENVELOPE + b"so\n"

    assert mbox(tmp_path, ENVELOPE + letter) == [letter]


@pytest.mark.parametrize(
    "envelope",
    [
        b"From - Fri Jun 12 18:20:00 2026\n",
        b"From MAILER-DAEMON Fri Jun  2 18:20:00 2026\n",
        b"From a@x.example  Fri Jun 12 18:20 CEST 2026\n",
        b"From 1765432@xxx Fri Jun 12 18:20:00 +0000 2026\n",
        b"From a@x.example Fri, 12 Jun 2026 18:20:00 +0200\n",
        b"From a@x.example Fri Jun 12 18:20:00 2026 remote from uucp\r\n",
    ],
)
def test_envelopes_of_many_programs_are_known(tmp_path: Path, envelope: bytes) -> None:
    end = b"\r\n" if envelope.endswith(b"\r\n") else b"\n"
    letter = LETTER.replace(b"\r\n", end) + end

    assert mbox(tmp_path, envelope + letter + envelope + letter) == [letter, letter]


def test_a_content_length_is_believed_where_a_letter_begins_behind_it(tmp_path: Path) -> None:
    body = b"hold\n\n" + ENVELOPE + b"\n"
    letter = b"From: a@x.example\nContent-Length: %d\n\n" % len(body) + body

    assert mbox(tmp_path, ENVELOPE + letter + b"\n" + ENVELOPE + LETTER) == [letter, LETTER]


@pytest.mark.parametrize("length", [3, 10_000_000, 999_999_999_999])
def test_a_content_length_that_is_wrong_is_not_believed(tmp_path: Path, length: int) -> None:
    letter = b"From: a@x.example\nContent-Length: %d\n\nhold the line\n\n" % length

    assert mbox(tmp_path, ENVELOPE + letter + ENVELOPE + LETTER) == [letter, LETTER]


def test_a_letter_of_an_mbox_is_named_by_its_place(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(ENVELOPE + LETTER + b"\n" + ENVELOPE + LETTER)
    keys = [arrival.key for arrival in from_mbox(tmp_path / "box")]
    first = len(ENVELOPE)

    assert keys == [f"mbox:box:{first}", f"mbox:box:{first * 2 + len(LETTER) + 1}"]


def test_an_empty_mbox_holds_no_letters(tmp_path: Path) -> None:
    assert mbox(tmp_path, b"") == []


@pytest.mark.parametrize("content", [LETTER, b"From Metz to Sedan\n"])
def test_a_file_that_is_no_mbox_is_said(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(NoSource, match="is no mbox"):
        mbox(tmp_path, content)


def test_an_mbox_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSource, match="no such file"):
        list(from_mbox(tmp_path / "gone"))
