from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.desk.house import demo
from pbem.desk.house.demo import Happened
from pbem.desk.office.office import open_office
from pbem.desk.post.delivery import listing
from pbem.kernel.errors import BadScenario, Refused
from tests.kit.table import Table


def play(folder: Path, letters: Path | None = None) -> list[Happened]:
    scenario, manifest, there = demo.find_demo("toy")
    return list(demo.play(folder, scenario, manifest, letters or there))


def pages(told: list[Happened]) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for one in told for path in one.reports}


def test_it_plays_from_the_letters_to_the_reports(table: Table, tmp_path: Path) -> None:
    told = play(tmp_path / "demo")

    assert [one.received.state for one in told if one.received] == ["applied", "ignored", "applied"]
    assert sorted(pages(told)) == ["1a-guard.html", "1a-smuggler.html", "1b-guard.html", "1b-smuggler.html"]
    assert told[-1].what.startswith("ford-demo is sound: hash chain")
    assert all(path.is_absolute() for one in told for path in one.reports)


def test_it_is_the_same_every_time(table: Table, tmp_path: Path) -> None:
    assert pages(play(tmp_path / "one")) == pages(play(tmp_path / "two"))


def test_another_order_makes_another_report(table: Table, tmp_path: Path) -> None:
    _, _, there = demo.find_demo("toy")
    shutil.copytree(there, tmp_path / "letters")
    letter = tmp_path / "letters" / "1a-smuggler.eml"
    letter.write_text(letter.read_text().replace("move s1 to 3", "move s2 to 4"))
    first, second = pages(play(tmp_path / "one")), pages(play(tmp_path / "two", tmp_path / "letters"))

    assert all(first[name] != second[name] for name in first)


def test_it_never_mails(table: Table, tmp_path: Path) -> None:
    play(tmp_path / "demo")

    with open_office(tmp_path / "demo") as office:
        assert {mail.state for mail in listing(office)} == {"dropped"}


def test_an_office_that_is_there_is_not_played_into(table: Table) -> None:
    with pytest.raises(Refused, match="there is an office"):
        play(table.office.folder)


def test_what_cannot_be_played_is_said(table: Table, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no demonstration of chess"):
        demo.find_demo("chess")
    (tmp_path / "demo.toml").write_text('campaign = "x"')
    with pytest.raises(BadScenario, match="began"):
        demo.read_manifest(tmp_path / "demo.toml")


def test_of_several_scenarios_one_is_chosen_by_its_name() -> None:
    _, first, _ = demo.find_demo("kriegsspiel")
    _, named, letters = demo.find_demo("kriegsspiel", "muehlrode")
    assert demo.find_demo(None, "kriegsspiel/muehlrode")[1] == named

    assert first.campaign == "kreuzweg-demo"
    assert named.campaign == "muehlrode-demo"
    assert letters.parent.name == "muehlrode"


def test_a_scenario_without_one_is_refused_and_those_that_have_one_are_named() -> None:
    with pytest.raises(Refused, match=r"no demonstration of kriegsspiel/weldau\.  There are: .*kriegsspiel/kreuzweg"):
        demo.find_demo("kriegsspiel", "weldau")
