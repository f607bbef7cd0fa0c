"""Who plays what."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier, campaigns, load
from pbem.desk.office.office import Office
from pbem.kernel.names import CampaignId, Role
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player


def people(connection: Connection, dossier: Dossier) -> dict[Role, Player | None]:
    """For each role of the campaign, in their order, who fills it."""
    filled = dossier.campaign.players
    return {role: players.get(connection, filled[role]) if role in filled else None for role in dossier.roles}


def parts(office: Office, campaign: str | None = None) -> list[tuple[Player, list[tuple[CampaignId, Role]]]]:
    """Every person of the office with what he plays; of one *campaign*, only those who play in it.

    :raises UnknownCampaign: if there is none of that name.
    """
    with office.read() as connection:
        names = [campaign] if campaign else campaigns(connection)
        played = [load(office, connection, name).campaign for name in names]
        found = [
            (who, [(told.id, role) for told in played for role in told.roles_of(who.id)])
            for who in players.listing(connection)
        ]
    return [(who, roles) for who, roles in found if roles or campaign is None]
