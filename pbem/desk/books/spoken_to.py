"""In which language a person is spoken to where no game says it."""

from __future__ import annotations

from contextlib import suppress

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.kernel.errors import PbemError
from pbem.kernel.names import PlayerId
from pbem.reports.text.speech import ENGLISH
from pbem.storage.database import Connection


def language_of(office: Office, connection: Connection, player: PlayerId, campaign: str = "") -> str:
    """The language of *player*: of his role in a *campaign*, else what he has chosen anywhere, else of any game."""
    if campaign:
        with suppress(PbemError):  # there may be no such game
            here = dossiers.load(office, connection, campaign).campaign
            if own := here.roles_of(player):
                return here.language(own[0])
    mine = [one.campaign for one in dossiers.played_by(office, connection, player)]
    roles = [(one, role) for one in mine for role in one.roles_of(player)]
    chosen = [one.languages[role] for one, role in roles if role in one.languages]
    return next(iter((*chosen, *(one.language(role) for one, role in roles))), ENGLISH)
