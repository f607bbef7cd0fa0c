"""Which database an office is kept in, by its url."""

from __future__ import annotations

import re
from importlib import import_module

from pbem.kernel.errors import StorageError
from pbem.storage.databases.connection import Database

URLS = "write sqlite:///path, or postgresql://user@host/name"

_KIND = re.compile(r"[a-z][a-z0-9+]*", re.IGNORECASE)
_MODULES = {"sqlite": "sqlite", "postgresql": "postgres", "postgres": "postgres"}


_PASSWORD = re.compile(r"(?<=://)([^:/@]*):[^/]*@|([?&])password=[^&]*")


def shown(url: str) -> str:
    """A url as it may be shown: without the password that somebody wrote into it.

    >>> shown("postgresql://pbem:s3cret@db.example.org/autumn?password=s3cret&connect_timeout=5")
    'postgresql://pbem@db.example.org/autumn?&connect_timeout=5'
    >>> shown("sqlite:///office.sqlite")
    'sqlite:///office.sqlite'
    """
    return _PASSWORD.sub(lambda found: f"{found[1]}@" if found[1] is not None else found[2], url)


def chosen(url: str) -> Database:
    """The database that *url* is of.

    :raises StorageError: if it is of none that an office is kept in, or what it takes is not installed.
    """
    kind, there, _ = url.partition("://")
    if not there or not _KIND.fullmatch(kind):
        raise StorageError(f'"{url}" names no database: {URLS}')
    name = _MODULES.get(kind)
    if name is None:
        raise StorageError(f"an office is kept in SQLite or PostgreSQL: {URLS}, not {kind}")
    try:
        found: Database = import_module(f"pbem.storage.databases.{name}")
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise StorageError("an office in PostgreSQL needs more: pip install 'pbem[postgres]'") from None
    return found
