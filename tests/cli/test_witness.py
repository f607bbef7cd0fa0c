"""A player holds what he kept to a log, by command: with an office at hand, and without any."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.terminal import Terminal


@pytest.fixture
def kept(begun: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without an office, with the reports of a game that was played and a file of its log."""
    for turn in ("run", "release"):
        begun.does("turn", turn, "ford", *(["--early"] if turn == "run" else []))
    place = tmp_path / "kept"
    place.mkdir()
    begun.does("report", "export", "ford", "--to", str(place))
    begun.does("campaign", "export", "ford", str(place / "ford.jsonl"))
    monkeypatch.chdir(place)
    return place / "ford"


def test_a_player_holds_his_reports_to_a_file_without_an_office(terminal: Terminal, kept: Path) -> None:
    said = terminal.does("history", "witness", "ford", "--log", "ford.jsonl")

    assert "1A report guard" in said
    assert "The log has every head in them." in said
    assert "Signed with the key " in said
    assert "files and letters beside, without a head of a log." in said


def test_what_is_not_as_it_was_is_named_and_ends_with_one(terminal: Terminal, kept: Path) -> None:
    page = kept / "1a-guard.html"
    page.write_text(page.read_text("utf-8").replace("ford", "bridge"), "utf-8")
    ended = terminal.types("history", "witness", str(page), str(kept / "1a-smuggler.html"), "--log", "ford.jsonl")

    assert ended.exit_code == 1
    assert f"{page}, 1A report: it says that it is of bridge, and prints the head of event" in ended.stdout
    assert "1 of these was altered: the log stands against it." in ended.stdout
    nothing = terminal.types("history", "witness", str(page), "--log", "ford.jsonl")
    assert nothing.exit_code == 1
    assert "Traceback" not in ended.output + nothing.output


def test_what_is_no_file_of_a_campaign_is_refused_in_a_line(terminal: Terminal, kept: Path) -> None:
    page = str(kept / "1a-guard.html")

    assert "it is no line of a campaign" in terminal.refused("history", "witness", page, "--log", page)
    assert "there is no file" in terminal.refused("history", "witness", "nothing", "--log", "ford.jsonl")
    assert "cannot be read" in terminal.refused("history", "witness", page, "--log", "nothing.jsonl")


def test_a_copy_of_an_earlier_hour_is_made_beside_the_office(begun: Terminal, tmp_path: Path) -> None:
    begun.does("db", "backup", str(tmp_path / "backup.sqlite"))
    into = str(tmp_path / "copy")
    said = begun.does("db", "restore", str(tmp_path / "backup.sqlite"), "--upto", "2999-01-01T00:00", "--into", into)

    assert "It never mails, opens no door, and has a key of its own." in said
    assert "ford is whole" in said
    assert "a copy cut at" in " ".join(begun.does("--office", into, "campaign", "show", "ford").split())
    assert "(a copy, cut)" in begun.does("--office", into, "turn", "show", "ford")
    assert begun.shows("--office", into, "campaign", "show", "ford")["cut_at"] == "2999-01-01T00:00:00+00:00"
    assert "is sound" in begun.does("--office", into, "verify", "ford")
    for words in (("run", "--once"), ("mail", "fetch"), ("mail", "serve")):
        assert "this office is a copy" in begun.refused("--office", into, *words)
    assert "this office never mails" in begun.refused("--office", into, "mail", "send")
    assert begun.types("db", "restore", str(tmp_path / "backup.sqlite"), "--upto", "2999-01-01").exit_code == 2
