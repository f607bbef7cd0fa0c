"""The one door of the office, and a letter's way through it: letters, uploads and the demo all come in here.

    kept          its bytes are in the database, before anything reads them                     `keeping`
    seen          a robot or a person, who vouches for it, what stands in it, codes in it       `writers`, `held`
    graded        what the books know of its writer, and how sure it is that he wrote it        `writers`
    addressed     which campaign and role it is for, and all else that the manual asks          `recipient`
    understood    what it says to that campaign                                                 `understanding`
                  or, of somebody who runs games: what he says is done, word by word            `from_gm`
    decided       a fate for each of its parts, by the manual of mail                           `deciding`, `fates`
    carried out   its fates are written down, all in one transaction                            `carrying_out`
    answered      what is owed for it is written when that is committed                         `desk.post.writing`

Each step is a value that is handed to the next.  What takes time, asks the DNS, or lets a process of its own read the
letter is done before the books are opened; what asks the books is done in a look at them, and done anew if somebody
wrote meanwhile.  No answer can undo what was taken in, and nothing is read, judged or rendered in a transaction.

One letter's fault is one letter's: whatever it does, it is put off, or set aside where it can be found
(`pbem mail quarantine`), and the next one is dealt with.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import (
    deciding,
    from_gm,
    handed,
    held,
    joining,
    recipient,
    standing_in,
    understanding,
    writers,
)
from pbem.desk.intake.carrying_out import carried_out
from pbem.desk.intake.fates import Decision, Fate, PutOff, Received
from pbem.desk.intake.from_gm import Outcome
from pbem.desk.intake.handed import UPLOAD, Upload
from pbem.desk.intake.held import Given
from pbem.desk.intake.keeping import NOBODY, Kept, Vouched, take_in
from pbem.desk.intake.writers import Graded, Seen
from pbem.desk.office.office import Office
from pbem.kernel import errors
from pbem.kernel.errors import StaleLog, StorageError
from pbem.kernel.office import Source
from pbem.mail.reading.letter import read_head
from pbem.mail.reading.worker import ReaderBroke
from pbem.mail.wire.limits import MAX_LETTER
from pbem.storage import blobs, letters
from pbem.storage.claims import LETTER, claimed
from pbem.storage.database import Connection

LARGEST = MAX_LETTER
"""Bytes of a letter or a file, at most."""

TRIES = 5
"""How often a letter is begun that each time brought its reader down."""


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
    return _submitted(office, Upload(campaign, role, source, " ".join(name.split())), raw, way=way)


def hand_in(office: Office, meant: Upload, raw: bytes, *, once: str = "") -> Received:
    """Take in a sheet, or a file, that its player hands in himself, or who stands in for him.

    What comes under the same *once* as what came last under it, and is the same, is taken once: a page to which
    somebody went back may send something else, and then again what it sent at first.

    :raises Refused: if there is no such campaign or role, or it is no text, or another's.
    """
    if not once:
        return _submitted(office, meant, raw, way=UPLOAD)
    form, digest = f"{meant.campaign}/{meant.role}/{once}", blobs.digest_of(raw)
    while True:
        number, last = 0, ""
        with office.read() as connection:
            while there := letters.of_origin(connection, UPLOAD, f"{form}/{number}"):
                number, last = number + 1, there.digest
        origin = f"{form}/{number - 1 if number and last == digest else number}"
        letter = _taken_in(office, meant, raw, way=UPLOAD, origin=origin)
        if letter.digest == digest:
            return _handed_in(office, meant, raw, letter)
        # Another was sent from that page at the same time: this one comes after it.


def _submitted(office: Office, meant: Upload, raw: bytes, *, way: str) -> Received:
    return _handed_in(office, meant, raw, _taken_in(office, meant, raw, way=way))


def _taken_in(office: Office, meant: Upload, raw: bytes, *, way: str, origin: str | None = None) -> letters.Letter:
    return take_in(office, raw, way=way, origin=origin, recipients=(msgspec.json.encode(meant).decode(),))


def _handed_in(office: Office, meant: Upload, raw: bytes, letter: letters.Letter) -> Received:
    if letter.state != "new":
        return Received(
            letter=letter.id, state=letter.state, reason=letter.reason, campaign=letter.campaign, again=True
        )
    with claimed(office.engine, LETTER, letter.id):
        try:
            return handed.dealt_with(office, letter, raw)
        except errors.Refused as refused:
            with office.write() as connection:
                letters.settle(connection, letter.id, "refused", reason=str(refused))
            raise


def deal_with(office: Office, letter: letters.Letter, *, vouched: Vouched = NOBODY) -> Received:
    """Deal with a letter that was taken in; *vouched* says who knows that its sender is who he seems to be.

    :raises StorageError: if the disk does not let it; the letter then waits.
    """
    with claimed(office.engine, LETTER, letter.id) as ours:
        if not ours:
            return Received(letter=letter.id, state=letter.state, reason="another process is dealing with it")
        with office.write() as connection:
            row = letters.tried(connection, letter.id)
            if row is None:
                done = letters.get(connection, letter.id)
                return Received(
                    letter=done.id, state=done.state, reason=done.reason, campaign=done.campaign, again=True
                )
        return _dealt_with(office, row, vouched)


def _dealt_with(office: Office, row: letters.Letter, vouched: Vouched) -> Received:
    """Lead a letter its way; whatever it does, it ends here."""
    raw, why = b"", ""
    if row.tries <= TRIES:
        try:
            with office.read() as connection:
                raw = blobs.fetch(connection, row.digest)
            if row.source == UPLOAD:
                return handed.dealt_with_before(office, row, raw)
            return _its_way(office, Kept(row, raw, vouched))
        except StorageError:
            raise
        except (errors.Refused, StaleLog) as refused:
            # The office is not in order, or too busy, and the letter cannot help it.
            fate = PutOff(reason=f"not dealt with: {refused}", counts=False)
            return carried_out(office, row, lambda connection: Decision((fate,)))
        except Exception as error:
            why = str(error) if isinstance(error, ReaderBroke) else f"{type(error).__name__}: {error}"
            if row.tries < TRIES:
                fate = PutOff(reason=f"not dealt with: {why}", counts=True)
                return carried_out(office, row, lambda connection: Decision((fate,)))
    reason = f"it could not be dealt with in {TRIES} attempts{f': {why}' if why else ''}"
    return carried_out(
        office, row, lambda connection: Decision((deciding.given_up(office, connection, row, raw, reason),))
    )


def _its_way(office: Office, kept: Kept) -> Received:
    """A letter's way, from its bytes to what becomes of it."""
    seen = writers.seen(office, kept)
    given = held.confirmed(office, kept.row, seen)
    came = _come_of(office, kept, seen, given)
    return carried_out(office, kept.row, lambda connection: _decision(office, connection, kept, seen, given, came))


