"""Infantry fire, artillery fire and what both do: points, losses, fires, breaches, rounds; fractions as pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

# Infantry

INFANTRY_BANDS = (100, 200, 300, 400)
"""The upper ends of the four bands, in paces (KS-FIR-01)."""

WEAPONS: Mapping[str, tuple[str, Literal["left", "right"]]] = {
    "close_order": ("I", "left"),
    "skirmishers_open": ("I", "right"),
    "jaeger_cover": ("II", "left"),
    "line_cover": ("II", "right"),
}
"""The die and its side for each way of infantry fire (KS-FIR-03, KS-FIR-05)."""

ZUGS_PER_NUMBER = 2
"""Skirmish zugs that a number of the dice stands for (KS-FIR-05)."""

FORMATION_FIRE: Mapping[str, Pair] = {
    "line": (1, 1),
    "attack_column": (1, 2),
    "zug_column": (1, 2),
    "square": (1, 2),
    "march_column": (0, 1),
}
"""The part of its number that a close-ordered body fires (KS-FIR-02, KS-FRM-02)."""

MOVED_FIRE: Mapping[str, tuple[tuple[int, Pair], ...]] = {
    "close_order": ((100, (1, 1)),),
    "skirmishers": ((100, (1, 1)), (250, (1, 2))),
    "guns_by_ropes": ((0, (1, 1)), (100, (1, 2))),
}
"""Up to so many paces moved in the move, the part that fires; beyond the last none (KS-FIR-02, KS-ART-07)."""

FIRE_ARC: Mapping[str, int] = {"close_order": 45, "skirmishers": 90, "artillery": 45}
"""Degrees to each side of the front (KS-FIR-02, KS-ART-06)."""

SHIFTED_ARC = 90
"""Degrees to which guns can shift their front (KS-ART-06)."""

SHIFTED_FIRE: Pair = (1, 2)
"""What such a shift leaves of the fire of the move (KS-ART-06)."""

LANE = 25
"""Width in paces of the lane that must be free of bodies (KS-FIR-07)."""

OVER_HEADS: tuple[int, Pair] = (10, (1, 2))
"""Over troops lower by so many paces, and nearer to target or gun than this part of the range (KS-FIR-07)."""

SKIRMISH_FIGHT: tuple[Pair, int, int] = ((1, 4), 3, 150)
"""Skirmishers in the open that lose this part in so many moves fall back so many paces (KS-FIR-09)."""

CARBINES: tuple[Pair, int] = ((1, 4), 2)
"""By option: the part of Die I right that a screened squadron fires, and in how many bands (KS-FIR-08)."""

# Artillery

RANGE_CLASSES: Mapping[str, tuple[int, int, int, int]] = {
    "foot_12": (500, 1000, 1500, 2000),
    "foot_6": (400, 800, 1200, 1800),
    "horse_6": (400, 800, 1200, 1800),
    "howitzer_7": (400, 800, 1200, 1800),
    "howitzer_10": (500, 1000, 1500, 2000),
}
"""The upper ends of the four classes, in paces (KS-ART-01)."""

CLASS_SHOT: Mapping[str, tuple[str, str, str, str]] = {
    "cannon": ("small canister", "large canister", "elevation shot", "random shot"),
    "howitzer": ("small canister", "large canister", "grenade, smaller charge", "grenade, heavier charge"),
}
"""What is fired in each class (KS-ART-01)."""

CANISTER_CLASSES = (1, 2)
"""The classes that count as canister (KS-ART-01, KS-ATK-04)."""

_GUNFIRE_AS_PRINTED = """
foot_12      4   9  9  6  8  6 12   3  3  5  2  1  1
foot_12      3  13 13  8 10  8 22   7  7 10  6  5  5
foot_12      2  31 31 13 25 19 50  20 20 25 18 10 10
foot_12      1  50 50 25 38 25 75  31 31 37 25 15 15
foot_6       4   7  7  5  6  5 10   3  3  4  2  1  1
foot_6       3  10 10  6  8  6 18   6  6  8  5  4  4
foot_6       2  25 25 10 20 15 40  16 16 20 15  8  8
foot_6       1  40 40 20 30 20 60  25 25 30 20 12 12
howitzer_7   4  10 10  6  7  6 12   3  3  5  4  2  2
howitzer_7   3  12 12  8  9  8 16   8  8 10  7  5  5
howitzer_7   2  20 20 12 15 12 30  12 12 15  8  6  6
howitzer_7   1  30 30 15 20 15 50  20 20 25 15  8  8
howitzer_10  4   3  3  1  2  1  4   1  1  2  1  -  -
howitzer_10  3   4  5  2  3  2  5   2  3  3  2  1  2
howitzer_10  2   6  7  4  5  4  9   4  5  5  2  2  1
howitzer_10  1   9 10  5  6  5 13   6  6  8  5  2  2
"""

Quality = Literal["good", "bad"]


def _gunfire(printed: str) -> dict[str, dict[int, dict[Quality, tuple[int, ...]]]]:
    found: dict[str, dict[int, dict[Quality, tuple[int, ...]]]] = {}
    for line in printed.strip().splitlines():
        battery, which, *cells = line.split()
        points = tuple(0 if cell == "-" else int(cell) for cell in cells)
        found.setdefault(battery, {})[int(which)] = {"good": points[:6], "bad": points[6:]}
    return found


GUNFIRE: Mapping[str, Mapping[int, Mapping[Quality, tuple[int, ...]]]] = _gunfire(_GUNFIRE_AS_PRINTED)
"""Points of a move by battery, class, effect and face: eight guns, but of `howitzer_10` two (KS-ART-02)."""

GUNFIRE_AS: Mapping[str, str] = {"horse_6": "foot_6"}
"""Batteries that fire as another (KS-ART-02)."""

QUALITY_DIE: Mapping[Quality, str] = {"good": "III", "bad": "V"}
"""The die of good and of bad effect (KS-ART-04)."""

TWELVE_POUNDER: Pair = (5, 4)
"""By option: the twelve-pounder's share of the numbers of Die III and V, in the canister classes (KS-ART-02)."""

