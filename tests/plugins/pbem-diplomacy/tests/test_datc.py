"""All test cases of the document, played by letters as players write them."""

from __future__ import annotations

import pytest
from datc_cases import Case, amiss, cases, of_the_document, of_the_file


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.called)
def test_the_document(case: Case) -> None:
    assert list(amiss(case)) == []


def test_every_number_of_the_document_is_played() -> None:
    numbers = {
        "A": 12, "B": 15, "C": 9, "D": 34, "E": 15, "F": 25, "G": 20, "H": 16, "I": 7, "J": 11
    }  # fmt: skip
    wanted = {f"6.{letter}.{one}" for letter, count in numbers.items() for one in range(1, count + 1)}

    assert {case.number for case in cases()} == wanted


def test_the_file_is_whole_and_what_stands_instead_of_it_is_named() -> None:
    names = {case.name for case in of_the_file()}

    assert len(of_the_file()) == 171
    assert all(case.instead in {"", *names} and case.why for case in of_the_document())
