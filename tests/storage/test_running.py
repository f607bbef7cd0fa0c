"""Two runs of one campaign never overlap, and a dead one holds nobody up."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pbem.kernel.errors import Refused
from pbem.storage import running
from pbem.storage.databases.connection import Connection
from tests.kit.facts import AUTUMN, NOW, SPRING


def dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_a_second_run_is_refused_until_the_first_is_done(connection: Connection) -> None:
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW)
    with pytest.raises(Refused, match=f"autumn is being run at this moment by process {os.getpid()}"):
        running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + 1)

    running.end(connection, AUTUMN, pid=os.getpid())
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + 2)


def test_two_campaigns_run_side_by_side(connection: Connection) -> None:
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW)
    running.begin(connection, SPRING, pid=os.getpid(), at=NOW)


def test_the_run_of_a_dead_process_binds_nobody(connection: Connection) -> None:
    pid = dead()
    running.begin(connection, AUTUMN, pid=pid, at=NOW)
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + 1)

    running.end(connection, AUTUMN, pid=pid)
    with pytest.raises(Refused, match="autumn is being run"):
        running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + 2)


def test_a_run_of_more_than_an_hour_binds_nobody(connection: Connection) -> None:
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW)

    with pytest.raises(Refused, match="autumn is being run"):
        running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + running.LONGEST - 1)
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + running.LONGEST)


def test_a_process_of_another_user_lives() -> None:
    assert running.lives(1)
    assert running.lives(os.getpid())
    assert not running.lives(dead())


def test_a_process_that_has_just_begun_is_not_bound_by_who_bore_its_number(connection: Connection) -> None:
    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW)
    running.begin(connection, SPRING, pid=1, at=NOW)
    running.forget(connection, pid=os.getpid())

    running.begin(connection, AUTUMN, pid=os.getpid(), at=NOW + 1)
    with pytest.raises(Refused, match="spring is being run"):
        running.begin(connection, SPRING, pid=os.getpid(), at=NOW + 1)
