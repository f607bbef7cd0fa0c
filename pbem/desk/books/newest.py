"""The newest sending counts, in whatever order letters come to be dealt with.

A letter that waited for a word of its player counts as come when it came; what he sent meanwhile is newer, and stands.
What came first is told by the numbers that letters get as they are kept, and never by a clock: that may have been
wrong when one of them came.
"""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersWithdrawn
from pbem.reports.text.speech import phrase, phrase_later
from pbem.storage import letters
from pbem.storage.database import Connection


def newer(connection: Connection, dossier: Dossier, role: Role, moment: Moment, *, number: int) -> str:
    """Why letter *number* (0: one that comes now) changes nothing of the orders of *role* for *moment*, in a phrase.

    Empty if it may.
    """
    for one in reversed(dossier.own):
        event = one.event
        if not isinstance(event, OrdersAccepted | OrdersKept | OrdersWithdrawn) or not event.message:
            continue  # what was read again came when it was sent
        if (event.role, event.moment) != (role, moment):
            continue
        if number == 0 or _number(connection, dossier.id, event.message) <= number:
            return ""
        text = phrase_later("after it you sent newer orders for {moment} (receipt {number}), which counts")
        if isinstance(event, OrdersWithdrawn):
            text = phrase_later("after it you took your orders back for {moment} (receipt {number}), which counts")
        return phrase(text, moment=moment, number=event.receipt)
    return ""


def _number(connection: Connection, campaign: CampaignId, digest: str) -> int:
    """The number of the letter that was entered into the log of *campaign*; 0 if it came to another office."""
    came = [one.id for one in letters.of_digest(connection, digest) if one.seq is not None and one.campaign == campaign]
    return max(came, default=0)
