"""Who is on duty for the office: each process says so every minute, with what it goes by, and takes it back at its end.

Whoever dies without a word is not seen again, and forgotten after a day.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from pbem.storage.databases.connection import Connection


class Node(Struct, frozen=True):
    """A process on duty; times are microseconds UTC."""

    id: str
    host: str
    pid: int
    does: str
    """`run`, `web` or `worker`."""
    since: int
    seen_at: int
    version: str
    """Of pbem."""
    key: str
    """The fingerprint of the office's key, as it has it."""
    templates: str
    """A digest of the office's own templates, as they lie there; empty: there are none."""
    scenarios: str
    """The same of its own scenarios."""
    systems: str
    """The rules that are installed there, one a line: a name, a blank, their content."""

    @property
    def called(self) -> str:
        """What it is called: `web on north, process 4711`."""
        return f"{self.does} on {self.host}, process {self.pid}"


_COLUMNS = Node.__struct_fields__
_HERE = (
    f"INSERT INTO node ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
    f" ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS[1:])}"
)
_GONE = "DELETE FROM node WHERE id = :id"
_SEEN = f"SELECT {', '.join(_COLUMNS)} FROM node WHERE seen_at > :since ORDER BY since, id"
_FORGET = "DELETE FROM node WHERE seen_at <= :before"


def here(connection: Connection, node: Node) -> None:
    """Write down that *node* is on duty, or is seen again, and what it goes by now."""
    connection.execute(_HERE, asdict(node))


def gone(connection: Connection, id: str) -> None:
    """Take a node off duty; it may be none."""
    connection.execute(_GONE, {"id": id})


def seen(connection: Connection, *, since: int) -> list[Node]:
    """Those that were seen after *since*, who came first first."""
    return [Node(*row) for row in connection.execute(_SEEN, {"since": since})]


def forget(connection: Connection, *, before: int) -> None:
    """Take off duty whoever was not seen after *before*."""
    connection.execute(_FORGET, {"before": before})
