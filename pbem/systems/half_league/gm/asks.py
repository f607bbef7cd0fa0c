"""What conformance cases may ask of the map and the charts.

Every answer is made of plain values, so that a case in TOML can be compared with it.  Lengths are written in inches
with two decimals (`"13.27"`), places as in orders (`"61.00,67.00"`), bearings in degrees.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ground.plane import Point, Scale, dot, gap
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
from pbem.systems.half_league.world.pieces import SCALE
from pbem.systems.half_league.world.state import Battle

FINE = Scale(INCH, 2)
"""Finer than orders are written."""

# ------------------------------------------------------------------ charts


def movement_dice(scene: Scene, _battle: Battle, kind: str, formation: str, ground: str) -> int:
    """Dice of movement of a type in a formation on a ground; of a `leader` in formation `alone`."""
    row = scene.charts.movement[kind][formation]
    return next(dice for name, dice in row.items() if name == ground)


def crossing(scene: Scene, _battle: Battle, obstacle: str, mover: str) -> str:
    """What crossing a line does to those who move so: `free`, `die`, `even`, `never`."""
    return scene.charts.crossing[obstacle][mover]


def wheel_cost(scene: Scene, _battle: Battle, formation: str) -> str:
    """What a wheel costs."""
    return FINE.show(scene.charts.wheel.cost[formation])


def fire_need(scene: Scene, battle: Battle, row: str, column: str, covered: str = "") -> int:
    """The number on the fire chart: in the open, in `cover`, in `skirmish` order, or `both`."""
    columns: dict[str, Column] = {"dense": "dense", "line": "line", "right": "right"}
    cover, skirmish = covered in ("cover", "both"), covered in ("skirmish", "both")
    return needed(Field(scene, battle), row, columns[column], cover=cover, skirmish=skirmish)


def target_column(scene: Scene, _battle: Battle, kind: str, formation: str) -> str:
    """The column of the fire chart for a target."""
    return scene.charts.target[kind][formation]


def long_range(scene: Scene, _battle: Battle, weapon: str) -> str:
    """How far a weapon fires."""
    return FINE.show(scene.charts.ranges[weapon])


def stands_that_fire(scene: Scene, _battle: Battle, kind: str, formation: str, stands: int) -> int:
    """How many of so many stands (gunners) fire; of a square on each face."""
    return scene.charts.firing[kind][formation].of(stands)


def save_need(scene: Scene, _battle: Battle, column: str, stands: int) -> int | str:
    """What saves a figure with so many stands left; `X`: nothing."""
    found = scene.charts.saves[stands][column]
    return "X" if found is None else found


def ground_covered(scene: Scene, _battle: Battle, kind: str, formation: str, stands: int) -> list[str]:
    """Width and depth of a unit of so many stands."""
    return [FINE.show(one) for one in footprint(scene.charts, kind, formation, stands)]


def full_stand(scene: Scene, _battle: Battle, kind: str) -> int:
    """Figures on a full stand."""
    return scene.charts.figures[kind]


def victory_points(scene: Scene, _battle: Battle, what: str) -> int:
    """What an event counts, by the chart's names."""
    found: int = getattr(scene.charts.victory, what)
    return found


def command_dice(_scene: Scene, _battle: Battle, nation: str) -> int:
    """Dice a unit of a nation throws for its command points."""
    return COMMAND_DICE[nation]


def elite_command(_scene: Scene, _battle: Battle) -> int:
    """What elite adds to each of those dice."""
    return ELITE_COMMAND


# ------------------------------------------------------------------ geometry


def corners(scene: Scene, battle: Battle, name: str) -> list[str]:
    """The corners of a footprint: left and right of the front, right and left of the rear."""
    field = Field(scene, battle)
    return [FINE.written(at) for at in field.shape(field.unit(name)).points]


def firing_places(scene: Scene, battle: Battle, name: str) -> list[str]:
    """The front centres of the stands that may fire, from the left wing."""
    field = Field(scene, battle)
    return [FINE.written(at) for at, _ in field.firing_stands(field.unit(name))]


def distance(scene: Scene, battle: Battle, one: str, other: str) -> str:
    """The least distance between two footprints."""
    field = Field(scene, battle)
    return FINE.show(field.gap(field.unit(one), field.unit(other)))


def leader_distance(scene: Scene, battle: Battle, unit: str, leader: str) -> str:
    """From a footprint to a leader."""
    field = Field(scene, battle)
    return FINE.show(gap(field.shape(field.unit(unit)), dot(battle.leaders[leader].front)).far)


