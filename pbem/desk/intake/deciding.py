"""A letter that was seen, or understood, is decided: what is known of it is put to the manual, and its fates are made.

It is done in a look at the office: nothing is written here, and nothing leaves.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answers, Owed
from pbem.desk.intake import doubts, from_gm, held, looking_on, refusals, taking, writers
from pbem.desk.intake.fates import (
    Case,
    CodesBack,
    Confirmed,
    Entered,
    Fate,
    Held,
    Ignored,
    Refused,
    Unreadable,
    Who,
    sentence_for,
)
from pbem.desk.intake.from_gm import FromGm
from pbem.desk.intake.held import Given
from pbem.desk.intake.intake import Intake, Message
from pbem.desk.intake.keeping import Kept
from pbem.desk.intake.recipient import Place
from pbem.desk.intake.refusals import LooksOn
from pbem.desk.intake.understanding import Understood
from pbem.desk.intake.writers import Graded, Seen
from pbem.desk.office.office import Office
from pbem.desk.post import bounces, stopping
from pbem.desk.post.entries import Entry
from pbem.desk.turns.next_look import looked_at
from pbem.kernel.names import Role
from pbem.mail.reading.letter import read_head
from pbem.mail.reading.robot import CONDUCT, Writer
from pbem.mail.reading.worker import ReaderBroke
from pbem.mail.trust.confirm import Answer as Code
from pbem.mail.wire.limits import UnreadableLetter
from pbem.storage import letters, players
from pbem.storage.database import Connection
from pbem.storage.players import Player


def not_read(office: Office, connection: Connection, kept: Kept, seen: Seen) -> Ignored | None:
    """The fate of a letter that is not read, whoever seems to have written it."""
    row, robot, conduct = kept.row, seen.robot, CONDUCT[seen.robot.writer]
    if robot.writer is Writer.POST:
        returned = bounces.read(office, connection, row, kept.raw)
        return Ignored(reason=returned.reason, returned=returned)
    if player := stopping.asked_by(office, connection, row, seen.head):
        if player.stopped_at is not None:
            return Ignored(reason="the letters to its player had been stopped before")
        return Ignored(reason="it stopped the letters to its player", stops=player)
    if conduct.read:
        return None
    writer = players.by_address(connection, seen.head.sender.address)
    # What a list or a machine of his provider has sent on may be a player's own, and nobody else would learn of it.
    his = writer is not None and robot.writer in (Writer.LIST, Writer.MACHINE)
    told = refusals.tell_of_robot(office, robot, seen.head, row, his=his) if conduct.tell or his else []
    return Ignored(reason=refusals.by_robot(robot), player=writer.id if writer else None, owes=tuple(told))


def given_up(office: Office, connection: Connection, row: letters.Letter, raw: bytes, reason: str) -> Unreadable:
    """The fate of a letter that cannot be dealt with; its writer and the GM are told, as far as it can be told."""
    try:
        head = read_head(raw)
        player = players.by_address(connection, head.sender.address)
        told = refusals.say_unreadable(office, player, head, row, "It could not be read.", refusals.sure(row.grade))
        return Unreadable(reason=reason, player=player.id if player else None, owes=tuple(told))
    except Exception:
        return Unreadable(reason=reason)


def confirmed(office: Office, connection: Connection, given: Given) -> Graded | None:
    """The letter that the codes in another confirm, if it waits still."""
    if given.kept is None or given.seen is None:
        return None
    row = letters.get(connection, given.kept.row.id)
    if row.state != "held":
        return None
    return writers.graded(office, connection, replace(given.kept, row=row), given.seen)


def of_codes(
    office: Office,
    connection: Connection,
    letter: Graded,
    given: Given,
    waits: Graded | None,
    then: Fate | None,
    gm: FromGm | None,
) -> Fate:
    """The fate of the lines of a letter that give codes back; *then* is that of the letter that *waits* for them.

    *gm*: the letter as that of somebody who runs games, if it is his.
    """
    row, seen, player = letter.kept.row, letter.seen, letter.known.player
    if given.address is not None:
        assert sentence_for(Case(part="codes", who="nobody known", code="good")).fate == "confirmed", "whoever gives it"
        return CodesBack(given=given.address)
    code = Code.WRONG if given.answer is Code.GOOD and waits is None else given.answer
    who: Who = "a gm" if gm else "a player" if player else "nobody known"
    sentence = sentence_for(Case(part="codes", who=who, code=code.value))
    if sentence.fate == "confirmed":
        assert waits is not None, "a good code is of a letter that waits"
        assert then is not None, "and that has a fate of its own"
        return Confirmed(letter=waits.kept.row, address=waits.seen.head.sender.address, then=then)
    if gm is not None:
        return Refused(reason="the line in it confirms nothing", owes=from_gm.worthless(office, gm, code))
    if player is None:
        return _of_nobody(office, letter)
    if doubts.same_before(connection, row, letter.kept.raw, player):
        again = refusals.say_unchanged(office, player, seen.head, row, refusals.sure(row.grade))
        return Ignored(reason="the same letter came before", player=player.id, owes=tuple(again))
    owes = refusals.say_code(office, player, seen.head, row, code)
    return Refused(reason="the line in it confirms nothing", player=player.id, owes=tuple(owes))


def books_after(fate: Fate) -> Dossier | None:
    """The books of a campaign with what *fate* will enter."""
    return fate.then.entry.dossier if isinstance(fate, Confirmed) and isinstance(fate.then, Entered) else None


def decided(office: Office, connection: Connection, understood: Understood) -> Fate:
    """The fate of what a letter says besides codes.

    :raises ReaderBroke: if that is to be tried again.
    """
    addressed = understood.addressed
    letter, place = addressed.letter, addressed.place
    row, seen, player = letter.kept.row, letter.seen, letter.known.player
    if player is None:
        return _of_nobody(office, letter)
    counts = Answers.PLAYER if letter.kept.vouched.by else refusals.sure(letter.judgement.grade)
    also = () if letter.known.writer or letter.kept.vouched.by else refusals.say_unknown(office, seen, row)
    match sentence_for(addressed.case).answer:
        case "it came twice":
            owes = refusals.say_unchanged(office, player, seen.head, row, counts)
            return Ignored(reason="the same letter came before", player=player.id, owes=(*owes, *also))
        case "it cannot be read":
            reason = seen.fault.reason if isinstance(seen.fault, UnreadableLetter) else "it was not read"
            owes = refusals.say_unreadable(office, player, seen.head, row, reason, counts)
            return Unreadable(reason=reason, player=player.id, owes=(*owes, *also))
        case "which game" if addressed.astray:
            owes = refusals.say_astray(office, addressed.astray, seen.head, row, counts)
            wakes = counts is Answers.PLAYER  # whatever he writes brings his letters back, if it is he who writes
            return Refused(reason=addressed.astray.reason, player=player.id, owes=(*owes, *also), wakes=wakes)
        case "what who looks on may" if isinstance(addressed.astray, LooksOn):
            return looking_on.answered(office, letter, addressed.astray.dossier, player, counts, tuple(also))
        case "did you write this" if place:
            return _held(office, connection, row, place, player, place.doubt, tuple(also))
        case "its receipt" if place and understood.message:
            try:
                return entered(office, connection, place.dossier, place.role, player, understood.message)
            except doubts.AskBack as back:
                asked = replace(addressed.case, asks="what is always asked back")
                assert sentence_for(asked).fate == "held", "the manual says so"
                return _held(office, connection, row, place, player, back.why, tuple(also))
    assert isinstance(seen.fault, ReaderBroke), "the manual puts nothing else off"
    raise seen.fault


def entered(
    office: Office, connection: Connection, dossier: Dossier, role: Role, player: Player, message: Message
) -> Entered:
    """The entry that a message of *player* makes in the books of the campaign."""
    entry = Entry(dossier, office.now(), office.by if message.source == "gm" else player.id)
    intake = Intake(office, connection, entry, message, role, player)
    taking.deal_with(intake)
    entry.look = looked_at(office, connection, entry.dossier, entry.at)
    return Entered(
        entry=entry,
        role=role,
        player=player,
        reason=intake.outcome,
        refused=intake.refused,
        seq=dossier.seq + 1,
        moment=intake.moment,
        receipt=intake.receipt,
        said=intake.said,
        wakes=message.source == "letter",
        stops=intake.stops,
        writes=tuple(intake.writes),
    )


def _of_nobody(office: Office, letter: Graded) -> Refused:
    """The fate of a letter that is no player's."""
    row, seen = letter.kept.row, letter.seen
    owes = (*refusals.say_unknown(office, seen, row), *refusals.tell_of_stranger(office, seen.head, row))
    return Refused(reason=f"nobody here writes from {seen.head.sender.address or 'no address'}", owes=owes)


def _held(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    place: Place,
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
