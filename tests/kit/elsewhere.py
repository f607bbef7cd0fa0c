"""Offices of tests in PostgreSQL, where the tests are run so: each folder has a database, and a copy of it has its own.

Which one it is lies in a file of the folder.  Processes that a test begins do not know of it: they keep to SQLite.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pbem.desk.office import office as offices
from pbem.desk.office.settings import Settings
from pbem.desk.proof import cut_copy, safekeeping
from tests.kit.server import Server, drop

MARK = "database.url"
DEFAULT = Settings(address="office@office.example").database


def in_postgres(server: Server) -> Iterator[None]:
    """Let every office that does not say where it is kept be kept by *server*."""
    plain = offices.database_url

    def url(folder: Path, settings: Settings) -> str:
        return url_of(server, folder) if settings.database == DEFAULT else plain(folder, settings)

    with pytest.MonkeyPatch.context() as patch:
        for module in (offices, cut_copy, safekeeping):
            patch.setattr(module, "database_url", url)
        yield


def url_of(server: Server, folder: Path) -> str:
    """The database of the office in *folder*, made if need be: of an empty one, or of that which it is a copy of."""
    mark, here = folder / MARK, str(folder.absolute())
    there, url = mark.read_text("utf-8").split("\n") if mark.exists() else ("", server.empty)
    if there == here:
        return url
    made = server.database(url)
    mark.write_text(f"{here}\n{made}", "utf-8")
    return made


def lost(folder: Path) -> None:
    """Let the database of the office in *folder* be gone, wherever it is kept."""
    for path in folder.glob("office.sqlite*"):
        path.unlink()
    for mark in folder.glob(MARK):
        with psycopg.connect(mark.read_text("utf-8").split("\n")[1]) as connection:
            connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def dropped(folder: Path) -> None:
    """Let all databases of offices in *folder* be gone."""
    for mark in folder.rglob(MARK):
        drop(mark.read_text("utf-8").split("\n")[1])
