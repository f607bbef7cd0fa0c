"""What troops and riders cover in a move of two minutes, and what they may pass; paces, fractions as pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

COLUMNS = (
    "even",
    "swamp",
    "wood_light",
    "wood_thick",
    "slope_5_10",
    "slope_10_15",
    "slope_15_35",
    "road_15_25",
    "road_25_35",
    "garden",
)
"""The grounds of the march table: even ground with slopes under 5 degrees, swamp, the woods, slopes without and with
a road, farmyards and fenced gardens (KS-MOV-01)."""

_MARCH_AS_PRINTED = """
march_inf     200   -  200    -  150  100    -  100   50    -
march_hcav    300   -  250    -  150  100    -  100   50    -
march_lcav    400   -  250    -  150  100    -  100   50    -
inf_action    250   -  250    -  150  100    -  150  100    -
inf_run       400   -  400    -  300  200    -  300  200  200
skirm_run     400   -  400    -  300  200    -  300  200  300
hcav_deploy   600   -  600    -  400  300    -  300    -    -
hcav_attack   800   -    -    -  600    -    -    -    -    -
hcav_pursuit  800   -  600    -  600  400   25  400   50    -
hcav_retreat  800   -  600    -  600  400   25  400   50    -
lcav_deploy   900   -  700    -  700  500    -  500    -    -
lcav_attack   900   -    -    -  700    -    -    -    -    -
lcav_pursuit  900   -  700    -  700  500   25  500   50    -
a12           250   -  200    -  150  100   25  150   50    -
a12_fast      400   -  250    -  200  150   50  150   50    -
a6            250   -  200    -  150  100   50  150  100    -
a6_fast       400   -  300    -  250  200   50  150  100    -
ropes         300   -    -    -  200  150    -    -    -    -
horse_fast    900   -  600    -  600  400   50  150  100    -
cav_patrol    600   -  600    -  500  400  200  550  250  100
inf_patrol    250 100  250    -  200  150  100  250  200  200
msg_first     900   -  800  200  800  600  400  700  150  400
msg_after     700   -  700  100  600  300  200  500  100  200
wagons        200   -  150    -  100   50    -  100   50    -
"""


def _march(printed: str) -> dict[str, dict[str, int | None]]:
    found = {}
    for line in printed.strip().splitlines():
        row, *cells = line.split()
        paces = [None if cell == "-" else int(cell) for cell in cells]
        found[row] = dict(zip(COLUMNS, paces, strict=True))
    return found


MARCH: Mapping[str, Mapping[str, int | None]] = _march(_MARCH_AS_PRINTED)
"""The most paces of a move, by row and `COLUMNS`; None: no progress, or none at that gait or in ranks (KS-MOV-01)."""

UPHILL_ONLY: tuple[str, str] = ("ropes", "slope_10_15")
"""The one cell that holds uphill and not down (KS-MOV-01)."""

RULER: Mapping[str, int] = {
    "a6_fast": 600,
    "ropes": 400,
    "horse_fast": 800,
    "msg_first": 800,
}
"""Where the printed ruler differs from the table on even ground (KS-MOV-07)."""

FIELD_COLUMNS: tuple[tuple[int, str], ...] = (
    (5, "even"),
    (10, "slope_5_10"),
    (15, "slope_10_15"),
    (35, "slope_15_35"),
)
"""Off the roads: slopes under so many degrees, and their column (KS-MOV-02)."""

ROAD_COLUMNS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (10, ("even",)),
    (15, ("slope_5_10", "road_15_25")),
    (25, ("road_15_25",)),
    (35, ("road_25_35",)),
)
"""On a road: slopes under so many degrees, and the columns of which the larger cell counts (KS-MOV-03)."""

STEEPEST_COLUMN = 35
"""Degrees from which the table has no column (KS-MOV-02)."""

BEYOND_STEEPEST = 50
"""What persons, patrols on foot and skirmishers do above that (KS-MOV-02)."""

RUN_LIMITS: Mapping[str, Pair] = {
    "inf_run": (2, 5),
    "skirm_run": (1, 3),
    "a12_fast": (1, 3),
    "a6_fast": (2, 6),
    "horse_fast": (2, 6),
}
"""Rows that may be used in so many of so many moves running (KS-MOV-05)."""

RUN_USED_UP: Mapping[str, str] = {
    "inf_run": "inf_action",
    "skirm_run": "inf_action",
    "a12_fast": "a12",
    "a6_fast": "a6",
    "horse_fast": "hcav_deploy",
}
"""The row that is walked when a fast one is used up (KS-MOV-05)."""

RATE_CLASS: Mapping[str, str] = {
    "line": "infantry",
    "jaeger": "infantry",
    "pioneer_company": "infantry",
    "cuirassier": "heavy_cavalry",
    "dragoon": "heavy_cavalry",
    "hussar": "light_cavalry",
    "uhlan": "light_cavalry",
    "mounted_jaeger": "light_cavalry",
    "horse_6": "horse_artillery",
    "foot_6": "foot_6",
    "howitzer_7": "foot_6",
    "foot_12": "foot_12",
    "munition_wagons": "train",
    "pontoon_train": "train",
    "supply": "train",
}
"""How a kind of unit is counted for its rates (KS-ORG-05, KS-MOV-07)."""


class Gait(NamedTuple):
    """The row that a word of an order stands for."""

    row: str
    most: int | None = None
    """A cap on every cell of the row."""


GAITS: Mapping[str, Mapping[str, Gait]] = {
    "infantry": {"march": Gait("march_inf"), "run": Gait("inf_run")},
    "heavy_cavalry": {
        "walk": Gait("march_hcav", 200),
        "march": Gait("march_hcav"),
        "trot": Gait("hcav_deploy"),
        "gallop": Gait("hcav_retreat"),
    },
    "light_cavalry": {
        "walk": Gait("march_lcav", 200),
        "march": Gait("march_lcav"),
        "trot": Gait("lcav_deploy", 600),
        "gallop": Gait("lcav_deploy"),
    },
    "horse_artillery": {"march": Gait("march_hcav"), "trot": Gait("hcav_deploy"), "fast": Gait("horse_fast")},
    "foot_12": {"march": Gait("march_inf"), "fast": Gait("a12_fast")},
    "foot_6": {"march": Gait("march_inf"), "fast": Gait("a6_fast")},
    "train": {"march": Gait("wagons")},
}
"""The rates that an order may name, by the class of the unit (KS-MOV-07, KS-ORD-03)."""

ACTIVITY_ROWS: Mapping[str, Mapping[str, str]] = {
    "march": {
        "infantry": "march_inf",
        "heavy_cavalry": "march_hcav",
        "light_cavalry": "march_lcav",
        "horse_artillery": "march_hcav",
        "foot_12": "march_inf",
        "foot_6": "march_inf",
        "train": "wagons",
    },
    "in_action": {
        "infantry": "inf_action",
        "heavy_cavalry": "hcav_deploy",
        "light_cavalry": "lcav_deploy",
        "horse_artillery": "hcav_deploy",
        "foot_12": "a12",
        "foot_6": "a6",
    },
    "closing": {
        "infantry": "inf_action",
        "horse_artillery": "hcav_deploy",
        "foot_12": "a12",
        "foot_6": "a6",
    },
    "charge": {"heavy_cavalry": "hcav_attack", "light_cavalry": "lcav_attack"},
    "pursuit": {"heavy_cavalry": "hcav_pursuit", "light_cavalry": "lcav_pursuit"},
    "retreat": {"heavy_cavalry": "hcav_retreat", "light_cavalry": "lcav_pursuit"},
}
"""The row of what a unit does without a rate in its order; closing: attack, retire, demonstrate, pursuit on foot,
occupying against an enemy seen (KS-MOV-22)."""

ROUTE_COLUMNS = (
    "section_column",
    "closed_sections",
    "interval_column",
    "cav_twos",
    "cav_threes",
    "battery_column_1",
    "battery_column_2",
)
"""Columns of the route, which march at the rates of the march also in sight of the enemy (KS-MOV-22)."""

IN_ACTION_SIGHT = 2000
"""A unit that itself sees an enemy formed body within this is in action (KS-MOV-22)."""

IN_ACTION_MOVES = 5
"""So is one that was under fire in the last so many moves (KS-MOV-22)."""

CLOSING_FROM = 600
"""From this distance an attack is made at the rate of troops in action (KS-MOV-22, KS-ATK-09)."""

GALLOP_PACES = 2000
"""The first stretch of a ride, at `msg_first`; beyond it `msg_after` (KS-MSG-03)."""

REFORMING: Mapping[str, tuple[int, str]] = {
    "infantry": (250, "inf_action"),
    "foot_artillery": (300, "a6"),
    "horse_artillery": (600, "hcav_deploy"),
    "heavy_cavalry": (600, "hcav_deploy"),
    "light_cavalry": (600, "hcav_deploy"),
}
"""Paces of a change of formation on even ground, and the row in whose proportion they shrink (KS-MOV-10)."""

REFORMING_GALLOP: Mapping[str, int] = {"horse_artillery": 800, "heavy_cavalry": 800, "light_cavalry": 900}
"""The same at the gallop (KS-MOV-10)."""

OUTRIDERS: Mapping[str, int] = {"infantry": 400, "heavy_cavalry": 800, "light_cavalry": 900}
"""Skirmishers at the run and mounted ones at the gallop, out and in (KS-MOV-11)."""

RECONNOITRING: Mapping[str, int] = {"infantry": 200, "cavalry": 400}
"""Patrols that look about them, never above the table (KS-MOV-12)."""

OPEN_COUNTRY: Pair = (300, 5)
"""Open: no area within so many paces of the way, and every slope under so many degrees (KS-MOV-12)."""

SEARCHED = 150
"""Paces to each side that a patrol searches in a wood or village (KS-SIT-06)."""

WIDTHS: Mapping[str, Mapping[str, int]] = {
    "main": {"infantry": 18, "cavalry": 12, "artillery": 8, "train": 4},
    "small": {"infantry": 12, "cavalry": 6, "artillery": 4, "train": 4},
}
"""The widest front that a passage takes (KS-MOV-08)."""

PASSAGES: Mapping[str, str | None] = {
    "highway": "main",
    "large_bridge": "main",
    "small_road": "small",
    "small_bridge": "small",
    "temporary_bridge": "small",
    "gateway": "small",
    "street": None,
    "defile": None,
    "sunken": "small",
    "ford": "small",
}
"""Which width a passage has; None: by the map (KS-MOV-08)."""

NARROWING_MOVES = 1
"""Moves in which a battalion, regiment or battery narrows its front (KS-MOV-08)."""

TEMPORARY_BRIDGE: Mapping[str, int] = {"infantry": 200, "cavalry": 200, "artillery": 150, "train": 150}
"""Paces of a move over a pontoon, hasty or repaired bridge (KS-MOV-09)."""

CAVALRY_STEEPEST_CHARGE = 10
"""Degrees above which cavalry cannot attack in ranks (KS-MOV-13)."""

GROUND: Mapping[str, Mapping[str, Pair]] = {
    "dry": {"troops": (1, 1), "wheels": (1, 1), "main_road": (1, 1)},
    "soft": {"troops": (9, 10), "wheels": (3, 4), "main_road": (1, 1)},
    "deep": {"troops": (7, 10), "wheels": (1, 2), "main_road": (9, 10)},
}
"""What the state of the ground leaves of every row but the persons' (KS-MOV-15)."""

