"""What the GM says to the clock, and what it tells him."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.desk.intake.keeping import take_in
from pbem.desk.office.office import open_office
from pbem.kernel.terms import Terms
from tests.kit.terminal import Terminal


def test_every_term_can_be_set_and_is_shown(begun: Terminal) -> None:
    begun.does(
        "campaign", "set", "ford",
        "--release", "auto", "--trust", "strict", "--press", "anonymous", "--zone", "Europe/Paris",
        "--hours", "48", "--at", "20:00", "--days", "mon-fri", "--least", "20", "--grace", "6", "--no-early",
        "--delay", "5", "--reminders", "12,2", "--nmr", "extend", "--excuses", "2", "--extension", "36",
        "--tripwire", "75", "--absence-days", "7", "--urgent", "4", "--interim", "20",
        "--observers", "guard", "--observers-delay", "3", "--late-after", "2", "--names", "told",
        "--votes", "pause majority 24h", "--language", "de", "--reason", "As agreed.",
    )  # fmt: skip
    begun.does("campaign", "set", "ford", "--phase", "B", "--hours", "24")
    terms = begun.shows("campaign", "show", "ford")["terms"]

    assert set(terms) == set(Terms.__struct_fields__)
    assert terms.pop("phases")["b"]["hours"] == 24
    pause = terms.pop("votes")["pause"]
    assert (pause["agree"], pause["hours"], pause["secret"]) == ("majority", 24, False)
    assert terms == {
        "release": "auto", "trust": "strict", "press": "anonymous", "zone": "Europe/Paris", "hours": 48,
        "at": "20:00", "days": ["mon", "tue", "wed", "thu", "fri"], "least": 20, "grace": 6, "early": False,
        "delay": 5, "reminders": [12, 2], "nmr": "extend", "excuses": 2, "extension": 36, "tripwire": 75,
        "absence_days": 7, "urgent": 4, "interim": 20, "observers": ["guard"], "observers_delay": 3,
        "late_after": 2, "names": "told", "language": "de",
    }  # fmt: skip
    said = begun.does("campaign", "show", "ford")
    assert "Deutsch" in said
    assert "at 20:00, on mon tue wed thu fri, 20 hours at least, 6 hours of grace, never early" in said
    assert "As agreed." in begun.does("history", "log", "ford", "--raw")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--at", "25:00"), "write a time of day like 20:00"),
        (("--days", "someday"), "names no weekdays"),
        (("--zone", "Mars/Base"), "there is no time zone"),
        (("--reminders", "soon"), "reminders"),
        (("--language", "tlh"), 'nothing is written in "tlh" here'),
        (("--hours", "72"), "nothing would change"),
        (("--observers", "wizard"), "there is no role wizard"),
        (("--observers", "truth", "--observers-delay", "0"), "one turn later at least"),
        (("--phase", "B", "--press", "none"), "press: there is no such term"),
    ],
)
def test_a_term_that_cannot_be_is_refused(begun: Terminal, words: tuple[str, ...], said: str) -> None:
    assert said in begun.refused("campaign", "set", "ford", *words)


def test_a_campaign_is_opened_with_terms_of_its_own_and_with_those_of_the_settings(
    begun: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_DEFAULTS__GRACE", "3")
    begun.does("campaign", "new", "bridge", "toy/ford", "--at", "19:30", "--nmr", "gm")
    terms = begun.shows("campaign", "show", "bridge")["terms"]

    assert (terms["grace"], terms["at"], terms["nmr"], terms["trust"]) == (3, "19:30", "gm", "table")


def test_absences_are_booked_listed_and_cancelled(begun: Terminal) -> None:
    since, until = (str(datetime.now(UTC).date() + timedelta(days=days)) for days in (30, 33))
    assert "10 days are left" in begun.does(
        "campaign", "absence", "ford", "--book", "guard", "--since", since, "--until", until
    )
    [booked] = begun.shows("campaign", "absence", "ford")
    assert (booked["roles"], booked["days"]) == (["guard"], 4)
    assert "guard: " in begun.does("campaign", "show", "ford")
    assert "guard: " in begun.does("turn", "show", "ford")
    begun.does("campaign", "absence", "ford", "--cancel", "guard", "--reason", "He stays.")
    assert "nobody" in begun.does("campaign", "absence", "ford")
    assert "no absence to cancel" in begun.refused("campaign", "absence", "ford", "--cancel", "guard")


def test_the_hour_and_its_schedule_are_shown(begun: Terminal) -> None:
    begun.does("campaign", "set", "ford", "--grace", "6")
    said = begun.does("turn", "show", "ford")
    assert "grace" in said
    assert "72 hours after it opens" in said
    shown = begun.shows("turn", "show", "ford")
    assert (shown["zone"], shown["held"], shown["nmr"]) == ("UTC", False, [])
    assert shown["closes"] > shown["due"][-1]


def test_more_time_is_given_under_a_schedule(begun: Terminal) -> None:
    begun.does("campaign", "set", "ford", "--at", "20:00", "--days", "mon-fri")
    before = begun.shows("turn", "show", "ford")["due"][-1]
    begun.does("turn", "extend", "ford", "--hours", "5", "--reason", "He travels.")
    assert begun.shows("turn", "show", "ford")["due"][-1] > before


def test_an_office_is_kept_once_for_cron(begun: Terminal) -> None:
    assert begun.does("run", "--once") == ""


def test_what_it_does_is_told_with_the_hour_by_utc(begun: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_office(Path.cwd()) as office:
        letter = take_in(office, begun.letter("smuggler", "move s1 to 3").encode(), way="pipe")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        said = begun.does("run", "--once")
    time.tzset()

    hour, _, what = said.partition(" UTC  ")
    came = datetime.fromtimestamp(letter.received_at / 1e6, UTC)
    told = datetime.strptime(f"{came.year} {hour}", "%Y %a %d %b %H:%M:%S").replace(tzinfo=UTC)
    assert abs(told - came) < timedelta(hours=1)
    assert what.startswith("letter 1: applied, ford smuggler 1A: accepted")
