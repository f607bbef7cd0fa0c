"""The umpire's word on a report: a signed note for one role, on the next page that it is sent."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post.entries import Entry, enter
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import UmpireNoted
from pbem.storage.database import Connection

LONGEST = 4000
"""Characters of a note."""


def note(office: Office, campaign: str, role: str, text: str) -> Role:
    """Enter a note for *role*: it stands on its next report, interim or not, and nobody else learns of it.

    :raises Refused: if there is nothing to say or too much of it, nobody plays *role*, or the game is over.
    """
    said = text.strip()
    if not said:
        raise Refused("there is nothing to note: the text is empty.")
    if len(said) > LONGEST:
        raise Refused(f"the note has {len(said)} characters, and {LONGEST} are the most: write a letter instead.")

    def build(connection: Connection) -> tuple[Entry, Role]:
        dossier = dossiers.load(office, connection, campaign)
        whose = dossier.role(role)
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over: no further report leaves.")
        if whose not in dossier.campaign.players:
            raise Refused(f"nobody plays {whose} in {dossier.id}.")
        entry = Entry(dossier, office.now(), office.by)
        entry.add(dossier.campaign.now or SET_UP, UmpireNoted(role=whose, text=said))
        return entry, whose

    return enter(office, build)
