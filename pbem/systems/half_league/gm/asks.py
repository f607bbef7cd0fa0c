"""What conformance cases may ask of the map and the charts.

Every answer is made of plain values, so that a case in TOML can be compared with it.  Lengths are written in inches
with two decimals (`"13.27"`), places as in orders (`"61.00,67.00"`), bearings in degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ParamSpec, get_type_hints

from pbem.ground.plane import Point, dot, gap
from pbem.ground.scale import Scale
from pbem.kernel.names import Role
from pbem.orders.names import name_key
from pbem.rules.contract import Ask, ask
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.segments import default_flank, sequence
from pbem.systems.half_league.field.sight import in_sight
from pbem.systems.half_league.fire import shooting
from pbem.systems.half_league.fire.fire import fire_modifiers, needed, row_of
from pbem.systems.half_league.march.footing import dice_on, grounds
from pbem.systems.half_league.melee import melee
from pbem.systems.half_league.play import victory
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.tables.charts import Column, footprint
from pbem.systems.half_league.tables.printed import COMMAND_DICE, ELITE_COMMAND, INCH
from pbem.systems.half_league.turn.initiative import modifiers as initiative_modifiers
from pbem.systems.half_league.turn.setup import blank
from pbem.systems.half_league.world.course import Half
from pbem.systems.half_league.world.pieces import SCALE, Leader, Unit
from pbem.systems.half_league.world.state import Battle

FINE = Scale(INCH, 2)
"""Finer than orders are written."""


Given = ParamSpec("Given")


def _spot(text: str) -> Point:
    at = SCALE.point(text)
    if at is None:
        raise ValueError(f"{text} is no place")
    return at


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


READERS: Mapping[object, Callable[[Field, str], object]] = {
    Unit: lambda field, name: field.unit(name),
    Leader: lambda field, name: field.battle.leaders[name],
    Point: lambda _, text: _spot(text),
    Role: lambda _, name: Role(name),
}
"""What a question takes, out of the word in which a case writes it; other values are as they are written."""


def _ask(function: Callable[Given, object], *rules: str) -> Ask:
    """A question that *function* answers, asked of the field and of what a case writes."""
    plain = ask(function, *rules)
    kinds = [kind for name, kind in get_type_hints(function).items() if kind is not Field and name != "return"]

    def answer(scene: Scene, battle: Battle, *said: object) -> object:
        field = Field(scene, battle)
        readers = [READERS.get(kind) for kind in (*kinds, *kinds[-1:] * len(said))]
        values = [read(field, str(word)) if read else word for read, word in zip(readers, said, strict=False)]
        return plain.answer(field, *values)

    return Ask(answer, plain.rules)


# ------------------------------------------------------------------ charts


def movement_dice(field: Field, kind: str, formation: str, ground: str) -> int:
    """Dice of movement of a type in a formation on a ground; of a `leader` in formation `alone`."""
    row = field.charts.movement[kind][formation]
    return next(dice for name, dice in row.items() if name == ground)


def crossing(field: Field, obstacle: str, mover: str) -> str:
    """What crossing a line does to those who move so: `free`, `die`, `even`, `never`."""
    return field.charts.crossing[obstacle][mover]


def wheel_cost(field: Field, formation: str) -> str:
    """What a wheel costs."""
    return FINE.show(field.charts.wheel.cost[formation])


def fire_need(field: Field, row: str, column: str, covered: str = "") -> int:
    """The number on the fire chart: in the open, in `cover`, in `skirmish` order, or `both`."""
    columns: dict[str, Column] = {"dense": "dense", "line": "line", "right": "right"}
    cover, skirmish = covered in ("cover", "both"), covered in ("skirmish", "both")
    return needed(field, row, columns[column], cover=cover, skirmish=skirmish)


def target_column(field: Field, kind: str, formation: str) -> str:
    """The column of the fire chart for a target."""
    return field.charts.target[kind][formation]


def long_range(field: Field, weapon: str) -> str:
    """How far a weapon fires."""
    return FINE.show(field.charts.ranges[weapon])


def stands_that_fire(field: Field, kind: str, formation: str, stands: int) -> int:
    """How many of so many stands (gunners) fire; of a square on each face."""
    return field.charts.firing[kind][formation].of(stands)


def save_need(field: Field, column: str, stands: int) -> int | str:
    """What saves a figure with so many stands left; `X`: nothing."""
    found = field.charts.saves[stands][column]
    return "X" if found is None else found


def ground_covered(field: Field, kind: str, formation: str, stands: int) -> list[str]:
    """Width and depth of a unit of so many stands."""
    return [FINE.show(one) for one in footprint(field.charts, kind, formation, stands)]


def full_stand(field: Field, kind: str) -> int:
    """Figures on a full stand."""
    return field.charts.figures[kind]


def victory_points(field: Field, what: str) -> int:
    """What an event counts, by the chart's names."""
    found: int = getattr(field.charts.victory, what)
    return found