NIGHT_MARCH: Pair = (3, 4)
"""What the night leaves of the rates (KS-NIG-01)."""

WOOD_EDGE = 50
"""The belt of a thick wood in which infantry stands and skirmishes (KS-MOV-16)."""

COLUMN_GAP = 25
"""Paces between two columns on one road (KS-MOV-17)."""

COLUMN_THICKNESS = 10
"""Of a column's outline along its way (KS-MOV-19)."""

ENTRY_HELD = 300
"""An enemy formed body within this closes an entry (KS-MOV-20)."""

ENTRY_WAIT = 10
"""Moves after which another entry may be taken (KS-MOV-20)."""

PATH_GRID = 50
"""Paces of the grid on which ways over open ground are found (KS-MOV-18)."""

PURSUIT: Mapping[str, tuple[int, ...]] = {
    "light_cavalry": (0, 500, 900, 900, 600),
    "heavy_cavalry": (0, 400, 800, 800, 600),
}
"""Paces of the moves after a won fight; the last stands for all that follow (KS-RET-01)."""

PURSUIT_FLANK_COLUMNS = 800
"""Columns of the line that did not fight, in the first move (KS-RET-01)."""

CAVALRY_RETREAT: Mapping[str, tuple[int, ...]] = {
    "light_cavalry": (900, 900, 600),
    "heavy_cavalry": (800, 800, 600),
}
"""Paces of beaten cavalry; the last stands for all that follow (KS-RET-02)."""

