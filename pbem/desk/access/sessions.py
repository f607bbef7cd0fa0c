"""The doors that stand open for somebody: his browsers, his programs, and his private addresses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.access.people import Person, person
from pbem.desk.access.secrets import digest, fresh
from pbem.desk.office.office import HOUR, Office
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.reports.text.speech import phrase
from pbem.storage import sessions
from pbem.storage.database import Connection
from pbem.storage.players import Player
from pbem.storage.sessions import Kind, Session

__all__ = ["LASTS", "Kind", "Session", "Visit", "begin", "end", "end_others", "find", "listing", "make"]

_BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrom": "Chrome", "Safari/": "Safari"}
_SYSTEMS = {
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "a Mac",
    "Linux": "Linux",
}
"""What stands in what a browser says of itself, that first which others say too; and what it is called."""

LASTS = 30 * 24 * HOUR
"""How long a browser stays signed in."""

PROGRAMS = 20
"""So many programs of one player may be known at a time."""

LONGEST_NAME = 80

SCOPES = ("read", "order")
"""What a program may do: read, or read and order."""


class Visit(Struct, frozen=True):
    """Somebody who has come in, and by what door."""

    session: Session
    person: Person


def begin(
    office: Office, connection: Connection, player: PlayerId | None, gm: str, browser: str
) -> tuple[str, Session]:
    """Sign a browser in; gives its secret, of which only the digest is kept."""
    secret, now = fresh(office), office.now()
    session = Session(
        id=digest(secret),
        kind="browser",
        name=called(browser),
        made_at=now,
        seen_at=now,
        player=player,
        gm=gm,
        ends_at=now + LASTS,
    )
    sessions.begin(connection, session)
    return secret, session


def find(office: Office, secret: str, *kinds: Kind) -> Visit | None:
    """Whose *secret* it is, if it opens a door of one of these *kinds*; it is written down that he came, once an hour.

    :raises StorageError: if the office cannot be looked at.
    """
    if not secret:
        return None
    now = office.now()
    with office.read() as connection:
        session = sessions.get(connection, digest(secret), at=now)
        if session is None or session.kind not in kinds:
            return None
        whose = person(office, connection, session.player, session.gm)
    if not whose.known:
        return None
    if now - session.seen_at >= HOUR:
        with office.write() as connection:
            sessions.seen(connection, session.id, at=now)
    return Visit(session, whose)


def make(office: Office, player: Player, kind: Kind, *, name: str = "", scope: str = "") -> str:
    """Open a door for a program of *player*, or a private address; gives its secret, which is never shown again.

    Of a private address there is one: another that there was is void from now on.

    :raises Refused: if a program has no name, its scope is none, or there are too many.
    """
    if kind == "program":
        name = _shortened(name)
        if not name:
            raise Refused(phrase("say what the program is called, so that you know it again."))
        if scope not in SCOPES:
            raise Refused(f'"{scope}" is none of what a program may do.  One of: {", ".join(SCOPES)}.')
    secret, now = fresh(office), office.now()
    with office.write(whole=True) as connection:
        if kind != "program":
            sessions.end_kind(connection, player.id, kind)
        elif sum(one.kind == kind for one in sessions.of_player(connection, player.id)) >= PROGRAMS:
            raise Refused(phrase("{count} programs are known already: end one first.", count=PROGRAMS))
        made = Session(digest(secret), kind, name or kind, now, now, player.id, "", scope)
        sessions.begin(connection, made)
    return secret


def listing(connection: Connection, whose: Person) -> Sequence[Session]:
    """All that stands open for somebody."""
    found = list(sessions.of_player(connection, whose.player.id)) if whose.player else []
    more = sessions.of_gm(connection, whose.gm) if whose.gm else ()
    return found + [one for one in more if one not in found]


def end(office: Office, whose: Person, id: str) -> None:
    """Close a door of somebody.

    :raises Refused: if it is none of his.
    """
    with office.write() as connection:
        if id not in {one.id for one in listing(connection, whose)}:
            raise Refused(phrase("that is not open any more."))
        sessions.end(connection, id)


def end_others(office: Office, session: Session) -> None:
    """Sign out all other browsers of the one whose *session* it is."""
    with office.write() as connection:
        sessions.end_others(connection, session)


def called(agent: str) -> str:
    """A browser by what it says of itself.

    >>> called("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")
    'Chrome on Linux'
    >>> called("curl/8.1"), called("")
    ('curl/8.1', 'a browser that does not say what it is')
    """
    name = next((said for word, said in _BROWSERS.items() if word in agent), "")
    system = next((said for word, said in _SYSTEMS.items() if word in agent), "")
    if name:
        return f"{name} on {system}" if system else name
    return _shortened(agent) or "a browser that does not say what it is"


def _shortened(name: str) -> str:
    """A name as it is shown: in one line, and not too long."""
    said = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    return said[:LONGEST_NAME]
