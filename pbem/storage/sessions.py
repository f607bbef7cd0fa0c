"""Who has come in by the web, and by what: browsers, programs of players, private addresses of a calendar or a feed.

Nothing that opens a door is kept: of each secret only its digest is.  A link that was asked for is a row of its own,
also where nobody is known by the address, so that asking costs the same.  Beside links stand the addresses that players
ask for (`aliases`): no link has an id like theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from pbem.kernel.names import PlayerId
from pbem.storage.databases.connection import Connection

Kind = Literal["browser", "program", "calendar", "feed"]
"""What a session opens: the pages, the API, or one private address."""


class Session(Struct, frozen=True):
    """A door that stands open for one person: a player, or (*gm*) somebody who runs games."""

    id: str
    """SHA-256 of its secret."""
    kind: Kind
    name: str
    """What it is known by to its owner: the browser, or the name that he gave it."""
    made_at: int
    seen_at: int
    player: PlayerId | None = None
    gm: str = ""
    """The address of a GM; empty: he is none."""
    scope: str = ""
    """Of a program: `read`, or `order`, which is both."""
    ends_at: int | None = None
    """None: when it is ended."""


class Link(Struct, frozen=True):
    """A way in that was asked for: by its link, or by its code, in the browser that asked."""

    id: str
    """SHA-256 of the secret in it."""
    asked_at: int
    ends_at: int
    player: PlayerId | None = None
    gm: str = ""
    code: str = ""
    """The digest of its six digits; empty: it is opened by whoever has it, for the GM made it."""
    browser: str = ""
    """The digest of what the browser that asked is known by; empty: it is bound to none."""
    address: str = ""
    """The digest of the address that was asked for."""
    sender: str = ""
    """The digest of the place on the net that asked."""
    used_at: int | None = None
    tries: int = 0
    """How often a wrong code was typed."""


_SESSION = ", ".join(Session.__struct_fields__)
_LINK = ", ".join(Link.__struct_fields__)
_BEGIN = f"INSERT INTO session ({_SESSION}) VALUES ({', '.join(f':{name}' for name in Session.__struct_fields__)})"
_ASK = f"INSERT INTO sign_in ({_LINK}) VALUES ({', '.join(f':{name}' for name in Link.__struct_fields__)})"
_GET = f"SELECT {_SESSION} FROM session WHERE id = :id"
_OF_PLAYER = f"SELECT {_SESSION} FROM session WHERE player = :player ORDER BY made_at, id"
_OF_GM = f"SELECT {_SESSION} FROM session WHERE gm = :gm ORDER BY made_at, id"
_SEEN = "UPDATE session SET seen_at = :at WHERE id = :id"
_END = "DELETE FROM session WHERE id = :id"
_END_OF_PLAYER = "DELETE FROM session WHERE player = :player"
_END_OTHERS = (
    "DELETE FROM session WHERE (player = :player OR (gm = :gm AND gm <> '')) AND kind = 'browser' AND id <> :id"
)
_END_KIND = "DELETE FROM session WHERE player = :player AND kind = :kind"
_NO_LINKS = "DELETE FROM sign_in WHERE player = :player"
_LAPSED = "DELETE FROM session WHERE ends_at <= :at"
_LINKS_GONE = "DELETE FROM sign_in WHERE ends_at <= :before"
_LINK_OF = f"SELECT {_LINK} FROM sign_in WHERE id = :id"
_NEWEST = (
    f"SELECT {_LINK} FROM sign_in WHERE browser = :browser AND used_at IS NULL AND ends_at > :at"
    " ORDER BY asked_at DESC, id LIMIT 1"
)
_USE = "UPDATE sign_in SET used_at = :at WHERE id = :id AND used_at IS NULL RETURNING id"
_TRY = "UPDATE sign_in SET tries = tries + 1 WHERE id = :id"
_BY_ADDRESS = "SELECT count(*) FROM sign_in WHERE address = :address AND asked_at > :since"
_BY_SENDER = "SELECT count(*) FROM sign_in WHERE sender = :sender AND asked_at > :since"


def begin(connection: Connection, session: Session) -> None:
    """Open a door; those whose time is over are forgotten."""
    connection.execute(_LAPSED, {"at": session.made_at})
    connection.execute(_BEGIN, asdict(session))


def get(connection: Connection, id: str, *, at: int) -> Session | None:
    """The session of this digest, if it is open *at* that time."""
    found = connection.execute(_GET, {"id": id}).fetchall()
    session = Session(*found[0]) if found else None
    return session if session and (session.ends_at is None or session.ends_at > at) else None


def of_player(connection: Connection, player: PlayerId) -> Sequence[Session]:
    """All that stands open for *player*, in the order in which it was opened."""
    return [Session(*row) for row in connection.execute(_OF_PLAYER, {"player": player})]


def of_gm(connection: Connection, gm: str) -> Sequence[Session]:
    """All that stands open for the GM of this address."""
    return [Session(*row) for row in connection.execute(_OF_GM, {"gm": gm})]


def seen(connection: Connection, id: str, *, at: int) -> None:
    """Write down when somebody last came by it."""
    connection.execute(_SEEN, {"id": id, "at": at})


def end(connection: Connection, id: str) -> None:
    """Close a door."""
    connection.execute(_END, {"id": id})


def end_others(connection: Connection, session: Session) -> None:
    """Close the doors of all other browsers of the one whose *session* it is."""
    connection.execute(_END_OTHERS, {"player": session.player, "gm": session.gm, "id": session.id})


def end_kind(connection: Connection, player: PlayerId, kind: Kind) -> None:
    """Close all doors of one kind of *player*."""
    connection.execute(_END_KIND, {"player": player, "kind": kind})


def end_all(connection: Connection, player: PlayerId) -> None:
    """Close all doors of *player*, those with them that he has only asked for."""
    connection.execute(_END_OF_PLAYER, {"player": player})
    connection.execute(_NO_LINKS, {"player": player})


def ask(connection: Connection, link: Link, *, forget: int) -> None:
    """Write down a link that was asked for; those that ended before *forget* are forgotten."""
    connection.execute(_LINKS_GONE, {"before": forget})
    connection.execute(_ASK, asdict(link))


def asked_for(connection: Connection, address: str, *, since: int) -> int:
    """How many links were asked for to an address, by its digest, after that time."""
    [(count,)] = connection.execute(_BY_ADDRESS, {"address": address, "since": since})
    return int(count)


def asked_from(connection: Connection, sender: str, *, since: int) -> int:
    """How many links were asked for from a place, by its digest, after that time."""
    [(count,)] = connection.execute(_BY_SENDER, {"sender": sender, "since": since})
    return int(count)


def link(connection: Connection, id: str) -> Link | None:
    """The link of this digest."""
    found = connection.execute(_LINK_OF, {"id": id}).fetchall()
    return Link(*found[0]) if found else None


def newest(connection: Connection, browser: str, *, at: int) -> Link | None:
    """The newest link that a browser asked for and that is open *at* that time."""
    found = connection.execute(_NEWEST, {"browser": browser, "at": at}).fetchall()
    return Link(*found[0]) if found else None


def use(connection: Connection, id: str, *, at: int) -> bool:
    """Use a link up; says whether it was not used before."""
    return bool(connection.execute(_USE, {"id": id, "at": at}).fetchall())


def tried(connection: Connection, id: str) -> None:
    """Count a wrong code."""
    connection.execute(_TRY, {"id": id})
