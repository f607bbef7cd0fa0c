"""A campaign as it stood at a moment, to be played on from there without its letters, its orders and its dice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.gm import history
from pbem.desk.library.scenarios import Scenario, find_scenario
from pbem.desk.office.office import Office
from pbem.desk.worlds import worlds
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.rules.contract import World


class Position(Struct, frozen=True, kw_only=True):
    """Where a campaign stood."""

    said: str
    """Which it is: `stprivat-autumn@4B`, with `as french` if it is what a role knew."""
    scenario: Scenario
    options: Mapping[str, Option]
    world: AnyWorld
    """As things were; of a role's position its mind alone, also where the truth would be."""
    role: Role | None = None


def position(office: Office, named: str, role: str | None = None) -> Position:
    """The position that *named* says: `CAMPAIGN`, as it stands; `CAMPAIGN@4B`, when that had been resolved.

    Of a *role* it is what that knew then, up to the newest report that it had.

    :raises Refused: if there is no such campaign, moment or role, if the game was over then, or if its scenario is
        no more as it was begun.
    """
    campaign, _, at = named.partition("@")
    moment = history.moment_of(office, campaign, at) if at else None
    with office.read() as connection:
        dossier = history.as_of(dossiers.load(office, connection, campaign), moment, None)
    wanted = dossier.role(role) if role else None
    end = dossier.campaign.horizon(wanted) if wanted else dossier.seq
    world = worlds.fold(dossier, dossier.blank, after=0, upto=end)
    over = dossier.system.verdict(world.truth) is not None or dossier.campaign.ended
    if wanted is not None:
        world = World(world.minds[wanted], {wanted: world.minds[wanted]})
    said = f"{dossier.id}{f'@{moment}' if moment else ''}{f' as {wanted}' if wanted else ''}"
    if not dossier.campaign.started:
        raise Refused(f"{dossier.id} has not begun.  Study its scenario: pbem rules study {dossier.opened.scenario}")
    if over:
        raise Refused(f"{said} is over: there is nothing to play on from.  An earlier moment: --from {dossier.id}@3B")
    return Position(
        said=said,
        scenario=_scenario(office.folder, dossier),
        options=dossier.opened.options,
        world=world,
        role=wanted,
    )


def _scenario(folder: Path, dossier: Dossier) -> Scenario:
    opened = dossier.opened
    found = find_scenario(folder, opened.scenario)
    if found.digest != opened.scene:
        raise Refused(f"{opened.scenario} is no more as it was when {dossier.id} was begun.")
    return found
