"""The office's key, where the environment gives it and no file lies beside the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.house.doctor import examine
from pbem.desk.office.office import KEY_HEX, fingerprint, make_office, office_key, open_office
from pbem.desk.proof.cut_copy import cut_copy
from pbem.desk.proof.safekeeping import accept_key, back_up, key_fault
from pbem.kernel.errors import Refused
from pbem.storage import backup, marks
from tests.kit.table import SETTINGS, Table
from tests.kit.terminal import Terminal

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_HEX, KEY.hex().upper())


@pytest.mark.usefixtures("given")
def test_an_office_is_made_with_the_key_of_the_environment_and_without_a_file(tmp_path: Path) -> None:
    make_office(tmp_path, SETTINGS)

    assert not (tmp_path / "office.key").exists()
    with open_office(tmp_path) as office:
        assert office_key(office) == KEY
        with office.read() as connection:
            assert marks.get(connection, marks.KEY) == fingerprint(KEY)
    found = {one.what: one for one in examine(tmp_path)}
    assert (found["key"].state, found["key"].says) == ("ok", f"{KEY_HEX}, {fingerprint(KEY)}")


@pytest.mark.parametrize("written", [KEY.hex()[:-1], f"{KEY.hex()}00", f"x{KEY.hex()[1:]}", f" {KEY.hex()}"])
def test_what_is_no_key_is_refused_and_never_shown(written: str, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_HEX, written)

    with pytest.raises(Refused, match="64 digits") as refused:
        office_key(table.office)
    assert KEY.hex()[8:40] not in str(refused.value)
    said = Terminal().refused("init", str(table.office.folder / "new"), "--address", "a@b.example")
    assert KEY_HEX in said
    assert KEY.hex()[8:40] not in said


def test_a_key_of_the_environment_that_is_not_that_of_the_file_is_refused(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = office_key(table.office)
    monkeypatch.setenv(KEY_HEX, own.hex())
    assert office_key(table.office) == own
    monkeypatch.setenv(KEY_HEX, KEY.hex())

    with pytest.raises(Refused, match=f"{fingerprint(KEY)}.*{fingerprint(own)}.*take away"):
        office_key(table.office)


@pytest.mark.sqlite
def test_another_key_than_the_offices_own_is_told_by_its_place(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    (table.office.folder / "office.key").unlink()
    monkeypatch.setenv(KEY_HEX, OTHER.hex())

    assert key_fault(table.office.folder, table.office.settings).startswith(
        f"what {KEY_HEX} gives is not the key of this office (it is {fingerprint(OTHER)}"
    )
    assert accept_key(table.office) == fingerprint(OTHER)
    assert key_fault(table.office.folder, table.office.settings) == ""


@pytest.mark.sqlite
@pytest.mark.usefixtures("given")
def test_a_backup_with_its_key_has_that_of_the_environment_as_a_file(tmp_path: Path) -> None:
    make_office(tmp_path / "office", SETTINGS)
    terminal, at = Terminal(), ("--office", str(tmp_path / "office"))

    said = terminal.does(*at, "db", "backup", str(tmp_path / "bare.sqlite"))
    assert f"not in it: pbem.toml, {KEY_HEX}" in said
    said = terminal.does(*at, "db", "backup", str(tmp_path / "whole.tar"), "--with-key")
    assert f"{KEY_HEX} gives, lies in it as a file" in said
    with backup.opened(tmp_path / "whole.tar") as (_, files):
        assert files["office.key"] == f"{KEY.hex()}\n".encode()


@pytest.mark.sqlite
def test_a_copy_has_a_key_of_its_own_whatever_the_environment_gives(
    ford: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_HEX, office_key(ford.office).hex())
    back_up(ford.office, tmp_path / "whole.sqlite")
    cut_copy(tmp_path / "whole.sqlite", tmp_path / "copy", ford.clock.at)

    monkeypatch.delenv(KEY_HEX)
    with open_office(tmp_path / "copy") as copy:
        assert office_key(copy) != office_key(ford.office)
