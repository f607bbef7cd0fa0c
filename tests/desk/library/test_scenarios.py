from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.desk.library.scenarios import check_scenario, find_scenario, listing, read_scenario
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import Role
from tests.kit.table import Table
from tests.systems.play import TOY_CAMPAIGNS


@pytest.fixture
def own(table: Table) -> Path:
    """A scenario of the office's own, with the name of one that ships."""
    folder = table.office.folder / "campaigns" / "toy" / "ford"
    shutil.copytree(TOY_CAMPAIGNS / "toy" / "ford", folder)
    return folder


def test_every_scenario_is_listed(table: Table) -> None:
    names = [one.name for one in listing(table.office.folder)]

    assert names == sorted(names)
    assert {"toy/ford", "st-privat/graveyard"} <= set(names)


def test_the_offices_own_stands_before_what_ships(table: Table, own: Path) -> None:
    assert find_scenario(table.office.folder, "toy/ford").folder == own
    assert find_scenario(None, "toy/ford").folder != own


def test_a_scenario_is_found_by_its_name_alone(table: Table) -> None:
    assert find_scenario(None, "ford").name == "toy/ford"


def test_the_name_that_was_perhaps_meant_is_said(table: Table) -> None:
    with pytest.raises(Refused, match="Did you mean toy/ford"):
        find_scenario(None, "toy/fort")


def test_the_same_files_have_the_same_digest_wherever_they_lie(table: Table, own: Path) -> None:
    assert read_scenario(own).digest == find_scenario(None, "ford").digest
    (own / "map.toml").write_text("places = 7\n")
    assert read_scenario(own).digest != find_scenario(None, "ford").digest


def checked(folder: Path) -> None:
    check_scenario(read_scenario(folder))


@pytest.mark.parametrize("name", ["briefing-guard.md", "map.toml", "../rulebook.md"])
def test_a_scenario_of_another_does_not_mail_my_files_to_the_players(table: Table, own: Path, name: str) -> None:
    (own / name).unlink(missing_ok=True)
    (own / name).symlink_to(table.office.folder / "office.key")
    with pytest.raises(BadScenario, match="a link to a file outside its folder"):
        checked(own)


def test_a_link_within_a_scenario_is_read(table: Table, own: Path) -> None:
    (own / "briefing-guard.md").write_text("Look out.")
    (own / "briefing-smuggler.md").unlink(missing_ok=True)
    (own / "briefing-smuggler.md").symlink_to("briefing-guard.md")

    check_scenario(read_scenario(own))
    assert read_scenario(own).briefing(Role("smuggler")) == "Look out."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "', 'title = "=?utf-8?q?a=0D=0ABcc:_b?= '),
        ('title = "', 'title = "a\\r\\nBcc: b '),
        ('name = "ford"', 'name = "../ford"'),
    ],
)
def test_what_a_scenario_names_writes_no_line_into_a_header(table: Table, own: Path, old: str, new: str) -> None:
    text = (own / "scenario.toml").read_text()
    assert old in text
    (own / "scenario.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(BadScenario, match=r"cannot be called|cannot name"):
        read_scenario(own)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("map.toml", "places =", "is no TOML"),
        ("scenario.toml", 'system = "toy"', "missing required field"),
        ("map.toml", 'places = "many"', "the ford"),
    ],
)
def test_a_bad_file_is_named(table: Table, own: Path, name: str, text: str, said: str) -> None:
    (own / name).write_text(text)
    with pytest.raises(BadScenario, match=said):
        check_scenario(read_scenario(own))


def test_roles_that_the_system_does_not_have_are_refused(table: Table, own: Path) -> None:
    path = own / "scenario.toml"
    path.write_text(path.read_text().replace('role = "guard"', 'role = "watchman"'))
    with pytest.raises(BadScenario, match="the roles of toy are"):
        check_scenario(read_scenario(own))


def test_what_the_system_refuses_is_said_with_its_file(table: Table) -> None:
    shipped = find_scenario(None, "st-privat/ste-marie").folder
    folder = table.office.folder / "campaigns" / "st-privat" / "ste-marie"
    shutil.copytree(shipped, folder)
    path = folder / "scenario.toml"
    path.write_text(path.read_text("utf-8").replace("last_turn", "last_turm"), "utf-8")

    with pytest.raises(BadScenario, match=r"ste-marie/scenario\.toml, game: .*last_turm"):
        check_scenario(read_scenario(folder))


def test_a_copy_must_bear_the_name_of_its_folder(table: Table, own: Path) -> None:
    copy = own.with_name("second-ford")
    shutil.copytree(own, copy)

    with pytest.raises(BadScenario, match="the two must be the same"):
        check_scenario(read_scenario(copy))
