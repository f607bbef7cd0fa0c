"""What one transaction enters in the books: events, and all that must stand or fall with them.

Build an entry from a dossier; then, in a write transaction, `commit` it.  Nothing of it is in the database
before, and all of it after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.desk.dossiers import Dossier, log_of
from pbem.desk.office import HOUR, Office
from pbem.desk.signing import signed
from pbem.desk.worlds import AnyWorld, keep_snapshot
from pbem.kernel.dice import promise
from pbem.kernel.event import Event
from pbem.kernel.names import CampaignId, Moment, PlayerId
from pbem.kernel.office import Promises
from pbem.mail.compose import Draft, compose
from pbem.storage import blobs, outbox, secrets
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.outbox import Kind

ANSWERS_A_DAY = 60
"""So many receipts and other answers to one person in 24 hours."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A mail that is owed, once for its *cause*; *player* None is the GM."""

    player: PlayerId | None
    kind: Kind
    cause: str
    draft: Draft
    expires_at: int | None = None


@dataclass(slots=True)
class Entry:
    """One entry in the books of a campaign; *dossier* is the campaign with all that the entry has so far."""

    dossier: Dossier
    at: int
    actor: str
    events: list[tuple[Moment, Event]] = field(default_factory=list)
    blobs: list[bytes] = field(default_factory=list)
    seeds: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    mails: list[Owed] = field(default_factory=list)
    worlds: list[tuple[Dossier, AnyWorld]] = field(default_factory=list)

    def add(self, moment: Moment, *events: Event) -> None:
        """Enter *events* of *moment*."""
        new = [(moment, event) for event in events]
        self.dossier = self.dossier.after(new, at=self.at, actor=self.actor)
        self.events += new

    def keep(self, data: bytes) -> str:
        """Keep *data*; gives its digest."""
        self.blobs.append(data)
        return digest_of(data)

    def promise(self, place: str, seeds: tuple[bytes, bytes]) -> Promises:
        """Keep two fresh seeds for *place* (`muster`, `5B`); gives what may be published of them."""
        open_seed, closed_seed = seeds
        self.seeds.append((place, open_seed, closed_seed))
        return Promises(promise(open_seed), promise(closed_seed))

    def remember(self, world: AnyWorld) -> None:
        """Keep *world* as that at the end of what was entered so far."""
        self.worlds.append((self.dossier, world))

    def owe(self, mails: Sequence[Owed]) -> None:
        """Owe *mails*."""
        self.mails += mails


def hash_at(office: Office, connection: Connection, entry: Entry, seq: int) -> str:
    """The hash of event *seq* of the log, also of one that *entry* will write."""
    dossier = entry.dossier
    log = log_of(office, connection, dossier.system)
    before = dossier.seq - len(entry.events)
    if seq <= before:
        return log.hash_at(dossier.id, seq) or ""
    new = entry.events[: seq - before]
    return log.hashes(dossier.id, new, expecting=before, at=entry.at, actor=entry.actor)[-1]


def commit(office: Office, connection: Connection, entry: Entry) -> None:
    """Write *entry* down.

    :raises StaleLog: if the log has grown since its dossier was read.
    """
    dossier, at = entry.dossier, entry.at
    for data in entry.blobs:
        blobs.keep(connection, data, at=at)
    for place, open_seed, closed_seed in entry.seeds:
        secrets.keep(connection, dossier.id, place, open_seed=open_seed, closed_seed=closed_seed, at=at)
    expecting = dossier.seq - len(entry.events)
    log_of(office, connection, dossier.system).append(
        dossier.id, entry.events, expecting=expecting, at=at, actor=entry.actor
    )
    for held, world in entry.worlds:
        keep_snapshot(office, connection, held, world)
    for owed in entry.mails:
        owe(office, connection, dossier.id, owed, at=at, mails=not dossier.opened.forked)


def owe(
    office: Office, connection: Connection, campaign: CampaignId, owed: Owed, *, at: int, mails: bool = True
) -> bool:
    """Put one mail into the outbox, never to leave if nothing *mails* here; says whether it was not owed before.

    Nobody gets more than `ANSWERS_A_DAY`: two machines that answer each other come to an end.
    """
    day_before = at - 24 * HOUR
    if owed.player and owed.kind == "receipt":
        answered = outbox.counted(connection, owed.player, "receipt", since=day_before)
        if answered >= ANSWERS_A_DAY:
            return False
    draft = owed.draft
    digest = blobs.keep(connection, signed(office, compose(draft), draft.date), at=at)
    mail, new = outbox.queue(
        connection,
        office.fresh_id(),
        campaign=campaign,
        player=owed.player,
        kind=owed.kind,
        cause=owed.cause,
        message_id=draft.message_id,
        subject=draft.subject,
        digest=digest,
        at=at,
        expires_at=owed.expires_at,
    )
    if new and not (office.mails and mails):
        outbox.drop(connection, mail.id, why=f"this {'office' if mails else 'fork'} never mails")
    return new
