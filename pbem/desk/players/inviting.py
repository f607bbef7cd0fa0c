"""Invitations: with them a campaign begins when its players have answered, each with his first word for the dice.

campaign new --invite   →  the seeds of the set-up are promised
player add              →  an invitation leaves, with the promise
his answer              →  his word enters the dice; he and the GM are told
campaign start          →  refused while an answer is missing, unless the GM goes on without it
"""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post.entries import Entry, tell
from pbem.kernel.names import Role
from pbem.kernel.office import Promises
from pbem.orders.prose import cap, listed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage.players import Player


def unanswered(dossier: Dossier) -> list[Role]:
    """Whose player is invited and has not answered, before the start."""
    campaign = dossier.campaign
    if dossier.opened.muster is None or campaign.started:
        return []
    return [role for role in dossier.roles if role in campaign.players and (SET_UP, role) not in campaign.given]


def answers(dossier: Dossier) -> str:
    """Who has answered and who has not, in a phrase; empty where nobody is invited, or play has begun."""
    campaign = dossier.campaign
    if dossier.opened.muster is None or campaign.started:
        return ""
    come = [role for role in dossier.roles if (SET_UP, role) in campaign.given]
    phrases = (("answered", come), ("not yet", unanswered(dossier)))
    return "; ".join(f"{said}: {listed(roles)}" for said, roles in phrases if roles) or "nobody yet"


def invite(entry: Entry, role: Role, player: Player, *, again: str = "") -> None:
    """Owe *player* his invitation to fill *role*, if players are invited to this campaign and it has not begun.

    *again*: why he is asked once more, in sentences.
    """
    dossier = entry.dossier
    promises = dossier.campaign.muster
    if dossier.opened.muster is None or promises is None or dossier.campaign.started:
        return
    with speaking(dossier.campaign.language(role)):
        head, title = phrase("will you play {role}?", role=role), dossier.opened.title
        waits = phrase("{game} waits for its players. When all have answered, the umpire can begin.", game=title)
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {head}",
        heading=cap(head),
        summary=f"{again} {waits}".strip(),
        body=phrase_later(
            "To accept, answer this letter. A yes is enough; a line of your own that nobody can guess is better. "
            "The dice that set the field up are made of the two seeds whose fingerprints stand below and of the "
            "answers of all players, so that nobody can choose them, the umpire neither. If you cannot play, say so "
            "in your answer: the umpire reads it."
        ),
        quoted=(_promised(promises),),
    )
    tell(entry, role, player, notice, cause=f"invitation/{role}/{dossier.seq}")


def _promised(promises: Promises) -> tuple[str, str]:
    return (phrase_later("Promised for the set-up, open and closed (SHA-256)"), f"{promises.open}\n{promises.closed}")
