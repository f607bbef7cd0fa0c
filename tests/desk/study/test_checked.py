"""What a check of a scenario finds: all that its maker did not mean, in his files and not in games that run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.desk.library.scenarios import check_scenario, find_folder, folders, read_scenario
from pbem.desk.study.checked import faults
from pbem.rules import registry

INN = "crossroads/golden-bremm"
SHIPPED = [(system, name) for system, name, _ in folders(None) if system in registry.BUILT_IN]


def copied(tmp_path: Path, name: str) -> Path:
    """A scenario that ships, to be spoilt."""
    folder = tmp_path / name.partition("/")[2]
    shutil.copytree(find_folder(None, name), folder)
    return folder


def spoilt(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")


def said(folder: Path, *, look: bool = False) -> list[str]:
    return [f"{one.where}: {one.why}" for one in faults(folder) if one.look == look]


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_what_ships_has_no_faults(system: str, name: str) -> None:
    assert said(find_folder(None, f"{system}/{name}")) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("scenario.toml", "date =", "foo = 1\ndate =", 'scenario.toml: there is no "foo" here'),
        (
            "scenario.toml", "turns = 6", "turns = 6\nminuts = 10",
            'scenario.toml, game: there is no "minuts" here; did you mean "minutes"?',
        ),
        (
            "map.toml", "width = 48.0", "width = 48.0\nwitdh = 50.0",
            'map.toml, map: there is no "witdh" here; did you mean "width"?',
        ),
        (
            "map.toml", "pos = [23.0, 16.0]", "pos = [23.0, 16.0]\npsoition = 1",
            'map.toml, place Inn of the Golden Bremm: there is no "psoition" here',
        ),
        (
            "forces.toml", "pos = [21.0, 34.0]", "pos = [21.0, 94.0]",
            "forces.toml, unit PR-1: [21, 94] is beyond the map, which ends at [48, 40]",
        ),
        ("forces.toml", "pos = [36.0, 34.0]", "pos = [28.0, 36.0]", "forces.toml, unit PR-3: it stands on PR-2"),
        (
            "forces.toml", 'type = "infantry"', 'type = "mgg"',
            "forces.toml, unit PR-1: type is one of artillery, cavalry, infantry, mg, and not mgg",
        ),
        (
            "forces.toml", "light = true", "lihgt = true",
            'forces.toml, unit PR-1: there is no "lihgt" here; did you mean "light"?',
        ),
        (
            "scenario.toml", "sight_limit =", "sight_limitt =",
            "scenario.toml, options: an option is wrong: there is no sight_limitt; did you mean sight_limit?",
        ),
        ("study/french.txt", "# every", "dance FR-1\n# every", 'not understood: "dance" is no order'),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file_and_table(tmp_path: Path, file: str, old: str, new: str, fault: str) -> None:
    folder = copied(tmp_path, INN)
    spoilt(folder, file, old, new)

    found = said(folder)
    assert len(found) == 1, found
    assert fault in found[0]


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("scenario.toml", 'style = "second"', 'style = "first"', "french and german have one style, first"),
        ("forces.toml", "arrive = 2", "arrive = 7", "forces.toml: BA-1 comes after the last turn, 6"),
        ("map.toml", "[26.0, 14.0]]", "[26.0, -14.0]]", "area Inn of the Golden Bremm: [26, -14] is beyond the map"),
    ],
)
def test_what_may_be_meant_is_to_be_looked_at(tmp_path: Path, file: str, old: str, new: str, why: str) -> None:
    folder = copied(tmp_path, INN)
    spoilt(folder, file, old, new)

    assert said(folder) == []
    found = said(folder, look=True)
    assert len(found) == 1, found
    assert why in found[0]


def test_each_role_has_a_briefing_and_nobody_else(tmp_path: Path) -> None:
    folder = copied(tmp_path, INN)
    (folder / "briefing-german.md").rename(folder / "briefing-germany.md")

    assert said(folder) == ['briefing-germany.md: there is no role "germany"; did you mean briefing-german.md?']
    assert said(folder, look=True) == ["briefing-german.md: is missing: german is told nothing before all"]


@pytest.mark.parametrize("name", ["st-privat/ste-marie", "half-league/bulganak", "empire-1870/woerth", INN])
def test_every_game_looks_at_keys_styles_and_studies(tmp_path: Path, name: str) -> None:
    folder = copied(tmp_path, name)
    spoilt(folder, "scenario.toml", "\ndate =", "\ndaet = 1\ndate =")
    spoilt(folder, "scenario.toml", 'style = "second"', 'style = "first"')
    sheet = min((folder / "study").glob("*.txt"))
    sheet.write_text(f"dance\n{sheet.read_text('utf-8')}", "utf-8")

    unknown, line = said(folder)
    assert unknown == 'scenario.toml: there is no "daet" here; did you mean "date"?'
    assert line.startswith(f"study/{sheet.name}, line 1: not understood")
    assert "have one style" in said(folder, look=True)[0]


def test_all_faults_are_told_at_once_and_none_that_follows_from_another(tmp_path: Path) -> None:
    folder = copied(tmp_path, INN)
    spoilt(folder, "scenario.toml", "title =", "titel =")
    spoilt(folder, "map.toml", "[map]", "[map")
    assert [one.partition(":")[0] for one in said(folder)] == ["map.toml", "scenario.toml"]

    spoilt(folder, "map.toml", "[map", "[map]")
    spoilt(folder, "scenario.toml", "titel =", "title =")
    spoilt(folder, "scenario.toml", "sight_limit =", "sight_limitt =")
    spoilt(folder, "map.toml", 'kind = "hedge"', 'kind = "hege"')
    # PR-1 has an officer with it, who is without a fault.
    spoilt(folder, "forces.toml", "light = true", "lihgt = true")
    spoilt(folder, "forces.toml", 'type = "artillery"', 'type = "artilery"')
    where = [one.partition(":")[0] for one in said(folder)]
    assert where == [
        "forces.toml, unit PR-1", "forces.toml, unit PR-A1", "scenario.toml, options", "map.toml, line Garden Hedge",
    ]  # fmt: skip


def test_files_that_a_system_stumbles_over_are_a_fault(tmp_path: Path) -> None:
    folder = copied(tmp_path, "st-privat/ste-marie")
    spoilt(folder, "map.toml", "squares =", "sqares =")

    assert any("KeyError: 'squares'" in one for one in said(folder))


def test_a_game_with_such_files_is_opened_all_the_same(tmp_path: Path) -> None:
    folder = copied(tmp_path, INN)
    spoilt(folder, "scenario.toml", "date =", "foo = 1\ndate =")
    spoilt(folder, "forces.toml", "pos = [21.0, 34.0]", "pos = [21.0, 94.0]")

    assert said(folder)
    assert check_scenario(read_scenario(folder)).name == "crossroads"
