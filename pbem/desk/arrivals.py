"""Letters are fetched from where they lie: a file, standard input, a Maildir, an mbox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pbem.desk.office import Office
from pbem.desk.receive import Received, deal_with, sweep, take_in
from pbem.kernel.errors import PbemError
from pbem.mail.inbox import Arrival, from_file, from_maildir, from_mbox, from_stream
from pbem.mail.letter import read_head
from pbem.storage.letters import Letter


def keep(office: Office, stream: BinaryIO) -> Letter:
    """Keep the one letter on *stream*.

    :raises NoSource: if it is too big.
    :raises StorageError: if it cannot be kept.
    """
    [arrival] = from_stream(stream)
    return _keep(office, arrival)


def try_to_deal(office: Office, letter: Letter) -> Received:
    """Deal with a letter that is kept; never raises: what fails is tried again later."""
    try:
        return deal_with(office, letter)
    except PbemError as error:
        return Received(letter=letter.id, state=letter.state, reason=f"kept, not yet dealt with: {error}")


def from_place(office: Office, place: Path) -> Iterator[Received]:
    """Take in every letter at *place*: a Maildir, an mbox, or one letter; those left over from before come first.

    :raises NoSource: if there is nothing to read.
    :raises StorageError: if a letter cannot be kept.
    """
    yield from sweep(office)
    for arrival in _arrivals(place):
        letter = _keep(office, arrival)
        arrival.done()
        yield deal_with(office, letter)


def _arrivals(place: Path) -> Iterator[Arrival]:
    if place.is_dir():
        return from_maildir(place)
    if place.is_file():
        with place.open("rb") as file:
            if file.read(5) == b"From ":
                return from_mbox(place)
    return from_file(place)


def _keep(office: Office, arrival: Arrival) -> Letter:
    way, _, place = arrival.key.partition(":")
    # A file's name and a place in an mbox may be another letter's tomorrow; only a Maildir's names are unique.
    origin = place if way == "maildir" else None
    message_id = read_head(arrival.raw).message_id or None
    return take_in(office, arrival.raw, way=way, origin=origin, message_id=message_id)
