"""An office in PostgreSQL as a club has it: its settings name its database, and the clock of its server can be set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

from pbem.desk.office.office import make_office
from tests.kit.server import Server, drop
from tests.kit.table import SETTINGS

_CLOCK = """\
CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT pg_catalog.clock_timestamp() + interval '{ahead} microseconds' $$"""


class Club:
    """An office in *folder*, of which the database is at *url*."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url

    def set_clock(self, at: int) -> None:
        """Let the server's clock show *at*, in microseconds UTC, to whoever asks it from now on."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute("SELECT extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000").fetchone()
            assert found is not None
            connection.execute(_CLOCK.format(ahead=at - int(found[0])))

    def forget_jobs(self) -> None:
        """Let there be no wake-ups."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DELETE FROM procrastinate_jobs")

    def jobs(self) -> dict[str, int]:
        """How many wake-ups there are of each task."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            return dict(
                connection.execute("SELECT task_name, count(*) FROM procrastinate_jobs GROUP BY task_name").fetchall()
            )


@contextmanager
def club(server: Server, folder: Path, *, at: int | None = None, more: str = "") -> Iterator[Club]:
    """A new office of a club in *folder*; *at*: what its clock shows; *more* settings."""
    made = server.database(server.empty)
    # What stands before the server's own functions is found first.
    url = f"{made}&options={quote('-c search_path=public,pg_catalog')}"
    there = Club(folder, url)
    if at is not None:
        there.set_clock(at)
    make_office(folder, f'{SETTINGS}database = "{url}"\n{more}')
    try:
        yield there
    finally:
        drop(made)
