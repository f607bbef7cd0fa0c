"""The clock passes over a campaign only when there is nothing for it to do there."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pbem.desk.books import early
from pbem.desk.house import clock
from pbem.desk.house.clock import Did
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol
from pbem.desk.turns.next_look import MADE_BY
from pbem.kernel.names import CampaignId, Role
from pbem.storage import heartbeat
from pbem.storage.database import Connection
from tests.desk.turns.test_halts import begin
from tests.kit.table import Table

STEPS = 10 * 60 * 1_000_000
"""Between two looks at the clock, in microseconds."""

TERMS = [
    {"nmr": "standing", "release": "auto"},
    {"nmr": "standing", "release": "auto", "grace": 3, "reminders": [24, 5], "early": True, "delay": 45},
    {"nmr": "hold", "release": "auto", "reminders": [48, 12, 1]},
    {"nmr": "extend", "release": "auto", "grace": 6},
    {"nmr": "gm", "release": "auto", "early": True},
]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[set[CampaignId]]:
    """The campaigns that were due at each look; all are attended to nevertheless."""
    due, every = heartbeat.due, list[set[CampaignId]]()

    def all_of(connection: Connection, *, at: int, by: str) -> list[CampaignId]:
        every.append(set(due(connection, at=at, by=by)))
        return due(connection, at=at, by="nobody")

    monkeypatch.setattr(heartbeat, "due", all_of)
    return every


def days(table: Table, count: float, luck: Random) -> Iterator[list[Did]]:
    """Look at the clock again and again, while somebody writes now and then."""
    for _ in range(int(count * 24 * HOUR / STEPS)):
        table.clock.at += STEPS + luck.randrange(STEPS // 10)
        if luck.random() < 0.02:
            role = luck.choice(("smuggler", "guard"))
            table.write(role, luck.choice(("move s1 to 3", "watch g1 4", "wait on", "wait off", "ready", "nothing")))
        yield list(clock.tick(table.office))


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: f"{terms['nmr']}-{terms['release']}")
def test_where_it_does_something_it_would_have_looked(
    table: Table, opened: list[set[CampaignId]], terms: dict[str, Any]
) -> None:
    table.open(**terms)
    did = watched(table, opened)

    assert did > 3


@pytest.mark.parametrize("first", [0, 1])
def test_so_it_would_at_the_hours_of_a_run_in_steps(table: Table, opened: list[set[CampaignId]], first: int) -> None:
    begin(table)
    did = watched(table, opened, Random(first))

    assert did > 3


def watched(table: Table, opened: list[set[CampaignId]], luck: Random | None = None) -> int:
    """How much the clock did in nine days, and never where it would not have looked."""
    missed, did, passed = list[str](), 0, 0
    for one in days(table, 9, luck or Random(12)):
        due = opened[-1]
        missed += [f"{table.clock.at}: {what}" for what in one if what.campaign and what.campaign not in due]
        did += len(one)
        passed += not due

    assert missed == []
    assert passed > len(opened) / 2
    return did


def test_a_campaign_is_looked_at_once_a_day_whatever_is_kept_of_it(ford: Table) -> None:
    list(clock.tick(ford.office))
    with ford.office.read() as connection:
        assert heartbeat.due(connection, at=ford.clock.at, by=MADE_BY) == []
        assert heartbeat.due(connection, at=ford.clock.at + heartbeat.LONGEST, by=MADE_BY) == ["ford"]
        assert heartbeat.due(connection, at=ford.clock.at - heartbeat.LONGEST, by=MADE_BY) == ["ford"]
        assert heartbeat.due(connection, at=ford.clock.at, by="an older office") == ["ford"]


def due(table: Table, at: int) -> list[CampaignId]:
    with table.office.read() as connection:
        return heartbeat.due(connection, at=at, by=MADE_BY)


def test_what_is_written_has_it_looked_at_again(ford: Table) -> None:
    list(clock.tick(ford.office))
    enrol.set_terms(ford.office, "ford", {"grace": 5})

    assert due(ford, ford.clock.at) == ["ford"]


def test_orders_that_wait_for_their_hour_have_it_looked_at_then(table: Table) -> None:
    table.open(early=True, reminders=[])
    list(clock.tick(table.office))
    table.write("smuggler", "move s1 to 3")
    exchange = table.dossier.exchange()
    settled = early.settled(table.dossier, exchange.moment, Role("smuggler"))

    assert table.clock.at < settled < exchange.deadline
    assert due(table, table.clock.at) == []
    assert due(table, settled) == ["ford"]


def test_a_letter_does_not_put_off_what_was_due_before_it(table: Table) -> None:
    table.open(reminders=[24])
    table.clock.at = table.dossier.exchange().deadline - 23 * HOUR
    table.write("guard", "watch g1 4")

    assert due(table, table.clock.at) == ["ford"]
    assert [did.what for did in clock.tick(table.office)] == ["1A: a letter to smuggler, for orders are missing"]
    table.write("guard", "watch g2 5")
    assert due(table, table.clock.at) == []


def test_a_letter_at_its_hour_has_it_looked_at_at_once(table: Table) -> None:
    table.open(release="auto")
    table.clock.at = table.dossier.exchange().deadline + 1
    table.write("smuggler", "move s1 to 3")

    assert due(table, table.clock.at) == ["ford"]


def test_a_campaign_that_is_over_is_not_looked_at(ford: Table) -> None:
    enrol.end(ford.office, "ford", "It is over.")
    list(clock.tick(ford.office))
    with ford.office.read() as connection:
        assert heartbeat.due(connection, at=ford.clock.at + 1000 * heartbeat.LONGEST, by=MADE_BY) == []
