"""Other addresses of people: they write from these too, and are written to at their registered one alone.

What a player wishes to have as an address, and has not confirmed, is a row of what was asked for (`sign_in`), as a way
into the web is: it can be destroyed, is nobody's address yet, and goes with all that he has open.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict

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


class Wish(Struct, frozen=True):
    """An address that a player asks for: it waits until the codes for it come back, or its time is over."""

    id: str
    """`wish/WHAT/PLAYER/…`: what it shall be to him, and chance."""
    asked_at: int
    ends_at: int
    player: PlayerId
    came: str
    """The first code that came back, where several must; empty until then."""
    address: str

    @property
    def what(self) -> str:
        """What the address shall be to him."""
        return self.id.split("/")[1]


_COLUMNS = ", ".join(Alias.__struct_fields__)
_OF_PLAYER = f"SELECT {_COLUMNS} FROM alias WHERE player = :player ORDER BY added_at, address"
_ALL = f"SELECT {_COLUMNS} FROM alias ORDER BY added_at, address"
_GET = f"SELECT {_COLUMNS} FROM alias WHERE address = :address"
_ADD = "INSERT INTO alias (address, player, added_at) VALUES (:address, :player, :at)"
_CONFIRM = "UPDATE alias SET confirmed_at = :at WHERE address = :address AND player = :player AND confirmed_at IS NULL"
_DROP = "DELETE FROM alias WHERE address = :address AND player = :player"
_WISHES = (
    "SELECT id, asked_at, ends_at, player, code, address FROM sign_in WHERE substr(id, 1, 5) = 'wish/'"
    " ORDER BY asked_at, id"
)
_WISH = (
    "INSERT INTO sign_in (id, asked_at, ends_at, player, gm, code, browser, address, sender, used_at, tries)"
    " VALUES (:id, :asked_at, :ends_at, :player, '', :came, '', :address, '', NULL, 0)"
)
_LAPSED = "DELETE FROM sign_in WHERE substr(id, 1, 5) = 'wish/' AND ends_at <= :at"
_CAME = "UPDATE sign_in SET code = :code WHERE id = :id"
_GRANT = "DELETE FROM sign_in WHERE id = :id RETURNING id"


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


def wish(connection: Connection, new: Wish) -> None:
    """Write down a wish; what its player wished for the same before is forgotten, and all whose time is over."""
    connection.execute(_LAPSED, {"at": new.asked_at})
    for one in wishes(connection, new.player):
        if one.what == new.what:
            grant(connection, one.id)
    connection.execute(_WISH, asdict(new))


def wishes(connection: Connection, player: PlayerId | None = None) -> Sequence[Wish]:
    """What is wished for, by *player* or by anybody, in the order in which it was; some may be too old by now."""
    found = [Wish(*row) for row in connection.execute(_WISHES)]
    return [one for one in found if player in (None, one.player)]


def came(connection: Connection, id: str, code: str) -> None:
    """Write down that the first of the codes for a wish came back."""
    connection.execute(_CAME, {"id": id, "code": code})


def grant(connection: Connection, id: str) -> bool:
    """Let a wish wait no more; says whether it did."""
    return bool(connection.execute(_GRANT, {"id": id}).fetchall())
