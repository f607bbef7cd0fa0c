"""The printed charts, shaped as printed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.kernel.names import RuleId

COLUMNS = ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1")
"""The odds columns of the melee table, from left to right."""

_MELEE_AS_PRINTED = """
    1-4        1-3        1-2        1-1        2-1        3-1        4-1
1  S M|S *    +1H|-1M    +1L|-1H    +2L|+2H    +3L|-3M   +4 *|-4H   +4 *|X
2  -1H|+1M    S M|S M   +1 M|-1L   +2 M|-2M    +3M|-3M    +3L|-3M    +4L|X
3  -1M|+1L    S L|S L   +1 M|-1M    +1L|-1M    +2L|-2H   +3 *|-3H   +4 *|-4M
4  -2H|+2L    -1H|+1H    S L|S M   +1 M|-1L   +2 *|-2M    +2L|-2H   +3 *|-3H
5  -3M|+3 *   -1M|+1L    S H|S L    S M|S H    +1L|-1H   +2 *|-2H   +3 *|-3H
6    X|+3M    -2M|+2M    -2L|-1M    S M|S M    S M|S M    +1L|-1M    +3L|-3M
"""


def as_read(cell: str) -> str:
    """A cell without the blanks that the print has by chance: `+1 M` is `+1M`; `S M` and `+2 *` stay."""
    return re.sub(r"(?<=\d) (?=[LMH])", "", cell)


def _results(printed: str) -> dict[int, dict[str, tuple[str, str]]]:
    head, *rows = printed.strip("\n").splitlines()
    found = {}
    for row in rows:
        die, cells = row.split(maxsplit=1)
        pairs = [cell.split("|") for cell in re.split(r"\s{2,}", cells.strip())]
        found[int(die)] = {column: (as_read(a), as_read(d)) for column, (a, d) in zip(head.split(), pairs, strict=True)}
    return found


MELEE: Mapping[int, Mapping[str, tuple[str, str]]] = _results(_MELEE_AS_PRINTED)
"""What attacker and defender suffer, by die and column (SP-MEL-09)."""

CASUALTY_FACTORS: tuple[tuple[int, Mapping[str, int]], ...] = (
    (2, {"L": 1, "M": 1, "H": 2}),
    (5, {"L": 1, "M": 2, "H": 3}),
    (8, {"L": 1, "M": 2, "H": 4}),
    (11, {"L": 2, "M": 3, "H": 5}),
    (17, {"L": 2, "M": 5, "H": 8}),
    (20, {"L": 2, "M": 6, "H": 10}),
    (10**6, {"L": 3, "M": 7, "H": 12}),
)
"""Factors by the largest total value of a row, and light, medium or heavy losses (SP-CAS-04)."""

TABLE_RULES: Mapping[str, tuple[RuleId, ...]] = {
    "MELEE": (RuleId("SP-MEL-09"),),
    "CASUALTY_FACTORS": (RuleId("SP-CAS-04"),),
}
"""Which rule each chart plays."""
