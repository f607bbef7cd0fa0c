"""The five dice, face by face: circle, letter and losses in the middle, fire numbers at either side, flames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.rules.ledger import charts

Circle = Literal["black", "white", "blank"]
Letter = Literal["R", "D", "T"]
Numbers = tuple[int, int, int, int]


class Face(NamedTuple):
    """One side of a die."""

    circle: Circle
    letter: Letter | None
    """Repulsed, defeated, totally defeated; None on a blank."""
    losses: tuple[int, int]
    """Points for each beaten half battalion, and for each beaten squadron."""
    left: Numbers | None
    """Fire numbers at the four ranges, the nearest first; None: the die has none."""
    right: Numbers | None
    flame: bool = False


ODDS: Mapping[str, tuple[int, int]] = {"I": (1, 1), "II": (3, 2), "III": (2, 1), "IV": (3, 1), "V": (4, 1)}
"""The chances of each die, black to white (KS-DIE-01)."""

DIE_BY_INDEX = ("I", "II", "III", "IV", "V")
"""The die of each step of advantage, from even (KS-ODD-02)."""

DICE: Mapping[str, tuple[Face, ...]] = {
    "I": (
        Face("black", "D", (25, 10), (30, 20, 10, 4), (25, 15, 8, 2)),
        Face("black", "T", (30, 12), (30, 20, 10, 4), (25, 15, 8, 5)),
        Face("black", "R", (15, 6), (15, 10, 4, 2), (10, 6, 2, 1)),
        Face("white", "D", (25, 10), (40, 25, 12, 6), (30, 17, 8, 4)),
        Face("white", "T", (30, 12), (60, 50, 25, 12), (50, 34, 16, 8), flame=True),
        Face("white", "R", (15, 6), (10, 6, 3, 3), (7, 4, 2, 2)),
    ),
    "II": (
        Face("blank", None, (0, 0), (20, 10, 5, 3), (25, 5, 3, 1)),
        Face("white", "R", (15, 8), (20, 10, 5, 3), (25, 5, 3, 1)),
        Face("black", "R", (15, 8), (40, 25, 15, 8), (30, 20, 10, 6)),
        Face("black", "D", (25, 10), (40, 25, 15, 8), (30, 20, 10, 6), flame=True),
        Face("black", "T", (30, 12), (60, 40, 25, 12), (50, 30, 20, 10), flame=True),
        Face("white", "R", (15, 8), (20, 10, 5, 3), (25, 5, 3, 1)),
    ),
    "III": (
        Face("white", "R", (15, 8), (40, 25, 10, 7), (30, 20, 12, 10)),
        Face("white", "R", (15, 8), (40, 25, 10, 7), (30, 20, 12, 10), flame=True),
        Face("black", "T", (30, 12), (20, 10, 6, 5), (15, 12, 8, 6)),
        Face("black", "D", (25, 10), (30, 20, 8, 6), (20, 15, 9, 7), flame=True),
        Face("black", "R", (15, 8), (20, 15, 6, 5), (15, 12, 8, 6)),
        Face("black", "D", (25, 10), (60, 40, 18, 10), (50, 30, 16, 12), flame=True),
    ),
    "IV": (
        Face("black", "D", (25, 10), None, None),
        Face("black", "R", (15, 8), None, None),
        Face("black", "T", (30, 12), None, None),
        Face("blank", None, (0, 0), None, None),
        Face("blank", None, (0, 0), None, None),
        Face("white", "R", (15, 8), None, None),
    ),
    "V": (
        Face("black", "D", (25, 10), (25, 16, 6, 3), (20, 12, 8, 3)),
        Face("black", "D", (25, 10), (25, 16, 6, 3), (20, 12, 8, 3)),
        Face("black", "T", (30, 12), (30, 20, 8, 4), (25, 15, 10, 5)),
        Face("black", "R", (15, 8), (20, 15, 5, 2), (15, 8, 7, 4)),
        Face("white", "R", (15, 8), (12, 8, 4, 1), (8, 6, 5, 2)),
        Face("blank", None, (0, 0), (12, 8, 4, 1), (8, 6, 5, 2)),
    ),
}
"""The dice; a blank is thrown again in a decision (KS-DIE-02 to KS-DIE-06)."""

DIE4_D_PRINTED = 15
"""What the print has on Die IV for a defeated half battalion, where every other die has 25 (KS-DIE-07)."""

SIDES: Mapping[str, Mapping[str, str]] = {
    "I": {"left": "half battalion in close order", "right": "2 skirmish zugs without cover"},
    "II": {
        "left": "2 skirmish zugs of jager with cover",
        "right": "2 skirmish zugs of line infantry with cover",
    },
    "III": {"left": "6lb battery, good effect", "right": "8 howitzers, good effect"},
    "V": {"left": "6lb battery, bad effect", "right": "8 howitzers, bad effect"},
}
"""What fires by each side of a die (KS-DIE-02 to KS-DIE-06)."""

LETTERS: Mapping[str, str] = {"R": "repulsed", "D": "defeated", "T": "totally defeated"}
"""What the letters say of the beaten, from the least to the worst (KS-DIE-01)."""

TABLE_RULES = charts(
    {
        "ODDS": "KS-DIE-01",
        "DIE_BY_INDEX": "KS-ODD-02",
        "DICE": "KS-DIE-02 KS-DIE-03 KS-DIE-04 KS-DIE-05 KS-DIE-06 KS-DIE-07",
        "DIE4_D_PRINTED": "KS-DIE-07",
        "SIDES": "KS-DIE-02 KS-DIE-03 KS-DIE-04 KS-DIE-06",
        "LETTERS": "KS-DIE-01",
    }
)
"""Which rules each table plays."""
