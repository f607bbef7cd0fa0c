"""MEASURED.md is written by those who measure, and what it says can be measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import measured
from tests.bench.__main__ import ALL
from tests.measured import PAGE, keys, put
from tests.soak.__main__ import GROUPS
from tests.soak.__main__ import JOBS as LONG

TEXT = PAGE.read_text("utf-8")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page with two sections, one of them with a row."""
    path = tmp_path / "MEASURED.md"
    path.write_text(
        "# Before\n\n<!-- bench -->\n| job | ours |\n| --- | ---: |\n| old | 1 ms |\n<!-- /bench -->\n\nBetween.\n\n"
        "<!-- soak -->\n<!-- /soak -->\n\nAfter.\n"
    )
    return path


def test_what_is_measured_again_takes_the_place_of_what_was_and_nothing_else(page: Path) -> None:
    put("bench", ("job", "ours"), {"new": ("2 ms",), "old": ("3 ms",)}, right=(1,), page=page)
    put("soak", ("job", "came to"), {"games": ("a | b\nc",)}, page=page)
    put("bench", ("job", "ours"), {"new": ("4 ms",)}, right=(1,), page=page)

    assert page.read_text() == (
        "# Before\n\n<!-- bench -->\n| job | ours |\n| --- | ---: |\n| old | 3 ms |\n| new | 4 ms |\n<!-- /bench -->\n"
        "\nBetween.\n\n<!-- soak -->\n| job | came to |\n| --- | --- |\n| games | a ¦ b c |\n<!-- /soak -->\n\nAfter.\n"
    )
    assert keys("bench", page=page) == ["old", "new"]


def test_a_part_without_a_place_on_the_page_is_told(page: Path) -> None:
    with pytest.raises(ValueError, match="no place for walk"):
        put("walk", ("a",), {}, page=page)
    assert keys("walk", page=page) == []


def test_every_row_is_of_a_job_that_there_is() -> None:
    assert set(keys("bench")) <= {job.what for job in ALL}
    assert set(keys("soak")) <= set(LONG)


def test_every_command_on_the_page_names_jobs_that_there_are() -> None:
    told = re.findall(r'make bench ARGS="([^"]*)"', TEXT) + re.findall(r"make bench ARGS=(\S+)`", TEXT)
    jobs = {job.name for job in ALL}

    assert {name for one in told for name in re.findall(r"--only ([\w-]+)", one)} <= jobs
    long = re.findall(r'make soak ARGS="([a-z0-9 -]*?)(?: --|")', TEXT)
    assert {name for one in long for name in one.split()} <= {*LONG, *GROUPS}
    assert told
    assert long


def test_tests_that_the_page_names_are_there() -> None:
    named = re.findall(r"tests/[\w/]+\.py", TEXT)

    assert named
    assert [path for path in named if not (measured.PAGE.parent / path).exists()] == []
