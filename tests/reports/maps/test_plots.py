"""Plots: every value in words, the two sides told apart without colour."""

from __future__ import annotations

import pytest

from pbem.reports.maps.plots import figures, plot
from pbem.rules.view import Course
from tests.kit.sample import VIEW


def test_the_sides_differ_in_line_and_mark() -> None:
    svg = plot(VIEW.courses[0], "p")
    first, second = (
        svg.split('<g class="second">')[1].split("</g>")[0],
        svg.split('<g class="first">')[1].split("</g>")[0],
    )
    assert first.count('class="loop"') == 5
    assert second.count('class="dot"') == 5
    assert "Prussian 146" in first
    assert "French 112" in second


def test_all_values_are_told_in_words() -> None:
    assert figures(VIEW.courses[1]) == "Points, turns 0 to 4. French 1, 1, 1, 1, 1. Prussian 0, 0, 2, 4, 6."
    assert f'<desc id="p-desc">{figures(VIEW.courses[1])}</desc>' in plot(VIEW.courses[1], "p")


@pytest.mark.parametrize(
    "course",
    [
        Course("none", ()),
        Course("none", (("French", "first", ()),)),
        Course("one", (("French", "first", ((3, 7),)),)),
        Course("flat", (("French", "first", ((0, 0), (1, 0))), ("Prussian", "second", ((0, 0), (1, 0))))),
        Course("below", (("French", "first", ((0, -40), (30, 1_000_000))),)),
    ],
    ids=["nothing", "no points", "one point", "flat", "wide"],
)
def test_odd_courses_are_drawn_all_the_same(course: Course) -> None:
    assert "nan" not in plot(course, "p")


def test_names_at_the_end_of_equal_lines_do_not_meet() -> None:
    equal = Course("flat", (("French", "first", ((0, 5), (1, 5))), ("Prussian", "second", ((0, 5), (1, 5)))))
    ends = [part.split('y="')[1].split('"')[0] for part in plot(equal, "p").split('class="who"')[1:]]
    assert abs(float(ends[0]) - float(ends[1])) >= 14
