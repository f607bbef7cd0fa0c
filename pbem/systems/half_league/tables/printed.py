"""The turn, troops, movement, command and morale: what the printed rules fix; lengths in grains of `INCH`.

What had to be made again, because its print is lost, stands in `charts.toml` and may be changed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.rules.ledger import charts

INCH = 1000
"""Grains of an inch: thousandths."""

TENTH = INCH // 10
"""To what places are written, walked and measured (HL-GEO-01, HL-GEO-02)."""

# The turn

PHASES = ("initiative", "move", "fire_artillery", "fire_small", "charge", "melee", "reinforce", "end")
"""The phases of a turn, in order (HL-SEQ-01)."""

DIE = 6
"""Sides of every die (HL-MOV-01)."""

INITIATIVE: Mapping[str, int] = {"held_initiative": 1, "won_most_combats": 1, "more_routing": -1}
"""What is added to the roll for initiative (HL-INI-01)."""


class Segment(NamedTuple):
    """Whose units act, in which half, and which of them begin."""

    side: Literal["initiative", "other"]
    half: Literal["chosen", "opposite"]
    way: Literal["outward", "inward"]


SEGMENTS: Mapping[int, Segment] = {
    1: Segment("initiative", "chosen", "outward"),
    2: Segment("other", "opposite", "inward"),
    3: Segment("initiative", "opposite", "outward"),
    4: Segment("other", "chosen", "outward"),
}
"""Moves and charges by halves of the field (HL-TRN-02)."""

# Troops

FORMATIONS: Mapping[str, tuple[str, ...]] = {
    "infantry": ("skirmish", "line", "double_line", "column", "road_column", "square"),
    "cavalry": ("skirmish", "line", "column", "road_column", "dismounted"),
    "foot_artillery": ("limbered", "unlimbered"),
    "horse_artillery": ("limbered", "unlimbered"),
}
"""The formations of each type; `skirmish` for those that may, `dismounted` for carbines (HL-FRM-01)."""

ARMS: Mapping[str, tuple[str, ...]] = {
    "infantry": ("musket", "rifle", "none"),
    "cavalry": ("carbine", "none"),
    "foot_artillery": ("gun",),
    "horse_artillery": ("gun",),
}
"""What each type may be armed with (HL-FRM-01, HL-FIR-04)."""

GUNNERS_PER_GUN = 2
"""Gunners to a model of a gun, rounded up (HL-FIR-02)."""

SKIRMISH_GAP = 2 * INCH
"""Between stands in skirmish order (HL-FRM-02)."""

DOUBLE_LINE = 4 * INCH
"""How near the rear of two lines is to the front one (HL-FRM-04)."""

DOUBLE_LINE_DEGREES = 20
"""How far two lines may differ in facing and still be parallel (HL-FRM-04)."""

SLIDE = 2 * INCH
"""How far a new formation may be put sideways to find room (HL-FRM-03)."""

FORMED_WITHIN = 45
"""Degrees by which a new formation may face otherwise (HL-FRM-03)."""

# Movement

ONE_DIE = 1
"""Dice to retire, turn about, move sideways, turn by more than 45 degrees, prolong (HL-MOV-05, HL-MOV-08)."""

FORWARD = 45
"""Degrees off the facing that are still forward, or a turn without cost (HL-MOV-05, HL-MOV-06, HL-MOV-08)."""

EVEN = 2
"""Of what the die of prolonged guns must be a multiple to cross wall, stream or high hill (HL-MOV-08)."""

PIPS_PER_CHIT = 1
"""Pips that each die of a move loses for each chit (HL-MOV-10)."""

DICE_PER_FRIEND = 1
"""Lowest dice lost for each friend passed through (HL-MOV-04)."""

MOVING_CAVALRY = 4 * INCH
"""Inches forward that make cavalry moving (HL-MOV-11)."""

REINFORCE_BEYOND = 40 * INCH
"""How far from every enemy a reinforcement move begins, and stays (HL-REI-01)."""

CONTACT = TENTH
"""How near footprints are that touch (HL-GEO-03)."""

CROSSING_WITHIN = INCH
"""How near to a bridge or ford a path must pass to use it (HL-MOV-09)."""

ATTACH_WITHIN = INCH
"""How near to a unit a leader must come to attach (HL-MOV-12)."""

LEADER_GAP = 3 * INCH
"""How near to an enemy a leader may come alone (HL-MOV-12)."""

LEADER_RIDES_BACK = 12 * INCH
"""How far a leader rides whom an enemy touches (HL-MOV-12)."""

# Sight

WOODS_SIGHT = 6 * INCH
"""How far units in the same woods see one another (HL-LOS-02)."""

EDGE = INCH
"""How near to the edge of woods or town a unit is at the edge (HL-LOS-01, HL-LOS-02)."""

ON_CREST = 2 * INCH
"""How near to a crest a unit is on it (HL-LOS-03)."""

BLOCKS_NEAR_TARGET = 6 * INCH
"""How near to the target a unit or terrain still blocks sight from or to a crest (HL-LOS-03)."""

# Command

BENEFITS = ("move", "pull", "fire", "fire_save", "morale", "melee", "melee_save")
"""What a command point buys, each once a turn (HL-CMD-02)."""

COMMAND_DICE: Mapping[str, int] = {"russian": 1, "turkish": 1, "french": 2, "british": 2, "sardinian": 2}
"""Dice a unit for its command points; the Sardinians' by our reading (HL-CMD-01)."""

