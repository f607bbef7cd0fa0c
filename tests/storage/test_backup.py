"""A backup is the whole office, and nothing is ever written over."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.kernel.errors import StorageError
from pbem.storage import backup, blobs
from pbem.storage.codec import Codec
from pbem.storage.database import open_office, reading, transaction
from pbem.storage.databases.connection import Engine
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, MIGRATIONS, NOW, moves

CODEC = Codec(FACTS)

pytestmark = pytest.mark.sqlite


@pytest.fixture
def told(office: Engine) -> Engine:
    """An office with a log and a letter, much of it still in the write-ahead log."""
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(200), expecting=0, at=NOW, actor="gm")
        blobs.keep(connection, b"move p1 to J-10", at=NOW)
    return office


def test_an_office_comes_back_from_its_backup(told: Engine, tmp_path: Path) -> None:
    backup.backup(told, tmp_path / "copy.db", MIGRATIONS)
    backup.restore(tmp_path / "copy.db", f"sqlite:///{tmp_path}/again.db", tmp_path, MIGRATIONS)

    again = open_office(f"sqlite:///{tmp_path}/again.db")
    with reading(told) as before, reading(again) as after:
        assert SqlLog(after, CODEC).head(AUTUMN) == SqlLog(before, CODEC).head(AUTUMN)
        assert SqlLog(after, CODEC).check_chain(AUTUMN) == 200
        assert blobs.fetch(after, blobs.digest_of(b"move p1 to J-10")) == b"move p1 to J-10"
    again.dispose()


def test_a_plain_copy_of_the_file_lacks_what_the_backup_has(told: Engine, tmp_path: Path) -> None:
    plain, whole = tmp_path / "plain.db", tmp_path / "whole.db"
    shutil.copy(told.path, plain)
    backup.backup(told, whole, MIGRATIONS)

    lengths = []
    for path in (plain, whole):
        engine = open_office(f"sqlite:///{path}")
        with reading(engine) as connection:
            lengths.append(SqlLog(connection, CODEC).head(AUTUMN).seq)
        engine.dispose()
    assert lengths == [0, 200]


def test_a_backup_is_one_file_that_only_its_owner_reads(told: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    backup.backup(told, folder / "copy.db", MIGRATIONS)

    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    assert (folder / "copy.db").stat().st_mode & 0o777 == 0o600


def test_a_backup_is_made_while_somebody_writes(told: Engine, url: str, tmp_path: Path) -> None:
    other = open_office(url)
    with transaction(other) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=200, at=NOW, actor="gm")
        backup.backup(told, tmp_path / "copy.db", MIGRATIONS)
    other.dispose()

    copy = open_office(f"sqlite:///{tmp_path}/copy.db")
    with reading(copy) as connection:
        assert SqlLog(connection, CODEC).check_chain(AUTUMN) == 200
    copy.dispose()


def test_nothing_is_written_over(told: Engine, url: str, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("dear diary")
    with pytest.raises(StorageError, match=r"copy\.db is there already, and nothing is written over"):
        backup.backup(told, tmp_path / "copy.db", MIGRATIONS)
    assert (tmp_path / "copy.db").read_text() == "dear diary"

    backup.backup(told, tmp_path / "good.db", MIGRATIONS)
    with pytest.raises(StorageError, match=r"office\.db is there already, and nothing is written over"):
        backup.restore(tmp_path / "good.db", url, tmp_path, MIGRATIONS)
    with reading(told) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 200


def test_a_backup_into_a_folder_that_is_none_leaves_nothing(told: Engine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(StorageError, match=r"copy\.db cannot be written: Not a directory"):
        backup.backup(told, tmp_path / "file" / "copy.db", MIGRATIONS)
    with pytest.raises(StorageError, match=r"copy\.db cannot be written: No such file or directory"):
        backup.backup(told, tmp_path / "absent" / "copy.db", MIGRATIONS)


def test_what_is_no_backup_is_not_restored(told: Engine, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/again.db"
    with pytest.raises(StorageError, match=r"there is no file .*absent\.db"):
        backup.restore(tmp_path / "absent.db", url, tmp_path, MIGRATIONS)
    (tmp_path / "diary.db").write_text("dear diary " * 100)
    with pytest.raises(StorageError, match=r"diary\.db is not an SQLite database"):
        backup.restore(tmp_path / "diary.db", url, tmp_path, MIGRATIONS)
    with closing(sqlite3.connect(tmp_path / "recipes.db")) as connection:
        connection.execute("CREATE TABLE recipe (id integer)")
    with pytest.raises(StorageError, match=r"recipes\.db is no backup of an office"):
        backup.restore(tmp_path / "recipes.db", url, tmp_path, MIGRATIONS)
    assert not (tmp_path / "again.db").exists()


def test_a_damaged_backup_is_not_restored(told: Engine, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    backup.backup(told, path, MIGRATIONS)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 4096)

    with pytest.raises(StorageError, match=r"copy\.db is damaged"):
        backup.restore(path, f"sqlite:///{tmp_path}/again.db", tmp_path, MIGRATIONS)
    assert not (tmp_path / "again.db").exists()


def test_a_backup_that_fails_half_way_leaves_nothing(told: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    (folder / "copy.db.part").mkdir(parents=True)

    with pytest.raises(StorageError, match=r"copy\.db cannot be written: Is a directory"):
        backup.backup(told, folder / "copy.db", MIGRATIONS)
    assert not (folder / "copy.db").exists()
