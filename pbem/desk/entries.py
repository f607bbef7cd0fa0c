"""What one transaction enters in the books: events, and all that must stand or fall with them.

Build an entry from a dossier; then, in a write transaction, `commit` it.  Nothing of it is in the database
before, and all of it after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.desk import owing
from pbem.desk.dossiers import Dossier, log_of
from pbem.desk.office import Office
from pbem.desk.owing import Answers, Owed
from pbem.desk.post import to_gm
from pbem.desk.signing import signed
from pbem.desk.worlds import AnyWorld, keep_snapshot
from pbem.kernel.dice import promise
from pbem.kernel.event import Event
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import Promises
from pbem.mail.caps import Reply
from pbem.mail.compose import compose
from pbem.storage import answers, blobs, outbox, players, secrets
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection


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
    _owe_all(office, connection, dossier.id, entry.mails, at=at, mails=not dossier.opened.forked)


def owe(office: Office, connection: Connection, campaign: CampaignId, owed: Owed, *, at: int) -> bool:
    """Put one mail into the outbox; says whether it was not owed before."""
    return _owe_all(office, connection, campaign, [owed], at=at, mails=True)


def _owe_all(
    office: Office, connection: Connection, campaign: CampaignId, owed: Sequence[Owed], *, at: int, mails: bool
) -> bool:
    """Put mails into the outbox, never to leave if nothing *mails* here; says whether one was not owed before.

    Nobody gets more answers than `owing.may_leave` allows, those to one letter counted once: two machines that
    answer each other come to an end, and the GM hears of it.
    """
    new = False
    by_reader: dict[str, list[Owed]] = {}
    for one in owed:
        if one.answers is None:
            new |= _queue(office, connection, campaign, one, at=at, mails=mails)
        else:
            by_reader.setdefault(owing.who(office, one), []).append(one)
    for reader, those in by_reader.items():
        reply = owing.may_leave(office, connection, those[0], at=at)
        if reply is Reply.NO:
            if those[0].answers is Answers.PLAYER:
                silence = _silence(office, campaign, those[0], at=at)
                _queue(office, connection, CampaignId(""), silence, at=at, mails=mails)
            continue
        if reply is Reply.LAST:
            those[-1] = owing.as_last(those[-1])
        queued = [_queue(office, connection, campaign, one, at=at, mails=mails) for one in those]
        if any(queued):
            answers.note(connection, reader, at=at)
            new = True
    return new


def _silence(office: Office, campaign: CampaignId, owed: Owed, *, at: int) -> Owed:
    """Tell the GM, once a day for each player, that a letter was not answered."""
    text = (
        f"{owed.draft.to.name or owed.player} has had all the answers that one person gets in 24 hours "
        f"({office.settings.trust.answers}).  What comes from there is taken and not answered: "
        "a machine may be writing.\nSee: pbem mail quarantine list --all\n"
    )
    cause = f"silence/{owed.player}/{at // answers.DAY}"
    return to_gm(office, campaign, "a player is not answered any more today", text, cause=cause, at=at)


def _queue(office: Office, connection: Connection, campaign: CampaignId, owed: Owed, *, at: int, mails: bool) -> bool:
    """Put one mail into the outbox, never to leave if nothing *mails* here; says whether it was not owed before."""
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
    elif new and owed.player and owed.kind != "receipt" and players.get(connection, owed.player).stopped_at is not None:
        outbox.drop(connection, mail.id, why=owing.STOPPED)
    return new
