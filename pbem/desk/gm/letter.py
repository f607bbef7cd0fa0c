"""A letter of the GM to those who play: what he writes goes out by the office, and stands in the log."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.correspondence import ALL as EVERYBODY
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post.entries import Entry, enter, tell
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import LetterSent
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase_later
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player

UMPIRE = Role("umpire")
"""Who writes, in the log."""


def write_to(office: Office, campaign: str, to: str, text: str, *, subject: str = "") -> list[tuple[Role, Player]]:
    """Enter a letter of the GM to the role *to*, or to each, and owe it; *text* is Markdown.

    Gives to whom it goes, and in which role.

    :raises Refused: if it says nothing, there is no such role, nobody plays it, or the campaign never mails.
    """
    said, about = text.strip(), " ".join(subject.split()) or "A letter from the umpire"
    if not said:
        raise Refused("there is nothing to send: the letter is empty.")

    def build(connection: Connection) -> tuple[Entry, list[tuple[Role, Player]]]:
        dossier = dossiers.load(office, connection, campaign)
        if dossier.campaign.copied or not office.mails:
            raise Refused(f"{dossier.id} never mails.")
        held = dossier.campaign.players
        wanted = list(dossier.roles) if to.casefold() == EVERYBODY else [dossier.role(to)]
        roles = [role for role in wanted if role in held]
        if not roles:
            raise Refused(f"nobody plays {wanted[0] if len(wanted) == 1 else 'in'} {dossier.id}.")
        entry = Entry(dossier, office.now(), office.by)
        reached = []
        for role in roles:
            player = players.get(connection, held[role])
            if not player.address:
                raise Refused(f"no address of {player.id}, who plays {role}, is known here.")
            entry.add(dossier.campaign.now or SET_UP, LetterSent(sender=UMPIRE, to=role, text=said))
            notice = Notice(
                campaign=dossier.id,
                subject=f"[{dossier.id}] {about}",
                heading=about,
                body=said,
                foot=phrase_later("To answer: a line that begins   umpire:"),
            )
            tell(entry, role, player, notice, cause=f"from-umpire/{role}/{dossier.seq}")
            reached.append((role, player))
        return entry, reached

    return enter(office, build)
