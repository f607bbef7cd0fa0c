from __future__ import annotations

from datetime import date

import pytest

from pbem.kernel.errors import Refused
from pbem.orders.dates import span

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("2026-12-24 to 2027-01-02", "2026-12-24", "2027-01-02"),
        ("2026-12-24 2027-01-02", "2026-12-24", "2027-01-02"),
        ("2026-12-24 - 2027-01-02", "2026-12-24", "2027-01-02"),
        ("3 dec to 10 dec", "2026-12-03", "2026-12-10"),
        ("3 to 10 December", "2026-12-03", "2026-12-10"),
        ("from Thursday, 3rd of December until the 10th", "2026-12-03", "2026-12-10"),
        ("December 3 - December 10", "2026-12-03", "2026-12-10"),
        ("Dec. 3rd through Dec. 10th 2027", "2027-12-03", "2027-12-10"),
        ("3.12. to 10.12.2026", "2026-12-03", "2026-12-10"),
        ("28 dec to 3 jan", "2026-12-28", "2027-01-03"),
        ("28 dec to 3 jan 2028", "2027-12-28", "2028-01-03"),
        ("3 dec 2026 to 3 jan", "2026-12-03", "2027-01-03"),
        ("3 feb to 10 feb", "2027-02-03", "2027-02-10"),
        ("15 nov to 25 nov", "2026-11-15", "2026-11-25"),
        ("24 dec", "2026-12-24", "2026-12-24"),
        ("tomorrow to 25 nov", "2026-11-21", "2026-11-25"),
        ("today", "2026-11-20", "2026-11-20"),
        ("3 dec \u2013 10 dec", "2026-12-03", "2026-12-10"),
    ],
)
def test_days_are_read_as_people_write_them(text: str, since: str, until: str) -> None:
    assert tuple(map(str, span(text, TODAY))) == (since, until)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("next week", "does not say from which day"),
        ("3/12 to 10/12", "can be two days"),
        ("30 feb to 3 mar", "a day that there is not"),
        ("3 to 10", "says no month"),
        ("1 dec to 2 dec to 3 dec", "does not say from which day"),
        ("", "does not say from which day"),
        ("2026-13-40", "a day that there is not"),
    ],
)
def test_what_is_no_time_is_refused_with_an_example(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why) as refused:
        span(text, TODAY)
    assert "24 dec to 2 jan" in str(refused.value)
