"""An office opens, or says in a sentence why not."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.kernel.errors import StorageError
from pbem.storage import migrate
from pbem.storage.codec import Codec
from pbem.storage.database import VERSION, open_office, reading, transaction, version
from pbem.storage.databases import sqlite
from pbem.storage.databases.connection import Engine
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, MIGRATIONS, NOW, moves

CODEC = Codec(FACTS)


def file_of(engine: Engine) -> Path:
    return engine.path


def execute(path: Path, *statements: str) -> None:
    """Do something to a database behind the office's back."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_an_office_is_made_and_opened(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    made = open_office(url, create=True)
    assert version(made) is None
    assert migrate.upgrade(made, MIGRATIONS) == VERSION == version(made)
    made.dispose()

    opened = open_office(url)
    assert version(opened) == VERSION
    opened.dispose()


@pytest.mark.sqlite
def test_every_connection_is_set_to_lose_nothing(office: Engine) -> None:
    with transaction(office) as connection:
        settings = {
            name: connection.execute(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        }

    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "secure_delete": 1,
    }


def test_where_there_is_no_office_none_is_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"there is no database at .*/office\.db: pbem db restore FILE"):
        open_office(f"sqlite:///{tmp_path}/office.db")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("office.db", '"office.db" names no database: write sqlite:///path'),
        ("mysql://localhost/office", "an office is kept in SQLite or PostgreSQL: write sqlite:///path, or postgresql"),
        ("postgresql://[", "the database of the office is not named as it should be"),
        ("postgresql://pbem@/office?host=/nowhere", "cannot be reached: .*See whether its server runs"),
        ("sqlite://", '"sqlite://" names no file'),
        ("sqlite:///:memory:", "names no file"),
    ],
)
def test_a_url_that_names_no_office_is_refused(url: str, why: str) -> None:
    with pytest.raises(StorageError, match=why):
        open_office(url)


@pytest.mark.parametrize("create", [False, True])
def test_a_path_under_a_file_is_refused(tmp_path: Path, create: bool) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(StorageError, match=r"office\.db cannot be: .*/file is a file, not a folder"):
        open_office(f"sqlite:///{tmp_path}/file/sub/office.db", create=create)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"there is no folder .*/absent"):
        open_office(f"sqlite:///{tmp_path}/absent/office.db", create=True)


def test_a_folder_is_no_office(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is a folder, not the database of an office"):
        open_office(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize("create", [False, True])
def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path, create: bool) -> None:
    path = tmp_path / "office.db"
    path.write_bytes(b"Dear Sir, " * 200)

    with pytest.raises(StorageError, match=r"office\.db is not an SQLite database"):
        open_office(f"sqlite:///{path}", create=create)

    assert path.read_bytes() == b"Dear Sir, " * 200


@pytest.mark.parametrize("create", [False, True])
def test_the_database_of_something_else_is_refused(tmp_path: Path, create: bool) -> None:
    execute(tmp_path / "other.db", "CREATE TABLE recipe (id integer)")

    with pytest.raises(StorageError, match=r"other\.db is a database, but not of an office"):
        open_office(f"sqlite:///{tmp_path}/other.db", create=create)


def test_an_empty_file_is_an_office_to_be_made(tmp_path: Path) -> None:
    (tmp_path / "office.db").touch()
    url = f"sqlite:///{tmp_path}/office.db"

    with pytest.raises(StorageError, match=rf"is of version none, not {VERSION}: run pbem db upgrade"):
        open_office(url)
    assert migrate.upgrade(url, MIGRATIONS) == VERSION


def test_an_older_office_is_sent_to_its_upgrade(office: Engine, url: str) -> None:
    migrate.downgrade(office, MIGRATIONS, "0001")

    with pytest.raises(StorageError, match=rf"is of version 0001, not {VERSION}: run pbem db upgrade"):
        open_office(url)
    open_office(url, create=True).dispose()


@pytest.mark.sqlite
@pytest.mark.parametrize("create", [False, True])
def test_an_office_of_a_newer_pbem_is_refused(office: Engine, url: str, create: bool) -> None:
    execute(file_of(office), "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(StorageError, match=rf"a newer pbem \(its version is 9999, this one knows {VERSION}\)"):
        open_office(url, create=create)


@pytest.mark.sqlite
def test_an_office_that_another_process_holds_is_locked(office: Engine, url: str) -> None:
    other = open_office(url, patience=1)

    with (
        transaction(office),
        pytest.raises(StorageError, match=r"office\.db is locked: another process has been writing"),
        transaction(other),
    ):
        pass
    other.dispose()


def test_who_reads_is_not_held_up_by_who_writes(office: Engine, url: str) -> None:
    other = open_office(url, patience=1)
    with transaction(office) as writing:
        SqlLog(writing, CODEC).append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")
        with reading(other) as connection:
            assert SqlLog(connection, CODEC).head(AUTUMN).seq == 0
    with reading(other) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 3
    other.dispose()


@pytest.mark.sqlite
def test_who_reads_cannot_write_and_who_writes_after_him_can(office: Engine) -> None:
    with pytest.raises(StorageError, match="cannot be written"), reading(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=0, at=NOW, actor="gm")

    with transaction(office) as connection:
        assert SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=0, at=NOW, actor="gm") == 1


@pytest.mark.sqlite
def test_a_full_disk_costs_nothing_of_what_was_there(office: Engine) -> None:
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(10), expecting=0, at=NOW, actor="gm")
        pages = connection.execute("PRAGMA page_count").scalar()
        connection.execute(f"PRAGMA max_page_count = {pages}")

    with (
        pytest.raises(StorageError, match=r"the disk under .*office\.db is full: nothing was written"),
        transaction(office) as connection,
    ):
        SqlLog(connection, CODEC).append(AUTUMN, moves(1000), expecting=10, at=NOW, actor="gm")

    with transaction(office) as connection:
        assert SqlLog(connection, CODEC).check_chain(AUTUMN) == 10
        connection.execute("PRAGMA max_page_count = 100000")
        assert SqlLog(connection, CODEC).append(AUTUMN, moves(1000), expecting=10, at=NOW, actor="gm") == 1010


@pytest.mark.sqlite
def test_a_database_that_may_only_be_read_is_said_to_be_so(office: Engine) -> None:
    with (
        closing(sqlite3.connect(f"file:{file_of(office)}?mode=ro", uri=True)) as connection,
        pytest.raises(sqlite3.OperationalError) as refused,
    ):
        connection.execute("DELETE FROM node")

    explained = sqlite.in_words(refused.value, Path("office.db"))
    assert str(explained) == "office.db cannot be written: give its file and folder to the user who runs pbem."


@pytest.mark.sqlite
def test_a_damaged_file_is_said_to_be_so(office: Engine, url: str) -> None:
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(2000), expecting=0, at=NOW, actor="gm")
    sqlite.checkpoint(office)
    office.dispose()
    size = file_of(office).stat().st_size
    with file_of(office).open("r+b") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 4))

    again = open_office(url)
    with (
        pytest.raises(StorageError, match=r"is damaged: pbem db restore brings a backup back"),
        reading(again) as connection,
    ):
        connection.execute("SELECT sum(length(data)) FROM event").fetchall()
    again.dispose()


@pytest.mark.sqlite
def test_a_mistake_of_ours_is_no_matter_of_the_disk(office: Engine) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"), reading(office) as connection:
        connection.execute("SELECT * FROM nowhere")
