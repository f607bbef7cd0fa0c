"""Letters that wait for the GM, at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.terminal import Terminal


@pytest.fixture
def careful(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    """An office whose campaign `ford` believes no From by itself, and a letter that is known by nothing else."""
    terminal.does("init", "office", "--address", "office@office.example", "--gm", "gm@office.example")
    monkeypatch.chdir(tmp_path / "office")
    terminal.does("campaign", "new", "ford", "toy/ford")
    for role in ("smuggler", "guard"):
        terminal.does("player", "add", "ford", role, "--name", role.title(), "--address", f"{role}@player.example")
    terminal.does("campaign", "start", "ford")
    terminal.does("mail", "receive", given=terminal.letter("smuggler", "move s1 to 3"))
    return terminal


def test_a_held_letter_is_listed_shown_and_accepted(careful: Terminal) -> None:
    [held] = careful.shows("mail", "quarantine", "list")
    number = str(held["letter"])
    assert (held["state"], held["grade"], held["campaign"]) == ("held", "D", "ford")
    assert "only its From line says" in careful.does("mail", "quarantine")
    shown = careful.does("mail", "quarantine", "show", number)
    assert "move s1 to 3" in shown
    assert "address none" in shown
    raw = careful.letter("smuggler", "move s1 to 3")
    assert careful.does("mail", "quarantine", "show", number, "--raw") == raw

    assert careful.does("mail", "quarantine", "accept", number) == f"  letter {number}: applied: accepted\n"
    assert "No letter waits" in careful.does("mail", "quarantine", "list")
    [done] = careful.shows("mail", "quarantine", "list", "--all")
    assert (done["state"], done["event"] > 1) == ("applied", True)
    assert "does not wait" in careful.refused("mail", "quarantine", "accept", number)
    assert "was dealt with" in careful.refused("mail", "quarantine", "retry", number)


def test_a_held_letter_is_put_away_with_a_reason(careful: Terminal) -> None:
    careful.does("mail", "quarantine", "discard", "1", "--reason", "he did not write it")

    [done] = careful.shows("mail", "quarantine", "list", "--all")
    assert (done["state"], done["reason"]) == ("ignored", "discarded: he did not write it")
    assert "there is no letter 7" in careful.refused("mail", "quarantine", "show", "7")


def test_a_letter_of_somebody_who_is_enrolled_later_can_be_read_then(careful: Terminal) -> None:
    careful.does("mail", "receive", given=careful.letter("anna", "move s1 to 3"))
    assert careful.shows("mail", "quarantine", "list", "--all")[1]["state"] == "refused"
    replaced = ("--name", "Anna", "--address", "anna@player.example", "--reason", "He travels.")
    careful.does("player", "replace", "ford", "smuggler", *replaced)

    again = careful.shows("mail", "quarantine", "retry", "2")
    assert (again["state"], again["campaign"]) == ("held", "ford")


def test_secret_addresses_are_made_void(careful: Terminal) -> None:
    assert "Smuggler answers to a new address." in careful.does("player", "rekey", "ford")
    said = careful.does("player", "rekey", "guard@player.example", "--address", "guard@new.example")

    assert "letters go to guard@new.example, and no more to guard@player.example" in said
    assert careful.shows("player", "list")[1]["address"] == "guard@new.example"
    assert "there is no player" in careful.refused("player", "rekey", "nobody")


def test_a_letter_from_a_players_other_address_is_taken_as_his(careful: Terminal) -> None:
    careful.does("mail", "receive", given=careful.letter("anna", "move s2 to 4"))
    assert "--as WHO" in careful.refused("mail", "quarantine", "accept", "2")
    assert careful.types("mail", "quarantine", "accept", "2", "--and-address").exit_code == 2

    said = careful.does("mail", "quarantine", "accept", "2", "--as", "smuggler", "--and-address")
    assert "letter 2: applied: accepted" in said
    assert "anna@player.example is entered for Smuggler" in said
    assert careful.shows("player", "list")[0]["others"] == [{"address": "anna@player.example", "confirmed": None}]
    assert "(anna@player.example)" in careful.does("player", "list")
    careful.does("player", "drop-address", "smuggler@player.example", "anna@player.example")
    assert careful.shows("player", "list")[0]["others"] == []
    careful.does("player", "add-address", "smuggler@player.example", "anna@player.example")
