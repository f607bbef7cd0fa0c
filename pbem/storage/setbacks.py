"""Mails of ours that came back, each once: by its gravest news."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from pbem.kernel.names import PlayerId
from pbem.storage.databases.connection import Connection


class Setback(Struct, frozen=True):
    """A mail that did not reach its reader, or not yet."""

    mail: str
    """Its id in the outbox."""
    player: PlayerId | None
    """None: the GM."""
    at: int
    status: str
    """RFC 3463: `5.1.1`."""
    words: str = ""
    """Of the server that gave it up."""

    @property
    def permanent(self) -> bool:
        """Whether nothing but another address helps."""
        return self.status.startswith("5")


_COLUMNS = ", ".join(Setback.__struct_fields__)
_GET = f"SELECT {_COLUMNS} FROM setback WHERE mail = :mail"
_OF_PLAYER = f"SELECT {_COLUMNS} FROM setback WHERE player IS :player AND at > :since ORDER BY at, mail"
_ALL = f"SELECT {_COLUMNS} FROM setback WHERE at > :since ORDER BY at, mail"
_KEEP = (
    f"INSERT INTO setback ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in Setback.__struct_fields__)})"
    " ON CONFLICT (mail) DO UPDATE SET at = excluded.at, status = excluded.status, words = excluded.words"
)
_FORGET_MAIL = "DELETE FROM setback WHERE mail = :mail"
_FORGET = "DELETE FROM setback WHERE player = :player"


def keep(connection: Connection, setback: Setback) -> bool:
    """Write it down, unless as grave news of the same mail came before; says whether it was written."""
    before = get(connection, setback.mail)
    if before and (before.permanent or not setback.permanent):
        return False
    connection.execute(_KEEP, asdict(setback))
    return True


def get(connection: Connection, mail: str) -> Setback | None:
    """What is known of *mail*, by its id in the outbox."""
    found = connection.execute(_GET, {"mail": mail}).one_or_none()
    return Setback(*found) if found else None


def of_player(connection: Connection, player: PlayerId | None, *, since: int = 0) -> list[Setback]:
    """All that came back of mails to *player* (None: to the GM) after *since*."""
    return [Setback(*row) for row in connection.execute(_OF_PLAYER, {"player": player, "since": since})]


def listing(connection: Connection, *, since: int = 0) -> list[Setback]:
    """All that came back after *since*."""
    return [Setback(*row) for row in connection.execute(_ALL, {"since": since})]


def forget(connection: Connection, player: PlayerId) -> None:
    """Forget what came back from *player*: he reads at another address now, or is erased."""
    connection.execute(_FORGET, {"player": player})


def forget_mail(connection: Connection, mail: str) -> None:
    """Forget that *mail* came back: it leaves again, and may come back again."""
    connection.execute(_FORGET_MAIL, {"mail": mail})
