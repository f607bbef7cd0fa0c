"""What the office is measured against: the least that any program would have to do for the same end.

Each is plain code on the libraries that the office itself stands on, with the same durability, and without any of
its guards: no chain, no triggers, no check of what is written.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from jinja2 import Template

from pbem.kernel.event import Event, kind_of

COLUMNS = 12
"""As many as an event of the office has."""

_TABLE = """\
CREATE TABLE event (
  campaign TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, turn INTEGER NOT NULL, exchange INTEGER NOT NULL,
  halt INTEGER NOT NULL, actor TEXT NOT NULL, recorded_at INTEGER NOT NULL, schema INTEGER NOT NULL,
  data TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (campaign, seq))"""
_INSERT = f"INSERT INTO event VALUES ({', '.join('?' * COLUMNS)})"
_SOME_HASH = "0" * 64

Row = tuple[str | int, ...]


def rows_of(events: Sequence[Event], end: int) -> list[Row]:
    """Events as rows of the office's shape that come after the row *end*, with hashes that are none."""
    encode = msgspec.json.Encoder().encode
    return [
        (
            "autumn", seq, kind_of(event), 1, 1, 0, "gm", 1_700_000_000_000_000, 1,
            encode(event).decode(), _SOME_HASH, _SOME_HASH,
        )
        for seq, event in enumerate(events, start=end + 1)
    ]  # fmt: skip


class RawLog:
    """Rows of the office's shape in a table without guards, by the driver alone: WAL, and synchronous=FULL."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute(_TABLE)
        self.end = 0

    def append(self, events: Sequence[Event]) -> None:
        """Write events as JSON, in one transaction."""
        rows = rows_of(events, self.end)
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany(_INSERT, rows)
        self.connection.execute("COMMIT")
        self.end += len(rows)

    def replay(self, kind: type[Event]) -> Iterator[Event]:
        """Read all events as one class."""
        decode = msgspec.json.Decoder(kind).decode
        for _, data in self.connection.execute("SELECT seq, data FROM event WHERE campaign = 'autumn' ORDER BY seq"):
            yield decode(data)


def rendered(template: Template, context: dict[str, object]) -> str:
    """A template with everything in it drawn already."""
    return template.render(context)


class Processes:
    """Programs started anew, with a cache of bytecode of their own that is filled before they are measured."""

    def __init__(self, folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.environment = kept | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        self.folder = folder

    def start(self, *arguments: str) -> None:
        """Run one to its end; it must not fail."""
        done = subprocess.run(arguments, env=self.environment, cwd=self.folder, capture_output=True, check=False)
        assert done.returncode == 0, f"{arguments}: {done.stderr.decode()}"

    def bare(self) -> None:
        """An interpreter that does nothing."""
        self.start(sys.executable, "-c", "pass")
