"""A letter that was seen is decided: what the books know of it is put to the manual, and its fates are made.

It is done in a look at the office: nothing is written here, and nothing leaves.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answered, Answers, Owed
from pbem.desk.intake import doubts, held, refusals, taking, writers
from pbem.desk.intake.attached import files_of
from pbem.desk.intake.fates import Case, Confirmed, Entered, Fate, Held, Ignored, Refused, Unreadable, sentence_for
from pbem.desk.intake.fates import Proof as ProofOf
from pbem.desk.intake.held import Given
from pbem.desk.intake.intake import Intake, Message
from pbem.desk.intake.recipient import where
from pbem.desk.intake.unread import aside
from pbem.desk.intake.writers import Known, Seen
from pbem.desk.office.office import Office
from pbem.desk.post import bounces, stopping
from pbem.desk.post.addresses import NOWHERE
from pbem.desk.post.entries import Entry
from pbem.desk.sheets import sheets
from pbem.desk.sheets.own_lines import own_lines, unread
from pbem.kernel.names import PlayerId, Role
from pbem.mail.reading.letter import Letter
from pbem.mail.reading.robot import CONDUCT, Writer
from pbem.mail.reading.worker import ReaderBroke
from pbem.mail.trust.confirm import Answer as Code
from pbem.mail.trust.confirm import confirm_lines
from pbem.mail.trust.grade import Disposition
from pbem.mail.wire.limits import UnreadableLetter
from pbem.mail.wire.reply_address import Proof, Token
from pbem.storage import letters, players
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Decision(Struct, frozen=True):
    """What becomes of a letter: a fate for each of its parts."""

    fates: tuple[Fate, ...]
    grade: str = ""
    """How sure it is who wrote it; empty where that was not asked."""
    evidence: str = ""


class Vouched(Struct, frozen=True):
    """Who knows that a letter is from the one whose it seems to be, in a phrase; and whose it is, if he says so."""

    by: str = ""
    player: PlayerId | None = None


NOBODY = Vouched()


def decide(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    raw: bytes,
    seen: Seen,
    given: Given | None,
    vouched: Vouched = NOBODY,
) -> Decision:
    """What becomes of the letter *row* with the bytes *raw*; *given* says what the codes in it are worth.

    :raises Refused: if the office is not in order.
    """
    if unread := _not_read(office, connection, row, raw, seen):
        return Decision((unread,))
    known = writers.known(office, connection, row, seen)
    judged = writers.judged(seen, known, "table")
    evidence = "; ".join(filter(None, (judged.evidence, vouched.by)))
    if given is None:
        fate = _of_words(office, connection, _Letter(row, raw, seen, known, vouched))
        return Decision((fate,), judged.grade, evidence)
    of_codes = _of_codes(office, connection, row, seen, known, given)
    whole = _Letter(row, raw, _without_codes(seen), known, vouched, _books(of_codes))
    if known.player is None or not _says_orders(office, connection, whole):
        return Decision((of_codes,), judged.grade, evidence)
    return Decision((of_codes, _of_words(office, connection, whole)), judged.grade, evidence)


def entered(
    office: Office, connection: Connection, dossier: Dossier, role: Role, player: Player, message: Message
) -> Entered:
    """The entry that a message of *player* makes in the books of the campaign."""
    entry = Entry(dossier, office.now(), "gm" if message.source == "gm" else player.id)
    intake = Intake(office, connection, entry, message, role, player)
    taking.deal_with(intake)
    return Entered(
        entry=entry,
        role=role,
        player=player,
        reason=intake.outcome,
        refused=intake.refused,
        seq=dossier.seq + 1,
        moment=intake.moment,
        receipt=intake.receipt,
        wakes=message.source == "letter",
        stops=intake.stops,
    )


class _Letter(Struct, frozen=True):
    """A letter of which one part is decided."""

    row: letters.Letter
    raw: bytes
    seen: Seen
    known: Known
    vouched: Vouched
    books: Dossier | None = None
    """Of its campaign, as they stand when an earlier part of the letter is entered."""


class _Place(Struct, frozen=True):
    """The campaign and the role that a letter is for, and what it says as far as it counts there."""

    dossier: Dossier
    role: Role
    letter: Letter
    grade: str
    doubt: str
    """Why it is not certain enough who wrote it, by the terms of that campaign, in a phrase."""


def _not_read(office: Office, connection: Connection, row: letters.Letter, raw: bytes, seen: Seen) -> Ignored | None:
    """The fate of a letter that is not read, whoever seems to have written it."""
    robot, conduct = seen.robot, CONDUCT[seen.robot.writer]
    if robot.writer is Writer.POST:
        returned = bounces.read(office, connection, row, raw)
        return Ignored(reason=returned.reason, returned=returned)
    if player := stopping.asked_by(office, connection, row, seen.head):
        if player.stopped_at is not None:
            return Ignored(reason="the letters to its player had been stopped before")
        return Ignored(reason="it stopped the letters to its player", stops=player)
    if conduct.read:
        return None
    told = refusals.tell_of_robot(office, robot, seen.head, row) if conduct.tell else []
    writer = players.by_address(connection, seen.head.sender.address)
    return Ignored(reason=refusals.by_robot(robot), player=writer.id if writer else None, owes=tuple(told))


def _of_codes(
    office: Office, connection: Connection, row: letters.Letter, seen: Seen, known: Known, given: Given
) -> Fate:
    """The fate of the lines of a letter that give codes back."""
    waits = letters.get(connection, given.row.id) if given.row else None
    code = given.answer
    if code is Code.GOOD and (waits is None or waits.state != "held"):
        code = Code.WRONG
    player = known.player
    case = Case(part="codes", who="a player" if player else "nobody known", code=code.value)
    if sentence_for(case).fate == "confirmed":
        assert waits is not None, "a good code is of a letter that waits"
        assert given.seen is not None, "it was read for that"
        of_it = writers.known(office, connection, waits, given.seen)
        whole = _Letter(waits, given.raw, given.seen, of_it, Vouched("its player confirmed it"))
        then = _of_words(office, connection, whole)
        return Confirmed(letter=waits, address=given.seen.head.sender.address, then=then)
    if player is None:
        return _of_nobody(office, row, seen)
    owes = refusals.say_code(office, player, seen.head, row, code)
    return Refused(reason="the line in it confirms nothing", player=player.id, owes=tuple(owes))


def _of_nobody(office: Office, row: letters.Letter, seen: Seen) -> Refused:
    """The fate of a letter that is no player's."""
    owes = (*refusals.say_unknown(office, seen, row), *refusals.tell_of_stranger(office, seen.head, row))
    return Refused(reason=f"nobody here writes from {seen.head.sender.address or 'no address'}", owes=owes)


