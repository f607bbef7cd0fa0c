"""The adjudicator on positions that nobody thought of."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from pbem_diplomacy.board import province_of
from pbem_diplomacy.judge import Court, judge
from pbem_diplomacy.map import BOARD
from positions import positions


def test_what_is_settled_is_so_by_its_own_rule() -> None:
    """Every decision is what its rule makes of the others; but for convoys that Szykman's rule broke."""
    for units, deeds in positions(150):
        court = Court(BOARD, units, deeds, "own")
        court.settle()
        for one, truth in court.settled.items():
            again = {"move": Court.move, "support": Court.support, "convoy": Court.convoy}[one.kind](court, one.of)
            assert again is truth or one.of in court.paradox, (units, deeds, one)


def test_no_two_units_stand_in_one_province() -> None:
    for units, deeds in positions(150, seed=2):
        found = judge(BOARD, units, deeds)
        ends = [
            province_of(deeds[at].to) if deeds[at].kind == "move" and fate == "done" else at
            for at, fate in found.fates.items()
            if at not in found.dislodged
        ]
        assert len(ends) == len(set(ends)), (units, deeds)


def test_the_order_in_which_orders_come_means_nothing() -> None:
    random = Random(3)
    for units, deeds in positions(60, seed=3):
        names = list(units)
        random.shuffle(names)
        again = judge(BOARD, {at: units[at] for at in names}, {at: deeds[at] for at in reversed(names)})
        assert again == judge(BOARD, units, deeds)


@pytest.mark.parametrize("nearby", ["own", "own_or_land", "any", "said"])
def test_every_reading_comes_to_an_end(nearby: str) -> None:
    for units, deeds in positions(60, seed=4):
        reading = next(one for one in ("own", "own_or_land", "any", "said") if one == nearby)
        assert set(judge(BOARD, units, deeds, reading).fates) == set(units)  # type: ignore[arg-type]


def test_a_phase_is_judged_in_a_moment() -> None:
    """Far from what a letter takes; how fast it is, is measured beside others in soak."""
    many = list(positions(100, seed=5))
    before = process_time()
    for units, deeds in many:
        judge(BOARD, units, deeds)
    assert process_time() - before < 2
