"""Letters that wait for the GM: held, not read, or not dealt with."""

from __future__ import annotations

from pbem.desk.intake.fates import Received
from pbem.desk.intake.keeping import Vouched
from pbem.desk.intake.receive import deal_with
from pbem.desk.office.office import Office
from pbem.kernel.errors import Refused
from pbem.mail.reading.letter import read_head
from pbem.mail.wire.reply_address import redact
from pbem.storage import blobs, letters
from pbem.storage.letters import Letter as Letter
from pbem.storage.letters import State
from pbem.storage.players import Player

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


def accept(office: Office, id: int) -> Received:
    """Deal with a letter that waits as if it were certain who wrote it; it counts as come when it came.

    :raises Refused: if it does not wait.
    """
    letter, _ = read(office, id)
    if letter.state not in ("new", "held"):
        whose = (
            ""
            if letter.seq or letter.player
            else f"  If you know whose it is: pbem mail quarantine accept {id} --as WHO"
        )
        raise Refused(f"letter {id} does not wait for a word: it is {letter.state}.{whose}")
    return deal_with(office, letter, vouched=Vouched("the GM took it as his"))


def accept_as(office: Office, id: int, whose: Player) -> Received:
    """Deal with a letter as *whose*, from whatever address it came; it counts as come when it came.

    Whether it was held or sent away makes no difference; what became an event, or was its player's, is done with.

    :raises Refused: if it was dealt with.
    """
    with office.write() as connection:
        letter = letters.get(connection, id)
        if letter.seq is not None or (letter.state not in WAITING and letter.player is not None):
            raise Refused(f"letter {id} was dealt with: it is {letter.state}.")
        again = letters.again(connection, id)
    return deal_with(office, again, vouched=Vouched(f"the GM took it as that of {whose.id}", whose.id))


def sender_of(office: Office, id: int) -> str:
    """The address that stands in the From of a letter.

    :raises Refused: if it has none.
    """
    _, raw = read(office, id)
    if sender := read_head(raw).sender.address:
        return sender
    raise Refused(f"letter {id} says no address that it is from.")


def retry(office: Office, id: int) -> Received:
    """Deal with a letter as if it had just come, for what kept it may be mended; it counts as come when it came.

    :raises Refused: if it became an event, or is done with.
    """
    with office.write() as connection:
        letter = letters.get(connection, id)
        lost = letter.state == "refused" and letter.seq is None
        if letter.state not in WAITING and not lost:
            raise Refused(f"letter {id} was dealt with: it is {letter.state}.")
        again = letters.again(connection, id)
    return deal_with(office, again)


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
