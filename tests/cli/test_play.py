"""A campaign, by commands alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.kit.terminal import Terminal


def test_a_game_is_played_to_its_end(begun: Terminal, tmp_path: Path) -> None:
    begun.does("mail", "receive", given=begun.letter("smuggler", "turn 1A\nmove s1 to 3\nmvoe s2 to 4"))
    shown = begun.shows("turn", "show", "ford")
    assert (shown["turn"], shown["complete"]) == ("1A", True)
    assert [(one["state"], one["refused"]) for one in shown["roles"]] == [("received", 1), ("free to send", 0)]
    assert "Nothing is written" in begun.does("turn", "run", "ford", "--dry-run")
    assert "Staged: turn 1A, the carts" in begun.does("turn", "run", "ford", "--early")
    released = begun.does("turn", "release", "ford")
    pages = [Path(line.strip()) for line in released.splitlines() if line.endswith(".html")]
    assert [path.is_file() for path in pages] == [True, True]
    begun.does("turn", "run", "ford", "--early")
    assert "The game is over: the guard has won" in begun.does("turn", "release", "ford")
    assert begun.shows("campaign", "show", "ford")["winner"] == "guard"


def test_what_cannot_be_done_yet_is_refused_with_what_to_do(begun: Terminal) -> None:
    assert begun.refused("turn", "release", "ford") == (
        "refused: turn 1A is not resolved yet.  First: pbem turn run ford\n"
    )
    assert "--early" in begun.refused("turn", "run", "ford")
    assert "There are: ford" in begun.refused("turn", "show", "fort")
    assert "names no turn" in begun.refused("orders", "list", "ford", "--turn", "soon")


def test_with_release_auto_one_command_does_both(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal.does("init", "office", "--address", "office@office.example")
    monkeypatch.chdir(tmp_path / "office")
    terminal.does("campaign", "new", "ford", "toy/ford", "--release", "auto", "--hours", "24")
    for role in ("smuggler", "guard"):
        terminal.does("player", "add", "ford", role, "--name", role, "--address", f"{role}@player.example")
    terminal.does("campaign", "start", "ford")

    assert "Open now: 1B" in terminal.does("turn", "run", "ford", "--early", "--turn", "1a")
    # What is typed twice runs nothing that comes after it.
    again = terminal.refused("turn", "run", "ford", "--early", "--turn", "1a")
    assert again == "refused: ford stands at 1B, and not at 1a.  Nothing was done.\n"
    assert "stands at 1B" in terminal.refused("turn", "release", "ford", "--turn", "1A")
    assert "run ford --early --turn 1B" in terminal.refused("turn", "run", "ford")


def test_orders_are_checked_as_their_receipt_would_say(begun: Terminal, tmp_path: Path) -> None:
    Path("t1.txt").write_text("turn 1A\nmove s1 to 3\nmvoe s2 to 4\n")
    checked = begun.types("orders", "check", "t1.txt", "--campaign", "ford", "--as", "smuggler")

    assert checked.exit_code == 1
    assert checked.stdout.startswith('t1.txt:3:1: not understood: "mvoe" is no order; did you mean "move"?')
    assert checked.stdout.rstrip().endswith("The receipt would say the same.")
    assert begun.shows("orders", "list", "ford") == []
    Path("good.txt").write_text("move s1 to 3\n")
    begun.does("orders", "check", "good.txt", "--campaign", "ford", "--as", "smuggler")
    begun.does("orders", "check", "good.txt", "--scenario", "toy/ford", "--as", "smuggler")
    assert "--campaign NAME" in begun.refused("orders", "check", "good.txt")


def test_orders_are_entered_for_a_role_and_read_again(begun: Terminal) -> None:
    Path("t1.txt").write_text("move s1 to 3\n")
    begun.does("orders", "submit", "ford", "t1.txt", "--as", "smuggler")
    begun.does("orders", "submit", "ford", "-", "--as", "guard", given="watch g1 4\n")

    assert [(one["role"], one["text"]) for one in begun.shows("orders", "list", "ford")] == [
        ("guard", "watch g1 4"),
        ("smuggler", "move s1 to 3"),
    ]
    assert "move s1 to 3" in begun.does("orders", "show", "ford", "--as", "smuggler")
    assert "no orders for 9A" in begun.refused("orders", "show", "ford", "--as", "smuggler", "--turn", "9A")
    assert "cannot be read" in begun.refused("orders", "submit", "ford", "none.txt", "--as", "smuggler")


def test_orders_are_tried_before_they_are_entered(begun: Terminal) -> None:
    Path("t1.txt").write_text("game ford\nrole smuggler\nmove s1 to 3\n")
    said = begun.does("orders", "submit", "ford", "t1.txt", "--dry-run")

    assert "YOUR ORDERS AS THEY NOW STAND" in said
    assert said.rstrip().endswith("nothing was entered, and nobody was told.  It would be accepted.")
    assert begun.shows("orders", "list", "ford") == []
    assert 'says "role smuggler"' in begun.refused("orders", "submit", "ford", "t1.txt", "--as", "guard")
    begun.does("orders", "check", "t1.txt")


def test_reports_are_listed_read_opened_and_written(
    begun: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    begun.does("turn", "run", "ford", "--early")
    assert "DUE FROM YOU" in begun.does("report", "show", "ford", "--as", "guard", "--turn", "1A")
    begun.does("report", "open", "ford", "--as", "guard")
    assert opened[0].endswith("/reports/ford/staged/1a-guard.html")
    begun.does("turn", "release", "ford")

    assert [(one["turn"], one["role"]) for one in begun.shows("report", "show", "ford")] == [
        ("S0", "smuggler"),
        ("S0", "guard"),
        ("1A", "smuggler"),
        ("1A", "guard"),
    ]
    page = begun.types("report", "show", "ford", "--as", "guard", "--html").stdout_bytes
    assert page == (tmp_path / "office" / "reports" / "ford" / "1a-guard.html").read_bytes()
    written = begun.shows("report", "export", "ford", "--as", "guard", "--to", str(tmp_path / "out"))
    pages = [tmp_path / "out" / "ford" / name for name in ("s0-guard.html", "1a-guard.html")]
    assert [Path(path) for path in written] == pages  # beside those of another campaign, and never over them


def test_more_time_is_given_by_hours_or_to_an_hour(begun: Terminal) -> None:
    begun.does("turn", "extend", "ford", "--hours", "24", "--reason", "He travels.")
    begun.does("turn", "extend", "ford", "--to", "2099-11-24T20:00", "--reason", "He travels far.")

    assert begun.shows("turn", "show", "ford")["due"] == ["2099-11-24T20:00:00+00:00"]
    assert begun.types("turn", "extend", "ford", "--reason", "x").exit_code == 2
    assert begun.types("turn", "extend", "ford", "--to", "soon", "--reason", "x").exit_code == 2
    assert begun.types("turn", "extend", "ford", "--hours", "99999999", "--reason", "x").exit_code == 2
    assert "into the past" in begun.refused("turn", "extend", "ford", "--to", "2001-01-01", "--reason", "x")


def test_what_was_resolved_can_be_annulled(begun: Terminal) -> None:
    assert "nothing of ford" in begun.refused("turn", "annul", "ford", "--reason", "x")
    begun.does("turn", "run", "ford", "--early")
    assert "ford stands at 1A, the carts" in begun.does("turn", "annul", "ford", "--reason", "A mistake.")
    assert begun.shows("turn", "show", "ford")["state"] == "open"


def test_a_turn_that_is_run_again_names_its_runs_and_keeps_both_reports(
    begun: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    begun.does("mail", "receive", given=begun.letter("smuggler", "turn 1A\nmove s1 to 3"))
    assert "history diff" not in begun.does("turn", "run", "ford", "--early")
    begun.does("turn", "release", "ford")
    begun.does("turn", "annul", "ford", "--turn", "1A", "--reason", "A mistake.")
    told = "What differs from the run before: pbem history diff ford 1A#1 1A#2"

    assert told in begun.does("turn", "run", "ford", "--early")
    assert told in begun.does("turn", "show", "ford")
    assert begun.shows("turn", "show", "ford")["run"] == 2
    begun.does("turn", "release", "ford")

    listed = [one for one in begun.shows("report", "show", "ford") if one["turn"] == "1A" and one["role"] == "guard"]
    assert [(one["version"], one["annulled"]) for one in listed] == [(1, True), (2, False)]
    assert begun.does("report", "show", "ford").count("annulled") == 2
    of_guard = ("report", "show", "ford", "--as", "guard", "--turn", "1A")
    assert "CORRECTED" not in begun.does(*of_guard, "--version", "1")
    assert "CORRECTED REPORT, VERSION 2" in begun.does(*of_guard)
    assert [begun.shows(*of_guard, *more)["version"] for more in ((), ("--version", "1"))] == [2, 1]
    assert "no report 1A, version 3, to guard" in begun.refused(*of_guard, "--version", "3")
    for more in ((), ("--version", "1")):
        begun.does("report", "open", *of_guard[2:], *more)
    assert [page.rpartition("/")[2] for page in opened] == ["1a-guard-v2.html", "1a-guard.html"]


def test_players_are_listed_with_what_they_play(begun: Terminal) -> None:
    listed = begun.shows("player", "list")

    assert [(one["name"], one["plays"]) for one in listed] == [
        ("Smuggler", [{"campaign": "ford", "role": "smuggler"}]),
        ("Guard", [{"campaign": "ford", "role": "guard"}]),
    ]
    assert "guard in ford" in begun.does("player", "list", "ford")


def test_in_a_pipe_only_kept_bytes_count(begun: Terminal, tmp_path: Path) -> None:
    assert begun.types("mail", "receive", given=b"\xff\x00 no letter at all").exit_code == 0
    assert begun.types("mail", "receive", given="").exit_code == 0
    (tmp_path / "office" / "pbem.toml").rename(tmp_path / "office" / "elsewhere.toml")
    lost = begun.types("mail", "receive", given=begun.letter("smuggler", "move s1 to 3"))
    assert (lost.exit_code, lost.stderr[:8]) == (75, "not kept")


def test_letters_are_fetched_from_a_maildir_once(begun: Terminal, tmp_path: Path) -> None:
    for box in ("new", "cur", "tmp"):
        (tmp_path / "Maildir" / box).mkdir(parents=True)
    for number, text in enumerate(("move s1 to 3", "add\nmove s2 to 4"), start=1):
        (tmp_path / "Maildir" / "new" / f"{number}.host").write_text(begun.letter("smuggler", text, number))
    said = begun.does("mail", "receive", str(tmp_path / "Maildir"))

    assert said.count("applied") == 2
    assert "No letter there" in begun.does("mail", "receive", str(tmp_path / "Maildir"))
    assert begun.shows("orders", "list", "ford")[0]["text"] == "move s1 to 3\nmove s2 to 4"


def test_letters_are_fetched_from_a_file_and_from_an_mbox(begun: Terminal, tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_text(begun.letter("smuggler", "move s1 to 3"))
    assert "applied" in begun.does("mail", "receive", str(tmp_path / "one.eml"))
    envelope = "From guard@player.example Fri Nov 20 22:00:00 2026\n"
    (tmp_path / "two.mbox").write_text(envelope + begun.letter("guard", "watch g1 4"))
    assert "ford guard 1A: accepted" in begun.does("mail", "receive", str(tmp_path / "two.mbox"))
    assert "no such file" in begun.refused("mail", "receive", str(tmp_path / "none")).lower()


def test_what_is_owed_is_listed_written_and_dropped(begun: Terminal, tmp_path: Path) -> None:
    first, _ = begun.shows("mail", "outbox", "list")
    assert first["kind"] == "briefing"
    files = begun.does("mail", "send", "--dry-run", str(tmp_path / "letters")).split()
    assert [Path(path).suffix for path in files] == [".eml", ".eml"]
    begun.does("mail", "outbox", "drop", first["id"])
    assert [one["id"] for one in begun.shows("mail", "outbox", "list", "--state", "dropped")] == [first["id"]]
    assert "no mail server is set" in begun.refused("mail", "send")


def test_the_demonstration_says_where_each_report_is(terminal: Terminal, tmp_path: Path) -> None:
    said = terminal.does("demo", "--system", "toy")
    pages = [Path(line) for line in said.splitlines() if line.endswith(".html")]

    assert len(pages) == 4
    assert all(path.is_absolute() and path.is_file() for path in pages)
    assert "the guard's report of 1B" in said
    assert "pbem-demo-2" in terminal.does("demo", "--system", "toy")
    assert "no demonstration of halfleague" in terminal.refused("demo", "--system", "halfleague")


def test_the_key_of_an_office_is_its_owners_alone(begun: Terminal) -> None:
    assert stat.S_IMODE(os.stat("office.key").st_mode) == 0o600


def test_the_gm_writes_to_his_players(begun: Terminal) -> None:
    one = begun.does("player", "write", "ford", "smuggler", "Your last line was cut.")
    assert one == "A letter to Smuggler, who plays smuggler.\nNext: pbem mail send\n"
    both = begun.does("player", "write", "ford", "all", "-", "--subject", "A *pause*", given="Until Monday.\n")
    assert both.count("A letter to") == 2
    shown = [one for one in begun.shows("history", "log", "ford", "--raw") if one["kind"] == "letter_sent"]
    assert [one["what"] for one in shown] == [
        "umpire to smuggler: Your last line was cut.",
        "umpire to smuggler: Until Monday.",
        "umpire to guard: Until Monday.",
    ]
    assert "there is no role" in begun.refused("player", "write", "ford", "saxon", "x")
