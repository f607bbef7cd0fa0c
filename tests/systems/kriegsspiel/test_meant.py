"""What is said of lines that real players mistyped: the true fault, or nothing."""

from __future__ import annotations

import pytest

from pbem.systems.kriegsspiel.sheets.examples import own_forms
from tests.systems.kriegsspiel.minds import mind_of, opening, reading

RIED = mind_of("ried", "weldau")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("to U12/1: now march to 4640,4250 trot", "to U12/1: now march to 4640,4250 at trot"),
        ("letter Marten hallo", "letter Marten: hallo"),
        ("to U12/1: mrach to Weldau", "to U12/1: march to Weldau"),
        ("to U12/1: hold untill 09:30", "to U12/1: hold until 09:30"),
        ("to U12/1: march Weldau by muehlstrasse", "to U12/1: march to Weldau by muehlstrasse"),
    ],
)
def test_what_was_meant_is_offered_as_a_whole_line_that_is_an_order(typed: str, meant: str) -> None:
    (complaint,) = reading(typed, RIED, "weldau", ("orders",)).complaints

    assert complaint.instead == meant
    assert not reading(meant, RIED, "weldau", ("orders",)).complaints


@pytest.mark.parametrize("typed", ["at once march to Weldau", "ok so", "was ist mit U12/1 passiert"])
def test_a_word_that_is_no_slip_is_not_taken_for_one(typed: str) -> None:
    (complaint,) = reading(typed, RIED, "weldau", ("orders",)).complaints

    assert complaint.why.endswith("is not understood")
    assert complaint.instead in ("", *own_forms(opening("weldau")[0], RIED, RIED.role).values())


def test_a_letter_without_its_colon_costs_no_order_below_it() -> None:
    found = reading("letter Marten hallo\nto U12/1: march to Weldau", RIED, "weldau", ("orders",))

    assert [one.line for one in found.complaints] == [1]
    assert [one.line for one in found.items] == [2]
