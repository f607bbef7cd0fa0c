"""Letters between roles, as the campaign's press allows; and to the umpire, which it always does.

What is delivered is a letter of the office: nothing of the sender's own letter goes with it but his words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.desk.books.owed import ShortLetter
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.office.office import HOUR
from pbem.desk.post.post import in_game, to_gm, to_player
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import LetterSent
from pbem.kernel.terms import Press
from pbem.orders.words import Command
from pbem.reports.pages.notice import Notice
from pbem.storage import aliases, players

UMPIRE = ("umpire", "gm", "referee")
"""Whom a letter reaches that is no role of the game."""

PRESS: dict[Press, str] = {
    "white": "Letters between players are signed with the role that writes.",
    "grey": "Letters between players are signed, unless they begin `letter to ROLE unsigned:`.",
    "anonymous": "Letters between players never say who wrote them.",
    "none": "There are no letters between players in this campaign. To the umpire you can always write: `umpire: …`.",
}
"""The rule of each press, as players are told it."""

LETTERS_A_DAY = 40
"""So many letters to other roles from one role in 24 hours."""

CARRIED = "In this game letters travel as its rules say, and the office carries none. To the umpire: `umpire: …`."


def rule(intake: Intake) -> str:
    """What letters between players are allowed here."""
    dossier = intake.entry.dossier
    return CARRIED if dossier.system.carries_letters else PRESS[dossier.campaign.terms.press]


def deliver(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Deliver the letter of a player, or say why not."""
    dossier, to, text = intake.entry.dossier, command.to, command.argument
    press = dossier.campaign.terms.press
    if to in UMPIRE and to not in dossier.roles:
        to_umpire(intake, moment, text)
        return [("Passed to the umpire", text)]
    if dossier.system.carries_letters or press == "none":
        return _refused(intake, rule(intake), text)
    if press == "white" and command.signed is False:
        return _refused(intake, f"{PRESS[press]} Send it again without `unsigned`.", text)
    if to is None or to not in dossier.roles or to == intake.role:
        others = ", ".join(role for role in dossier.roles if role != intake.role)
        return _refused(intake, f"there is no other role {to}. There are: {others}", text)
    if to not in dossier.campaign.players:
        return _refused(intake, f"nobody plays {to} now", text)
    if _sent(intake) >= LETTERS_A_DAY:
        return _refused(intake, f"{LETTERS_A_DAY} letters within 24 hours are enough; send it tomorrow", text)
    signed = press == "white" or (press == "grey" and command.signed is not False)
    _send(intake, moment, to, text, signed=signed, number=command.line.number)
    return [(f"Delivered to {to}, {'signed' if signed else 'without your name'}", text)]


def to_umpire(intake: Intake, moment: Moment, text: str) -> None:
    """Enter a letter of the role to the GM, and owe it to him."""
    dossier = intake.entry.dossier
    intake.entry.add(moment, LetterSent(sender=intake.role, to=None, text=text, message=intake.message.digest))
    number = sum(isinstance(event, LetterSent) for _, event in intake.entry.events)
    cause = f"umpire/{intake.mark}/{number}"
    address = intake.player.address or ""
    said = f"{intake.role} writes:\n\n{text}\n"
    if address:
        said += f"\n-- \nYour answer goes from you to {address}, and not through the office.\n"
    subject = f"{intake.role} to the umpire"
    owed = to_gm(dossier.id, subject, said, cause=cause, at=intake.entry.at, reply_to=address)
    intake.entry.owe([owed])


def _send(intake: Intake, moment: Moment, to: Role, text: str, *, signed: bool, number: int) -> None:
    dossier = intake.entry.dossier
    words = _without_addresses(text, aliases.all_of(intake.connection, intake.player))
    intake.entry.add(
        moment, LetterSent(sender=intake.role, to=to, text=words, message=intake.message.digest, signed=signed)
    )
    title = f"A letter from {intake.role}" if signed else "A letter whose writer is not named"
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {title}",
        heading=title,
        quoted=(("It says", words),),
        foot=f"To answer: a line that begins   letter to {intake.role}:" if signed else "",
    )
    intake.entry.owe(
        to_player(
            in_game(dossier, to, players.get(intake.connection, dossier.campaign.players[to])),
            ShortLetter(notice),
            kind="notice",
            cause=f"letter/{to}/{intake.mark}/{number}",
            at=intake.entry.at,
        )
    )


def _sent(intake: Intake) -> int:
    """How many letters the role sent to others in the last 24 hours."""
    count = 0
    for one in reversed(intake.entry.dossier.own):
        if one.at <= intake.entry.at - 24 * HOUR:
            break
        count += isinstance(one.event, LetterSent) and one.event.sender == intake.role and one.event.to is not None
    return count


def _refused(intake: Intake, why: str, text: str) -> list[Answer]:
    intake.refused = True
    return [(f"Not delivered: {why}", text)]


def _without_addresses(text: str, his: Iterable[str]) -> str:
    """The text without the writer's own addresses, which a mail program may have put below it."""
    for address in sorted(his, key=len, reverse=True):
        text = re.sub(re.escape(address), "(address withheld)", text, flags=re.IGNORECASE)
    return text
