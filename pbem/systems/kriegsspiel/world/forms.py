"""Formations: fronts and depths of a unit as it stands, what fits a passage, and how long a change takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.tables import formation as of_forms
from pbem.systems.kriegsspiel.tables.march import COLUMN_GAP, RATE_CLASS, ROUTE_COLUMNS, WIDTHS
from pbem.systems.kriegsspiel.world.troops import Unit

COLUMNS = (*ROUTE_COLUMNS, "open_column", "zug_column", "cav_open_column", "cav_half_troops", "cav_troops",
           "squadron_column", "battery_open_column", "battery_column_4", "wagons")  # fmt: skip
"""Formations whose body lies along the way behind the head."""

DEPLOYED: Mapping[str, str] = {
    "infantry": "line", "pioneers": "line", "cavalry": "cav_line", "artillery": "battery_wide", "train": "wagons",
}  # fmt: skip
IN_BATTERY = ("battery_wide", "battery_narrow")
"""Formations of guns that are unlimbered."""

ROUTE: Mapping[str, str] = {
    "infantry": "section_column", "pioneers": "section_column", "cavalry": "cav_threes",
    "artillery": "battery_column_2", "train": "wagons",
}  # fmt: skip
"""The column that an arm takes for the route if its order names none (KS-FRM-03)."""

NARROW: Mapping[str, str] = {
    "infantry": "section_column", "pioneers": "section_column", "cavalry": "cav_threes",
    "artillery": "battery_column_1", "train": "wagons",
}  # fmt: skip
"""The column that fits a small road (KS-MOV-08)."""

POSTS: Mapping[str, tuple[int, int]] = {
    "picket25": (30, 10), "picket10": (12, 5), "post": (2, 2), "troop21": (60, 8), "troop10": (30, 5),
    "vedette": (5, 3), "zug": (62, 10), "gun_pair": (50, 30),
}  # fmt: skip
"""Front and depth of small bodies, which keep no formation of the table."""


def rate_class(unit: Unit) -> str:
    """How a unit is counted for its rates."""
    return RATE_CLASS[unit.kind]


@rule("KS-ORD-06")
def fits(formation: str, arm: str) -> bool:
    """Whether an arm has that formation (KS-ORD-06)."""
    form = of_forms.FORMATIONS.get(formation)
    return form is not None and form.arm == ("infantry" if arm == "pioneers" else arm)


def _share(unit: Unit) -> tuple[int, int]:
    """What part of the table's body a unit is: of a battalion, a regiment, a battery."""
    match unit.arm:
        case "infantry" | "pioneers":
            if unit.size == "battalion":
                return max(unit.strength.blocks, 1), 2
            return max(1, min(unit.strength.full_tw, 10800)), 10800
        case "cavalry":
            return 1, 4
        case "artillery":
            guns = unit.strength.guns
            return max(guns, 1), 8
        case "train":
            return max(unit.strength.wagons, 1), 1
        case other:
            assert_never(other)


