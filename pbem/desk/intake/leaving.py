"""A player goes away for a while, or for good, by a letter of his."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake.doubts import AskBack
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.players import handover
from pbem.desk.post.post import to_gm
from pbem.desk.turns import absences
from pbem.kernel.campaign import Absence
from pbem.kernel.errors import Refused
from pbem.orders.dates import span
from pbem.orders.words import Command
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def vacation(intake: Intake, command: Command) -> list[Answer]:
    """Book the absence that is asked for, take back what is booked, or say how things stand."""
    entry, player, said = intake.entry, intake.player, command.argument
    if not said:
        return _booked(intake)
    try:
        if said.casefold() in ("off", "none", "cancel", "over"):
            gone = absences.cancel(entry, player.id, "taken back by the player")
            _tell_gm(intake, "is not away after all.")
            said = phrase(
                "Your absence is taken back: {times}. Deadlines that were moved stay.", times=_times(intake, gone)
            )
            return [("", said)]
        today = (_EPOCH + timedelta(microseconds=entry.at)).astimezone(ZoneInfo(player.zone)).date()
        since, until = span(said, today)
        days = absences.Days(since, until, player.zone)
        booked = absences.book(intake.office, intake.connection, entry, player.id, days, message=intake.message.digest)
    except Refused as refused:
        intake.refused = True
        return [("", phrase("No absence was booked or taken back: {why}", why=refused))]
    _tell_gm(intake, f"is away from {since} to {until}.")
    told = [
        phrase("You are away {times}.", times=_times(intake, (booked.absence,))),
        phrase("A deadline that falls into that time is moved behind it."),
        phrase("The open exchange is due later now.") if booked.moved else "",
        _while_played(entry.dossier),
        phrase("Days that you may still be away: {days}.", days=booked.left),
    ]
    return [("", " ".join(filter(None, told)))]


def _while_played(dossier: Dossier) -> str:
    """What absence does not move: in a run that is played in steps, others would see that somebody was asked."""
    exchange = dossier.campaign.exchange
    if exchange is None or (exchange.moment.turn and not exchange.steps):
        return ""
    return phrase("What you may be asked while a turn is being played is not moved: there it is as if you were silent.")


def resign(intake: Intake, command: Command) -> list[Answer]:
    """Give the role up, if the campaign is named; else ask once more.

    :raises AskBack: unless its player has confirmed the letter.
    """
    entry, role, player = intake.entry, intake.role, intake.player
    campaign = entry.dossier.id
    if entry.dossier.campaign.ended:
        return [("", phrase("The game is over: there is nothing to resign from."))]
    if command.argument.casefold() != campaign:
        text = phrase_later(
            "To give up {role} in {campaign} for good, send a letter with the one line below. Nothing is done yet."
        )
        said = phrase(text, role=role, campaign=campaign)
        return [("", said), (phrase("Only if you mean it"), f"resign {campaign}")]
    if not intake.message.confirmed:
        raise AskBack(f"it gives up {role} in {campaign} for good, which is done only if you confirm it")
    since = entry.dossier.campaign.since.get(role)
    if since and entry.dossier.log[since - 1].at >= intake.message.received:
        return [("", phrase("{role} is yours since after this was written, and stays yours.", role=role))]
    handover.give_up(
        intake.office, intake.connection, entry, role, player, "He resigned.", phrase_later("You resigned.")
    )
    another = handover.another(intake.connection, entry.dossier, role)
    _tell_gm(intake, f"has resigned; nobody plays {role} now.  {another}")
    intake.outcome = phrase_later("resigned")
    return []


def _booked(intake: Intake) -> list[Answer]:
    dossier, player = intake.entry.dossier, intake.player
    mine = [one for one in absences.pending(dossier, intake.entry.at) if one.player == player.id]
    left = max(dossier.campaign.terms.absence_days - absences.used(dossier, player.id), 0)
    said = [
        phrase("You are away {times}.", times=_times(intake, mine)) if mine else phrase("You have booked no absence."),
        phrase("Days that you may still be away: {days}.", days=left),
        phrase("To book: `vacation 24 dec to 2 jan`."),
    ]
    return [("", " ".join(said))]


def _times(intake: Intake, booked: Iterable[Absence]) -> str:
    zone = intake.player.zone
    spans = ((in_zone(one.since, zone), in_zone(one.until, zone)) for one in booked)
    return "; ".join(phrase("from {since} until {until}", since=since, until=until) for since, until in spans)


def _tell_gm(intake: Intake, what: str) -> None:
    dossier = intake.entry.dossier
    subject, text = f"{intake.role} {what.split('.')[0].split(';')[0]}", f"{intake.role} {what}\n"
    cause = f"leaving/{intake.entry.dossier.seq}/{intake.mark}"
    intake.entry.owe([to_gm(dossier.id, subject, text, cause=cause, at=intake.entry.at)])
