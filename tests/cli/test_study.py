"""`pbem rules study`: the table, the files, and one game again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.kit.terminal import Terminal
from tests.systems.play import TOY_CAMPAIGNS

STUDY = ("rules", "study", "ford", "--games", "8", "--jobs", "1")


def test_it_says_who_wins_how_long_it_takes_and_what_it_costs(terminal: Terminal) -> None:
    said = terminal.does(*STUDY)

    assert said.startswith("The ford   toy/ford\n8 games, seed study, toy 1.0.0\n  smuggler plays: obvious\n")
    for word in ("WON BY", "smuggler", "guard", "turns", "men", "lost", "60 %"):
        assert word in said
    assert "line 5" not in said


def test_lines_that_were_never_taken_are_named_with_the_reason(terminal: Terminal, tmp_path: Path) -> None:
    terminal.does("init", "office", "--address", "o@o.example", "--gm", "g@o.example")
    folder = tmp_path / "office" / "campaigns" / "toy" / "ford"
    shutil.copytree(TOY_CAMPAIGNS / "toy" / "ford", folder)
    (folder / "study" / "guard.txt").write_text("# every turn B\nfire g1 at 99\n")
    said = terminal.does("--office", str(tmp_path / "office"), *STUDY)

    assert "Orders that were refused each time (1 line)\n    guard, line 2: fire g1 at 99\n" in said
    assert "1B: there is no place 99" in said


def test_json_goes_to_a_file_or_to_standard_output(terminal: Terminal, tmp_path: Path) -> None:
    terminal.does(*STUDY, "--json", "one.json")
    printed = terminal.does(*STUDY, "--json", "-")

    assert (tmp_path / "one.json").read_text() == printed
    assert json.loads(printed)["played"] == 8
    assert "one.json is there already" in terminal.refused(*STUDY, "--json", "one.json")


@pytest.mark.parametrize(("name", "begins"), [("x.svg", b"<svg"), ("x.png", b"\x89PNG")])
def test_it_can_be_drawn(terminal: Terminal, tmp_path: Path, name: str, begins: bytes) -> None:
    assert f"Written: {name}" in terminal.does(*STUDY, "--plot", name)

    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_plot_of_another_kind_is_not_begun(terminal: Terminal) -> None:
    assert terminal.types(*STUDY, "--plot", "x.gif").exit_code == 2


def test_one_game_is_played_again_by_its_number(terminal: Terminal, tmp_path: Path) -> None:
    found = json.loads(terminal.does(*STUDY, "--json", "-"))["each"][4]
    said = terminal.does(*STUDY, "--only", "5", "--log", "five.jsonl")

    assert said.startswith(f"Game 5 of toy/ford, seed study: {found['result']}\n  {found['how']}\n")
    assert json.loads((tmp_path / "five.jsonl").read_text().splitlines()[0])["turn"] == "S0"
    assert terminal.types(*STUDY, "--log", "six.jsonl").exit_code == 2


def test_one_game_is_played_by_letters_in_an_office(terminal: Terminal) -> None:
    found = json.loads(terminal.does(*STUDY, "--json", "-"))["each"][4]
    said = terminal.does(*STUDY, "--only", "5", "--office", "five")

    assert f"{found['result']} has won: {found['how']}" in said
    assert "ford-5" in terminal.does("--office", "five", "campaign", "list")
    assert terminal.types(*STUDY, "--office", "six").exit_code == 2


def test_games_are_played_on_from_a_campaign_by_orders_in_files(begun: Terminal, tmp_path: Path) -> None:
    begun.does("mail", "receive", given=begun.letter("smuggler", "turn 1A\nmove s1 to 3"))
    begun.does("turn", "run", "ford", "--early")
    (tmp_path / "watch.txt").write_text("# every turn B\nfire g1 at 3\nfire g2 at 3\n")
    orders = ("--orders", f"guard={tmp_path / 'watch.txt'}", "--doctrine", "silence")
    study = ("rules", "study", "--games", "12", "--jobs", "1")
    said = begun.does(*study, "--from", "ford@1A", *orders)

    assert said.startswith("The ford   toy/ford, from ford@1A\n12 games, seed study, toy 1.0.0, last_turn=1\n")
    assert "guard plays: watch" in said
    assert "lost" in said
    begun.does(*study, "--from", "ford@S0", *orders, "--json", "before.json")
    assert "it was from ford@S0" in begun.does(*study, "--from", "ford@1A", *orders, "--against", "before.json")
    for wrong in (
        ("--from", "ford", "toy/ford"),
        (),
        ("--as", "guard", "toy/ford"),
        ("--from", "ford", "--set", "a=1"),
    ):
        assert begun.types(*study, *wrong).exit_code == 2
    assert begun.types(*study, "--from", "ford", "--orders", "bear=x").exit_code == 2
    assert "has not come to 4B" in begun.refused(*study, "--from", "ford@4B")


def test_as_a_role_games_are_played_on_in_worlds_that_are_supposed(begun: Terminal) -> None:
    study = ("rules", "study", "--games", "12", "--jobs", "1", "--from", "ford", "--json", "-")
    guard = json.loads(begun.does(*study, "--as", "guard"))

    assert (guard["start"], guard["played"], guard["shares"][-1]["result"] != "broken") == ("ford as guard", 12, True)
    assert {one["result"] for one in guard["each"]} <= {"smuggler", "guard"}
    assert "there is no role" in begun.refused(*study, "--as", "bear")


def test_two_studies_stand_side_by_side(terminal: Terminal) -> None:
    terminal.does(*STUDY, "--doctrine", "silence", "--json", "silent.json")
    said = terminal.does(*STUDY, "--doctrine", "guard=silence", "--set", "hits_on=7", "--against", "silent.json")

    assert "Against 8 games, seed study: hits_on was as it ships; smuggler played silence" in said
    assert "smuggler  50.0 %    0.0 %     +50.0 %  overlap" in said


def test_what_is_no_study_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]")

    assert "x.json is no study" in terminal.refused(*STUDY, "--against", "x.json")
