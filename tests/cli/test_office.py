from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.server import Server, drop
from tests.kit.terminal import Terminal
from tests.systems.play import campaigns


def test_an_office_is_made_and_found_in_order(terminal: Terminal, tmp_path: Path) -> None:
    said = terminal.does("init", "there", "--address", "office@office.example", "--name", 'The "old" office')

    assert "Next: pbem scenario list" in said
    assert "Put your own address into its pbem.toml (gm)" in said
    assert {path.name for path in (tmp_path / "there").iterdir()} >= {"pbem.toml", "office.sqlite", "office.key"}
    found = {one["what"]: one["state"] for one in terminal.shows("--office", "there", "doctor")}
    assert (found.pop("mail"), found.pop("gm")) == ("look", "look")
    assert set(found.values()) == {"ok"}


def test_an_office_is_made_once(begun: Terminal) -> None:
    assert "there is an office" in begun.refused("init", ".", "--address", "a@b.org")


def test_an_office_is_made_on_a_server(terminal: Terminal, postgres: Server, tmp_path: Path) -> None:
    url = postgres.database()
    told = ("--address", "office@office.example", "--gm", "gm@office.example", "--database", url)
    terminal.does("init", "there", *told)

    assert not (tmp_path / "there" / "office.sqlite").exists()
    assert "the role pbem owns the tables" in terminal.does("--office", "there", "doctor")
    assert "already" in terminal.does("--office", "there", "db", "upgrade")
    # Another would have a key of its own, with which the players' addresses are void.
    assert "there is an office in" in terminal.refused("init", "other", *told)
    assert not (tmp_path / "other" / "pbem.toml").exists()
    # Half made, it is made whole.
    (tmp_path / "there" / "pbem.toml").unlink()
    terminal.does("init", "there", *told)
    drop(url)


def test_what_is_wrong_with_an_office_is_said_and_where(begun: Terminal, tmp_path: Path) -> None:
    key = tmp_path / "office" / "office.key"
    key.chmod(0o644)
    said = begun.types("doctor")
    assert said.exit_code == 1
    assert "chmod 600" in said.stdout
    key.chmod(0o600)
    (tmp_path / "office" / "templates").mkdir()
    (tmp_path / "office" / "templates" / "report.html").write_text("{% if %}")
    assert "report.html" in begun.types("doctor").stdout
    (tmp_path / "office" / "pbem.toml").write_text("address = ")
    assert "is no TOML" in begun.types("doctor").stdout


def test_without_an_office_it_is_said_how_to_come_by_one(terminal: Terminal) -> None:
    assert terminal.refused("campaign", "list").startswith("refused: no office here")
    assert "pbem init" in terminal.refused("--office", "nowhere", "campaign", "list")


def test_the_office_can_be_named_by_the_environment(
    begun: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_OFFICE", str(tmp_path / "office"))

    assert [one["campaign"] for one in begun.shows("campaign", "list")] == ["ford"]


def test_a_backup_brings_the_office_back(begun: Terminal, tmp_path: Path) -> None:
    begun.does("db", "backup", "copy.sqlite")
    assert "is there already" in begun.refused("db", "backup", "copy.sqlite")
    assert "is there already" in begun.refused("db", "restore", "copy.sqlite")
    for path in (tmp_path / "office").glob("office.sqlite*"):
        path.unlink()
    begun.does("db", "restore", "copy.sqlite")

    assert [one["campaign"] for one in begun.shows("campaign", "list")] == ["ford"]
    assert "already" in begun.does("db", "upgrade")


def test_scenarios_can_be_looked_at_without_an_office(terminal: Terminal) -> None:
    assert "toy/ford" in terminal.does("scenario", "list")
    shown = terminal.shows("scenario", "show", "ford")
    assert (shown["system"], [one["role"] for one in shown["roles"]]) == ("toy", ["smuggler", "guard"])
    assert terminal.does("scenario", "check", "toy/ford").split()[:2] == ["toy/ford", "ok"]
    assert "Did you mean toy/ford" in terminal.refused("scenario", "show", "toy/frod")


def test_one_bad_scenario_hides_no_other(begun: Terminal) -> None:
    own = Path("campaigns/toy/broken")
    own.mkdir(parents=True)
    (own / "scenario.toml").write_text("name = ")
    said = begun.types("scenario", "check")

    assert said.exit_code == 1
    assert "scenario.toml: is no TOML" in said.output
    assert "st-privat/graveyard" in said.output
    assert "1 of" in said.output


def test_rules_can_be_looked_at_without_an_office(terminal: Terminal) -> None:
    shown = terminal.shows("rules", "show", "ty-mov-01")
    assert (shown["system"], shown["rule"]) == ("toy", "TY-MOV-01")
    assert "TY-MOV-01" in terminal.does("rules", "list", "toy")
    assert "Did you mean TY-MOV-01" in terminal.refused("rules", "show", "TY-MVO-01")


def test_cases_are_run_and_counted(terminal: Terminal, tmp_path: Path) -> None:
    good = """\
[[case]]
id = "TY-MOV-01-a"
title = "three places are too far"
rules = ["TY-MOV-01"]
scenario = "toy/ford"
keep = true
run = "phase"
expect.ask = [{ fact = "within_reach", args = [1, 4], is = false }]
"""
    (tmp_path / "good.toml").write_text(good)
    assert terminal.does("rules", "check", "good.toml").splitlines()[-1] == "1 passed, 0 failed"
    (tmp_path / "bad.toml").write_text(good.replace("is = false", "is = true"))
    said = terminal.types("rules", "check", ".")
    assert (said.exit_code, said.stdout.splitlines()[-1]) == (1, "1 passed, 1 failed")
    assert "bad.toml: TY-MOV-01-a" in said.stdout
    coverage = terminal.types("rules", "coverage", "toy", "good.toml", "--json")
    assert '"TY-MOV-01": [' in coverage.stdout


def test_a_case_may_be_set_in_a_field_that_is_no_scenario_of_the_office(terminal: Terminal, tmp_path: Path) -> None:
    """It lies in `fields` above the cases, and nobody is offered it."""
    field = tmp_path / "fields" / "toy" / "weir"
    shutil.copytree(campaigns("toy") / "ford", field)
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "of_weir.toml").write_text(
        """\
[[case]]
id = "TY-MOV-01-a"
title = "three places are too far"
rules = ["TY-MOV-01"]
scenario = "toy/weir"
keep = true
run = "phase"
expect.ask = [{ fact = "within_reach", args = [1, 4], is = false }]
"""
    )
    assert terminal.does("rules", "check", "cases").splitlines()[-1] == "1 passed, 0 failed"
    assert "weir" not in terminal.does("scenario", "list")