GUNS: Mapping[str, Pair] = {"foot_6": (6, 2), "horse_6": (6, 2), "foot_12": (6, 2), "howitzer_7": (0, 8)}
"""Cannon and howitzers of a battery (KS-ORG-05, KS-ART-03)."""

HOWITZERS_OF: Mapping[str, tuple[str, int]] = {
    "foot_12": ("howitzer_10", 2),
    "foot_6": ("howitzer_7", 8),
    "horse_6": ("howitzer_7", 8),
}
"""The row by which the two howitzers of a mixed battery fire apart, and the guns it stands for (KS-ART-03)."""

GOOD_GROUND: Mapping[str, int] = {
    "slope": 10,
    "swamp": 50,
    "lines": 2,
    "undulations": 3,
    "undulation_slope": 3,
}
"""Canister and random shot are bad above this slope in a step of 100 paces, or above so many paces of swamp, from so
many lines crossed, from so many changes of sign of slopes from this steepness (KS-ART-04)."""

GOOD_VIEW: Mapping[str, int] = {"view": 200, "swamp_near": 100, "slope": 20}
"""Elevation shot is good with so many paces in sight before or behind the target; bad with swamp within so many paces
of it, or a mean slope above (KS-ART-04)."""

SAMPLES = 50
"""Paces between the points at which the line to the target is looked at (KS-ART-04, KS-SIT-03)."""

INCREASES: Mapping[str, Mapping[str, Pair]] = {
    "columns": {"cannon": (1, 4), "grenade": (1, 3)},
    "lines": {"cannon": (1, 4), "grenade": (1, 4)},
    "skirmishers": {"cannon": (1, 4), "grenade": (1, 4)},
    "flank": {"cannon": (1, 4), "grenade": (1, 4)},
}
"""What is added: for columns of two battalions or more, of squadrons or batteries; two or more lines in one class;
skirmishers close to their line; fire into a flank (KS-ART-05)."""