def command_dice(field: Field, nation: str) -> int:
    """Dice a unit of a nation throws for its command points."""
    return COMMAND_DICE[nation]


def elite_command(field: Field) -> int:
    """What elite adds to each of those dice."""
    return ELITE_COMMAND


# ------------------------------------------------------------------ geometry


def corners(field: Field, unit: Unit) -> list[str]:
    """The corners of a footprint: left and right of the front, right and left of the rear."""
    return [FINE.written(at) for at in field.shape(unit).points]


def firing_places(field: Field, unit: Unit) -> list[str]:
    """The front centres of the stands that may fire, from the left wing."""
    return [FINE.written(at) for at, _ in field.firing_stands(unit)]


def distance(field: Field, one: Unit, other: Unit) -> str:
    """The least distance between two footprints."""
    return FINE.show(field.gap(one, other))


def leader_distance(field: Field, unit: Unit, leader: Leader) -> str:
    """From a footprint to a leader."""
    return FINE.show(gap(field.shape(unit), dot(leader.front)).far)


def sight(field: Field, one: Unit, other: Unit) -> bool:
    """Whether one unit sees another, from its front centre."""
    return in_sight(field, one.front, one, other)


def eligible(field: Field, unit: Unit) -> dict[str, int]:
    """What a unit can fire at, and with how many stands."""
    return {aim.target: len(aim.stands) for aim in shooting.aims(field, unit)}


def bombards(field: Field, unit: Unit, target: Unit) -> str:
    """Why a battery cannot bombard a target; empty: it can."""
    found = shooting.bombardment(field, unit, target)
    return found if isinstance(found, str) else ""


def fire_row(field: Field, unit: Unit, target: Unit) -> dict[str, object]:
    """Where on the fire chart the fire of a unit at a target stands."""
    return dict(row_of(field, unit, target)._asdict())


def fire_modifier(field: Field, unit: Unit) -> int:
    """What is added to a unit's dice of fire, without benefits."""
    return sum(one.value for one in fire_modifiers(unit, ()))


def priority(field: Field, unit: Unit, enemy: Unit) -> int:
    """The class of a target: 1 charging, 2 firing, 3 advancing, 4 other."""
    return shooting.priority(field, unit, enemy) + 1


def chained(field: Field, unit: Unit) -> list[str]:
    """The units of its brigade that a brigadier with it would benefit."""
    return [unit.id for unit in field.chained(unit)]


def melee_modifiers(field: Field, unit: Unit, *foes: Unit) -> dict[str, int]:
    """What is added to each die of a unit in close combat with others, by name."""
    found = melee.modifiers(field, unit, foes)
    return {one.why: one.value for one in found}


def high_ground(field: Field, at: Point) -> list[str]:
    """The hills on whose crest a place is."""
    return [hill.name for hill in field.crests(at)]


def ground(field: Field, at: Point, toward: str = "") -> list[str]:
    """The kinds of ground at a place, on the way to another."""
    on = None
    if toward:
        there = _spot(toward)
        on = Point(at.x + _sign(there.x - at.x) * 100, at.y + _sign(there.y - at.y) * 100)
    return [kind for kind, _ in grounds(field, at, on)]


def dice_at(field: Field, unit: Unit, at: Point) -> int:
    """Dice of movement of a unit at a place."""
    return dice_on(field, unit, grounds(field, at, None))[0]


# ------------------------------------------------------------------ sequence and end


def order_of_play(field: Field, first: Role, flank: Half) -> list[str]:
    """All units in the order in which they act, if *first* has the initiative and begins on *flank*."""
    return [name for _, name in sequence(field, first, flank)]


def half(field: Field, unit: Unit) -> str:
    """The half of the field of a unit."""
    return field.half(unit.front)


