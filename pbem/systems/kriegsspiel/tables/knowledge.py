"""The clock, the ground, papers and riders, and what can be seen; moves and paces, fractions as pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]

# The clock

MOVE_MINUTES = 2
"""Minutes of a move (KS-TUR-01)."""

TICKS = 12
"""Ticks of a move (KS-TUR-02, KS-TUR-06)."""

SIGHT_TICKS = (4, 8, 12)
"""The ticks at which sight is tried (KS-TUR-02)."""

STEPS = ("clock", "papers", "decisions", "movement", "fire", "canister", "attacks", "adjustments", "reports")
"""What happens in a move, in order (KS-TUR-02)."""

TICK_ORDER = ("persons", "cavalry", "artillery", "infantry", "train")
"""Who advances first in a tick (KS-TUR-06)."""

# Ground

DECIMAL_ZOLL = 400
"""Paces of a decimal Zoll on the map of 1:8000 (KS-MAP-01)."""

PACE_MILLIMETRES = 753
"""A pace (KS-MAP-01)."""

AREA_ORDER = ("town", "village", "farm", "garden", "wood_thick", "wood_light", "swamp")
"""Which area a point lies in: the first of these, a child before its parent; else open ground (KS-MAP-02)."""

SLOPE_STEP = 100
"""Paces of the stretches and of the grid by which slopes are taken (KS-MAP-04)."""


class Obstacle(NamedTuple):
    """Moves that crossing a line takes; None: not to be crossed."""

    infantry: Pair | None
    cavalry: Pair | None
    guns: Pair | None


LINES: Mapping[str, Obstacle] = {
    "hedge": Obstacle((1, 2), (1, 1), (3, 1)),
    "fence": Obstacle((1, 2), (1, 1), (3, 1)),
    "ditch": Obstacle((1, 2), (1, 2), (3, 1)),
    "wall": Obstacle(None, None, None),
    "sunken": Obstacle((1, 1), (1, 1), None),
    "earthwork": Obstacle((0, 1), None, None),
}
"""Crossing a line off the road (KS-MAP-05)."""

DIKE: Mapping[str, int] = {"slope": 15, "paces": 10}
"""A dike is crossed as a slope of from so many degrees, over so many paces (KS-MAP-05)."""

GAP_PARTY = 25
"""Men who cut a gap for guns (KS-MAP-05)."""

WADING: tuple[Pair, int] = ((1, 2), 1)
"""The part of the rate over the width, and moves of disorder after it (KS-MAP-06)."""

STEPPING: Obstacle = Obstacle((1, 2), (1, 2), (1, 1))
"""Moves to step over a small water; guns and wagons not over a steep or soft bank (KS-MAP-06)."""

# Papers


class Writing(NamedTuple):
    """How long a paper is written."""

    words_a_move: int
    words_an_order: int


WRITING = Writing(40, 8)
"""Words of a paper that take a move, and what an order line counts (KS-MSG-05)."""

READING_MOVES: Mapping[str, int] = {"unit": 1, "staff_commander": 1, "player": 0, "voice": 0}
"""Moves from the paper in hand to its effect or its passing on (KS-MSG-05, KS-CMD-06)."""

PAUSE_WITH_ADDRESSEE = 2
"""Moves after the delivery in which the rider leaves again (KS-MSG-03)."""

DETOUR = 500
"""Paces by which a rider keeps from an enemy he knows or sees (KS-MSG-04, KS-MSG-07)."""

DETOUR_MOVES = 1
"""Moves that a detour costs (KS-MSG-07)."""

ADDRESSEE_NEAR = 500
"""Paces round the place believed within which an addressee in sight is found at once (KS-MSG-04)."""

MET_AT: Mapping[str, int] = {"cavalry": 300, "infantry": 200}
"""Paces within which an enemy first seen may take a rider (KS-MSG-07)."""

SKIRMISH_FIRE = 200
"""A rider this near to enemy skirmishers is tried as well (KS-MSG-07)."""

MET_DIE: Mapping[str, str] = {"usual": "II", "foot_post": "IV"}
"""Black: he escapes (KS-MSG-07)."""

ESCAPE_MOVES = 2
"""Moves that an escape costs (KS-MSG-07)."""

COPY_AFTER = 2
"""Moves after the first rider that the second leaves (KS-MSG-07)."""

REPORT_EVERY = 2
"""A unit writes one report in so many moves (KS-MSG-08)."""

OBSERVER_EVERY = 5
"""Moves between the reports of a staff officer who observes (KS-MSG-09)."""

REPORTS: Mapping[str, str] = {
    "first_sight": "urgent",
    "patrol_first_sight": "urgent",
    "patrol_sight": "normal",
    "change": "normal",
    "attacked": "urgent",
    "attack_repulsed": "urgent",
    "beaten": "urgent",
    "retiring_under_canister": "urgent",
    "losses_passed": "urgent",
    "battery_lost": "urgent",
    "ammunition_out": "urgent",
    "arrived": "normal",
    "work_finished": "normal",
    "bridge": "urgent",
    "order_impossible": "urgent",
    "way_blocked": "urgent",
    "wrong_superior": "urgent",
    "overruled": "urgent",
    "no_orders": "normal",
}
"""What a unit reports by itself, and how urgently (KS-MSG-08)."""

CHANGE_AFTER = 5
"""Moves after which a change of a body seen is worth a report (KS-MSG-08)."""

IDLE_AFTER = 3
"""Moves without an order after which a unit says so (KS-MSG-08)."""

SIGNALS: tuple[int, int] = (4, 3000)
"""The most shots of a signal, and the paces at which own troops hear it (KS-MSG-10)."""

COLUMN_PASSES_ON = 500
"""Paces of a group's column down which an order goes in a move (KS-CMD-11)."""


