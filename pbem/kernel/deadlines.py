"""When an exchange is due: arithmetic of hours, weekdays and clocks; nothing here looks at one.

A deadline is promised by the clock on a wall: `2026-11-24T20:00` in Europe/Paris.  Its instant follows from that and
from the rules of summer time.  A time that the clocks leap over, and one that they show twice, are both taken as the
later instant: nobody loses an hour.  Instants are microseconds UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from pbem.kernel.terms import DAYS, Schedule

HOUR = 3_600_000_000
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MARGIN = 2  # days on each side, for no zone is more than a day from UTC, and none leaps over more than one


class Due(Struct, frozen=True):
    """A deadline: its instant, and the clock that shows it."""

    at: int
    wall: str
    zone: str


def due_after(opened: int, schedule: Schedule, zone: str) -> Due:
    """When an exchange is due that was opened at the instant *opened*.

    Where the schedule names a time of day, that is the last permitted one of its hours, and if that would be nearer
    than its least, the first one that is not.  Else it is the first full hour after its hours, on a permitted day.
    """
    latest = opened + schedule.hours * HOUR
    if not schedule.at:
        return _on_a_day(_full_hour(latest), schedule, zone)
    earliest = opened + (-(-schedule.hours // 2) if schedule.least is None else schedule.least) * HOUR
    permitted = _permitted(earliest, schedule, zone)
    best = next(permitted)
    for due in permitted:
        if due.at > latest:
            return best
        best = due
    raise AssertionError("time goes on")


def not_before(at: int, schedule: Schedule, zone: str) -> Due:
    """The first permitted deadline at the instant *at* or after it."""
    if not schedule.at:
        return _on_a_day(_full_hour(at), schedule, zone)
    return next(_permitted(at, schedule, zone))


def due_at(at: int, zone: str) -> Due:
    """A deadline at the instant *at*; without a wall clock, if that of *zone* does not name it to the minute."""
    wall = _local(at, zone).isoformat(timespec="minutes")
    return Due(at, wall if instant(wall, zone) == at else "", zone)


def instant(wall: str, zone: str) -> int:
    """The instant at which the clock of *zone* shows *wall*; the later one, if it shows it never or twice.

    >>> hours = [instant(f"2026-10-25T{wall}", "Europe/Berlin") // HOUR for wall in ("01:00", "02:00", "03:00")]
    >>> hours[1] - hours[0], hours[2] - hours[1]
    (2, 1)
    """
    shown = datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone))
    return max((shown.replace(fold=fold).astimezone(UTC) - _EPOCH) // _MICROSECOND for fold in (0, 1))


class StepHours(Struct, frozen=True):
    """The hours of one step of an exchange, in microseconds UTC; of the last both are the hour of the reports."""

    interim: int
    """Its urgent halts end, and the interim reports of its end leave."""
    until: int
    """These are answered, and the next step is played."""


def steps(deadline: int, count: int, schedule: Schedule, zone: str) -> tuple[StepHours, ...]:
    """The hours of the *count* steps of an exchange that is due at *deadline*.

    They are counted by the clock on the wall, and none falls on a day on which no deadline may fall.
    """
    found: list[StepHours] = []
    at = deadline
    for number in range(1, count + 1):
        interim = _later(at, schedule.urgent, schedule, zone)
        at = interim if number == count else _later(interim, schedule.interim, schedule, zone)
        found.append(StepHours(interim, at))
    return tuple(found)


def _later(at: int, hours: int, schedule: Schedule, zone: str) -> int:
    """The instant *hours* after *at* by the clock of *zone*, on a permitted day."""
    shown = _local(at, zone) + timedelta(hours=hours)
    while not _may_fall(schedule, shown):
        shown += timedelta(days=1)
    return max(at, instant(shown.isoformat(), zone))


def days_between(since: int, until: int, zone: str) -> int:
    """How many days of the calendar of *zone* a time touches."""
    return (_local(until - 1, zone).date() - _local(since, zone).date()).days + 1


def _full_hour(at: int) -> int:
    return -(-at // HOUR) * HOUR


def _local(at: int, zone: str) -> datetime:
    return (_EPOCH + timedelta(microseconds=at)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def _on_a_day(at: int, schedule: Schedule, zone: str) -> Due:
    """The deadline at *at*, or at the same time of the first permitted day after it."""
    shown = _local(at, zone)
    while not _may_fall(schedule, shown):
        shown += timedelta(days=1)
    wall = shown.isoformat(timespec="minutes")
    return Due(max(at, instant(wall, zone)), wall, zone)


def _permitted(earliest: int, schedule: Schedule, zone: str) -> Iterator[Due]:
    """Every permitted deadline from *earliest* on, in order."""
    hour = time.fromisoformat(schedule.at)
    day = _local(earliest, zone).date() - timedelta(days=_MARGIN)
    while True:
        shown = datetime.combine(day, hour)
        wall = shown.isoformat(timespec="minutes")
        if _may_fall(schedule, shown) and (at := instant(wall, zone)) >= earliest:
            yield Due(at, wall, zone)
        day += timedelta(days=1)


def _may_fall(schedule: Schedule, shown: datetime) -> bool:
    return not schedule.days or DAYS[shown.weekday()] in schedule.days


def next_at(at: int, wall: str, zone: str) -> int:
    """The next instant after *at* at which the clock of *zone* shows the time of day *wall*, on any day.

    >>> next_at(0, "20:00", "UTC") // HOUR, next_at(20 * HOUR, "20:00", "UTC") // HOUR
    (20, 44)
    """
    day = _local(at, zone).date()
    hours = (instant(f"{day + timedelta(days=days)}T{wall}", zone) for days in range(-_MARGIN, _MARGIN + 1))
    return next(hour for hour in hours if hour > at)