def in_front_arc(scene: Scene, battle: Battle, one: str, other: str) -> bool:
    """Whether a unit has another in its front arc."""
    field = Field(scene, battle)
    return field.ahead(field.unit(one), field.unit(other))


def aspect(scene: Scene, battle: Battle, target: str, enemy: str) -> str:
    """What a unit turns to an enemy: `front`, `flank`, `rear`."""
    field = Field(scene, battle)
    return field.aspect(field.unit(target), field.unit(enemy))


def sight(scene: Scene, battle: Battle, one: str, other: str) -> bool:
    """Whether one unit sees another, from its front centre."""
    field = Field(scene, battle)
    viewer = field.unit(one)
    return in_sight(field, viewer.front, viewer, field.unit(other))


def eligible(scene: Scene, battle: Battle, name: str) -> dict[str, int]:
    """What a unit can fire at, and with how many stands."""
    field = Field(scene, battle)
    return {aim.target: len(aim.stands) for aim in shooting.aims(field, field.unit(name))}


def bombards(scene: Scene, battle: Battle, name: str, target: str) -> str:
    """Why a battery cannot bombard a target; empty: it can."""
    field = Field(scene, battle)
    found = shooting.bombardment(field, field.unit(name), field.unit(target))
    return found if isinstance(found, str) else ""


def fire_row(scene: Scene, battle: Battle, name: str, target: str) -> dict[str, object]:
    """Where on the fire chart the fire of a unit at a target stands."""
    field = Field(scene, battle)
    return dict(row_of(field, field.unit(name), field.unit(target))._asdict())


def fire_modifier(_scene: Scene, battle: Battle, name: str) -> int:
    """What is added to a unit's dice of fire, without benefits."""
    return sum(one.value for one in fire_modifiers(battle.units[name], ()))


def priority(scene: Scene, battle: Battle, name: str, enemy: str) -> int:
    """The class of a target: 1 charging, 2 firing, 3 advancing, 4 other."""
    field = Field(scene, battle)
    return shooting.priority(field, field.unit(name), field.unit(enemy)) + 1


def in_cover(scene: Scene, battle: Battle, name: str, enemy: str) -> bool:
    """Whether a unit is in cover from an enemy's fire."""
    field = Field(scene, battle)
    return field.in_cover(field.unit(name), field.unit(enemy))


def double_line(scene: Scene, battle: Battle, name: str) -> bool:
    """Whether a unit is in double line."""
    field = Field(scene, battle)
    return field.double_line(field.unit(name))


def chained(scene: Scene, battle: Battle, name: str) -> list[str]:
    """The units of its brigade that a brigadier with it would benefit."""
    field = Field(scene, battle)
    return [unit.id for unit in field.chained(field.unit(name))]


def rout_limit(scene: Scene, battle: Battle, name: str) -> int:
    """The chits at which a unit routs."""
    return Field(scene, battle).limit(battle.units[name])


def melee_modifiers(scene: Scene, battle: Battle, name: str, *foes: str) -> dict[str, int]:
    """What is added to each die of a unit in close combat with others, by name."""
    field = Field(scene, battle)
    found = melee.modifiers(field, field.unit(name), [field.unit(foe) for foe in foes])
    return {one.why: one.value for one in found}


def high_ground(scene: Scene, battle: Battle, at: str) -> list[str]:
    """The hills on whose crest a place is."""
    return [hill.name for hill in Field(scene, battle).crests(_spot(at))]


def ground(scene: Scene, battle: Battle, at: str, toward: str = "") -> list[str]:
    """The kinds of ground at a place, on the way to another."""
    on = None
    if toward:
        here, there = _spot(at), _spot(toward)
        on = Point(here.x + _sign(there.x - here.x) * 100, here.y + _sign(there.y - here.y) * 100)
    return [kind for kind, _ in grounds(Field(scene, battle), _spot(at), on)]


def dice_at(scene: Scene, battle: Battle, name: str, at: str) -> int:
    """Dice of movement of a unit at a place."""
    field = Field(scene, battle)
    return dice_on(field, field.unit(name), grounds(field, _spot(at), None))[0]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _spot(text: str) -> Point:
    at = SCALE.point(text)
    if at is None:
        raise ValueError(f"{text} is no place")
    return at


# ------------------------------------------------------------------ sequence and end


def order_of_play(scene: Scene, battle: Battle, first: str, flank: Half) -> list[str]:
    """All units in the order in which they act, if *first* has the initiative and begins on *flank*."""
    return [name for _, name in sequence(Field(scene, battle), Role(first), flank)]


def half(scene: Scene, battle: Battle, name: str) -> str:
    """The half of the field of a unit."""
    return Field(scene, battle).half(battle.units[name].front)


