"""The map: what is drawn is what is passed."""

from __future__ import annotations

from pbem_diplomacy.board import province_of
from pbem_diplomacy.map import BOARD, CLOSED, SHEET


def test_it_has_all_provinces() -> None:
    kinds = [one.kind for one in BOARD.provinces.values()]

    assert (len(kinds), kinds.count("sea"), kinds.count("land")) == (75, 19, 14)
    assert len(BOARD.centres) == 34
    assert sum(one.home is not None for one in BOARD.provinces.values()) == 22


def test_every_border_that_is_passed_is_drawn_and_no_other() -> None:
    passed = {frozenset(map(province_of, border.split("-"))) for border in (*SHEET.army, *SHEET.fleet)}
    drawn = {frozenset(map(province_of, border.split("-"))) for border in SHEET.lines if not border.endswith("-")}

    assert passed == {border for border in drawn if not border & set(CLOSED)}


def test_coasts_that_are_told_apart_are_drawn_apart() -> None:
    seas = {key for key, one in BOARD.provinces.items() if one.kind == "sea"}
    shores = {border for border in SHEET.fleet if set(border.split("-")) & seas and "/" in border}

    assert shores == {border for border in SHEET.lines if "/" in border}


def test_provinces_fill_the_sheet_and_units_stand_in_them() -> None:
    rings = [*(one.rings for one in BOARD.provinces.values()), *CLOSED.values()]
    left, top, right, bottom = SHEET.box

    assert all(len(ring) == 1 for ring in rings)
    assert sum(_area(ring[0]) for ring in rings) == 2 * (right - left) * (bottom - top)
    assert [key for key, one in BOARD.provinces.items() if not _inside(one.stand, one.rings[0])] == []


def _area(ring: tuple[tuple[int, int], ...]) -> int:
    """Twice the area of a ring."""
    pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
    return abs(sum(x * b - a * y for (x, y), (a, b) in pairs))


def _inside(point: tuple[int, int], ring: tuple[tuple[int, int], ...]) -> bool:
    """Whether a point lies in a ring."""
    x, y = point
    crossed = 0
    for (a, b), (c, d) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            crossed += 1
    return crossed % 2 == 1
