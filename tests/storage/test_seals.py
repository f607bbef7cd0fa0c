"""The database keeps a digest of every row that no log vouches for, whatever statement writes it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from pbem.storage import blobs, marks, migrate, seals
from pbem.storage.database import VERSION, open_office, reading, transaction
from pbem.storage.databases.connection import Engine
from pbem.storage.seals import Broken
from tests.kit.facts import MIGRATIONS, NOW
from tests.storage.test_migrations import NEXT, RELEASED

WIDER = f'''
"""A column more, and other values in one that was there."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "{NEXT}", "{VERSION}"


def upgrade() -> None:
    op.add_column("mark", sa.Column("note", sa.String(), nullable=True))
    op.execute("UPDATE mark SET value = value || '!'")


def downgrade() -> None:
    op.drop_column("mark", "note")
'''


def spoil(office: Engine, *statements: str) -> None:
    """Carry *statements* out with no trigger in the way."""
    office.dispose()
    with closing(sqlite3.connect(office.path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, ddl in triggers:
            connection.execute(ddl)
        connection.commit()


def broken(office: Engine) -> list[Broken]:
    with reading(office) as connection:
        return seals.broken(connection)


@pytest.fixture
def marked(office: Engine) -> Engine:
    """An office with a few rows."""
    with transaction(office) as connection:
        for name in ("one", "two", "three"):
            marks.put(connection, name, name)
        blobs.keep(connection, b"move p1", at=NOW)
    return office


def test_rows_that_come_change_and_go_are_sealed(marked: Engine) -> None:
    with transaction(marked) as connection:
        marks.put(connection, "one", "another")
        connection.execute("UPDATE mark SET name = name || '.' WHERE name <> 'one'")
        connection.execute("DELETE FROM mark WHERE name = 'two.'")
        blobs.erase(connection, blobs.digest_of(b"move p1"))

    assert broken(marked) == []


@pytest.mark.sqlite
def test_what_was_done_behind_the_offices_back_is_named(marked: Engine) -> None:
    digest = blobs.digest_of(b"move p1")
    spoil(
        marked,
        "UPDATE mark SET value = 'x' WHERE name = 'one'",
        "DELETE FROM mark WHERE name = 'two'",
        "INSERT INTO mark VALUES ('four', 'four')",
        "UPDATE blob SET data = NULL",
        "INSERT INTO seal VALUES ('nothing', 'five', x'00')",
    )

    assert broken(marked) == [
        Broken("blob", digest, seals.CHANGED),
        Broken("mark", "four", seals.STRANGE),
        Broken("mark", "one", seals.CHANGED),
        Broken("mark", "two", seals.GONE),
        Broken("nothing", "five", seals.GONE),
    ]


@pytest.mark.sqlite
def test_a_text_and_a_number_that_look_alike_are_two(marked: Engine) -> None:
    spoil(marked, "UPDATE mark SET value = CAST('one' AS BLOB) WHERE name = 'one'")

    assert broken(marked) == [Broken("mark", "one", seals.CHANGED)]


def test_a_tool_without_the_digest_writes_nothing(marked: Engine) -> None:
    marked.dispose()
    with closing(sqlite3.connect(marked.path)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("UPDATE mark SET value = 'x'")


@pytest.mark.sqlite
def test_a_row_that_cannot_be_written_leaves_no_seal(marked: Engine) -> None:
    with transaction(marked) as connection:
        with pytest.raises(sqlite3.Error):
            connection.execute("INSERT INTO mark VALUES ('one', 'again')")
        marks.put(connection, "four", "four")

    assert broken(marked) == []


@pytest.mark.sqlite
def test_a_migration_leaves_what_was_whole_whole_and_what_was_broken_broken(marked: Engine, tmp_path: Path) -> None:
    spoil(marked, "UPDATE mark SET value = 'x' WHERE name = 'one'", "INSERT INTO mark VALUES ('four', 'four')")
    folder = copytree(MIGRATIONS, tmp_path / "migrations")
    (folder / "versions" / f"{NEXT}_wider.py").write_text(WIDER)
    before = broken(marked)

    for move, to in ((migrate.upgrade, NEXT), (migrate.downgrade, VERSION)):
        move(marked, folder, to)
        assert broken(marked) == before
    with transaction(marked) as connection:
        marks.put(connection, "five", "five")
    assert broken(marked) == before


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_an_older_office_is_sealed_as_it_stands_when_it_is_upgraded(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "office.db")) as connection:
        if path.stem >= "0007":
            connection.create_function(seals.DIGEST, -1, seals.digest, deterministic=True)
        connection.executescript(path.read_text(encoding="utf-8"))
    url = f"sqlite:///{tmp_path / 'office.db'}"
    migrate.upgrade(url, MIGRATIONS)

    office = open_office(url)
    with reading(office) as connection:
        assert seals.broken(connection) == []
        assert connection.execute("SELECT count(*) FROM seal").scalar() > 3
    office.dispose()