def flank_by_default(scene: Scene, battle: Battle, side: str) -> str:
    """The flank that a side begins on if it says nothing."""
    return default_flank(Field(scene, battle), Role(side))


def initiative_bonus(_scene: Scene, battle: Battle, side: str) -> int:
    """What is added to a side's roll for initiative."""
    return sum(one.value for one in initiative_modifiers(battle, Role(side)))


def holder(scene: Scene, battle: Battle, place: str) -> str:
    """Whose a place is that counts."""
    aim = next(one for one in scene.aims if name_key(one.place) == name_key(place))
    return victory.holder(Field(scene, battle), aim)


def score(scene: Scene, battle: Battle) -> dict[str, int]:
    """What both sides would count now."""
    return {str(side): points for side, points in victory.totals(victory.items(Field(scene, battle))).items()}


def options_by_default(scene: Scene, _battle: Battle) -> dict[str, object]:
    """The options of a campaign that sets none."""
    options = blank(scene, {}).truth.options
    return {name: getattr(options, name) for name in options.__struct_fields__}


ASKS: Mapping[str, Ask] = {
    "movement_dice": ask(movement_dice, "HL-MOV-02", "HL-MOV-07", "HL-MOV-12", "HL-MOV-08"),
    "crossing": ask(crossing, "HL-MOV-09", "HL-MOV-08"),
    "wheel_cost": ask(wheel_cost, "HL-MOV-06"),
    "fire_need": ask(fire_need, "HL-FIR-03", "HL-FIR-10", "HL-FRM-02"),
    "target_column": ask(target_column, "HL-FIR-03"),
    "long_range": ask(long_range, "HL-FIR-04"),
    "stands_that_fire": ask(stands_that_fire, "HL-FIR-02"),
    "save_need": ask(save_need, "HL-SAV-02"),
    "ground_covered": ask(ground_covered, "HL-GEO-01", "HL-FRM-02"),
    "full_stand": ask(full_stand, "HL-SAV-03"),
    "victory_points": ask(victory_points, "HL-WIN-01"),
    "command_dice": ask(command_dice, "HL-CMD-01"),
    "elite_command": ask(elite_command, "HL-CMD-01"),
    "corners": ask(corners, "HL-GEO-01"),
    "firing_places": ask(firing_places, "HL-GEO-03", "HL-FIR-02"),
    "distance": ask(distance, "HL-GEO-03", "HL-FIR-03"),
    "leader_distance": ask(leader_distance, "HL-CMD-02"),
    "in_front_arc": ask(in_front_arc, "HL-GEO-03", "HL-CHG-01"),
    "aspect": ask(aspect, "HL-CMB-02"),
    "sight": ask(sight, "HL-LOS-01", "HL-LOS-02", "HL-LOS-03"),
    "eligible": ask(eligible, "HL-FIR-02", "HL-GEO-03", "HL-LOS-01", "HL-LOS-02", "HL-LOS-03", "HL-FIR-04"),
    "bombards": ask(bombards, "HL-FIR-10"),
    "fire_row": ask(fire_row, "HL-FIR-03", "HL-FIR-04", "HL-FIR-07", "HL-FRM-04"),
    "fire_modifier": ask(fire_modifier, "HL-FIR-06", "HL-MOR-02"),
    "priority": ask(priority, "HL-FIR-05"),
    "in_cover": ask(in_cover, "HL-FIR-03"),
    "double_line": ask(double_line, "HL-FRM-04"),
    "chained": ask(chained, "HL-CMD-11"),
    "rout_limit": ask(rout_limit, "HL-MOR-03", "HL-MOR-04"),
    "melee_modifiers": ask(melee_modifiers, "HL-CMB-02", "HL-MOV-11", "HL-FRM-02", "HL-FRM-04", "HL-MOR-02"),
    "high_ground": ask(high_ground, "HL-LOS-03"),
    "ground": ask(ground, "HL-MOV-02"),
    "dice_at": ask(dice_at, "HL-MOV-02"),
    "order_of_play": ask(order_of_play, "HL-TRN-01", "HL-TRN-02"),
    "half": ask(half, "HL-TRN-01"),
    "flank_by_default": ask(flank_by_default, "HL-TRN-02", "HL-TRN-04"),
    "initiative_bonus": ask(initiative_bonus, "HL-INI-01"),
    "holder": ask(holder, "HL-WIN-01"),
    "score": ask(score, "HL-WIN-01"),
    "options": ask(options_by_default, "HL-OPT-01"),
}
"""The questions, by name, and the rules that answer them."""
