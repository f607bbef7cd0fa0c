"""The people who play: the one place where a name and an address stand beside a player's id."""

from __future__ import annotations

from unicodedata import normalize
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.storage import hooks, sessions, setbacks
from pbem.storage.databases.connection import Connection


class Player(Struct, frozen=True):
    """A person; *name* and *address* are None once erased."""

    id: PlayerId
    name: str | None
    address: str | None
    """In lower case; no two players share one."""
    zone: str
    """IANA: `Europe/Berlin`."""
    created_at: int
    erased_at: int | None = None
    epoch: int = 1
    """Of the secret addresses that his letters are answered to: those of an earlier one are void."""
    stopped_at: int | None = None
    """When he asked for no more letters."""


_COLUMNS = ", ".join(Player.__struct_fields__)
_GET = f"SELECT {_COLUMNS} FROM player WHERE id = :id"
_BY_ADDRESS = (
    f"SELECT {_COLUMNS} FROM player WHERE address = :address"
    " OR id = (SELECT player FROM alias WHERE address = :address)"
)
_ALL = f"SELECT {_COLUMNS} FROM player ORDER BY created_at, id"
_INSERT = f"INSERT INTO player ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in Player.__struct_fields__)})"
_CHANGE = "UPDATE player SET name = :name, address = :address, zone = :zone WHERE id = :id"
_EPOCH = "SELECT epoch FROM player WHERE id = :id AND erased_at IS NULL"
_NO_ALIAS = "DELETE FROM alias WHERE address = :address"
_REKEY = "UPDATE player SET epoch = epoch + 1 WHERE id = :id"
# What asked went to the address that he had: he is asked anew.
_NO_CODES = "UPDATE letter SET code = NULL WHERE player = :id AND state = 'held'"
_STOP = "UPDATE player SET stopped_at = :at WHERE id = :id"
_ERASE = "UPDATE player SET name = NULL, address = NULL, erased_at = :at WHERE id = :id AND erased_at IS NULL"
# Two players can have uploaded the same bytes: those of the other stay.
_EMPTY_BLOBS = (
    "UPDATE blob SET data = NULL WHERE sha256 IN ("
    "SELECT digest FROM letter WHERE player = :id UNION SELECT digest FROM outbox WHERE player = :id"
    ") AND sha256 NOT IN (SELECT digest FROM letter WHERE player <> :id)"
)
_EMPTY_LETTERS = (
    "UPDATE letter SET message_id = NULL, reason = 'erased', recipients = '', evidence = '', content = '', code = NULL,"
    " state = CASE WHEN state IN ('new', 'held', 'unreadable') THEN 'ignored' ELSE state END"
    " WHERE player = :id"
)
_NO_ALIASES = "DELETE FROM alias WHERE player = :id"
_EMPTY_OUTBOX = (
    "UPDATE outbox SET subject = '', answer = '',"
    " state = CASE WHEN state IN ('queued', 'sending') THEN 'dropped' ELSE state END WHERE player = :id"
)


def address_of(written: str) -> str:
    """An address as it is compared: no blanks around it, lower case, Unicode's normal form C."""
    return normalize("NFC", written.strip()).lower()


def add(connection: Connection, id: PlayerId, *, name: str, address: str, zone: str, at: int) -> Player:
    """Write down a new player.

    :raises Refused: if another has this address, or if there is no such time zone.
    """
    player = Player(id, normalize("NFC", name), address_of(address), zone, at)
    _see(connection, player)
    connection.execute(_INSERT, asdict(player))
    return player


def change(
    connection: Connection,
    id: PlayerId,
    *,
    name: str | None = None,
    address: str | None = None,
    zone: str | None = None,
) -> Player:
    """Change what is given; what came back from an address that is left says nothing of the new one.

    :raises Refused: if there is no such player (any more), or as `add` does.
    """
    now = get(connection, id)
    if now.erased_at is not None:
        raise Refused(f"player {id} was erased.")
    player = replace(
        now,
        name=now.name if name is None else normalize("NFC", name),
        address=now.address if address is None else address_of(address),
        zone=zone or now.zone,
    )
    _see(connection, player)
    connection.execute(_CHANGE, asdict(player))
    if player.address != now.address:
        connection.execute(_NO_ALIAS, {"address": player.address})
        setbacks.forget(connection, id)
    return player


def get(connection: Connection, id: PlayerId) -> Player:
    """The player of this id.

    :raises Refused: if there is none.
    """
    found = connection.execute(_GET, {"id": id}).fetchall()
    if not found:
        raise Refused(f"there is no player {id} in this office.")
    return Player(*found[0])


def by_address(connection: Connection, address: str) -> Player | None:
    """The player who writes from *address*, his own or another that is entered for him, if one does."""
    found = connection.execute(_BY_ADDRESS, {"address": address_of(address)}).fetchall()
    return Player(*found[0]) if found else None


def epoch(connection: Connection, id: str) -> int | None:
    """The epoch of a player; None if there is none of this id, or he is erased."""
    found: int | None = connection.execute(_EPOCH, {"id": id}).scalar()
    return found


def rekey(connection: Connection, id: PlayerId) -> Player:
    """Make the secret addresses of a player void, the codes that he was sent, and all that he has open on the web.

    Gives him as he is then.

    :raises Refused: if there is no such player (any more).
    """
    if get(connection, id).erased_at is not None:
        raise Refused(f"player {id} was erased.")
    connection.execute(_REKEY, {"id": id})
    connection.execute(_NO_CODES, {"id": id})
    sessions.end_all(connection, id)
    hooks.end_all(connection, id)
    return get(connection, id)


def stop(connection: Connection, id: PlayerId, *, at: int | None) -> None:
    """Write down that a player wants no more letters; *at* None: that he wants them again."""
    connection.execute(_STOP, {"id": id, "at": at})


def listing(connection: Connection) -> list[Player]:
    """All players, the erased with them, in the order in which they came."""
    return [Player(*row) for row in connection.execute(_ALL)]


def erase(connection: Connection, id: PlayerId, *, at: int) -> None:
    """Destroy what the office knows of a person: name, addresses, letters and mails.

    The id, digests and sizes stay, and so do the orders in the log.  What was not yet sent is dropped.
    """
    get(connection, id)
    for statement in (_EMPTY_BLOBS, _EMPTY_LETTERS, _EMPTY_OUTBOX, _NO_ALIASES, _ERASE):
        connection.execute(statement, {"id": id, "at": at})
    sessions.end_all(connection, id)
    hooks.end_all(connection, id)
    setbacks.forget(connection, id)


def _see(connection: Connection, player: Player) -> None:
    try:
        ZoneInfo(player.zone)
    except (LookupError, ValueError, OSError):
        raise Refused(f'there is no time zone "{player.zone}": write one like Europe/Berlin.') from None
    other = by_address(connection, player.address or "")
    if other and other.id != player.id:
        raise Refused(f"{player.address} is the address of {other.name} ({other.id}) already.")
