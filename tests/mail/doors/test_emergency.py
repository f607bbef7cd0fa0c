"""The Maildir for letters that the database cannot take."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.mail.doors.emergency import NotKept, set_aside
from pbem.mail.doors.inbox import from_maildir

LETTER = b"From: a@x.example\r\n\r\nhold\r\n"


def test_what_is_set_aside_is_read_like_any_maildir(tmp_path: Path) -> None:
    paths = {set_aside(tmp_path / "a" / "aside", raw) for raw in (LETTER, LETTER + b"2", LETTER)}

    assert len(paths) == 2
    arrivals = list(from_maildir(tmp_path / "a" / "aside"))
    assert {arrival.raw for arrival in arrivals} == {LETTER, LETTER + b"2"}
    for arrival in arrivals:
        arrival.done()
    assert list(from_maildir(tmp_path / "a" / "aside")) == []
    assert list((tmp_path / "a" / "aside" / "tmp").iterdir()) == []


def test_the_disk_has_it_before_anybody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file before it has its name, then every folder on the way to it."""
    synced: list[str] = []
    fsync = os.fsync

    def noted(handle: int) -> None:
        synced.append(os.path.relpath(os.readlink(f"/proc/self/fd/{handle}"), tmp_path))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    name = set_aside(tmp_path / "aside", LETTER).name
    assert synced == [f"aside/tmp/{name}.{os.getpid()}", "aside/new", "aside", "."]


def test_a_disk_that_does_not_take_it(tmp_path: Path) -> None:
    (tmp_path / "aside").write_text("no folder")

    with pytest.raises(NotKept) as refused:
        set_aside(tmp_path / "aside", LETTER)
    assert str(refused.value) == f"{tmp_path / 'aside'}: not a directory."
