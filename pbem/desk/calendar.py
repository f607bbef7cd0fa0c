"""The deadline of the open exchange as a file for calendars, with every letter that tells it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.desk.dossiers import Dossier
from pbem.desk.office import SECOND, Office
from pbem.kernel.campaign import Halt
from pbem.kernel.names import Role
from pbem.kernel.office import DeadlineMoved, ExchangeOpened
from pbem.mail.calendar import Deadline, calendar_entry
from pbem.mail.compose import Attachment
from pbem.reports.environment import called

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def deadline(office: Office, dossier: Dossier, role: Role, *, at: int) -> tuple[Attachment, ...]:
    """The entry for *role*'s calendar, as a letter written *at* tells it; none before the first exchange.

    At a halt at which the role is asked it is that of its answer, if it has an hour.  It replaces what an earlier
    letter told of the same exchange.  When the game is over it takes the hour back, if that has not passed.
    """
    exchange = dossier.campaign.exchange
    over = dossier.campaign.ended is not None
    if exchange is None or (over and exchange.deadline <= at):
        return ()
    halt = exchange.halt
    if halt and halt.asked and role in halt.roles:
        return _of_halt(office, dossier, role, halt, at) if halt.until else ()
    changes = [
        one.at
        for one in dossier.log.own
        if isinstance(one.event, ExchangeOpened | DeadlineMoved) and one.event.moment == exchange.moment
    ]
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
    return (calendar_entry(entry),)


def _of_halt(office: Office, dossier: Dossier, role: Role, halt: Halt, at: int) -> tuple[Attachment, ...]:
    entry = Deadline(
        uid=f"{dossier.id}.{halt.moment}.{role}@{office.settings.host}",
        sequence=(at - halt.asked_at) // SECOND,
        at=_time(halt.until),
        said=_time(at),
        summary=f"[{dossier.id}] {halt.moment} due",
        description=f"{dossier.opened.title}, {role}: orders for {halt.moment}",
    )
    return (calendar_entry(entry),)


def _time(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)
