"""The one door of the office: letters, uploads, `orders submit` and the demo all come in here.

    bytes kept  →  seen  →  graded  →  campaign  →  role  →  events and answers, all at once
                                                      |
                                                      held: its player is asked whether he wrote it

The bytes are kept, and that is committed, before anything reads them.  A letter that cannot be dealt with stays
where it can be found: `pbem mail quarantine`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk import bounces, doubts, handed, held, refusals, stopping, taking, writers
from pbem.desk.addresses import NOWHERE
from pbem.desk.claim import claimed
from pbem.desk.dossiers import Dossier
from pbem.desk.entries import Entry, commit
from pbem.desk.held import Confirmed
from pbem.desk.intake import Intake, Message
from pbem.desk.office import Office
from pbem.desk.own_lines import own_lines, unread
from pbem.desk.post import Answered
from pbem.desk.unread import aside
from pbem.desk.where import where
from pbem.desk.writers import Seen
from pbem.kernel.errors import Refused, StorageError
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import Source
from pbem.mail.address import Proof, Token
from pbem.mail.confirm import Answer
from pbem.mail.content import content_digest
from pbem.mail.grade import Disposition
from pbem.mail.letter import Letter, read_head
from pbem.mail.robot import CONDUCT, Writer
from pbem.mail.worker import ReaderBroke
from pbem.reports.receipt import Receipt
from pbem.storage import aliases, blobs, letters, players
from pbem.storage.database import Connection
from pbem.storage.letters import State
from pbem.storage.players import Player

TRIES = 3
"""How often a letter is begun that each time brought its reader down."""


class Received(Struct, frozen=True, kw_only=True):
    """What became of a message."""

    letter: int
    state: State
    reason: str = ""
    campaign: CampaignId | None = None
    role: Role | None = None
    moment: Moment | None = None
    receipt: Receipt | None = None
    again: bool = False
    """It had been dealt with before: nothing was done now."""


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
    at = now if arrived is None else arrived
    with office.write() as connection:
        digest = blobs.keep(connection, raw, at=now)
        letter, _ = letters.receive(
            connection,
            digest=digest,
            source=way,
            at=at,
            origin=origin,
            message_id=message_id,
            content=content_digest(raw) if message_id else "",
            recipients=recipients,
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
    way: str = "upload",
    name: str = "",
) -> Received:
    """Take in an order file, called *name*, for *role* of *campaign*: its player's (`upload`), or the GM's for him.

    :raises Refused: if there is no such campaign or role, nobody plays it, or the file is no text, or another's.
    """
    letter = take_in(office, raw, way=way)
    try:
        with office.write() as connection:
            file = handed.handed_in(office, connection, campaign, role, raw, name)
            message = Message(
                digest=letter.digest, number=letter.id, source=source, received=letter.received_at, lines=file.lines
            )
            return _enter(office, connection, letter, file.dossier, file.role, file.player, message)
    except Refused as refused:
        with office.write() as connection:
            letters.settle(connection, letter.id, "refused", reason=str(refused))
        raise


def deal_with(office: Office, letter: letters.Letter, *, vouched: str = "", whose: PlayerId | None = None) -> Received:
    """Deal with a letter that was taken in; *vouched* says who knows that its sender is who he seems to be.

    *whose*: the player whose letter it is by that word, whatever address it came from.

    :raises StorageError: if the disk does not let it; the letter then waits.
    """
    with claimed(office, letter.id) as ours:
        if not ours:
            return Received(letter=letter.id, state=letter.state, reason="another process is dealing with it")
        return _dealt_with(office, letter, vouched, whose)


def _dealt_with(office: Office, letter: letters.Letter, vouched: str, whose: PlayerId | None) -> Received:
    with office.write() as connection:
        row = letters.get(connection, letter.id)
        if row.state not in ("new", "held"):
            return Received(letter=row.id, state=row.state, reason=row.reason, campaign=row.campaign, again=True)
        tries, raw = letters.tried(connection, row.id), blobs.fetch(connection, row.digest)
    if tries > TRIES:
        return _given_up(office, row, raw, "")
    try:
        seen = replace(writers.look(office, raw), whose=whose)
        code = held.confirmed(office, row, seen)
        with office.write() as connection:
            return _confirm_or_deal(office, connection, row, raw, seen, code, vouched)
    except StorageError:
        raise
    except Refused as refused:
        # The office is not in order, and the letter cannot help it.
        return _put_off(office, row, str(refused), counts=False)
    except Exception as error:
        why = str(error) if isinstance(error, ReaderBroke) else f"{type(error).__name__}: {error}"
        return _given_up(office, row, raw, why) if tries == TRIES else _put_off(office, row, why, counts=True)


def sweep(office: Office) -> list[Received]:
    """Deal with every letter that was kept and not dealt with, because the office died between the two."""
    with office.read() as connection:
        waiting = letters.listing(connection, "new")
    return [deal_with(office, letter) for letter in waiting]


def _put_off(office: Office, row: letters.Letter, why: str, *, counts: bool) -> Received:
    """Leave a letter to the next attempt; *counts*: this was one."""
    reason = f"not dealt with: {why}"
    with office.write() as connection:
        if not counts:
            letters.untried(connection, row.id)
        letters.settle(connection, row.id, row.state, reason=reason, campaign=row.campaign, player=row.player)
    return Received(letter=row.id, state=row.state, reason=reason)


def _given_up(office: Office, row: letters.Letter, raw: bytes, why: str) -> Received:
    """Set a letter aside that cannot be dealt with; its writer and the GM are told."""
    reason = f"it could not be dealt with in {TRIES} attempts{f': {why}' if why else ''}"
    head = read_head(raw)
    with office.write() as connection:
        player = players.by_address(connection, head.sender.address)
        told = "It could not be read."
        refusals.say_unreadable(office, connection, player, head, row, told, refusals.sure(row.grade))
        return _settled(connection, row, "unreadable", reason, player)


def _confirm_or_deal(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    raw: bytes,
    seen: Seen,
    code: Confirmed | None,
    vouched: str,
) -> Received:
    """Deal with the letter that this one confirms, or else with this."""
    worth = code.answer if code else None
    if code and code.row and code.seen:
        waits = letters.get(connection, code.row.id)
        if waits.state == "held":
            done = _deal(office, connection, waits, code.raw, code.seen, vouched="its player confirmed it")
            if waits.player:
                aliases.confirm(connection, waits.player, code.seen.head.sender.address, at=office.now())
            return _confirmed(connection, row, waits, done)
        worth = Answer.WRONG
    return _deal(office, connection, row, raw, seen, code=worth, vouched=vouched)


def _confirmed(connection: Connection, row: letters.Letter, waits: letters.Letter, done: Received) -> Received:
    """Settle a letter that confirmed another, to be found by the event that the other became."""
    after = letters.get(connection, waits.id)
    reason = f"it confirmed letter {waits.id}: {done.reason}"
    state: State = "applied" if after.seq else "ignored"
    letters.settle(
        connection, row.id, state, reason=reason, campaign=after.campaign, seq=after.seq, player=after.player
    )
    return Received(
        letter=row.id,
        state=state,
        reason=reason,
        campaign=done.campaign,
        role=done.role,
        moment=done.moment,
        receipt=done.receipt,
    )


def _deal(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    raw: bytes,
    seen: Seen,
    *,
    code: Answer | None = None,
    vouched: str = "",
) -> Received:
    """Deal with a letter in the transaction of *connection*; *code*: what the code in it is worth."""
    if unasked := _unasked(office, connection, row, raw, seen):
        return unasked
    known = writers.known(office, connection, row, seen)
    judged = writers.judged(seen, known, "table")
    letters.graded(connection, row.id, judged.grade, f"{judged.evidence}{f'; {vouched}' if vouched else ''}")
    if known.writer is None:
        refusals.say_unknown(office, connection, seen, row)
    if known.player is None:
        refusals.tell_of_stranger(office, connection, seen.head, row)
        return _settled(connection, row, "refused", judged.reason)
    player, counts = known.player, refusals.sure(judged.grade)
    if code:
        refusals.say_code(office, connection, player, seen.head, row, code)
        return _settled(connection, row, "refused", "the line in it confirms nothing", player)
    if doubts.same_before(connection, row, raw, player):
        refusals.say_unchanged(office, connection, player, seen.head, row, counts)
        return _settled(connection, row, "ignored", "the same letter came before", player)
    if isinstance(seen.fault, ReaderBroke):
        raise seen.fault
    letter = writers.counting(seen, known)
    if letter is None:
        reason = seen.fault.reason if seen.fault else "it was not read"
        refusals.say_unreadable(office, connection, player, seen.head, row, reason, counts)
        return _settled(connection, row, "unreadable", reason, player)
    try:
        dossier, role = where(office, connection, player, letter, _of_a_game(known.proof))
    except refusals.Astray as astray:
        refusals.say_astray(office, connection, astray, seen.head, row, counts)
        return _settled(connection, row, "refused", astray.reason, player)
    judged = writers.judged(seen, known, dossier.campaign.terms.trust)
    why = "" if judged.disposition is Disposition.ACCEPTED else judged.reason
    if not why and writers.by_signature(seen, known) and letter.date:
        why = doubts.overtaken(connection, dossier, role, letter.date)
    if vouched or not why:
        stopping.resume(office, connection, player)
        told = unread(connection, dossier, role, player, letter, office.now())
        if seen.whose:
            told = (*told, f"This came from {seen.head.sender.address}, and the umpire took it as yours.")
        message = _message(row, letter, judged.grade, told, confirmed=bool(vouched))
        try:
            return _enter(office, connection, row, dossier, role, player, message)
        except doubts.AskBack as back:
            why = back.why
    letters.settle(connection, row.id, "held", reason=why, campaign=dossier.id, player=player.id)
    asked = held.hold(office, connection, dossier, role, player, row, why)
    refusals.tell_of_held(office, connection, dossier, role, row, asked=asked)
    return Received(letter=row.id, state="held", reason=why, campaign=dossier.id, role=role)


def _unasked(office: Office, connection: Connection, row: letters.Letter, raw: bytes, seen: Seen) -> Received | None:
    """What becomes of a letter that is not read, whoever seems to have written it."""
    conduct = CONDUCT[seen.robot.writer]
    if seen.robot.writer is Writer.POST:
        return _settled(connection, row, "ignored", bounces.take(office, connection, row, raw))
    if stopped := stopping.take(office, connection, row, raw):
        return _settled(connection, row, "ignored", stopped)
    if conduct.read:
        return None
    if conduct.tell:
        refusals.tell_of_robot(office, connection, seen.robot, seen.head, row)
    writer = players.by_address(connection, seen.head.sender.address)
    return _settled(connection, row, "ignored", refusals.by_robot(seen.robot), writer)


def _of_a_game(proof: Proof) -> Proof:
    """What an address proves of the campaign as well: one for letters of no game proves nothing of that."""
    return Proof(Token.NONE) if proof.meaning and proof.meaning.campaign == NOWHERE else proof


def _message(row: letters.Letter, letter: Letter, grade: str, unread: tuple[str, ...], *, confirmed: bool) -> Message:
    return Message(
        digest=row.digest,
        number=row.id,
        source="letter",
        received=row.received_at,
        sent=letter.date,
        lines=own_lines(letter),
        aside=aside(letter.ignored),
        subject=letter.subject,
        answers=Answered(letter.message_id, letter.references),
        replies_to=letter.in_reply_to,
        warnings=(*letter.warnings, *unread, *((_TWIN,) if row.twin else ())),
        grade=grade,
        confirmed=confirmed,
    )


def _enter(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    dossier: Dossier,
    role: Role,
    player: Player,
    message: Message,
) -> Received:
    """Enter the message into the log of its campaign, and settle its letter, in the transaction of *connection*."""
    entry = Entry(dossier, office.now(), "gm" if message.source == "gm" else player.id)
    intake = Intake(office, connection, entry, message, role, player)
    taking.deal_with(intake)
    commit(office, connection, entry)
    state: State = "refused" if intake.refused else "applied"
    letters.settle(
        connection,
        row.id,
        state,
        reason=intake.outcome,
        campaign=dossier.id,
        seq=dossier.seq + 1,
        player=player.id,
    )
    return Received(
        letter=row.id,
        state=state,
        reason=intake.outcome,
        campaign=dossier.id,
        role=role,
        moment=intake.moment,
        receipt=intake.receipt,
    )


def _settled(
    connection: Connection, row: letters.Letter, state: State, reason: str, player: Player | None = None
) -> Received:
    letters.settle(connection, row.id, state, reason=reason, player=player.id if player else None)
    return Received(letter=row.id, state=state, reason=reason)


_TWIN = (
    "Another letter came before under the same Message-ID as this, and said something else.  Both are kept, and each "
    "was taken for itself."
)
