"""Everything that the office has on one campaign, read at one time: its system, its scene, its log, what the log tells.

Load it at the beginning of a transaction, before anything is appended: what is loaded is kept for the next
time, and a log only grows.  `Dossier.after` is the same campaign some events on, before they are committed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

from msgspec.structs import replace as changed

from pbem.desk.books.record import Record, Stored, owned
from pbem.desk.library.readied import READYING, loaded
from pbem.desk.library.scenarios import files_of
from pbem.desk.office.office import Office
from pbem.kernel.campaign import Campaign
from pbem.kernel.errors import BrokenLog, Refused, UnknownCampaign, UnknownRole
from pbem.kernel.event import Event, Recorded
from pbem.kernel.exchange import Exchange
from pbem.kernel.log import valid
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import CampaignOpened, ExchangeAnnulled
from pbem.kernel.step import campaign_of, step
from pbem.rules import registry
from pbem.rules.contract import AnySystem, World
from pbem.storage import blobs
from pbem.storage.codec import Codec
from pbem.storage.database import Connection
from pbem.storage.log import SqlLog


class Ground:
    """What a campaign is played on and by.  Most of what is asked of a campaign asks for none of it."""

    def __init__(self, office: Office, opened: CampaignOpened) -> None:
        self._office, self._opened = office, opened

    @cached_property
    def system(self) -> AnySystem:
        """The rules."""
        return loaded(self._opened.system)

    @cached_property
    def scene(self) -> Any:
        """What they made of the scenario; all campaigns that are played on it have the same."""
        shared = self._shared()
        if "scene" not in shared:
            with self._office.read() as connection:
                files = files_of(blobs.fetch(connection, self._opened.scene))
            with READYING:
                shared["scene"] = self.system.scene(files)
        return shared["scene"]

    @cached_property
    def blank(self) -> World[Any, Any]:
        """The world before anything came to pass; all campaigns that begin alike have the same."""
        scene = self.scene
        shared = self._shared(repr(sorted(self._opened.options.items())))
        if "blank" not in shared:
            shared["blank"] = self.system.blank(scene, self._opened.options)
        blank: World[Any, Any] = shared["blank"]
        return blank

    def _shared(self, options: str = "") -> MutableMapping[str, Any]:
        return self._office.kept_of("scenes", f"{self._opened.scene}/{self._opened.system}/{options}")

    def read(self) -> World[Any, Any]:
        """Read all of it now, before a transaction in which nobody is to wait for it; gives the blank world."""
        return self.blank

    def codec(self) -> Codec:
        """Reads and writes the events of the campaign."""
        return _codec(self._office, self.system)


@dataclass(frozen=True, slots=True)
class Dossier:
    """One campaign, as its log stood when it was read."""

    opened: CampaignOpened
    ground: Ground
    log: Record
    """All of it."""
    campaign: Campaign
    own: tuple[Recorded, ...] = ()
    """Of what is valid, that which is no fact of the game: what most of the desk asks for, however long the log."""
    annulments: tuple[Recorded, ...] = ()
    """Every annulment, in order."""

    @property
    def system(self) -> AnySystem:
        """The rules."""
        return self.ground.system

    @property
    def scene(self) -> Any:
        """What its rules made of the scenario."""
        return self.ground.scene

    @property
    def blank(self) -> World[Any, Any]:
        """The world before anything came to pass."""
        return self.ground.blank

    @property
    def id(self) -> CampaignId:
        """The name of the campaign."""
        return self.opened.campaign

    @property
    def seq(self) -> int:
        """Where the log ends."""
        return len(self.log)

    @property
    def title(self) -> str:
        """What the game is called on its pages; of a copy that was cut from a backup they say what it is."""
        return f"{self.opened.title} (a copy, cut)" if self.campaign.cut else self.opened.title

    @property
    def valid(self) -> tuple[Recorded, ...]:
        """The log without what was annulled; all of it is read for this."""
        return self.log.valid

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
        facts = self.log.facts(after, self.seq if upto is None else upto)
        return tuple(one for one in facts if not self.voided_by(one.seq)) if self.annulments else facts

    def voided_by(self, seq: int) -> int:
        """The annulment that made event *seq* void, if it is one that an annulment does; 0: none has."""
        since = ((one.event.since, one.seq) for one in self.annulments if isinstance(one.event, ExchangeAnnulled))
        return next((by for first, by in since if first <= seq < by), 0)

    def after(self, events: Sequence[tuple[Moment, Event]], *, at: int, actor: str) -> Dossier:
        """The same campaign after *events*."""
        new = tuple(
            Recorded(seq, at, actor, moment, event) for seq, (moment, event) in enumerate(events, start=self.seq + 1)
        )
        return extended(self, new)

    def upto(self, seq: int) -> Dossier:
        """The same campaign as it stood after event *seq*."""
        return _told_anew(self, self.log.upto(seq))


def extended(dossier: Dossier, new: Sequence[Recorded]) -> Dossier:
    """The dossier with the events *new* at its end."""
    return _grown(dossier, dossier.log.then(new), owned(new)) if new else dossier


def _grown(dossier: Dossier, log: Record, new: Sequence[Recorded]) -> Dossier:
    """The dossier of the same campaign that *log* tells of, to which *new* came that is no fact of the game."""
    if any(isinstance(one.event, ExchangeAnnulled) for one in new):
        return _told_anew(dossier, log)
    campaign = dossier.campaign
    for recorded in new:
        campaign = step(campaign, recorded)
    return replace(dossier, log=log, own=(*dossier.own, *new), campaign=changed(campaign, last_seq=len(log)))


def _told_anew(dossier: Dossier, log: Record) -> Dossier:
    """The dossier of the same campaign that *log* tells of."""
    annulments = tuple(one for one in log.own if isinstance(one.event, ExchangeAnnulled))
    campaign = changed(campaign_of(log.own), last_seq=len(log))
    return replace(dossier, log=log, own=tuple(valid(log.own)), campaign=campaign, annulments=annulments)


def load(office: Office, connection: Connection, campaign: str) -> Dossier:
    """The dossier of *campaign* as it stands in the database.

    :raises UnknownCampaign: if there is none of that name.
    :raises UnknownSystem: if its rules are not installed.
    """
    id = CampaignId(campaign)
    connection.alone(id)
    kept = office.kept_of("campaigns", id)
    held: Dossier | None = kept.get("dossier")
    log = SqlLog(connection, _office_codec())
    end = log.head(id).seq
    if held is None or held.seq > end:
        held = _open(office, connection, id)
    if end > held.seq:
        new = tuple(log.read(id, after=held.seq, upto=end, which="own"))
        held = _grown(held, held.log.grown(end, new), new)
    if not log.has_grown(id):
        # What was written just now may yet be taken back, and others write in its place.
        kept["dossier"] = held
    return held


def is_committed(office: Office, dossier: Dossier, upto: int) -> bool:
    """Whether what *dossier* tells up to event *upto* is nothing that a transaction may still take back."""
    read: Dossier | None = office.kept_of("campaigns", dossier.id).get("dossier")
    if read is None or upto > read.seq or read.annulments != dossier.annulments:
        return False
    # What was written meanwhile has the numbers of what was not.
    return _last(read, upto) == _last(dossier, upto)


def _last(dossier: Dossier, upto: int) -> Recorded | None:
    """The last event up to *upto* that is no fact of the game."""
    place = bisect_right(dossier.own, upto, key=attrgetter("seq"))
    return dossier.own[place - 1] if place else None


def log_of(office: Office, connection: Connection, system: AnySystem) -> SqlLog:
    """The log of the office, of which the kinds of one system can be read and written."""
    return SqlLog(connection, _codec(office, system))


def campaigns(connection: Connection) -> list[CampaignId]:
    """The names of all campaigns of the office."""
    return SqlLog(connection, _office_codec()).campaigns()


def beginning(connection: Connection, first: str) -> list[CampaignId]:
    """The names of the campaigns that begin with the letters *first*."""
    return SqlLog(connection, _office_codec()).beginning(first)


def those_there(connection: Connection, names: Iterable[str]) -> set[CampaignId]:
    """Those of *names*, which anybody may have written, that are names of campaigns; none is opened."""
    return SqlLog(connection, _office_codec()).those_there(names)


def is_there(connection: Connection, name: str) -> bool:
    """Whether there is a campaign of that name."""
    return bool(those_there(connection, [name]))


def opened(office: Office, connection: Connection, names: Iterable[CampaignId]) -> list[Dossier]:
    """Those of the campaigns that can be opened: one whose rules are missing keeps nobody from the others.

    Why it cannot be opened it says where it is asked for by its name, and to the GM by the look at the clock.
    """
    return sorted_out(office, connection, names)[0]


def sorted_out(
    office: Office, connection: Connection, names: Iterable[CampaignId]
) -> tuple[list[Dossier], dict[CampaignId, str]]:
    """The campaigns that can be opened; and by their names, why the others cannot."""
    found: list[Dossier] = []
    closed: dict[CampaignId, str] = {}
    for name in names:
        try:
            found.append(load(office, connection, name))
        except (Refused, BrokenLog) as error:
            closed[name] = str(error)
    return found, closed


def names_played(connection: Connection, player: PlayerId) -> list[CampaignId]:
    """The names of the campaigns in which *player* has or had a role, or a part as a stand-in; none is opened."""
    return SqlLog(connection, _office_codec()).played(player)


def played_by(office: Office, connection: Connection, player: PlayerId, *, every: bool = False) -> list[Dossier]:
    """The campaigns in which *player* has or had a role, or a part as a stand-in, by name; no other is opened.

    Without those that cannot be, unless *every* one matters.

    :raises PbemError: if every one is asked for, and one cannot be opened.
    """
    names = names_played(connection, player)
    return [load(office, connection, name) for name in names] if every else opened(office, connection, names)


def parts(connection: Connection) -> dict[tuple[CampaignId, Role], PlayerId]:
    """Who fills which role, in all campaigns by name; none is opened."""
    return SqlLog(connection, _office_codec()).parts()


def installed(office: Office, system: AnySystem) -> str:
    """The hash of the rules of *system* as they are installed."""
    key = f"content/{system.name}"
    if key not in office.kept:
        office.kept[key] = registry.content_hash(system)
    content: str = office.kept[key]
    return content


def alike(office: Office, system: AnySystem) -> frozenset[str]:
    """The hashes of all rules of *system* that decide as those installed: their own, and those they continue."""
    key = f"continued/{system.name}"
    if key not in office.kept:
        office.kept[key] = registry.continued(system)
    earlier: frozenset[str] = office.kept[key]
    return earlier | {installed(office, system)}


def _codec(office: Office, system: AnySystem) -> Codec:
    key = f"codec/{system.name}"
    codec: Codec | None = office.kept.get(key)
    if codec is None:
        codec = office.kept[key] = Codec(system.facts)
    return codec


def _open(office: Office, connection: Connection, id: CampaignId) -> Dossier:
    logs = SqlLog(connection, _office_codec())
    first = next(logs.read(id, upto=1), None)
    if first is None or not isinstance(first.event, CampaignOpened):
        raise UnknownCampaign(id, tuple(logs.campaigns()))
    opened = first.event
    registry.see(opened.system)
    ground = Ground(office, opened)
    return Dossier(opened, ground, Record(Stored(office, id, ground.codec), 0, ()), Campaign())


def _office_codec() -> Codec:
    """Reads the events that every campaign has."""
    with READYING:
        return _made_once()


@cache
def _made_once() -> Codec:
    return Codec()
