"""What waits for a word of the GM is taken at his word (`gm.waiting` says what waits)."""

from __future__ import annotations

from pbem.desk.gm import waiting
from pbem.desk.gm.waiting import WAITING
from pbem.desk.intake.fates import Received
from pbem.desk.intake.keeping import Vouched
from pbem.desk.intake.receive import deal_with
from pbem.desk.office.office import Office
from pbem.kernel.errors import Refused
from pbem.storage import letters
from pbem.storage.players import Player

BY_GM = Vouched("the GM took it as his")


def accept(office: Office, id: int) -> Received:
    """Deal with a letter that waits as if it were certain who wrote it; it counts as come when it came.

    :raises Refused: if it does not wait.
    """
    return deal_with(office, waiting.to_accept(office, id), vouched=BY_GM)


def accept_as(office: Office, id: int, whose: Player) -> Received:
    """Deal with a letter as *whose*, from whatever address it came; it counts as come when it came.

    :raises Refused: if it was dealt with.
    """
    again = waiting.to_accept_as(office, id)
    return deal_with(office, again, vouched=Vouched(f"the GM took it as that of {whose.id}", whose.id))


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
