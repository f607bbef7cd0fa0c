"""What the office must find unchanged outside its database, by name."""

from __future__ import annotations

from pbem.storage.databases.connection import Connection

KEY = "key"
"""The fingerprint of the key by which secret addresses are made."""
PUBLIC = "public"
"""The same fingerprint, a blank, and the public part of the key that files are signed with, which is made of it."""
CUT = "cut"
"""In a copy that was cut from a backup: up to when its logs go, in microseconds UTC."""
MOVED = "moved"
"""In a database that was left: the url of the one to which the office was moved, as it may be shown."""

_GET = "SELECT value FROM mark WHERE name = :name"
_PUT = "INSERT INTO mark (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

_DROP = "DELETE FROM mark WHERE name = :name"


def get(connection: Connection, name: str) -> str | None:
    """What was written down under *name*, if anything was; nothing is in an office of an older shape."""
    if "mark" not in connection.database.tables(connection):
        return None
    found = connection.execute(_GET, {"name": name}).fetchall()
    return str(found[0][0]) if found else None


def drop(connection: Connection, name: str) -> None:
    """Forget what was written down under *name*."""
    connection.execute(_DROP, {"name": name})


def put(connection: Connection, name: str, value: str) -> None:
    """Write *value* down under *name*, whatever stood there."""
    connection.execute(_PUT, {"name": name, "value": value})
