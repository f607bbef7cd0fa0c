"""Strongholds, bridges, obstacles, boats: troops needed, dice, moves of work; paces, fractions as pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

# Strongholds


class Needed(NamedTuple):
    """Paces of the attacked side for each battalion."""

    defender: Pair
    """For a full defence, and the most that a battalion can hold adequately."""
    attacker: int


TROOPS_NEEDED: Mapping[str, Needed] = {"outskirts": Needed((400, 600), 400), "field_work": Needed((300, 400), 200)}
"""Adequate troops, by place; a defile has a rule of its own (KS-STR-01)."""

DEFILE_NEEDED: Mapping[str, int] = {"widest": 60, "half_battalions": 1, "zugs": 2}
"""What holds a defile up to so wide (KS-STR-01, KS-BRG-11)."""

SECTOR: Mapping[str, int] = {"angle": 60, "reach": 300, "least": 200}
"""The attacked side: outline within so many degrees of the attack and so many paces of its aim, at least so long
(KS-STR-01)."""

DEFENCES: Mapping[str, str] = {
    "wood edge": "light",
    "hedge": "light",
    "village, light fencing": "light",
    "road with side ditches": "light",
    "incline 15 to under 20": "light",
    "bridge over a small stream or ditch": "light",
    "ford covered by troops": "light",
    "sunken road covered by troops": "light",
    "village, solid defences": "strong",
    "town wall not built for defence": "strong",
    "dike": "strong",
    "field work, hasty": "strong",
    "wet ditch": "strong",
    "stream hard to wade": "strong",
    "incline 20 to under 25": "strong",
    "barricaded entrance or defile": "strong",
    "bridge over a river of 50 paces or more": "strong",
    "town, strengthened outskirts": "fortified",
    "town wall built for defence": "fortified",
    "field work, fully built": "fortified",
    "incline 25 and over": "fortified",
    "town entrance with gateway or barricade": "fortified",
}
"""The class of a position (KS-STR-02)."""

INCLINE_CLASSES: tuple[tuple[int, str], ...] = ((15, "light"), (20, "strong"), (25, "fortified"))
"""Degrees from which an incline is of a class (KS-STR-02)."""

WIDE_RIVER = 50
"""Paces of water from which a bridge over it is strong (KS-STR-02)."""

DEFENCE_CLASSES = ("light", "strong", "fortified")
"""The classes, from the weakest (KS-STR-02)."""

STRONGHOLD_COLUMNS = (
    ("light", 2),
    ("light", 1),
    ("strong", 2),
    ("strong", 1),
    ("fortified", 2),
    ("fortified", 1),
)
"""The columns of the table: the class, and how many moves it has been held (2: or more) (KS-STR-03)."""

_STRONGHOLD_AS_PRINTED = """
fresh 1   II    I     III   II    V     II
fresh 2   I     I     II    I     III   II
fresh 3   II*   II*   I     II*   I     I
fresh 4   III*  III*  II*   III*  II*   II*
fresh 5   IV*   IV*   III*  IV*   III*  III*
tired 1   II    I     III   II    V     II
tired 2   II    II    III   II    V     III
tired 3   III   III   IV    III   V     IV
"""


class Assault(NamedTuple):
    """A cell of the table of strongholds."""

    die: str
    favours: str
    """Who has black: defender or attacker."""


def _assaults(printed: str) -> dict[str, dict[int, dict[tuple[str, int], Assault]]]:
    found: dict[str, dict[int, dict[tuple[str, int], Assault]]] = {}
    for line in printed.strip().splitlines():
        troops, number, *cells = line.split()
        dice = [Assault(cell.rstrip("*"), "attacker" if cell.endswith("*") else "defender") for cell in cells]
        found.setdefault(troops, {})[int(number)] = dict(zip(STRONGHOLD_COLUMNS, dice, strict=True))
    return found


STRONGHOLD: Mapping[str, Mapping[int, Mapping[tuple[str, int], Assault]]] = _assaults(_STRONGHOLD_AS_PRINTED)
"""The die of an attack by troops, its number (the last stands for all that follow) and column (KS-STR-03)."""

ATTACKS_FORGOTTEN = 5
"""Moves without an attack after which the count starts again (KS-STR-04)."""

PAUSE = 1
"""Moves that must lie between attacks, else the number does not rise (KS-STR-04)."""

FRESH_MOVES = 10
"""Troops are fresh that have not attacked here in so many moves and are not tired (KS-STR-03)."""

TOO_FEW: Mapping[str, tuple[Pair, int]] = {"defender": ((1, 3), 1), "attacker": ((1, 4), -1)}
"""Below strength by this part: points of the attacker; the attacker's for each full such part (KS-STR-05)."""

