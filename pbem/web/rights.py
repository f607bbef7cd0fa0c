"""Who may open what: the one place where it is asked."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pbem.desk.access.people import Person, Right
from pbem.desk.access.sessions import Kind, Visit
from pbem.desk.books.dossiers import campaigns, load
from pbem.desk.office.office import Office
from pbem.web.asking import Does

Who = Literal["anybody", "the public", "somebody", "a player", "the role", "who looks on", "a gm", "gm"]
"""For whom a route is: anybody at all; anybody, if the settings say so, else whoever is signed in; whoever is signed
in; whoever plays; the player of the role that its path names; who looks on at the campaign that it names; whoever runs
games, be it one; who has a right of those who run games, in the campaign that its path names, or in all the office."""


class Route(NamedTuple):
    """A page of the reading room, or something done by it."""

    method: Literal["GET", "POST"]
    path: str
    who: Who
    does: Does
    right: Right = "look"
    """Of the GM, which it takes."""
    by: tuple[Kind, ...] = ("browser",)
    """By what door one comes to it."""
    orders: bool = False
    """Whether a program must be allowed to order."""
    largest: int = 64 * 1024
    """Bytes that may be sent to it."""
    safe: bool = True
    """Whether a form that is sent to it must bear its own seal; not, where something else proves who sent it."""


def may(office: Office, route: Route, visit: Visit | None, named: dict[str, str]) -> bool:
    """Whether somebody may open *route*, of whose path the *named* parts are known."""
    if route.who == "anybody" or (route.who == "the public" and office.settings.web.public):
        return True
    if visit is None or (visit.session.kind not in route.by) or (route.orders and not _orders(visit)):
        return False
    who = visit.person
    if route.who in ("somebody", "the public"):
        return who.known
    if route.who == "a player":
        return who.player is not None
    if route.who == "a gm":
        return bool(who.rights)
    if route.who == "gm":
        # Of a campaign that there is not nobody is told that there is none.
        return who.may(route.right, named.get("campaign", "*")) and _is_there(office, named.get("campaign"))
    if route.who == "who looks on":
        return _looks_on(office, who, named.get("campaign", ""))
    return _plays(office, who, named.get("campaign", ""), named.get("role", ""))


def _orders(visit: Visit) -> bool:
    return visit.session.kind != "program" or visit.session.scope == "order"


def _is_there(office: Office, campaign: str | None) -> bool:
    if campaign is None:
        return True
    with office.read() as connection:
        return campaign in campaigns(connection)


def _plays(office: Office, who: Person, campaign: str, role: str) -> bool:
    """Whether somebody fills a role; copies of a game are nobody's."""
    if who.player is None:
        return False
    with office.read() as connection:
        if campaign not in campaigns(connection):
            return False
        told = load(office, connection, campaign).campaign
    return not told.copied and role in told.roles_of(who.player.id)


def _looks_on(office: Office, who: Person, campaign: str) -> bool:
    """Whether somebody looks on at a game; copies of one show nothing to anybody."""
    if who.player is None:
        return False
    with office.read() as connection:
        if campaign not in campaigns(connection):
            return False
        told = load(office, connection, campaign).campaign
    return not told.copied and who.player.id in told.observers
