"""The letters of a role: to and from other roles and the umpire; and the questions that it is asked."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake.press import UMPIRE
from pbem.desk.office.office import Office
from pbem.desk.post import calendar
from pbem.desk.reading.games import Mine, games
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.office import LetterSent, QueryPut
from pbem.mail.leaving.calendar import Deadline, calendar_of
from pbem.storage.players import Player

Way = Literal["to", "from"]


class Written(Struct, frozen=True):
    """A letter, as one role has it."""

    at: int
    way: Way
    """To somebody, or from him."""
    who: str
    """The other; empty: it is not said who wrote."""
    text: str


class Post(Struct, frozen=True, kw_only=True):
    """All letters of a role, and to whom it may write."""

    letters: tuple[Written, ...]
    """The newest first."""
    questions: tuple[QueryPut, ...]
    others: tuple[Role, ...]
    """To whom it may write besides the umpire; nobody, if the game or its terms do not let it."""
    unsigned: bool
    """Whether it may leave its name away."""


def post(dossier: Dossier, role: Role) -> Post:
    """The letters of *role*."""
    found = [
        written
        for one in reversed(dossier.log.own)
        if isinstance(one.event, LetterSent) and (written := _written(one.at, one.event, role))
    ]
    press = dossier.campaign.terms.press
    carries = not dossier.system.carries_letters and press != "none" and not dossier.campaign.ended
    held = dossier.campaign.players
    return Post(
        letters=tuple(found),
        questions=tuple(one for one in dossier.campaign.queries.values() if one.to == role),
        others=tuple(one for one in dossier.roles if one != role and one in held) if carries else (),
        unsigned=press == "grey",
    )


def _written(at: int, event: LetterSent, role: Role) -> Written | None:
    if event.to == role:
        return Written(at, "from", event.sender if event.signed else "", event.text)
    if event.sender == role:
        return Written(at, "to", event.to or UMPIRE[0], event.text)
    return None


def deadlines(office: Office, player: Player) -> list[Mine]:
    """The roles of *player* that have an hour to keep, by that hour."""
    return sorted((one for one in games(office, player) if one.due), key=lambda one: one.due or 0)


def calendar_file(office: Office, player: Player) -> bytes:
    """The hours of *player* in all his games, as a file that calendars fetch."""
    entries: list[Deadline] = []
    for one in deadlines(office, player):
        with office.read() as connection:
            dossier = dossiers.load(office, connection, one.campaign)
            owes = calendar.owing(office, connection, dossier)
        entries += calendar.hours(office, dossier, one.role, owes=owes, at=office.now())
    return calendar_of(entries)


def campaigns_of(office: Office, player: Player) -> list[tuple[CampaignId, Role, Dossier]]:
    """The games of *player* that are his to write in."""
    found = []
    with office.read() as connection:
        for dossier in dossiers.played_by(office, connection, player.id):
            if not dossier.campaign.copied:
                found += [(dossier.id, role, dossier) for role in dossier.campaign.roles_of(player.id)]
    return found
