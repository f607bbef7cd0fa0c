"""Bodies of troops: their strength, the forms they take and the time it needs; paces, men and moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

# Bodies

MEN: Mapping[str, int] = {
    "battalion": 900,
    "half_battalion": 450,
    "company": 225,
    "zug": 75,
    "picket25": 25,
    "picket10": 10,
    "regiment": 600,
    "squadron": 150,
    "troop21": 21,
    "troop10": 10,
}
"""Men or riders of a body, its officer not counted; a company of riflemen has three zugs (KS-ORG-03, KS-ORG-05)."""

GUNS_OF: Mapping[str, int] = {"battery": 8, "half_battery": 4, "gun_pair": 2}
"""Guns of a body (KS-ORG-05)."""

FRONTS: Mapping[str, int] = {
    "battalion": 250,
    "half_battalion": 125,
    "half_battalion_depth": 75,
    "squadron": 100,
    "battery": 200,
    "regiment_gap": 25,
}
"""Paces of the blocks (KS-FRM-01)."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "infantry": ("line", "jaeger"),
    "cavalry": ("cuirassier", "dragoon", "hussar", "uhlan", "mounted_jaeger"),
    "artillery": ("foot_6", "horse_6", "foot_12", "howitzer_7"),
    "pioneers": ("pioneer_company",),
    "train": ("munition_wagons", "pontoon_train", "supply"),
}
"""The arms and their kinds (KS-ORG-05)."""

WAGON_BLOCKS: Mapping[str, int] = {"foot_12": 2, "foot_6": 1, "horse_6": 1, "howitzer_7": 1}
"""Blocks of munition wagons of a battery (KS-ORG-05)."""

# Forms


class Formation(NamedTuple):
    """A form that a body can take."""

    arm: str
    of: str
    """The body whose front and depth are given."""
    front: tuple[int, ...]
    """The fronts that it may have."""
    depth: tuple[int, ...]
    """Its depth; a second number holds after some moves of march."""
    wheels: bool = False
    """Wheels into line."""


FORMATIONS: Mapping[str, Formation] = {
    "line": Formation("infantry", "battalion", (250,), (10,)),
    "open_column": Formation("infantry", "battalion", (75, 37, 12), (250,), wheels=True),
    "interval_column": Formation("infantry", "battalion", (37, 18, 12), (250,), wheels=True),
    "section_column": Formation("infantry", "battalion", (12,), (125, 250)),
    "closed_sections": Formation("infantry", "battalion", (12,), (125,)),
    "zug_column": Formation("infantry", "battalion", (37,), (35, 75)),
    "attack_column": Formation("infantry", "battalion", (75,), (17,)),
    "square": Formation("infantry", "battalion", (75,), (25,)),
    "brigade_mass": Formation("infantry", "6 battalions", (150,), (120,)),
    "skirmish_order": Formation("infantry", "2 zugs", (125,), (150,)),
    "cav_line": Formation("cavalry", "regiment", (400,), (8,)),
    "cav_twos": Formation("cavalry", "regiment", (4,), (1200,)),
    "cav_threes": Formation("cavalry", "regiment", (6,), (800,)),
    "cav_open_column": Formation("cavalry", "regiment", (12, 25, 100), (400,), wheels=True),
    "cav_half_troops": Formation("cavalry", "regiment", (12,), (300,)),
    "cav_troops": Formation("cavalry", "regiment", (25,), (200,)),
    "cav_divisions": Formation("cavalry", "regiment", (300,), (110,)),
    "squadron_column": Formation("cavalry", "regiment", (100,), (200,)),
    "mounted_skirmish": Formation("cavalry", "squadron", (200,), (50,)),
    "battery_wide": Formation("artillery", "battery", (200,), (30,)),
    "battery_narrow": Formation("artillery", "battery", (100,), (30,)),
    "battery_open_column": Formation("artillery", "battery", (4, 8, 20), (200,), wheels=True),
    "battery_column_1": Formation("artillery", "battery", (4,), (300,)),
    "battery_column_2": Formation("artillery", "battery", (8,), (150,)),
    "battery_column_4": Formation("artillery", "battery", (25,), (75,)),
    "battery_line_limbered": Formation("artillery", "battery", (100, 200), (30,)),
    "wagons": Formation("train", "block", (4,), (50,)),
}
"""The forms (KS-FRM-02)."""

MARCHED_OUT = 5
"""Moves of march after which a column in sections has its full length (KS-FRM-02)."""

