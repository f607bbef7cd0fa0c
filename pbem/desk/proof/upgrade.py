"""A campaign goes over to the rules that are installed, at a turn's border.

What that changes is shown first, on a fork that is never written: all that was played by the rules to which it is
pinned is decided again, each stretch from the log as it stands, and compared fact by fact.  What was played stays as
it is; from the upgrade on the installed rules decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.books.seeds import Pair, promised_for
from pbem.desk.gm.history import what_if
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post.entries import Entry, enter
from pbem.desk.proof.audit import kept_seeds
from pbem.desk.proof.resolving import Difference, decide, first_difference, logged
from pbem.desk.proof.verify import verify
from pbem.desk.worlds.revealed import revealed
from pbem.desk.worlds.walk import Walk, decisions
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import CampaignStarted, CampaignUpgraded, RulesPinned, RulingMade
from pbem.storage.database import Connection


class Stretch(Struct, frozen=True, kw_only=True):
    """Something that was decided, and what the installed rules would have made of it."""

    moment: Moment
    how: Literal["muster", "ruling", "run"]
    facts: int
    difference: Difference | None
    """The first; None: the same."""


class Upgrade(Struct, frozen=True, kw_only=True):
    """An upgrade, made or only shown."""

    campaign: CampaignId
    moment: Moment
    pinned: RulesPinned
    """By which rules it has been played."""
    installed: RulesPinned
    stretches: tuple[Stretch, ...]
    sealed: int
    """How many stretches could not be decided again, for their seeds are not here."""
    would: int | None
    """How many facts the open exchange could come to by the installed rules and some dice; None if none is open."""
    before: int
    """Where the log ended that it was shown upon."""
    seq: int = 0
    """Of `campaign_upgraded`; 0 while it is only shown."""


def upgrade(office: Office, campaign: str, reason: str = "", *, upon: int | None = None, make: bool = False) -> Upgrade:
    """Show what the installed rules would change in *campaign*, or (*make*) go over to them.

    *upon* is where the log must still end: that of the upgrade as it was shown.

    :raises Refused: if it is played by them, a turn has begun, the game is over, the log has grown since, or they
        cannot take the campaign over.
    """
    if make and not reason.strip():
        raise Refused("an upgrade needs a reason: --reason TEXT.  It stands in the log.")

    def build(connection: Connection) -> tuple[Entry, Upgrade]:
        dossier = dossiers.load(office, connection, campaign)
        if upon is not None and dossier.seq != upon:
            raise Refused(f"the log of {dossier.id} has grown since this was shown.  Look again, and upgrade then.")
        shown = _shown(office, connection, dossier)
        entry = Entry(dossier, office.now(), office.by)
        rules = shown.installed
        event = CampaignUpgraded(version=rules.version, content=rules.content, reason=reason.strip())
        entry.add(shown.moment, event)
        return entry, shown

    if make:
        shown = enter(office, build)
        return replace(shown, seq=shown.before + 1)
    with office.read() as connection:
        return build(connection)[1]


def _shown(office: Office, connection: Connection, dossier: Dossier) -> Upgrade:
    pinned, system = dossier.campaign.rules, dossier.system
    assert pinned is not None, "a campaign is pinned when it is opened"
    installed = RulesPinned(system=system.name, version=system.version, content=dossiers.installed(office, system))
    if pinned.content in dossiers.alike(office, system):
        raise Refused(f"{dossier.id} is played by the installed rules already: {system.name} {system.version}.")
    _see_border(dossier)
    _see_fold(office, dossier)
    found = list(_again(connection, dossier, pinned))
    return Upgrade(
        campaign=dossier.id,
        moment=dossier.campaign.now or SET_UP,
        pinned=pinned,
        installed=installed,
        stretches=tuple(one for one in found if one),
        sealed=found.count(None),
        would=_would(office, connection, dossier) if dossier.campaign.now else None,
        before=dossier.seq,
    )


def _see_border(dossier: Dossier) -> None:
    """See that no turn has been played in part."""
    if dossier.campaign.ended:
        raise Refused(f"{dossier.id} is over: {ending(dossier.campaign.ended)}.")
    now = dossier.campaign.exchange
    if now is None:
        return
    if now.state == "halted":
        raise Refused(
            f"turn {now.moment} is being played, and an upgrade stands between two turns.  Wait for the next."
        )
    if now.state == "resolved":
        raise Refused(f"turn {now.moment} waits to be made known.  First: pbem turn release {dossier.id}")
    played = [
        at for at, one in sorted(dossier.campaign.exchanges.items()) if at.turn == now.moment.turn and one.resolved
    ]
    if played:
        raise Refused(
            f"turn {now.moment.turn} is played in part, and an upgrade stands between two turns.  Wait for the next, "
            f"or take it back first: pbem turn annul {dossier.id} --turn {played[0]} --reason TEXT"
        )


def _see_fold(office: Office, dossier: Dossier) -> None:
    """See that the installed rules read from the log the game that was played."""
    verified = verify(office, dossier.id, fold=True)
    if verified.first:
        raise Refused(
            f"{dossier.id} cannot go over to {dossier.system.name} {dossier.system.version}: event "
            f"{verified.first.seq}: {verified.first.why}.  With the rules that it is pinned to it can be played on."
        )


def _would(office: Office, connection: Connection, dossier: Dossier) -> int:
    """How many facts the open exchange could come to, by dice that are not those to come."""
    try:
        return len(what_if(office, connection, dossier, other=office.fresh_seeds()).resolution.facts)
    except msgspec.ValidationError as error:
        raise Refused(
            f"the installed rules do not read the orders that stand for {dossier.campaign.now}: {error}.  "
            "Let the players withdraw them and send them again after the upgrade."
        ) from None


def _again(connection: Connection, dossier: Dossier, pinned: RulesPinned) -> Iterator[Stretch | None]:
    """Every stretch decided by the rules *pinned* that still stands; None for one whose seeds are not here."""
    kept, known = kept_seeds(connection, dossier), revealed(dossier)
    standing = {one.seq for one in dossier.valid}
    walk = Walk(dossier)
    for decision in decisions(dossier.log):
        walk.to(decision.first - 1)
        rules = walk.now.campaign.rules
        if decision.seq not in standing or rules is None or rules.content != pinned.content:
            continue
        moment, by = dossier.log[decision.seq - 1].moment, decision.by
        if isinstance(by, RulingMade) and not by.facts:
            continue
        promises = by.promises if isinstance(by, CampaignStarted) else promised_for(walk.now.campaign, moment)
        seeds = (kept.get(promises) or known.get(promises, Pair())) if promises else Pair()
        if not isinstance(by, RulingMade) and None in (seeds.open, seeds.closed):
            yield None
            continue
        difference: Difference | None
        try:
            difference = first_difference(logged(walk, decision), decide(walk, decision, seeds), moment, decision.last)
        except PbemError as error:
            difference = Difference(seq=decision.seq, why=str(error), moment=moment)
        yield Stretch(moment=moment, how=decision.how, facts=len(decision.facts), difference=difference)