class Interrupt(NamedTuple):
    """What calls a commander."""

    name: str
    urgent: bool
    can_be_switched: bool


INTERRUPTS: Mapping[str, Interrupt] = {
    "W1": Interrupt("first_contact", urgent=False, can_be_switched=True),
    "W2": Interrupt("attack_declared", urgent=True, can_be_switched=False),
    "W3": Interrupt("combat_result", urgent=False, can_be_switched=True),
    "W4": Interrupt("dispatch_in", urgent=False, can_be_switched=False),
    "W5": Interrupt("urgent_report", urgent=False, can_be_switched=True),
    "W6": Interrupt("out_of_orders", urgent=False, can_be_switched=True),
    "W7": Interrupt("personal_danger", urgent=True, can_be_switched=False),
    "W8": Interrupt("alarm", urgent=False, can_be_switched=False),
    "W9": Interrupt("arrival", urgent=False, can_be_switched=False),
    "W10": Interrupt("arrived", urgent=False, can_be_switched=True),
}
"""The interrupts (KS-TUR-08)."""

INTERRUPT_PACES: Mapping[str, int] = {
    "new_body": 600,
    "danger_infantry": 600,
    "danger_cavalry": 1000,
    "friend_between": 300,
    "idle_unit": 1000,
    "idle_enemy": 2000,
    "attack_present": 200,
    "arrival_at": 50,
}
"""Distances of the interrupts (KS-TUR-08)."""

INTERRUPT_MOVES: Mapping[str, int] = {"new_body": 15, "danger_again": 10}
"""Moves for which a body is not new, and for which a danger is not told again (KS-TUR-08)."""

# Commanders

CAPTURED_WITHIN = 50
"""Paces within which an enemy formed body takes a person (KS-CMD-10)."""

SAVED_WITHIN = 100
"""Paces within which a friendly formed body saves him (KS-CMD-10)."""

SUCCESSOR_AFTER = 5
"""Moves after which a player without a successor goes on (KS-CMD-10)."""

WOUNDED: tuple[int, int, int] = (200, 10, 30)
"""By option: paces from a unit that loses so many points in a move, and moves that a wounded man is down
(KS-CMD-10)."""

ESCORT_PACES = 50
"""How near a commander stays to the unit he rides with (KS-CMD-01)."""

STAFF_SUPPORT: tuple[int, int] = (600, 200)
"""Paces within which a staff commander finds a unit to support another, and its distance behind it (KS-CMD-06)."""

INITIATIVE: Mapping[str, int] = {
    "face_infantry": 400,
    "face_cavalry": 800,
    "recall_skirmishers": 600,
    "halt_before": 600,
    "go_on_after": 3,
}
"""Paces, and moves of the last, of what a unit does of itself (KS-CMD-09)."""

RELIEVED: tuple[int, int, int, int] = (100, 2, 100, 300)
"""Relief: halted within so many paces for so many moves; the reliever halts so far behind, the relieved goes so far
back (KS-CMD-13, KS-CMD-14)."""

OBSERVE_FROM: Mapping[str, int] = {"cavalry": 900, "infantry": 600}
"""Paces from which a body is observed if the order names none (KS-CMD-14)."""

OUTPOSTS: Mapping[str, int] = {"paces_a_post": 500, "most": 8, "highest_within": 100, "picket_behind": 300}
"""Chains of outposts (KS-CMD-14)."""

DEMONSTRATE: Mapping[str, int] = {"to": 500, "retires": 300}
"""Paces of a demonstration (KS-CMD-14)."""

