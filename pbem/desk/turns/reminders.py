"""Who has sent nothing is reminded: before the deadline, and daily while the exchange waits for him.

Each reminder is owed once, however often the clock is looked at, and expires when it would come too late.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import HOUR
from pbem.desk.post.entries import Entry, tell
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import Role
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import Row, phrase, phrase_later, speaking
from pbem.reports.text.times import due as due_by
from pbem.storage import outbox
from pbem.storage.database import Connection

DAY = 24 * HOUR


class Reminder(Struct, frozen=True):
    """A letter that is owed to one role; its texts are said in the language of that, of what it is *about*."""

    role: Role
    cause: str
    subject: str
    heading: str
    body: str
    expires_at: int
    about: Mapping[str, object]


def due(dossier: Dossier, missing: Collection[Role], at: int) -> list[Reminder]:
    """All that is owed at the instant *at*, also what was owed before."""
    exchange = dossier.exchange()
    if exchange.state != "open" or exchange.known or not missing:
        return []
    if at <= exchange.deadline:
        return list(_before(dossier, exchange, missing, at))
    if exchange.held:
        return [*_late(exchange, missing, at), *_others(dossier, exchange, missing, at)]
    return list(_grace(exchange, missing)) if at <= exchange.closes else []


def new(connection: Connection, dossier: Dossier, reminders: Iterable[Reminder]) -> list[Reminder]:
    """Those of *reminders* that were not written yet."""
    return [one for one in reminders if not outbox.is_owed(connection, dossier.id, one.cause)]


def entry_of(connection: Connection, dossier: Dossier, due: list[Reminder], at: int) -> tuple[Entry, list[Role]]:
    """The entry that owes what is new of the reminders that are *due*, and to whom."""
    owed = new(connection, dossier, due)
    entry, there = Entry(dossier, at, "office"), people(connection, dossier)
    for one in owed:
        player, exchange = there[one.role], dossier.exchange()
        if player is None:
            continue
        with speaking(dossier.campaign.language(one.role)):
            notice = Notice(
                campaign=dossier.id,
                subject=f"[{dossier.id}] {phrase(one.subject, **one.about)}",
                heading=phrase(one.heading, **one.about),
                facts=((phrase("Due"), due_by(exchange.deadline, player.zone, at)),),
                body=phrase(one.body, **one.about),
            )
        tell(entry, one.role, player, notice, cause=one.cause, expires_at=one.expires_at)
    return entry, [one.role for one in owed if there[one.role]]


def _before(dossier: Dossier, exchange: Exchange, missing: Collection[Role], at: int) -> Iterator[Reminder]:
    """Of the hours that have come since the exchange opened, the last alone: who was away sends no heap of them."""
    hours = [
        hours
        for hours in dossier.campaign.terms.reminders
        if exchange.opened_at < exchange.deadline - hours * HOUR <= at
    ]
    if not hours:
        return
    for role in missing:
        yield Reminder(
            role,
            f"reminder/{exchange.moment}/{exchange.deadline}/{min(hours)}/{role}",
            phrase_later("{moment}: your orders are missing"),
            phrase_later("Your orders are missing"),
            phrase_later(
                "Nothing that can be played has come from you for {moment}. Answer this letter with your orders."
            ),
            exchange.deadline,
            {"moment": exchange.moment},
        )


def _grace(exchange: Exchange, missing: Collection[Role]) -> Iterator[Reminder]:
    for role in missing:
        yield Reminder(
            role,
            f"grace/{exchange.moment}/{exchange.deadline}/{role}",
            phrase_later("{moment}: the deadline has passed, your orders are still taken"),
            phrase_later("The deadline has passed"),
            phrase_later(
                "Nothing that can be played has come from you for {moment}. For a short while your orders are "
                "still taken: answer this letter with them now."
            ),
            exchange.closes,
            {"moment": exchange.moment},
        )


def _late(exchange: Exchange, missing: Collection[Role], at: int) -> Iterator[Reminder]:
    day = (at - exchange.deadline) // DAY
    for role in missing:
        yield Reminder(
            role,
            f"late/{exchange.moment}/{exchange.deadline}/{day}/{role}",
            phrase_later("{moment} waits for your orders"),
            phrase_later("{moment} waits for you"),
            phrase_later(
                "The deadline has passed, and nothing that can be played has come from you. The others wait. Your "
                "orders are still taken: answer this letter with them. If you cannot play on, write `resign`."
            ),
            exchange.deadline + (day + 1) * DAY,
            {"moment": exchange.moment},
        )


def _others(dossier: Dossier, exchange: Exchange, missing: Collection[Role], at: int) -> Iterator[Reminder]:
    """Who has done his part is told for whom it waits, unless nobody is to know who does what."""
    if dossier.campaign.terms.press == "anonymous":
        body = phrase_later("The deadline has passed, and orders are missing. You need do nothing.")
    else:
        body = phrase_later("The deadline has passed, and the orders of {roles} are missing. You need do nothing.")
    for role in dossier.campaign.players:
        if role in missing:
            continue
        yield Reminder(
            role,
            f"waits/{exchange.moment}/{exchange.deadline}/{role}",
            phrase_later("{moment} waits for orders"),
            phrase_later("{moment} waits"),
            body,
            exchange.deadline + DAY,
            {"moment": exchange.moment, "roles": Row(missing)},
        )
