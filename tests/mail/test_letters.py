"""Whole letters as mail programs write them, each beside the lines that its writer typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.letter import read_letter

LETTERS = sorted((Path(__file__).parents[1] / "letters").glob("*.eml"))


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_what_was_typed_is_read_and_nothing_else(path: Path) -> None:
    letter = read_letter(path.read_bytes())

    assert [line.text for line in letter.lines] == path.with_suffix(".txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_every_line_is_either_read_or_listed_as_ignored(path: Path) -> None:
    letter = read_letter(path.read_bytes())
    numbers = [line.number for line in letter.lines if line.text] + [line.number for line in letter.ignored]

    assert len(set(numbers)) == len(numbers)
    assert all(line.why for line in letter.ignored)


def test_there_are_enough_letters_and_each_has_its_lines() -> None:
    assert len(LETTERS) >= 26
    assert [path.name for path in LETTERS if not path.with_suffix(".txt").exists()] == []