HIDDEN: Mapping[str, int] = {"within": 300, "inside_wood": 60, "fires_at": 100}
"""Paces of lying hidden (KS-CMD-14)."""

SUPERIOR_FORCE: tuple[Pair, int, int] = ((3, 2), 1000, 400)
"""Superior: this ratio or more, of enemies within so many paces to friends within so many (KS-CMD-15)."""

# Sight

_SIGHTING_AS_PRINTED = """
presence     4000  2000  1000
arm          1500  1000   600
strength     1500   800   500
subtype       700   400   300
number        350   200   100
"""

SIGHT_CLASSES = ("formed", "patrol", "single")
"""Formed body; patrol, picket, skirmish zug; single rider, post (KS-SIT-02)."""


def _sighting(printed: str) -> dict[str, dict[str, int]]:
    rows = [line.split() for line in printed.strip().splitlines()]
    return {what: dict(zip(SIGHT_CLASSES, map(int, cells), strict=True)) for what, *cells in rows}


SIGHTING: Mapping[str, Mapping[str, int]] = _sighting(_SIGHTING_AS_PRINTED)
"""Paces in clear daylight at which so much is known (KS-SIT-02)."""

SIGHT_FACTORS: Mapping[str, Pair] = {
    "clear": (1, 1),
    "haze": (3, 5),
    "rain": (3, 5),
    "snow": (2, 5),
    "day": (1, 1),
    "twilight": (1, 2),
    "on_the_move": (3, 4),
    "behind": (1, 2),
    "inside_edge": (1, 2),
    "telescope": (5, 4),
}
"""What multiplies them (KS-SIT-02 to KS-SIT-04)."""

SIGHT_CAPS: Mapping[str, int] = {"fog": 300, "night": 100, "night_moon": 300, "in_melee": 400}
"""What caps them (KS-SIT-02, KS-SIT-04, KS-NIG-01)."""

SIGHT_MOVING = 400
"""Paces of a move above which the observer sees less far (KS-SIT-02)."""

STRENGTH_GUESSES: tuple[Pair, ...] = ((3, 4), (1, 1), (5, 4))
"""The factors of an estimate (KS-SIT-02)."""

POSITION_ERROR: Pair = (1, 20)
"""The largest error of a place, as a part of the distance (KS-SIT-02)."""

EYES: Mapping[str, int] = {"observer": 2, "person_mounted": 3, "unit": 3}
"""Paces of the eye above the ground (KS-SIT-03)."""

TOPS: Mapping[str, int] = {
    "infantry": 2,
    "artillery": 2,
    "cavalry": 3,
    "wood_light": 8,
    "wood_thick": 12,
    "building": 10,
}
"""Paces of the top above the ground (KS-SIT-03)."""

SEEN_THROUGH: Mapping[str, int] = {"wood_light": 50, "wood_thick": 0, "building": 0}
"""Paces of an area that a line may pass through below its top (KS-SIT-03)."""

EDGE = 50
"""Paces from its edge within which a body inside sees out and is seen (KS-SIT-03)."""

HIDDEN_BEHIND_LINES = 300
"""Paces beyond which infantry is hidden behind hedge, wall or dike (KS-SIT-03)."""

STREET_SIGHT = 15
"""Paces from a road's middle within which houses beside it do not block (KS-SIT-03)."""

VIEW_ARCS: Mapping[str, int] = {"unit_front": 120, "look": 60}
"""Degrees of a unit's full sight, and of a look through the telescope (KS-SIT-03, KS-SIT-04)."""

NOISES: Mapping[str, int] = {"cannon": 8000, "musketry": 2500, "explosion": 8000, "burning_village": 6000}
"""Paces at which it is heard or seen (KS-SIT-05)."""

NOISE_DIRECTION = 30
"""Degrees to which the direction is known (KS-SIT-05)."""

EXPOSURE_STEP = 50
"""Paces of the steps of which a concealed march has the fewest in sight (KS-SIT-07)."""

SAME_SYMBOL: Pair = (300, 5)
"""Entries of one arm within so many paces and moves are drawn as one (KS-SIT-08)."""

FADE = (5, 15, 30)
"""Moves of age at which the symbol of an enemy fades (KS-SIT-10)."""

FORGOTTEN_AFTER = 5
"""Moves out of sight after which a new sighting is a new entry (KS-SIT-10)."""

PREPARED_SEEN = 100
"""Paces beyond which nothing is seen of a prepared bridge (KS-GM-06)."""

RELIABILITY: Mapping[str, Literal["certain", "probable", "doubtful"]] = {
    "patrol": "certain", "unit": "certain", "spy": "probable", "inhabitants": "doubtful",
}  # fmt: skip
"""How sure a source is (KS-GM-03)."""

