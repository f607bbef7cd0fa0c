"""A command of `pbem` that says how far it has come: `python -m tests.soak.victim FD ARGUMENT …`.

To the file descriptor FD it writes one letter for each thing that it does to its database: `w` when it writes,
`c` when it begins to commit, `d` when that is done.  Whoever kills it knows from the last letter where it was.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pbem.cli import main
from pbem.storage.databases import sqlite
from pbem.storage.databases.connection import Engine

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


def watch(fd: int) -> None:
    """Write down what every connection from now on does."""

    def say(statement: str) -> None:
        word = statement.lstrip()[:8].upper()
        if word.startswith(WRITES):
            os.write(fd, b"w")
        elif word.startswith("COMMIT"):
            os.write(fd, b"c")
        elif word.startswith("BEGIN"):
            os.write(fd, b"d")

    connect = sqlite.connect

    def watched(url: str, folder: Path | None, *, patience: int, create: bool) -> Engine:
        engine = connect(url, folder, patience=patience, create=create)
        engine.prepare.append(lambda driver: driver.set_trace_callback(say))
        return engine

    sqlite.connect = watched


if __name__ == "__main__":
    watch(int(sys.argv[1]))
    main(sys.argv[2:], prog_name="pbem")
