"""An office in PostgreSQL is guarded as one in a file is, and what goes wrong with its server is said in words."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pbem.kernel.errors import StaleLog, StorageError, TryAgain
from pbem.kernel.names import CampaignId
from pbem.storage import blobs, marks, migrate, seals
from pbem.storage.codec import Codec
from pbem.storage.database import open_office, reading, transaction
from pbem.storage.databases import postgres as database
from pbem.storage.databases.connection import Engine
from pbem.storage.log import HASHED, SqlLog
from tests.kit.facts import AUTUMN, FACTS, MIGRATIONS, NOW, SPRING, moves
from tests.kit.server import Server, drop

CODEC = Codec(FACTS)
COLUMNS = ", ".join((*HASHED, "hash"))


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    """The url of an office of its own."""
    made = postgres.database(postgres.empty)
    yield made
    drop(made)


@pytest.fixture
def told(url: str, tmp_path: Path) -> Iterator[Engine]:
    """An office with three events."""
    engine = open_office(url, tmp_path, patience=500)
    with transaction(engine) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")
    yield engine
    engine.dispose()


def forged(seq: str, prev_hash: str, *, campaign: str = "autumn", more: str = "") -> str:
    """A statement that brings a forged event in."""
    values = f"'{campaign}', {seq}, 'test.moved', 1, 1, 0, 'gm', 1, 1, '{{}}', {prev_hash}, 'forged'"
    return f"INSERT INTO event ({COLUMNS}) SELECT {values} FROM event WHERE seq = 3 {more}"


MERGE = "MERGE INTO event USING (SELECT 2 AS n) AS one ON seq = n WHEN MATCHED THEN UPDATE SET turn = 9"
STATEMENTS = {
    "upsert": forged("2", "prev_hash", more="ON CONFLICT (campaign, seq) DO UPDATE SET turn = 9"),
    "merge": MERGE,
    "update": "UPDATE event SET turn = 9 WHERE seq = 2",
    "delete": "DELETE FROM event WHERE seq = 3",
    "truncate": "TRUNCATE event",
    "the same number again": forged("3", "prev_hash"),
    "leave a gap": forged("5", "hash"),
    "follow another hash": forged("4", "prev_hash"),
    "begin at nought": forged("0", "''", campaign="spring"),
    "begin at two": forged("2", "''", campaign="spring"),
    "begin with a hash before it": forged("1", "hash", campaign="spring"),
    "no number": forged("NULL", "NULL", campaign="spring"),
}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_no_statement_changes_an_event_or_breaks_the_row(told: Engine, statement: str) -> None:
    with reading(told) as connection:
        before = connection.execute("SELECT * FROM event").fetchall()

    with pytest.raises(psycopg.errors.IntegrityError), transaction(told) as connection:
        connection.driver.execute(statement)

    with reading(told) as connection:
        assert connection.execute("SELECT * FROM event").fetchall() == before
        assert SqlLog(connection, CODEC).check_chain(AUTUMN) == 3


SPOILT = {
    "a trigger less": ("DROP TRIGGER event_is_not_deleted ON event", "event_is_not_deleted"),
    "a trigger that sleeps": ("ALTER TABLE event DISABLE TRIGGER event_follows", "event_follows"),
    "a trigger that does nothing": (
        "CREATE OR REPLACE FUNCTION event_is_not_changed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "event_is_not_changed",
    ),
    "a trigger at another time": (
        "DROP TRIGGER event_is_not_deleted ON event; CREATE TRIGGER event_is_not_deleted AFTER DELETE ON event"
        " FOR EACH ROW EXECUTE FUNCTION event_is_not_deleted()",
        "event_is_not_deleted",
    ),
    "a seal less": ("DROP TRIGGER letter_sealed_at_update ON letter", "letter_sealed_at_update"),
    "another digest": (
        "CREATE OR REPLACE FUNCTION pbem_part(kind text, data bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $2'",
        "pbem_part",
    ),
}


@pytest.mark.parametrize(("statement", "named"), SPOILT.values(), ids=SPOILT)
def test_an_office_whose_guards_are_not_what_they_should_be_is_not_opened_until_they_are_put_back(
    told: Engine, url: str, tmp_path: Path, statement: str, named: str
) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(statement)

    with pytest.raises(StorageError, match=f"missing or changed: {named}"):
        open_office(url, tmp_path)

    migrate.upgrade(url, MIGRATIONS)
    open_office(url, tmp_path).dispose()


def test_what_was_done_behind_the_offices_back_is_named_as_in_a_file(told: Engine, url: str) -> None:
    with transaction(told) as connection:
        marks.put(connection, "one", "1")
        marks.put(connection, "two", "2")
        marks.put(connection, "two", "zwei")
        blobs.keep(connection, b"move p1 to J-10", at=NOW)
        assert seals.broken(connection) == []
    with psycopg.connect(url) as behind:
        behind.execute("SET session_replication_role = replica")
        behind.execute("UPDATE mark SET value = 'II' WHERE name = 'two'")
        behind.execute("DELETE FROM mark WHERE name = 'one'")
        behind.execute("INSERT INTO mark VALUES ('three', '3')")

    with reading(told) as connection:
        assert seals.broken(connection) == [
            seals.Broken("mark", "one", seals.GONE),
            seals.Broken("mark", "three", seals.STRANGE),
            seals.Broken("mark", "two", seals.CHANGED),
        ]


def test_a_row_has_the_same_seal_in_both_databases(told: Engine, tmp_path: Path) -> None:
    migrate.upgrade(f"sqlite:///{tmp_path / 'office.db'}", MIGRATIONS)
    file = open_office(f"sqlite:///{tmp_path / 'office.db'}")
    found = []
    for engine in (told, file):
        with transaction(engine) as connection:
            blobs.keep(connection, "Schöne Grüße".encode() * 30, at=NOW)
            marks.put(connection, "naïve", "∞")
            connection.execute("INSERT INTO look (campaign, seq, at, made_by) VALUES ('autumn', 3, NULL, '')")
            connection.execute(
                "INSERT INTO player (id, name, address, zone, created_at) VALUES ('p', '', NULL, 'UTC', 1)"
            )
        with reading(engine) as connection:
            found.append(sorted(connection.execute("SELECT place, key, digest FROM seal").fetchall()))
    file.dispose()

    assert len(found[0]) >= 4
    assert found[0] == found[1]


def test_texts_come_back_as_they_were_but_for_the_one_sign_that_none_may_hold(told: Engine) -> None:
    with transaction(told) as connection:
        marks.put(connection, "words", "50 % of ?, :state and 'IS :x'\0")

    with reading(told) as connection:
        assert marks.get(connection, "words") == "50 % of ?, :state and 'IS :x'\N{REPLACEMENT CHARACTER}"


def test_who_writes_of_a_campaign_waits_for_who_does_and_sees_what_he_wrote(told: Engine) -> None:
    other = threading.Thread(target=_appended, args=(told, 3))
    with transaction(told) as connection:
        connection.alone(AUTUMN)
        connection.carry_out()
        other.start()
        other.join(0.2)
        assert other.is_alive()
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
    other.join(5)

    with reading(told) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 4


def _appended(engine: Engine, expecting: int) -> None:
    with pytest.raises(StaleLog), transaction(engine) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=expecting, at=NOW, actor="gm")


def test_who_waits_too_long_is_told_that_it_is_locked(told: Engine) -> None:
    with (
        transaction(told, whole=True),
        pytest.raises(TryAgain, match="is locked: another process has been writing for too long"),
        transaction(told, whole=True),
    ):
        raise AssertionError("two write at once")


def test_two_write_of_two_campaigns_at_the_same_time(told: Engine) -> None:
    with transaction(told) as one, transaction(told) as other:
        SqlLog(one, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
        SqlLog(other, CODEC).append(SPRING, moves(2), expecting=0, at=NOW, actor="gm")

    with reading(told) as connection:
        assert [SqlLog(connection, CODEC).check_chain(name) for name in (AUTUMN, SPRING)] == [4, 2]


def test_who_writes_of_the_whole_office_waits_for_everybody_and_they_for_him(told: Engine) -> None:
    done: list[str] = []

    def whole() -> None:
        with transaction(told, whole=True):
            done.append("whole")
            time.sleep(0.2)

    def beside() -> None:
        with transaction(told) as connection:
            connection.carry_out()
            done.append("beside")
            SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")

    first, then = threading.Thread(target=whole), threading.Thread(target=beside)
    with transaction(told) as connection:
        connection.alone(SPRING)
        connection.carry_out()
        first.start()
        time.sleep(0.1)
        then.start()
        time.sleep(0.1)
        assert done == []
    first.join(5)
    then.join(5)
    assert done == ["whole", "beside"]


def test_of_two_who_wait_for_each_other_one_is_told_to_try_again(url: str, tmp_path: Path) -> None:
    engine, told_so = open_office(url, tmp_path), list[str]()
    both = threading.Barrier(2)

    def write(first: CampaignId, then: CampaignId) -> None:
        try:
            with transaction(engine) as connection:
                connection.alone(first)
                connection.carry_out()
                both.wait(5)
                connection.alone(then)
        except TryAgain as again:
            told_so.append(str(again))

    threads = [threading.Thread(target=write, args=pair) for pair in ((AUTUMN, SPRING), (SPRING, AUTUMN))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    engine.dispose()
    assert len(told_so) == 1
    assert "was being changed by another at the same time.  Try again." in told_so[0]


def test_a_look_sees_one_state_and_cannot_write(told: Engine) -> None:
    with reading(told) as connection:
        log = SqlLog(connection, CODEC)
        assert log.head(AUTUMN).seq == 3
        with transaction(told) as other:
            SqlLog(other, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
        assert log.head(AUTUMN).seq == 3

    with pytest.raises(StorageError, match="can only be read"), reading(told) as connection:
        marks.put(connection, "one", "1")


def test_only_who_writes_is_ended_when_he_does_nothing(told: Engine) -> None:
    found = []
    for begun in (reading, transaction):
        with begun(told) as connection:
            found.append(connection.execute("SHOW idle_in_transaction_session_timeout").scalar())

    assert found == ["0", "2min"]


def test_a_connection_that_the_server_has_ended_is_not_given_out_again(told: Engine, postgres: Server) -> None:
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        # With a time the server waits until it is gone.
        ended = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'pbem'"
        assert connection.execute(ended).fetchall() == [(True,)]

    with reading(told) as found:
        assert SqlLog(found, CODEC).head(AUTUMN).seq == 3


def test_a_connection_that_ends_in_the_middle_takes_back_what_was_written_and_is_said_to_have_ended(
    told: Engine, postgres: Server
) -> None:
    def cut_off() -> None:
        with transaction(told) as connection, psycopg.connect(postgres.url(), autocommit=True) as other:
            SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
            other.execute("SELECT pg_terminate_backend(%s)", (connection.driver.info.backend_pid,))
            SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=4, at=NOW, actor="gm")

    with pytest.raises(StorageError, match="has ended the connection"):
        cut_off()

    with reading(told) as found:
        assert SqlLog(found, CODEC).head(AUTUMN).seq == 3


def test_a_role_that_could_lift_the_guards_is_named_and_one_that_cannot_is_not(
    told: Engine, url: str, tmp_path: Path
) -> None:
    with reading(told) as connection:
        assert "owns the tables" in database.remarks(connection)[0]
        tables = ", ".join(sorted(database.tables(connection) - {"event"}))
    with psycopg.connect(url) as owner:
        owner.execute("DROP ROLE IF EXISTS clerk")
        owner.execute("CREATE ROLE clerk LOGIN")
        owner.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO clerk")
        owner.execute("GRANT SELECT, INSERT, DELETE ON event TO clerk")
    engine = open_office(url.replace("pbem@", "clerk@"), tmp_path)
    with reading(engine) as connection:
        assert database.remarks(connection) == ["the role clerk may change the log: REVOKE DELETE ON event FROM clerk"]
    with psycopg.connect(url) as owner:
        owner.execute("REVOKE DELETE ON event FROM clerk")
    with reading(engine) as connection:
        assert database.remarks(connection) == []
    with transaction(engine) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
        marks.put(connection, "one", "1")
    with pytest.raises(StorageError, match=r"the role of .* may not do that"), transaction(engine) as connection:
        connection.execute("DELETE FROM event")
    engine.dispose()
    with psycopg.connect(url) as owner:
        owner.execute("DROP OWNED BY clerk")


def test_a_database_that_is_not_there_is_named_with_what_makes_it(postgres: Server, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"there is no database nowhere at .*: createdb -T template0"):
        open_office(postgres.url("nowhere"), tmp_path)


def test_a_database_in_another_order_of_texts_is_named(postgres: Server, tmp_path: Path) -> None:
    made = postgres.database(like="ENCODING UTF8 LOCALE 'C.UTF-8'")
    migrate.upgrade(made, MIGRATIONS)
    engine = open_office(made, tmp_path)

    with reading(engine) as connection:
        assert database.faults(connection) == ["its texts are in the order of C.UTF-8, and not of C"]
    engine.dispose()
    drop(made)
