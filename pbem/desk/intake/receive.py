"""The one door of the office: letters, uploads, `orders submit` and the demo all come in here.

    kept  →  seen  →  decided  →  carried out  →  answered

The bytes are kept, and that is committed, before anything reads them.  What the letter says is then read (`writers`),
put to the manual of mail (`deciding`, `fates`), and its fates are carried out, all in one transaction.  Only then it is
answered (`writing`): no answer can undo what was taken in, and nothing is read, judged or rendered in a transaction.

One letter's fault is one letter's: whatever it does, it is put off, or set aside where it can be found
(`pbem mail quarantine`), and the next one is dealt with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.intake import deciding, handed, held, refusals, writers
from pbem.desk.intake.deciding import NOBODY, Decision, Vouched
from pbem.desk.intake.fates import Confirmed, Entered, Fate, Held, Ignored, PutOff, Received, Refused, Unreadable
from pbem.desk.intake.intake import Message
from pbem.desk.office.claim import claimed
from pbem.desk.office.office import Office
from pbem.desk.post import bounces, stopping
from pbem.desk.post.entries import ATTEMPTS, commit
from pbem.desk.post.writing import owe
from pbem.kernel import errors
from pbem.kernel.errors import StaleLog, StorageError
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import Source
from pbem.mail.reading.content import content_digest
from pbem.mail.reading.letter import read_head
from pbem.mail.reading.worker import ReaderBroke
from pbem.reports.pages.receipt import Receipt
from pbem.storage import aliases, blobs, letters, players
from pbem.storage.database import Connection
from pbem.storage.letters import State

TRIES = 3
"""How often a letter is begun that each time brought its reader down."""

UPLOAD = "upload"
"""The way of a file of orders that was handed in."""


def take_in(
    office: Office,
    raw: bytes,
    *,
    way: str,
    origin: str | None = None,
    message_id: str | None = None,
    arrived: int | None = None,
    recipients: Sequence[str] = (),
) -> letters.Letter:
    """Keep the bytes of a message, before anything reads them; what *way* offers again is the letter it was.

    *arrived*: when it came, if that was before now (`arrivals.when`); *recipients*: the addresses on its envelope.

    :raises StorageError: if they cannot be kept.
    """
    now = office.now()
    kept, content = blobs.packed_up(raw), content_digest(raw) if message_id else ""
    with office.write() as connection:
        letter, _ = letters.receive(
            connection,
            letters.NewLetter(
                digest=blobs.keep_packed(connection, kept, at=now),
                source=way,
                at=now if arrived is None else arrived,
                origin=origin,
                message_id=message_id,
                content=content,
                recipients=recipients,
            ),
        )
    return letter


def receive(office: Office, raw: bytes, *, way: str, origin: str | None = None) -> Received:
    """Take in a letter as it came from the mail server, and deal with it."""
    head = read_head(raw)
    return deal_with(office, take_in(office, raw, way=way, origin=origin, message_id=head.message_id or None))


def submit(
    office: Office,
    campaign: str,
    role: str | None,
    raw: bytes,
    *,
    source: Source = "gm",
    way: str = UPLOAD,
    name: str = "",
) -> Received:
    """Take in an order file, called *name*, for *role* of *campaign*: its player's (`upload`), or the GM's for him.

    :raises Refused: if there is no such campaign or role, nobody plays it, or the file is no text, or another's.
    """
    meant = _Upload(campaign, role, source, " ".join(name.split()))
    letter = take_in(office, raw, way=way, recipients=(msgspec.json.encode(meant).decode(),))
    with claimed(office, letter.id):
        try:
            return _handed_in(office, letter, raw)
        except errors.Refused as refused:
            with office.write() as connection:
                letters.settle(connection, letter.id, "refused", reason=str(refused))
            raise


def deal_with(office: Office, letter: letters.Letter, *, vouched: Vouched = NOBODY) -> Received:
    """Deal with a letter that was taken in; *vouched* says who knows that its sender is who he seems to be.

    :raises StorageError: if the disk does not let it; the letter then waits.
    """
    with claimed(office, letter.id) as ours:
        if not ours:
            return Received(letter=letter.id, state=letter.state, reason="another process is dealing with it")
        with office.write() as connection:
            row = letters.get(connection, letter.id)
            if row.state not in ("new", "held"):
                return Received(letter=row.id, state=row.state, reason=row.reason, campaign=row.campaign, again=True)
            tries = letters.tried(connection, row.id)
        return _dealt_with(office, row, tries, vouched)


def _dealt_with(office: Office, row: letters.Letter, tries: int, vouched: Vouched) -> Received:
    """See a letter, decide it, and carry out what was decided; whatever it does, it ends here."""
    raw, why = b"", ""
    if tries <= TRIES:
        try:
            with office.read() as connection:
                raw = blobs.fetch(connection, row.digest)
            if row.source == UPLOAD:
                return _handed_in_before(office, row, raw)
            seen = replace(writers.look(office, raw), whose=vouched.player)
            given = held.confirmed(office, row, seen)
            return _carried_out(
                office, row, lambda connection: deciding.decide(office, connection, row, raw, seen, given, vouched)
            )
        except StorageError:
            raise
        except (errors.Refused, StaleLog) as refused:
            # The office is not in order, or too busy, and the letter cannot help it.
            fate = PutOff(reason=f"not dealt with: {refused}", counts=False)
            return _carried_out(office, row, lambda connection: Decision((fate,)))
        except Exception as error:
            why = str(error) if isinstance(error, ReaderBroke) else f"{type(error).__name__}: {error}"
            if tries < TRIES:
                fate = PutOff(reason=f"not dealt with: {why}", counts=True)
                return _carried_out(office, row, lambda connection: Decision((fate,)))
    reason = f"it could not be dealt with in {TRIES} attempts{f': {why}' if why else ''}"
    return _carried_out(office, row, lambda connection: Decision((_given_up(office, connection, row, raw, reason),)))


class _Upload(Struct, frozen=True):
    """For whom a file was handed in: what stands in the place of its envelope."""

    campaign: str
    role: str | None
    source: Source
    name: str


def _handed_in(office: Office, row: letters.Letter, raw: bytes) -> Received:
    """Deal with a file that was handed in.

    :raises Refused: if it is for nobody, or no file of orders.
    """
    meant = msgspec.json.decode(row.recipients, type=_Upload)

    def decide(connection: Connection) -> Decision:
        file = handed.handed_in(office, connection, meant.campaign, meant.role, raw, meant.name)
        message = Message(
            digest=row.digest, number=row.id, source=meant.source, received=row.received_at, lines=file.lines
        )
        return Decision((deciding.entered(office, connection, file.dossier, file.role, file.player, message),))

    return _carried_out(office, row, decide)


def _handed_in_before(office: Office, row: letters.Letter, raw: bytes) -> Received:
    """Deal with a file that was handed in to an office that died over it: nobody waits for its word any more."""
    try:
        return _handed_in(office, row, raw)
    except errors.Refused as refused:
        fate = Refused(reason=str(refused))
        return _carried_out(office, row, lambda connection: Decision((fate,)))


def _given_up(office: Office, connection: Connection, row: letters.Letter, raw: bytes, reason: str) -> Unreadable:
    """The fate of a letter that cannot be dealt with; its writer and the GM are told, as far as it can be told."""
    try:
        head = read_head(raw)
        player = players.by_address(connection, head.sender.address)
        told = refusals.say_unreadable(office, player, head, row, "It could not be read.", refusals.sure(row.grade))
        return Unreadable(reason=reason, player=player.id if player else None, owes=tuple(told))
    except Exception:
        return Unreadable(reason=reason)


def _carried_out(office: Office, row: letters.Letter, decide: Callable[[Connection], Decision]) -> Received:
    """Decide a letter on what the books say, and write that down; anew, if somebody wrote meanwhile."""
    for attempt in range(1, ATTEMPTS + 1):
        with office.read() as connection:
            decision = decide(connection)
        try:
            with office.write() as connection:
                return _carry_out(office, connection, row, decision)
        except StaleLog:
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("the loop returns or raises")


def _carry_out(office: Office, connection: Connection, row: letters.Letter, decision: Decision) -> Received:
    """Do what was decided, all of it in the transaction of *connection*; what it owes is written after that."""
    if decision.grade:
        letters.graded(connection, row.id, decision.grade, decision.evidence)
    ends = [_do(office, connection, row, fate) for fate in decision.fates]
    whole = min(ends, key=lambda end: _OUTWEIGHS.index(end.state))
    return _settled(connection, row, replace(whole, reason="; ".join(end.reason for end in ends)))


class _End(Struct, frozen=True, kw_only=True):
    """What one part of a letter comes to."""

    state: State
    reason: str
    campaign: CampaignId | None = None
    role: Role | None = None
    player: PlayerId | None = None
    seq: int | None = None
    moment: Moment | None = None
    receipt: Receipt | None = None


_OUTWEIGHS: tuple[State, ...] = ("applied", "held", "refused", "unreadable", "ignored", "new")
"""Of two parts of a letter, which fate is that of the whole."""


def _do(office: Office, connection: Connection, row: letters.Letter, fate: Fate) -> _End:
    """Carry one fate out."""
    for owed in getattr(fate, "owes", ()):
        owe(connection, owed)
    match fate:
        case Entered():
            return _enter(office, connection, fate)
        case Held():
            for number, code in fate.codes:
                letters.code(connection, number, code, at=fate.at)
            return _End(state="held", reason=fate.reason, campaign=fate.campaign, role=fate.role, player=fate.player.id)
        case Confirmed():
            waits = letters.get(connection, fate.letter.id)
            done = _do(office, connection, waits, fate.then)
            _settled(connection, waits, done)
            if waits.player:
                aliases.confirm(connection, waits.player, fate.address, at=office.now())
            reason = f"it confirmed letter {waits.id}: {done.reason}"
            return replace(done, state="applied" if done.seq else "ignored", reason=reason)
        case Refused():
            return _End(state="refused", reason=fate.reason, player=fate.player)
        case Ignored():
            if fate.stops:
                stopping.stop(office, connection, fate.stops, at=row.received_at)
            if fate.returned and (mail := fate.returned.mail):
                bounces.record(office, connection, mail, fate.returned.status, fate.returned.words, at=row.received_at)
            return _End(state="ignored", reason=fate.reason, player=fate.player)
        case Unreadable():
            return _End(state="unreadable", reason=fate.reason, player=fate.player)
        case PutOff():
            if not fate.counts:
                letters.untried(connection, row.id)
            return _End(state=row.state, reason=fate.reason, campaign=row.campaign, player=row.player)


def _enter(office: Office, connection: Connection, fate: Entered) -> _End:
    """Write an entry into the books of its campaign."""
    if fate.wakes:
        stopping.resume(office, connection, players.get(connection, fate.player.id))
    commit(office, connection, fate.entry)
    if fate.stops:
        stopping.stop(office, connection, players.get(connection, fate.player.id), at=fate.entry.at)
    return _End(
        state="refused" if fate.refused else "applied",
        reason=fate.reason,
        campaign=fate.campaign,
        role=fate.role,
        player=fate.player.id,
        seq=fate.seq,
        moment=fate.moment,
        receipt=fate.receipt,
    )


def _settled(connection: Connection, row: letters.Letter, end: _End) -> Received:
    """Write down what became of a letter."""
    letters.settle(
        connection, row.id, end.state, reason=end.reason, campaign=end.campaign, seq=end.seq, player=end.player
    )
    return Received(
        letter=row.id,
        state=end.state,
        reason=end.reason,
        campaign=end.campaign,
        role=end.role,
        moment=end.moment,
        receipt=end.receipt,
    )
