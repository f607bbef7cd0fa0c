"""Ways in which SQLite, Alembic and SQLModel lose or change what was stored without a word."""

from __future__ import annotations

import ast
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlmodel import SQLModel

import pbem.storage
from pbem.kernel.errors import StorageError
from pbem.storage import tables
from pbem.storage.codec import Codec
from pbem.storage.database import open_office, reading, transaction
from pbem.storage.databases import sqlite
from pbem.storage.databases.connection import Engine
from pbem.storage.log import HASHED, SqlLog
from tests.kit.facts import AUTUMN, FACTS, NOW, moves

CODEC = Codec(FACTS)


@pytest.fixture
def told(office: Engine) -> Engine:
    """An office with three events."""
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")
    return office


NONE = "''"
COLUMNS = ", ".join((*HASHED, "hash"))


def forged(seq: str, prev_hash: str, *, campaign: str = "autumn", more: str = "") -> str:
    """What comes after INSERT INTO to bring a forged event in."""
    values = f"'{campaign}', {seq}, 'test.moved', 1, 1, 0, 'gm', 1, 1, '{{}}', {prev_hash}, 'forged'"
    return f"event ({COLUMNS}) SELECT {values} FROM event WHERE seq = 3 {more}"


STATEMENTS = {
    "replace": f"INSERT OR REPLACE INTO {forged('2', 'prev_hash')}",
    "replace the last": f"REPLACE INTO {forged('3', 'prev_hash')}",
    "upsert": f"INSERT INTO {forged('2', 'prev_hash', more='ON CONFLICT DO UPDATE SET turn = 9')}",
    "insert or ignore": f"INSERT OR IGNORE INTO {forged('2', 'prev_hash')}",
    "update": "UPDATE event SET turn = 9 WHERE seq = 2",
    "update or ignore": "UPDATE OR IGNORE event SET turn = 9 WHERE seq = 2",
    "update or replace": "UPDATE OR REPLACE event SET seq = 1 WHERE seq = 2",
    "delete": "DELETE FROM event WHERE seq = 3",
    "leave a gap": f"INSERT INTO {forged('5', 'hash')}",
    "follow another hash": f"INSERT INTO {forged('4', 'prev_hash')}",
    "begin at nought": f"INSERT INTO {forged('0', NONE, campaign='spring')}",
    "begin at two": f"INSERT INTO {forged('2', NONE, campaign='spring')}",
    "begin with a hash before it": f"INSERT INTO {forged('1', 'hash', campaign='spring')}",
    "no number": f"INSERT INTO {forged('NULL', 'NULL', campaign='spring')}",
}


@pytest.mark.sqlite
@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("recursive", ["off", "on"])
def test_no_statement_changes_an_event_or_breaks_the_row(told: Engine, statement: str, recursive: str) -> None:
    with reading(told) as connection:
        before = connection.execute("SELECT * FROM event").fetchall()

    with transaction(told) as connection:
        connection.execute(f"PRAGMA recursive_triggers = {recursive}")
        with pytest.raises(sqlite3.Error, match=r"an event (is never|must follow)|NOT NULL"):
            connection.execute(STATEMENTS[statement])

    with reading(told) as connection:
        assert connection.execute("SELECT * FROM event").fetchall() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("trigger", sqlite.TRIGGERS)
def test_an_office_whose_log_lost_a_trigger_is_not_opened(told: Engine, url: str, trigger: str) -> None:
    told.dispose()
    with closing(sqlite3.connect(told.path)) as connection:
        connection.execute(f"DROP TRIGGER {trigger}")

    with pytest.raises(StorageError, match=f"these triggers are missing or changed: {trigger}\\."):
        open_office(url)


@pytest.mark.sqlite
def test_a_trigger_that_does_nothing_is_no_trigger(told: Engine, url: str) -> None:
    told.dispose()
    with closing(sqlite3.connect(told.path)) as connection:
        connection.execute("DROP TRIGGER event_is_not_deleted")
        connection.execute("CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event BEGIN SELECT 1; END")

    with pytest.raises(StorageError, match="missing or changed: event_is_not_deleted"):
        open_office(url)


@pytest.mark.sqlite
def test_alembic_builds_a_table_anew_without_its_triggers_and_the_guard_puts_them_back(told: Engine) -> None:
    with sqlite.migrating(told) as (connection, alembics):
        operations = Operations(MigrationContext.configure(alembics))
        with operations.batch_alter_table("event", recreate="always") as event:
            event.add_column(sqlalchemy.Column("note", sqlalchemy.Integer))
        assert sqlite.unguarded(connection) == list(sqlite.TRIGGERS)
        sqlite.guard(connection)

    with reading(told) as connection:
        assert sqlite.unguarded(connection) == []
        assert SqlLog(connection, CODEC).check_chain(AUTUMN) == 3


