"""The morale chart and what goes with it: dice, modifiers, distances, rallies; faces of the die and inches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.rules.ledger import charts

Result = Literal["pass", "S", "WD", "R"]

RESULTS: tuple[Result, ...] = ("pass", "S", "WD", "R")
"""What a check may come to, from the best to the worst (GC-MOR-02)."""

STATUS_OF: Mapping[Result, str] = {"S": "shaken", "WD": "withdrawn", "R": "routed"}
"""What a unit is that does not pass (GC-MOR-05, GC-MOR-06, GC-MOR-07)."""

MORALE_DIE: Mapping[str, Mapping[str, int]] = {
    "french": {"infantry": 8, "cavalry": 8, "artillery": 8, "mg": 8},
    "prussian": {"infantry": 10, "cavalry": 10, "artillery": 10},
    "bavarian": {"infantry": 8, "cavalry": 8, "artillery": 10},
    "austrian": {"infantry": 8, "cavalry": 8, "artillery": 10},
}
"""The morale die by nation and type (GC-MOR-01)."""

MORALE_DIE_OF: Mapping[str, int] = {"zouave": 10}
"""The die of the infantry that is not as its nation's line (GC-MOR-01)."""

Faces = tuple[int, ...]


class Bands(NamedTuple):
    """A cell of the morale chart: the totals for each result, together every face once."""

    passes: int
    """The lowest total that passes."""
    shaken: Faces
    withdraw: Faces
    rout: Faces


CHECKED_LEVELS = (1, 2, 3)
"""The morale levels that the chart has; at level 0 a unit passes unrolled (GC-LVL-01, GC-MOR-02)."""

_MORALE_AS_PRINTED = """
Advance             | -   -   -   -   | -   -   -   -   | 6+  5   4   3-1
Charge              | 4+  3,2 1   -   | 5+  4   3   2,1 | -   -   -   -
Stand To Charge     | 4+  3   2   1   | 6+  5   4,3 2,1 | 7+  6   5   4-1
Artillery/MG Losses | 4+  3   2   1   | 6+  5   4   3-1 | 7+  -   6   5-1
Rifle Losses        | 3+  2   1   -   | 5+  4   3   2,1 | 6+  5   4   3-1
Melee Lost          | 5+  -   4   3-1 | 6+  -   5   4-1 | 7+  -   6   5-1
Inf after cav melee | 6+  -   5   4-1 | 7+  -   6   5-1 | 8+  -   7   6-1
Flank/Rear Threat   | 4+  3   2   1   | 6+  5   4   3-1 | 7+  -   -   6-1
MTD Officer KIA     | 4+  3   2   1   | 6+  5   4   3-1 | 7+  -   -   6-1
FU Routs            | 4+  3   2   1   | 6+  5   4   3-1 | 7+  -   -   6-1
Rally from Shaken   | 3+  2   1   -   | 4+  3   2,1 -   | 5+  4   3-1 -
Rally from WD       | 4+  -   3   2,1 | 5+  -   4   3-1 | 6+  -   5   4-1
Rally from Rout     | 5+  -   -   4-1 | 6+  -   -   5-1 | 7+  -   -   6-1
"""


def _faces(cell: str) -> Faces:
    """The faces of a cell, the highest first; `-`: none."""
    if cell == "-":
        return ()
    first, to, last = cell.partition("-")
    return tuple(range(int(first), int(last) - 1, -1)) if to else tuple(map(int, cell.split(",")))


def _bands(cells: str) -> Bands | None:
    passes, *others = cells.split()
    if passes == "-":
        return None
    shaken, withdraw, rout = map(_faces, others)
    return Bands(int(passes.rstrip("+")), shaken, withdraw, rout)


def _chart(printed: str) -> dict[str, dict[int, Bands | None]]:
    rows = [row.split("|") for row in printed.strip().splitlines()]
    return {name.strip(): dict(zip(CHECKED_LEVELS, map(_bands, cells), strict=True)) for name, *cells in rows}