DISMOUNTED: Pair = (4, 1)
"""So many squadrons on foot are so many half battalions (KS-STR-06)."""

STRONGHOLD_CANISTER = 2
"""Moves under canister that give the attacker a point (KS-STR-07)."""

STRONGHOLD_LOSS: Mapping[str, int] = {"attack_fails": 15, "attack_succeeds": 18}
"""Points for each block of the defender (KS-STR-09)."""

STRONGHOLD_FIRE: tuple[str, str, int] = ("II", "right", 2)
"""Die, side and number that the attackers lose for each two zugs of the defender (KS-STR-09)."""

LEAST_ZUGS = 2
"""Zugs counted for each half battalion that defends (KS-STR-09)."""

# Bridges

FEET_A_PACE: Pair = (12, 5)
"""Prussian feet in a pace (KS-MAP-01)."""

PONTOON_SECTION = 50
"""Feet of bridge for each stretch of work (KS-BRG-01)."""

PONTOON_MOVES: Mapping[str, int | None] = {
    "usual": 10,
    "under_ball": 12,
    "in_the_water": 8,
    "joined": 6,
    "under_canister": None,
}
"""Moves of a section; None: the work stops (KS-BRG-01)."""

DISMANTLE: Pair = (10, 10)
"""Moves for so many pontoons (KS-BRG-01)."""

PONTOON_FEET = 15
"""Feet of bridge that a pontoon carries (KS-BRG-01)."""

FLOATING_SECTION = 25
"""Paces of floating bridge for each stretch of work (KS-BRG-02)."""

FLOATING_MOVES: Mapping[str, int] = {"infantry": 15, "all": 30}
"""Moves of a section, by whom the bridge is for (KS-BRG-02)."""

FLOATING_NEAR = 300
"""Paces from a town or village within which it can be built (KS-BRG-02)."""

FLOATING_WIDE: Mapping[str, int] = {"width": 50, "wide": 2, "rapid_or_far": 3}
"""Wider than so many paces the time is so many times as long (KS-BRG-02)."""

TRESTLE_COLLECTING: Mapping[str, int] = {"train": 0, "pioneers": 45, "carpenters": 90}
"""Moves in which material is brought together, by who is there (KS-BRG-03)."""

PREPARING: Mapping[str, Mapping[str, int]] = {
    "blowing": {"untimed": 30, "timed": 90},
    "burning": {"untimed": 30, "timed": 90},
}
"""Moves of preparation (KS-BRG-04, KS-BRG-05)."""

MATCH = 3
"""Moves that the match of an untimed charge takes (KS-BRG-04)."""

POWDER_NEAR = 300
"""Paces within which pioneers or a powder wagon must be (KS-BRG-04)."""

BURNING: Mapping[str, int] = {"put_out_within": 5, "destroyed_after": 15}
"""Moves after lighting (KS-BRG-05)."""

TEARING_UP: Mapping[str, int] = {"planks": 10, "whole": 60}
"""Moves to make a wooden bridge impassable, and to bring it to one bank (KS-BRG-06)."""

TEARING_LONG: tuple[tuple[int, int], ...] = ((100, 3), (400, 4))
"""Above so many paces the whole takes so many times as long (KS-BRG-06)."""

REPAIR: Mapping[str, tuple[int, int | None]] = {"stone": (10, None), "wood": (10, 25)}
"""Moves, and for each how many paces begun; None: for all (KS-BRG-07)."""

OBSTACLE_MOVES = 60
"""Moves of a working party on an obstacle (KS-BRG-08)."""

OBSTACLE_PARTY = 50
"""Men of that party (KS-BRG-08)."""

CLEARING: Pair = (1, 2)
"""Clearing, as a part of the moves spent (KS-BRG-08)."""

WORK_STOPS = 300
"""Infantry fire from within this stops all work (KS-BRG-09)."""


class Work(NamedTuple):
    """Moves that a party needs."""

    moves: int
    men: int | None
    """The party; None: a battalion."""
    paces: int | None = None
    """The length that it does in that time; None: all."""


