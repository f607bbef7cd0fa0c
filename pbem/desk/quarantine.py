"""Letters that wait for the GM: held, not read, or not dealt with."""

from __future__ import annotations

from pbem.desk.office import Office
from pbem.desk.receive import Received, deal_with
from pbem.kernel.errors import Refused
from pbem.mail.address import redact
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


def accept(office: Office, id: int) -> Received:
    """Deal with a letter that waits as if it were certain who wrote it; it counts as come when it came.

    :raises Refused: if it does not wait.
    """
    letter, _ = read(office, id)
    if letter.state not in ("new", "held"):
        raise Refused(f"letter {id} does not wait for a word: it is {letter.state}.")
    return deal_with(office, letter, vouched="the GM took it as his")


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
