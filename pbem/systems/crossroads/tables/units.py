"""Troops: sides, strengths, morale levels, bases and markers, officers, and the deck; inches, figures and cards."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pbem.rules.ledger import charts

NATION_SIDE: Mapping[str, str] = {
    "french": "french",
    "prussian": "german",
    "bavarian": "german",
    "austrian": "german",
}
"""The side of each nation, the Austrians' unless an option has it otherwise (GC-LVL-03)."""

ARMS: Mapping[str, tuple[str, ...]] = {
    "french": ("infantry", "cavalry", "artillery", "mg"),
    "prussian": ("infantry", "cavalry", "artillery"),
    "bavarian": ("infantry", "cavalry", "artillery"),
    "austrian": ("infantry", "cavalry", "artillery"),
}
"""The types of unit that a nation has in the charts (GC-LVL-02, GC-FIR-01)."""

SUBTYPES: Mapping[str, tuple[str, ...]] = {
    "french": ("line", "chasseur", "zouave"),
    "prussian": ("line", "jaeger"),
    "bavarian": ("line", "jaeger"),
    "austrian": ("line", "jaeger"),
}
"""What the infantry of a nation may be (GC-LVL-02)."""

STRENGTH: Mapping[str, Mapping[str, int]] = {
    "french": {"infantry": 20, "cavalry": 12, "artillery": 12, "mg": 12},
    "prussian": {"infantry": 24, "cavalry": 12, "artillery": 12},
    "bavarian": {"infantry": 24, "cavalry": 12, "artillery": 12},
    "austrian": {"infantry": 24, "cavalry": 12, "artillery": 12},
}
"""Figures of a full unit by nation and type (GC-LVL-02)."""

STRENGTH_OF: Mapping[str, int] = {"zouave": 24, "chasseur": 24}
"""Figures of the infantry that is not as its nation's line (GC-LVL-02)."""

BASES = 4
"""Bases of a unit, each of a quarter of its strength (GC-LVL-01)."""

LEVELS: Mapping[int, tuple[int, ...]] = {20: (0, 5, 10, 15, 20), 24: (0, 6, 12, 18, 24), 12: (0, 3, 6, 9, 12)}
"""By strength, the losses at which levels 0 to 3 begin, and at which the unit is destroyed (GC-LVL-01)."""

MARKERS: Mapping[str, str] = {
    "shaken": "blue",
    "withdrawn": "white",
    "routed": "red",
    "green": "green",
    "skirmish": "yellow",
    "prone": "brown",
}
"""The colour of each marker (GC-LVL-04)."""

STATUS_MARKERS = ("shaken", "withdrawn", "routed")
"""Of these a unit has one at most, the worst last (GC-LVL-04, GC-MOR-08)."""

# Footprints

FORMATIONS: Mapping[str, tuple[str, ...]] = {
    "infantry": ("line", "column", "skirmish"),
    "cavalry": ("line", "column"),
    "artillery": ("deployed", "limbered"),
    "mg": ("deployed", "limbered"),
}
"""The formations of each type (GC-GEO-01, GC-MOV-06)."""

BASE_SIZE: Mapping[str, tuple[Fraction, Fraction]] = {
    "infantry": (Fraction(2), Fraction(3, 2)),
    "cavalry": (Fraction(2), Fraction(2)),
    "artillery": (Fraction(2), Fraction(2)),
    "mg": (Fraction(2), Fraction(2)),
}
"""Width and depth of a base in inches (GC-GEO-01)."""


class Footprint(NamedTuple):
    """The ground that a formation takes, behind the centre of its front edge; inches."""

    width: Fraction
    depth: Fraction


FOOTPRINTS: Mapping[str, Mapping[str, Footprint]] = {
    "infantry": {
        "line": Footprint(Fraction(8), Fraction(3, 2)),
        "column": Footprint(Fraction(4), Fraction(3)),
        "skirmish": Footprint(Fraction(11), Fraction(3, 2)),
    },
    "cavalry": {
        "line": Footprint(Fraction(8), Fraction(2)),
        "column": Footprint(Fraction(4), Fraction(4)),
    },
    "artillery": {
        "deployed": Footprint(Fraction(4), Fraction(2)),
        "limbered": Footprint(Fraction(2), Fraction(4)),
    },
    "mg": {
        "deployed": Footprint(Fraction(4), Fraction(2)),
        "limbered": Footprint(Fraction(2), Fraction(4)),
    },
}
"""Footprints by type and formation, whole whatever the losses (GC-GEO-01)."""

