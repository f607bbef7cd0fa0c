"""A deadline as an entry for calendars (iCalendar, RFC 5545; published as in RFC 5546)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from icalendar import Alarm, Calendar, Event

from pbem.mail.leaving.compose import Attachment, BadDraft

ALARM: Final = timedelta(hours=24)
"""How long before the deadline a calendar reminds."""


class Deadline(msgspec.Struct, frozen=True, kw_only=True):
    """A deadline, as one player is told of it."""

    uid: str
    """The same for the same deadline wherever it is moved: `gpw.5b.french@office.example`."""

    sequence: int
    """How often it has been moved: a calendar replaces an entry by the one with the higher number."""

    at: datetime
    """With its zone."""

    said: datetime
    """When the letter was written that holds it; with its zone."""

    summary: str
    description: str = ""
    cancelled: bool = False
    """Whether nothing is due any more."""


def calendar_entry(deadline: Deadline) -> Attachment:
    """The file that a mail program offers to its calendar; the same deadline gives the same bytes.

    :raises BadDraft: if a time has no zone, or the uid is empty.
    """
    _see(deadline)
    calendar = _calendar()
    calendar.add("method", "CANCEL" if deadline.cancelled else "PUBLISH")
    calendar.add_component(_event(deadline))
    method = {"method": "CANCEL" if deadline.cancelled else "PUBLISH"}
    return Attachment("deadline.ics", "text/calendar", calendar.to_ical(), method)


def calendar_of(deadlines: Iterable[Deadline]) -> bytes:
    """The file of a calendar that is fetched again and again, with several deadlines in it.

    :raises BadDraft: as `calendar_entry` does.
    """
    calendar = _calendar()
    calendar.add("x-wr-calname", "Games by letter")
    for deadline in deadlines:
        _see(deadline)
        calendar.add_component(_event(deadline))
    made: bytes = calendar.to_ical()
    return made


def _see(deadline: Deadline) -> None:
    if deadline.at.utcoffset() is None or deadline.said.utcoffset() is None:
        raise BadDraft("deadline: it has no time zone.")
    if not deadline.uid.strip():
        raise BadDraft("deadline: it has no uid.")


def _calendar() -> Calendar:
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//pbem//campaign office//EN")
    calendar.add("version", "2.0")
    return calendar


def _event(deadline: Deadline) -> Event:
    from icalendar import Event

    event = Event()
    event.add("uid", deadline.uid)
    event.add("sequence", deadline.sequence)
    event.add("dtstamp", _instant(deadline.said))
    event.add("dtstart", _instant(deadline.at))
    event.add("summary", _one_line(deadline.summary))
    if deadline.description:
        event.add("description", "\n".join(_one_line(line) for line in deadline.description.splitlines()))
    # Nobody is busy at that hour for its sake.
    event.add("transp", "TRANSPARENT")
    event.add("status", "CANCELLED" if deadline.cancelled else "CONFIRMED")
    if not deadline.cancelled:
        event.add_component(_alarm(deadline))
    return event


def _alarm(deadline: Deadline) -> Alarm:
    from icalendar import Alarm

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -ALARM)
    alarm.add("description", _one_line(deadline.summary))
    return alarm


def _one_line(text: str) -> str:
    """The text without line breaks and control characters, which calendars take for the end of a field."""
    return "".join(" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in text)


def _instant(when: datetime) -> datetime:
    return when.astimezone(UTC).replace(microsecond=0)