def _of_words(office: Office, connection: Connection, whole: _Letter) -> Fate:
    """The fate of what a letter says besides codes.

    :raises ReaderBroke: if that is to be tried again.
    """
    row, seen, player = whole.row, whole.seen, whole.known.player
    case, place, astray = _case(office, connection, whole)
    sentence = sentence_for(case)
    if player is None:
        return _of_nobody(office, row, seen)
    counts = refusals.sure(writers.judged(seen, whole.known, "table").grade)
    if whole.vouched.by:
        counts = Answers.PLAYER
    also = () if whole.known.writer or whole.vouched.by else refusals.say_unknown(office, seen, row)
    match sentence.answer:
        case "it came twice":
            owes = refusals.say_unchanged(office, player, seen.head, row, counts)
            return Ignored(reason="the same letter came before", player=player.id, owes=(*owes, *also))
        case "it cannot be read":
            reason = seen.fault.reason if isinstance(seen.fault, UnreadableLetter) else "it was not read"
            owes = refusals.say_unreadable(office, player, seen.head, row, reason, counts)
            return Unreadable(reason=reason, player=player.id, owes=(*owes, *also))
        case "which game" if astray:
            owes = refusals.say_astray(office, astray, seen.head, row, counts)
            return Refused(reason=astray.reason, player=player.id, owes=(*owes, *also))
        case "did you write this" if place:
            return _held(office, connection, row, place, player, place.doubt, tuple(also))
        case "its receipt" if place:
            message = _message(office, connection, whole, place, player)
            try:
                return entered(office, connection, place.dossier, place.role, player, message)
            except doubts.AskBack as back:
                asked = replace(case, asks="what is always asked back")
                assert sentence_for(asked).fate == "held", "the manual says so"
                return _held(office, connection, row, place, player, back.why, tuple(also))
    assert isinstance(seen.fault, ReaderBroke), "the manual puts nothing else off"
    raise seen.fault


