"""Times in words, in the reader's zone and in UTC.  Microseconds UTC come in; nothing here reads a clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.reports.text.speech import phrase, phrase_later, phrase_of

_DAYS = (
    (phrase_later("Monday"), phrase_later("Mon")),
    (phrase_later("Tuesday"), phrase_later("Tue")),
    (phrase_later("Wednesday"), phrase_later("Wed")),
    (phrase_later("Thursday"), phrase_later("Thu")),
    (phrase_later("Friday"), phrase_later("Fri")),
    (phrase_later("Saturday"), phrase_later("Sat")),
    (phrase_later("Sunday"), phrase_later("Sun")),
)
"""In full and in short, as are the months."""
_MONTHS = (
    (phrase_later("January"), phrase_later("Jan")),
    (phrase_later("February"), phrase_later("Feb")),
    (phrase_later("March"), phrase_later("Mar")),
    (phrase_later("April"), phrase_later("Apr")),
    (phrase_later("May"), phrase_later("May")),
    (phrase_later("June"), phrase_later("Jun")),
    (phrase_later("July"), phrase_later("Jul")),
    (phrase_later("August"), phrase_later("Aug")),
    (phrase_later("September"), phrase_later("Sep")),
    (phrase_later("October"), phrase_later("Oct")),
    (phrase_later("November"), phrase_later("Nov")),
    (phrase_later("December"), phrase_later("Dec")),
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _utc(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def _day(date: datetime, *, long: bool = False, year: bool = True) -> str:
    day, month = _DAYS[date.weekday()], _MONTHS[date.month - 1]
    names = (phrase(day[not long]), phrase(month[not long]))
    words = phrase("{day} {date} {month}", day=names[0], date=date.day, month=names[1])
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
    where = zone if zone == "UTC" else phrase("in {city}", city=city(zone))
    return phrase("{day}, {hour} {where}", day=_day(local, long=long), hour=_clock(local), where=where)


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
    if at <= now:
        return phrase("{hour}, which is past", hour=hour)
    return phrase("{hour}, {left} when this was written", hour=hour, left=left(now, at))


def left(now: int, due: int) -> str:
    """How long it is from *now* until *due*, in the two largest units.

    >>> left(0, 3 * 86_400_000_000 + 20 * 3_600_000_000 + 5)
    'in 3 days 20 hours'
    >>> [left(0, 3_660_000_000), left(0, 59_000_000), left(1, 0)]
    ['in 1 hour 1 minute', 'in less than a minute', 'past']
    """
    if due <= now:
        return phrase("past")
    minutes = (due - now) // 60_000_000
    parts = [
        (minutes // 1440, phrase_of("{count} day", "{count} days", minutes // 1440)),
        (minutes // 60 % 24, phrase_of("{count} hour", "{count} hours", minutes // 60 % 24)),
        (minutes % 60, phrase_of("{count} minute", "{count} minutes", minutes % 60)),
    ]
    while parts and not parts[0][0]:
        parts.pop(0)
    words = " ".join(unit for count, unit in parts[:2] if count)
    return phrase("in {time}", time=words) if words else phrase("in less than a minute")


def stamp(at: int) -> str:
    """A time as programs read it.

    >>> stamp(1_795_212_001_000_000)
    '2026-11-20T22:00:01Z'
    """
    return f"{_utc(at):%Y-%m-%dT%H:%M:%SZ}"
