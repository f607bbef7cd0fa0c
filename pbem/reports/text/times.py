"""Times in words, in the reader's zone and in UTC.  Microseconds UTC come in; nothing here reads a clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _utc(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def _day(date: datetime, *, long: bool = False, year: bool = True) -> str:
    day, month = _DAYS[date.weekday()], _MONTHS[date.month - 1]
    words = f"{day if long else day[:3]} {date.day} {month if long else month[:3]}"
    return f"{words} {date.year}" if year else words


def _clock(date: datetime) -> str:
    return f"{date.hour:02}:{date.minute:02}"


def city(zone: str) -> str:
    """The place whose clock is meant.

    >>> city("America/Argentina/Buenos_Aires")
    'Buenos Aires'
    """
    return zone.rsplit("/", 1)[-1].replace("_", " ")


def in_zone(at: int, zone: str, *, long: bool = False) -> str:
    """The date and time by the reader's clock.

    >>> in_zone(1_795_546_800_000_000, "Europe/Paris")
    'Tue 24 Nov 2026, 20:00 in Paris'
    >>> in_zone(1_795_546_800_000_000, "UTC")
    'Tue 24 Nov 2026, 19:00 UTC'
    """
    local = _utc(at).astimezone(ZoneInfo(zone))
    where = zone if zone == "UTC" else f"in {city(zone)}"
    return f"{_day(local, long=long)}, {_clock(local)} {where}"


def in_utc(at: int, zone: str) -> str:
    """The same by UTC, with the day where it is another; empty if *zone* is UTC.

    >>> in_utc(1_795_546_800_000_000, "Asia/Tokyo")
    'Tue 24 Nov, 19:00 UTC'
    """
    if zone == "UTC":
        return ""
    there, utc = _utc(at).astimezone(ZoneInfo(zone)), _utc(at)
    day = "" if there.date() == utc.date() else f"{_day(utc, year=False)}, "
    return f"{day}{_clock(utc)} UTC"


def in_seconds(at: int) -> str:
    """A time of this year's by UTC, to the second, as a log lists it.

    >>> in_seconds(1_795_546_798_000_000)
    'Tue 24 Nov 18:59:58'
    """
    date = _utc(at)
    return f"{_day(date, year=False)} {date:%H:%M:%S}"


def when(at: int, zone: str, *, long: bool = False) -> str:
    """Both.

    >>> when(1_795_546_800_000_000, "Europe/Paris")
    'Tue 24 Nov 2026, 20:00 in Paris (19:00 UTC)'
    >>> when(1_795_546_800_000_000, "Europe/Paris", long=True)
    'Tuesday 24 November 2026, 20:00 in Paris (19:00 UTC)'
    """
    utc = in_utc(at, zone)
    return in_zone(at, zone, long=long) + (f" ({utc})" if utc else "")


def due(at: int, zone: str, now: int) -> str:
    """The hour at which something is due, in a letter, which may be read days after it was written.

    >>> due(1_795_546_800_000_000, "UTC", 1_795_546_800_000_000 - 7_200_000_000)
    'Tuesday 24 November 2026, 19:00 UTC, in 2 hours when this was written'
    >>> due(1_795_546_800_000_000, "UTC", 1_795_546_800_000_000)
    'Tuesday 24 November 2026, 19:00 UTC, which is past'
    """
    hour = when(at, zone, long=True)
    return f"{hour}, {left(now, at)} when this was written" if at > now else f"{hour}, which is past"


def left(now: int, due: int) -> str:
    """How long it is from *now* until *due*, in the two largest units.

    >>> left(0, 3 * 86_400_000_000 + 20 * 3_600_000_000 + 5)
    'in 3 days 20 hours'
    >>> [left(0, 3_660_000_000), left(0, 59_000_000), left(1, 0)]
    ['in 1 hour 1 minute', 'in less than a minute', 'past']
    """
    if due <= now:
        return "past"
    minutes = (due - now) // 60_000_000
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    while parts and not parts[0][0]:
        parts.pop(0)
    words = " ".join(f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts[:2] if count)
    return f"in {words}" if words else "in less than a minute"


def stamp(at: int) -> str:
    """A time as programs read it.

    >>> stamp(1_795_212_001_000_000)
    '2026-11-20T22:00:01Z'
    """
    return f"{_utc(at):%Y-%m-%dT%H:%M:%SZ}"