MORALE: Mapping[str, Mapping[int, Bands | None]] = _chart(_MORALE_AS_PRINTED)
"""The chart by row and morale level; None: no check, to advance is free and to charge is forbidden (GC-MOR-02)."""

CHARGE_L1: Mapping[str, Bands] = {"WD": Bands(4, (3, 2), (1,), ()), "R": Bands(4, (3, 2), (), (1,))}
"""The row `Charge` at level 1 by the option `charge_l1_one` (GC-MOR-02)."""

TRIGGERS = (
    "Advance",
    "Charge",
    "Stand To Charge",
    "Artillery/MG Losses",
    "Rifle Losses",
    "Melee Lost",
    "Inf after cav melee",
    "Flank/Rear Threat",
    "MTD Officer KIA",
    "FU Routs",
)
"""The rows in the order in which several checks of one unit are made (GC-MOR-03)."""

LOSSES_ROW: Mapping[str, str] = {
    "infantry": "Rifle Losses",
    "artillery": "Artillery/MG Losses",
    "mg": "Artillery/MG Losses",
}
"""The row of losses by fire, by the type of the firer (GC-MOR-03)."""

THREAT_WITHIN: Mapping[str, int] = {"Flank/Rear Threat": 6, "MTD Officer KIA": 6, "FU Routs": 6}
"""Inches within which the event is felt (GC-MOR-03)."""

MORALE_MODIFIERS: Mapping[str, int] = {"officer": 1, "hard_cover": 2, "elite": 2}
"""What is taken off the number needed, that is, added to the die (GC-MOR-04)."""

HARD_COVER_HELPS = (
    "Stand To Charge",
    "Artillery/MG Losses",
    "Rifle Losses",
    "Melee Lost",
    "Inf after cav melee",
    "Flank/Rear Threat",
)
"""The rows in which hard cover counts (GC-MOR-04)."""

COVER_WITHIN = 3
"""Inches to the cover that a shaken unit makes for (GC-MOR-05)."""

STATUS_DICE: Mapping[str, int] = {"shaken": -1}
"""Dice off firing and melee (GC-MOR-05)."""

STOPS_SHORT = 1
"""Inches from an enemy at which one that falls back or flees stops (GC-MOR-06)."""

ESCAPE_ARC = 45
"""Degrees either way within which one that flees may turn aside (GC-CHG-06)."""

RALLY_ROW: Mapping[str, str] = {
    "shaken": "Rally from Shaken",
    "withdrawn": "Rally from WD",
    "routed": "Rally from Rout",
}
"""The row of a rally by status (GC-RAL-01)."""

RALLIED_MAY: Mapping[str, str] = {"shaken": "act but not charge", "withdrawn": "half", "routed": "face"}
"""What a unit may still do on the card on which it has rallied (GC-RAL-01)."""

TABLE_RULES = charts(
    {
        "RESULTS": "GC-MOR-02",
        "STATUS_OF": "GC-MOR-05 GC-MOR-06 GC-MOR-07",
        "MORALE_DIE": "GC-MOR-01",
        "MORALE_DIE_OF": "GC-MOR-01",
        "CHECKED_LEVELS": "GC-LVL-01 GC-MOR-02",
        "MORALE": "GC-MOR-02",
        "CHARGE_L1": "GC-MOR-02",
        "TRIGGERS": "GC-MOR-03",
        "LOSSES_ROW": "GC-MOR-03",
        "THREAT_WITHIN": "GC-MOR-03",
        "MORALE_MODIFIERS": "GC-MOR-04",
        "HARD_COVER_HELPS": "GC-MOR-04",
        "COVER_WITHIN": "GC-MOR-05",
        "STATUS_DICE": "GC-MOR-05",
        "STOPS_SHORT": "GC-MOR-06",
        "ESCAPE_ARC": "GC-CHG-06",
        "RALLY_ROW": "GC-RAL-01",
        "RALLIED_MAY": "GC-RAL-01",
    }
)
"""Which rules each chart plays."""
