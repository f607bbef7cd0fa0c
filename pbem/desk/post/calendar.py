"""The deadline of the open exchange as a file for calendars, with every letter that tells it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import awaited
from pbem.desk.office.office import SECOND, Office
from pbem.desk.pages.pages import pause_of
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.exchange import Exchange, Halt
from pbem.kernel.names import Role
from pbem.kernel.office import CampaignPaused, CampaignResumed, DeadlineMoved, ExchangeOpened
from pbem.mail.leaving.calendar import Deadline, calendar_entry
from pbem.mail.leaving.compose import Attachment
from pbem.reports.pages.environment import called
from pbem.storage.database import Connection

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def owing(office: Office, connection: Connection, dossier: Dossier) -> frozenset[Role]:
    """Who is waited for in the open exchange, and so has an hour to keep; nobody before the first."""
    exchange = dossier.campaign.exchange
    if exchange is None:
        return frozenset()
    world = world_at(office, connection, dossier, exchange.opened)
    return frozenset(call.role for call in awaited(dossier, pause_of(dossier.system, world, exchange.moment)))


def label(role: Role, owes: Collection[Role]) -> str:
    """What the hour of the exchange is called in a letter to *role*: of who owes nothing nothing is due."""
    return "Due" if role in owes else "It closes"


def deadline(
    office: Office, dossier: Dossier, role: Role, *, owes: Collection[Role], at: int
) -> tuple[Attachment, ...]:
    """The entry for *role*'s calendar as a file, as a letter written *at* tells it; none, if it has none."""
    return tuple(map(calendar_entry, hours(office, dossier, role, owes=owes, at=at)))


def hours(office: Office, dossier: Dossier, role: Role, *, owes: Collection[Role], at: int) -> tuple[Deadline, ...]:
    """The hour that *role* has to keep, as is told *at* that time; none, if it is not among those who owe.

    At a halt at which the role is asked it is that of its answer, if it has an hour.  It replaces what an earlier
    letter told of the same exchange.  While the game is paused, and when it is over, it takes the hour back, if that
    has not passed.
    """
    exchange, campaign = dossier.campaign.exchange, dossier.campaign
    over = campaign.status in ("paused", "ended")
    if exchange is None or (over and exchange.deadline <= campaign.hour(at)):
        return ()
    halt = exchange.halt
    if halt and halt.asked and role in halt.roles:
        return _of_halt(office, dossier, role, halt, at, over=over) if halt.until else ()
    if role not in owes:
        return ()
    changes = _changes(dossier, exchange)
    entry = Deadline(
        uid=f"{dossier.id}.{exchange.moment}.{role}@{office.settings.host}",
        # Seconds, not a count: of what was changed within one entry of the log nobody was told.
        sequence=(changes[-1] - changes[0]) // SECOND + (1 if over else 0),
        at=_time(exchange.deadline),
        said=_time(at),
        summary=f"[{dossier.id}] {exchange.moment} due",
        description=f"{dossier.opened.title}, {role}: orders for {called(exchange.moment, exchange.name)}",
        cancelled=over,
    )
    return (entry,)


def _changes(dossier: Dossier, exchange: Exchange) -> list[int]:
    """When the hour of *exchange* was set, moved, taken back for a while, and set again."""
    found: list[int] = []
    for one in dossier.log.own:
        if isinstance(one.event, ExchangeOpened | DeadlineMoved):
            found += [one.at] * (one.event.moment == exchange.moment)
        elif isinstance(one.event, CampaignPaused | CampaignResumed) and found:
            found.append(one.at)
    return found


def _of_halt(office: Office, dossier: Dossier, role: Role, halt: Halt, at: int, *, over: bool) -> tuple[Deadline, ...]:
    entry = Deadline(
        uid=f"{dossier.id}.{halt.moment}.{role}@{office.settings.host}",
        sequence=(at - halt.asked_at) // SECOND,
        at=_time(halt.until),
        said=_time(at),
        summary=f"[{dossier.id}] {halt.moment} due",
        description=f"{dossier.opened.title}, {role}: orders for {halt.moment}",
        cancelled=over,
    )
    return (entry,)


def _time(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)