Came = Mapping[int, Outcome]
"""What the words of letters of those who run games have come to, by the numbers of the letters."""


def _come_of(office: Office, kept: Kept, seen: Seen, given: Given | None) -> Came:
    """Do what a letter says, and the one that waits for a code in it, where they are of those who run games."""
    came: dict[int, Outcome] = {}
    if not seen.person:
        return came
    both = [(kept, seen)]
    if given is not None and given.kept is not None and given.seen is not None:
        both.insert(0, (given.kept, given.seen))
    for one, looked in both:
        if from_gm.seems_of(office, looked) is None:
            continue
        with office.read() as connection:
            letter = writers.graded(office, connection, one, looked)
            his = None if joining.asked(office, connection, letter) else from_gm.of_gm(office, connection, letter)
        if his is None or (one is kept and given is not None and not his.says_words):
            continue
        outcome = from_gm.obeyed(office, his, lambda there, row, vouched: deal_with(there, row, vouched=vouched))
        if outcome is not None:
            came[one.row.id] = outcome
    return came


def _decision(
    office: Office, connection: Connection, kept: Kept, seen: Seen, given: Given | None, came: Came
) -> Decision:
    """What becomes of a letter that was *seen*; *given* says what the codes in it are worth.

    *came*: what its words have come to, if it is of somebody who runs games.

    :raises Refused: if the office is not in order.
    """
    if not_read := deciding.not_read(office, connection, kept, seen):
        return Decision((not_read,))
    letter = writers.graded(office, connection, kept, seen)
    if given is None:
        fates: tuple[Fate, ...] = (_of_words(office, connection, letter, came),)
    else:
        fates = _of_codes_and_words(office, connection, letter, given, came)
    his = from_gm.of_gm(office, connection, letter)
    judgement = his.judgement if his else letter.judgement
    return Decision(fates, judgement.grade, "; ".join(filter(None, (judgement.evidence, kept.vouched.by))))


def _of_codes_and_words(
    office: Office, connection: Connection, letter: Graded, given: Given, came: Came
) -> tuple[Fate, ...]:
    """The fate of the lines of a letter that give codes back, and that of all else in it, if it says anything else."""
    waits = deciding.confirmed(office, connection, given)
    then = _of_words(office, connection, waits, came) if waits else None
    his = from_gm.of_gm(office, connection, letter)
    of_codes = deciding.of_codes(office, connection, letter, given, waits, then, his)
    rest = understanding.without_codes(letter)
    says_more = his.says_words if his else understanding.says_orders(office, connection, rest)
    if not says_more:
        return (of_codes,)
    return of_codes, _of_words(office, connection, rest, came, deciding.books_after(of_codes))


def _of_words(office: Office, connection: Connection, letter: Graded, came: Came, books: Dossier | None = None) -> Fate:
    """The fate of what a letter says besides codes; *books*: those of its campaign, if an earlier part entered them.

    :raises ReaderBroke: if that is to be tried again.
    """
    if named := standing_in.asked(office, connection, letter, books):
        return standing_in.decided(office, connection, letter, named)
    if join := joining.asked(office, connection, letter, books):
        return joining.decided(office, connection, letter, join)
    if his := from_gm.of_gm(office, connection, letter):
        return from_gm.fate_of(office, connection, his, came.get(letter.kept.row.id))
    addressed = recipient.addressed(office, connection, letter, books)
    understood = understanding.understood(office, connection, addressed)
    return deciding.decided(office, connection, understood)
