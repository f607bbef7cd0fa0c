"""Letters are fetched from where they lie, kept, and only then read, one at a time.

    mailbox, Maildir, mbox, file, pipe, LMTP, SMTP  →  keep: committed  →  put away there  →  sweep: dealt with

What counts as the hour at which a letter came is never what the letter says.  By pipe, LMTP or SMTP, from a file or an
mbox it is when it was kept.  Where it has lain, in a mailbox (INTERNALDATE), a Maildir, or the folders `incoming` and
`emergency` (the time of its file), it is when it was laid there, so that an office which was down makes nobody late;
but never a time that has not come, and never more than `LAIN` before now: so old a letter was put there by hand, and
comes now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.desk.intake.fates import Received
from pbem.desk.intake.keeping import take_in
from pbem.desk.intake.receive import deal_with
from pbem.desk.office.office import HOUR, Office, open_office
from pbem.desk.post import writing
from pbem.desk.ways.piped import INCOMING
from pbem.kernel.errors import PbemError, StorageError
from pbem.mail.doors.emergency import lying, set_aside
from pbem.mail.doors.inbox import Arrival, from_file, from_maildir, from_mbox
from pbem.mail.reading.letter import read_head
from pbem.mail.wire.envelope import delivered
from pbem.storage import letters
from pbem.storage.blobs import digest_of
from pbem.storage.letters import Letter

if TYPE_CHECKING:
    from pbem.mail.doors.imap import Found, Place

PIPE = "pipe"
EMERGENCY = "emergency"
"""The folder of the office for letters that come while its database is down."""

LAIN = 7 * 24 * HOUR
"""The longest that a letter can have lain before it was fetched, and still have come when it was laid there."""

_ONCE = ("new", "held", "applied")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SetAside(Struct, frozen=True):
    """A letter that the database did not take."""

    place: Path
    why: str


def when(now: int, laid: int | None) -> int | None:
    """When a letter came that was *laid* at that time where it was found; None: it comes now.

    >>> when(10 * LAIN, 10 * LAIN - HOUR) == 10 * LAIN - HOUR, when(HOUR, HOUR + 1), when(10 * LAIN, HOUR)
    (True, None, None)
    """
    return laid if laid is not None and now - LAIN <= laid <= now else None


def keep(office: Office, raw: bytes, *, way: str, origin: str | None = None, laid: int | None = None) -> Letter:
    """Keep a letter that came by *way*, and commit; *laid*: when it was put where it was found.

    Where a place has no name of its own, or stands for a pipe, the same bytes again are the same letter: a mail server
    offers it again that was not told in time that it is kept.

    :raises StorageError: if it cannot be kept.
    """
    see_database(office)
    if origin is None or way == PIPE:
        with office.read() as connection:
            same = [one for one in letters.of_digest(connection, digest_of(raw)) if _is_once(one)]
        if same:
            return same[0]
    message_id = read_head(raw).message_id or None
    return take_in(office, raw, way=way, origin=origin, message_id=message_id, arrived=when(office.now(), laid))


def _is_once(letter: Letter) -> bool:
    """Whether the same bytes again would come to nothing else: a stranger's may, once he plays."""
    return letter.state in _ONCE or (letter.state == "refused" and letter.player is not None)


def keep_found(office: Office, found: Found) -> None:
    """Keep a letter that lies in a mailbox; what lay in the same place before is the same letter.

    :raises StorageError: if it cannot be kept.
    """
    laid = None if found.arrived is None else (found.arrived - _EPOCH) // timedelta(microseconds=1)
    keep(office, found.raw, way="imap", origin=found.place.key, laid=laid)


def is_known(office: Office, place: Place) -> bool:
    """Whether the letter of a place in a mailbox was kept before."""
    with office.read() as connection:
        return letters.of_origin(connection, "imap", place.key) is not None


