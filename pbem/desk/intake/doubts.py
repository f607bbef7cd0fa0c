"""Why a letter is asked back though it is believed: what was sent before, and what cannot be undone.

A letter that its signature alone proves can be sent once more by whoever has it, to the day when its writer has long
ordered something else.  What ends a game is asked back whatever proves the letter.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.desk.books.dossiers import Dossier
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersWithdrawn
from pbem.mail.reading.content import content_digest
from pbem.mail.reading.letter import read_head
from pbem.storage import blobs, letters
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.players import Player

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class AskBack(Exception):
    """What a letter asks for is done only if its player confirms it; *why*, in a phrase."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def same_before(connection: Connection, row: Letter, raw: bytes, player: Player | None) -> bool:
    """Whether the same was written by the same player (None: by who is none) before, and was dealt with.

    What was written is taken from the bytes: an older release noted something else of them.
    """
    whose = player.id if player else None
    before = {
        one.digest
        for one in letters.alike(connection, row)
        if one.id != row.id and one.player == whose and one.state in ("applied", "refused")
    }
    if not before or row.digest in before:
        return bool(before)
    said = content_digest(raw)
    return any(content_digest(_bytes(connection, digest)) == said for digest in sorted(before))


def same_there(connection: Connection, row: Letter, raw: bytes, player: Player, campaign: CampaignId) -> bool:
    """Whether the same, but for its subject, was entered into *campaign* before.

    Where it went nowhere, or elsewhere, another subject may lead it where it was to go.
    """
    before = [
        one
        for one in letters.alike(connection, row)
        if one.id != row.id and (one.player, one.campaign) == (player.id, campaign) and one.seq is not None
    ]
    said = content_digest(raw, subject=False) if before else ""
    return any(content_digest(_bytes(connection, one.digest), subject=False) == said for one in before)


def overtaken(connection: Connection, dossier: Dossier, role: Role, sent: datetime) -> str:
    """Why a letter that was *sent* then, by its own date, is older than what *role* has ordered since; empty if not.

    In a phrase.  Its date is compared with that of the letter that was taken last, for both are of one clock; where
    that has none, or one that had not come yet, with the hour when it was taken.
    """
    for one in reversed(dossier.own):
        event = one.event
        if isinstance(event, OrdersAccepted | OrdersKept | OrdersWithdrawn) and event.role == role:
            taken = _EPOCH + timedelta(microseconds=one.at)
            last = min(taken, read_head(_bytes(connection, event.message)).date or taken)
            return f"it was written before your newest orders (receipt {event.receipt})" if sent < last else ""
    return ""


def _bytes(connection: Connection, digest: str) -> bytes:
    """The bytes of a letter; none, if they are not kept any more."""
    try:
        return blobs.fetch(connection, digest)
    except (Refused, BrokenLog):
        return b""
