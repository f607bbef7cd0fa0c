"""Moments read back as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kernel.errors import BadMoment
from pbem.kernel.names import Moment

set_up = st.builds(Moment, st.just(0), st.integers(1, 999))
play = st.builds(Moment, st.integers(1, 9999), st.integers(1, 26), st.integers(0, 9999))


@given(set_up | play)
def test_a_moment_reads_back_from_its_text(moment: Moment) -> None:
    assert Moment.parse(str(moment)) == moment


@given(play)
def test_case_and_blanks_do_not_matter(moment: Moment) -> None:
    assert Moment.parse(f"  t{str(moment).lower()} ") == moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("5", Moment(5)),
        ("5a", Moment(5, 1)),
        ("T5 B", Moment(5, 2)),
        ("S2", Moment(0, 2)),
        ("s 1", Moment(0, 1)),
        ("3.2", Moment(3, 1, 2)),
        ("3b/2", Moment(3, 2, 2)),
    ],
)
def test_what_people_write_for_a_moment_is_read(text: str, moment: Moment) -> None:
    assert Moment.parse(text) == moment


@pytest.mark.parametrize("text", ["", "B", "S", "5AB", "5.", "-1", "turn 5", "5A extra", "1" * 50])
def test_what_names_no_moment_is_refused_with_the_way_to_write_one(text: str) -> None:
    with pytest.raises(BadMoment, match=r"Write it as S1, 5A, 5B or 3\.2"):
        Moment.parse(text)


def test_moments_come_in_the_order_of_play() -> None:
    written = ["S1", "S2", "1A", "1.1", "1B", "2A", "10A"]

    assert [str(moment) for moment in sorted(Moment.parse(text) for text in written)] == written
