"""Whoever changes a stored event, and not all that follows, is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.kernel.errors import BrokenLog
from pbem.storage.codec import Codec
from pbem.storage.database import open_office, transaction
from pbem.storage.databases.connection import Connection, Engine
from pbem.storage.databases.sqlite import TRIGGERS
from pbem.storage.log import HASHED, SqlLog, chained
from tests.kit.facts import AUTUMN, FACTS, NOW, moves

COLUMNS = (*HASHED, "hash")
EVENTS = 4


@pytest.fixture(scope="module")
def told(empty_office: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An office with a log, whose triggers someone took away."""
    path = copy(empty_office, tmp_path_factory.mktemp("told"))
    engine = open_office(f"sqlite:///{path}")
    with transaction(engine) as connection:
        SqlLog(connection, Codec(FACTS)).append(AUTUMN, moves(EVENTS), expecting=0, at=NOW, actor="gm")
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER {trigger}")
    yield engine
    engine.dispose()


@contextmanager
def undone(engine: Engine) -> Iterator[Connection]:
    """A transaction that leaves nothing behind."""
    with engine.taken() as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        finally:
            connection.execute("ROLLBACK")


def checked(connection: Connection) -> int:
    """The number of events in all logs that are there, each checked."""
    log = SqlLog(connection, Codec())
    return sum(log.check_chain(campaign) for campaign in log.campaigns())


@given(seq=st.integers(1, EVENTS), column=st.sampled_from(COLUMNS), at=st.integers(0, 99), flip=st.integers(1, 255))
def test_a_flipped_byte_in_any_column_is_found(told: Engine, seq: int, column: str, at: int, flip: int) -> None:
    with undone(told) as connection:
        query = f"SELECT {column}, CAST({column} AS BLOB) FROM event WHERE seq = :seq"
        value: object
        value, stored = connection.execute(query, {"seq": seq}).one()
        assume(bool(stored))  # the first event has no hash before it
        if isinstance(value, int):
            forged: int | bytes = value ^ (flip << 8 * (at % 7))
            change = "UPDATE OR IGNORE event SET {} = :forged WHERE seq = :seq"
        else:
            at %= len(stored)
            forged = bytes([*stored[:at], stored[at] ^ flip, *stored[at + 1 :]])
            change = "UPDATE OR IGNORE event SET {} = CAST(:forged AS TEXT) WHERE seq = :seq"
        changed = connection.execute(change.format(column), {"forged": forged, "seq": seq})
        assume(changed.rowcount)  # no two events can have one key

        with pytest.raises(BrokenLog):
            checked(connection)


FORGERIES: dict[str, tuple[str, str]] = {
    "an event cut out": ("DELETE FROM event WHERE seq = 2", "event 2 of autumn is missing"),
    "the first event cut off": ("DELETE FROM event WHERE seq = 1", "event 1 of autumn is missing"),
    "an event moved to the end": ("UPDATE event SET seq = 9 WHERE seq = 2", "event 2 of autumn is missing"),
    "an event hidden below the first": ("UPDATE event SET seq = 0 WHERE seq = 4", "event 1 of autumn is missing"),
    "another fact": (
        """UPDATE event SET data = replace(data, 'p1', 'p9') WHERE seq = 2""",
        "event 2 of autumn is not what was written",
    ),
    "another time": (
        "UPDATE event SET recorded_at = recorded_at - 1 WHERE seq = 3",
        "event 3 of autumn is not what was written",
    ),
    "a hash that does not follow": (
        "UPDATE event SET prev_hash = hash WHERE seq = 4",
        "event 4 of autumn does not follow event 3 as it stands",
    ),
    "a number as text": ("UPDATE event SET turn = 'one' WHERE seq = 1", "event 1 of autumn is not what was written"),
    "no text at all": (
        "UPDATE event SET data = CAST(X'FF' AS TEXT) WHERE seq = 2",
        "event 2 of autumn is not what was written",
    ),
    "two columns that are one when joined": (
        "UPDATE event SET kind = 'test.move', actor = 'dgm' WHERE seq = 2",
        "event 2 of autumn is not what was written",
    ),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_the_first_event_that_was_touched_is_named(told: Engine, forgery: str) -> None:
    statement, found = FORGERIES[forgery]
    with undone(told) as connection:
        connection.execute(statement)

        with pytest.raises(BrokenLog, match=found):
            checked(connection)


def test_a_log_that_nobody_touched_is_whole(told: Engine) -> None:
    with undone(told) as connection:
        assert checked(connection) == EVENTS


def test_a_forger_who_computes_an_event_anew_must_do_all_that_follow(told: Engine) -> None:
    with undone(told) as connection:
        connection.execute("UPDATE event SET turn = 7 WHERE seq = 2")
        row = connection.execute(f"SELECT {', '.join(HASHED)} FROM event WHERE seq = 2").one()
        new = chained([str(value).encode() for value in row])
        connection.execute("UPDATE event SET hash = :hash WHERE seq = 2", {"hash": new})

        with pytest.raises(BrokenLog, match="event 3 of autumn does not follow event 2 as it stands"):
            checked(connection)


def test_a_tail_cut_off_shows_in_the_head_alone(told: Engine) -> None:
    with undone(told) as connection:
        log = SqlLog(connection, Codec())
        head = log.head(AUTUMN)
        connection.execute("DELETE FROM event WHERE seq = 4")

        assert log.check_chain(AUTUMN) == 3
        assert log.hash_at(AUTUMN, head.seq) != head.hash


UNREADABLE: list[Callable[[SqlLog], object]] = [
    lambda log: list(log.read(AUTUMN)),
    lambda log: list(log.read(AUTUMN, after=1)),
]


@pytest.mark.parametrize("column", ["kind", "actor", "data"])
@pytest.mark.parametrize("reads", UNREADABLE)
def test_reading_what_is_no_text_is_no_traceback(told: Engine, column: str, reads: Callable[[SqlLog], object]) -> None:
    with undone(told) as connection:
        connection.execute(f"UPDATE event SET {column} = CAST(X'FF' AS TEXT) WHERE seq = 3")

        with pytest.raises(BrokenLog, match="an event of autumn is not text: pbem verify names it"):
            reads(SqlLog(connection, Codec(FACTS)))


def test_the_name_of_a_campaign_that_is_no_text_is_no_traceback(told: Engine) -> None:
    with undone(told) as connection:
        connection.execute("UPDATE event SET campaign = CAST(X'FF' AS TEXT) WHERE seq = 4")

        with pytest.raises(BrokenLog, match="the name of a campaign is not text"):
            SqlLog(connection, Codec()).campaigns()