def test_who_will_write_has_the_right_to_before_he_reads(office: Engine, url: str) -> None:
    other = open_office(url, patience=1)
    with transaction(office) as first:
        first.alone(AUTUMN)
        SqlLog(first, CODEC).head(AUTUMN)  # so far nothing but a look
        with pytest.raises(StorageError, match="locked"):
            alone_with_autumn(other)
    other.dispose()


def alone_with_autumn(office: Engine) -> None:
    with transaction(office) as connection:
        connection.alone(AUTUMN)
        connection.carry_out()
        raise AssertionError("two have the right to write")


@pytest.mark.sqlite
def test_the_write_ahead_log_is_emptied_when_no_reader_holds_it(office: Engine) -> None:
    wal = Path(f"{office.path}-wal")
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(2000), expecting=0, at=NOW, actor="gm")
    with reading(office) as connection:
        half_read = SqlLog(connection, CODEC).read(AUTUMN)
        assert next(half_read).seq == 1
        with transaction(office) as writing:
            SqlLog(writing, CODEC).append(AUTUMN, moves(2000), expecting=2000, at=NOW, actor="gm")
        held = wal.stat().st_size
        assert held > 0

    sqlite.checkpoint(office)

    assert wal.stat().st_size == 0


def test_a_reader_who_stops_half_way_holds_nobody_up(office: Engine, url: str) -> None:
    other = open_office(url, patience=1)
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(2000), expecting=0, at=NOW, actor="gm")
    with reading(office) as connection:
        for one in SqlLog(connection, CODEC).read(AUTUMN):
            if one.seq == 3:
                break
        with transaction(other) as writing:
            SqlLog(writing, CODEC).append(AUTUMN, moves(1), expecting=2000, at=NOW, actor="gm")
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 2000
    with reading(office) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 2001
    other.dispose()


def test_a_table_model_checks_nothing_so_none_is_ever_made() -> None:
    look = tables.Look(campaign="autumn", seq="no number", made_by="")  # type: ignore[arg-type] # what is tried
    assert str(look.seq) == "no number"

    for module in sorted(Path(pbem.storage.__file__).parent.glob("*.py")):
        imported = {
            name
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
        }
        assert not {"sqlmodel", "sqlalchemy"} & imported or module.name in ("tables.py", "migrate.py")
        assert not {"sqlalchemy.orm", "pbem.storage.tables", "tables"} & imported


def test_a_second_look_sees_what_another_wrote_meanwhile(told: Engine, url: str) -> None:
    other = open_office(url)
    with reading(told) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 3
    with transaction(other) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
    other.dispose()

    with reading(told) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 4


def test_no_column_holds_a_value_that_can_change_in_place_or_a_time_with_a_zone() -> None:
    kinds = {type(column.type) for table in SQLModel.metadata.tables.values() for column in table.columns}

    assert not any(issubclass(kind, sqlalchemy.JSON | sqlalchemy.DateTime) for kind in kinds)


@pytest.mark.sqlite
def test_a_time_comes_back_to_the_microsecond(office: Engine) -> None:
    at = 1_772_366_400_000_001
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=0, at=at, actor="gm")

    with reading(office) as connection:
        assert [one.at for one in SqlLog(connection, CODEC).read(AUTUMN)] == [at]
        assert connection.execute("SELECT typeof(recorded_at) FROM event").scalar() == "integer"


def test_a_column_added_later_stays_outside_the_hash(told: Engine) -> None:
    declared = [column.name for column in SQLModel.metadata.tables["event"].columns]
    assert [*HASHED, "hash"] == declared

    with transaction(told) as connection:
        connection.execute("ALTER TABLE event ADD COLUMN note VARCHAR DEFAULT 'later'")
        log = SqlLog(connection, CODEC)
        assert log.append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm") == 4
        assert log.check_chain(AUTUMN) == 4
        assert len(list(log.read(AUTUMN))) == 4


@pytest.mark.sqlite
def test_the_database_refuses_a_row_that_refers_to_nothing(office: Engine) -> None:
    insert = "INSERT INTO letter (digest, received_at, source, state, reason, tries)"
    insert += " VALUES ('none', 1, 'pipe', 'new', '', 0)"
    with transaction(office) as connection, pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        connection.execute(insert)


def test_reading_a_campaign_loads_no_model_library() -> None:
    program = (
        "import sys, pbem.storage.database, pbem.storage.log, pbem.storage.players, pbem.storage.outbox;"
        "print({'sqlmodel', 'pydantic', 'alembic', 'sqlalchemy'} & set(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert loaded == "set()\n"