CHAIN_NEAR = 100
"""Paces between skirmishers and their line within which both are hit (KS-ART-05, KS-LOS-04)."""

FLANK_FIRE = 60
"""Degrees off the target's front from which fire is flank fire (KS-ART-05)."""

THREAT = 400
"""A body within this that faces a battery is its first target (KS-ART-06)."""

# Cover

COVER: Mapping[str, Mapping[str, Pair]] = {
    "defending": {"infantry": (1, 2), "canister": (1, 2), "ball": (1, 3), "grenade": (1, 3)},
    "sheltered": {"infantry": (0, 1), "canister": (0, 1), "ball": (0, 1), "grenade": (1, 3)},
}
"""The part of the loss that troops under cover take (KS-COV-01, KS-COV-02)."""

SHELTER_WOOD = 200
"""Depth in paces of a wood that shelters (KS-COV-02)."""

SHELTER_KNOWN = 10
"""Moves for which a battery that was told knows the place of the sheltered (KS-COV-02)."""

BOMBARDED: Pair = (1, 3)
"""The part of a bombarding battery's number that falls on troops in the place (KS-COV-03)."""

NIGHT_INFANTRY: Pair = (1, 2)
"""What the night leaves of infantry fire (KS-NIG-01)."""

NIGHT_ARTILLERY = 600
"""How far guns fire by night, with bad effect (KS-NIG-01)."""

NIGHT_MELEE: Pair = (1, 2)
"""What the night leaves of the losses hand to hand (KS-NIG-01)."""

# Fires and breaches


class Bombardment(NamedTuple):
    """How houses are set on fire."""

    every: Mapping[int, int]
    """By howitzers firing: Die I is thrown every so many moves."""
    test_after: int
    """Moves from a building alight to the throw for the spread."""
    test_die: str
    radius: int
    """Paces round the fire that burn, once it spreads."""
    leave_in: int
    """Moves in which they must be left."""


BOMBARDMENT: Mapping[str, Bombardment] = {
    "wood": Bombardment({8: 1, 4: 2, 2: 4}, 5, "III", 150, 10),
    "stone": Bombardment({8: 3, 4: 6, 2: 12}, 10, "II", 500, 10),
}
"""Fires by what the houses are of (KS-BOM-01 to KS-BOM-03)."""

SET_FIRE_DIE = "I"
"""The die of which a flame sets a building alight (KS-BOM-01, KS-BOM-02)."""

BOMBARD_MOVES = 50
"""Moves of bombardment in a battery's supply (KS-BOM-03, KS-AMM-03)."""

BURNED_POINTS = 10
"""Points a move on each half battalion that has not left the fire (KS-BOM-03)."""

BREACH_NEAR: Mapping[str, int] = {"foot_12": 600, "foot_6": 400, "horse_6": 400}
"""Paces within which a battery breaches after the short wait (KS-BRE-01)."""

BREACH_FAR = 900
"""Paces beyond which none does (KS-BRE-02)."""

BREACH_IDLE: Mapping[str, int] = {"near": 2, "far": 6}
"""Moves of fire before the first throw (KS-BRE-01, KS-BRE-02)."""

BREACH_DICE: Mapping[str, Mapping[int, tuple[str, str]]] = {
    "strong": {1: ("I", "I"), 2: ("I", "II")},
    "weak": {1: ("II", "II"), 2: ("II", "II")},
}
"""By wall and batteries (2: two or more), the die of the first throw and of those after it (KS-BRE-01, KS-BRE-03)."""

BREACH_WIDTH = 18
"""Men abreast that a breach lets through: half a zug (KS-BRE-01)."""

BREACH_GUNS = 4
"""The fewest guns that can breach (KS-BRE-04)."""

STONE_BRIDGE_MOVES = 30
"""Moves of fire that a stone bridge stands (KS-BRE-05)."""

# Points and losses

MAN_TW = 12
"""Twelfths of a man in a man (KS-LOS-01)."""

POINT_TW: Mapping[str, int] = {"three_ranks": 60, "two_ranks": 40, "skirmishers": 15, "cavalry": 18}
"""Twelfths of a man for each point (KS-LOS-01)."""

