"""The fight hand to hand: odds, points, the state of the beaten, second lines, batteries, surprise, capture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

# The attack

CONTACT = 25
"""Paces between outlines at which bodies touch (KS-TUR-04, KS-ATK-01)."""

DECLARED_AT: Mapping[str, int] = {"infantry": 500, "heavy_cavalry": 1600, "light_cavalry": 1800}
"""Paces within which an attack is declared: two moves of it (KS-ATK-01)."""

STRIKE: Mapping[str, int] = {"infantry": 250, "heavy_cavalry": 800, "light_cavalry": 900}
"""Striking distance: one move of attack (KS-ODD-05)."""

BAYONETS = 100
"""Paces that infantry advances to counter-attack at contact (KS-ATK-02)."""

TURN_ABOUT = 2
"""Ticks of a move lost to turning about (KS-ATK-02)."""

BESIDE = 50
"""Paces to the side within which neighbours take part (KS-ATK-08)."""

HALT_TO_FIRE = 150
"""Paces from the target at which `after N moves fire` halts (KS-ATK-09)."""

CHARGE_FROM: Mapping[str, int] = {"heavy_cavalry": 800, "light_cavalry": 900}
"""Where cavalry forms for the charge (KS-ATK-09)."""

CONTACT_BAND = 2
"""The number of the die fired at attackers in the move of contact; 1 if they began within 100 paces (KS-ATK-06)."""

WINNER_BEYOND = 50
"""Paces beyond the old front at which an attacker that won stands (KS-ATK-11)."""

WINNER_REFORMS = 1
"""Moves that a winner re-forms (KS-ATK-11)."""

# Under canister


class CanisterTest(NamedTuple):
    """When troops under canister must be tried, and how."""

    die: str
    guns: int
    """The fewest that fire with good effect."""
    battalions: int
    squadrons: int
    """The most that one test tries."""


CANISTER_TEST = CanisterTest("II", 4, 1, 2)
"""Standing under canister: black is for the battery (KS-ATK-04)."""

PREPARED_MOVES: Pair = (2, 3)
"""Moves under good canister, of the last so many, that prepare an attack (KS-ODD-04)."""

PREPARED_LOSS: Pair = (1, 12)
"""So does this part of the men lost to infantry fire in them (KS-ODD-04)."""

SUPPORT_NEAR = 200
"""Paces within which unlimbered guns support (KS-ODD-03)."""

# Odds


class Odds(NamedTuple):
    """A row of the table of unequal forces."""

    up_to: Pair | None
    """The largest difference, as a part of the smaller force; None: any above."""
    die: str | None
    """None: foregone."""
    step: int


ODDS_BY_DIFFERENCE: tuple[Odds, ...] = (
    Odds((1, 6), "I", 0),
    Odds((1, 4), "II", 1),
    Odds((1, 2), "III", 2),
    Odds((1, 1), "IV", 3),
    Odds((5, 3), "V", 4),
    Odds(None, None, 5),
)
"""The die by the difference of the forces (KS-ODD-02)."""

MOST_INDEX = 4
"""No points lift beyond Die V (KS-ODD-02)."""

FOREGONE_LETTER = "V"
"""Thrown until it is black, for the letter of the foregone case (KS-ODD-02)."""

ZUG_STRENGTH: Pair = (1, 6)
"""What a zug counts of a half battalion (KS-ODD-01)."""

SQUADRON_STRENGTH: Pair = (1, 1)
"""What a squadron counts in half battalions (KS-ODD-01)."""

WEAKEST_SQUADRON: Pair = (2, 5)
"""What a squadron counts at least of itself (KS-ODD-01)."""

POINTS: Mapping[str, int] = {
    "KS-ATK-05": -1,
    "KS-ODD-03": 1,
    "KS-ODD-04": 1,
    "KS-ODD-05 sideways": -1,
    "KS-ODD-05 infantry forced": 1,
    "KS-ODD-05 enemy forms": 1,
    "KS-ODD-06": -1,
    "KS-ODD-07 cannot attack": -1,
    "KS-ODD-07 cannot defend": -2,
    "KS-ODD-09": 1,
    "KS-SEC-09": 2,
    "KS-RET-06": -1,
    "KS-RET-09": 1,
    "KS-STR-07": 1,
}
"""Points of odds for the side that the rule speaks of."""

NEAR_INFANTRY: Mapping[str, int] = {"cavalry": 400, "infantry": 200}
"""Paces from enemy infantry that must move, or that forms for attack, within which a point is gained (KS-ODD-05)."""

# The beaten


class State(NamedTuple):
    """What a letter does."""

    cannot_defend: int
    cannot_attack: int
    """Moves."""
    blocks_turned: int | None
    """None: all."""


STATES: Mapping[str, State] = {"R": State(2, 3, 1), "D": State(3, 6, 2), "T": State(5, 10, None)}
"""Moves that the beaten need, from the one after the fight (KS-ATK-07)."""

WORSE: Mapping[str, str] = {"R": "D", "D": "T", "T": "T"}
"""A letter raised by one (KS-ODD-07, KS-RET-02, KS-RET-04)."""

MASS_FAILS: Mapping[str, str] = {"R": "D", "D": "T", "T": "T"}
"""The letter of a mass that fails against a line (KS-ODD-09)."""

LINE_BEATEN: Mapping[str, str] = {"R": "D", "D": "D", "T": "T"}
"""The letter of a line beaten by infantry (KS-ODD-08)."""

CAVALRY_FAILS: Mapping[str, str] = {"R": "R", "D": "D", "T": "R"}
"""The letter of cavalry that fails against columns and masses (KS-CAV-01, KS-CAV-02)."""

RALLY_DISTANCE = 600
"""Paces from the nearest enemy formed body at which a commander can stop a flight (KS-CMD-03)."""

THROUGH_RESERVE = 2
"""Moves after which fugitives no longer weaken the reserve they passed (KS-RET-06)."""

REFUGE_MOVES = 2
"""Moves within which a refuge must be reached (KS-RET-09)."""

TRAPPED: tuple[Pair, ...] = ((1, 3), (2, 3), (1, 1))
"""The part lost against an obstacle after 1, 2, 3 moves with the enemy among them (KS-RET-08)."""

TRAPPED_FIRE: Pair = (1, 10)
"""What fire of such troops counts against the other side (KS-RET-08)."""

TRAPPED_FRIEND = 200
"""A formed friend within this contests the capture (KS-RET-08)."""

# Flanks and cavalry

FLANK_ANGLE = 60
"""Degrees off the front from which an approach is in flank (KS-FLK-01)."""

REAR_ANGLE = 135
"""Degrees from which it is in rear (KS-FLK-01)."""

FLANK_COUNTS = 2
"""How often a body in flank or rear counts (KS-FLK-01)."""

FLANK_FROM: Mapping[str, int] = {"cavalry": 600, "infantry": 300}
"""Paces within which the attacker made for the flank of infantry (KS-FLK-02)."""

BATTERY_IN_FLANK: Mapping[str, Mapping[str, Pair]] = {
    "foot": {"half_battalions": (1, 1), "squadrons": (1, 2)},
    "horse": {"half_battalions": (1, 1), "squadrons": (1, 1)},
}
"""What takes a battery from flank or rear without a throw (KS-FLK-03)."""

CAVALRY_ON_COLUMN: Mapping[int, str] = {1: "V", 2: "III", 3: "II", 4: "II"}
"""The die for a battalion in attack column, by squadrons (KS-CAV-01)."""

HALF_BATTALION_COLUMN = 2
"""What each squadron counts against a half battalion alone (KS-CAV-01)."""

CAVALRY_ON_MASS: tuple[tuple[Pair, str], ...] = (((2, 1), "III"), ((4, 3), "IV"), ((0, 1), "V"))
"""The die for a mass, from so many squadrons for each battalion (KS-CAV-02)."""

CAVALRY_ON_LINE: Mapping[int, str] = {1: "V", 2: "IV", 3: "III", 4: "III"}
"""The die for a line with secure flanks, by squadrons for each battalion (KS-CAV-03)."""

SECURE_FLANK: Pair = (150, 10)
"""A flank is secure on squares or a second line within so many paces, on a height above so many degrees (KS-CAV-03)."""

RALLYING_SQUARES = 2
"""What skirmishers count that reach their supports (KS-CAV-05)."""

# The second line

SECOND_LINE: Mapping[str, Pair] = {"cavalry": (400, 800), "infantry": (150, 400)}
"""Paces behind the first at which a line is its second (KS-SEC-01)."""

SECOND_OVERLAP: Pair = (1, 2)
"""The part of the front that it must overlap (KS-SEC-01)."""

SECOND_COUNTS: Pair = (1, 2)
"""What its squadrons count against a single line of about equal number (KS-SEC-06)."""

ABOUT_EQUAL: Pair = (1, 6)
"""The difference up to which numbers are about equal (KS-SEC-06)."""

REACH_FRONT = 100
"""Paces beyond the ends of the first line within which squadrons reach it (KS-SEC-05, KS-SEC-06)."""

RESERVE_PURSUES = "III"
"""The die of a reserve line that takes up the pursuit (KS-SEC-04)."""

# Batteries


class Battery(NamedTuple):
    """How an attack on a battery is decided."""

    die: str | None
    """None: without a throw."""
    black: str
    """Who wins on black, or without a throw."""


BATTERY: Mapping[str, Battery] = {
    "A1": Battery(None, "attackers"),
    "A2": Battery("III", "attackers"),
    "A3": Battery("II", "attackers"),
    "A4": Battery("II", "battery"),
    "B1": Battery("I", "attackers"),
    "B2": Battery("III", "battery"),
}
"""The situations of ¶65: isolated and firing to the front only, against a battalion or two squadrons spread out, half
of that, less, on narrow ground; covering its flank, on open and on narrow ground (KS-BAT-01, KS-BAT-02)."""

SPREAD_OUT: Mapping[str, Mapping[str, int]] = {
    "whole": {"half_battalions": 2, "squadrons": 2},
    "half": {"half_battalions": 1, "squadrons": 1},
    "least": {"zugs": 1, "riders": 20},
}
"""The troops of those situations (KS-BAT-01)."""

OCCUPY_BATTERY: Mapping[str, int] = {"zugs": 4, "squadrons": 1}
"""Skirmishers that keep a battery occupied while its support is fought (KS-BAT-03)."""

ESCORT_NEAR = 200
"""Paces from the guns within which a covering unit is their escort (KS-BAT-06)."""

TAKEN_FOR_GOOD = 4
"""Moves in enemy hands after which a battery is out for the game (KS-BAT-05)."""

RETAKEN_OUT = 30
"""Moves that one retaken earlier is out of action (KS-BAT-05)."""

CARRY_OFF: Mapping[str, int] = {"men": 20, "paces": 100}
"""What carries off a gun, and how far in a move (KS-BAT-05)."""

# Surprise and capture

SURPRISE_DIE: Mapping[str, str] = {"without_guns": "I", "with_guns": "II"}
"""The die of a surprise; black is for the attack (KS-SUR-02)."""

SURPRISE: Mapping[str, int] = {
    "ratio": 2,
    "unseen_moves": 2,
    "told_within": 600,
    "doubled_moves": 3,
    "unattacked_moves": 5,
}
"""When troops are surprised, and for how long it tells (KS-SUR-01, KS-SUR-02)."""

SURROUNDED: Mapping[str, int] = {"ratio": 3, "help": 1500, "ways": 800, "touch": 200}
"""How many times stronger the surrounders are, and in paces what is no help, what ways are cut, what gaps may be
between them (KS-PRI-01)."""

SURROUNDED_DIE = "III"
"""Black: capture begins (KS-PRI-01)."""

ESCORT: Pair = (1, 10)
"""The escort as a part of the prisoners (KS-PRI-04)."""

TABLE_RULES = charts(
    {
        "CONTACT": "KS-TUR-04 KS-ATK-01",
        "DECLARED_AT": "KS-ATK-01",
        "STRIKE": "KS-ODD-05",
        "BAYONETS": "KS-ATK-02",
        "TURN_ABOUT": "KS-ATK-02",
        "BESIDE": "KS-ATK-08",
        "HALT_TO_FIRE": "KS-ATK-09",
        "CHARGE_FROM": "KS-ATK-09",
        "CONTACT_BAND": "KS-ATK-06",
        "WINNER_BEYOND": "KS-ATK-11",
        "WINNER_REFORMS": "KS-ATK-11",
        "CANISTER_TEST": "KS-ATK-04",
        "PREPARED_MOVES": "KS-ODD-04",
        "PREPARED_LOSS": "KS-ODD-04",
        "SUPPORT_NEAR": "KS-ODD-03",
        "ODDS_BY_DIFFERENCE": "KS-ODD-02",
        "MOST_INDEX": "KS-ODD-02",
        "FOREGONE_LETTER": "KS-ODD-02",
        "ZUG_STRENGTH": "KS-ODD-01",
        "SQUADRON_STRENGTH": "KS-ODD-01",
        "WEAKEST_SQUADRON": "KS-ODD-01",
        "POINTS": (
            "KS-ATK-05 KS-ODD-03 KS-ODD-04 KS-ODD-05 KS-ODD-06 KS-ODD-07 KS-ODD-09 KS-ODD-10 KS-SEC-09 KS-RET-06 "
            "KS-RET-09 KS-STR-07"
        ),
        "NEAR_INFANTRY": "KS-ODD-05",
        "STATES": "KS-ATK-07",
        "WORSE": "KS-ODD-07 KS-ODD-11 KS-RET-02 KS-RET-04",
        "MASS_FAILS": "KS-ODD-09",
        "LINE_BEATEN": "KS-ODD-08",
        "CAVALRY_FAILS": "KS-CAV-01 KS-CAV-02",
        "RALLY_DISTANCE": "KS-CMD-03",
        "THROUGH_RESERVE": "KS-RET-06",
        "REFUGE_MOVES": "KS-RET-09",
        "TRAPPED": "KS-RET-08",
        "TRAPPED_FIRE": "KS-RET-08",
        "TRAPPED_FRIEND": "KS-RET-08",
        "FLANK_ANGLE": "KS-FLK-01",
        "REAR_ANGLE": "KS-FLK-01",
        "FLANK_COUNTS": "KS-FLK-01",
        "FLANK_FROM": "KS-FLK-02",
        "BATTERY_IN_FLANK": "KS-FLK-03",
        "CAVALRY_ON_COLUMN": "KS-CAV-01",
        "HALF_BATTALION_COLUMN": "KS-CAV-01",
        "CAVALRY_ON_MASS": "KS-CAV-02",
        "CAVALRY_ON_LINE": "KS-CAV-03",
        "SECURE_FLANK": "KS-CAV-03",
        "RALLYING_SQUARES": "KS-CAV-05",
        "SECOND_LINE": "KS-SEC-01 KS-SEC-07 KS-SEC-08",
        "SECOND_OVERLAP": "KS-SEC-01",
        "SECOND_COUNTS": "KS-SEC-06",
        "ABOUT_EQUAL": "KS-SEC-06",
        "REACH_FRONT": "KS-SEC-05 KS-SEC-06",
        "RESERVE_PURSUES": "KS-SEC-04",
        "BATTERY": "KS-BAT-01 KS-BAT-02",
        "SPREAD_OUT": "KS-BAT-01",
        "OCCUPY_BATTERY": "KS-BAT-03",
        "ESCORT_NEAR": "KS-BAT-06",
        "TAKEN_FOR_GOOD": "KS-BAT-05",
        "RETAKEN_OUT": "KS-BAT-05",
        "CARRY_OFF": "KS-BAT-05",
        "SURPRISE_DIE": "KS-SUR-02",
        "SURPRISE": "KS-SUR-01 KS-SUR-02",
        "SURROUNDED": "KS-PRI-01",
        "SURROUNDED_DIE": "KS-PRI-01",
        "ESCORT": "KS-PRI-04",
    }
)
"""Which rules each table plays."""
