"""Letters that the office owes: to a player about a campaign, to the GM, and to a stranger.

The letters about one role of one campaign hang in one thread a turn: the report that opens it, the answers to
what is sent for it, all that is told until the next report.
"""

from __future__ import annotations

from pbem.desk.books.owed import Answered, Answers, Contents, Owed, Says
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.storage.outbox import Kind
from pbem.storage.players import Player


def to_player(
    campaign: CampaignId,
    title: str,
    player: Player,
    role: Role | None,
    says: Says,
    *,
    kind: Kind,
    cause: str,
    at: int,
    moment: Moment | None = None,
    answers: Answered | None = None,
    counts: Answers = Answers.PLAYER,
    batch: str = "",
) -> list[Owed]:
    """A letter to *player* about *role* (None: about none); empty if he has no address any more.

    *moment*: the exchange in whose thread it hangs, unless it answers a letter that hangs in another.  What
    *answers* a letter counts as one of the answers of its kind, of which one person gets only so many; all of one
    *batch* count as one.
    """
    if not player.address:
        return []
    thread = "/".join(("thread", *([role] if role else []), *([str(moment)] if moment else [])))
    return [
        Owed(
            campaign=campaign,
            cause=cause,
            kind=kind,
            says=says,
            at=at,
            player=player.id,
            role=role,
            title=title,
            thread=thread,
            answered=answers,
            counts=counts if answers else None,
            batch=batch or cause,
        )
    ]


def to_gm(campaign: CampaignId, subject: str, text: str, *, cause: str, at: int, reply_to: str = "") -> Owed:
    """A notice to the GM; *reply_to*: whom he answers, where that is not the office."""
    contents = Contents(subject=f"[{campaign}] {subject}" if campaign else subject, text=text)
    return Owed(campaign=campaign, cause=cause, kind="notice", says=contents, at=at, thread="thread", reply_to=reply_to)


AGAIN = "again/"
"""How the cause of a letter begins that holds a report once more."""

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
    return f"report/{moment}/{role}/{version}"
