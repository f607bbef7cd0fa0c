"""The demonstrations, each played once in a run of the tests, whichever process of it asks first."""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pbem.desk.house import demo
from pbem.desk.house.demo import Happened

TOLD, DATABASE = "told.pickle", "office.sqlite"


def played(factory: pytest.TempPathFactory, system: str, scenario: str | None = None) -> tuple[list[Happened], Path]:
    """What was told of the demonstration of *system*, and the folder of its office, which others look at too.

    Whoever changes anything in it takes a copy.
    """
    found, manifest, letters = demo.find_demo(system, scenario)
    folder = _of_this_run(factory) / f"demo-{found.card.system}-{found.card.name}"
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        told = folder / TOLD
        if not told.exists():
            happened = list(demo.play(folder / "office", found, manifest, letters))
            told.write_bytes(pickle.dumps(happened))
    return pickle.loads(told.read_bytes()), folder / "office"


def copy_of(folder: Path, to: Path) -> Path:
    """An office of one's own, like that in *folder*, into which others may look meanwhile.

    What they keep beside its database comes and goes.
    """
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns(f"{DATABASE}*"))
    with closing(sqlite3.connect(folder / DATABASE)) as source, closing(sqlite3.connect(to / DATABASE)) as copy:
        source.backup(copy)
    return to


def _of_this_run(factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a run of the tests share."""
    base = factory.getbasetemp()
    return base.parent / "shared" if os.environ.get("PYTEST_XDIST_WORKER") else base / "shared"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While it lasts no other process is in it."""
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