INHABITANTS: tuple[Pair, Pair] = ((1, 2), (2, 1))
"""The least and the largest factor of a strength that inhabitants tell (KS-GM-03)."""

ONE_PLAYER: Mapping[str, int] = {"battalions": 6, "squadrons": 8, "batteries": 1}
"""The measure of what one player commands (KS-GM-04)."""

TABLE_RULES = charts(
    {
        "MOVE_MINUTES": "KS-TUR-01",
        "TICKS": "KS-TUR-02 KS-TUR-06",
        "SIGHT_TICKS": "KS-TUR-02",
        "STEPS": "KS-TUR-02",
        "TICK_ORDER": "KS-TUR-06",
        "DECIMAL_ZOLL": "KS-MAP-01",
        "PACE_MILLIMETRES": "KS-MAP-01",
        "AREA_ORDER": "KS-MAP-02",
        "SLOPE_STEP": "KS-MAP-04",
        "LINES": "KS-MAP-05",
        "DIKE": "KS-MAP-05",
        "GAP_PARTY": "KS-MAP-05",
        "WADING": "KS-MAP-06",
        "STEPPING": "KS-MAP-06",
        "WRITING": "KS-MSG-05",
        "READING_MOVES": "KS-MSG-05 KS-CMD-06",
        "PAUSE_WITH_ADDRESSEE": "KS-MSG-03",
        "DETOUR": "KS-MSG-04 KS-MSG-07",
        "DETOUR_MOVES": "KS-MSG-07",
        "ADDRESSEE_NEAR": "KS-MSG-04",
        "MET_AT": "KS-MSG-07",
        "SKIRMISH_FIRE": "KS-MSG-07",
        "MET_DIE": "KS-MSG-07",
        "ESCAPE_MOVES": "KS-MSG-07",
        "COPY_AFTER": "KS-MSG-07",
        "REPORT_EVERY": "KS-MSG-08",
        "OBSERVER_EVERY": "KS-MSG-09",
        "REPORTS": "KS-MSG-08",
        "CHANGE_AFTER": "KS-MSG-08",
        "IDLE_AFTER": "KS-MSG-08",
        "SIGNALS": "KS-MSG-10",
        "COLUMN_PASSES_ON": "KS-CMD-11",
        "INTERRUPTS": "KS-TUR-08",
        "INTERRUPT_PACES": "KS-TUR-08",
        "INTERRUPT_MOVES": "KS-TUR-08",
        "CAPTURED_WITHIN": "KS-CMD-10",
        "SAVED_WITHIN": "KS-CMD-10",
        "SUCCESSOR_AFTER": "KS-CMD-10",
        "WOUNDED": "KS-CMD-10",
        "ESCORT_PACES": "KS-CMD-01",
        "STAFF_SUPPORT": "KS-CMD-06",
        "INITIATIVE": "KS-CMD-09",
        "RELIEVED": "KS-CMD-13 KS-CMD-14",
        "OBSERVE_FROM": "KS-CMD-14",
        "OUTPOSTS": "KS-CMD-14",
        "DEMONSTRATE": "KS-CMD-14",
        "HIDDEN": "KS-CMD-14",
        "SUPERIOR_FORCE": "KS-CMD-15",
        "SIGHTING": "KS-SIT-02",
        "SIGHT_FACTORS": "KS-SIT-02 KS-SIT-03 KS-SIT-04",
        "SIGHT_CAPS": "KS-SIT-02 KS-SIT-04 KS-NIG-01",
        "SIGHT_MOVING": "KS-SIT-02",
        "STRENGTH_GUESSES": "KS-SIT-02",
        "POSITION_ERROR": "KS-SIT-02",
        "EYES": "KS-SIT-03",
        "TOPS": "KS-SIT-03",
        "SEEN_THROUGH": "KS-SIT-03",
        "EDGE": "KS-SIT-03",
        "HIDDEN_BEHIND_LINES": "KS-SIT-03",
        "STREET_SIGHT": "KS-SIT-03",
        "VIEW_ARCS": "KS-SIT-03 KS-SIT-04",
        "NOISES": "KS-SIT-05",
        "NOISE_DIRECTION": "KS-SIT-05",
        "EXPOSURE_STEP": "KS-SIT-07",
        "SAME_SYMBOL": "KS-SIT-08",
        "FADE": "KS-SIT-10",
        "FORGOTTEN_AFTER": "KS-SIT-10",
        "PREPARED_SEEN": "KS-GM-06",
        "RELIABILITY": "KS-GM-03",
        "INHABITANTS": "KS-GM-03",
        "ONE_PLAYER": "KS-GM-04",
    }
)
"""Which rules each table plays."""
