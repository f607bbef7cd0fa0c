"""Letters that wait for a word of the GM, held, not read or not dealt with: what is known of them, and may be done.

To take one is to deal with it anew, which is the intake's (`intake.quarantine`, and a letter of the GM).
"""

from __future__ import annotations

from pbem.desk.office.office import Office
from pbem.kernel.errors import Refused
from pbem.mail.reading.letter import read_head
from pbem.mail.wire.reply_address import redact
from pbem.storage import blobs, letters
from pbem.storage.letters import Letter as Letter
from pbem.storage.letters import State

WAITING: tuple[State, ...] = ("new", "held", "unreadable")


def listing(office: Office, *, everything: bool = False) -> list[Letter]:
    """The letters that wait, or all that ever came."""
    with office.read() as connection:
        return [one for one in letters.listing(connection) if everything or one.state in WAITING]


def read(office: Office, id: int) -> tuple[Letter, bytes]:
    """One letter, and its bytes as they came.

    :raises Refused: if there is none, or its bytes were erased.
    """
    with office.read() as connection:
        letter = letters.get(connection, id)
        return letter, blobs.fetch(connection, letter.digest)


def blotted(raw: bytes) -> str:
    """The letter as text, without what proves who wrote it: fit for a screen that others see."""
    return redact(raw.decode("utf-8", "replace").replace("\r\n", "\n"))


def sender_of(office: Office, id: int) -> str:
    """The address that stands in the From of a letter.

    :raises Refused: if it has none.
    """
    _, raw = read(office, id)
    if sender := read_head(raw).sender.address:
        return sender
    raise Refused(f"letter {id} says no address that it is from.")


def to_accept(office: Office, id: int) -> Letter:
    """The letter of this number, if it waits for a word on who wrote it.

    :raises Refused: if it does not.
    """
    letter, _ = read(office, id)
    if letter.state not in ("new", "held"):
        whose = (
            ""
            if letter.seq or letter.player
            else f"  If you know whose it is: pbem mail quarantine accept {id} --as WHO"
        )
        raise Refused(f"letter {id} does not wait for a word: it is {letter.state}.{whose}")
    if letter.state == "held" and letter.player is None and letter.campaign is None:
        raise Refused(
            f"letter {id} is in the name of somebody who runs games: he confirms it by his code, nobody else."
        )
    return letter


def to_accept_as(office: Office, id: int) -> Letter:
    """The letter of this number, as if nobody had tried to read it yet, if somebody can be said to have written it.

    Whether it was held or sent away makes no difference; what became an event, or was its player's, is done with.

    :raises Refused: if it was dealt with.
    """
    with office.write() as connection:
        letter = letters.get(connection, id)
        if letter.seq is not None or (letter.state not in WAITING and letter.player is not None):
            raise Refused(f"letter {id} was dealt with: it is {letter.state}.")
        return letters.again(connection, id)


def discard(office: Office, id: int, reason: str) -> None:
    """Put a letter that waits away for good; it is kept.

    :raises Refused: if it does not wait, or no *reason* is given.
    """
    if not reason.strip():
        raise Refused("to discard a letter takes a reason: --reason TEXT.")
    with office.write() as connection:
        letter = letters.get(connection, id)
        if letter.state not in WAITING:
            raise Refused(f"letter {id} does not wait: it is {letter.state}.")
        letters.settle(
            connection, id, "ignored", reason=f"discarded: {reason}", campaign=letter.campaign, player=letter.player
        )
