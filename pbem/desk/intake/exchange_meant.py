"""Which exchange the orders of a letter are for: as it says, or as the letter of ours shows that it answers."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.desk.books import threads
from pbem.desk.intake.intake import Intake
from pbem.desk.sheets import sheets
from pbem.desk.sheets.receipts import Standpoint
from pbem.kernel.names import Moment
from pbem.mail.reading.sender import campaign_tag
from pbem.orders.commands import WORDS
from pbem.orders.words import Command, Sheet, command_of
from pbem.reports.text.speech import phrase, phrase_later

_TAGS = re.compile(r"\[[^\]]*\]|(?<!\S)#[\w./-]+")
_TURN = re.compile(
    r"(?:turn\s+(s\s?\d{1,3}|\d{1,4}\s?[a-z]?(?:(?:\.|\s+halt\s+)\d{1,4})?)"
    r"|(s\d{1,3}|t?\d{1,4}(?:[a-z]?\.\d{1,4}|[a-z])))(?!\w)",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"([^\W\d_]{1,12})(?:\[\d+\]|\(\d+\))?\s*[:\uff1a]")


class Meant(Struct, frozen=True):
    """The exchange that orders are for, and why they cannot be: *stale*, in a phrase, is empty if they can."""

    moment: Moment
    stale: str = ""


def meant(intake: Intake, at: Standpoint, sheet: Sheet) -> Meant:
    """The exchange that the orders of a message are for.

    The head of its sheet says so, or its subject; else the letter of ours that it answers, or the page that was sent.
    An answer to one from before the open exchange is no order for that: its writer had not seen what happened since.
    """
    now = at.moment
    if sheet.head.turn is not None:
        return _over(sheets.moment_of(sheet, intake.message.lines, now), now)
    if (asked := intake.message.asked) is not None:
        undone = asked.whole > now.whole
        return Meant(asked, phrase("{moment} was annulled", moment=asked)) if undone else _over(asked, now)
    named = turn_in(intake.message.subject, now)
    if named is not None and not is_reply(intake.message.subject):
        return _over(named, now)
    dossier, message = intake.entry.dossier, intake.message
    mail = threads.answered(intake.connection, intake.player, message.replies_to, message.answers.references)
    if mail is None or mail.campaign != dossier.id:
        # A mail program that drops the thread often keeps the subject.
        if named is None or named > now:
            return _unsaid(intake, now)
        of_report = " report" in message.subject
        return _over(_after(intake, named) if of_report else named, now)
    moment = threads.moment_of(mail, dossier, intake.role)
    if now.waits or (moment and moment.waits):
        # He who is asked nothing now writes to nothing that was played; what waited is now for what is open.
        return Meant(moment if moment and moment > now else now)
    if moment is not None and moment != now:
        return _over(moment, now)
    if now.halt:
        return Meant(now)
    if threads.answers_report(mail) and (moment is None or mail.created_at < at.exchange.opened_at):
        text = phrase_later('it answers the letter "{subject}", which came before {moment} was opened')
        return Meant(now, phrase(text, subject=mail.subject, moment=now))
    return _unsaid(intake, now)


def is_reply(subject: str) -> bool:
    """Whether a subject begins with anything but tags and its own words: `Re:`, `AW:`.

    >>> is_reply("[ford] 5A orders"), is_reply("Re: [ford] 5A orders"), is_reply("[EXT] AW: [ford] 5A")
    (False, True, True)
    """
    prefix = _PREFIX.match(own(subject))
    return prefix is not None and prefix[1].casefold() not in WORDS


def own(subject: str) -> str:
    """A subject without its tags.

    >>> own("[ford] #ford/guard status")
    'status'
    """
    return " ".join(_TAGS.sub(" ", subject).split()).lstrip(" :,-")


def turn_in(subject: str, now: Moment) -> Moment | None:
    """The exchange that a subject names right after its tag: `[ford] 5A …`; `turn 5` means what is open of it.

    >>> turn_in("Re: [ford] 5A report, guard", Moment(6)), turn_in("[ford] 5 questions", Moment(6))
    (Moment(turn=5, exchange=1, halt=0), None)
    """
    tag = campaign_tag(subject)
    place = re.search(rf"\[\s*{re.escape(tag)}\s*\]\s*", subject, re.IGNORECASE) if tag else None
    found = _TURN.match(subject, place.end()) if place else None
    if found is None:
        return None
    moment = Moment.parse(found[1] or found[2])
    return now if moment.turn == now.turn and (found[1] or "").isdigit() and not now.waits else moment


def asked_in_subject(subject: str) -> Command | None:
    """The command that a subject is, if it is one word for word; that of an answer never is."""
    return None if is_reply(subject) else command_of(own(subject))


def _after(intake: Intake, moment: Moment) -> Moment:
    """The exchange after that of a report."""
    return min((one for one in intake.entry.dossier.campaign.exchanges if one > moment), default=moment)


def _unsaid(intake: Intake, now: Moment) -> Meant:
    """What was open when a message came that says nothing of it: one that was held, or lay, is for no later one."""
    opened = intake.entry.dossier.campaign.exchanges.values()
    then = max((one.moment for one in opened if one.opened_at <= intake.message.received), default=now)
    return Meant(now) if then == now.whole else _over(then, now)


def _over(moment: Moment, now: Moment) -> Meant:
    if moment.waits and moment.whole <= now.whole:
        return Meant(moment if moment.whole == now and not now.halt else now)
    if moment.halt and moment != now:
        return Meant(moment, phrase("nothing is asked of you for {moment}", moment=moment))
    if now.waits and moment < now:
        over = phrase("{moment} is over", moment=moment)
        return Meant(moment, phrase("{moment} is closed", moment=moment) if moment == now.whole else over)
    return Meant(moment, phrase("{moment} is over, and {now} is open", moment=moment, now=now) if moment < now else "")
