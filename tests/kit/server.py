"""A PostgreSQL server of one's own: a cluster in a folder, on a socket there, for as long as it is needed."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from pathlib import Path

import psycopg

from pbem.storage import migrate
from tests.kit.facts import MIGRATIONS

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where Debian keeps what is not for the PATH."""

FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""For tests in which no server dies."""

MADE = ("--no-locale", "-E", "UTF8")


def program(name: str) -> str | None:
    """A program of the server, if this machine has it."""
    return next((str(one / name) for one in BINARIES if (one / name).is_file()), None) or shutil.which(name)


class Server:
    """A running cluster in *folder*; *made*: how it is made."""

    def __init__(self, folder: Path, settings: Sequence[str], made: Sequence[str] = MADE) -> None:
        self.folder, self._settings = folder, settings
        self._names = count()
        self._run("initdb", "-D", str(self._data), "-U", "pbem", "--auth=trust", *made, "-N")
        self.start()

    @cached_property
    def empty(self) -> str:
        """The url of an office in which nothing has happened yet, to make others of."""
        made = self.database()
        migrate.upgrade(made, MIGRATIONS)
        return made

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, name: str, *arguments: str) -> None:
        path = program(name)
        assert path is not None, f"{name} is not here"
        # It refuses to run as root.
        as_other = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        done = subprocess.run([*as_other, path, *arguments], capture_output=True, check=False, text=True, cwd="/")
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Let it run, and wait until it answers."""
        told = [f"-c {one}" for one in self._settings]
        told += ["-c listen_addresses=", f"-c unix_socket_directories={self.folder}", "-c max_connections=200"]
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", " ".join(told), "start")

    def stop(self, mode: str = "fast") -> None:
        """End it: `fast`, or `immediate`, as if the machine had lost its power."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", mode, "stop")

    def url(self, name: str = "postgres") -> str:
        """Where one of its databases is."""
        return f"postgresql://pbem@/{name}?host={self.folder}"

    def database(self, template: str | None = None, *, like: str = "") -> str:
        """The url of a new database, empty, or as *template* is; *like*: more of how it is made."""
        name = f"office{next(self._names)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            made_of = template.partition("?")[0].rpartition("/")[2] if template else "template0"
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {made_of} {like}")
        return self.url(name)


def drop(url: str) -> None:
    """Let a database be gone, whoever still has it open."""
    before, name, rest = re.split(r"(?<=@/)(\w+)", url)
    with psycopg.connect(f"{before}postgres{rest}", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def server(settings: Sequence[str] = FAST, made: Sequence[str] = MADE) -> Iterator[Server]:
    """A server for one block."""
    # The path of a socket has at most 107 bytes, and those of tests are long.
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
    if os.getuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    try:
        found = Server(folder, settings, made)
        try:
            yield found
        finally:
            found.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