# Officers

ZOC: Mapping[str, int] = {"french": 6, "prussian": 9, "bavarian": 6, "austrian": 6}
"""Inches within which a mounted officer helps units of his nation (GC-ACT-02)."""

OFFICER_MOVES: Mapping[str, int | None] = {"french": 18, "prussian": 18, "bavarian": None, "austrian": None}
"""Inches that a mounted officer moves by himself in a turn; None: only with his unit (GC-ACT-02)."""

ATTACHED_WITHIN = 1
"""Inches from a unit's footprint at which an officer is attached to it (GC-ACT-02)."""

LEADING_NATION = "prussian"
"""The nation whose officers move several units on one card (GC-ACT-03)."""

LED_UNITS = 3
"""The most units that an officer moves on one card (GC-ACT-03)."""

GREEN_FIRE: Mapping[str, Fraction] = {"half": Fraction(1, 2), "full": Fraction(1)}
"""By option, the share of its dice that a unit fires that an officer has moved (GC-ACT-03)."""

HALF = Fraction(1, 2)
"""The share of move or dice in each half of an activation; dice are rounded up (GC-ACT-01)."""

OFFICER_RIDES = 18
"""Inches to the nearest friend to which an officer who is touched alone can ride (GC-OFF-01)."""

# Cards

SUITS: Mapping[str, tuple[str, str]] = {"french": ("H", "D"), "german": ("S", "C")}
"""The suits of each side in the order in which they are dealt to its units: red and black (GC-CRD-01)."""

CARD_COLOURS: Mapping[str, str] = {"french": "red", "german": "black"}
"""The colour of a side's cards (GC-CRD-01)."""

CARDS_IN_SUIT = 13
"""Cards of a suit, the ace first; past two suits a second pack's are used (GC-CRD-01)."""

JOKERS: Mapping[str, str] = {"Joker": "german", "Joker*": "controller"}
"""Who acts with each joker (GC-CRD-02)."""

MOST_ACTIVATIONS = 2
"""Activations of a unit in a turn, its own card's and a joker's (GC-CRD-02)."""

CONTROL_DIE = 10
"""The die of which each side rolls one for the control of the deck (GC-CRD-03)."""

FIRST_CONTROL = "french"
"""Who keeps the deck at a tie of the first turn (GC-CRD-03)."""

TABLE_RULES = charts(
    {
        "NATION_SIDE": "GC-LVL-03",
        "ARMS": "GC-LVL-02 GC-FIR-01",
        "SUBTYPES": "GC-LVL-02",
        "STRENGTH": "GC-LVL-02",
        "STRENGTH_OF": "GC-LVL-02",
        "BASES": "GC-LVL-01",
        "LEVELS": "GC-LVL-01",
        "MARKERS": "GC-LVL-04",
        "STATUS_MARKERS": "GC-LVL-04 GC-MOR-08",
        "FORMATIONS": "GC-GEO-01 GC-MOV-06",
        "BASE_SIZE": "GC-GEO-01",
        "FOOTPRINTS": "GC-GEO-01",
        "ZOC": "GC-ACT-02",
        "OFFICER_MOVES": "GC-ACT-02",
        "ATTACHED_WITHIN": "GC-ACT-02",
        "LEADING_NATION": "GC-ACT-03",
        "LED_UNITS": "GC-ACT-03",
        "GREEN_FIRE": "GC-ACT-03",
        "HALF": "GC-ACT-01",
        "OFFICER_RIDES": "GC-OFF-01",
        "SUITS": "GC-CRD-01",
        "CARD_COLOURS": "GC-CRD-01",
        "CARDS_IN_SUIT": "GC-CRD-01",
        "JOKERS": "GC-CRD-02",
        "MOST_ACTIVATIONS": "GC-CRD-02",
        "CONTROL_DIE": "GC-CRD-03",
        "FIRST_CONTROL": "GC-CRD-03",
    }
)
"""Which rules each chart plays."""
