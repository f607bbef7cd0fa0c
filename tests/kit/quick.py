"""What makes offices quick for tests that are about something else: nothing of it is in what they look at.

A new office is the same to the byte each time, so it is brought up to date once a process and copied from then on; and
no test cuts the power, so nothing waits for the disk.  The map beside a report is as small as a stamp: most of the time
of drawing it goes into its pixels.  What does long work for pages is forked from a process that has loaded what it
takes.  Tests of `tests/storage` do without all four, and so does every process that a test begins.
"""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.desk.pages import pages
from pbem.resources import resources
from pbem.storage import migrate
from pbem.storage.database import VERSION, open_office, version
from pbem.storage.databases import sqlite
from pbem.storage.databases.connection import Engine
from pbem.web import works

multiprocessing.set_forkserver_preload(["pbem.web.application", "pbem.desk.pages.pages"])

STAMP = 150
"""How wide, in pixels."""


def quick_offices(new: Path) -> Iterator[None]:
    """Let new offices be copies of that at *new*, which is made once, and let nothing wait for the disk."""
    upgrade, migrations = migrate.upgrade, resources("migrations")

    def copied(office: Engine | str, asked: Path, to: str = "head") -> str:
        if to != "head" or asked != migrations:
            return upgrade(office, asked, to)
        engine = open_office(office, create=True) if isinstance(office, str) else office
        try:
            if engine.database is not sqlite:
                # Made of one that is up to date, as those are of a copy.
                return VERSION if version(engine) == VERSION else upgrade(engine, asked, to)
            if not _is_new(engine):
                return upgrade(engine, asked, to)
            if not new.exists():
                upgrade(f"sqlite:///{new}", asked, to)
            with closing(sqlite3.connect(new)) as source, engine.taken() as connection:
                source.backup(connection.driver)
            return version(engine) or ""
        finally:
            if isinstance(office, str):
                engine.dispose()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrate, "upgrade", copied)
        patch.setattr(pages, "MAP_WIDTH", STAMP)
        patch.setattr(works, "BEGUN", "forkserver")
        patch.setattr(sqlite, "PRAGMAS", tuple(one.replace("FULL", "OFF") for one in sqlite.PRAGMAS))
        yield


def _is_new(engine: Engine) -> bool:
    with engine.taken() as connection:
        return bool(connection.execute("SELECT count(*) FROM sqlite_master").scalar() == 0)
