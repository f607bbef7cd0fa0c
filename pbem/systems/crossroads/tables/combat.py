"""Fire, charge and melee: dice by morale level, faces that hit, modifiers; inches and faces of the D10."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pbem.rules.ledger import charts

Levels = tuple[int, int, int, int]
"""Dice at morale levels 0 to 3."""

HIT_DIE = 10
"""The die of fire and melee (GC-FIR-01, GC-MEL-01)."""

# Fire

FIRING_DICE: Mapping[str, Levels] = {
    "French infantry": (8, 6, 4, 2),
    "Prussian infantry": (6, 5, 3, 2),
    "French artillery": (6, 5, 3, 2),
    "Prussian artillery": (8, 6, 4, 2),
    "French MG": (8, 6, 4, 2),
}
"""Dice of a volley by row and level (GC-FIR-01)."""

FIRE_ROW: Mapping[str, Mapping[str, str]] = {
    "french": {"infantry": "French infantry", "artillery": "French artillery", "mg": "French MG"},
    "prussian": {"infantry": "Prussian infantry", "artillery": "Prussian artillery"},
    "bavarian": {"infantry": "Prussian infantry", "artillery": "Prussian artillery"},
    "austrian": {"infantry": "Prussian infantry", "artillery": "Prussian artillery"},
}
"""The row of both firing charts by nation and type; cavalry does not fire (GC-FIR-01)."""

SITUATIONS = ("column", "line", "skirmish", "far", "cover", "cover_far")
"""The columns of the firing chart (GC-FIR-02)."""


class Firing(NamedTuple):
    """A row of the firing chart: the lowest face that hits by the target's situation, and the range in inches."""

    column: int
    """Column or limbered, in the open within half range."""
    line: int
    skirmish: int
    """Skirmish order, prone, deployed artillery or MG."""
    far: int
    """In the open, beyond half range."""
    cover: int
    """Woods or cover of any kind, within half range."""
    cover_far: int
    range: int


FIRING: Mapping[str, Firing] = {
    "French infantry": Firing(4, 5, 6, 7, 7, 9, 18),
    "Prussian infantry": Firing(4, 5, 6, 9, 7, 9, 9),
    "French artillery": Firing(4, 7, 8, 9, 8, 9, 36),
    "Prussian artillery": Firing(3, 5, 6, 7, 6, 8, 48),
    "French MG": Firing(3, 5, 6, 7, 7, 9, 18),
}
"""The firing chart (GC-FIR-02)."""

HALF_RANGE = Fraction(1, 2)
"""The part of the range beyond which a target is far (GC-FIR-02)."""

FIRE_COLUMN_DICE = -2
"""Dice of a firer in column (GC-FIR-03)."""

FIRE_HALVES: Mapping[str, Fraction] = {
    "withdrawn": Fraction(1, 2),
    "half": Fraction(1, 2),
    "green": Fraction(1, 2),
}
"""What halves a volley, one after another, each rounded up (GC-FIR-03)."""

FEWEST_FIRING = 1
"""Dice below which there is no fire (GC-FIR-03)."""

JAM_DIE = 6
"""The red die of a MG's volley (GC-FIR-06)."""

JAM_FACE = 6
"""Its face that jams the MG (GC-FIR-06)."""

OFFICER_DIE = 10
"""The die for an officer whose unit has taken hits (GC-FIR-07)."""

OFFICER_KILLED: Mapping[str, int] = {"infantry": 10, "mg": 10, "artillery": 9, "melee": 9}
"""The lowest face that kills him, by what hit (GC-FIR-07, GC-OFF-01)."""

# Charge

VOLLEY_EVERY = 5
"""Inches that a charge covers for each volley of its target (GC-CHG-02)."""

FARTHEST_CHARGE = 24
"""Inches beyond which a charge order is refused on receipt (GC-CHG-01)."""

CHARGE_LEVELS = (0, 1, 2)
"""The morale levels at which a unit may charge (GC-CHG-01)."""

CHARGERS = ("infantry", "cavalry")
"""The types that may charge (GC-CHG-01)."""

SURRENDERS = ("artillery", "mg")
"""The types that surrender when a charge touches them (GC-CHG-04, GC-CHG-06)."""

# Melee

