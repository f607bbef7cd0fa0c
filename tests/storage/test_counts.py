"""Wake-ups, as they are counted where there are any."""

from __future__ import annotations

import pytest

from pbem.storage.database import reading, transaction
from pbem.storage.databases.connection import Connection, Engine
from pbem.storage.house import counts


def test_wake_ups_are_counted_by_queue_with_the_age_of_the_oldest(office: Engine) -> None:
    with transaction(office) as connection:
        connection.wake("turn", "ford")
        connection.wake("turn", "autumn")
        connection.wake("letters")
    with reading(office) as connection:
        found = counts.queues(connection)
    if not office.database.shared:
        assert found == []
        return

    assert [(queue.name, queue.todo, queue.doing, queue.failed) for queue in found] == [
        ("mail", 1, 0, 0),
        ("turns", 2, 0, 0),
    ]
    assert all(queue.oldest and 0 <= office.database.time_there(office) - queue.oldest < 60_000_000 for queue in found)


def test_nothing_is_counted_of_an_office_in_which_nothing_happened(connection: Connection) -> None:
    assert counts.steps(connection) == {}
    assert counts.oldest_letters(connection) == {}
    assert counts.answered(connection, since=0) == []
    assert counts.mails(connection, at=1) == counts.Mails(0, 0, 0, 0, 0, None)


@pytest.mark.sqlite
def test_games_and_receipts_are_found_by_indexes_and_no_table_is_read_through(connection: Connection) -> None:
    for statement, given in ((counts._STEPS, {}), (counts._ANSWERED, {"since": 1})):
        plan = [str(row[-1]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", given)]
        assert not any(line.startswith(("SCAN event", "SCAN outbox")) for line in plan), plan