GUN_POINTS: Pair = (25, 2)
"""Points of a gun; guns come off two at every full 25 (KS-LOS-01, KS-ART-08)."""

OFF_AT: Mapping[str, int] = {
    "half_battalion": 90,
    "battalion": 180,
    "squadron": 60,
    "gun_pair": 25,
    "skirmish_zug": 60,
    "platoon": 15,
}
"""Points at which a body is taken off (KS-LOS-02)."""

LARGER_PIECE: Pair = (5, 6)
"""The share of the larger exchange piece (KS-LOS-03)."""

SMALLER_PIECE: Pair = (4, 6)
"""The share of the smaller exchange piece (KS-LOS-03)."""


class Step(NamedTuple):
    """How a body stands from so many points lost on."""

    points: int
    blocks: int
    share: Pair
    front: int


EXCHANGE: Mapping[str, tuple[Step, ...]] = {
    "battalion": (
        Step(0, 2, (1, 1), 250),
        Step(30, 2, LARGER_PIECE, 208),
        Step(60, 2, SMALLER_PIECE, 167),
        Step(90, 1, (1, 1), 125),
    ),
    "half_battalion": (
        Step(0, 1, (1, 1), 125),
        Step(15, 1, LARGER_PIECE, 104),
        Step(30, 1, SMALLER_PIECE, 83),
        Step(45, 0, (0, 1), 0),
    ),
}
"""Exchange pieces: the last step of a battalion is counted on as a half battalion; no blocks: removed (KS-LOS-03)."""

REMNANTS_JOIN: Pair = (225, 10)
"""By option: men together and moves of rest from which two remnants are a half battalion (KS-LOS-03)."""

DEFENDERS_LOSS: Mapping[str, int] = {"half_battalion": 10, "zug": 5}
"""Points of victorious infantry that stood against an attack (KS-LOS-05)."""

VICTORS_LOSS: Pair = (1, 2)
"""The part of the loser's loss that victorious cavalry takes from cavalry (KS-LOS-05)."""

FOLLOWED_LOSS: Pair = (1, 2)
"""The part of the loss that remains for the fight, and again for the pursuit, if victors follow at once (KS-RET-03)."""

REPORTED_LOSS: tuple[tuple[Pair, str], ...] = (
    ((0, 1), "none"),
    ((0, 1), "light"),
    ((1, 6), "1/6"),
    ((2, 6), "2/6"),
    ((1, 2), "half"),
    ((1, 2), "more"),
)
"""The words of a report and the fraction that they begin at: `light` and `more` lie above theirs (KS-LOS-07)."""

# Ammunition


class Rounds(NamedTuple):
    """What a gun has with it, and each of its wagons."""

    limber_shot: int
    limber_canister: int
    wagons: Pair
    """So many wagons for so many guns."""
    wagon_shot: int
    wagon_canister: int
    carcasses: int = 0
    flares: int = 0


ROUNDS: Mapping[str, Rounds] = {
    "foot_6": Rounds(56, 14, (2, 8), 152, 40),
    "horse_6": Rounds(48, 12, (2, 8), 152, 40),
    "foot_12": Rounds(12, 8, (1, 1), 80, 20),
    "howitzer_7": Rounds(15, 5, (1, 1), 66, 15, 1, 2),
    "howitzer_10": Rounds(4, 4, (2, 1), 44, 9, 1, 2),
}
"""Rounds of shot or shell and of canister (KS-AMM-01)."""

ROUNDS_A_MOVE: Mapping[str, int] = {"canister": 6, "elevation": 4, "random": 6}
"""What a gun fires in a move (KS-AMM-01)."""

WAGONS_NEAR = 1500
"""Paces within which wagons feed the limbers by themselves (KS-AMM-02)."""

BALL_FOR_CANISTER: Pair = (1, 2)
"""What ball does at canister ranges when the canister is gone (KS-AMM-02)."""

INFANTRY_ROUNDS: Pair = (60, 10)
"""By option: moves of fire, and moves of rest near wagons that replace them (KS-AMM-04)."""

