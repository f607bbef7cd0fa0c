"""Who is on duty is woken by a named pipe, and nobody takes one for awake who is not."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from pbem.mail.doors.waking import asleep, awake


def test_who_is_on_duty_is_woken_as_often_as_somebody_comes(tmp_path: Path) -> None:
    came = threading.Semaphore(0)
    with awake(tmp_path / "awake", came.release):
        for _ in range(3):
            with asleep(tmp_path / "awake") as office:
                assert office is not None
                office.wake()
            assert came.acquire(timeout=10)


def test_nobody_else_may_write_into_it(tmp_path: Path) -> None:
    with awake(tmp_path / "awake", lambda: None):
        assert stat.S_IMODE((tmp_path / "awake").stat().st_mode) == 0o600


@pytest.mark.parametrize("there", ["nothing", "a pipe that nobody reads", "a file", "a folder"])
def test_where_nobody_is_on_duty_nobody_is_woken(tmp_path: Path, there: str) -> None:
    pipe = tmp_path / "awake"
    make = {"a pipe that nobody reads": lambda: os.mkfifo(pipe), "a file": pipe.touch, "a folder": pipe.mkdir}
    make.get(there, lambda: None)()

    with asleep(pipe) as office:
        assert office is None


def test_who_has_gone_off_duty_is_not_taken_for_awake(tmp_path: Path) -> None:
    with awake(tmp_path / "awake", lambda: None):
        pass

    with asleep(tmp_path / "awake") as office:
        assert office is None


def test_a_pipe_that_is_full_is_no_matter(tmp_path: Path) -> None:
    pipe = tmp_path / "awake"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        with asleep(pipe) as office:
            assert office is not None
            for _ in range(70_000):
                office.wake()
    finally:
        os.close(reader)


def test_what_stands_in_its_place_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "awake").write_text("mine")
    with awake(tmp_path / "awake", lambda: None):
        assert (tmp_path / "awake").read_text() == "mine"
