"""Deadlines by every clock there is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel.deadlines import HOUR, Due, days_between, due_after, due_at, instant, not_before, steps
from pbem.kernel.terms import DAYS, Schedule

ZONES = sorted(available_timezones() - {"localtime", "Factory"})
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

moments = st.integers(1_600_000_000, 2_100_000_000).map(lambda second: second * 1_000_000)
zones = st.sampled_from(ZONES)
clocks = st.times().map(lambda time: f"{time:%H:%M}")
days = st.sets(st.sampled_from(DAYS)).map(lambda chosen: tuple(day for day in DAYS if day in chosen))
hours = st.integers(1, 24 * 30)


def at(written: str) -> int:
    """The instant that is written with its offset."""
    return (datetime.fromisoformat(written) - EPOCH) // timedelta(microseconds=1)


def shown(due: Due) -> datetime:
    """What the clock shows at a deadline."""
    return (EPOCH + timedelta(microseconds=due.at)).astimezone(ZoneInfo(due.zone))


def is_of_the_clock(due: Due) -> bool:
    """Whether the clock shows what was promised, or has just leapt over it."""
    wall = datetime.fromisoformat(due.wall)
    return shown(due).replace(tzinfo=None) >= wall and shown(due).replace(tzinfo=None) - wall <= timedelta(days=1)


@given(moments, zones, clocks, days, hours)
@settings(max_examples=400, deadline=None)
def test_a_deadline_is_at_its_time_of_day_on_a_permitted_day_and_not_too_near(
    opened: int, zone: str, clock: str, permitted: tuple[str, ...], count: int
) -> None:
    schedule = Schedule(hours=count, at=clock, days=permitted)  # type: ignore[arg-type]  # names of days
    due = due_after(opened, schedule, zone)

    assert due.wall.endswith(f"T{clock}")
    assert not permitted or DAYS[datetime.fromisoformat(due.wall).weekday()] in permitted
    assert due.at >= opened + -(-count // 2) * HOUR
    assert due.at == instant(due.wall, zone)
    assert is_of_the_clock(due)
    if due.at > opened + count * HOUR:
        assert not_before(opened + -(-count // 2) * HOUR, schedule, zone) == due
    else:
        assert not_before(due.at + 1, schedule, zone).at > opened + count * HOUR


@given(moments, zones, days, hours)
@settings(max_examples=400, deadline=None)
def test_without_a_time_of_day_nobody_has_less_than_his_hours(
    opened: int, zone: str, permitted: tuple[str, ...], count: int
) -> None:
    schedule = Schedule(hours=count, days=permitted)  # type: ignore[arg-type]  # names of days
    due = due_after(opened, schedule, zone)

    assert due.at >= opened + count * HOUR
    assert due.at - (opened + count * HOUR) <= (8 * 24 + 1) * HOUR
    assert not permitted or DAYS[datetime.fromisoformat(due.wall).weekday()] in permitted
    if not permitted:
        assert due.at - (opened + count * HOUR) <= 25 * HOUR


@given(moments, zones)
@settings(max_examples=400, deadline=None)
def test_the_instant_of_what_a_clock_shows_is_never_earlier(moment: int, zone: str) -> None:
    shows = (EPOCH + timedelta(microseconds=moment)).astimezone(ZoneInfo(zone)).replace(second=0, tzinfo=None)
    hour = instant(shows.isoformat(timespec="minutes"), zone)

    assert 0 <= hour - (moment - moment % 60_000_000) <= 25 * HOUR
    assert due_at(hour, zone) == Due(hour, shows.isoformat(timespec="minutes"), zone)
    assert due_at(hour + 1, zone).wall == ""


@pytest.mark.parametrize(
    ("wall", "zone", "wanted"),
    [
        ("2026-03-29T02:30", "Europe/Berlin", "2026-03-29T03:30+02:00"),
        ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T02:30+01:00"),
        ("2026-03-08T02:30", "America/New_York", "2026-03-08T03:30-04:00"),
        ("2026-11-01T01:30", "America/New_York", "2026-11-01T01:30-05:00"),
        ("2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-05T01:45+10:30"),
        ("2026-10-04T02:10", "Australia/Lord_Howe", "2026-10-04T02:40+11:00"),
        ("2026-11-24T20:00", "Asia/Kathmandu", "2026-11-24T20:00+05:45"),
        ("2011-12-30T12:00", "Pacific/Apia", "2011-12-31T12:00+14:00"),
    ],
)
def test_a_time_that_is_not_or_is_twice_is_the_later_one(wall: str, zone: str, wanted: str) -> None:
    assert instant(wall, zone) == at(wanted)


@pytest.mark.parametrize(
    ("opened", "schedule", "wanted"),
    [
        # Opened a minute late it is due at the hour, and not a day later.
        ("2026-11-23T20:01+01:00", Schedule(hours=24, at="20:00"), "2026-11-24T20:00+01:00"),
        ("2026-11-23T19:59+01:00", Schedule(hours=24, at="20:00"), "2026-11-24T20:00+01:00"),
        # From Friday it is due on Monday, though that is more than its hours.
        ("2026-11-20T21:00+01:00", Schedule(hours=24, at="20:00", days=DAYS[:5]), "2026-11-23T20:00+01:00"),
        # The whole of its hours, if that is the least.
        ("2026-11-23T20:01+01:00", Schedule(hours=24, at="20:00", least=24), "2026-11-25T20:00+01:00"),
        # Over the night in which the clocks go back, and the one in which they go forward.
        ("2026-10-24T20:00+02:00", Schedule(hours=25, at="20:00"), "2026-10-25T20:00+01:00"),
        ("2026-03-28T20:00+01:00", Schedule(hours=24, at="20:00"), "2026-03-29T20:00+02:00"),
        ("2026-11-20T21:10+01:00", Schedule(hours=24, days=DAYS[:5]), "2026-11-23T22:00+01:00"),
    ],
)
def test_schedules_of_berlin(opened: str, schedule: Schedule, wanted: str) -> None:
    assert due_after(at(opened), schedule, "Europe/Berlin").at == at(wanted)


def test_each_step_has_two_hours_and_the_last_that_of_the_reports() -> None:
    found = steps(0, 3, Schedule(urgent=6, interim=18), "UTC")

    assert [(one.interim // HOUR, one.until // HOUR) for one in found] == [(6, 24), (30, 48), (54, 54)]
    assert steps(0, 0, Schedule(), "UTC") == ()


def test_steps_are_counted_by_the_clock_on_the_wall_and_fall_on_no_day_off() -> None:
    due = at("2026-10-23T20:00+02:00")  # a Friday; on Sunday the clocks go back
    [one, two] = steps(due, 2, Schedule(urgent=4, interim=20, days=("mon", "fri")), "Europe/Berlin")

    assert one.interim == at("2026-10-26T00:00+01:00")
    assert (one.until, two.interim) == (at("2026-10-26T20:00+01:00"), at("2026-10-30T00:00+01:00"))


def test_days_are_those_of_the_calendar() -> None:
    since, until = at("2026-12-24T00:00+01:00"), at("2027-01-02T00:00+01:00")
    assert days_between(since, until, "Europe/Berlin") == 9
