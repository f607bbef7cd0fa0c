"""Everything that the office has on one campaign, read at one time: its system, its scene, its log, what the log tells.

Load it at the beginning of a transaction, before anything is appended: what is loaded is kept for the next
time, and a log only grows.  `Dossier.after` is the same campaign some events on, before they are committed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec.structs import replace as changed

from pbem.desk.office import Office
from pbem.desk.scenarios import files_of
from pbem.kernel.campaign import Campaign, Exchange, campaign_of, step
from pbem.kernel.errors import Refused, UnknownCampaign, UnknownRole
from pbem.kernel.event import Event, Outcome, Recorded
from pbem.kernel.log import valid
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import CampaignOpened, ExchangeAnnulled
from pbem.rules import registry
from pbem.rules.contract import AnySystem, World
from pbem.storage import blobs
from pbem.storage.codec import Codec
from pbem.storage.database import Connection
from pbem.storage.log import SqlLog


@dataclass(frozen=True, slots=True)
class Dossier:
    """One campaign, as its log stood when it was read."""

    opened: CampaignOpened
    system: AnySystem
    scene: Any
    blank: World[Any, Any]
    log: tuple[Recorded, ...]
    """All of it."""
    valid: tuple[Recorded, ...]
    """Without what was annulled."""
    campaign: Campaign
    all_facts: tuple[Recorded, ...] = ()
    """Of what is valid, that which came to pass in the game."""
    annulments: tuple[Recorded, ...] = ()
    """Every annulment, in order."""

    @property
    def id(self) -> CampaignId:
        """The name of the campaign."""
        return self.opened.campaign

    @property
    def seq(self) -> int:
        """Where the log ends."""
        return len(self.log)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles of the game, as the scenario lists them."""
        return self.opened.roles

    def role(self, name: str) -> Role:
        """The role *name*, in whatever case.

        :raises UnknownRole: naming those that there are.
        """
        role = Role(name.strip().casefold())
        if role not in self.roles:
            raise UnknownRole(name, self.roles)
        return role

    def exchange(self, moment: Moment | None = None) -> Exchange:
        """The exchange of *moment*, or the one opened last.

        :raises Refused: if there is none.
        """
        if self.campaign.now is None:
            raise Refused(f"{self.id} has not started.  First: pbem campaign start {self.id}")
        found = self.campaign.exchanges.get(moment or self.campaign.now)
        if found is None:
            raise Refused(f"{self.id} has not come to {moment}: it stands at {self.campaign.now}.")
        return found

    def facts(self, *, after: int = 0, upto: int | None = None) -> tuple[Recorded, ...]:
        """What came to pass in the game, with a seq above *after* and not above *upto*."""
        last = self.seq if upto is None else upto
        first = bisect_right(self.all_facts, after, key=attrgetter("seq"))
        return self.all_facts[first : bisect_right(self.all_facts, last, key=attrgetter("seq"))]

    def after(self, events: Sequence[tuple[Moment, Event]], *, at: int, actor: str) -> Dossier:
        """The same campaign after *events*."""
        new = tuple(
            Recorded(seq, at, actor, moment, event) for seq, (moment, event) in enumerate(events, start=self.seq + 1)
        )
        return extended(self, new)

    def upto(self, seq: int) -> Dossier:
        """The same campaign as it stood after event *seq*."""
        return _told_anew(self, self.log[:seq])


def extended(dossier: Dossier, new: Sequence[Recorded]) -> Dossier:
    """The dossier with the events *new* at its end."""
    if not new:
        return dossier
    log = (*dossier.log, *new)
    if any(isinstance(one.event, ExchangeAnnulled) for one in new):
        return _told_anew(dossier, log)
    campaign = dossier.campaign
    for recorded in new:
        campaign = step(campaign, recorded)
    return replace(
        dossier,
        log=log,
        valid=(*dossier.valid, *new),
        campaign=changed(campaign, last_seq=len(log)),
        all_facts=(*dossier.all_facts, *_facts(new)),
    )


def _told_anew(dossier: Dossier, log: tuple[Recorded, ...]) -> Dossier:
    """The dossier of the same campaign that *log* tells of."""
    standing = tuple(valid(log))
    annulments = tuple(one for one in log if isinstance(one.event, ExchangeAnnulled))
    return replace(
        dossier,
        log=log,
        valid=standing,
        campaign=campaign_of(log),
        all_facts=_facts(standing),
        annulments=annulments,
    )


def _facts(log: Sequence[Recorded]) -> tuple[Recorded, ...]:
    return tuple(one for one in log if isinstance(one.event, Outcome))


def load(office: Office, connection: Connection, campaign: str) -> Dossier:
    """The dossier of *campaign* as it stands in the database.

    :raises UnknownCampaign: if there is none of that name.
    :raises UnknownSystem: if its rules are not installed.
    """
    id = CampaignId(campaign)
    key = f"dossier/{id}"
    held: Dossier | None = office.kept.get(key)
    if held is None:
        held = _open(connection, id)
    log = log_of(office, connection, held.system)
    dossier = extended(held, tuple(log.read(id, after=held.seq)))
    office.kept[key] = dossier
    return dossier


def is_committed(office: Office, dossier: Dossier, upto: int) -> bool:
    """Whether what *dossier* tells up to event *upto* is nothing that a transaction may still take back."""
    read: Dossier | None = office.kept.get(f"dossier/{dossier.id}")
    return read is not None and upto <= read.seq and read.annulments == dossier.annulments


def log_of(office: Office, connection: Connection, system: AnySystem) -> SqlLog:
    """The log of the office, of which the kinds of one system can be read and written."""
    key = f"codec/{system.name}"
    codec: Codec | None = office.kept.get(key)
    if codec is None:
        codec = office.kept[key] = Codec(system.facts)
    return SqlLog(connection, codec)


def campaigns(connection: Connection) -> list[CampaignId]:
    """The names of all campaigns of the office."""
    return SqlLog(connection, _office_codec()).campaigns()


def installed(office: Office, system: AnySystem) -> str:
    """The hash of the rules of *system* as they are installed."""
    key = f"content/{system.name}"
    if key not in office.kept:
        office.kept[key] = registry.content_hash(system)
    content: str = office.kept[key]
    return content


def _open(connection: Connection, id: CampaignId) -> Dossier:
    log = SqlLog(connection, _office_codec())
    first = next(log.read(id, upto=1), None)
    if first is None or not isinstance(first.event, CampaignOpened):
        raise UnknownCampaign(id, tuple(log.campaigns()))
    opened = first.event
    system = registry.load(opened.system)
    scene = system.scene(files_of(blobs.fetch(connection, opened.scene)))
    return Dossier(opened, system, scene, system.blank(scene, opened.options), (), (), Campaign())


@cache
def _office_codec() -> Codec:
    """Reads the events that every campaign has."""
    return Codec()
