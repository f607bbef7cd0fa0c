"""How a player wants what comes to him, and what of him may be shown: kinds of mails, form, language, leave."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Literal, get_args

from msgspec import convert

from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.post.post import to_gm
from pbem.desk.post.wanted import SAYS
from pbem.desk.reels import site
from pbem.kernel.names import Moment
from pbem.kernel.office import DigestSet, FormChosen, LanguageChosen, LeaveSaid, MailSort, ReportForm, StopSaid
from pbem.orders.dates import daily_of
from pbem.orders.prose import cap
from pbem.orders.words import Command
from pbem.reports.text.speech import ENGLISH, ENGLISH_STAYS, IN_LANGUAGE, Row, phrase, phrase_later, speaking
from pbem.reports.text.times import city
from pbem.storage.database import Connection

Leave = Literal["name", "letters", "diary"]
LEAVES: tuple[Leave, ...] = get_args(Leave)
"""What of a player is shown to others by his word alone."""

_FORMS: Mapping[ReportForm, str] = {
    "page": phrase_later("Your reports come as a page alone."),
    "json": phrase_later("Your reports come as JSON too, in a file beside the page. `format page` takes that back."),
    "link": phrase_later(
        "Of each report a link to its page comes, and no more. `report` sends one whole, `format page` all again."
    ),
}

_SHOWN: Mapping[tuple[Leave, bool], str] = {
    ("name", True): phrase_later("your name may be shown"),
    ("name", False): phrase_later("your name may not be shown"),
    ("letters", True): phrase_later("your letters may be shown"),
    ("letters", False): phrase_later("your letters may not be shown"),
    ("diary", True): phrase_later("your diary may be shown"),
    ("diary", False): phrase_later("your diary may not be shown"),
}
_LEAVE = re.compile(rf"({'|'.join(LEAVES)})\s+(yes|no)")


def stop(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Stop a kind of mails, or let them come again."""
    word, *off = command.argument.casefold().split()
    sort, on = convert(word, MailSort), not off
    if (sort in intake.entry.dossier.campaign.stopped.get(intake.role, ())) != on:
        intake.entry.add(moment, StopSaid(role=intake.role, what=sort, on=on))
        intake.outcome = f"{sort} {'stopped' if on else 'come again'}"
    if on:
        text = phrase_later(
            "No more {what} come to you. Whatever you write is answered. `stop {sort} off` takes it back."
        )
        return [("", phrase(text, what=phrase(SAYS[sort]), sort=sort))]
    return [("", cap(phrase("{what} come again.", what=phrase(SAYS[sort]))))]


def digest(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Have what comes gathered once a day, or each sent at once; alone it says what is so."""
    there = intake.entry.dossier.campaign.digests.get(intake.role, "")
    wanted = daily_of(command.argument) if command.argument else there
    if wanted is None:
        raise ValueError("the reader of words refuses what is no time of day")
    if wanted != there:
        intake.entry.add(moment, DigestSet(role=intake.role, at=wanted))
        intake.outcome = f"digest at {wanted}" if wanted else "no digest"
    if not wanted:
        at_once = phrase("Letters of other players and notices come to you each at once. `digest 20:00` gathers them.")
        return [("", at_once)]
    text = phrase_later(
        "Letters of other players and notices come to you gathered, once a day at {hour} by the clock of {zone}. "
        "Reports, receipts, reminders, questions, and what has an hour before that come at once. `digest off` takes "
        "it back."
    )
    return [("", phrase(text, hour=wanted, zone=city(intake.player.zone)))]


def publish(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Write down what of the writer may be shown where the game is; alone it says what may now."""
    leave, player = intake.entry.dossier.campaign.leave, intake.player.id
    said = _LEAVE.fullmatch(command.argument.casefold().rstrip(" ."))
    if command.argument and said is None:
        intake.refused = True
        text = phrase_later('"publish {what}" is not understood: `publish name yes`, `publish letters no`.')
        return [("", phrase(text, what=command.argument))]
    now: dict[Leave, bool] = {what: leave.get((player, what), False) for what in LEAVES}
    if said is not None:
        what = convert(said[1], Leave)
        before, now[what] = now[what], said[2] == "yes"
        if before and not now[what]:
            _take_down(intake, what)
        intake.entry.add(moment, LeaveSaid(role=intake.role, player=player, what=what, on=now[what]))
        intake.outcome = intake.outcome or phrase_later("leave said")
    shown = "; ".join(phrase(_SHOWN[what, on]) for what, on in now.items())
    return [("", phrase("Where this game is shown to others, {shown}.", shown=shown))]


def _take_down(intake: Intake, what: Leave) -> None:
    """Take away what everybody can read of the game, for it may hold what its writer no longer gives leave for."""
    campaign, role = intake.entry.dossier.id, intake.role

    def take_down(_: Connection) -> None:
        with suppress(OSError):  # his word is taken, whatever the disk says; the GM looks
            site.take_down(intake.office, [campaign])

    intake.writes.append(take_down)
    text = (
        f"{role} has taken back that his {what} may be shown.  Pages of {campaign} under /public/ "
        "are taken down; what you have published elsewhere, or sent to somebody, holds what it held.\n\n"
        "To publish it anew, without that, use the page of the game, or: pbem history publish\n"
    )
    cause = f"leave-back/{role}/{what}/{intake.entry.dossier.seq}"
    intake.entry.owe([to_gm(campaign, f"the {what} of {role} may not be shown", text, cause=cause, at=intake.entry.at)])


def form(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Choose in what form reports come."""
    wanted = convert(command.argument.casefold(), ReportForm)
    if wanted == "link" and not intake.office.settings.web.url:
        return [("", phrase("This office has no pages that a link could lead to: your reports come as before."))]
    if intake.entry.dossier.campaign.forms.get(intake.role, "page") != wanted:
        intake.entry.add(moment, FormChosen(role=intake.role, form=wanted))
        intake.outcome = f"reports as {wanted}"
    return [("", phrase(_FORMS[wanted]))]


def language(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Choose the language in which the office writes."""
    chosen = command.argument.casefold()
    if intake.entry.dossier.campaign.language(intake.role) != chosen:
        intake.entry.add(moment, LanguageChosen(role=intake.role, language=chosen))
        intake.outcome = f"written to in {chosen}"
    with speaking(chosen):
        return [("", phrase(IN_LANGUAGE)), *([] if chosen == ENGLISH else [("", phrase(ENGLISH_STAYS))])]


def standing(intake: Intake) -> list[str]:
    """What there is to say of it, in lines."""
    stopped = intake.entry.dossier.campaign.stopped.get(intake.role, ())
    daily = intake.entry.dossier.campaign.digests.get(intake.role)
    lines = [phrase("letters and notices: gathered, once a day at {hour}", hour=daily)] if daily else []
    return [*lines, *([phrase("stopped: {what}", what=Row(map(phrase, stopped)))] if stopped else [])]
