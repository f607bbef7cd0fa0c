"""Looking back at a game by command: in words, at any moment, what differs, what was ordered, in numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from pbem.cli.history.common import columns
from tests.kit.terminal import Terminal


@pytest.fixture
def played(begun: Terminal) -> Terminal:
    """The first exchange is played, annulled, opened again and played otherwise; the second is played after it."""
    begun.does("mail", "receive", given=begun.letter("smuggler", "move s1 to 3\nmove s9 to 3", 1))
    play(begun, "ford")
    begun.does("turn", "annul", "ford", "--turn", "1A", "--reason", "A cart was misplaced.", "--reopen")
    begun.does("mail", "receive", given=begun.letter("smuggler", "move s2 to 4", 2))
    play(begun, "ford")
    play(begun, "ford")
    return begun


def play(terminal: Terminal, campaign: str) -> None:
    """Resolve the open exchange, and make it known."""
    terminal.does("turn", "run", campaign, "--early", "--defaults")
    terminal.does("turn", "release", campaign, "--early")


def beats(terminal: Terminal, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = terminal.shows("history", "log", "ford", *words)["beats"]
    return found


def test_the_log_is_told_a_line_a_beat_and_none_is_cut(played: Terminal) -> None:
    lines = played.does("history", "log", "ford").splitlines()
    moved = [line for line in lines if "s2 went from 2 to 4." in line]

    assert len(moved) == 1
    assert moved[0].split()[0].startswith("1A#2.")
    assert not any(line.endswith("…") for line in lines)
    assert lines[-1].endswith("the truth.")


def test_of_a_role_it_tells_what_that_role_knows(played: Terminal) -> None:
    assert "s2 went from 2 to 4." in played.does("history", "log", "ford", "--as", "smuggler")
    assert "what guard knows." in played.does("history", "log", "ford", "--as", "guard")
    assert {eyes for beat in beats(played, "--as", "guard") for eyes in beat["seen"]} == {"guard"}


def test_what_several_have_alike_is_said_once(played: Terminal) -> None:
    said = played.does("history", "log", "ford", "--as", "truth", "--as", "smuggler", "--turn", "1")

    assert said.count("s2 went from 2 to 4.") == 1
    assert "[truth, smuggler] " in said


def test_what_is_asked_of_the_log_must_all_hold(played: Terminal) -> None:
    every = beats(played)
    assert [one for one in every if one["moment"]["exchange"] == 1] == beats(played, "--turn", "1A")
    assert all("s1" in one["seen"]["truth"]["units"] for one in beats(played, "--unit", "S1"))
    assert "s1 went from 1 to 3." in json.dumps(beats(played, "--turn", "1-2", "--grep", "WENT", "--annulled"))
    assert not any(one.get("annulled") for one in every)
    assert any(one.get("annulled") for one in beats(played, "--annulled"))
    assert "smuggler 1: done." in played.does("history", "log", "ford", "--orders")


def test_what_is_misspelt_is_answered_with_what_there_is(played: Terminal) -> None:
    assert "Did you mean s1" in played.refused("history", "log", "ford", "--unit", "s11")
    assert "no stretch of a game" in played.refused("history", "log", "ford", "--turn", "1A/move")
    assert "go with --raw" in played.types("history", "log", "ford", "--seq", "4").stderr


def test_on_a_terminal_a_line_is_wrapped_under_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("pbem.cli.common.width", lambda: 44)
    [row] = columns([("1A.1", "Movement", "s1 went from 1 to 3 and from there to the other bank.")])
    first, *rest = click.unstyle(row).splitlines()

    assert first.startswith("1A.1  Movement  s1 went")
    assert rest
    assert {len(line) - len(line.lstrip()) for line in rest} == {len("1A.1  Movement  ")}


def test_a_moment_is_shown_in_words_with_the_field_after_it(played: Terminal) -> None:
    said = played.does("history", "show", "ford", "1A")

    assert said.splitlines()[0] == "ford, 1A#2.1, the truth"
    assert "s2 went from 2 to 4." in said
    assert "TY-MOV-01" in said
    assert played.does("history", "show", "ford", "--at", "1A") == said
    assert "as known to guard" in played.does("history", "show", "ford", "--as", "guard")
    assert "There is nothing at 9A" in played.refused("history", "show", "ford", "9A").replace("there", "There")
    assert "names no moment" in played.refused("history", "show", "ford", "nowhere")
    assert "this game has no hours" in played.refused("history", "show", "ford", "06:14")


def test_a_moment_is_found_by_the_date_of_its_run(played: Terminal) -> None:
    assert played.does("history", "show", "ford", "2001-01-01").startswith("ford, S0.1")
    newest = played.does("history", "show", "ford")
    assert played.does("history", "show", "ford", "2100-01-01") == newest


def test_a_moment_is_written_as_page_and_map_and_never_over_a_file(played: Terminal) -> None:
    played.does("history", "show", "ford", "1A", "--html", "1a.html", "--svg", "1a.svg", "--png", "1a.png")

    assert "s2 went from 2 to 4." in Path("1a.html").read_text("utf-8")
    assert Path("1a.svg").read_text("utf-8").startswith("<svg xmlns")
    assert Path("1a.png").read_bytes().startswith(b"\x89PNG")
    assert "is there already" in played.refused("history", "show", "ford", "1A", "--svg", "1a.svg")
    both = ("--as", "guard", "--as", "truth", "--svg", "b.svg")
    assert "say which by --as" in played.refused("history", "show", "ford", "1A", *both)


def test_an_event_is_drawn_as_the_beat_that_it_is_in(played: Terminal) -> None:
    [seq, *_] = [
        row["seq"] for row in played.shows("history", "log", "ford", "--raw") if row["kind"] == "toy.cart_moved"
    ]
    played.does("history", "show", "ford", str(seq), "--html", "event.html")

    assert "1A#1.1, the truth" in Path("event.html").read_text("utf-8")
    assert "is no fact of the game" in played.refused("history", "show", "ford", "1", "--html", "no.html")


def test_the_values_of_a_state_are_shown_as_they_stood(played: Terminal) -> None:
    def square(*words: str) -> int:
        found: int = played.shows("history", "show", "ford", *words, "--raw")["state"]["pieces"]["s1"]["square"]
        return found

    assert (square("S0"), square("1A"), square("1A#1"), square("1A#2")) == (1, 1, 3, 1)
    assert "pieces.s1.men" in played.does("history", "show", "ford", "--as", "guard", "--raw")
    known = played.shows("history", "show", "ford", "--as", "guard", "--raw")
    assert known["events"] is None
    assert known["digest"] == ""


def test_of_two_runs_it_is_said_what_was_told_in_one_alone(played: Terminal) -> None:
    said = played.does("history", "diff", "ford", "1A#1", "1A#2")
    alone, _, other = said.partition("Told in the second alone")

    assert "s1 went from 1 to 3." in alone
    assert "s2 went from 2 to 4." in other
    assert "1A#1.1 beside 1A#2.1" in said
    found = played.shows("history", "diff", "ford", "1A#1", "1A#2")["truth"]
    assert [one["names"] for one in found["units"]] == [["s1"], ["s2"]]
    played.does("history", "diff", "ford", "1A#1", "1A#2", "--html", "diff.html")
    assert Path("diff.html").read_text("utf-8").count('stroke="var(--part)"') >= 2


def test_of_two_moments_it_is_said_what_came_between(played: Terminal) -> None:
    said = played.does("history", "diff", "ford", "S0", "1A")

    assert "What came between" in said
    assert "s2 went from 2 to 4." in said
    assert "s1 went from 1 to 3." not in said
    assert played.does("history", "diff", "ford", "1A", "S0") == said
    assert "is one moment" in played.refused("history", "diff", "ford", "1A", "1A")


def test_a_game_and_its_fork_differ_from_where_they_part(played: Terminal) -> None:
    played.does("campaign", "fork", "ford", "what-if", "--at", "1A")
    played.does("orders", "submit", "what-if", "-", "--as", "smuggler", given="move s1 to 3\n")
    play(played, "what-if")
    said = played.does("history", "diff", "ford", "1A", "--with", "what-if")

    assert "ford 1A#2.1 beside what-if 1A#2.1" in said
    assert "s1 went from 1 to 3." in said.partition("Told in the second alone")[2]


def test_every_sheet_is_listed_with_its_fate_and_what_came_of_each_line(played: Terminal) -> None:
    sheets = played.shows("history", "orders", "ford", "smuggler")
    fates = [(one["receipt"], one["fate"], one.get("by", 0)) for one in sheets if one["lines"]]

    assert fates == [(1, "stood", 2), (2, "superseded", 3), (3, "stood", 0)]
    said = played.does("history", "orders", "ford", "smuggler", "--turn", "1A")
    assert "1A#1: done." in said
    assert "1A#2: done." in said
    assert "s9" in said
    assert played.shows("history", "orders", "ford", "--as", "guard") == []


def test_a_sheet_is_shown_with_its_receipt_as_it_was_sent(played: Terminal) -> None:
    assert "    | " in played.does("history", "orders", "ford", "smuggler", "--receipts")


def test_a_game_is_counted(played: Terminal) -> None:
    found = played.shows("history", "stats", "ford")
    smuggler = next(one for one in found["letters"] if one["role"] == "smuggler")

    assert smuggler["sheets"] == len(played.shows("history", "orders", "ford", "smuggler"))
    assert "Hours before" in played.does("history", "stats", "ford")
    assert played.shows("history", "stats", "ford", "--as", "guard")["letters"] == []
    assert "Hours before" not in played.does("history", "stats", "ford", "--as", "guard")
