"""Which roles need no player: the rules of the game lead them (`System.staff`)."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.kernel.names import Role
from pbem.kernel.owed import Call, Pause


def directive(dossier: Dossier, *roles: Role, played: bool) -> str:
    """What has the rules lead *roles*, or (*played*) players again; empty: one of them must have a player."""
    system = dossier.system
    return system.staff(dossier.scene, roles, played) if system.staff is not None else ""


def lacking(dossier: Dossier) -> list[Role]:
    """Who must have a player before play can begin, and has none."""
    there = dossier.campaign.players
    return [role for role in dossier.roles if role not in there and not directive(dossier, role, played=False)]


def led(dossier: Dossier) -> list[Role]:
    """Who has no player and needs none."""
    there = dossier.campaign.players
    return [role for role in dossier.roles if role not in there and directive(dossier, role, played=False)]


def awaited(dossier: Dossier, pause: Pause) -> tuple[Call, ...]:
    """The calls that are waited for: of a role that has lost its player since, and needs none, no more is owed."""
    free = led(dossier)
    return tuple(call for call in pause.calls if call.must and call.role not in free)


def missing(dossier: Dossier, pause: Pause) -> tuple[Role, ...]:
    """Who is waited for and has no sheet."""
    standing = {role for (at, role), sheet in dossier.campaign.sheets.items() if at == pause.moment and not sheet.kept}
    return tuple(call.role for call in awaited(dossier, pause) if call.role not in standing)