TWO_TOGETHER: Mapping[str, tuple[int, ...]] = {"zug_column": (70, 150), "battery_line_limbered": (60,)}
"""Depth of two battalions or batteries one behind the other (KS-FRM-02)."""

CAVALRY_GAPS: Mapping[str, tuple[int, int, int]] = {"cav_twos": (200, 200, 400), "cav_threes": (100, 100, 200)}
"""Paces between the four squadrons of a regiment on the route (KS-FRM-02)."""

BATTERY_INTERVALS: Mapping[str, Pair] = {"battery_wide": (18, 24), "battery_narrow": (7, 10)}
"""Paces between guns (KS-FRM-02)."""

BRIGADE_MASS: Mapping[str, int] = {"columns": 2, "front": 75, "row": 40}
"""Battalion columns side by side, the front of each, the depth of each row (KS-FRM-02)."""

CAVALRY_DIVISIONS: Mapping[str, int] = {"divisions": 2, "front": 100, "gap": 100}
"""The front of a regiment in two divisions (KS-FRM-02)."""

OPEN_ORDER_WAGONS = 50
"""Paces that each block of wagons adds to an open column of guns (KS-FRM-02)."""

SQUARE_RATE = 100
"""Paces of a move that a square can make (KS-FRM-02)."""

USUAL: Mapping[str, str] = {"route": "section_column", "manoeuvre": "zug_column", "attack": "attack_column"}
"""What infantry is for what (KS-FRM-03)."""

CHANGE_MOVES: Mapping[tuple[str, str], Pair] = {
    ("line", "attack_column"): (1, 1),
    ("attack_column", "line"): (1, 1),
    ("attack_column", "square"): (1, 2),
    ("march_column", "attack_column"): (1, 1),
    ("closed_column", "closed_column"): (1, 2),
}
"""Moves of a change of form (KS-FRM-05, KS-FRM-06)."""

LEAST_CHANGE: Pair = (1, 1)
"""Moves of any other change at least (KS-FRM-05)."""

UNLIMBERING: Mapping[str, Pair] = {"horse_6": (1, 2), "foot_6": (1, 2), "foot_12": (1, 1), "howitzer_7": (1, 1)}
"""Moves to limber or unlimber (KS-FRM-07)."""

# Skirmishers


class ThirdRank(NamedTuple):
    """What stays in close order when skirmish zugs are out."""

    half_battalions: int
    piece: str | None
    """The exchange piece that stands for one of them."""
    ranks: int
    men: int
    front: int


ZUGS_OUT: tuple[ThirdRank, ...] = (
    ThirdRank(2, None, 3, 900, 250),
    ThirdRank(2, None, 2, 825, 250),
    ThirdRank(2, None, 2, 750, 250),
    ThirdRank(2, None, 2, 675, 250),
    ThirdRank(2, None, 2, 600, 250),
    ThirdRank(2, "larger", 2, 525, 229),
    ThirdRank(2, "smaller", 2, 450, 208),
    ThirdRank(1, None, 2, 375, 125),
    ThirdRank(1, None, 2, 300, 125),
    ThirdRank(0, None, 2, 225, 0),
    ThirdRank(0, None, 2, 150, 0),
    ThirdRank(0, None, 2, 75, 0),
    ThirdRank(0, None, 2, 0, 0),
)
"""A battalion by the zugs that it has out, from 0 to 12 (KS-FRM-08)."""

TWO_PIECES: Mapping[int, int] = {5: 208, 6: 167}
"""By option: the front with 5 and 6 zugs out if two pieces are exchanged (KS-FRM-08)."""

MOST_ZUGS: Mapping[str, int] = {"battalion": 12, "half_battalion": 6, "company": 3}
"""Zugs in a body (KS-FRM-08)."""

THIRD_RANK: Mapping[str, int] = {"battalion": 4, "half_battalion": 2}
"""Zugs of the third rank: those out by default (KS-FRM-08)."""

ONE_HALF_OUT: tuple[int, int, int] = (6, 450, 125)
"""A whole half battalion as skirmishers: zugs, and the men and front of the half that stays (KS-FRM-08)."""

CHAIN_AHEAD = (100, 200, 300)
"""Paces that a chain may be ahead of its line (KS-FRM-09)."""

SUPPORTS_BEHIND = 150
"""Paces of the supports behind the chain (KS-FRM-09)."""

PAIRS_APART: Pair = (5, 10)
"""Paces between the pairs of a chain (KS-FRM-02)."""

SCREEN = 20
"""Riders of a squadron in a mounted screen (KS-FIR-08)."""

