"""Deadlines for calendars: one entry a deadline, moved with it, the same bytes for the same words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar

from pbem.mail.leaving.calendar import Deadline, calendar_entry
from pbem.mail.leaving.compose import BadDraft, Draft, compose
from pbem.mail.wire.addresses import Address

DEADLINE = Deadline(
    uid="gpw.5b.french@office.example",
    sequence=0,
    at=datetime(2026, 10, 25, 20, 0, tzinfo=ZoneInfo("Europe/Berlin")),
    said=datetime(2026, 10, 20, 8, 0, tzinfo=UTC),
    summary="[gpw] orders for 5B are due",
    description="Reply to the letter of turn 5A; the umpire waits.\nGood luck, Marshal.",
)


def said(deadline: Deadline) -> tuple[str, int, datetime]:
    """What the entry of a deadline says to a calendar that reads it: which, how often moved, when."""
    [event] = Calendar.from_ical(calendar_entry(deadline).content).walk("VEVENT")
    return str(event["UID"]), event.decoded("SEQUENCE"), event.decoded("DTSTART")


def test_an_entry_as_it_is_written() -> None:
    attachment = calendar_entry(DEADLINE)

    assert (attachment.name, attachment.media_type) == ("deadline.ics", "text/calendar")
    assert attachment.parameters == {"method": "PUBLISH"}
    assert attachment.content.decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//campaign office//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "SUMMARY:[gpw] orders for 5B are due",
        "DTSTART:20261025T190000Z",
        "DTSTAMP:20261020T080000Z",
        "UID:gpw.5b.french@office.example",
        "SEQUENCE:0",
        "DESCRIPTION:Reply to the letter of turn 5A\\; the umpire waits.\\nGood luck",
        " \\, Marshal.",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:[gpw] orders for 5B are due",
        "TRIGGER:-P1D",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_a_deadline_that_is_moved_is_the_same_entry() -> None:
    moved = msgspec.structs.replace(DEADLINE, sequence=1, at=DEADLINE.at + timedelta(days=1))

    assert said(DEADLINE) == (DEADLINE.uid, 0, DEADLINE.at)
    assert said(moved) == (DEADLINE.uid, 1, moved.at)


def test_a_deadline_that_is_no_more_is_taken_out() -> None:
    attachment = calendar_entry(msgspec.structs.replace(DEADLINE, sequence=2, cancelled=True))
    calendar = Calendar.from_ical(attachment.content)

    assert attachment.parameters == {"method": "CANCEL"}
    assert calendar["METHOD"] == "CANCEL"
    assert [event["STATUS"] for event in calendar.walk("VEVENT")] == ["CANCELLED"]
    assert calendar.walk("VALARM") == []


@given(st.text(), st.text(), st.integers(0, 10**6))
@example("\rEND:VEVENT\r\nBEGIN:VEVENT\x0b", "\u2028UID:x\n\rUID:y\x85\0", 1)
def test_no_text_breaks_an_entry(summary: str, description: str, sequence: int) -> None:
    deadline = msgspec.structs.replace(DEADLINE, summary=summary, description=description, sequence=sequence)
    content = calendar_entry(deadline).content

    assert content == calendar_entry(deadline).content
    assert said(deadline) == (DEADLINE.uid, sequence, DEADLINE.at)
    assert content.count(b"\nBEGIN:") == 2
    assert b"\r" not in content.replace(b"\r\n", b"")


def test_an_entry_goes_with_a_letter() -> None:
    raw = compose(
        Draft(
            message_id="<a@office.example>",
            date=DEADLINE.said,
            sender=Address("gpw@office.example"),
            to=Address("zoe@x.example"),
            subject="x",
            text="x",
            office="office.example",
            attachments=(calendar_entry(DEADLINE),),
        )
    )
    *_, part = message_from_bytes(raw).walk()

    assert part.get_content_type() == "text/calendar"
    assert (part.get_param("method"), part.get_filename()) == ("PUBLISH", "deadline.ics")
    assert part.get_payload(decode=True) == calendar_entry(DEADLINE).content


@pytest.mark.parametrize(
    "fields",
    [{"at": datetime(2026, 1, 1)}, {"said": datetime(2026, 1, 1)}, {"uid": " "}],  # noqa: DTZ001
)
def test_what_no_calendar_could_place_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(BadDraft):
        calendar_entry(msgspec.structs.replace(DEADLINE, **fields))
