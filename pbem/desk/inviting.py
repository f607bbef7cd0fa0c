"""Invitations: with them a campaign begins when its players have answered, each with his first word for the dice.

campaign new --invite   →  the seeds of the set-up are promised
player add              →  an invitation leaves, with the promise
his answer              →  his word enters the dice; he and the GM are told
campaign start          →  refused while an answer is missing, unless the GM goes on without it
"""

from __future__ import annotations

from pbem.desk import press, seeds, sheets
from pbem.desk.dossiers import Dossier
from pbem.desk.entries import Entry, tell
from pbem.desk.intake import Intake
from pbem.desk.owed import ShortLetter
from pbem.desk.pages import SET_UP
from pbem.desk.post import to_gm
from pbem.kernel.names import Role
from pbem.kernel.office import InvitationAnswered, Promises
from pbem.orders.prose import listed
from pbem.orders.words import Sheet
from pbem.reports.pages.notice import Notice
from pbem.storage.blobs import digest_of
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


def invite(entry: Entry, role: Role, player: Player) -> None:
    """Owe *player* his invitation to fill *role*, if players are invited to this campaign and it has not begun."""
    dossier = entry.dossier
    promises = dossier.opened.muster
    if promises is None or dossier.campaign.started:
        return
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] will you play {role}?",
        heading=f"Will you play {role}?",
        summary=f"{dossier.opened.title} waits for its players. When all have answered, the umpire can begin.",
        body=(
            "To accept, answer this letter. A yes is enough; a line of your own that nobody can guess is better. "
            "The dice that set the field up are made of the two seeds whose fingerprints stand below and of the "
            "answers of all players, so that nobody can choose them, the umpire neither. If you cannot play, say so "
            "in your answer: the umpire reads it."
        ),
        quoted=(_promised(promises),),
    )
    tell(entry, role, player, notice, cause=f"invitation/{role}/{dossier.seq}")


def answer(intake: Intake, sheet: Sheet) -> bool:
    """Take the message for the answer to the invitation of its role, if it can be that; says whether it was.

    It can if it is the first of its player's own and says more than a question to the umpire.
    """
    dossier, message, role = intake.entry.dossier, intake.message, intake.role
    asked = [one for one in sheet.commands if one.word == "umpire" or one.to in press.UMPIRE]
    asks = {line.number for one in asked for line in (one.line, *one.below)}
    said = [line for line in message.lines if line.text.strip() and line.number not in asks]
    text = sheets.written(said).strip("\n")
    word = seeds.given_with(dossier.campaign, SET_UP, role, digest_of(text.encode()), message)
    if not word or not said:
        return False
    intake.entry.add(
        SET_UP, InvitationAnswered(role=role, digest=digest_of(text.encode()), message=message.digest, word=word)
    )
    told = intake.entry.dossier
    intake.outcome = "answered"
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] your answer has come",
        heading="Your answer has come",
        summary="You will have your briefing when the game begins.",
        body="Keep your word: the page that comes with the briefing prints it too, beside those of the others.",
        quoted=(
            ("Your word in the dice of the set-up", seeds.told_word(intake.connection, told.campaign, SET_UP, role)),
            ("What you wrote", text),
            ("Its SHA-256", digest_of(text.encode())),
        ),
    )
    intake.answer(ShortLetter(notice), cause=f"answered/{role}/{intake.mark}")
    _tell_gm(intake, text)
    return True


def _tell_gm(intake: Intake, text: str) -> None:
    dossier, role = intake.entry.dossier, intake.role
    waits = unanswered(dossier)
    all_in = f"All have answered.  Next: pbem campaign start {dossier.id}"
    then = f"No answer yet from {listed(waits)}." if waits else all_in
    body = f"{intake.player.name or role} has answered the invitation to play {role}:\n\n{text}\n\n{then}\n"
    subject = f"{role} has answered"
    cause = f"has-answered/{role}/{intake.mark}"
    intake.entry.owe([to_gm(dossier.id, subject, body, cause=cause, at=intake.entry.at)])


def _promised(promises: Promises) -> tuple[str, str]:
    return ("Promised for the set-up, open and closed (SHA-256)", f"{promises.open}\n{promises.closed}")