def _case(office: Office, connection: Connection, whole: _Letter) -> tuple[Case, _Place | None, refusals.Astray | None]:
    """What the manual asks of a letter's words, as far as it asks it."""
    seen, known, player = whole.seen, whole.known, whole.known.player
    if player is None:
        return Case(who="nobody known"), None, None
    case = Case(who="a player", came_before=doubts.same_before(connection, whole.row, whole.raw, player))
    if case.came_before:
        return case, None, None
    letter = writers.counting(seen, known)
    if letter is None:
        broke = isinstance(seen.fault, ReaderBroke)
        return replace(case, bytes="broke the reader" if broke else "unreadable"), None, None
    try:
        dossier, role = where(office, connection, player, letter, _of_a_game(known.proof))
    except refusals.Astray as astray:
        return replace(case, game="not found"), None, astray
    if whole.books and whole.books.id == dossier.id:
        dossier = whole.books
    judged = writers.judged(seen, known, dossier.campaign.terms.trust)
    doubt = "" if judged.disposition is Disposition.ACCEPTED else judged.reason
    if not doubt and dossier.campaign.terms.trust != "address" and writers.by_signature(seen, known) and letter.date:
        doubt = doubts.overtaken(connection, dossier, role, letter.date)
    proof: ProofOf = "vouched" if whole.vouched.by else "doubtful" if doubt else "sure"
    return replace(case, game="found", proof=proof), _Place(dossier, role, letter, judged.grade, doubt), None


def _held(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    place: _Place,
    player: Player,
    reason: str,
    also: tuple[Owed, ...],
) -> Held:
    """The fate of a letter whose player is asked whether he wrote it; *reason*: why, in a phrase."""
    doubted = held.Doubted(row, place.dossier, place.role, player, reason, place.grade)
    asked = held.ask(office, connection, doubted)
    told = refusals.tell_of_held(office, place.dossier, place.role, row, asked=bool(asked.codes))
    return Held(
        campaign=place.dossier.id,
        role=place.role,
        player=player,
        reason=reason,
        codes=asked.codes,
        at=office.now(),
        owes=(*asked.mails, *told, *also),
    )


def _says_orders(office: Office, connection: Connection, whole: _Letter) -> bool:
    """Whether what stands beside the codes of a letter is anything but courtesies."""
    letter, player = whole.seen.letter, whole.known.player
    if letter is None or player is None:
        return False
    if any(file.lines for file in letter.files):
        return True
    try:
        dossier, role = where(office, connection, player, letter, _of_a_game(whole.known.proof))
    except refusals.Astray:
        return True
    system, mind, own = dossier.system, dossier.blank.minds[role], own_lines(letter)
    sheet = sheets.part(system, dossier.scene, role, mind, own, player.name or "", alone=False)
    return bool(sheet.orders or sheet.commands or sheet.complaints)


def _without_codes(seen: Seen) -> Seen:
    """The letter without the lines that give codes back."""
    return (
        replace(seen, letter=replace(seen.letter, lines=confirm_lines(seen.letter.lines)[1])) if seen.letter else seen
    )


def _books(fate: Fate) -> Dossier | None:
    """The books of a campaign with what *fate* will enter."""
    return fate.then.entry.dossier if isinstance(fate, Confirmed) and isinstance(fate.then, Entered) else None


def _of_a_game(proof: Proof) -> Proof:
    """What an address proves of the campaign as well: one for letters of no game proves nothing of that."""
    return Proof(Token.NONE) if proof.meaning and proof.meaning.campaign == NOWHERE else proof


def _message(office: Office, connection: Connection, whole: _Letter, place: _Place, player: Player) -> Message:
    """The letter as its campaign takes it."""
    row, seen, letter = whole.row, whole.seen, place.letter
    told = unread(connection, place.dossier, place.role, player, letter, office.now())
    if seen.whose:
        told = (*told, f"This came from {seen.head.sender.address}, and the umpire took it as yours.")
    return Message(
        digest=row.digest,
        number=row.id,
        source="letter",
        received=row.received_at,
        sent=letter.date,
        lines=own_lines(letter),
        files=files_of(letter.files),
        aside=aside(letter.ignored),
        subject=letter.subject,
        answers=Answered(letter.message_id, letter.references),
        replies_to=letter.in_reply_to,
        warnings=(*letter.warnings, *told, *((_TWIN,) if row.twin else ())),
        grade=place.grade,
        confirmed=bool(whole.vouched.by),
    )


_TWIN = (
    "Another letter came before under the same Message-ID as this, and said something else.  Both are kept, and each "
    "was taken for itself."
)
