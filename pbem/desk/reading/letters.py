"""The letters of a role: to and from other roles and the umpire; and the questions that it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from pbem.desk.books import correspondence, dossiers
from pbem.desk.books.correspondence import ALL, SIDE, Letter, addressees, whom
from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import diary
from pbem.desk.office.office import GM, Office
from pbem.desk.post import calendar
from pbem.desk.reading.games import Mine, games
from pbem.kernel.names import CampaignId, PlayerId, Role
from pbem.kernel.office import LetterSent, QueryPut
from pbem.mail.leaving.calendar import Deadline, calendar_of
from pbem.reports.text.speech import phrase, phrase_later
from pbem.storage.players import Player

Way = Literal["to", "from"]
HIMSELF = phrase_later("yourself")
"""To whom a note of the diary is."""


_UMPIRE = phrase_later("umpire")


class Written(Struct, frozen=True):
    """A letter, as one role has it."""

    at: int
    way: Way
    """To somebody, or from him."""
    who: str
    """The other; empty: it is not said who wrote."""
    text: str
    readers: str = ""
    """Of a letter from somebody, to whom it went, where it went to several and its reader is told."""


class Post(Struct, frozen=True, kw_only=True):
    """All letters of a role, and to whom it may write."""

    letters: tuple[Written, ...]
    """The newest first."""
    questions: tuple[QueryPut, ...]
    others: tuple[str, ...]
    """To whom it may write besides the umpire: roles, all of them, sides; nobody, if the game or its terms do not let
    it."""
    unsigned: bool
    """Whether it may leave its name away."""

    @property
    def several(self) -> tuple[str, ...]:
        """Of the roles to whom it may write those that may have a letter together; none, where there is but one."""
        roles = tuple(one for one in self.others if one != ALL and not one.startswith(SIDE))
        return roles if len(roles) > 1 else ()


def post(dossier: Dossier, role: Role, player: PlayerId) -> Post:
    """The letters of *role*, and what *player*, who looks at them, wrote for himself or to the umpire.

    What another wrote to the umpire, who has or had the role too, was not for him.
    """
    notes = diary.notes(dossier, role, player)
    found = [
        *_to_umpire(dossier, role, player),
        *((seq, Written(at, "to", phrase(HIMSELF), note.text)) for seq, at, _, note in notes),
        *(written for one in correspondence.letters(dossier.log.own) for written in _written(one, role)),
    ]
    press = dossier.campaign.terms.press
    carries = not dossier.system.carries_letters and press != "none" and not dossier.campaign.ended
    held, roles = dossier.campaign.players, dossier.roles
    return Post(
        letters=tuple(one for _, one in sorted(found, key=itemgetter(0), reverse=True)),
        questions=tuple(one for one in dossier.campaign.queries.values() if one.to == role),
        others=tuple(one for one in addressees(dossier, role) if one in held or one not in roles) if carries else (),
        unsigned=press == "grey",
    )


def _to_umpire(dossier: Dossier, role: Role, player: PlayerId) -> Iterator[tuple[int, Written]]:
    holds, since = dossier.campaign.players.get(role) == player, dossier.campaign.since.get(role, 0)
    for one in dossier.log.own:
        if not (isinstance(one.event, LetterSent) and one.event.to is None and one.event.sender == role):
            continue
        # What the GM handed in is of the player who had the role then.
        by_gm = one.actor.partition("/")[0].partition("#")[0] == GM
        if one.actor == player or (by_gm and holds and one.seq > since):
            yield one.seq, Written(one.at, "to", phrase(_UMPIRE), one.event.text)


def _written(one: Letter, role: Role) -> Iterator[tuple[int, Written]]:
    """A letter between roles, with its place in the log, if *role* wrote it or had it."""
    sent, at = one.sent, one.recorded.at
    if sent.sender == role:
        yield one.recorded.seq, Written(at, "to", whom(sent, one.readers), sent.text)
    elif role in one.readers:
        signed = sent.sender if sent.signed else ""
        yield one.recorded.seq, Written(at, "from", signed, sent.text, whom(sent) if signed and sent.addressed else "")


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
