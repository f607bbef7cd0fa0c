from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pbem.desk.office.office import Shelf, make_office, office_key, open_office, upgrade_office
from pbem.desk.proof.safekeeping import back_up, bring_back
from pbem.kernel.errors import Refused, StorageError
from tests.kit.table import SETTINGS, Table


def test_an_office_is_made_once(tmp_path: Path) -> None:
    make_office(tmp_path / "office", SETTINGS)

    with pytest.raises(Refused, match="there is an office"):
        make_office(tmp_path / "office", SETTINGS)


def test_an_office_that_cannot_be_made_leaves_no_settings_behind(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="zone"):
        make_office(tmp_path / "office", 'address = "a@b.org"\nzone = "nowhere"')

    assert not (tmp_path / "office" / "pbem.toml").exists()


def test_a_folder_below_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="cannot be written"):
        make_office(tmp_path / "file" / "office", SETTINGS)


def test_what_is_kept_of_campaigns_is_let_go_of_those_not_asked_for_the_longest() -> None:
    shelf = Shelf(most=2)
    shelf.of("alma")["dossier"] = 1
    shelf.of("ford")["dossier"] = 2
    assert shelf.of("alma")["dossier"] == 1
    shelf.of("weldau")

    assert list(shelf) == ["alma", "weldau"]
    assert shelf.of("alma") == {"dossier": 1}
    assert shelf.of("ford") == {}


def test_its_key_is_its_owners_alone(table: Table) -> None:
    path = table.office.folder / "office.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(office_key(table.office)) == 32
    path.chmod(0o644)
    with pytest.raises(Refused, match="chmod 600"):
        office_key(table.office)


def test_a_damaged_key_is_refused(table: Table) -> None:
    path = table.office.folder / "office.key"
    for content in ("not hexadecimal", "abcd"):
        path.write_text(content)
        with pytest.raises(Refused, match="damaged"):
            office_key(table.office)


@pytest.mark.sqlite
def test_a_folder_without_a_database_is_refused(table: Table) -> None:
    folder = table.office.folder
    (folder / "office.sqlite").unlink()
    with pytest.raises(StorageError, match="pbem db restore FILE"), open_office(folder):
        pass


def test_what_is_up_to_date_stays_as_it_is(table: Table) -> None:
    before, after = upgrade_office(table.office.folder)

    assert before == after


@pytest.mark.sqlite
def test_an_office_comes_back_from_its_backup(table: Table, tmp_path: Path) -> None:
    table.open()
    back_up(table.office, tmp_path / "copy.sqlite")
    table.office.engine.dispose()
    for path in table.office.folder.glob("office.sqlite*"):
        path.unlink()
    bring_back(table.office.folder, tmp_path / "copy.sqlite")

    assert table.dossier.campaign.status == "running"
