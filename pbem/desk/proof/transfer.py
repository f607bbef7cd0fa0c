"""A campaign is carried to another office, or copied beside itself.

The file of it (`exported`) is signed by the office.  Without more being said it holds no address, no letter and no
seed; what was revealed stands in the log.

A fork is the same campaign under another name, up to where an exchange was run: to see what another order, another
ruling or other rules could come to.  It never mails, and no letter reaches it.

Neither is played on with the dice that were promised (`renewal`), and the campaign logs that the copy was made.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import astuple, replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier, log_of
from pbem.desk.books.seeds import promises_of
from pbem.desk.office.office import Office, public_key, signing_key
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players.renewal import announce, renew
from pbem.desk.post.addresses import is_ours
from pbem.desk.post.entries import Entry, commit
from pbem.desk.proof.carried import person, see_campaign
from pbem.desk.proof.exported import (
    FORMAT,
    BadFile,
    Bytes,
    Happened,
    Head,
    Line,
    Seeds,
    Signature,
    Somebody,
    encoded,
    read,
    signed,
    wrong,
)
from pbem.desk.turns import adjudicate
from pbem.kernel.dice import SEED_BYTES
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.event import Event
from pbem.kernel.names import CampaignId, Moment, PlayerId
from pbem.kernel.office import (
    CampaignEnded,
    CampaignForked,
    CampaignOpened,
    CampaignUpgraded,
    CandidateSigned,
    ExchangeResolved,
    Forked,
    HaltAsked,
    MessageReceived,
    ObserverAdmitted,
    PlayerEnrolled,
    PlayerReplaced,
    ReportIssued,
    SeedsExported,
    StandInNamed,
)
from pbem.mail.reading.naming import for_machines
from pbem.storage import players, secrets, stored
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.stored import Blob


class Imported(Struct, frozen=True, kw_only=True):
    """What came with a file."""

    campaign: CampaignId
    events: int
    seeds: int
    strangers: tuple[PlayerId, ...]
    """Players who are known here by their id alone: letters cannot reach them."""
    office: str
    """What the office calls itself that wrote the file."""
    key: str
    """The public part of the key that signed it; empty for a file of an earlier format, which bears no signature."""
    own: bool
    """Whether that is the key of the office that takes it in."""
    renewed: Moment | None = None
    """The exchange that is open; it has new seeds."""


def export(
    office: Office, campaign: str, *, seeds: bool = False, people: bool = False, letters: bool = False
) -> Iterator[bytes]:
    """The lines of a file that holds *campaign*.

    Its *seeds*, the names and addresses of *people*, and the *letters* as they came are in it only if that is said.
    That its seeds were, it logs itself, until all are revealed.

    :raises UnknownCampaign: if there is none of that name.
    :raises Refused: if the key of the office cannot be read.
    """
    return signed(_lines(office, campaign, seeds=seeds, people=people, letters=letters), signing_key(office))


def _lines(office: Office, campaign: str, *, seeds: bool, people: bool, letters: bool) -> Iterator[bytes]:
    if seeds:
        with office.write() as connection:
            dossier = dossiers.load(office, connection, campaign)
            promised = dossier.campaign.started or dossier.opened.muster
            if promised and not dossier.campaign.ended:
                entry, now = Entry(dossier, office.now(), office.by), dossier.campaign.now or SET_UP
                entry.add(now, SeedsExported(moment=now))
                commit(office, connection, entry)
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        last = log_of(office, connection, dossier.system).head(dossier.id)
        yield encoded(Head(FORMAT, dossier.id, last.seq, last.hash, office.settings.name))
        for digest in _digests(dossier, letters=letters):
            kept = stored.blob(connection, digest)
            if kept is not None:
                data = None if kept.data is None else base64.b64encode(kept.data).decode()
                yield encoded(Bytes(kept.sha256, kept.size, kept.created_at, data))
        for id in _people(dossier):
            who = players.get(connection, id)
            yield encoded(Somebody(id, who.name, who.address, who.zone, who.created_at) if people else Somebody(id))
        if seeds:
            for one in secrets.listing(connection, dossier.id):
                yield encoded(Seeds(one.place, one.open.hex(), one.closed.hex(), one.made_at))
        for row in stored.rows(connection, dossier.id):
            yield encoded(Happened(*astuple(row)))


def take_in(office: Office, lines: Iterable[bytes], name: str) -> Imported:
    """Take in a campaign from the *lines* of the file *name*: all of it, to the same hashes, or nothing.

    :raises Refused: if there is a campaign of its name, or the file is not whole or not as it was signed; naming the
        line.
    """
    with office.write(whole=True) as connection:
        reading = _Reading(office, connection, name)
        try:
            for number, line in read(lines, name):
                reading.take(number, line)
        except BadFile as bad:
            raise Refused(f"{bad}  Nothing was taken in.") from None
        imported = reading.end()
        unread = _unread(office)
        try:
            entry = Entry(dossiers.load(unread, connection, imported.campaign), office.now(), office.by)
            see_campaign(entry.dossier)
        except PbemError as error:
            raise Refused(f"{name}: its log cannot be read here: {error}") from None
        if renewed := renew(unread, connection, entry, "imported"):
            announce(connection, entry)
        commit(unread, connection, entry)
    return replace(imported, renewed=renewed)


def fork(
    office: Office, campaign: str, name: str, *, at: Moment | None = None, with_installed: bool = False
) -> Dossier:
    """Copy *campaign* under another *name*, up to before *at* was run (None: all of it).

    *with_installed* pins the copy to the rules that are installed.

    :raises Refused: if the name is taken or cannot be one, or there is no such exchange.
    """
    id = CampaignId(for_machines(name, "campaign"))
    now = office.now()
    with office.write(whole=True) as connection:
        dossier = dossiers.load(office, connection, campaign)
        if dossiers.is_there(connection, id):
            raise Refused(f'there is a campaign "{id}" in this office already.')
        end = dossier.seq if at is None else _before(dossier, at)
        log = log_of(office, connection, dossier.system)
        for recorded in dossier.log[:end]:
            event: Event = recorded.event
            if isinstance(event, CampaignOpened):
                begun = dossier.campaign.started and dossier.campaign.started <= end
                muster = event.muster if begun else None  # the field of a copy is set up with dice of its own
                event = replace(event, campaign=id, forked=Forked(dossier.id, end), muster=muster)
            log.append(
                id,
                [(recorded.moment, event)],
                expecting=recorded.seq - 1,
                at=recorded.at,
                actor=recorded.actor,
            )
        if with_installed:
            upgraded = CampaignUpgraded(
                version=dossier.system.version,
                content=dossiers.installed(office, dossier.system),
                reason=f"a fork of {dossier.id}, to see what the installed rules decide",
            )
            moment = dossier.log[end - 1].moment
            log.append(id, [(moment, upgraded)], expecting=end, at=now, actor=office.by)
        unread = _unread(office)
        copy = Entry(dossiers.load(unread, connection, id), now, office.by)
        _keep_thrown(connection, dossier, copy.dossier)
        renew(unread, connection, copy, "forked")
        commit(unread, connection, copy)
        entry = Entry(dossier, now, office.by)
        entry.add(dossier.campaign.now or SET_UP, CampaignForked(copy=id, upto=end))
        commit(office, connection, entry)
    with office.read() as connection:
        return dossiers.load(office, connection, id)


def _unread(office: Office) -> Office:
    """The office, with nothing kept of what it has read: what is not committed yet is not to be kept."""
    return Office(office.folder, office.settings, office.engine, office.now, office.chance, office.mails)


def _keep_thrown(connection: Connection, dossier: Dossier, copy: Dossier) -> None:
    """Keep for *copy* the seeds of *dossier* with which it has thrown: not those of what is still open in it."""
    thrown = {promises for _, promises in promises_of(copy)}
    now = copy.campaign.exchange
    if now and now.state == "open":
        thrown.discard(now.promises)
    for one in secrets.listing(connection, dossier.id):
        if one.promises in thrown:
            secrets.keep(connection, copy.id, one.place, open_seed=one.open, closed_seed=one.closed, at=one.made_at)


class _Reading:
    """A file being taken in."""

    def __init__(self, office: Office, connection: Connection, name: str) -> None:
        self._office, self._connection, self._name = office, connection, name
        self._number = 0
        self._head: Head | None = None
        self._key = ""
        self._seeds = 0
        self._strangers: list[PlayerId] = []

    def take(self, number: int, line: Line) -> None:
        """Take one line in."""
        self._number = number
        match line:
            case Head():
                self._begin(line)
            case Bytes():
                self._blob(line)
            case Somebody():
                self._player(line)
            case Seeds():
                self._keep_seeds(line)
            case Happened():
                stored.write(self._connection, [line])
            case Signature(key=key):
                self._key = key

    def end(self) -> Imported:
        """What has come."""
        assert self._head
        return Imported(
            campaign=self._head.campaign,
            events=self._head.events,
            seeds=self._seeds,
            strangers=tuple(self._strangers),
            office=self._head.office,
            key=self._key,
            own=bool(self._key) and self._key == public_key(self._office, self._connection),
        )

    def _begin(self, head: Head) -> None:
        if dossiers.is_there(self._connection, head.campaign):
            raise Refused(f'there is a campaign "{head.campaign}" in this office, and nothing is written over.')
        self._head = head

    def _blob(self, line: Bytes) -> None:
        data = None
        if line.data is not None:
            try:
                data = base64.b64decode(line.data, validate=True)
            except binascii.Error as error:
                raise self._wrong(f"the bytes are no base64: {error}") from None
            if (digest_of(data), len(data)) != (line.sha256, line.size):
                raise self._wrong("the bytes do not fit their digest")
        stored.keep_blob(self._connection, Blob(line.sha256, line.size, line.created_at, data))

    def _player(self, line: Somebody) -> None:
        line = person(line)
        if line.address and is_ours(self._office, line.address):
            raise self._wrong(f"{line.address} is the office's own address, and no player's")
        if line.address and players.by_address(self._connection, line.address):
            # Somebody here writes from it: he is one person, and this is another id of his.
            line = replace(line, address=None)
        if stored.keep_person(self._connection, line) and line.address is None:
            self._strangers.append(line.id)

    def _keep_seeds(self, line: Seeds) -> None:
        assert self._head
        try:
            open_seed, closed_seed = bytes.fromhex(line.open), bytes.fromhex(line.closed)
        except ValueError:
            raise self._wrong("a seed is no hexadecimal") from None
        if not len(open_seed) == len(closed_seed) == SEED_BYTES:
            raise self._wrong(f"a seed has {SEED_BYTES} bytes")
        secrets.keep(
            self._connection,
            self._head.campaign,
            line.place,
            open_seed=open_seed,
            closed_seed=closed_seed,
            at=line.made_at,
        )
        self._seeds += 1

    def _wrong(self, why: str) -> BadFile:
        return wrong(self._name, self._number, why)


def _digests(dossier: Dossier, *, letters: bool) -> list[str]:
    """The blobs that the log names, each once: scene, views, pages, and letters if they are wanted."""
    found: dict[str, None] = {}
    for recorded in dossier.log.own:
        match recorded.event:
            case CampaignOpened(scene=scene):
                found[scene] = None
            case ExchangeResolved(views=views) | HaltAsked(views=views):
                found |= dict.fromkeys(views.values())
            case ReportIssued(view=view, page=page):
                found |= {view: None, page: None}
            case CampaignEnded(opened=opened, replay=replay):
                found |= dict.fromkeys(filter(None, (opened, replay)))
            case MessageReceived(digest=digest) if letters:
                found[digest] = None
    return list(found)


def _people(dossier: Dossier) -> list[PlayerId]:
    """Everybody who ever played, wished to, was asked to stand in for another, or looked on."""
    found: dict[PlayerId, None] = {}
    for recorded in dossier.log.own:
        match recorded.event:
            case PlayerEnrolled(player=who) | PlayerReplaced(player=who) | ObserverAdmitted(player=who):
                found[who] = None
            case CandidateSigned(player=who) | StandInNamed(stand_in=who):
                found[who] = None
    return list(found)


def _before(dossier: Dossier, at: Moment) -> int:
    """The last event before *at* was run; the last of all if it is open."""
    exchange = dossier.exchange(at)
    return dossier.seq if exchange.state == "open" else adjudicate.began(dossier, exchange) - 1
