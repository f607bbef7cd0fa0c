"""The printed charts, shaped as printed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.rules.ledger import charts

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

RIFLE_RANGES = (1, 2, 3)
RIFLES: Mapping[str, tuple[int, ...]] = {
    #            1  2  3
    "french":   (4, 3, 2),
    "prussian": (3, 2, 0),
}  # fmt: skip
"""The highest modified die that hits, by side and `RIFLE_RANGES`; 0: out of range (SP-RIF-02)."""

GUN_FIRES = (
    ("prussian", "shot"),
    ("prussian", "shell"),
    ("prussian", "siege"),
    ("french", "shot"),
    ("french", "shell"),
    ("french", "mg"),
)
"""The columns of the artillery chart: side and ammunition."""
ARTILLERY: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((1,),      (4, 0, 0, 3, 0, 5)),
    ((2,),      (3, 0, 0, 2, 4, 4)),
    ((3,),      (2, 4, 0, 0, 3, 3)),
    ((4,),      (0, 3, 5, 0, 2, 0)),
    ((5,),      (0, 2, 4, 0, 0, 0)),
    ((6, 7, 8), (0, 0, 3, 0, 0, 0)),
)  # fmt: skip
"""The highest modified die that hits, by ranges and the columns `GUN_FIRES`; 0: no fire (SP-ART-01)."""

DEVIATION: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...] = (
    #     left   middle     right
    (1,  ((2,), (5,),       (12,))),
    (0,  ((3,), (6, 7, 8),  (11,))),
    (-1, ((4,), (9,),       (10,))),
)  # fmt: skip
"""Where a shell falls by the sum of two dice; the rows are squares beyond the aim (SP-ART-04)."""

COVER: Mapping[str, int] = {"woods": 1, "town": 1, "building": 2, "wall": 2}
"""Added to the die against a target there (SP-RIF-03); the emplacement's is the option `fortified_fire_modifier`."""

STRUCTURES: Mapping[str, int] = {"wall": 5, "small": 10, "large": 15, "bridge": 12}
"""Points that destroy a wall section, a building by its size, a bridge (SP-DMG-01)."""

EQUIPMENT: Mapping[str, int] = {"limber": 3, "field_gun": 6, "siege_gun": 12, "mitrailleuse": 10}
"""Points that destroy a piece of equipment (SP-DMG-01)."""

GROUNDS = ("open", "hill", "woods")
"""The columns of the movement chart: the ground where a unit starts."""
MOVEMENT: Mapping[str, tuple[int | None, int | None, int | None, int]] = {
    #            open  hill  woods road bonus
    "column":    (3,   2,    2,    2),
    "line":      (2,   1,    1,    0),
    "cavalry":   (5,   3,    1,    0),
    "limbered":  (4,   None, None, 2),
    "prolonged": (1,   1,    1,    0),
    "general":   (5,   5,    5,    0),
}  # fmt: skip
"""Squares a turn by arm and `GROUNDS`, None: only the step out; then the steps that a road saves (SP-MOV-01)."""

ZONE_FILES: Mapping[int, str] = {1: "A-F", 2: "A-F", 3: "G-L", 4: "G-L", 5: "M-R", 6: "M-R"}
ZONE_ROWS: Mapping[int, int] = {1: 18, 2: 17, 3: 16, 4: 15, 5: 14, 6: 13}
"""Where the siege gun may stand, by the first die and by the second (SP-SET-03)."""

TABLE_RULES = charts(
    {
        "MOVEMENT": "SP-MOV-01 SP-MOV-07",
        "MELEE": "SP-MEL-09",
        "CASUALTY_FACTORS": "SP-CAS-04",
        "RIFLES": "SP-RIF-02",
        "ARTILLERY": "SP-ART-01 SP-SGE-05",
        "DEVIATION": "SP-ART-04",
        "COVER": "SP-RIF-03",
        "STRUCTURES": "SP-DMG-01",
        "EQUIPMENT": "SP-DMG-01",
        "ZONE_FILES": "SP-SET-03",
        "ZONE_ROWS": "SP-SET-03",
    }
)
"""Which rule each chart plays."""
