"""Statistics against published figures, and a study as a file."""

from __future__ import annotations

import pytest

from pbem.desk.study.findings import Course, Share, changed, length, same, shares, spread, student, wilson
from pbem.kernel.names import Role

ROLES = (Role("french"), Role("prussian"))


def course(result: str, turns: int = 4, **changed: int) -> Course:
    return Course(number=1, result=result, how="", turns=turns, changed=changed)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_is_as_published(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == (low, high)


@pytest.mark.parametrize(("freedom", "table"), [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)])
def test_student_is_that_of_the_tables(freedom: int, table: float) -> None:
    assert student(freedom) == pytest.approx(table, rel=0.005)


def test_a_spread_tells_the_mean_its_bounds_and_the_quartiles() -> None:
    found = spread([2, 4, 4, 6, 9])

    assert (found.mean, found.least, found.lower, found.median, found.upper, found.most) == (5, 2, 4, 4, 6, 9)
    assert found.low == pytest.approx(1.71, abs=0.02)
    assert found.high == pytest.approx(8.29, abs=0.02)


def test_of_one_or_two_games_the_mean_has_no_bounds() -> None:
    assert [(spread(values).mean, spread(values).low) for values in ([3], [3, 4])] == [(3, None), (3.5, None)]


def test_a_side_that_never_won_has_its_share_too() -> None:
    found = shares([course("french"), course("french"), course("nobody"), course("unfinished")], ROLES)

    assert [(one.result, one.games, one.share) for one in found] == [
        ("french", 2, 0.5),
        ("nobody", 1, 0.25),
        ("unfinished", 1, 0.25),
        ("prussian", 0, 0.0),
    ]


def test_the_roles_of_a_side_are_listed_as_that_side() -> None:
    roles = (Role("blue.1"), Role("blue.2"), Role("red"))

    assert [one.result for one in shares([course("blue")], roles)] == ["blue", "red"]
    assert [one.result for one in shares([course("unfinished")], roles)] == ["unfinished", "blue", "red"]
    assert [one.result for one in shares([course("north")], roles)] == ["north"]


def test_length_is_that_of_games_which_ended() -> None:
    found = length([course("french", 4), course("nobody", 6), course("unfinished", 100), course("broken", 1)])

    assert found is not None
    assert (found.mean, found.most) == (5, 6)
    assert length([course("unfinished", 100)]) is None


def test_only_what_changed_is_told() -> None:
    found = changed([course("french", men=-3, guns=0), course("prussian", men=0, guns=0)])

    assert {name: one.mean for name, one in found.items()} == {"men": -1.5}


def test_intervals_overlap_or_stand_apart() -> None:
    low, middle, high = (Share("x", 0, 0, *bounds) for bounds in ((0.1, 0.3), (0.3, 0.5), (0.4, 0.6)))

    assert (same(low, middle), same(middle, high), same(low, high), same(high, low)) == (True, True, False, False)
