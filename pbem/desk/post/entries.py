"""What one transaction enters in the books: events, and all that must stand or fall with them.

Build an entry from a dossier; then, in a write transaction, `commit` it.  Nothing of it is in the database
before, and all of it after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier, log_of
from pbem.desk.books.owed import Owed, ShortLetter
from pbem.desk.office.office import Office
from pbem.desk.post import gathering, writing
from pbem.desk.post.post import for_both, in_game, to_player
from pbem.desk.post.writing import Written
from pbem.desk.worlds.worlds import AnyWorld, keep_snapshot, packed
from pbem.kernel.dice import promise
from pbem.kernel.errors import StaleLog, TryAgain
from pbem.kernel.event import Event
from pbem.kernel.names import Moment, PlayerId, Role
from pbem.kernel.office import Promises
from pbem.mail.leaving.compose import Attachment
from pbem.reports.pages.notice import Notice
from pbem.storage import blobs, heartbeat, players, secrets
from pbem.storage.blobs import Kept, packed_up
from pbem.storage.database import Connection
from pbem.storage.heartbeat import Look
from pbem.storage.players import Player


@dataclass(slots=True)
class Entry:
    """One entry in the books of a campaign; *dossier* is the campaign with all that the entry has so far."""

    dossier: Dossier
    at: int
    actor: str
    events: list[tuple[Moment, Event]] = field(default_factory=list)
    blobs: list[Kept] = field(default_factory=list)
    seeds: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    mails: list[Owed] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    worlds: list[tuple[Dossier, bytes]] = field(default_factory=list)
    left: list[tuple[PlayerId, Role]] = field(default_factory=list)
    """Who has left what role: what waits for him of it never leaves."""
    people: list[Player] = field(default_factory=list)
    """Who comes to be known here with it."""
    look: Look | None = None
    """When the clock must look at the campaign again, after all that it has; None: at once."""

    def add(self, moment: Moment, *events: Event) -> None:
        """Enter *events* of *moment*."""
        new = [(moment, event) for event in events]
        self.dossier = self.dossier.after(new, at=self.at, actor=self.actor)
        self.events += new

    def keep(self, data: bytes) -> str:
        """Keep *data*; gives its digest."""
        kept = packed_up(data)
        self.blobs.append(kept)
        return kept.digest

    def promise(self, place: str, seeds: tuple[bytes, bytes]) -> Promises:
        """Keep two fresh seeds for *place* (`muster`, `5B`); gives what may be published of them."""
        open_seed, closed_seed = seeds
        self.seeds.append((place, open_seed, closed_seed))
        return Promises(promise(open_seed), promise(closed_seed))

    def remember(self, world: AnyWorld) -> None:
        """Keep *world* as that at the end of what was entered so far."""
        self.worlds.append((self.dossier, packed(world)))

    def owe(self, mails: Sequence[Owed]) -> None:
        """Owe *mails*, which are written when the entry is in the books; to both who send orders for a role."""
        self.mails += for_both(self.dossier.campaign, mails)

    def write(self, office: Office, connection: Connection, mails: Sequence[Owed]) -> None:
        """Write *mails* now: they are in the books with the entry, or not at all."""
        self.written += filter(None, [writing.written(office, connection, owed) for owed in mails])


def hash_at(office: Office, connection: Connection, entry: Entry, seq: int) -> str:
    """The hash of event *seq* of the log, also of one that *entry* will write."""
    dossier = entry.dossier
    log = log_of(office, connection, dossier.system)
    before = dossier.seq - len(entry.events)
    if seq <= before:
        return log.hash_at(dossier.id, seq) or ""
    new = entry.events[: seq - before]
    return log.hashes(dossier.id, new, expecting=before, at=entry.at, actor=entry.actor)[-1]


def tell(
    entry: Entry,
    role: Role,
    player: Player,
    notice: Notice,
    *more: Attachment,
    cause: str,
    expires_at: int | None = None,
) -> None:
    """Owe *player*, about *role*, a short letter, with *more* as files; it never leaves after *expires_at*."""
    dossier = entry.dossier
    mails = to_player(
        in_game(dossier, role, player),
        ShortLetter(notice, more),
        kind="notice",
        cause=cause,
        at=entry.at,
        moment=dossier.campaign.now,
    )
    entry.owe([replace(mail, expires_at=expires_at) for mail in mails])


ATTEMPTS = 5
"""How often an entry is made anew because somebody wrote meanwhile."""

T = TypeVar("T")


def enter(office: Office, build: Callable[[Connection], tuple[Entry, T]]) -> T:
    """Make an entry of what the books say, then write it down; anew, if somebody wrote meanwhile.

    *build* gives the entry, and what is given back of it.  It is done in a look at the office: nothing is read,
    judged or rendered while the database is locked for others; if somebody wrote each time, at last it is all the same.
    """
    for _ in range(1, ATTEMPTS):
        try:
            with office.read() as connection:
                entry, result = build(connection)
            if not _says_something(entry):
                return result
            with office.write() as connection:
                commit(office, connection, entry)
            return result
        except (StaleLog, TryAgain):
            continue
    with office.write() as connection:
        entry, result = build(connection)
        if _says_something(entry):
            commit(office, connection, entry)
        return result


def _enter_person(connection: Connection, one: Player) -> None:
    """Write down somebody who was not known here when the entry was made.

    :raises TryAgain: if somebody is known by his address by now.
    """
    assert one.name, "he is called somehow"
    assert one.address, "he is written to"
    if players.by_address(connection, one.address):
        raise TryAgain("somebody is known by that address by now")
    players.add(connection, one.id, name=one.name, address=one.address, zone=one.zone, at=one.created_at)


def _says_something(entry: Entry) -> bool:
    return bool(entry.events or entry.mails or entry.written)


def commit(office: Office, connection: Connection, entry: Entry) -> None:
    """Write *entry* down.

    :raises StaleLog: if the log has grown since its dossier was read.
    :raises TryAgain: if who is new in it is known by now.
    """
    dossier, at = entry.dossier, entry.at
    connection.alone(dossier.id)
    # In order, so that no two who keep the same wait for each other.
    for data in sorted(entry.blobs, key=lambda one: one.digest):
        blobs.keep_packed(connection, data, at=at)
    for place, open_seed, closed_seed in entry.seeds:
        secrets.keep(connection, dossier.id, place, open_seed=open_seed, closed_seed=closed_seed, at=at)
    expecting = dossier.seq - len(entry.events)
    log_of(office, connection, dossier.system).append(
        dossier.id, entry.events, expecting=expecting, at=at, actor=entry.actor
    )
    if entry.look is not None and entry.look.seq == dossier.seq:
        heartbeat.keep(connection, [entry.look])
    else:
        connection.wake("turn", dossier.id)
    for held, world in entry.worlds:
        keep_snapshot(office, connection, held, world)
    for newcomer in entry.people:
        _enter_person(connection, newcomer)
    for player, role in entry.left:
        writing.forget(connection, dossier.id, player, role, whole=not dossier.campaign.roles_of(player))
    leaves = not dossier.campaign.copied
    for one in entry.written:
        writing.queue(office, connection, replace(one, owed=replace(one.owed, leaves=leaves)))
    for owed in entry.mails:
        gathering.owe(office, connection, dossier, replace(owed, leaves=leaves), since=expecting)
    gathering.let_go(connection, dossier, [event for _, event in entry.events], at=at)
