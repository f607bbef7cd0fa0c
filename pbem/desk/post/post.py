"""Letters that the office owes: to a player about a campaign, to the GM, and to a stranger.

The letters about one role of one campaign hang in one thread a turn: the report that opens it, the answers to
what is sent for it, all that is told until the next report.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answered, Answers, Contents, Owed, ReceiptLetter, Says
from pbem.desk.books.threads import BOTH
from pbem.desk.post.addresses import NO_GAME
from pbem.kernel.campaign import Campaign
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.storage.outbox import Kind
from pbem.storage.players import Player


class Addressee(Struct, frozen=True):
    """The player to whom a letter goes, and what it is about: a role of a campaign's game, or no game at all."""

    player: Player
    role: Role | None = None
    campaign: CampaignId = NO_GAME
    title: str = ""
    """Of the game."""


def in_game(dossier: Dossier, role: Role | None, player: Player) -> Addressee:
    """*player*, written to about *role* in the game of a campaign (None: about the game)."""
    return Addressee(player, role, dossier.id, dossier.opened.title)


class Answering(Struct, frozen=True):
    """What a letter answers: it counts as one of the answers of its kind, of which one person gets only so many."""

    letter: Answered | None
    """None: what came is no letter, and nothing is counted."""
    counts: Answers = Answers.PLAYER
    batch: str = ""
    """All answers of one batch count as one."""


NOTHING = Answering(None)


def to_player(
    to: Addressee,
    says: Says,
    *,
    kind: Kind,
    cause: str,
    at: int,
    moment: Moment | None = None,
    answers: Answering = NOTHING,
) -> list[Owed]:
    """A letter to a player; empty if he has no address any more.

    *moment*: the exchange in whose thread it hangs, unless it answers a letter that hangs in another.
    """
    if not to.player.address:
        return []
    thread = "/".join(("thread", *([to.role] if to.role else []), *([str(moment)] if moment else [])))
    return [
        Owed(
            campaign=to.campaign,
            cause=cause,
            kind=kind,
            says=says,
            at=at,
            player=to.player.id,
            role=to.role,
            title=to.title,
            thread=thread,
            answered=answers.letter,
            counts=answers.counts if answers.letter else None,
            batch=answers.batch or cause,
        )
    ]


def to_gm(campaign: CampaignId, subject: str, text: str, *, cause: str, at: int, reply_to: str = "") -> Owed:
    """A notice to the GM; *reply_to*: whom he answers, where that is not the office."""
    contents = Contents(subject=f"[{campaign}] {subject}" if campaign else subject, text=text)
    return Owed(campaign=campaign, cause=cause, kind="notice", says=contents, at=at, thread="thread", reply_to=reply_to)


def for_both(campaign: Campaign, mails: Sequence[Owed]) -> list[Owed]:
    """*mails*, and what of them the other of two who send orders for a role is told as well.

    That is what the role is told, and receipts for its orders; not what one of them alone asked for.
    """
    found = list(mails)
    for mail in mails:
        told = mail.kind in ("report", "notice") and not mail.cause.startswith(AGAIN)
        if mail.role is None or not (told or isinstance(mail.says, ReceiptLetter)):
            continue
        both = campaign.both(mail.role)
        if mail.player in both:
            cause = f"{mail.cause}/{BOTH}"
            copy = replace(mail, cause=cause, batch=cause, says=_of_orders(mail), answered=None, counts=None)
            found += [replace(copy, player=other) for other in both if other != mail.player]
    return found


def _of_orders(mail: Owed) -> Says:
    """What a mail says; of a receipt, without what its writer said to the office beside his orders.

    The warnings of one that answers a letter are of that letter: they quote what he quoted, and its subject.
    """
    if not isinstance(mail.says, ReceiptLetter):
        return mail.says
    receipt = mail.says.receipt
    lines = tuple(line for line in receipt.lines if line.number not in receipt.aside)
    warnings = receipt.warnings if mail.answered is None else ()
    return ReceiptLetter(replace(receipt, lines=lines, aside=(), unread=(), warnings=warnings))


REPORT = "report/"
"""How the cause of a letter begins that holds a report."""

AGAIN = "again/"
"""How the cause of one begins that holds it once more."""

DRAWN = (REPORT, AGAIN)
"""How the causes of letters with maps begin."""

ELSEWHERE = "elsewhere/"
"""How the cause of a letter begins that goes to an address which is neither a player's nor the GM's."""


def to_stranger(address: str, says: Says, *, cause: str, at: int, answers: Answered | None = None) -> Owed:
    """A letter to an address that is nobody's here: it tells nothing of any game."""
    whole = f"{ELSEWHERE}{cause}"
    return Owed(
        campaign=CampaignId(""),
        cause=whole,
        kind="receipt",
        says=says,
        at=at,
        address=address,
        thread=whole,
        answered=answers,
        counts=Answers.STRANGER if answers else None,
        batch=whole,
    )


def report_cause(moment: Moment, role: Role, version: int) -> str:
    """For what a report is owed."""
    return f"{REPORT}{moment}/{role}/{version}"
