"""Where programs of players are told what comes to them.  What is told waits in the outbox, as letters do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict

from pbem.kernel.names import PlayerId
from pbem.storage.databases.connection import Connection


class Hook(Struct, frozen=True):
    """An address at which a program of a player is told."""

    id: str
    player: PlayerId
    address: str
    what: str
    """Of what it is told, in words with blanks between: `due report`."""
    made_at: int


_FIELDS = ", ".join(Hook.__struct_fields__)
_MAKE = f"INSERT INTO hook ({_FIELDS}) VALUES ({', '.join(f':{name}' for name in Hook.__struct_fields__)})"
_GET = f"SELECT {_FIELDS} FROM hook WHERE id = :id"
_OF_PLAYER = f"SELECT {_FIELDS} FROM hook WHERE player = :player ORDER BY made_at, id"
_END = "DELETE FROM hook WHERE id = :id"
_END_ALL = "DELETE FROM hook WHERE player = :player"


def make(connection: Connection, hook: Hook) -> None:
    """Write one down."""
    connection.execute(_MAKE, asdict(hook))


def get(connection: Connection, id: str) -> Hook | None:
    """The one of this id, if it is there."""
    found = connection.execute(_GET, {"id": id}).fetchall()
    return Hook(*found[0]) if found else None


def of_player(connection: Connection, player: PlayerId) -> Sequence[Hook]:
    """All of *player*, in the order in which they were made."""
    return [Hook(*row) for row in connection.execute(_OF_PLAYER, {"player": player})]


def end(connection: Connection, id: str) -> None:
    """Forget one."""
    connection.execute(_END, {"id": id})


def end_all(connection: Connection, player: PlayerId) -> None:
    """Forget all of *player*."""
    connection.execute(_END_ALL, {"player": player})
