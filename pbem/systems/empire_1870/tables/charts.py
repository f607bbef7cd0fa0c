"""The charts of the game, shaped as printed; whole numbers only, fractions as numerator and denominator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

# Combat

RATIOS = ("1:6", "1:5", "1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
"""The rows of the combat ratio matrix, attacker to defender; the first is `or less`, the last `or more` (WE-CBT-04)."""

CRM_COLUMNS = ("clear", "forest", "rough", "town", "fortress", "mountain")
"""The columns of the combat ratio matrix: the ground of the defending hex (WE-CBT-05)."""

_CRM_AS_PRINTED = """
1:6  -6/+6  -7/+6  -7/+6  -6/+7  -7/+7  -8/+7
1:5  -5/+5  -6/+5  -6/+5  -5/+6  -6/+6  -7/+6
1:4  -4/+4  -5/+4  -5/+4  -4/+5  -5/+5  -6/+5
1:3  -3/+3  -4/+3  -4/+3  -3/+4  -4/+4  -5/+4
1:2  -2/+2  -3/+2  -3/+2  -2/+3  -3/+3  -4/+3
1:1   0/0   -1/0   -1/0    0/+1  -1/+1  -2/+1
2:1  +2/-2  +1/-2  +1/-2  +2/-1  +1/-1   0/-1
3:1  +3/-3  +2/-3  +2/-3  +3/-2  +2/-2  +1/-2
4:1  +4/-4  +3/-4  +3/-4  +4/-3  +3/-3  +2/-3
5:1  +5/-5  +4/-5  +4/-5  +5/-4  +4/-4  +3/-4
6:1  +6/-6  +5/-6  +5/-6  +6/-5  +5/-5  +4/-5
"""


def _matrix(printed: str) -> dict[str, dict[str, Pair]]:
    found = {}
    for row in printed.split("\n")[1:-1]:
        ratio, *cells = row.split()
        pairs = [cell.split("/") for cell in cells]
        found[ratio] = {column: (int(a), int(d)) for column, (a, d) in zip(CRM_COLUMNS, pairs, strict=True)}
    return found


CRM: Mapping[str, Mapping[str, Pair]] = _matrix(_CRM_AS_PRINTED)
"""Modifiers of attacker and defender, by `RATIOS` and `CRM_COLUMNS` (WE-CBT-05)."""

CRM_ORDER = ("fortress", "mountain", "town", "forest", "rough", "clear")
"""Which feature of a hex names its column, the first that it has; a fortress only for its owner (WE-CBT-05)."""

LARGEST_RATIO = 6
"""A ratio above this counts as this (WE-CBT-04)."""

INHERENT_LIMIT: Mapping[str, int] = {"french": 4, "german": 3}
"""SP that an inherent division HQ can lead (WE-HQ-02)."""


class Ratings(NamedTuple):
    """What an HQ adds to an attack and to a defence, and how many MP it has."""

    ab: int
    db: int
    ma: int


INHERENT: Mapping[str, Ratings] = {"french": Ratings(0, 1, 3), "german": Ratings(0, 0, 4)}
"""The ratings of an inherent division HQ (WE-HQ-02)."""

COMMAND_LIMITS: Mapping[str, Mapping[str, int]] = {
    #          division      corps        army
    "french": {"division": 4, "corps": 12, "army": 16},
    "german": {"division": 4, "corps": 8, "army": 12},
}
"""SP that an HQ piece can activate in a turn, by side and rank (WE-HQ-03)."""

RANKS = ("army", "corps", "division")
"""Ranks of HQs, from the highest (WE-HQ-01)."""

COUNTED: Mapping[str, int | None] = {"army": 1, "corps": 1, "division": None}
"""How many HQ pieces of a rank count in a combat; None: all of them (WE-HQ-01)."""

ARTILLERY_COST: Mapping[str, Pair] = {"french": (1, 1), "german": (1, 2)}
"""RP for each SP of one's own total, numerator and denominator, rounded up (WE-CBT-07)."""

