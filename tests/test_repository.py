"""The repository: what lies at its top, how long a file may be, and what no file may name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

TOP = {
    ".ci",
    ".gitignore",
    "CHANGES.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "MEASURED.md",
    "Makefile",
    "README.md",
    "campaigns",
    "deploy",
    "docs",
    "migrations",
    "pbem",
    "pyproject.toml",
    "requirements-club.lock",
    "requirements-dev.lock",
    "requirements-web.lock",
    "requirements.lock",
    "templates",
    "tests",
}

LONGEST = 500
LONGER = {"pbem/kernel/office.py": "every kind of event of the office, one below the other, and nothing else"}
"""Files of pbem past that length, and why each is one thing."""

OF_A_MACHINE = re.compile(
    rb"(?<![\w.~-])/(?:home|root|work|Users)/[\w.]"  # a folder of one machine
    rb"|\b[A-Z]:\\\\?(?:Users|Documents)"
    rb"|\bfiles\.pythonhosted\.|\bpypi\.org/simple"  # whence a machine installs
)


def listed() -> list[str]:
    """The files of the repository: those that git knows, and new ones that it does not ignore."""
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in sorted(filter(None, names.split("\0"))) if (ROOT / name).is_file()]


def test_nothing_else_lies_at_the_top() -> None:
    assert {name.partition("/")[0] for name in listed()} - TOP == set()


def test_a_long_file_is_two_things() -> None:
    long = {
        name
        for name in listed()
        if name.startswith("pbem/") and name.endswith(".py") and (ROOT / name).read_bytes().count(b"\n") > LONGEST
    }

    assert long == LONGER.keys()


def test_no_file_names_a_place_of_one_machine() -> None:
    naming = [name for name in listed() if OF_A_MACHINE.search((ROOT / name).read_bytes())]

    assert naming == [str(Path(__file__).relative_to(ROOT))]


@pytest.mark.parametrize(
    "line",
    [
        "run /home/ann/pbem",
        "see '/root/.venv/bin'",
        r"C:\Users\ann",
        "(/home/builder/main)",
        "https://pypi.org/simple",
    ],
)
def test_a_place_of_one_machine_is_found(line: str) -> None:
    assert OF_A_MACHINE.search(line.encode())


@pytest.mark.parametrize(
    "line", ["#!/usr/bin/env bash", "https://example.org/home/rules", "tests/work/x", "/var/mail/office"]
)
def test_a_place_that_every_machine_has_is_not(line: str) -> None:
    assert not OF_A_MACHINE.search(line.encode())


def test_every_module_says_what_it_is() -> None:
    silent = [
        name
        for name in listed()
        if name.startswith("pbem/") and name.endswith(".py") and not (ROOT / name).read_text("utf-8").startswith('"""')
    ]

    assert silent == []
