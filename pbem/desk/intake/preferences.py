"""How a player wants the mails that answer nothing: which kinds he has stopped, and whether they are gathered."""

from __future__ import annotations

from msgspec import convert

from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.post.wanted import SAYS
from pbem.kernel.names import Moment
from pbem.kernel.office import DigestSet, MailSort, StopSaid
from pbem.orders.dates import daily_of
from pbem.orders.prose import cap, listed
from pbem.orders.words import Command
from pbem.reports.text.times import city


def stop(intake: Intake, moment: Moment, command: Command) -> list[Answer]:
    """Stop a kind of mails, or let them come again."""
    word, *off = command.argument.casefold().split()
    sort, on = convert(word, MailSort), not off
    if (sort in intake.entry.dossier.campaign.stopped.get(intake.role, ())) != on:
        intake.entry.add(moment, StopSaid(role=intake.role, what=sort, on=on))
        intake.outcome = f"{sort} {'stopped' if on else 'come again'}"
    if on:
        return [
            ("", f"No more {SAYS[sort]} come to you. Whatever you write is answered. `stop {sort} off` takes it back.")
        ]
    return [("", f"{cap(SAYS[sort])} come again.")]


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
        return [("", "Letters of other players and notices come to you each at once. `digest 20:00` gathers them.")]
    zone = city(intake.player.zone)
    text = (
        f"Letters of other players and notices come to you gathered, once a day at {wanted} by the clock of {zone}. "
        "Reports, receipts, reminders, questions, and what has an hour before that come at once. `digest off` takes it "
        "back."
    )
    return [("", text)]


def standing(intake: Intake) -> list[str]:
    """What there is to say of it, in lines."""
    stopped = intake.entry.dossier.campaign.stopped.get(intake.role, ())
    daily = intake.entry.dossier.campaign.digests.get(intake.role)
    lines = [f"letters and notices: gathered, once a day at {daily}"] if daily else []
    return [*lines, *([f"stopped: {listed(stopped)}"] if stopped else [])]
