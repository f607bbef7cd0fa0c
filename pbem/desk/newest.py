"""The newest sending counts, in whatever order letters come to be dealt with.

A letter that waited for a word of its player counts as come when it came; what he sent meanwhile is newer, and stands.
"""

from __future__ import annotations

from pbem.desk.dossiers import Dossier
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersWithdrawn
from pbem.reports.times import in_zone
from pbem.storage import letters
from pbem.storage.database import Connection


def newer(connection: Connection, dossier: Dossier, role: Role, moment: Moment, *, received: int, zone: str) -> str:
    """Why a message that came at *received* changes nothing of the orders of *role* for *moment*; empty if it may.

    In a phrase, with the hour in *zone*.
    """
    for one in reversed(dossier.own):
        event = one.event
        if not isinstance(event, OrdersAccepted | OrdersKept | OrdersWithdrawn):
            continue
        if (event.role, event.moment) != (role, moment):
            continue
        came = _came(connection, event.message, one.at)
        if came <= received:
            return ""
        what = "took your orders back" if isinstance(event, OrdersWithdrawn) else "sent newer orders"
        return (
            f"it came at {in_zone(received, zone)}, and at {in_zone(came, zone)} you {what} for {moment} "
            f"(receipt {event.receipt}), which counts"
        )
    return ""


def _came(connection: Connection, digest: str, entered: int) -> int:
    """When the message came that was entered then."""
    came = [one.received_at for one in letters.of_digest(connection, digest)] if digest else []
    return max((at for at in came if at <= entered), default=entered)
