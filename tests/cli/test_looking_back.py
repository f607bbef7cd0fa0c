"""The commands that look back, check, rule, carry and fork."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from pbem.rules.reel import VERSION, Reel
from tests.kit.terminal import Terminal


@pytest.fixture
def played(begun: Terminal) -> Terminal:
    """Exchange A of the first turn is played, B is open."""
    begun.does("mail", "receive", given=begun.letter("smuggler", "turn 1A\nmove s1 to 3"))
    begun.does("turn", "run", "ford", "--early")
    begun.does("turn", "release", "ford")
    return begun


def test_history_is_listed_for_the_gm_and_for_a_role(played: Terminal) -> None:
    assert "guard: s1 went from 1 to 3." in played.does("history", "log", "ford", "--raw", "--turn", "1A")
    as_guard = played.does("history", "log", "ford", "--raw", "--as", "guard")
    assert "s1 went from 1 to 3." in as_guard
    assert as_guard.rstrip().endswith("known to guard.")
    rows = played.shows("history", "log", "ford", "--raw", "--as", "guard")
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    assert not any("seq" in row for row in rows)
    assert played.shows("history", "log", "ford", "--raw", "--turn", "1")[0]["kind"] == "exchange_opened"


def test_as_json_the_history_is_a_reel_in_the_shape_that_is_described(played: Terminal) -> None:
    printed = played.shows("history", "log", "ford", "--as", "guard")
    read = msgspec.convert(printed, Reel)

    assert msgspec.json.decode(msgspec.json.encode(read)) == printed
    assert (read.v, read.eyes) == (VERSION, ("guard",))
    assert [line.text for beat in read.beats for line in beat.seen["guard"].told] == ["s1 went from 1 to 3."]


def test_one_event_is_shown_whole(played: Terminal) -> None:
    [seq] = [row["seq"] for row in played.shows("history", "log", "ford", "--raw") if row["kind"] == "toy.cart_moved"]

    assert played.shows("history", "show", "ford", str(seq))["event"]["end"] == 3
    assert f"event {seq}, toy.cart_moved" in played.does("history", "show", "ford", str(seq))
    assert "ford has no event 999" in played.refused("history", "show", "ford", "999")


def test_a_history_is_written_into_a_file_and_never_over_one(played: Terminal) -> None:
    played.does("history", "export", "ford", "guard.jsonl", "--as", "guard")
    lines = [json.loads(line) for line in Path("guard.jsonl").read_text("utf-8").splitlines()]
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    assert "guard.jsonl is there already" in played.refused("history", "export", "ford", "guard.jsonl")
    assert json.loads(played.does("history", "export", "ford", "-").splitlines()[0])["seq"] == 1


def test_a_game_is_published_in_one_file_or_as_a_site(played: Terminal) -> None:
    said = played.does("history", "publish", "ford", "guard.html", "--as", "guard")
    assert "through guard" in said
    assert "guard.html is there already" in played.refused("history", "publish", "ford", "guard.html", "--as", "guard")
    assert "is not over" in played.refused("history", "publish", "ford", "all.html", "--all")
    assert "For your eyes alone" in played.does("history", "publish", "ford", "all.html", "--gm")
    assert "say where to" in played.refused("history", "publish", "ford")
    assert "a site is for everybody" in played.refused("history", "publish", "ford", "--gm", "--site", "public")
    assert "begin with public/index.html" in played.does(
        "history", "publish", "ford", "--as", "guard", "--site", "public"
    )
    assert Path("public/ford/turn-1.html").is_file()


def test_a_campaign_is_verified_and_all_are_without_a_name(played: Terminal) -> None:
    said = played.does("verify", "ford")

    assert "ford is sound." in said
    names = [line[2:15].strip() for line in said.splitlines() if line.endswith(" ok")]
    assert names == [
        *("hash chain", "heads", "rows", "letters", "mails", "orders", "dice", "replay", "resolve again", "reports")
    ]
    assert [one["campaign"] for one in played.shows("verify")] == ["ford", ""]
    assert "The office is sound." in played.does("verify")
    fold = [line[2:15].strip() for line in played.does("verify", "ford", "--fold").splitlines() if line.endswith(" ok")]
    assert fold == ["hash chain", "heads", "replay"]


def test_a_head_that_the_log_does_not_hold_fails_the_verification(played: Terminal) -> None:
    last = played.shows("history", "log", "ford", "--raw")[-1]["seq"]
    head = played.shows("history", "show", "ford", str(last))["hash"]

    assert f"event {last}" in played.does("verify", "ford", "--head", head)
    result = played.types("verify", "ford", "--head", head[::-1])
    assert result.exit_code == 1
    assert "what the letter was made from is not this log" in result.stdout
    assert "64 hexadecimal digits" in played.refused("verify", "ford", "--head", "abc")
    assert played.types("verify", "--head", head).exit_code == 2


def test_a_ruling_is_shown_asked_for_and_made(played: Terminal) -> None:
    words = ("rule", "ford", "set s1 men 1", "--reason", "Counted wrongly.")
    before = len(played.shows("history", "log", "ford", "--raw"))

    shown = played.does(*words, "--dry-run")
    assert "pieces.s1.men" in shown
    assert "Nothing was written." in shown
    assert "nothing was ruled" in played.refused(*words, given="n\n")
    assert "give a reason" in played.refused(*words[:3], "--yes")
    assert len(played.shows("history", "log", "ford", "--raw")) == before
    assert f"Ruled: event {before + 1}." in played.does(*words, given="y\n")
    assert played.shows("history", "show", "ford", "--raw")["state"]["pieces"]["s1"]["men"] == 1
    ruled = played.shows("rule", "ford", "set s1 men 2", "--known", "guard", "--reason", "After all.", "--yes")
    assert ruled["learns"]["guard"] == ["pieces.s1.men: none → 2"]
    assert "is no directive" in played.refused("rule", "ford", "fly", "--reason", "x")


def test_a_die_is_ruled(played: Terminal) -> None:
    played.does("mail", "receive", given=played.letter("guard", "fire g1 at 3"))

    said = played.does("rule", "ford", "die 1B/fire/g1 = 6", "--reason", "It lay on the floor.", "--yes")

    assert "falls 6" in said
    played.does("turn", "run", "ford", "--early")
    assert "by ruling" in played.does("dice", "audit", "ford", "--turn", "1B")


def test_dice_are_audited(played: Terminal) -> None:
    assert "1 throw; all that is known fits." in played.does("dice", "audit", "ford")
    assert [one["falls"] for one in played.shows("dice", "audit", "ford")["throws"]] == ["fits"]
    as_guard = played.shows("dice", "audit", "ford", "--as", "guard")
    assert as_guard["throws"] == []
    assert [one["open_seed"] for one in as_guard["promises"]] == ["sealed", "fits", "sealed"]


def test_throws_of_a_run_that_was_annulled_are_told_from_those_that_took_its_place(played: Terminal) -> None:
    played.does("mail", "receive", given=played.letter("guard", "turn 1B\nfire g1 at 3"))
    played.does("turn", "run", "ford", "--early")
    assert "#" not in played.does("dice", "audit", "ford", "--turn", "1B")
    played.does("turn", "annul", "ford", "--reason", "A mistake.")
    played.does("turn", "run", "ford", "--early")
    again = played.does("dice", "audit", "ford", "--turn", "1B")

    thrown = played.shows("dice", "audit", "ford", "--turn", "1B")["throws"]
    assert [(one["run"], one["annulled"]) for one in thrown] == [(1, True), (2, False)]
    assert "1B#1, annulled" in again
    assert "1B#2" in again


def test_a_player_audits_the_reports_that_he_was_sent_and_has_no_office(
    played: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.does("report", "export", "ford", "--to", "mine")
    pages = [str(path.resolve()) for path in sorted(Path("mine/ford").glob("*guard*.html"))]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_OFFICE", str(tmp_path / "nowhere"))

    said = played.does("dice", "audit", *pages)
    assert "all that is known fits." in said
    assert "the office and 2 words" in said
    assert {one["role"] for one in played.shows("dice", "audit", *pages)["words"]} == {"guard", "smuggler"}
    assert "nowhere.html cannot be read" in played.refused("dice", "audit", "nowhere.html")


def test_a_campaign_leaves_in_a_file_and_comes_back_elsewhere(
    played: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = str(tmp_path / "ford.jsonl")
    played.does("campaign", "export", "ford", file, "--with-secrets", "--with-players")
    assert "nothing is written over" in played.refused("campaign", "import", file)
    played.does("init", str(tmp_path / "there"), "--address", "there@office.example")
    monkeypatch.chdir(tmp_path / "there")

    assert "ford is here" in played.does("campaign", "import", file)

    assert "ford is sound." in played.does("verify", "ford")
    played.does("turn", "run", "ford", "--early")


def test_a_file_that_is_not_whole_is_refused_by_its_line(played: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "ford.jsonl"
    played.does("campaign", "export", "ford", str(file))
    file.write_bytes(file.read_bytes()[:-20])
    last = len(file.read_bytes().splitlines())
    played.does("init", str(tmp_path / "there"), "--address", "there@office.example")

    said = played.refused("--office", str(tmp_path / "there"), "campaign", "import", str(file))

    assert said.startswith(f"refused: {file}:{last}: it is no line of a campaign")


def test_a_fork_is_not_taken_for_the_game_that_is_played(played: Terminal) -> None:
    played.does("campaign", "fork", "ford", "what-if", "--at", "1A")

    assert {one["campaign"]: one["fork_of"] for one in played.shows("campaign", "list")} == {
        "ford": None,
        "what-if": "ford",
    }
    said = " ".join(played.does("campaign", "list").split())
    assert said.count("a fork of ford") == 1
    assert "a fork of ford" in played.does("campaign", "show", "what-if")


def test_a_fork_is_played_beside_its_campaign(played: Terminal) -> None:
    assert "what-if is a fork of ford. It stands at 1A" in played.does(
        "campaign", "fork", "ford", "what-if", "--at", "1A"
    )
    assert "Dry run of turn 1A" in played.does("turn", "run", "what-if", "--dry-run")
    assert "ford has not come to 9A" in played.refused("campaign", "fork", "ford", "other", "--at", "9A")


def test_a_role_changes_hands(played: Terminal) -> None:
    words = ("--name", "Cid", "--address", "cid@player.example", "--reason", "He is ill.")

    assert "Cid plays guard in ford now" in played.does("player", "replace", "ford", "guard", *words)
    assert "Cid plays guard already" in played.refused("player", "replace", "ford", "guard", *words)
    played.does("player", "withdraw", "ford", "guard", "--reason", "He was called away.")
    assert "nobody plays guard" in played.refused("player", "withdraw", "ford", "guard", "--reason", "x")


def test_the_odds_of_an_attack_are_told_by_what_its_role_knows_or_as_things_are(played: Terminal) -> None:
    said = played.does("rules", "odds", "ford", "fire g1 at 3", "--as", "guard")

    assert said.startswith("g1 at 3   fire, 1B, by what guard knows\n  odds: 3 in 6 to hit, 0.5 men on the average\n")
    assert "as things truly are" in played.does("rules", "odds", "ford", "fire g1 at 3", "--as", "guard", "--truth")
    found = played.shows("rules", "odds", "ford", "fire g1 at 3", "--as", "guard")
    assert [one["chance"] for one in found["odds"]] == [0.5]
    assert sum(one["chance"] for one in found["odds"][0]["outcomes"]) == 1


def test_of_what_is_no_attack_there_are_no_odds(played: Terminal) -> None:
    assert "attacks nobody" in played.refused("rules", "odds", "ford", "fire g1 at 5", "--as", "guard")
    assert "no piece of yours" in played.refused("rules", "odds", "ford", "fire s1 at 3", "--as", "guard")
    assert "may send no orders now" in played.refused("rules", "odds", "ford", "move s1 to 3", "--as", "smuggler")
    assert "there is no role" in played.refused("rules", "odds", "ford", "fire g1 at 3", "--as", "bear")
