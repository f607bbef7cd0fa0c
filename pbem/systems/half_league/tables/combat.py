"""Fire, losses, charge and melee: what the printed rules fix; lengths in grains of `INCH`, fractions as pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts
from pbem.systems.half_league.tables.printed import INCH

Pair = tuple[int, int]

# Fire

LONG_RANGE: Mapping[str, int] = {
    "musket": 10 * INCH,
    "rifle": 20 * INCH,
    "canister": 10 * INCH,
    "artillery": 40 * INCH,
    "bombardment": 80 * INCH,
}
"""How far each weapon fires; the carbine's is in the charts (HL-FIR-04)."""

SHORT_SHARE: Pair = (1, 2)
"""Short range, as a part of the long (HL-FIR-04)."""

ARC = 45
"""Degrees to either side of a stand's front (HL-GEO-03, HL-FIR-02)."""

REAR = 135
"""Degrees off its facing beyond which an enemy is behind a unit (HL-CMB-02)."""

PRIORITIES = ("charging", "firing", "advancing", "nearest")
"""Whom a unit must fire at, the first that it can (HL-FIR-05)."""

ADVANCED_BY = INCH
"""How much nearer an enemy has come that is advancing (HL-FIR-05)."""

FIRE_MODIFIERS: Mapping[str, int] = {"command_point": 1, "brigadier": 1, "busy": -1, "chit": -1}
"""What is added to a die of fire; `busy`: moved, pulled, changed formation or marked to charge (HL-FIR-06)."""

LONG_RANGE_SHARE: Pair = (1, 2)
"""What is left of the hits at long range, rounded up (HL-FIR-07)."""

SIX = 6
"""The natural number that is counted for chits, for leaders, and in bombardment (HL-FIR-08, HL-FIR-10, HL-CMB-05)."""

SIXES_PER_CHIT = 2
"""Sixes on a target in a fire phase for each chit (HL-FIR-08)."""

SIXES_PER_LEADER = 3
"""Sixes on a target in a fire phase for each possible leader kill (HL-FIR-08)."""

CANISTER_DICE = 2
"""Dice a gunner at canister range (HL-FIR-09)."""

STATIONARY_TURNS = 3
"""Turns that battery and target of a bombardment have stood still (HL-FIR-10)."""

# Losses

SAVE_MODIFIERS: Mapping[str, int] = {"command_point": 1, "brigadier": 1, "chit": -1}
"""What is added to a save (HL-SAV-01)."""

FIGURES_PER_FAILURE = 1
"""Figures that a failed save takes off (HL-SAV-01)."""

LEADER_ORDER = ("unit_commander", "brigadier", "army_commander")
"""Who is tested for the first, second and third possible kill of a phase (HL-SAV-04)."""

# Charge and melee

OUTNUMBERED: Pair = (2, 1)
"""Attackers' stands to the defender's from which the defender tests (HL-CHG-03)."""

MELEE: Mapping[str, int] = {
    "cavalry_charging_double_line": 2,
    "cavalry_charging_single_line": 1,
    "behind_wall": 1,
    "behind_stream": 1,
    "behind_trench": 1,
    "on_high_crest": 1,
    "infantry_attacking_in_column": 1,
    "infantry_in_double_line": 1,
    "infantry_in_square": 1,
    "leader_stand": 1,
    "command_point": 1,
    "brigadier": 1,
    "hit_from_rear": -1,
    "unlimbered_artillery": -1,
    "standing_cavalry": -1,
    "dismounted_cavalry": -1,
    "chit": -1,
    "routing": -2,
    "limbered_artillery": -2,
    "skirmishing": -2,
}
"""What is added to each die of a melee; a result is never below 0 (HL-CMB-02)."""

COVER_MODIFIERS = ("behind_wall", "behind_stream", "behind_trench", "on_high_crest")
"""Those that only the side has that did not charge (HL-CMB-02)."""

COVER_MOST = 2
"""The most that those come to in sum (HL-CMB-02)."""

LOSER_HIT = 2
"""The natural number of the loser's dice that is a possible hit on him (HL-CMB-04)."""

WINNER_SIXES_PER_LEADER = 3
"""Sixes of the winner for each possible leader kill (HL-CMB-05)."""


class Toll(NamedTuple):
    """What the winner takes of the loser's possible hits and leader kills, rounded up, and the chits."""

    share: Pair
    chits: int


WINNER_TOLL: Mapping[int, Toll] = {
    1: Toll((2, 1), 1),
    2: Toll((1, 1), 0),
    3: Toll((1, 1), 0),
    4: Toll((1, 3), 0),
    5: Toll((1, 3), 0),
    6: Toll((1, 3), 0),
}
"""By the winner's die (HL-CMB-06)."""

BLOCKED_AT = INCH
"""How far before an enemy or an edge that stops it a withdrawing unit halts (HL-CMB-07)."""

SPIKED_FROM = 4
"""The die from which guns are spiked (HL-CMB-08)."""

TABLE_RULES = charts(
    {
        "LONG_RANGE": "HL-FIR-04",
        "SHORT_SHARE": "HL-FIR-04",
        "ARC": "HL-GEO-03 HL-FIR-02",
        "REAR": "HL-CMB-02",
        "PRIORITIES": "HL-FIR-05",
        "ADVANCED_BY": "HL-FIR-05",
        "FIRE_MODIFIERS": "HL-FIR-06",
        "LONG_RANGE_SHARE": "HL-FIR-07",
        "SIX": "HL-FIR-08 HL-FIR-10 HL-CMB-05",
        "SIXES_PER_CHIT": "HL-FIR-08",
        "SIXES_PER_LEADER": "HL-FIR-08",
        "CANISTER_DICE": "HL-FIR-09",
        "STATIONARY_TURNS": "HL-FIR-10",
        "SAVE_MODIFIERS": "HL-SAV-01",
        "FIGURES_PER_FAILURE": "HL-SAV-01",
        "LEADER_ORDER": "HL-SAV-04",
        "OUTNUMBERED": "HL-CHG-03",
        "MELEE": "HL-CMB-02",
        "COVER_MODIFIERS": "HL-CMB-02",
        "COVER_MOST": "HL-CMB-02",
        "LOSER_HIT": "HL-CMB-04",
        "WINNER_SIXES_PER_LEADER": "HL-CMB-05",
        "WINNER_TOLL": "HL-CMB-06",
        "BLOCKED_AT": "HL-CMB-07",
        "SPIKED_FROM": "HL-CMB-08",
    }
)
"""Which rules each table plays."""
