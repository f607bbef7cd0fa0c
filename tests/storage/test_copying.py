"""An office is the same in another database: its rows, the order in which they came, its seals, and what is broken."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from pbem.kernel.errors import BrokenLog, StorageError
from pbem.storage import backup, blobs, marks, seals
from pbem.storage.codec import Codec
from pbem.storage.copies import copying, placing
from pbem.storage.database import open_office, reading, transaction
from pbem.storage.databases.connection import Connection, Engine
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, MIGRATIONS, NOW, SPRING, moves
from tests.kit.server import Server, drop

CODEC = Codec(FACTS)
BYTES = [f"{letter} writes".encode() * 9 for letter in "zebra"]

pytestmark = pytest.mark.sqlite  # each test has an office of both kinds


@pytest.fixture
def server(postgres: Server) -> Iterator[str]:
    """The url of a database on a server, in which nothing is."""
    made = postgres.database()
    yield made
    drop(made)


@pytest.fixture
def told(office: Engine) -> Engine:
    """An office in a file, with two logs and something in its tables."""
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1200), expecting=0, at=NOW, actor="gm")
        SqlLog(connection, CODEC).append(SPRING, moves(3), expecting=0, at=NOW, actor="gm")
        digests = [blobs.keep(connection, data, at=NOW) for data in BYTES]
        blobs.erase(connection, digests[2])
        connection.execute(
            "INSERT INTO player (id, name, address, zone, created_at) VALUES ('p', 'Zoë', 'zoe@x.example', 'UTC', 1)"
        )
        for number, digest in enumerate(digests):
            connection.execute(
                "INSERT INTO letter (digest, received_at, source, state, reason, tries, player)"
                f" VALUES ('{digest}', {NOW}, 'pipe', 'new', '', {number}, 'p')"
            )
        marks.put(connection, "naïve", "∞")
    return office


@contextmanager
def made(told: Engine, url: str, folder: Path) -> Iterator[Engine]:
    """The office as it was made at *url*."""
    with transaction(told, whole=True) as connection:
        placing.make(connection, url, folder, MIGRATIONS)
    engine = open_office(url, folder)
    try:
        yield engine
    finally:
        engine.dispose()


def rows(engine: Engine) -> dict[str, list[object]]:
    """All rows of an office, those that are asked for in the order in which they came in that order."""
    found: dict[str, list[object]] = {}
    with reading(engine) as connection:
        for table in sorted(connection.database.tables(connection)):
            names = ", ".join(column.name for column in connection.database.columns(connection, table))
            order = "ORDER BY rowid" if table in ("blob", "outbox") else ""
            those = connection.execute(f"SELECT {names} FROM {table} {order}").fetchall()
            found[table] = list(those) if order else sorted(those, key=repr)
    return found


def test_an_office_is_the_same_on_a_server_and_in_a_file_again(told: Engine, server: str, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    with made(told, server, tmp_path) as there:
        assert rows(there) == rows(told)
        with made(there, f"sqlite:///{tmp_path}/again/office.db", tmp_path) as again:
            assert rows(again) == rows(told)
            assert [path.name for path in (tmp_path / "again").iterdir() if "part" in path.name] == []
            for one in (there, again):
                with reading(one) as connection:
                    assert SqlLog(connection, CODEC).check_chain(AUTUMN) == 1200
                    assert connection.database.unguarded(connection) == []
                    assert seals.broken(connection) == []


def test_what_comes_next_is_numbered_and_guarded_there(told: Engine, server: str, tmp_path: Path) -> None:
    new = "INSERT INTO letter (digest, received_at, source, state, reason, tries) SELECT min(digest), 1, '', '', '', 0"
    owed = "INSERT INTO owed (campaign, cause, data, owed_at, tries, fault) VALUES ('a', 'b', :data, 1, 0, '')"
    with made(told, server, tmp_path) as there, transaction(there) as connection:
        connection.execute(f"{new} FROM letter")
        connection.execute(owed, {"data": b"x"})
        assert connection.execute("SELECT max(id) FROM letter").scalar() == len(BYTES) + 1
        assert connection.execute("SELECT id FROM owed").scalar() == 1
        last = blobs.keep(connection, b"another", at=NOW)
        assert connection.execute("SELECT sha256 FROM blob ORDER BY rowid DESC LIMIT 1").scalar() == last
        assert SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=1200, at=NOW, actor="gm") == 1201
        assert seals.broken(connection) == []
        with pytest.raises(psycopg.errors.IntegrityError, match="an event is never changed"):
            connection.driver.execute("UPDATE event SET turn = 9 WHERE seq = 2")


@contextmanager
def behind(office: Engine) -> Iterator[sqlite3.Connection]:
    """Write what no trigger sees."""
    office.dispose()
    with closing(sqlite3.connect(office.path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, ddl in triggers:
            connection.execute(ddl)
        connection.commit()


def test_what_is_broken_is_as_broken_there(told: Engine, server: str, tmp_path: Path) -> None:
    with transaction(told) as connection:
        marks.put(connection, "gone", "1")
    with behind(told) as connection:
        connection.execute("UPDATE mark SET value = '8' WHERE name = 'naïve'")
        connection.execute("DELETE FROM mark WHERE name = 'gone'")
        connection.execute("INSERT INTO mark VALUES ('new', '3')")
        connection.execute("UPDATE event SET turn = 9 WHERE seq = 2 AND campaign = 'spring'")
        connection.execute("UPDATE blob SET data = x'00' WHERE rowid = 1")
    with reading(told) as connection:
        broken, wrong = seals.broken(connection), blobs.wrong(connection)
    assert len(broken) == 3
    assert wrong[1]

    with made(told, server, tmp_path) as there, reading(there) as connection:
        assert seals.broken(connection) == broken
        assert blobs.wrong(connection) == wrong
        assert SqlLog(connection, CODEC).check_chain(AUTUMN) == 1200
        with pytest.raises(BrokenLog, match="event 2 of spring is not what was written"):
            SqlLog(connection, CODEC).check_chain(SPRING)


def test_a_sign_that_no_text_may_hold_there_is_replaced_and_no_seal_breaks(
    told: Engine, server: str, tmp_path: Path
) -> None:
    with transaction(told) as connection:
        marks.put(connection, "words\0", "one\0two\0")

    with transaction(told, whole=True) as connection:
        assert placing.make(connection, server, tmp_path, MIGRATIONS) == 2
    there = open_office(server, tmp_path)
    with reading(there) as connection:
        assert marks.get(connection, "words\N{REPLACEMENT CHARACTER}") == "one\N{REPLACEMENT CHARACTER}two" + "\ufffd"
        assert seals.broken(connection) == []
    there.dispose()


SPOILT: dict[str, tuple[str, str]] = {
    "a row less": ("DELETE FROM letter WHERE id = 2", "letter 2 is not in the copy"),
    "a row more": ("INSERT INTO mark VALUES ('more', '1')", "mark more is not in the copy"),
    "another row": ("UPDATE player SET zone = 'CET'", "player p is not in the copy"),
    "other bytes": ("UPDATE blob SET data = '\\x00' WHERE size = 9 * length('z writes')", "blob .* is not in the copy"),
    "a seal less": ("DELETE FROM seal WHERE place = 'mark'", "seal mark/.* is not in the copy"),
    "an event less": ("DELETE FROM event WHERE campaign = 'spring'", "event spring/.* is not in the copy"),
}


@pytest.mark.parametrize(("statement", "named"), SPOILT.values(), ids=SPOILT)
def test_the_first_difference_is_named(told: Engine, server: str, tmp_path: Path, statement: str, named: str) -> None:
    with made(told, server, tmp_path) as there, reading(told) as source:
        with psycopg.connect(server) as connection:
            connection.execute("SET session_replication_role = replica")
            connection.execute(statement)

        with reading(there) as target, pytest.raises(StorageError, match=named):
            copying.compare(source, target)


def unkept(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE letter SET tries = 'often' WHERE id = 2")


def astray(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE letter SET player = 'nobody' WHERE id = 2")


def no_text(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE letter SET reason = CAST(x'ff' AS TEXT) WHERE id = 2")


@pytest.mark.parametrize("spoil", [unkept, astray, no_text])
def test_a_row_that_cannot_be_kept_there_is_told_and_nothing_is_kept(
    told: Engine, server: str, tmp_path: Path, spoil: Callable[[sqlite3.Connection], None]
) -> None:
    with behind(told) as connection:
        spoil(connection)

    with (
        pytest.raises(StorageError, match="a row of letter cannot be copied as it stands: pbem verify names it"),
        transaction(told, whole=True) as source,
    ):
        placing.make(source, server, tmp_path, MIGRATIONS)
    there = open_office(server, tmp_path)
    with reading(there) as connection:
        assert placing.is_unused(connection)
    there.dispose()


def test_rows_are_read_and_written_a_few_at_a_time(
    told: Engine, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, int, int]] = []
    monkeypatch.setattr(copying, "_ROWS", 500)
    with transaction(told, whole=True) as connection:
        placing.make(connection, server, tmp_path, MIGRATIONS, tell=lambda *words: heard.append(words))

    assert [one for one in heard if one[0] == "event"] == [("event", done, 1203) for done in (0, 500, 1000, 1203)]
    assert ("event compared", 1203, 1203) in heard
    assert ("logs", 2, 2) in heard


def test_nothing_is_written_over_on_a_server(told: Engine, server: str, tmp_path: Path) -> None:
    with made(told, server, tmp_path) as there, transaction(told) as connection:
        with pytest.raises(StorageError, match="is there already, and nothing is written over"):
            placing.make(connection, server, tmp_path, MIGRATIONS)
        assert rows(there)["event"]


def test_a_table_of_somebody_elses_is_not_left_behind_unsaid(told: Engine, server: str, tmp_path: Path) -> None:
    with behind(told) as connection:
        connection.execute("CREATE TABLE recipe (id integer)")

    with (
        pytest.raises(StorageError, match="tables that no office has, and that cannot be copied: recipe"),
        transaction(told) as source,
    ):
        placing.make(source, server, tmp_path, MIGRATIONS)


def test_a_backup_of_a_server_is_a_file_that_comes_back_in_both(told: Engine, server: str, tmp_path: Path) -> None:
    with made(told, server, tmp_path) as there:
        backup.backup(there, tmp_path / "copy.db", MIGRATIONS)
        backup.restore(tmp_path / "copy.db", f"sqlite:///{tmp_path}/again.db", tmp_path, MIGRATIONS)
        again = open_office(f"sqlite:///{tmp_path}/again.db")
        assert rows(again) == rows(told)
        again.dispose()
    with psycopg.connect(server) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    backup.restore(tmp_path / "copy.db", server, tmp_path, MIGRATIONS)
    there = open_office(server, tmp_path)
    assert rows(there) == rows(told)
    there.dispose()


def test_a_backup_of_a_server_is_made_of_one_look_while_others_write(
    told: Engine, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made(told, server, tmp_path) as there:

        def written(source: Connection, target: Connection, tell: copying.Tell) -> None:
            copying_table(source, target, tell)
            with transaction(there) as connection:
                SqlLog(connection, CODEC).append(SPRING, moves(1), expecting=3, at=NOW, actor="gm")
                blobs.keep(connection, b"meanwhile", at=NOW)

        copying_table = copying.copy
        monkeypatch.setattr(copying, "copy", written)
        backup.backup(there, tmp_path / "copy.db", MIGRATIONS)

    copy = open_office(f"sqlite:///{tmp_path}/copy.db")
    assert rows(copy) == rows(told)
    copy.dispose()
