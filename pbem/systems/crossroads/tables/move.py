"""The movement chart and what moving costs; inches, and parts of the base allowance or of the inches walked."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pbem.rules.ledger import charts

DIE_TURNS = "1d6 turns"
"""A cost that a die names (GC-MOV-03)."""


class March(NamedTuple):
    """A row of the movement chart; None: not at all."""

    line: int | None
    column: int | None
    """Column, skirmish order or limbered."""
    officer: int | None
    linear: Fraction | str
    """The part of the base that a linear obstacle takes, or the die for it."""
    change: Fraction
    """The part of the activation that a change of formation takes."""
    charge: int | None
    withdraw: int
    rout: int


MOVEMENT: Mapping[str, March] = {
    "french": March(6, 9, 18, Fraction(1, 2), Fraction(1, 2), 12, 6, 12),
    "austrian": March(6, 9, None, Fraction(1, 2), Fraction(1, 2), 12, 6, 12),
    "prussian": March(9, 12, 18, Fraction(1, 2), Fraction(1, 2), 12, 6, 12),
    "bavarian": March(9, 12, None, Fraction(1, 2), Fraction(1, 2), 12, 6, 12),
    "cavalry": March(12, 18, None, DIE_TURNS, Fraction(1), 18, 9, 18),
    "artillery": March(None, 9, None, DIE_TURNS, Fraction(1, 2), None, 6, 12),
    "mg": March(None, 12, None, DIE_TURNS, Fraction(1, 2), None, 6, 12),
}
"""The movement chart; the rows of nations are their infantry, artillery and MG share one printed row (GC-MOV-01)."""

GUNS_BY_NATION: Mapping[str, int] = {"french": 9, "austrian": 9, "prussian": 12, "bavarian": 12}
"""The limbered move by the option `artillery_move` = `by_nation` (GC-MOV-01)."""

CROSSING_DIE = 6
"""The die that says how many activations cavalry and guns need at a linear obstacle (GC-MOV-03)."""

DIFFICULT: Mapping[str, Fraction] = {"all": Fraction(2), "light": Fraction(3, 2)}
"""What each inch of difficult ground costs, and what it costs light infantry and jaegers (GC-MOV-02)."""

PASSING_FRIEND = Fraction(1, 3)
"""The part of the base that passing through a friendly unit takes (GC-MOV-02)."""

CONTOUR = Fraction(1, 3)
"""The part of the base that each hill contour takes, up or down (GC-MOV-02)."""

ROAD_BONUS = Fraction(1, 3)
"""The part of the base that is added if the whole move is on a road in column or limbered (GC-MOV-02)."""

FRONT_ARC = 45
"""Degrees to each side of the facing within which a unit fires and a move forward starts (GC-MOV-04, GC-MOV-07)."""

REAR_ARC = 135
"""Degrees off the facing beyond which an enemy is in the rear; between the arcs lies the flank (GC-MOR-03)."""

FREE_WHEEL = 45
"""Degrees that column, skirmish order and limbered guns wheel without cost (GC-MOV-04)."""

WHEEL_DEGREES_AN_INCH = 15
"""Degrees that a line wheels for an inch of its move (GC-MOV-04)."""

LARGEST_WHEEL = 90
"""Degrees of a wheel that can be ordered (GC-MOV-04)."""

BIG_TURN = Fraction(1, 2)
"""The part of the base that a turn beyond the free wheel takes, or an about-turn (GC-MOV-04)."""

BACKWARDS = Fraction(1, 2)
"""The part of its speed at which a unit goes backwards (GC-MOV-04)."""

ENEMY_GAP = Fraction(1)
"""Inches from an enemy at which a move stops that is no charge (GC-MOV-05)."""

CHARGE_GAP = Fraction(1, 10)
"""Inches from an enemy at which one that charges or flees touches him (GC-GEO-01, GC-CHG-06, GC-CHG-07)."""

STEP = Fraction(1, 10)
"""Inches of the steps in which a move is walked, and to which positions are rounded (GC-GEO-01)."""

CLOSED: Mapping[str, tuple[str, ...]] = {
    "artillery": ("woods", "town"),
    "mg": ("woods", "town"),
    "cavalry line": ("woods", "town"),
}
"""Ground that is closed to a type, or to a formation of it (GC-MOV-05)."""

COVER: Mapping[str, str] = {
    "wall": "hard",
    "trench": "hard",
    "hedge": "soft",
    "railway": "soft",
    "stream": "none",
    "road": "none",
}
"""The cover of a line for a unit within `LINE_COVER_WITHIN` behind it (GC-FIR-02)."""

LINE_COVER_WITHIN = 1
"""Inches behind a line that gives cover (GC-FIR-02)."""

OBSTACLES = ("wall", "hedge", "trench", "railway", "stream")
"""Lines that cost movement to cross, but for a stream at its crossings (GC-MOV-02)."""

CREST_WITHIN = 2
"""Inches from a crest line within which a unit stands on the crest (GC-MOV-07)."""

WOODS_SIGHT = 3
"""Inches of sight and fire inside woods (GC-MOV-07)."""

WOODS_EDGE = 1
"""Inches inside an edge of woods or town from which one sees out and is seen (GC-MOV-07)."""

MOST_MOVE = Fraction(4, 3)
"""The greatest part of the base that can be ordered: the base and the road bonus (GC-MOV-02)."""

TABLE_RULES = charts(
    {
        "DIE_TURNS": "GC-MOV-03",
        "MOVEMENT": "GC-MOV-01",
        "GUNS_BY_NATION": "GC-MOV-01",
        "CROSSING_DIE": "GC-MOV-03",
        "DIFFICULT": "GC-MOV-02",
        "PASSING_FRIEND": "GC-MOV-02",
        "CONTOUR": "GC-MOV-02",
        "ROAD_BONUS": "GC-MOV-02",
        "FRONT_ARC": "GC-MOV-04 GC-MOV-07",
        "REAR_ARC": "GC-MOR-03",
        "FREE_WHEEL": "GC-MOV-04",
        "WHEEL_DEGREES_AN_INCH": "GC-MOV-04",
        "LARGEST_WHEEL": "GC-MOV-04",
        "BIG_TURN": "GC-MOV-04",
        "BACKWARDS": "GC-MOV-04",
        "ENEMY_GAP": "GC-MOV-05",
        "CHARGE_GAP": "GC-GEO-01 GC-CHG-06 GC-CHG-07",
        "STEP": "GC-GEO-01",
        "CLOSED": "GC-MOV-05",
        "COVER": "GC-FIR-02",
        "LINE_COVER_WITHIN": "GC-FIR-02",
        "OBSTACLES": "GC-MOV-02",
        "CREST_WITHIN": "GC-MOV-07",
        "WOODS_SIGHT": "GC-MOV-07",
        "WOODS_EDGE": "GC-MOV-07",
        "MOST_MOVE": "GC-MOV-02",
    }
)
"""Which rules each chart plays."""