@rule("KS-FRM-01", "KS-FRM-02", "KS-LOS-03", "KS-FRM-08")
def front_of(unit: Unit) -> int:
    """Paces of its front as it stands."""
    if unit.size in POSTS:
        return POSTS[unit.size][0]
    form = of_forms.FORMATIONS.get(unit.place.formation)
    if form is None:
        return 10
    if unit.place.formation == "line" and unit.size == "battalion":
        out = len(unit.strength.chain.zugs)
        if out and unit.strength.blocks == 2 and not unit.strength.points:
            return unit.strength.chain.front or max(of_forms.ZUGS_OUT[min(out, 12)].front, 1)
        return line_front(unit.strength.blocks, unit.strength.points)
    if unit.place.formation == "line" and unit.size == "half_battalion" and unit.strength.points:
        return line_front(unit.strength.blocks, unit.strength.points)
    part, whole = _share(unit)
    if unit.place.formation in ("line", "cav_line", "battery_wide", "battery_narrow", "battery_line_limbered"):
        return max(1, form.front[0] * part // whole)
    if unit.place.formation == "attack_column" and unit.size == "half_battalion":
        return form.front[0] // 2
    return form.front[0]


@rule("KS-LOS-03")
def line_front(blocks: int, points: int) -> int:
    """The front of a battalion in line by blocks left and points lost since."""
    if blocks >= 2:
        return 250 if points < 30 else 208 if points < 60 else 167
    if blocks == 1:
        return 125 if points < 15 else 104 if points < 30 else 83
    return 1


@rule("KS-FRM-02", "KS-FRM-08")
def depth_of(unit: Unit) -> int:
    """Paces of its depth as it stands."""
    if unit.size in POSTS:
        return POSTS[unit.size][1]
    form = of_forms.FORMATIONS.get(unit.place.formation)
    if form is None:
        return 10
    depth = form.depth[0]
    if len(form.depth) > 1:
        # Sections draw out after some moves of march; a zug column is longer as soon as it marches.
        late = of_forms.MARCHED_OUT if unit.place.formation == "section_column" else 1
        depth = form.depth[1] if unit.place.marched >= late else form.depth[0]
    if unit.place.formation in COLUMNS:
        part, whole = _share(unit)
        if unit.arm == "cavalry":
            # The gaps between squadrons are not of their depth.
            depth = {"cav_twos": 400, "cav_threes": 400}.get(unit.place.formation, depth)
        wagons = (
            of_forms.OPEN_ORDER_WAGONS * unit.strength.wagons if unit.place.formation == "battery_open_column" else 0
        )
        return max(5, depth * part // whole + wagons)
    return depth


def gap_behind(ahead: Unit, unit: Unit) -> int:
    """Paces between the tail of a column and the head behind it: of a regiment of cavalry as its form has it."""
    if ahead.regiment and ahead.regiment == unit.regiment and unit.place.formation in of_forms.CAVALRY_GAPS:
        gaps = of_forms.CAVALRY_GAPS[unit.place.formation]
        number = int(ahead.id.rpartition("/")[2]) if ahead.id.rpartition("/")[2].isdigit() else 1
        return gaps[min(number, len(gaps)) - 1]
    return COLUMN_GAP


@rule("KS-MOV-19")
def is_column(unit: Unit) -> bool:
    """Whether its body lies along the way behind its head."""
    return unit.place.formation in COLUMNS and unit.size not in POSTS


@rule("KS-MOV-22")
def on_route(unit: Unit) -> bool:
    """Whether it is in a column of the route (KS-MOV-22)."""
    return unit.place.formation in ROUTE_COLUMNS


@rule("KS-MOV-08")
def passes(formation: str, arm: str, width: str, front: int | None = None) -> bool:
    """Whether a formation fits a passage `main` or `small` wide."""
    most = WIDTHS[width]["infantry" if arm == "pioneers" else arm]
    form = of_forms.FORMATIONS.get(formation)
    return form is not None and (min(form.front) if front is None else front) <= most


@rule("KS-FRM-02", "KS-MOV-09")
def room_of(unit: Unit) -> int:
    """Paces that a column takes up on its way: of a squadron with its gap, of others their depth."""
    form = of_forms.FORMATIONS.get(unit.place.formation)
    if form is None or unit.arm != "cavalry" or not is_column(unit):
        return depth_of(unit)
    part, whole = _share(unit)
    return form.depth[0] * part // whole


@rule("KS-FRM-04")
def closing_moves(long: int, short: int, rate: int) -> int:
    """Moves that the head of a column halts while its tail closes up; none to open out."""
    return -(-(long - short) // rate) if long > short else 0


@rule("KS-FRM-05", "KS-FRM-06", "KS-FRM-07")
def change_twelfths(unit: Unit, to: str, *, limber: bool | None = None) -> int:
    """Twelfths of a move that a change of formation takes, without the way to new places."""
    now = unit.place.formation
    if unit.arm == "artillery" and limber is not None and limber != unit.place.limbered:
        number, by = of_forms.UNLIMBERING[unit.kind]
        return 12 * number // by
    if now == to:
        return 0
    closed = ("zug_column", "closed_sections", "attack_column", "square", "cav_troops", "cav_half_troops")
    number, by = of_forms.CHANGE_MOVES.get((now, to), of_forms.LEAST_CHANGE)
    if (now, to) not in of_forms.CHANGE_MOVES and now in closed and to in closed:
        number, by = of_forms.CHANGE_MOVES["closed_column", "closed_column"]
    return 12 * number // by


@rule("KS-FRM-02", "KS-FRM-09")
def zugs_of(unit: Unit) -> int:
    """Zugs in the chain of a unit, or all that is in skirmish order."""
    if unit.strength.chain.zugs:
        return len(unit.strength.chain.zugs)
    if unit.arm == "infantry" and unit.place.formation == "skirmish_order":
        return -(-unit.strength.tw // 900)
    return 0


@rule("KS-FRM-02")
def all_skirmish(unit: Unit) -> bool:
    """Whether nothing of a unit is left in close order."""
    return unit.arm == "infantry" and zugs_of(unit) > 0 and (
        not unit.strength.tw or unit.place.formation == "skirmish_order"
    )  # fmt: skip
