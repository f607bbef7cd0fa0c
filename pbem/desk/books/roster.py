"""Who plays what."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.office.office import Office
from pbem.kernel.names import CampaignId, PlayerId, Role
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
        if campaign is None:
            filled = dossiers.parts(connection)
        else:
            told = load(office, connection, campaign).campaign
            filled = {(told.id, role): who for role, who in told.players.items()}
        everybody = players.listing(connection)
    his: dict[PlayerId, list[tuple[CampaignId, Role]]] = {}
    for part, who in filled.items():
        his.setdefault(who, []).append(part)
    return [(who, his.get(who.id, [])) for who in everybody if campaign is None or who.id in his]