ELITE_COMMAND = 3
"""What elite adds to each of those dice (HL-CMD-01)."""

POINT_COST = 1
"""Command points for a benefit (HL-CMD-02)."""

BENEFIT_PLUS = 1
"""What the benefits of fire, melee and saves add to each die (HL-CMD-05, HL-CMD-06, HL-CMD-08, HL-CMD-09)."""

EXTRA_DICE = 1
"""Dice that the benefit `move` adds (HL-CMD-03)."""

EXTRA_CHITS = 1
"""Chits that the benefit `pull` takes off beyond the automatic one (HL-CMD-04)."""

BRIGADIER_WITHIN = 24 * INCH
"""How far a unit may be from its brigadier to spend a point (HL-CMD-02)."""

BRIGADE_CHAIN = 6 * INCH
"""How near units must be to one another to share a benefit (HL-CMD-11)."""

SUCCESSOR_FROM = 5
"""The die from which a brigadier's successor gives his benefit (HL-SAV-05)."""

ARMY_PULL = 1
"""Chits that the army commander takes from a unit (HL-CMD-12)."""

POINTS_LOST = (1, 2)
"""The share of its points that a unit loses with its commander; what is left is rounded down (HL-SAV-05)."""

# Morale

CHITS: Mapping[str, int] = {
    "pair_of_sixes": 1,
    "unit_commander_killed": 1,
    "brigadier_killed": 1,
    "army_commander_killed": 3,
    "charge_morale_failed": 1,
    "friend_routed": 1,
    "friend_withdrew_through": 1,
    "lost_combat": 1,
    "withdrew": 1,
    "winner_die_one": 1,
}
"""Chits for each event; of a brigadier to all of his brigade, of an army commander to all (HL-MOR-01)."""

ROUT_NEAR = 6 * INCH
"""How near to the line of a rout a friend takes a chit (HL-MOR-01)."""

DIE_PER_CHIT = -1
"""What a chit adds to every die (HL-MOR-02)."""

NOT_BY_CHITS = (
    *("initiative", "rally", "withdrawal", "rout", "bombardment", "winner_loss", "spike"),
    *("command_points", "successor"),
)
"""Dice that no chit spoils (HL-MOR-02)."""

LEADER_STANDS: Mapping[str, int] = {"infantry": 1, "cavalry": 1, "foot_artillery": 0, "horse_artillery": 0}
"""Leader stands that count for the rout limit and for morale (HL-MOR-03, HL-MOR-05, HL-CHG-02, HL-CHG-03)."""

MORALE_NEED = 8
"""What stands, leader stand and die must come to (HL-MOR-05, HL-CHG-02, HL-CHG-03)."""