def see_database(office: Office) -> None:
    """See that the database is still that which was opened: what is written into one that was moved away is lost.

    :raises StorageError: if it is not.
    """
    engine = office.engine
    there = engine.database.identity(engine)
    if office.kept.setdefault("database", there) != there:
        raise StorageError(f"{engine.at} is another database than the one that was opened: start pbem again.")


def by_pipe(folder: Path, raw: bytes) -> list[Received] | SetAside:
    """Keep the letter *raw* in the office in *folder*, and deal with it and with those left over.

    Says where it was set aside, if the database cannot take it.

    :raises NotKept: if it could not be set aside either.
    """
    kept: Letter | None = None
    try:
        with open_office(folder) as office:
            kept = keep(office, raw, way=PIPE)
            return [_tried(office, kept), *sweep(office)]
    except Exception as error:
        if kept is not None:
            return [_waiting(kept, error)]
        return SetAside(set_aside(folder / EMERGENCY, raw), f"{error}")


def from_place(office: Office, place: Path, *, recipient: str = "") -> Iterator[Received]:
    """Take in every letter at *place*: a Maildir, an mbox, or one letter; those left over from before come first.

    :raises NoSource: if there is nothing to read.
    :raises StorageError: if a letter cannot be kept.
    """
    yield from sweep(office)
    for arrival in _arrivals(place):
        way, _, where = arrival.key.partition(":")
        # A file's name and a place in an mbox may be another letter's tomorrow; only a Maildir's names are unique.
        origin = where if way == "maildir" else None
        raw = delivered(arrival.raw, [recipient]) if recipient else arrival.raw
        letter = keep(office, raw, way=way, origin=origin, laid=arrival.arrived)
        arrival.done()
        yield _tried(office, letter)


def sweep(office: Office, seen: set[int] | None = None) -> Iterator[Received]:
    """Take in what was set aside, and deal with every letter that was kept and not dealt with, but those *seen*.

    Those that it deals with are seen from then on, whatever comes of it.

    :raises PbemError: if the disk does not let it; what it lets is done.
    """
    fault: PbemError | None = None
    try:
        take_in_lying(office)
    except PbemError as error:
        fault = error
    seen = set() if seen is None else seen
    while waiting := unseen(office, seen):
        for letter in waiting:
            seen.add(letter.id)
            with writing.maps_later(office):
                received = _tried(office, letter)
            yield received
        # What takes long to write is written when nobody waits, one mail at a time.
        while writing.write_next(office) and not unseen(office, seen):
            pass
    writing.write_owed(office)
    if fault is not None:
        raise fault


def take_in_lying(office: Office) -> None:
    """Keep what was laid into the office's folder: set aside while the database was down, or by a pipe.

    :raises StorageError: if it cannot be kept.
    """
    for one in lying(office.folder / EMERGENCY):
        keep(office, one.raw, way=EMERGENCY, origin=one.name, laid=one.at)
        one.done()
    for one in lying(office.folder / INCOMING):
        keep(office, one.raw, way=PIPE, origin=f"{one.name}.{one.at}", laid=one.at)
        one.done()


def unseen(office: Office, seen: Collection[int]) -> list[Letter]:
    """The letters that wait to be dealt with, but those *seen*, by their numbers."""
    with office.read() as connection:
        return [one for one in letters.listing(connection, "new") if one.id not in seen]


def _tried(office: Office, letter: Letter) -> Received:
    """Deal with a letter that is kept; what fails is tried again later."""
    try:
        return deal_with(office, letter)
    except Exception as error:  # one letter's fault is one letter's
        return _waiting(letter, error)


def _waiting(letter: Letter, error: Exception) -> Received:
    why = f"{error}" if isinstance(error, PbemError) else f"{type(error).__name__}: {error}"
    return Received(letter=letter.id, state=letter.state, reason=f"kept, not yet dealt with: {why}")


def _arrivals(place: Path) -> Iterator[Arrival]:
    if place.is_dir():
        return from_maildir(place)
    if place.is_file():
        with place.open("rb") as file:
            if file.read(5) == b"From ":
                return from_mbox(place)
    return from_file(place)