BROKEN = "inf_run"
"""The row of infantry that has broken its ranks, by which it gets through farmyards and gardens (KS-MOV-01)."""

INFANTRY_RETREAT = 250
"""Paces of beaten infantry (KS-RET-04)."""

INFANTRY_FLIGHT = 500
"""The same by choice, at the price of a state (KS-RET-04)."""

SKIRMISHERS_RETREAT: tuple[int, ...] = (400, 400, 250)
"""Beaten skirmishers; the last stands for all that follow (KS-MOV-06, KS-RET-04)."""

RETREAT_MOVES: Mapping[str, int] = {"R": 2, "D": 3, "T": 5}
"""How long the beaten go back if nobody orders more (KS-RET-05)."""

RETREAT_RESERVE: Pair = (800, 200)
"""A reserve within the first is made for; it is passed by the second (KS-RET-05)."""

TIRED: Mapping[str, Pair] = {"fighting": (4, 15), "beaten": (1, 20)}
"""Tired: so many moves of fighting, or of a state R, D or T, in the last so many (KS-MOV-21)."""

REST_MOVES = 10
"""Moves of rest that end it (KS-MOV-21)."""

TABLE_RULES = charts(
    {
        "MARCH": "KS-MOV-01",
        "UPHILL_ONLY": "KS-MOV-01",
        "RULER": "KS-MOV-07",
        "FIELD_COLUMNS": "KS-MOV-02",
        "ROAD_COLUMNS": "KS-MOV-03",
        "STEEPEST_COLUMN": "KS-MOV-02",
        "BEYOND_STEEPEST": "KS-MOV-02",
        "RUN_LIMITS": "KS-MOV-05",
        "RUN_USED_UP": "KS-MOV-05",
        "RATE_CLASS": "KS-ORG-05 KS-MOV-07",
        "GAITS": "KS-MOV-07 KS-ORD-03",
        "ACTIVITY_ROWS": "KS-MOV-22",
        "ROUTE_COLUMNS": "KS-MOV-22",
        "IN_ACTION_SIGHT": "KS-MOV-22",
        "IN_ACTION_MOVES": "KS-MOV-22",
        "CLOSING_FROM": "KS-MOV-22 KS-ATK-09",
        "GALLOP_PACES": "KS-MSG-03",
        "REFORMING": "KS-MOV-10",
        "REFORMING_GALLOP": "KS-MOV-10",
        "OUTRIDERS": "KS-MOV-11",
        "RECONNOITRING": "KS-MOV-12",
        "OPEN_COUNTRY": "KS-MOV-12",
        "SEARCHED": "KS-SIT-06",
        "WIDTHS": "KS-MOV-08",
        "PASSAGES": "KS-MOV-08",
        "NARROWING_MOVES": "KS-MOV-08",
        "TEMPORARY_BRIDGE": "KS-MOV-09",
        "CAVALRY_STEEPEST_CHARGE": "KS-MOV-13",
        "GROUND": "KS-MOV-15",
        "NIGHT_MARCH": "KS-NIG-01",
        "WOOD_EDGE": "KS-MOV-16",
        "COLUMN_GAP": "KS-MOV-17",
        "COLUMN_THICKNESS": "KS-MOV-19",
        "ENTRY_HELD": "KS-MOV-20",
        "ENTRY_WAIT": "KS-MOV-20",
        "PATH_GRID": "KS-MOV-18",
        "PURSUIT": "KS-RET-01",
        "PURSUIT_FLANK_COLUMNS": "KS-RET-01",
        "CAVALRY_RETREAT": "KS-RET-02",
        "BROKEN": "KS-MOV-01",
        "INFANTRY_RETREAT": "KS-RET-04",
        "INFANTRY_FLIGHT": "KS-RET-04",
        "SKIRMISHERS_RETREAT": "KS-MOV-06 KS-RET-04",
        "RETREAT_MOVES": "KS-RET-05",
        "RETREAT_RESERVE": "KS-RET-05",
        "TIRED": "KS-MOV-21",
        "REST_MOVES": "KS-MOV-21",
    }
)
"""Which rules each table plays."""