ROUT_DICE = 4
"""Dice that a routing unit runs (HL-MOR-03)."""

WITHDRAWAL_DICE = 3
"""Dice that a unit withdraws (HL-CMB-07)."""

RALLY_CHITS = 1
"""Chits that a rally takes off (HL-MOR-05)."""

AUTOMATIC_PULL = 1
"""Chits that a unit takes off instead of another activity (HL-MOR-06)."""

PULL_FROM = (1, 2)
"""The share of its limit in chits from which a unit without an order pulls (HL-MOR-06)."""

TABLE_RULES = charts(
    {
        "INCH": "HL-GEO-01",
        "TENTH": "HL-GEO-01 HL-GEO-02",
        "PHASES": "HL-SEQ-01",
        "DIE": "HL-MOV-01",
        "INITIATIVE": "HL-INI-01",
        "SEGMENTS": "HL-TRN-02",
        "FORMATIONS": "HL-FRM-01",
        "ARMS": "HL-FRM-01 HL-FIR-04",
        "GUNNERS_PER_GUN": "HL-FIR-02",
        "SKIRMISH_GAP": "HL-FRM-02",
        "DOUBLE_LINE": "HL-FRM-04",
        "DOUBLE_LINE_DEGREES": "HL-FRM-04",
        "SLIDE": "HL-FRM-03",
        "FORMED_WITHIN": "HL-FRM-03",
        "ONE_DIE": "HL-MOV-05 HL-MOV-08",
        "FORWARD": "HL-MOV-05 HL-MOV-06 HL-MOV-08",
        "EVEN": "HL-MOV-08",
        "PIPS_PER_CHIT": "HL-MOV-10",
        "DICE_PER_FRIEND": "HL-MOV-04",
        "MOVING_CAVALRY": "HL-MOV-11",
        "REINFORCE_BEYOND": "HL-REI-01",
        "CONTACT": "HL-GEO-03",
        "CROSSING_WITHIN": "HL-MOV-09",
        "ATTACH_WITHIN": "HL-MOV-12",
        "LEADER_GAP": "HL-MOV-12",
        "LEADER_RIDES_BACK": "HL-MOV-12",
        "WOODS_SIGHT": "HL-LOS-02",
        "EDGE": "HL-LOS-01 HL-LOS-02",
        "ON_CREST": "HL-LOS-03",
        "BLOCKS_NEAR_TARGET": "HL-LOS-03",
        "BENEFITS": "HL-CMD-02",
        "COMMAND_DICE": "HL-CMD-01",
        "ELITE_COMMAND": "HL-CMD-01",
        "POINT_COST": "HL-CMD-02",
        "BENEFIT_PLUS": "HL-CMD-05 HL-CMD-06 HL-CMD-08 HL-CMD-09",
        "EXTRA_DICE": "HL-CMD-03",
        "EXTRA_CHITS": "HL-CMD-04",
        "BRIGADIER_WITHIN": "HL-CMD-02",
        "BRIGADE_CHAIN": "HL-CMD-11",
        "SUCCESSOR_FROM": "HL-SAV-05",
        "ARMY_PULL": "HL-CMD-12",
        "POINTS_LOST": "HL-SAV-05",
        "CHITS": "HL-MOR-01",
        "ROUT_NEAR": "HL-MOR-01",
        "DIE_PER_CHIT": "HL-MOR-02",
        "NOT_BY_CHITS": "HL-MOR-02",
        "LEADER_STANDS": "HL-MOR-03 HL-MOR-05 HL-CHG-02 HL-CHG-03",
        "MORALE_NEED": "HL-MOR-05 HL-CHG-02 HL-CHG-03",
        "ROUT_DICE": "HL-MOR-03",
        "WITHDRAWAL_DICE": "HL-CMB-07",
        "RALLY_CHITS": "HL-MOR-05",
        "AUTOMATIC_PULL": "HL-MOR-06",
        "PULL_FROM": "HL-MOR-06",
    }
)
"""Which rules each table plays."""
