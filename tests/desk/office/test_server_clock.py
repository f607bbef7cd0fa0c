"""All who keep an office together go by the clock of its server, whatever those of their machines show."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pbem.desk.office import server_clock
from pbem.desk.office.server_clock import ServerClock
from pbem.kernel.errors import StorageError
from pbem.storage.database import open_office, server_time
from pbem.storage.databases.connection import Engine
from tests.kit.server import Server, drop

SECOND = 1_000_000


@pytest.fixture
def engine(postgres: Server, tmp_path: Path) -> Iterator[Engine]:
    made = postgres.database(postgres.empty)
    engine = open_office(made, tmp_path)
    yield engine
    engine.dispose()
    drop(made)


def test_the_wall_of_this_machine_may_show_what_it_likes(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    now = ServerClock(engine)

    before = server_time(engine)
    assert before <= now() <= server_time(engine) + SECOND // 100


def test_who_asked_once_goes_on_while_the_server_is_away(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    now = ServerClock(engine)
    before = now()
    engine.dispose()
    monkeypatch.setattr(engine, "_make", _nobody)
    monkeypatch.setattr(server_clock, "EVERY", -1.0)

    assert before <= now() < before + 5 * SECOND
    with pytest.raises(StorageError, match="cannot be reached"):
        ServerClock(engine)()


def _nobody() -> object:
    raise psycopg.OperationalError("connection refused")
