"""What takes long to make is made once in a run of the tests, whichever process of it asks first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder *name*, in which *make* has made something, and which all processes of this run of the tests share."""
    folder = _of_this_run(factory) / name
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "made"
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not made.exists():
            make(folder)
            made.touch()
    return folder


def _of_this_run(factory: pytest.TempPathFactory) -> Path:
    base = factory.getbasetemp()
    return base.parent / "shared" if os.environ.get("PYTEST_XDIST_WORKER") else base / "shared"
