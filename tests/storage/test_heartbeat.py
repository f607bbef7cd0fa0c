"""What the office saw of the time."""

from __future__ import annotations

from pbem.storage import heartbeat
from pbem.storage.databases.connection import Connection
from pbem.storage.heartbeat import Watch
from tests.kit.facts import NOW

AWAY = 1000


def test_before_the_first_look_nothing_was_missed(connection: Connection) -> None:
    assert heartbeat.last(connection) is None
    assert heartbeat.look(connection, NOW, away_after=AWAY) == (Watch(NOW, NOW, NOW), 0)
    assert not Watch(NOW, NOW, NOW).missed(0, NOW * 2)


def test_a_long_time_without_a_look_is_kept_until_the_next_one(connection: Connection) -> None:
    heartbeat.look(connection, NOW, away_after=AWAY)
    heartbeat.look(connection, NOW + AWAY, away_after=AWAY)
    watch, _ = heartbeat.look(connection, NOW + 5 * AWAY, away_after=AWAY)
    assert (watch.away_since, watch.away_until) == (NOW + AWAY, NOW + 5 * AWAY)

    heartbeat.look(connection, NOW + 5 * AWAY + 1, away_after=AWAY)
    again = heartbeat.last(connection)
    assert again == Watch(NOW + 5 * AWAY + 1, NOW + AWAY, NOW + 5 * AWAY)
    assert [again.missed(*times) for times in ((0, NOW + AWAY), (0, NOW + AWAY + 1), (NOW + 5 * AWAY, NOW * 2))] == [
        False,
        True,
        False,
    ]


def test_a_clock_that_goes_back_is_noticed_and_nothing_was_missed(connection: Connection) -> None:
    heartbeat.look(connection, NOW, away_after=AWAY)
    watch, back = heartbeat.look(connection, NOW - 7 * AWAY, away_after=AWAY)

    assert (watch.seen_at, back) == (NOW - 7 * AWAY, 7 * AWAY)
    assert watch.away_since == watch.away_until
