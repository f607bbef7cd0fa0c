"""Which of our own letters a letter answers, and what that one was about."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pbem.desk.books.dossiers import Dossier
from pbem.kernel.campaign import SHEET_RECEIPTS
from pbem.kernel.names import Moment, Role
from pbem.storage import outbox
from pbem.storage.database import Connection
from pbem.storage.outbox import Mail
from pbem.storage.players import Player

NEAREST = 20
"""So many letters that a letter answers are looked for, the nearest first."""

BOTH = "both"
"""How the cause of a letter ends that goes to the second of two: the player of a role, and who stands in for him."""

_MOMENT = re.compile(r"S\d{1,3}(?:\.\d{1,4}|\+)?|\d{1,4}(?:[A-Z]?(?:\.\d{1,4}|\+)|[A-Z])")
"""As a moment is written; a bare number in a cause counts something else."""


def answered(connection: Connection, player: Player, replies_to: str, references: Sequence[str]) -> Mail | None:
    """The nearest letter of ours to *player* about a campaign, among those that a letter of his answers."""
    ids = list(dict.fromkeys(one for one in (replies_to, *reversed(references)) if one))[:NEAREST]
    mails = (outbox.of_message_id(connection, one) for one in ids)
    return next((mail for mail in mails if mail and mail.player == player.id and mail.campaign), None)


def role_of(mail: Mail, roles: Collection[Role]) -> Role | None:
    """Which of *roles* a letter of ours was about; what it is owed for names its role."""
    about = [role for role in roles if role in mail.cause.split("/")[1:]]
    return about[0] if len(about) == 1 else None


def answers_report(mail: Mail) -> bool:
    """Whether a letter of ours holds a report, or is the briefing."""
    return mail.cause.split("/")[0] in ("report", "again", "briefing")


def moment_of(mail: Mail, dossier: Dossier, role: Role) -> Moment | None:
    """The exchange that an answer to *mail* is for, if the letter was about one; after a report, the next.

    An answer to an interim report is for its halt.

    None for a letter about none, and for a report of what was annulled since.
    """
    head, *rest = mail.cause.split("/")
    if rest[-1:] == [BOTH]:
        rest.pop()  # the copy for the second of two
    if head == "receipt" and rest and rest[-1].isdigit():
        return _of_receipt(dossier, role, int(rest[-1]))
    said = next((Moment.parse(part) for part in rest if _MOMENT.fullmatch(part)), None)
    if said is None and head == "briefing":
        # Whoever took a role over was briefed while an exchange was open: that is what he was asked for.
        opened = dossier.campaign.exchanges.values()
        return max((one.moment for one in opened if one.opened_at <= mail.created_at), default=None)
    if said is None or said.halt or not answers_report(mail):
        return said
    return min((one for one in dossier.campaign.exchanges if one > said), default=None)


def _of_receipt(dossier: Dossier, role: Role, number: int) -> Moment | None:
    for one in reversed(dossier.own):
        if isinstance(one.event, SHEET_RECEIPTS) and (one.event.role, one.event.receipt) == (role, number):
            return one.event.moment
    return None
