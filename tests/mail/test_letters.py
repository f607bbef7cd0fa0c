"""Whole letters as mail programs write them, one oddity each, beside what their writers meant.

`NAME.eml` is the letter byte for byte; `NAME.txt` the lines that were typed, set down by hand: into the letter, or into
the file that came with it if there are none.  `NAME.said` holds what
else the reader says, a line each: `refused: WHY`, `warning: …`, `attachment: NAME`, `automatic: WHY`, `subject: …`; a
`note:` tells why a letter that means two things is read as it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.reading.letter import Letter, read_head, read_letter
from pbem.mail.wire.limits import MAX_LINES, UnreadableLetter

FOLDER = Path(__file__).parents[1] / "letters"
LETTERS = sorted(FOLDER.glob("*.eml"))
AT_LEAST = 300


def wanted(path: Path) -> tuple[list[str], list[str]]:
    """The lines of a letter, and what is to be said of it."""
    said = path.with_suffix(".said")
    beside = said.read_text("utf-8").splitlines() if said.exists() else []
    lines = path.with_suffix(".txt").read_text("utf-8").splitlines()
    return lines, [line for line in beside if not line.startswith("note: ")]


def read(path: Path) -> tuple[list[str], list[str]]:
    """The same as it is read; the subject is said only where it is asked for."""
    try:
        letter = read_letter(path.read_bytes())
    except UnreadableLetter as refused:
        return [], [f"refused: {refused.reason}"]
    said = [f"warning: {warning}" for warning in letter.warnings]
    said += [f"attachment: {name}" for name in letter.attachments]
    said += [f"automatic: {letter.auto}"] if letter.auto else []
    if any(line.startswith("subject: ") for line in wanted(path)[1]):
        said.append(f"subject: {letter.subject}")
    read = next((file.lines for file in letter.files if file.lines), ())
    return [line.text for line in letter.lines or read], said


def readable() -> list[Path]:
    return [path for path in LETTERS if not any(line.startswith("refused: ") for line in wanted(path)[1])]


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_what_was_typed_is_read_and_nothing_else(path: Path) -> None:
    assert read(path) == wanted(path)


@pytest.mark.parametrize("path", readable(), ids=lambda path: path.stem)
def test_every_line_is_either_read_or_listed_as_ignored(path: Path) -> None:
    letter = read_letter(path.read_bytes())
    numbers = [line.number for line in letter.lines if line.text] + [line.number for line in letter.ignored]

    assert len(set(numbers)) == len(numbers)
    assert all(line.why for line in letter.ignored)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["line feed", "both"])
@pytest.mark.parametrize(
    "path",
    [path for path in LETTERS if b"\r" not in path.read_bytes().replace(b"\r\n", b"")],
    ids=lambda path: path.stem,
)
def test_how_the_lines_end_does_not_matter(path: Path, end: bytes) -> None:
    """A letter comes by IMAP and LMTP with CRLF, through a pipe and from a Maildir with LF."""
    raw = path.read_bytes()

    assert outcome(raw.replace(b"\r\n", b"\n").replace(b"\n", end)) == outcome(raw)


def outcome(raw: bytes) -> Letter | str:
    """The letter, or why there is none; its head is what `read_head` gives."""
    try:
        letter = read_letter(raw)
    except UnreadableLetter as refused:
        read_head(raw)
        return refused.reason
    head = read_head(raw)
    assert (head.sender, head.subject, head.recipients) == (letter.sender, letter.subject, letter.recipients)
    return letter


def test_there_are_many_letters_and_each_has_its_lines() -> None:
    assert len(LETTERS) >= AT_LEAST
    assert [path.name for path in LETTERS if not path.with_suffix(".txt").exists()] == []
    names = {path.stem for path in LETTERS}
    assert {path.name for path in FOLDER.iterdir() if path.stem not in names} == {".gitattributes"}
    assert max(len(wanted(path)[0]) for path in LETTERS) == MAX_LINES


def test_no_letter_names_a_host_that_may_exist() -> None:
    """Reserved names alone (RFC 2606), but for pages that programs link to."""
    from_or_to = [b".example"]

    strangers = [
        path.name
        for path in LETTERS
        for line in path.read_bytes().replace(b"\r", b"\n").split(b"\n")
        if line.lower().startswith((b"from: ", b"to: ")) and b"@" in line and not any(one in line for one in from_or_to)
    ]

    assert strangers == []
