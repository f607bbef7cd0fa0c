"""What conformance cases may ask of the charts and of the field, by name.  Lengths are tenths of an inch."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from pbem.rules.contract import Ask, ask
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.field.sight import aim
from pbem.systems.crossroads.fire.fire import Shot, fire_dice, fire_row, needed, shot
from pbem.systems.crossroads.fire.morale import bands, outcome
from pbem.systems.crossroads.march.walking import base_move, part
from pbem.systems.crossroads.melee.charge import volleys_at
from pbem.systems.crossroads.melee.melee import attack, defence, ground_of
from pbem.systems.crossroads.play.victory import items
from pbem.systems.crossroads.scene.forces import marker_of, morale_die, side_of
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.tables.combat import FIRING, FIRING_DICE, MELEE_DICE, MELEE_MODIFIERS, OFFICER_KILLED
from pbem.systems.crossroads.tables.move import MOVEMENT
from pbem.systems.crossroads.tables.units import HALF, MARKERS, STRENGTH, STRENGTH_OF, SUITS, ZOC
from pbem.systems.crossroads.turn.cards import dealt
from pbem.systems.crossroads.turn.cards import faces as cards_of
from pbem.systems.crossroads.world.state import INCHES, Battle, Unit

# ------------------------------------------------------------------ charts


def _morale(_scene: Scene, battle: Battle, row: str, level: int, natural: int, bonus: int = 0) -> str:
    """What a face comes to in a row at a level: pass, S, WD, R; `n/a`: no check."""
    cell = bands(row, level, battle.options)
    return "n/a" if cell is None else outcome(cell, natural, bonus, battle.options)


def _need(_scene: Scene, battle: Battle, row: str, column: str, skirmish: bool = False) -> int:  # noqa: FBT001, FBT002
    """The lowest face that hits."""
    return needed(row, column, skirmish=skirmish, options=battle.options)


def _range(_scene: Scene, _battle: Battle, row: str) -> int:
    """The range of a row, in inches."""
    return FIRING[row].range


def _firing_dice(_scene: Scene, _battle: Battle, row: str, level: int) -> int:
    return FIRING_DICE[row][level]


def _melee_dice(_scene: Scene, _battle: Battle, row: str, level: int) -> int:
    return MELEE_DICE[row][level]


def _melee_modifier(_scene: Scene, _battle: Battle, name: str) -> int:
    return MELEE_MODIFIERS[name]


def _movement(_scene: Scene, _battle: Battle, row: str, column: str) -> str:
    """A cell of the movement chart: inches, a part, `n/a`."""
    cell: int | Fraction | str | None = getattr(MOVEMENT[row], column)
    return "n/a" if cell is None else str(cell)


def _killed_from(_scene: Scene, _battle: Battle, by: str) -> int:
    return OFFICER_KILLED[by]


def _level(_scene: Scene, _battle: Battle, strength: int, losses: int) -> int:
    """The morale level of a unit; 4: destroyed."""
    return Unit(id="", side=_battle.sides[0], type="infantry", formation="line", strength=strength, losses=losses).level


def _strength(_scene: Scene, _battle: Battle, nation: str, sort: str, subtype: str = "") -> int:
    return STRENGTH_OF.get(subtype, STRENGTH[nation][sort])


def _zoc(_scene: Scene, _battle: Battle, nation: str) -> int:
    return ZOC[nation]


def _marker(_scene: Scene, _battle: Battle, status: str) -> str:
    return MARKERS[status]


def _volleys(_scene: Scene, battle: Battle, distance: int) -> list[int]:
    """How far a charge has come at each volley of its target."""
    return list(volleys_at(distance, battle.options.defensive_fire_min))


def _deck(_scene: Scene, battle: Battle) -> dict[str, str]:
    """The card of each unit on the table."""
    return dealt(battle)


def _faces(_scene: Scene, _battle: Battle, suits: str, count: int) -> list[str]:
    """The cards of a side with so many units."""
    return cards_of(count, SUITS[suits])


def _option(_scene: Scene, battle: Battle, name: str) -> object:
    return getattr(battle.options, name)


def _side(_scene: Scene, battle: Battle, nation: str) -> str:
    found = side_of(nation, battle.options.austrian_side)  # type: ignore[arg-type]  # a case names a nation
    return found or "none"


# ------------------------------------------------------------------ units


def _morale_die(_scene: Scene, battle: Battle, name: str) -> int:
    return morale_die(battle.units[name])


def _unit_marker(_scene: Scene, battle: Battle, name: str) -> str:
    return marker_of(battle.units[name])


def _base_move(_scene: Scene, battle: Battle, name: str, formation: str = "") -> int:
    """The move of a unit in a formation, its own if none is named."""
    unit = battle.units[name]
    return base_move(replace(unit, formation=formation) if formation else unit, battle.options)


def _half_move(_scene: Scene, battle: Battle, name: str) -> int:
    return part(base_move(battle.units[name], battle.options), HALF)


def _fire_row(_scene: Scene, battle: Battle, name: str) -> str:
    return fire_row(battle.units[name]) or "n/a"


def _fire_dice(_scene: Scene, battle: Battle, name: str, half: bool = False) -> int:  # noqa: FBT001, FBT002
    """The dice of a unit as it stands."""
    return fire_dice(battle.units[name], battle.options, half=half).thrown


def _fire_dice_at(_scene: Scene, battle: Battle, name: str, level: int) -> int:
    """The dice of a unit at a level."""
    unit = battle.units[name]
    return fire_dice(replace(unit, losses=unit.strength * level // 4, formation="line"), battle.options).thrown


# ------------------------------------------------------------------ the field


def _shot(scene: Scene, battle: Battle, firer: str, target: str) -> object:
    """A volley that can be thrown, by what it needs, or why it cannot."""
    found = shot(Field(scene, battle), battle.units[firer], battle.units[target])
    if isinstance(found, Shot):
        return {
            "need": found.need, "range": found.range, "beyond_half": found.beyond_half, "situation": found.situation,
        }  # fmt: skip
    return found


def _melee(scene: Scene, battle: Battle, au: str, du: str, number: int) -> list[int]:
    """The dice of both sides in a round."""
    one, other = battle.units[au], battle.units[du]
    ground = ground_of(Field(scene, battle), one, other)
    return [attack(one, other, ground, number).thrown, defence(other, one, ground, number, battle.options).thrown]


def _corners(scene: Scene, battle: Battle, name: str) -> str:
    """The corners of a footprint: left and right of the front, right and left of the rear."""
    shape = Field(scene, battle).shape(battle.units[name])
    thousandths = replace(INCHES, grains=1000)
    return " - ".join(thousandths.written(point) for point in shape.points)


def _distance(scene: Scene, battle: Battle, one: str, other: str) -> int:
    return Field(scene, battle).inches(battle.units[one], battle.units[other])


def _sees(scene: Scene, battle: Battle, one: str, other: str) -> bool:
    """Whether a unit sees another, all round."""
    return aim(Field(scene, battle), battle.units[one], battle.units[other], arc=False) is not None


def _aspect(scene: Scene, battle: Battle, one: str, enemy: str) -> str:
    return Field(scene, battle).aspect(battle.units[one], battle.units[enemy])


def _cover(scene: Scene, battle: Battle, one: str, enemy: str) -> str:
    return Field(scene, battle).cover_from(battle.units[one], battle.units[enemy])


def _height(scene: Scene, battle: Battle, name: str) -> int:
    return Field(scene, battle).level(battle.units[name])


def _areas(scene: Scene, battle: Battle, name: str) -> list[str]:
    return [one.name for one in Field(scene, battle).areas(battle.units[name])]


def _helped(scene: Scene, battle: Battle, name: str) -> str:
    """The officer in whose reach a unit stands."""
    found = Field(scene, battle).helped_by(battle.units[name])
    return found.id if found else ""


def _score(scene: Scene, battle: Battle) -> dict[str, int]:
    """The points of each side, as the field stands."""
    found = list(items(scene, battle))
    return {side: sum(one.points for one in found if one.side == side) for side in battle.sides}


def _roster(_scene: Scene, battle: Battle, name: str) -> int:
    return battle.units[name].strength


ASKS: Mapping[str, Ask] = {
    "morale": ask(_morale, "GC-MOR-02", "GC-MOR-04"),
    "need": ask(_need, "GC-FIR-02", "GC-FIR-04"),
    "range": ask(_range, "GC-FIR-02"),
    "firing_dice": ask(_firing_dice, "GC-FIR-01"),
    "melee_dice": ask(_melee_dice, "GC-MEL-01"),
    "melee_modifier": ask(_melee_modifier, "GC-MEL-02"),
    "movement": ask(_movement, "GC-MOV-01"),
    "officer_killed_from": ask(_killed_from, "GC-FIR-07", "GC-OFF-01"),
    "level": ask(_level, "GC-LVL-01"),
    "strength": ask(_strength, "GC-LVL-02"),
    "zoc": ask(_zoc, "GC-ACT-02"),
    "marker": ask(_marker, "GC-LVL-04"),
    "volleys": ask(_volleys, "GC-CHG-02"),
    "cards": ask(_deck, "GC-CRD-01"),
    "faces": ask(_faces, "GC-CRD-01"),
    "option": ask(_option, "GC-OPT-01"),
    "side": ask(_side, "GC-LVL-03"),
    "morale_die": ask(_morale_die, "GC-MOR-01"),
    "marker_of": ask(_unit_marker, "GC-LVL-04"),
    "base_move": ask(_base_move, "GC-MOV-01"),
    "half_move": ask(_half_move, "GC-ACT-01"),
    "fire_row": ask(_fire_row, "GC-FIR-01"),
    "fire_dice": ask(_fire_dice, "GC-FIR-03"),
    "fire_dice_at": ask(_fire_dice_at, "GC-FIR-01"),
    "shot": ask(_shot, "GC-FIR-02", "GC-MOV-07"),
    "melee": ask(_melee, "GC-MEL-02"),
    "corners": ask(_corners, "GC-GEO-01"),
    "distance": ask(_distance, "GC-GEO-01"),
    "sees": ask(_sees, "GC-MOV-07"),
    "aspect": ask(_aspect, "GC-MOR-03"),
    "cover": ask(_cover, "GC-FIR-02"),
    "height": ask(_height, "GC-GEO-01"),
    "areas": ask(_areas, "GC-GEO-01"),
    "helped_by": ask(_helped, "GC-ACT-02"),
    "score": ask(_score, "GC-WIN-01"),
    "roster": ask(_roster, "GC-LVL-02"),
}
"""The questions, by name, and the rules that answer them."""
