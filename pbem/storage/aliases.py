"""Other addresses of people: they write from these too, and are written to at their registered one alone."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.storage import players
from pbem.storage.databases.connection import Connection
from pbem.storage.players import Player


class Alias(Struct, frozen=True):
    """An address that a person may write from besides his own."""

    address: str
    """In lower case; no two people share one."""
    player: PlayerId
    added_at: int
    confirmed_at: int | None = None
    """When its player said that it is his; None: a letter from there waits until he does."""


_COLUMNS = ", ".join(Alias.__struct_fields__)
_OF_PLAYER = f"SELECT {_COLUMNS} FROM alias WHERE player = :player ORDER BY added_at, address"
_ALL = f"SELECT {_COLUMNS} FROM alias ORDER BY added_at, address"
_GET = f"SELECT {_COLUMNS} FROM alias WHERE address = :address"
_ADD = "INSERT INTO alias (address, player, added_at) VALUES (:address, :player, :at)"
_CONFIRM = "UPDATE alias SET confirmed_at = :at WHERE address = :address AND player = :player AND confirmed_at IS NULL"
_DROP = "DELETE FROM alias WHERE address = :address AND player = :player"


def add(connection: Connection, player: PlayerId, address: str, *, at: int) -> Alias:
    """Write down that *player* may write from *address* too, once he has said that it is his.

    :raises Refused: if somebody is known by it already, or the player was erased.
    """
    known = players.by_address(connection, address)
    if known is not None:
        raise Refused(f"{address} is the address of {known.name} ({known.id}) already.")
    if players.get(connection, player).erased_at is not None:
        raise Refused(f"player {player} was erased.")
    alias = Alias(players.address_of(address), player, at)
    connection.execute(_ADD, {"address": alias.address, "player": player, "at": at})
    return alias


def get(connection: Connection, address: str) -> Alias | None:
    """What is known of *address* as another of somebody's."""
    found = connection.execute(_GET, {"address": players.address_of(address)}).fetchall()
    return Alias(*found[0]) if found else None


def of_player(connection: Connection, player: PlayerId) -> Sequence[Alias]:
    """The other addresses of *player*, in the order in which they came."""
    return [Alias(*row) for row in connection.execute(_OF_PLAYER, {"player": player})]


def listing(connection: Connection) -> Sequence[Alias]:
    """The other addresses of everybody, in the order in which they came."""
    return [Alias(*row) for row in connection.execute(_ALL)]


def all_of(connection: Connection, player: Player) -> tuple[str, ...]:
    """Every address that *player* is known by, his own first."""
    return tuple(filter(None, (player.address, *(one.address for one in of_player(connection, player.id)))))


def confirm(connection: Connection, player: PlayerId, address: str, *, at: int) -> None:
    """Write down that *player* said of *address* that it is his; of one that is not entered for him, nothing."""
    connection.execute(_CONFIRM, {"address": players.address_of(address), "player": player, "at": at})


def drop(connection: Connection, player: PlayerId, address: str) -> None:
    """Forget another address of *player*.

    :raises Refused: if it is none of his.
    """
    alias = get(connection, address)
    if alias is None or alias.player != player:
        raise Refused(f"{address} is no other address of {player}.")
    connection.execute(_DROP, {"address": alias.address, "player": player})