MELEE_DICE: Mapping[str, Levels] = {
    "French Zouaves": (8, 6, 4, 2),
    "All other infantry": (6, 5, 3, 2),
    "Cavalry": (12, 10, 6, 4),
}
"""Dice of a round by row and level; artillery and MG surrender if contacted (GC-MEL-01)."""

MELEE_HIT = 8
"""The lowest face that hits (GC-MEL-01)."""

MELEE_MODIFIERS: Mapping[str, int] = {
    "charging": 2,
    "french_cover": 3,
    "hard_cover": 2,
    "soft_cover": 1,
    "elevation": 1,
    "cavalry_against_infantry": 2,
    "against_cover": -1,
    "against_elevation": -1,
    "shaken": -1,
    "prussian_later_rounds": 2,
}
"""Dice more or fewer (GC-MEL-02)."""

MELEE_HALVES: Mapping[str, Fraction] = {"withdrawn": Fraction(1, 2)}
"""What halves the dice last, rounded up (GC-MEL-02)."""

FEWEST_MELEE = 1
"""Dice that a unit has at least in a round (GC-MEL-02)."""

PRUSSIAN_ROUND = 2
"""The round from which Prussian infantry has its dice more (GC-MEL-02)."""

DRAWN_FALL_BACK = 3
"""Inches that the attacker falls back after the last round (GC-MEL-03)."""

AFTER_MELEE_FIRE = Fraction(1, 2)
"""The share of its dice that the winner fires (GC-MEL-05)."""

# Victory


class Points(NamedTuple):
    """What is counted at the end, for the other side."""

    lost: int
    """A unit destroyed, surrendered, or gone from the table withdrawn or routed."""
    routed: int
    """A unit routed at the end."""
    level_3: int
    """A unit at level 3 at the end that is not routed."""
    guns_captured: int
    """A battery or MG captured, instead of `lost`."""
    officer: int
    """A mounted officer killed."""
    exit: int
    """A German unit gone by the South Road Exit, by order; for the Germans."""


POINTS = Points(lost=2, routed=1, level_3=1, guns_captured=3, officer=2, exit=2)
"""Victory points beside those of the places that a scenario names (GC-WIN-01)."""

HELD_WITHIN = 3
"""Inches from a place within which a unit holds it (GC-WIN-01)."""

EXIT_WITHIN = 2
"""Inches from the exit within which a unit leaves by it (GC-WIN-01)."""

VICTORY_MARGIN = 5
"""Points by which a victory is full; with fewer it is marginal, with none a draw (GC-WIN-01)."""

TABLE_RULES = charts(
    {
        "HIT_DIE": "GC-FIR-01 GC-MEL-01",
        "FIRING_DICE": "GC-FIR-01",
        "FIRE_ROW": "GC-FIR-01",
        "SITUATIONS": "GC-FIR-02",
        "FIRING": "GC-FIR-02",
        "HALF_RANGE": "GC-FIR-02",
        "FIRE_COLUMN_DICE": "GC-FIR-03",
        "FIRE_HALVES": "GC-FIR-03",
        "FEWEST_FIRING": "GC-FIR-03",
        "JAM_DIE": "GC-FIR-06",
        "JAM_FACE": "GC-FIR-06",
        "OFFICER_DIE": "GC-FIR-07",
        "OFFICER_KILLED": "GC-FIR-07 GC-OFF-01",
        "VOLLEY_EVERY": "GC-CHG-02",
        "FARTHEST_CHARGE": "GC-CHG-01",
        "CHARGE_LEVELS": "GC-CHG-01",
        "CHARGERS": "GC-CHG-01",
        "SURRENDERS": "GC-CHG-04 GC-CHG-06",
        "MELEE_DICE": "GC-MEL-01",
        "MELEE_HIT": "GC-MEL-01",
        "MELEE_MODIFIERS": "GC-MEL-02",
        "MELEE_HALVES": "GC-MEL-02",
        "FEWEST_MELEE": "GC-MEL-02",
        "PRUSSIAN_ROUND": "GC-MEL-02",
        "DRAWN_FALL_BACK": "GC-MEL-03",
        "AFTER_MELEE_FIRE": "GC-MEL-05",
        "POINTS": "GC-WIN-01",
        "HELD_WITHIN": "GC-WIN-01",
        "EXIT_WITHIN": "GC-WIN-01",
        "VICTORY_MARGIN": "GC-WIN-01",
    }
)
"""Which rules each chart plays."""
