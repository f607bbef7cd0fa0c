"""The demonstrations, each played once in a run of the tests, whichever process of it asks first."""

from __future__ import annotations

import pickle
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.desk.house import demo
from pbem.desk.house.demo import Happened
from tests.kit.once import made_once

TOLD, DATABASE = "told.pickle", "office.sqlite"


def played(factory: pytest.TempPathFactory, system: str, scenario: str | None = None) -> tuple[list[Happened], Path]:
    """What was told of the demonstration of *system*, and the folder of its office, which others look at too.

    Whoever changes anything in it takes a copy.
    """
    found, manifest, letters = demo.find_demo(system, scenario)

    def play(folder: Path) -> None:
        happened = list(demo.play(folder / "office", found, manifest, letters))
        (folder / TOLD).write_bytes(pickle.dumps(happened))

    folder = made_once(factory, f"demo-{found.card.system}-{found.card.name}", play)
    return pickle.loads((folder / TOLD).read_bytes()), folder / "office"


def copy_of(folder: Path, to: Path) -> Path:
    """An office of one's own, like that in *folder*, into which others may look meanwhile.

    What they keep beside its database comes and goes.
    """
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns(f"{DATABASE}*"))
    with closing(sqlite3.connect(folder / DATABASE)) as source, closing(sqlite3.connect(to / DATABASE)) as copy:
        source.backup(copy)
    return to
