from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


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
    assert terminal.does("scenario", "check", "toy/ford").split() == ["toy/ford", "ok"]
    assert "Did you mean toy/ford" in terminal.refused("scenario", "show", "toy/frod")


def test_one_bad_scenario_hides_no_other(begun: Terminal) -> None:
    own = Path("campaigns/toy/broken")
    own.mkdir(parents=True)
    (own / "scenario.toml").write_text("name = ")
    said = begun.types("scenario", "check")

    assert said.exit_code == 1
    assert "broken/scenario.toml is no TOML" in said.output.replace(": ", " ")
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
