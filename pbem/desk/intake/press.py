"""Letters between roles, as the campaign's press allows; and to the umpire, which it always does.

What is delivered is a letter of the office: nothing of the sender's own letter goes with it but his words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.desk.books import correspondence
from pbem.desk.books.owed import ShortLetter
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.office.office import HOUR
from pbem.desk.post.post import in_game, to_gm, to_player
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import LetterSent
from pbem.kernel.terms import Press
from pbem.orders.plain_text import as_text as as_text
from pbem.orders.words import Command
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import Row, phrase, phrase_later, phrase_of, speaking
from pbem.storage import aliases, players

UMPIRE = ("umpire", "gm", "referee")
"""Whom a letter reaches that is no role of the game."""

PRESS: dict[Press, str] = {
    "white": phrase_later("Letters between players are signed with the role that writes."),
    "grey": phrase_later("Letters between players are signed, unless they begin `letter to ROLE unsigned:`."),
    "anonymous": phrase_later("Letters between players never say who wrote them."),
    "none": phrase_later(
        "There are no letters between players in this campaign. To the umpire you can always write: `umpire: …`."
    ),
}
"""The rule of each press, as players are told it."""

LETTERS_A_DAY = 40
"""So many letters to other roles from one role in 24 hours."""

CARRIED = phrase_later(
    "In this game letters travel as its rules say, and the office carries none. To the umpire: `umpire: …`."
)


def rule(intake: Intake) -> str:
    """What letters between players are allowed here."""
    dossier = intake.entry.dossier
    return phrase(CARRIED if dossier.system.carries_letters else PRESS[dossier.campaign.terms.press])


def asks_umpire(command: Command) -> bool:
    """Whether a command is a letter to the umpire, be it to others too."""
    return command.word == "umpire" or not set(command.to).isdisjoint(UMPIRE)


def deliver(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Deliver the letter of a player to each to whom it is, or say why not."""
    dossier, text = intake.entry.dossier, command.argument
    others = tuple(one for one in command.to if one not in UMPIRE or one in dossier.roles)
    said: list[Answer] = []
    if len(others) < len(command.to):
        to_umpire(intake, moment, text)
        said.append((phrase("Passed to the umpire"), text))
    return [*said, *_deliver(intake, moment, command, others)] if others else said


def _deliver(intake: Intake, moment: Moment, command: Command, names: Sequence[str]) -> list[Answer]:
    """Deliver a letter to the roles that *names* mean.

    Of a side, or of all, it is not said who of them is not there to read it.
    """
    dossier, text = intake.entry.dossier, command.argument
    press, held = dossier.campaign.terms.press, dossier.campaign.players
    if dossier.system.carries_letters or press == "none":
        return _refused(intake, rule(intake), text)
    if press == "white" and command.signed is False:
        return _refused(intake, " ".join((phrase(PRESS[press]), phrase("Send it again without `unsigned`."))), text)
    meant = {name: [one for one in correspondence.meant(dossier, name) if one != intake.role] for name in names}
    if strange := [name for name, roles in meant.items() if not roles]:
        there = ", ".join(correspondence.addressees(dossier, intake.role))
        none = phrase(" and no ").join(strange)
        return _refused(
            intake, phrase("there is no other role {none}. There are: {roles}", none=none, roles=there), text
        )
    wanted = {role for roles in meant.values() for role in roles}
    # In the order of the game, whatever order its writer named them in.
    readers = [role for role in dossier.roles if role in wanted and role in held]
    absent = [name for name in names if name in dossier.roles and name not in held]
    if not readers:
        return _refused(intake, phrase("nobody plays {roles} now", roles=Row(absent or names)), text)
    if _sent(intake) + len(readers) > LETTERS_A_DAY:
        return _refused(intake, _enough(intake, len(readers)), text)
    signed = press == "white" or (press == "grey" and command.signed is not False)
    addressed = tuple(correspondence.as_addressed(dossier, name) for name in names)
    several = addressed if len(names) > 1 or names[0] not in dossier.roles else ()
    for role in readers:
        _send(intake, moment, role, text, signed=signed, addressed=several, number=command.line.number)
    said = phrase(
        "Delivered to {readers}, {how}",
        readers=Row(name for name in addressed if name not in absent),
        how=phrase("signed") if signed else phrase("without your name"),
    )
    missing = phrase("; not to {roles}, whom nobody plays now", roles=Row(absent)) if absent else ""
    return [(f"{said}{missing}", text)]


def _enough(intake: Intake, wanted: int) -> str:
    """Why no more letters are delivered today, in a phrase."""
    left = max(LETTERS_A_DAY - _sent(intake), 0)
    few = phrase_of(
        "; this one is {wanted}, and {count} is left",
        "; this one is {wanted}, and {count} are left",
        left,
        wanted=wanted,
    )
    text = phrase_later("{most} letters within 24 hours are enough{few}; send it tomorrow")
    return phrase(text, most=LETTERS_A_DAY, few=few if wanted > 1 else "")


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


def _send(
    intake: Intake, moment: Moment, to: Role, text: str, *, signed: bool, addressed: tuple[str, ...], number: int
) -> None:
    dossier = intake.entry.dossier
    words = without_addresses(text, aliases.all_of(intake.connection, intake.player))
    sent = LetterSent(
        sender=intake.role, to=to, text=words, message=intake.message.digest, signed=signed, addressed=addressed
    )
    intake.entry.add(moment, sent)
    with speaking(dossier.campaign.language(to)):
        title = phrase("A letter whose writer is not named")
        if signed:
            title = phrase("A letter from {role}", role=intake.role)
        notice = Notice(
            campaign=dossier.id,
            subject=f"[{dossier.id}] {title}",
            heading=title,
            # To whom else it went would say who cannot have written it.
            facts=((phrase("To"), correspondence.whom(sent)),) if signed and addressed else (),
            quoted=((phrase("It says"), words),),
            foot=_to_answer(sent) if signed else "",
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


def _to_answer(sent: LetterSent) -> str:
    """How a letter that is signed is answered: to its writer, and to all who had it."""
    said = phrase("To answer: a line that begins   letter to {role}:", role=sent.sender)
    if not sent.addressed:
        return said
    others = [one for one in sent.addressed if one != sent.to]
    everybody = correspondence.ALL if correspondence.ALL in others else ", ".join([str(sent.sender), *others])
    to_all = phrase("   or, to all who had it:   letter to {readers}:", readers=everybody)
    return f"{said}{to_all}" if others else said


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
    return [(phrase("Not delivered: {why}", why=why), text)]


def without_addresses(text: str, his: Iterable[str]) -> str:
    """The text without the writer's own addresses, which a mail program may have put below it."""
    for address in sorted(his, key=len, reverse=True):
        text = re.sub(re.escape(address), "(address withheld)", text, flags=re.IGNORECASE)
    return text
