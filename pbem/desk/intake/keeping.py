"""A letter is kept: its bytes are in the database, and that is committed, before anything reads them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.office.office import Office
from pbem.kernel.names import PlayerId
from pbem.mail.reading.content import content_digest
from pbem.storage import blobs, letters


class Vouched(Struct, frozen=True):
    """Who knows that a letter is from the one whose it seems to be, in a phrase; and whose it is, if he says so."""

    by: str = ""
    player: PlayerId | None = None


NOBODY = Vouched()


class Kept(Struct, frozen=True):
    """A letter as it was kept, and who vouches for it."""

    row: letters.Letter
    raw: bytes
    vouched: Vouched = NOBODY


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
