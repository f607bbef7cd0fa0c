"""When the clock must look at a campaign again, as long as nothing is written into its log.

What the clock does rests on the log and on the hour.  So it need not look again before the next hour that it asks for:
one that stands in the exchange that is open, or that follows from its terms.  Who writes something after which nothing
is due says so himself, and nobody looks at the campaign for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pbem
from pbem.desk.books import early
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import missing
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import pause_at
from pbem.desk.turns import reminders, votes
from pbem.desk.turns.next_step import next_step
from pbem.desk.turns.reminders import DAY
from pbem.kernel.deadlines import HOUR
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import Moment
from pbem.kernel.owed import Pause
from pbem.storage.database import Connection
from pbem.storage.heartbeat import LONGEST, Look

MADE_BY = f"{pbem.__version__}/2"
"""The number grows whenever the clock asks for another hour."""


def next_look(dossier: Dossier, pause: Pause | None, at: int) -> Look:
    """When to look again at a campaign of which all is done that was due *at* that instant.

    Without *pause*, nothing is played: only what is voted on has its hour.
    """
    hours = votes.hours(dossier) if pause is None else _hours(dossier, pause, at)
    if pause is None and not votes.running(dossier):
        return Look(dossier.id, dossier.seq, None, MADE_BY)
    # Some hours must have passed, others need only have come.
    coming = min((max(hour, at + 1) for hour in hours if hour >= at), default=at + LONGEST)
    return Look(dossier.id, dossier.seq, min(coming, at + LONGEST), MADE_BY)


def looked_at(office: Office, connection: Connection, dossier: Dossier, at: int) -> Look | None:
    """When the clock must look again at a campaign that stands as *dossier* *at* an instant; None if it must look now.

    It must wherever that is more than a matter of orders that wait for their hour.
    """
    campaign = dossier.campaign
    if campaign.status != "running" or campaign.copied or campaign.queries or votes.due(dossier, at):
        return None
    exchange = dossier.exchange()
    if exchange.state != "open" or exchange.halt:
        return None
    pause = pause_at(office, connection, dossier, exchange.stands, exchange.moment)
    if next_step(dossier, pause, at) != "nothing":
        return None
    if reminders.new(connection, dossier, reminders.due(dossier, missing(dossier, pause), at)):
        return None
    return next_look(dossier, pause, at)


def _hours(dossier: Dossier, pause: Pause, at: int) -> Iterator[int]:
    """Every hour that the clock may ask for, in microseconds UTC, in no order."""
    exchange = dossier.exchange()
    yield from _written(exchange)
    yield from votes.hours(dossier)
    yield from (query.until for query in dossier.campaign.queries.values())
    yield from (exchange.deadline - hours * HOUR for hours in dossier.campaign.terms.reminders)
    # Whoever is waited for is written to each day.
    yield exchange.deadline + -(-(at - exchange.deadline) // DAY) * DAY
    if pause.calls:
        yield from (early.settled(dossier, moment, role) for moment in _moments(exchange) for role in dossier.roles)


def _written(exchange: Exchange) -> Iterator[int]:
    yield from (*exchange.due, exchange.closes, exchange.reports)
    for step in exchange.steps:
        yield from (step.interim, step.until)
    for halt in exchange.halts:
        yield from (halt.until, halt.hour(exchange.steps))


def _moments(exchange: Exchange) -> Iterator[Moment]:
    yield exchange.moment
    if exchange.halt:
        yield exchange.halt.moment
