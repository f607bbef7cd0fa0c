"""Many processes on one office; processes that die."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pbem.storage.codec import Codec
from pbem.storage.database import reading, transaction
from pbem.storage.databases.connection import Engine
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, NOW, Moved, moves

PROCESSES, APPENDS = 4, 500


def appender(url: str, count: int, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.kit.appender", url, str(count), *more],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_four_processes_that_read_then_append_lose_nothing_and_meet_no_lock(office: Engine, url: str) -> None:
    running = [appender(url, APPENDS) for _ in range(PROCESSES)]
    ends = [(process.communicate()[1], process.returncode) for process in running]
    assert ends == [("", 0)] * PROCESSES

    with reading(office) as connection:
        log = SqlLog(connection, Codec(FACTS))
        assert log.check_chain(AUTUMN) == PROCESSES * APPENDS
        by_process: dict[str, list[str]] = {}
        for one in log.read(AUTUMN):
            assert isinstance(one.event, Moved)
            by_process.setdefault(one.actor, []).append(one.event.piece)

    assert list(by_process.values()) == [[f"p{number}" for number in range(APPENDS)]] * PROCESSES


@pytest.mark.parametrize("count", [1, 5000])
def test_a_process_killed_before_its_commit_leaves_nothing(office: Engine, url: str, count: int) -> None:
    with transaction(office) as connection:
        SqlLog(connection, Codec(FACTS)).append(AUTUMN, moves(3), expecting=0, at=NOW, actor="gm")
    for _ in range(3):
        with appender(url, count, "hang") as process:
            assert process.stdout
            assert process.stdout.readline() == "written\n"
            process.kill()

        with transaction(office) as connection:
            log = SqlLog(connection, Codec(FACTS))
            assert log.check_chain(AUTUMN) == log.head(AUTUMN).seq
            kept = Counter(connection.execute("SELECT actor FROM event").scalars())
            assert set(kept) == {"gm"}
            log.append(AUTUMN, moves(1), expecting=log.head(AUTUMN).seq, at=NOW, actor="gm")
