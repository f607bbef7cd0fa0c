"""An invitation is answered: its player's word enters the dice of the set-up, and he and the GM are told."""

from __future__ import annotations

from pbem.desk.books import seeds
from pbem.desk.books.owed import ShortLetter
from pbem.desk.intake import press
from pbem.desk.intake.intake import Intake
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players.inviting import unanswered
from pbem.desk.post.post import to_gm
from pbem.desk.sheets import sheets
from pbem.kernel.office import InvitationAnswered
from pbem.orders.prose import listed
from pbem.orders.words import Sheet
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later
from pbem.storage.blobs import digest_of

_HAS_COME = phrase_later("your answer has come")


def answer(intake: Intake, sheet: Sheet) -> bool:
    """Take the message for the answer to the invitation of its role, if it can be that; says whether it was.

    It can if it is the first of its player's own and says more than a question to the umpire.
    """
    dossier, message, role = intake.entry.dossier, intake.message, intake.role
    asked = [one for one in sheet.commands if press.asks_umpire(one)]
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
    intake.outcome = phrase_later("answered")
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {_HAS_COME}",
        heading=phrase_later("Your answer has come"),
        summary=phrase_later("You will have your briefing when the game begins."),
        body=phrase_later(
            "Keep your word: the page that comes with the briefing prints it too, beside those of the others."
        ),
        quoted=(
            (
                phrase("Your word in the dice of the set-up"),
                seeds.told_word(intake.connection, told.campaign, SET_UP, role),
            ),
            (phrase("What you wrote"), text),
            (phrase("Its SHA-256"), digest_of(text.encode())),
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