WORKS: Mapping[str, Work] = {
    "barricade": Work(60, 50),
    "barricade, large party or pioneers": Work(30, 200),
    "village border strong": Work(90, None, 600),
    "field work, hasty": Work(360, None, 300),
}
"""Works on places (KS-BRG-10)."""

DAM_MOVES = 30
"""Moves to prepare the bursting of a dam; the rest is the umpire's (KS-BRG-10)."""

# Boats


class Boat(NamedTuple):
    """What a boat carries: one kind of load."""

    infantry: int
    horse: int
    guns: int


BOATS: Mapping[str, Boat] = {"large": Boat(100, 25, 1), "small": Boat(25, 0, 0), "double_pontoon": Boat(50, 10, 1)}
"""Loads (KS-BOT-01)."""

BATTALION_BOATS = 9
"""Large boats for a battalion (KS-BOT-01)."""

EMBARKING: Mapping[str, int] = {"infantry": 1, "cavalry": 2, "artillery": 2}
"""Moves to embark, and as many to land (KS-BOT-02)."""

BOAT_RATES: Mapping[str, int] = {"downstream": 250, "upstream": 100, "across": 150}
"""Paces of a move (KS-BOT-03)."""

SWIMMING: Mapping[str, int] = {"prepare": 5, "paces_a_move": 50, "form": 1}
"""Moves before and after, and paces of a move begun (KS-BOT-04)."""

BOAT_TURNS_BACK = 10
"""Points at which a boat with infantry turns back (KS-BOT-05)."""

TABLE_RULES = charts(
    {
        "TROOPS_NEEDED": "KS-STR-01",
        "DEFILE_NEEDED": "KS-STR-01 KS-BRG-11",
        "SECTOR": "KS-STR-01",
        "DEFENCES": "KS-STR-02",
        "INCLINE_CLASSES": "KS-STR-02",
        "WIDE_RIVER": "KS-STR-02",
        "DEFENCE_CLASSES": "KS-STR-02 KS-BRE-06",
        "STRONGHOLD": "KS-STR-03",
        "ATTACKS_FORGOTTEN": "KS-STR-04",
        "PAUSE": "KS-STR-04",
        "FRESH_MOVES": "KS-STR-03",
        "TOO_FEW": "KS-STR-05",
        "DISMOUNTED": "KS-STR-06",
        "STRONGHOLD_CANISTER": "KS-STR-07",
        "STRONGHOLD_LOSS": "KS-STR-09",
        "STRONGHOLD_FIRE": "KS-STR-09",
        "LEAST_ZUGS": "KS-STR-09",
        "FEET_A_PACE": "KS-MAP-01",
        "PONTOON_SECTION": "KS-BRG-01",
        "PONTOON_MOVES": "KS-BRG-01",
        "DISMANTLE": "KS-BRG-01",
        "PONTOON_FEET": "KS-BRG-01",
        "FLOATING_SECTION": "KS-BRG-02",
        "FLOATING_MOVES": "KS-BRG-02",
        "FLOATING_NEAR": "KS-BRG-02",
        "FLOATING_WIDE": "KS-BRG-02",
        "TRESTLE_COLLECTING": "KS-BRG-03",
        "PREPARING": "KS-BRG-04 KS-BRG-05",
        "MATCH": "KS-BRG-04",
        "POWDER_NEAR": "KS-BRG-04",
        "BURNING": "KS-BRG-05",
        "TEARING_UP": "KS-BRG-06",
        "TEARING_LONG": "KS-BRG-06",
        "REPAIR": "KS-BRG-07",
        "OBSTACLE_MOVES": "KS-BRG-08",
        "OBSTACLE_PARTY": "KS-BRG-08",
        "CLEARING": "KS-BRG-08",
        "WORK_STOPS": "KS-BRG-09",
        "WORKS": "KS-BRG-10",
        "DAM_MOVES": "KS-BRG-10",
        "BOATS": "KS-BOT-01",
        "BATTALION_BOATS": "KS-BOT-01",
        "EMBARKING": "KS-BOT-02",
        "BOAT_RATES": "KS-BOT-03",
        "SWIMMING": "KS-BOT-04",
        "BOAT_TURNS_BACK": "KS-BOT-05",
    }
)
"""Which rules each table plays."""
