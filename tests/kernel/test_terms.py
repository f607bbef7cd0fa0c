"""Terms as people write them."""

from __future__ import annotations

import msgspec
import pytest

from pbem.kernel.terms import BadTerm, Schedule, Terms, changed, days_of


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("mon-fri", "mon tue wed thu fri"),
        ("Tuesday, thu", "tue thu"),
        ("fri-mon", "mon fri sat sun"),
        ("sun-sun", "sun"),
        ("any", ""),
    ],
)
def test_weekdays_are_read(written: str, wanted: str) -> None:
    assert " ".join(days_of(written)) == wanted


@pytest.mark.parametrize("written", ["m", "t-f", "mon--fri", "1-5", "montag"])
def test_what_names_no_weekday_is_refused(written: str) -> None:
    with pytest.raises(BadTerm, match="names no weekdays"):
        days_of(written)


def test_a_phase_takes_what_it_does_not_say_from_all() -> None:
    terms = changed(Terms(hours=48, grace=2), {"hours": "24"}, phase="B")

    assert terms.schedule("B, second mover and fire") == Schedule(hours=24, grace=2)
    assert terms.schedule("A, first mover").hours == 48
    assert changed(terms, {"delay": 5}, phase="b").schedule("B").hours == 24


@pytest.mark.parametrize(
    "changes",
    [{"hours": 0}, {"hours": "many"}, {"grace": -1}, {"tripwire": 101}, {"nmr": "wait"}, {"at": "8 pm"}, {"speed": 1}],
)
def test_a_term_that_cannot_be_is_named(changes: dict[str, object]) -> None:
    with pytest.raises(BadTerm) as caught:
        changed(Terms(), changes)
    assert caught.value.name == next(iter(changes))


def test_terms_at_their_defaults_are_not_written_so_that_old_logs_read() -> None:
    assert msgspec.json.encode(Terms()) == b"{}"
    written = msgspec.json.encode(changed(Terms(), {"hours": 24}, phase="B"))
    assert msgspec.json.decode(written, type=Terms).schedule("B").hours == 24