LOSER_SHARE: Pair = (1, 2)
"""The share of the spread that the loser first takes as SP eliminated, rounded down (WE-CBT-10)."""

FEWEST_ELIMINATED = 1
"""SP that a loser has eliminated at a spread of 0 or 1 (WE-CBT-10)."""

WINNER_SHARE: Pair = (1, 2)
"""The share of the spread that the winner takes as LP, rounded down (WE-CBT-11)."""

SMALLEST_TOTAL = 1
"""What a side with any SP at all counts in a combat at least (WE-CBT-03)."""

ATTACK_HEXES: Mapping[str, int] = {"french": 2, "german": 3}
"""Hexes that a planned attack may come from (WE-PLA-01)."""

MARCH_ATTACK: Pair = (1, 2)
"""Of the attacker's SP in a march combat count so many, rounded down (WE-MCB-01)."""

WITHOUT_LOC: Pair = (1, 2)
"""Of the SP without a line of communication count so many (WE-CBT-03)."""

ON_THE_TRAIN: Pair = (1, 2)
"""Of the defending SP on a train count so many (WE-RAI-03)."""

CAVALRY_STAYS_TO = 4
"""The highest die at which cavalry must fight, if the attacker has cavalry too (WE-CBT-02)."""

CAVALRY_SP = 4
"""SP stacked with a cavalry HQ that are its cavalry (WE-UNI-03)."""

HQ_CASUALTIES: Mapping[int, str] = {1: "flipped", 2: "unchanged", 3: "none", 4: "none", 5: "none", 6: "none"}
"""What becomes of an HQ after doubles, by the die: a casualty on the other face, on the same, or none (WE-HQC-01)."""

D3: Mapping[int, int] = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
"""What a six-sided die shows as 1d3 (WE-UNI-02)."""

RETREAT_HEXES: Pair = (1, 2)
"""Fewest and most hexes of a retreat (WE-RET-01, WE-CBT-02)."""

# Opportunity Chassepot Fire

CFT_COLUMNS: tuple[int | None, ...] = (2, 5, 9, 14, 20, None)
"""The most firing SP of each column of the Chassepot Fire Table; None: all above (WE-OCF-02)."""

_CFT_AS_PRINTED = """
11-13  0 0 0 0 0 1
14-16  0 0 0 0 1 1
21-26  0 0 0 1 1 1
31-36  0 0 1 1 1 2
41-46  0 1 1 1 2 2
51-56  1 1 1 2 2 3
61-63  1 1 2 2 3 3
64-66  1 2 2 3 3 4
"""


def _fire(printed: str) -> tuple[tuple[Pair, tuple[int, ...]], ...]:
    rows = [row.split() for row in printed.strip().splitlines()]
    return tuple(((int(roll[:2]), int(roll[3:])), tuple(map(int, cells))) for roll, *cells in rows)


CFT: tuple[tuple[Pair, tuple[int, ...]], ...] = _fire(_CFT_AS_PRINTED)
"""LP by rolls, lowest and highest of the row, and the columns `CFT_COLUMNS` (WE-OCF-02)."""

CFT_HQ_CHECK: Pair = (64, 66)
"""Rolls after which each HQ in the force fired at is checked (WE-OCF-02)."""

CFT_JAM: Pair = (11, 13)
"""Rolls that jam the mitrailleuses (WE-OPT-03)."""

CFT_AGAIN = (22, 33, 44, 55, 66)
"""Rolls that give the mitrailleuses another (WE-OPT-03)."""

CFT_SHIFTS: Mapping[str, int] = {"clear": 1, "french_fortress": 1, "mountain": -1, "german_fortress": -1}
"""Columns to the right; two of one sign do not add up, two of opposite sign cancel (WE-OCF-02)."""

# Movement


class Terrain(NamedTuple):
    """A row of the terrain effects chart."""

    mp: int | None
    """MP to enter; None: closed."""
    column: str
    """The column of the combat ratio matrix; empty: none."""
    artillery: Pair
    """The factor of artillery costs."""


