"""Days as people write them: `2026-12-03 to 2026-12-10`, `3 dec to 10 dec`, `from Dec 3rd until the 10th`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from pbem.kernel.errors import Refused

EXAMPLE = "2026-12-24 to 2027-01-02, or 24 dec to 2 jan"

_HOUR = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
_DAILY = {"on": "20:00", "off": ""}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|\.)?"
_BETWEEN = re.compile(r"\s+(?:to|until|till|through|and|-+)\s+|\s*(?:\u2013|\u2014|\.\.+)\s*")
_NOISE = re.compile(r"\b(?:from|between|the|of|on|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b|,")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_FIRST = re.compile(rf"{_DAY}\s*{_MONTH}(?:\s+(\d{{4}}))?")
_MONTH_FIRST = re.compile(rf"{_MONTH}\s*{_DAY}(?:\s+(\d{{4}}))?")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?")
_ONLY_DAY = re.compile(_DAY)
_TWO_ISO = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})[\s/]+(\d{4}-\d{1,2}-\d{1,2})")

Parts = tuple[int | None, int | None, int]
"""Year and month, where they are said, and day."""


def span(text: str, today: date) -> tuple[date, date]:
    """The first and the last day that *text* names; of one day, both.  A year not said is the next that fits.

    >>> [str(day) for day in span("3 dec to 10 dec", date(2026, 11, 20))]
    ['2026-12-03', '2026-12-10']
    >>> [str(day) for day in span("from the 28th of December until Jan 3", date(2026, 11, 20))]
    ['2026-12-28', '2027-01-03']

    :raises Refused: if it names no days, or it cannot be told which.
    """
    said = " ".join(_NOISE.sub(" ", text.casefold()).split())
    two = _TWO_ISO.fullmatch(said)
    ends = list(two.groups()) if two else [part for part in _BETWEEN.split(said) if part]
    if not 1 <= len(ends) <= 2:
        raise Refused(f'"{text}" does not say from which day to which.  Write {EXAMPLE}.')
    first, last = _parts(ends[0], text, today), _parts(ends[-1], text, today)
    month = first[1] or last[1]
    last_month = last[1] or month
    if month is None or last_month is None:
        raise Refused(f'"{text}" says no month.  Write {EXAMPLE}.')
    year, last_year = first[0] or last[0], last[0]
    if year is None:
        year = today.year
        end = (last_month, last[2])
        over = end < (today.month, today.day) and (month, first[2]) <= end
        year += over
    elif first[0] is None and last_year is not None and (month, first[2]) > (last_month, last[2]):
        year -= 1
    if last_year is None:
        last_year = year + ((last_month, last[2]) < (month, first[2]))
    return _date(year, month, first[2], text), _date(last_year, last_month, last[2], text)


def _parts(said: str, text: str, today: date) -> Parts:
    named = {"today": today, "tomorrow": today + timedelta(days=1)}.get(said)
    if named:
        return named.year, named.month, named.day
    if found := _ISO.fullmatch(said):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _DAY_FIRST.fullmatch(said):
        return _year(found[3]), _MONTHS.index(found[2]) + 1, int(found[1])
    if found := _MONTH_FIRST.fullmatch(said):
        return _year(found[3]), _MONTHS.index(found[1]) + 1, int(found[2])
    if found := _DOTTED.fullmatch(said):
        return _year(found[3]), int(found[2]), int(found[1])
    if found := _ONLY_DAY.fullmatch(said):
        return None, None, int(found[1])
    if re.fullmatch(r"\d{1,2}/\d{1,2}(?:/\d{2,4})?", said):
        raise Refused(f'"{said}" can be two days.  Write {EXAMPLE}.')
    raise Refused(f'"{text}" does not say from which day to which.  Write {EXAMPLE}.')


def _year(said: str | None) -> int | None:
    return int(said) if said else None


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise Refused(f'"{text}" names a day that there is not.  Write {EXAMPLE}.') from None


def daily_of(argument: str) -> str | None:
    """The time of day that is said after a word of what is done daily; empty: off, None: none is said.

    >>> daily_of("8:30"), daily_of("at 20.00"), daily_of("ON"), daily_of("off"), daily_of("25:00")
    ('08:30', '20:00', '20:00', '', None)
    """
    said = argument.casefold().removeprefix("at ").strip()
    if said in _DAILY:
        return _DAILY[said]
    found = _HOUR.fullmatch(said)
    return f"{int(found[1]):02}:{found[2]}" if found else None