# Groups

GROUP_DISTANCES: Mapping[str, Pair] = {
    "between_columns": (200, 200),
    "infantry_lines": (150, 200),
    "cavalry_lines": (400, 800),
    "wagons_behind": (1000, 1500),
}
"""Paces between the parts of a deployed group, from and to (KS-FRM-10)."""

# Organization

CORPS: Mapping[str, Pair] = {
    "infantry_divisions": (4, 4),
    "cavalry_divisions": (1, 1),
    "artillery_brigades": (1, 1),
    "pioneer_companies": (2, 2),
}
"""What a corps has, from and to (KS-ORG-01)."""

INFANTRY_DIVISION: Mapping[str, Pair] = {
    "battalions": (9, 10),
    "cavalry_regiments": (1, 1),
    "foot_6": (1, 1),
    "supply_columns": (1, 1),
    "field_hospitals": (1, 1),
}
"""What an infantry division has: about 10,000 men (KS-ORG-01)."""

CAVALRY_DIVISION: Mapping[str, Pair] = {"cavalry_regiments": (6, 8), "horse_6": (1, 2), "supply_columns": (1, 1)}
"""What a cavalry division has (KS-ORG-01)."""

ARTILLERY_BRIGADE: Mapping[str, Pair] = {
    "foot_12": (3, 3),
    "foot_6": (1, 1),
    "horse_6": (1, 2),
    "howitzer_7": (1, 1),
    "park_columns": (6, 6),
    "technical_columns": (1, 1),
    "craft_columns": (1, 1),
    "pontoon_trains": (1, 1),
}
"""What an artillery brigade has (KS-ORG-01)."""

REGIMENT: Mapping[str, int] = {"musketeers": 2, "fusiliers": 1}
"""Battalions of a regiment (KS-ORG-02)."""

BATTALION: Mapping[str, int] = {"companies": 4, "zugs": 8, "groups": 12, "ranks": 3}
"""The parts of a battalion (KS-ORG-03, KS-FRM-08)."""

SECTION_FILES: Pair = (4, 6)
"""Files of a section (KS-ORG-03)."""

COLUMN_FRONTS = (75, 37, 18, 12)
"""Narrowing by halves: company, zug, half zug; then sections (KS-ORG-04)."""

TABLE_RULES = charts(
    {
        "MEN": "KS-ORG-03 KS-ORG-05",
        "GUNS_OF": "KS-ORG-05",
        "FRONTS": "KS-FRM-01",
        "KINDS": "KS-ORG-05",
        "WAGON_BLOCKS": "KS-ORG-05",
        "FORMATIONS": "KS-FRM-02 KS-ORD-06",
        "MARCHED_OUT": "KS-FRM-02",
        "TWO_TOGETHER": "KS-FRM-02",
        "CAVALRY_GAPS": "KS-FRM-02",
        "BATTERY_INTERVALS": "KS-FRM-02",
        "BRIGADE_MASS": "KS-FRM-02",
        "CAVALRY_DIVISIONS": "KS-FRM-02",
        "OPEN_ORDER_WAGONS": "KS-FRM-02",
        "SQUARE_RATE": "KS-FRM-02",
        "USUAL": "KS-FRM-03",
        "CHANGE_MOVES": "KS-FRM-05 KS-FRM-06",
        "LEAST_CHANGE": "KS-FRM-05",
        "UNLIMBERING": "KS-FRM-07",
        "ZUGS_OUT": "KS-FRM-08",
        "TWO_PIECES": "KS-FRM-08",
        "MOST_ZUGS": "KS-FRM-08",
        "THIRD_RANK": "KS-FRM-08",
        "ONE_HALF_OUT": "KS-FRM-08",
        "CHAIN_AHEAD": "KS-FRM-09",
        "SUPPORTS_BEHIND": "KS-FRM-09",
        "PAIRS_APART": "KS-FRM-02",
        "SCREEN": "KS-FIR-08",
        "GROUP_DISTANCES": "KS-FRM-10",
        "CORPS": "KS-ORG-01",
        "INFANTRY_DIVISION": "KS-ORG-01",
        "CAVALRY_DIVISION": "KS-ORG-01",
        "ARTILLERY_BRIGADE": "KS-ORG-01",
        "REGIMENT": "KS-ORG-02",
        "BATTALION": "KS-ORG-03 KS-FRM-08",
        "SECTION_FILES": "KS-ORG-03",
        "COLUMN_FRONTS": "KS-ORG-04",
    }
)
"""Which rules each table plays."""