TERRAIN: Mapping[str, Terrain] = {
    "clear":    Terrain(1, "clear", (1, 1)),
    "forest":   Terrain(2, "forest", (3, 2)),
    "rough":    Terrain(2, "rough", (1, 1)),
    "mountain": Terrain(3, "mountain", (2, 1)),
    "neutral":  Terrain(None, "", (1, 1)),
}  # fmt: skip
"""The terrain effects chart; towns and fortresses cost the MP of what lies beneath them (WE-MOV-02)."""

EXTRA_MP: Mapping[str, int] = {
    "river": 1,
    "into_friends": 1,
    "out_of_friends": 1,
    "cautious_into_ezoc": 1,
    "civilian_resistance": 1,
    "pick_up": 1,
}
"""MP beside the terrain's (WE-MOV-02, WE-MOV-03, WE-MOV-04, WE-OPT-01)."""

SORTIE_MP = 1
"""MP of a sortie (WE-SIE-06)."""

EXIT_MP = 1
"""MP to leave by a south-east exit hex (WE-VIC-05)."""

EXIT_SP = 8
"""SP that a corps must have with it to leave (WE-VIC-05)."""

EXIT_CORPS = 2
"""Corps that must have left for the French victory (WE-VIC-04)."""

RAIL_MP: Mapping[str, int] = {"entrain": 1, "ride": 1, "detrain": 1}
"""MP on the railway (WE-RAI-01)."""

RAIL_SP: Mapping[str, int | None] = {"french": 3, "german": None}
"""SP that may use the railway in a turn; None: no limit (WE-RAI-02)."""

RAIL_RP: Mapping[str, int] = {"french": 1, "german": 0}
"""RP for each SP that entrains (WE-RAI-02)."""

RAIL_COUNTRY: Mapping[str, str | None] = {"french": None, "german": "DE"}
"""The country that a ride may not leave; None: any (WE-RAI-02)."""

FORCED_MARCH: Pair = (1, 3)
"""Fewest and most extra MP of a forced march (WE-FRC-01)."""

FORCED_MARCH_HOLDS = 7
"""The highest sum of two dice and the extra MP at which a forced march leaves the force in order (WE-FRC-01)."""

ZOC_SP = 3
"""Good SP in a hex that project a zone of control, and that lift the enemy's for supply (WE-ZOC-01, WE-LOC-02)."""

LOC_HEXES = 2
"""The longest path to a source, a depot or a railway (WE-LOC-02)."""

# Resource points

RP_COLLECTED: Mapping[str, int] = {"french": 10, "german": 14}
"""RP of each turn (WE-RP-01)."""

MOST_RP = 99
"""The most RP that a side can hold (WE-RP-01)."""


class Mobilization(NamedTuple):
    """What a side pays to mobilize, and where."""

    sp_rp: int
    hq_rp: int
    sp_per_hex: int
    hq_per_hex: int
    distance: int
    """Fewest hexes from the nearest enemy SP that are not demoralized."""
    towns: bool
    """Whether towns will do as well as fortresses."""


MOBILIZATION: Mapping[str, Mobilization] = {
    "french": Mobilization(2, 5, 1, 1, 3, towns=False),
    "german": Mobilization(1, 5, 2, 1, 2, towns=True),
}
"""Mobilization by side (WE-ADM-01, WE-ADM-02)."""

RALLY_RP = 1
"""RP for each force that rallies (WE-RAL-01)."""

RECOVERY_RP = 1
"""RP for each force that recovers (WE-REC-01)."""

# Sieges

SIEGE_DRMS: Mapping[int, int] = {2: 0, 3: 1, 4: 2, 5: 3}
"""Die modifier of a siege assault by the ratio to 1; above the last counts as the last (WE-SIE-03)."""

SIEGE_ARMY_HQ = 1
"""Added to the die if a German army HQ is in the hex (WE-SIE-03)."""

SIEGE_LOC_RATIO = 1
"""The ratio to 1 from which the hex counts as friendly for supply (WE-SIE-05)."""

# Victory

VP_START = 11
"""Where the marker starts in the historic set-up (WE-VIC-01)."""