def test_what_a_command_writes_is_its_owners_alone(begun: Terminal, tmp_path: Path) -> None:
    """Seeds, addresses and secret addresses stand in these files."""
    before = os.umask(0)
    try:
        begun.does("campaign", "export", "ford", "whole.jsonl", "--with-secrets", "--with-players")
        begun.does("mail", "send", "--dry-run", "letters")
        begun.does("db", "backup", "copy.sqlite")
        begun.does("history", "export", "ford", "log.jsonl")
    finally:
        os.umask(before)

    written = [*Path("letters").iterdir(), *map(Path, ("letters", "whole.jsonl", "copy.sqlite", "log.jsonl"))]
    assert len(written) > 4
    assert [str(path) for path in written if path.stat().st_mode & 0o077] == []


def test_an_office_without_its_triggers_is_verified_and_mended(begun: Terminal, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "office" / "office.sqlite")) as connection:
        connection.execute("DROP TRIGGER event_is_not_changed")
    assert "pbem db upgrade puts them back" in begun.refused("campaign", "list")

    said = begun.types("verify")

    assert said.exit_code == 1
    assert "the trigger event_is_not_changed is missing or changed: pbem db upgrade puts it back" in said.stdout
    begun.does("db", "upgrade")
    assert "The office is sound." in begun.does("verify")


def test_an_event_whose_number_is_none_is_named_in_words(begun: Terminal, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "office" / "office.sqlite")) as connection:
        [(ddl,)] = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'event_is_not_changed'")
        connection.execute("DROP TRIGGER event_is_not_changed")
        connection.execute("UPDATE event SET seq = 'seven' WHERE seq = 3")
        connection.execute(ddl)
        connection.commit()

    said = begun.types("verify")

    assert said.exit_code == 1
    assert "event 3 of ford is missing" in said.stdout
    assert "1 row of event with text where seq should be integer" in said.stdout


def test_what_somebody_changed_by_hand_is_named_until_he_says_why(begun: Terminal, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "office" / "office.sqlite")) as connection:
        [(ddl,)] = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'player_sealed_at_update'")
        connection.execute("DROP TRIGGER player_sealed_at_update")
        connection.execute("UPDATE player SET zone = 'Asia/Tokyo' WHERE name = 'Guard'")
        connection.execute(ddl)
        connection.commit()
    said = begun.types("verify").stdout
    assert "was changed behind the office's back" in said
    assert "pbem db accept" in said

    assert "1 row taken as they stand" in begun.does("db", "accept", "--because", "the guard has moved to Japan")

    assert "accepted: the guard has moved to Japan" in begun.does("verify")


def test_a_backup_with_the_key_brings_back_all_of_an_office(begun: Terminal, tmp_path: Path) -> None:
    assert "pbem.toml, office.key" in begun.does("db", "backup", "copy.sqlite")
    begun.does("db", "backup", "copy.tar", "--with-key")
    begun.does("init", str(tmp_path / "new"), "--address", "fresh@office.example", "--gm", "gm@office.example")

    said = begun.does("--office", str(tmp_path / "new"), "db", "restore", "copy.tar")

    assert "What was there before: pbem.toml.before, office.key.before." in said
    found = {one["what"]: one["state"] for one in begun.shows("--office", str(tmp_path / "new"), "doctor")}
    assert found["key"] == "ok"
    assert "ford is sound." in begun.does("--office", str(tmp_path / "new"), "verify")


@pytest.mark.sqlite
def test_a_moved_office_is_kept_in_its_new_place_and_the_old_one_is_left(begun: Terminal) -> None:
    before = begun.does("history", "log", "ford")
    said = begun.does("db", "move", "sqlite:///other.sqlite")

    assert "The office is kept in sqlite:///other.sqlite now.  pbem.toml.before is how it was." in said
    assert "office.sqlite was left as it was, and is opened no more" in said
    assert begun.does("history", "log", "ford") == before
    assert "The office is sound." in begun.does("verify")
    assert Path("other.heads").read_bytes() == Path("office.heads").read_bytes()
    assert "is kept in sqlite:///other.sqlite already" in begun.refused("db", "move", "sqlite:///other.sqlite")
    assert "pbem db move --over replaces it" in begun.refused("db", "move", "sqlite:///office.sqlite")
    begun.does("db", "move", "sqlite:///office.sqlite", "--over")
    assert "The office is sound." in begun.does("verify")
