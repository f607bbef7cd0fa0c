"""Passwords and tokens from a file or a command: asked for each time, and never told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.doors.credentials import NoSecret, from_command, from_file, given


def test_one_that_is_known() -> None:
    assert given("secret")() == "secret"


def test_the_first_line_of_a_file_as_it_is_now(tmp_path: Path) -> None:
    secret = from_file(tmp_path / "token")
    for line in ("old", "new"):
        (tmp_path / "token").write_text(f"  {line}\r\n# a note\n")
        assert secret() == line


def test_the_first_line_that_a_command_prints_now(tmp_path: Path) -> None:
    secret = from_command(f"cat {tmp_path}/token; echo more")
    for line in ("old", "new"):
        (tmp_path / "token").write_text(f"{line}\n")
        assert secret() == line


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\nsecret\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name, why in [
        ("gone", "no such file or directory."),
        (".", "is a directory."),
        ("empty", "its first line is empty."),
        ("binary", "this is no text."),
    ]:
        with pytest.raises(NoSecret) as refused:
            from_file(tmp_path / name)()
        assert str(refused.value) == f"{tmp_path / name}: {why}"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("echo secret; echo no key >&2; exit 3", "failed with 3: no key"),
        ("exit 1", "failed with 1: it said nothing"),
        ("true", ": its first line is empty."),
        ("sleep 20", " gave no answer within 0.2 seconds."),
    ],
)
def test_a_command_that_gives_none(command: str, why: str) -> None:
    with pytest.raises(NoSecret) as refused:
        from_command(command, patience=0.2)()
    assert str(refused.value).startswith(f"`{command}`")
    assert str(refused.value).endswith(why)


def test_a_command_hears_nothing() -> None:
    """It would wait for ever for what nobody types."""
    with pytest.raises(NoSecret):
        from_command("cat")()