VP_ENDS: Mapping[str, int] = {"german": 0, "french": 20}
"""Where the marker ends the game, and for whom (WE-VIC-04, WE-VIC-06)."""

VP: Mapping[str, int] = {
    "german_town_taken": 1,
    "german_town_retaken": -1,
    "german_fortress_destroyed": 2,
    "french_town_taken": -1,
    "french_town_retaken": 1,
    "major_battle_french": 1,
    "major_battle_german": -1,
}
"""What moves the marker, and how far (WE-VIC-01)."""

VP_FRENCH_FORTRESS: Mapping[int, int] = {1: 0, 2: 0, 3: -1, 4: -1, 5: -2, 6: -2}
"""How far the fall of a French fortress moves the marker, by its SR (WE-VIC-01)."""

CASUALTIES_PER_VP: Mapping[str, int] = {"french": 3, "german": 2}
"""SP of a side eliminated in one battle that are worth 1 VP to the other (WE-VIC-01)."""

MAJOR_BATTLE_SP = 16
"""SP of both sides together that make a major battle (WE-VIC-02)."""

_CHARTS_OF = {
    "WE-CBT-04": "LARGEST_RATIO",
    "WE-CBT-05": "CRM CRM_ORDER",
    "WE-HQ-02": "INHERENT INHERENT_LIMIT",
    "WE-HQ-03": "COMMAND_LIMITS",
    "WE-HQ-01": "COUNTED",
    "WE-CBT-07": "ARTILLERY_COST",
    "WE-CBT-10": "LOSER_SHARE FEWEST_ELIMINATED",
    "WE-CBT-11": "WINNER_SHARE",
    "WE-CBT-03": "SMALLEST_TOTAL",
    "WE-PLA-01": "ATTACK_HEXES",
    "WE-MCB-01": "MARCH_ATTACK",
    "WE-CBT-03 WE-LOC-04": "WITHOUT_LOC",
    "WE-RAI-03": "ON_THE_TRAIN",
    "WE-CBT-02": "CAVALRY_STAYS_TO",
    "WE-UNI-03": "CAVALRY_SP",
    "WE-HQC-01": "HQ_CASUALTIES",
    "WE-UNI-02": "D3",
    "WE-RET-01": "RETREAT_HEXES",
    "WE-OCF-02": "CFT_COLUMNS CFT CFT_HQ_CHECK CFT_SHIFTS",
    "WE-OPT-03": "CFT_JAM CFT_AGAIN",
    "WE-MOV-02": "TERRAIN",
    "WE-MOV-02 WE-MOV-03 WE-MOV-04 WE-OPT-01": "EXTRA_MP",
    "WE-SIE-06": "SORTIE_MP",
    "WE-VIC-05": "EXIT_MP EXIT_SP",
    "WE-VIC-04": "EXIT_CORPS",
    "WE-RAI-01": "RAIL_MP",
    "WE-RAI-02": "RAIL_SP RAIL_RP RAIL_COUNTRY",
    "WE-FRC-01": "FORCED_MARCH FORCED_MARCH_HOLDS",
    "WE-ZOC-01 WE-LOC-02": "ZOC_SP",
    "WE-LOC-02": "LOC_HEXES",
    "WE-RP-01": "RP_COLLECTED MOST_RP",
    "WE-ADM-01 WE-ADM-02": "MOBILIZATION",
    "WE-RAL-01": "RALLY_RP",
    "WE-REC-01": "RECOVERY_RP",
    "WE-SIE-03": "SIEGE_DRMS SIEGE_ARMY_HQ",
    "WE-SIE-05": "SIEGE_LOC_RATIO",
    "WE-VIC-01": "VP_START VP VP_FRENCH_FORTRESS CASUALTIES_PER_VP",
    "WE-VIC-04 WE-VIC-06": "VP_ENDS",
    "WE-VIC-02": "MAJOR_BATTLE_SP",
}
TABLE_RULES = charts({chart: rules for rules, named in _CHARTS_OF.items() for chart in named.split()})
"""Which rules each chart plays."""