TABLE_RULES = charts(
    {
        "INFANTRY_BANDS": "KS-FIR-01",
        "WEAPONS": "KS-FIR-03 KS-FIR-05",
        "ZUGS_PER_NUMBER": "KS-FIR-05",
        "FORMATION_FIRE": "KS-FIR-02 KS-FRM-02",
        "MOVED_FIRE": "KS-FIR-02 KS-ART-07",
        "FIRE_ARC": "KS-FIR-02 KS-ART-06",
        "SHIFTED_ARC": "KS-ART-06",
        "SHIFTED_FIRE": "KS-ART-06",
        "LANE": "KS-FIR-07",
        "OVER_HEADS": "KS-FIR-07",
        "SKIRMISH_FIGHT": "KS-FIR-09",
        "CARBINES": "KS-FIR-08",
        "RANGE_CLASSES": "KS-ART-01",
        "CLASS_SHOT": "KS-ART-01",
        "CANISTER_CLASSES": "KS-ART-01 KS-ATK-04",
        "GUNFIRE": "KS-ART-02",
        "GUNFIRE_AS": "KS-ART-02",
        "QUALITY_DIE": "KS-ART-04",
        "TWELVE_POUNDER": "KS-ART-02",
        "GUNS": "KS-ORG-05 KS-ART-03",
        "HOWITZERS_OF": "KS-ART-03",
        "GOOD_GROUND": "KS-ART-04",
        "GOOD_VIEW": "KS-ART-04",
        "SAMPLES": "KS-ART-04 KS-SIT-03",
        "INCREASES": "KS-ART-05",
        "CHAIN_NEAR": "KS-ART-05 KS-LOS-04",
        "FLANK_FIRE": "KS-ART-05",
        "THREAT": "KS-ART-06",
        "COVER": "KS-COV-01 KS-COV-02",
        "SHELTER_WOOD": "KS-COV-02",
        "SHELTER_KNOWN": "KS-COV-02",
        "BOMBARDED": "KS-COV-03",
        "NIGHT_INFANTRY": "KS-NIG-01",
        "NIGHT_ARTILLERY": "KS-NIG-01",
        "NIGHT_MELEE": "KS-NIG-01",
        "BOMBARDMENT": "KS-BOM-01 KS-BOM-02 KS-BOM-03",
        "SET_FIRE_DIE": "KS-BOM-01 KS-BOM-02",
        "BOMBARD_MOVES": "KS-BOM-03 KS-AMM-03",
        "BURNED_POINTS": "KS-BOM-03",
        "BREACH_NEAR": "KS-BRE-01",
        "BREACH_FAR": "KS-BRE-02",
        "BREACH_IDLE": "KS-BRE-01 KS-BRE-02",
        "BREACH_DICE": "KS-BRE-01 KS-BRE-03",
        "BREACH_WIDTH": "KS-BRE-01",
        "BREACH_GUNS": "KS-BRE-04",
        "STONE_BRIDGE_MOVES": "KS-BRE-05",
        "MAN_TW": "KS-LOS-01",
        "POINT_TW": "KS-LOS-01",
        "GUN_POINTS": "KS-LOS-01 KS-ART-08",
        "OFF_AT": "KS-LOS-02",
        "LARGER_PIECE": "KS-LOS-03",
        "SMALLER_PIECE": "KS-LOS-03",
        "EXCHANGE": "KS-LOS-03",
        "REMNANTS_JOIN": "KS-LOS-03",
        "DEFENDERS_LOSS": "KS-LOS-05",
        "VICTORS_LOSS": "KS-LOS-05",
        "FOLLOWED_LOSS": "KS-RET-03 KS-LOS-06",
        "REPORTED_LOSS": "KS-LOS-07",
        "ROUNDS": "KS-AMM-01",
        "ROUNDS_A_MOVE": "KS-AMM-01",
        "WAGONS_NEAR": "KS-AMM-02",
        "BALL_FOR_CANISTER": "KS-AMM-02",
        "INFANTRY_ROUNDS": "KS-AMM-04",
    }
)
"""Which rules each table plays."""
