"""A system of one's own is begun by a command, and a package that is broken harms nobody else's games."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.kernel.errors import BrokenSystem
from pbem.rules import registry
from tests.kit.terminal import Terminal


def installed(folder: Path, name: str, entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What pip leaves of a package, by its entry point."""
    info = folder / f"pbem_{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pbem-{name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pbem.systems]\n{name} = {entry}\n")
    monkeypatch.syspath_prepend(str(folder))


def test_a_system_is_begun_under_its_own_name_and_nothing_of_the_old_is_left(
    terminal: Terminal, tmp_path: Path
) -> None:
    told = terminal.does("rules", "new", "three-crowns", "--to", "games")

    begun = tmp_path / "games" / "three-crowns"
    assert "its rules are called TC-…" in told
    assert (begun / "three_crowns" / "campaigns" / "three-crowns" / "first" / "scenario.toml").is_file()
    assert (begun / "tests" / "test_three_crowns.py").is_file()
    for path in begun.rglob("*"):
        if path.is_file():
            assert not {"bare", "BB-"} & {path.name, *path.read_text("utf-8").replace("_", " ").split()}, path
    assert 'three-crowns = "three_crowns:SYSTEM"' in (begun / "pyproject.toml").read_text("utf-8")


def test_it_plays_its_cases_at_once(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.does("rules", "new", "begun-here")
    monkeypatch.syspath_prepend(str(tmp_path / "begun-here"))
    installed(tmp_path, "begun-here", "begun_here:SYSTEM", monkeypatch)

    assert "begun-here" in terminal.does("rules", "list")
    assert "ok" in terminal.does("scenario", "check", "begun-here/first")
    assert "10 passed, 0 failed" in terminal.does("rules", "check", "begun-here/begun_here/suite")
    assert "already" in terminal.refused("rules", "new", "begun-here", "--to", "other")


@pytest.mark.parametrize("loosely", [False, True])
def test_an_option_that_it_does_not_have_is_refused_though_it_reads_them_loosely(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loosely: bool
) -> None:
    name = f"sundial-{loosely}".lower()
    terminal.does("rules", "new", name)
    package = tmp_path / name / name.replace("-", "_")
    if loosely:
        state = package / "state.py"
        state.write_text(state.read_text().replace("frozen=True, forbid_unknown_fields=True", "frozen=True"))
    monkeypatch.syspath_prepend(str(tmp_path / name))
    installed(tmp_path, name, f"{name.replace('-', '_')}:SYSTEM", monkeypatch)
    terminal.does("init", "office", "--address", "office@office.example")
    new = ("--office", "office", "campaign", "new", "b2", f"{name}/first", "--option")

    assert "there is no lsat_turn; did you mean last_turn?" in terminal.refused(*new, "lsat_turn=5")
    assert "there is no sun." in terminal.refused(*new, "sun=half")
    terminal.does(*new, "last_turn=5")
    scenario = package / "campaigns" / name / "first" / "scenario.toml"
    scenario.write_text(scenario.read_text() + 'sun = "half"\n')
    said = terminal.types("scenario", "check", f"{name}/first")
    assert said.exit_code == 1
    assert "scenario.toml, options: an option is wrong: there is no sun" in said.stdout


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../mine", "small letters"),
        ("/mine", "small letters"),
        ("Mine", "small letters"),
        ("three_crowns", "small letters"),
        ("three--crowns", "small letters"),
        ("", "small letters"),
        ("a" * 41, "40 at most"),
        ("st-privat", "already"),
        ("toy", "already"),
        ("class", "another name"),
        ("string", "another name"),
        ("msgspec", "another name"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(
    terminal: Terminal, tmp_path: Path, name: str, why: str
) -> None:
    assert why in terminal.refused("rules", "new", name)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept.txt").write_text("mine")

    assert "is there already" in terminal.refused("rules", "new", "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["kept.txt"]
    (tmp_path / "led").symlink_to(tmp_path / "nowhere")
    assert "is there already" in terminal.refused("rules", "new", "led")


BROKEN = {
    "a package that is gone": ("", "no_such_package:SYSTEM", "ModuleNotFoundError"),
    "a package that does not load": ("raise ValueError('by mistake')", "", "ValueError: by mistake"),
    "no system": ("SYSTEM = 1", "", "that is a int, and no System"),
    "a system of another name": ("from tests.systems.toy import SYSTEM", "", 'it calls itself "toy"'),
}


@pytest.mark.parametrize(("source", "entry", "why"), BROKEN.values(), ids=BROKEN)
def test_a_package_that_is_broken_is_named_and_harms_no_other(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, entry: str, why: str
) -> None:
    package = f"broken_{len(why)}_{len(source)}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(source)
    installed(tmp_path, "brokenly", entry or f"{package}:SYSTEM", monkeypatch)

    with pytest.raises(BrokenSystem, match=why[:20]):
        registry.load("brokenly")
    listed = terminal.types("rules", "list")
    assert listed.exit_code == 0
    assert "toy" in listed.stdout
    assert "brokenly" not in listed.stdout
    assert why in listed.stderr
    assert "brokenly" not in str(terminal.shows("rules", "list"))
    assert "toy/ford" in terminal.does("scenario", "list")
    assert "Moving" in terminal.does("rules", "show", "TY-MOV-01")
    terminal.does("init", "office", "--address", "office@office.example")
    said = terminal.types("--office", "office", "doctor").output
    assert why in " ".join(said.split())


def test_what_decides_no_game_is_no_part_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Terminal().does("rules", "new", "pinned-one", "--to", str(tmp_path))
    package = tmp_path / "pinned-one" / "pinned_one"
    monkeypatch.syspath_prepend(str(tmp_path / "pinned-one"))
    installed(tmp_path, "pinned-one", "pinned_one:SYSTEM", monkeypatch)
    once = registry.content_of("pinned-one")

    (package / "suite" / "cases.toml").write_text("")
    (package / "campaigns" / "pinned-one" / "first" / "map.toml").write_text("")
    assert registry.content_of("pinned-one") == once
    (package / "rules.py").write_text("")
    assert registry.content_of("pinned-one") != once
