"""A deadline is moved: entered with its reason, and told to every player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pbem.desk.books.roster import people
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import hours_of
from pbem.desk.post import calendar
from pbem.desk.post.entries import Entry, tell
from pbem.kernel.deadlines import HOUR, Due, StepHours, steps
from pbem.kernel.office import DeadlineMoved
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text import times
from pbem.reports.text.speech import phrase, phrase_later, phrase_of, speaking
from pbem.reports.text.times import when
from pbem.storage.database import Connection

Why = Literal["gm", "absence", "nmr", "away", "zone", "late", "pause", "vote", "newcomer"]


def enter_move(entry: Entry, due: Due, reason: str, why: Why) -> None:
    """Enter that the open exchange is now *due*, the hours of its run counted from then."""
    exchange = entry.dossier.exchange()
    by = due.at - exchange.deadline
    moved = tuple(hour + by for hour in exchange.due)
    terms = entry.dossier.campaign.terms
    hours = steps(due.at, len(exchange.steps), terms.schedule(exchange.name), terms.zone)
    event = DeadlineMoved(
        moment=exchange.moment, due=moved, reason=reason, wall=due.wall, zone=due.zone, why=why, steps=hours
    )
    entry.add(exchange.moment, event)


def move(
    office: Office,
    connection: Connection,
    entry: Entry,
    due: Due,
    reason: str,
    why: Why,
    *,
    told: Callable[[], str] | None = None,
) -> None:
    """Enter it, and owe every player a letter that says so and why, *told* in his language where that is given."""
    before = entry.dossier.exchange()
    enter_move(entry, due, reason, why)
    dossier, moment = entry.dossier, before.moment
    own, owes = dossier.campaign.terms.zone, calendar.owing(office, connection, dossier)
    for role, player in people(connection, dossier).items():
        if player is None:
            continue
        with speaking(dossier.campaign.language(role)):
            facts = [
                (calendar.label(role, owes), times.due(due.at, player.zone, entry.at)),
                ("Before", when(before.deadline, player.zone, long=True)),
            ]
            if own not in (player.zone, "UTC"):
                facts.insert(1, ("By the campaign's clock", when(due.at, own, long=True)))
            facts += [(what, when(hour, player.zone)) for what, hour in hours_of(dossier.exchange())]
            now_due = phrase("{moment} is now due {hour}", moment=moment, hour=when(due.at, player.zone))
            notice = Notice(
                campaign=dossier.id,
                subject=f"[{dossier.id}] {now_due}",
                heading=phrase("A new deadline for {moment}", moment=moment),
                summary=told() if told else phrase(reason),
                facts=tuple(facts),
            )
        file = calendar.deadline(office, dossier, role, owes=owes, at=entry.at)
        tell(entry, role, player, notice, *file, cause=f"deadline/{moment}/{dossier.seq}/{role}")


def enter_delay(entry: Entry, since: int, by: int, reason: str, why: Why) -> None:
    """Enter that the hours of a run from *since* on come *by* microseconds later."""
    exchange = entry.dossier.exchange()

    def later(hour: int) -> int:
        return hour + by if hour >= since else hour

    event = DeadlineMoved(
        moment=exchange.moment,
        due=exchange.due,
        reason=reason,
        wall=exchange.wall,
        zone=exchange.zone,
        why=why,
        steps=tuple(StepHours(later(step.interim), later(step.until)) for step in exchange.steps),
    )
    entry.add(exchange.moment, event)


AWAY = phrase_later("The office was away from its post at one of them.")


def delay(connection: Connection, entry: Entry, since: int, by: int) -> None:
    """Enter it of an office that was away, and owe every player a letter that says so."""
    exchange = entry.dossier.exchange()
    enter_delay(entry, since, by, AWAY, "away")
    dossier = entry.dossier
    reports = dossier.exchange().reports
    for role, player in people(connection, dossier).items():
        if player is None:
            continue
        with speaking(dossier.campaign.language(role)):
            later = phrase("the hours of {moment} are later", moment=exchange.moment)
            notice = Notice(
                campaign=dossier.id,
                subject=f"[{dossier.id}] {later}",
                heading=cap(later),
                summary=phrase(AWAY),
                facts=(
                    (phrase("Reports"), times.due(reports, player.zone, entry.at)),
                    (phrase("All other hours"), phrase_of("{count} hour later", "{count} hours later", by // HOUR)),
                ),
            )
        tell(entry, role, player, notice, cause=f"hours/{exchange.moment}/{reports}/{role}")
