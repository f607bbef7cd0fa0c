"""A campaign goes over to other rules, is broken off; a person is forgotten, a briefing leaves again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.terminal import Terminal

OTHER = "77c0" + "0" * 60
"""The content of other rules."""


@pytest.fixture
def between(begun: Terminal) -> Terminal:
    """The first turn is played, and nothing of the second: a patrol has fired."""
    begun.does("campaign", "new", "weir", "toy/ford", "--trust", "address")
    for role in ("smuggler", "guard"):
        begun.does("player", "add", "weir", role, "--name", role.title(), "--address", f"{role}@player.example")
    begun.does("campaign", "start", "weir")
    begun.does("orders", "submit", "weir", "-", "--as", "smuggler", given="move s1 to 3\nmove s2 to 4\n")
    turn(begun)
    begun.does("orders", "submit", "weir", "-", "--as", "guard", given="fire g2 at 4\nfire g1 at 3\n")
    for gun in ("g1", "g2"):
        begun.does("rule", "weir", f"die 1B/fire/{gun} = 6", "--reason", "So that both hit.", "--yes")
    turn(begun)
    return begun


def turn(terminal: Terminal, *more: str) -> None:
    terminal.does("turn", "run", "weir", "--early", *more)
    terminal.does("turn", "release", "weir")


def install(monkeypatch: pytest.MonkeyPatch, content: str = OTHER) -> None:
    """Other rules are installed, by which no shot hits."""
    monkeypatch.setattr("pbem.rules.registry.content_hash", lambda system: content)
    monkeypatch.setattr("tests.systems.toy.turn.hits", lambda die, least: False)


def kinds(terminal: Terminal, campaign: str = "weir") -> list[str]:
    return [row["kind"] for row in terminal.shows("history", "log", campaign, "--raw")]


def again(terminal: Terminal) -> Any:
    """The row of what was resolved again, of a campaign that is sound."""
    [verified] = terminal.shows("verify", "weir")
    assert verified["sound"]
    return next(row["what"] for row in verified["rows"] if row["name"] == "resolve again")


def test_an_upgrade_is_shown_first_and_changes_nothing(between: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kinds(between)
    install(monkeypatch)

    shown = between.does("campaign", "upgrade", "weir", "--dry-run")
    plain = between.shows("campaign", "upgrade", "weir", "--dry-run")

    assert "hit yes" in shown
    assert "hit no" in shown
    assert "What was played stays as it is." in shown
    assert shown.rstrip().endswith("pbem campaign fork weir NAME --with-installed")
    assert [(one["turn"], one["how"], bool(one["difference"])) for one in plain["played"]] == [
        ("S0", "muster", False),
        ("1A", "run", False),
        ("1B", "run", True),
    ]
    assert plain["installed"]["content"] == OTHER
    assert plain["would"] is not None
    assert "give a reason" in between.refused("campaign", "upgrade", "weir", "--yes")
    assert "nothing was upgraded" in between.refused("campaign", "upgrade", "weir", "--reason", "x", given="n\n")
    assert kinds(between) == before


def test_what_comes_after_an_upgrade_is_played_by_the_new_rules_and_verify_understands_both(
    between: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch)
    assert "pbem campaign upgrade weir" in between.refused("turn", "run", "weir", "--early")
    state = between.shows("history", "show", "weir", "--raw")["state"]

    said = between.does("campaign", "upgrade", "weir", "--reason", "No shot ever hit.", given="y\n")

    assert f"Upgraded: event {len(kinds(between))}." in said
    assert between.shows("history", "show", "weir", "--raw")["state"] == state
    assert again(between) == "toy 1.0.0, 0 outcomes; not 5 by earlier rules"
    turn(between)
    between.does("orders", "submit", "weir", "-", "--as", "guard", given="fire g1 at 3\n")
    turn(between)
    assert again(between).startswith("turn 2, toy 1.0.0")
    assert again(between).endswith("not 5 by earlier rules")
    assert "already" in between.refused("campaign", "upgrade", "weir", "--dry-run")


def test_a_player_does_not_read_why_the_rules_were_upgraded(between: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    between.does("campaign", "upgrade", "weir", "--reason", "The cart at 4 was shot at wrongly.", "--yes")

    seen = between.does("history", "log", "weir", "--raw", "--as", "guard")

    assert "campaign upgraded" in seen.replace("_", " ")
    assert "wrongly" not in seen


def test_an_upgrade_outlives_the_annulment_of_what_came_before_it(
    between: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch)
    between.does("campaign", "upgrade", "weir", "--reason", "No shot ever hit.", "--yes")

    between.does("turn", "annul", "weir", "--turn", "1B", "--reason", "To be played by the new rules.")
    turn(between)

    assert between.shows("campaign", "show", "weir")["rules"]["content"] == OTHER
    log = between.shows("history", "log", "weir", "--raw")
    assert [row["annulled"] for row in log if row["kind"] == "campaign_upgraded"] == [False]
    fired = [row["seq"] for row in log if row["kind"] == "toy.patrol_fired"]
    hits = [between.shows("history", "show", "weir", str(seq))["event"]["hit"] for seq in fired]
    assert hits == [True, True, False, False]
    assert again(between).endswith("not 5 by earlier rules")


def test_in_the_middle_of_a_turn_no_rules_are_changed(begun: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("campaign", "upgrade", "ford", "--reason", "x", "--yes")
    assert "is played by the installed rules already" in begun.refused(*words)
    begun.does("turn", "run", "ford", "--early")
    install(monkeypatch)
    assert "First: pbem turn release ford" in begun.refused(*words)
    begun.does("turn", "release", "ford")
    assert "pbem turn annul ford --turn 1A" in begun.refused(*words)
    begun.does("turn", "annul", "ford", "--turn", "1A", "--reason", "To change the rules.")
    begun.does(*words)
    begun.does("turn", "run", "ford", "--early")


def test_rules_that_read_another_game_from_the_log_do_not_take_it_over(
    between: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch)
    monkeypatch.setattr("pbem.desk.proof.proof_of_play.state_digest", lambda world: "0" * 64)

    said = between.refused("campaign", "upgrade", "weir", "--dry-run")

    assert "the facts fold to another state" in said


def test_a_campaign_does_not_start_by_other_rules_than_it_was_opened_with(
    begun: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun.does("campaign", "new", "weir", "toy/ford")
    for role in ("smuggler", "guard"):
        begun.does("player", "add", "weir", role, "--name", role.title(), "--address", f"{role}@player.example")
    install(monkeypatch)
    assert "pbem campaign upgrade weir" in begun.refused("campaign", "start", "weir")
    assert "nothing yet" in begun.does("campaign", "upgrade", "weir", "--reason", "They are mended.", "--yes")
    begun.does("campaign", "start", "weir")
    assert again(begun).startswith("set-up, toy 1.0.0")


def test_a_game_is_broken_off_the_seeds_are_known_and_the_players_are_told(between: Terminal) -> None:
    assert "nothing was ended" in between.refused("campaign", "end", "weir", "--reason", "x", given="n\n")
    said = between.does("campaign", "end", "weir", "--reason", "Both have resigned.", given="y\n")

    assert "weir is over: Both have resigned." in said
    assert between.shows("campaign", "show", "weir")["how"] == "Both have resigned"
    assert [one["closed_seed"] for one in between.shows("dice", "audit", "weir", "--as", "guard")["promises"]] == [
        "fits"
    ] * 4
    told = [one for one in between.shows("mail", "outbox", "list") if one["cause"].startswith("ended/")]
    assert len(told) == 2
    letter = between.shows("mail", "outbox", "show", told[0]["id"])["text"]
    assert "Both have resigned." in letter
    ended = between.shows("history", "log", "weir", "--raw")[-1]["event"]
    assert ended["closed_seeds"]["1B"] in letter
    assert again(between).startswith("turn 1, toy")
    assert "is over: Both have resigned" in between.refused("turn", "run", "weir", "--early")
    assert "is over" in between.refused("campaign", "end", "weir", "--reason", "x", "--yes")
    assert "The game is over: Both have resigned." in between.does("turn", "show", "weir")


def test_what_waits_to_be_made_known_is_made_known_before_the_end(begun: Terminal) -> None:
    begun.does("turn", "run", "ford", "--early")
    assert "First: pbem turn release ford" in begun.refused("campaign", "end", "ford", "--reason", "x", "--yes")


def test_an_end_is_taken_back_with_the_turn_before_it(between: Terminal) -> None:
    between.does("campaign", "end", "weir", "--reason", "Both have resigned.", "--yes")

    between.does("turn", "annul", "weir", "--reason", "They play on.", "--reopen")
    turn(between)

    assert between.shows("campaign", "show", "weir")["status"] == "running"
    assert again(between).startswith("turn 1, toy")


def test_a_game_that_never_began_is_ended_too(begun: Terminal) -> None:
    begun.does("campaign", "new", "weir", "toy/ford")
    begun.does("campaign", "end", "weir", "--reason", "Nobody came.", "--yes")

    assert between_rows(begun) == ["ended", True]
    assert "is over: Nobody came" in begun.refused("campaign", "start", "weir")


def between_rows(terminal: Terminal) -> list[object]:
    [verified] = terminal.shows("verify", "weir")
    return [terminal.shows("campaign", "show", "weir")["status"], verified["sound"]]


def test_a_person_is_forgotten(begun: Terminal) -> None:
    assert "First: pbem player withdraw ford guard" in begun.refused("player", "erase", "guard@player.example", "--yes")
    begun.does("player", "withdraw", "ford", "guard", "--reason", "He was called away.")
    assert "nothing was erased" in begun.refused("player", "erase", "guard@player.example", given="n\n")
    begun.does("player", "erase", "guard@player.example", given="y\n")

    assert [(one["name"], one["address"]) for one in begun.shows("player", "list")][1] == (None, None)
    assert "ford is sound." in begun.does("verify", "ford")
    assert "there is no player" in begun.refused("player", "erase", "guard@player.example", "--yes")


def test_a_briefing_leaves_again(begun: Terminal) -> None:
    said = begun.does("player", "resend-briefing", "ford", "guard")

    assert "waits to leave for guard@player.example" in said
    assert [one["kind"] for one in begun.shows("mail", "outbox", "list")] == ["briefing"] * 3
    begun.does("campaign", "new", "weir", "toy/ford")
    begun.does("player", "add", "weir", "guard", "--name", "Guard", "--address", "guard@player.example")
    assert "weir has not started" in begun.refused("player", "resend-briefing", "weir", "guard")
