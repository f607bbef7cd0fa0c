"""The chances of attacks as they stand in a campaign: by what a role knows, or as things truly are."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.desk.sheets import sheets
from pbem.desk.sheets.receipts import standpoint
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Complaint
from pbem.rules import chances
from pbem.rules.chances import Odds

THOROUGH = 200_000
"""So many falls of dice are weighed of an attack before some are thrown: for who waits for it."""


class Found(Struct, frozen=True):
    """What was found of some order lines."""

    role: Role
    moment: Moment
    odds: tuple[Odds, ...]
    complaints: tuple[Complaint, ...]
    """What is wrong with the lines, by what the role knows."""


def odds(office: Office, campaign: str, role: str, lines: Sequence[str], *, truth: bool = False) -> Found:
    """The chances of the attacks that order *lines* of a *role* come to now, if it were to send them.

    They are read by what it knows; *truth*: and reckoned as things are, which is for the GM alone.

    :raises Refused: if there is no such role, it may send nothing now, or the game says nothing of chances.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        system = dossier.system
        if system.chances is None:
            raise Refused(f"{system.title} says nothing of chances.")
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over: nobody attacks any more.")
        at = standpoint(office, connection, dossier, dossier.role(role))
        if at.call is None:
            raise Refused(f"{at.role} may send no orders now.  Who may: pbem turn show {dossier.id}")
        held = world_at(office, connection, dossier).truth if truth else at.mind
        judged = sheets.judge(system, at.scene, at.mind, at.role, "\n".join(lines), at.call)
        found = system.chances.attacks(at.scene, held, at.role, judged.orders)
        return Found(at.role, at.moment, tuple(chances.odds(one, THOROUGH) for one in found), judged.complaints)