def initiative_bonus(field: Field, side: Role) -> int:
    """What is added to a side's roll for initiative."""
    return sum(one.value for one in initiative_modifiers(field.battle, side))


def holder(field: Field, place: str) -> str:
    """Whose a place is that counts."""
    aim = next(one for one in field.scene.aims if name_key(one.place) == name_key(place))
    return victory.holder(field, aim)


def score(field: Field) -> dict[str, int]:
    """What both sides would count now."""
    return {str(side): points for side, points in victory.totals(victory.items(field)).items()}


def options_by_default(field: Field) -> dict[str, object]:
    """The options of a campaign that sets none."""
    options = blank(field.scene, {}).truth.options
    return {name: getattr(options, name) for name in options.__struct_fields__}


ASKS: Mapping[str, Ask] = {
    "movement_dice": _ask(movement_dice, "HL-MOV-02", "HL-MOV-07", "HL-MOV-12", "HL-MOV-08"),
    "crossing": _ask(crossing, "HL-MOV-09", "HL-MOV-08"),
    "wheel_cost": _ask(wheel_cost, "HL-MOV-06"),
    "fire_need": _ask(fire_need, "HL-FIR-03", "HL-FIR-10", "HL-FRM-02"),
    "target_column": _ask(target_column, "HL-FIR-03"),
    "long_range": _ask(long_range, "HL-FIR-04"),
    "stands_that_fire": _ask(stands_that_fire, "HL-FIR-02"),
    "save_need": _ask(save_need, "HL-SAV-02"),
    "ground_covered": _ask(ground_covered, "HL-GEO-01", "HL-FRM-02"),
    "full_stand": _ask(full_stand, "HL-SAV-03"),
    "victory_points": _ask(victory_points, "HL-WIN-01"),
    "command_dice": _ask(command_dice, "HL-CMD-01"),
    "elite_command": _ask(elite_command, "HL-CMD-01"),
    "corners": _ask(corners, "HL-GEO-01"),
    "firing_places": _ask(firing_places, "HL-GEO-03", "HL-FIR-02"),
    "distance": _ask(distance, "HL-GEO-03", "HL-FIR-03"),
    "leader_distance": _ask(leader_distance, "HL-CMD-02"),
    "in_front_arc": _ask(Field.ahead, "HL-GEO-03", "HL-CHG-01"),
    "aspect": _ask(Field.aspect, "HL-CMB-02"),
    "sight": _ask(sight, "HL-LOS-01", "HL-LOS-02", "HL-LOS-03"),
    "eligible": _ask(eligible, "HL-FIR-02", "HL-GEO-03", "HL-LOS-01", "HL-LOS-02", "HL-LOS-03", "HL-FIR-04"),
    "bombards": _ask(bombards, "HL-FIR-10"),
    "fire_row": _ask(fire_row, "HL-FIR-03", "HL-FIR-04", "HL-FIR-07", "HL-FRM-04"),
    "fire_modifier": _ask(fire_modifier, "HL-FIR-06", "HL-MOR-02"),
    "priority": _ask(priority, "HL-FIR-05"),
    "in_cover": _ask(Field.in_cover, "HL-FIR-03"),
    "double_line": _ask(Field.double_line, "HL-FRM-04"),
    "chained": _ask(chained, "HL-CMD-11"),
    "rout_limit": _ask(Field.limit, "HL-MOR-03", "HL-MOR-04"),
    "melee_modifiers": _ask(melee_modifiers, "HL-CMB-02", "HL-MOV-11", "HL-FRM-02", "HL-FRM-04", "HL-MOR-02"),
    "high_ground": _ask(high_ground, "HL-LOS-03"),
    "ground": _ask(ground, "HL-MOV-02"),
    "dice_at": _ask(dice_at, "HL-MOV-02"),
    "order_of_play": _ask(order_of_play, "HL-TRN-01", "HL-TRN-02"),
    "half": _ask(half, "HL-TRN-01"),
    "flank_by_default": _ask(default_flank, "HL-TRN-02", "HL-TRN-04"),
    "initiative_bonus": _ask(initiative_bonus, "HL-INI-01"),
    "holder": _ask(holder, "HL-WIN-01"),
    "score": _ask(score, "HL-WIN-01"),
    "options": _ask(options_by_default, "HL-OPT-01"),
}
"""The questions, by name, and the rules that answer them."""
