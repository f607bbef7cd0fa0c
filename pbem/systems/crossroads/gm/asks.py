"""What conformance cases may ask of the charts and of the field, by name.  Lengths are tenths of an inch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
from pbem.systems.crossroads.turn.cards import dealt, faces
from pbem.systems.crossroads.world.state import INCHES, Battle, Unit

# ------------------------------------------------------------------ charts


def _morale(_scene: Scene, battle: Battle, row: str, level: int, natural: int, bonus: int = 0) -> str:
    """What a face comes to in a row at a level: pass, S, WD, R; `n/a`: no check."""
    cell = bands(row, level, battle.options)
    return "n/a" if cell is None else outcome(cell, natural, bonus, battle.options)


def _need(_scene: Scene, battle: Battle, row: str, column: str, skirmish: bool = False) -> int:  # noqa: FBT001, FBT002
    """The lowest face that hits."""
    return needed(row, column, skirmish=skirmish, options=battle.options)


def _movement(_scene: Scene, _battle: Battle, row: str, column: str) -> str:
    """A cell of the movement chart: inches, a part, `n/a`."""
    cell: object = getattr(MOVEMENT[row], column)
    return "n/a" if cell is None else str(cell)


def _level(_scene: Scene, battle: Battle, strength: int, losses: int) -> int:
    """The morale level of a unit; 4: destroyed."""
    return Unit(id="", side=battle.sides[0], type="infantry", formation="line", strength=strength, losses=losses).level


def _strength(_scene: Scene, _battle: Battle, nation: str, sort: str, subtype: str = "") -> int:
    return STRENGTH_OF.get(subtype, STRENGTH[nation][sort])


# ------------------------------------------------------------------ units


def _base_move(_scene: Scene, battle: Battle, name: str, formation: str = "") -> int:
    """The move of a unit in a formation, its own if none is named."""
    unit = battle.units[name]
    return base_move(replace(unit, formation=formation) if formation else unit, battle.options)


def _fire_dice(_scene: Scene, battle: Battle, name: str, half: bool = False) -> int:  # noqa: FBT001, FBT002
    """The dice of a unit as it stands."""
    return fire_dice(battle.units[name], battle.options, half=half).thrown


def _fire_dice_at(_scene: Scene, battle: Battle, name: str, level: int) -> int:
    """The dice of a unit at a level."""
    unit = battle.units[name]
    return fire_dice(replace(unit, losses=unit.strength * level // 4, formation="line"), battle.options).thrown


# ------------------------------------------------------------------ the field


def _shot(field: Field, firer: Unit, target: Unit) -> object:
    """A volley that can be thrown, by what it needs, or why it cannot."""
    found = shot(field, firer, target)
    if isinstance(found, Shot):
        return {name: getattr(found, name) for name in ("need", "range", "beyond_half", "situation")}
    return found


def _melee(scene: Scene, battle: Battle, au: str, du: str, number: int) -> list[int]:
    """The dice of both sides in a round."""
    one, other = battle.units[au], battle.units[du]
    ground = ground_of(Field(scene, battle), one, other)
    return [attack(one, other, ground, number).thrown, defence(other, one, ground, number, battle.options).thrown]


def _corners(field: Field, unit: Unit) -> str:
    """The corners of a footprint: left and right of the front, right and left of the rear."""
    thousandths = replace(INCHES, grains=1000)
    return " - ".join(thousandths.written(point) for point in field.shape(unit).points)


def _sees(field: Field, one: Unit, other: Unit) -> bool:
    """Whether a unit sees another, all round."""
    return aim(field, one, other, arc=False) is not None


def _helped(field: Field, unit: Unit) -> str:
    """The officer in whose reach a unit stands."""
    found = field.helped_by(unit)
    return found.id if found else ""


def _score(scene: Scene, battle: Battle) -> dict[str, int]:
    """The points of each side, as the field stands."""
    found = list(items(scene, battle))
    return {side: sum(one.points for one in found if one.side == side) for side in battle.sides}


def _of_unit(answer: Callable[[Field, Unit], object], *rules: str) -> Ask:
    """A question about a unit on the field."""
    return ask(lambda scene, battle, name: answer(Field(scene, battle), battle.units[name]), *rules)


def _of_two(answer: Callable[[Field, Unit, Unit], object], *rules: str) -> Ask:
    """A question about two of them."""
    return ask(lambda scene, battle, *names: answer(Field(scene, battle), *map(battle.units.get, names)), *rules)


ASKS: Mapping[str, Ask] = {
    "morale": ask(_morale, "GC-MOR-02", "GC-MOR-04"),
    "need": ask(_need, "GC-FIR-02", "GC-FIR-04"),
    "range": ask(lambda _scene, _battle, row: FIRING[row].range, "GC-FIR-02"),
    "firing_dice": ask(lambda _scene, _battle, row, level: FIRING_DICE[row][level], "GC-FIR-01"),
    "melee_dice": ask(lambda _scene, _battle, row, level: MELEE_DICE[row][level], "GC-MEL-01"),
    "melee_modifier": ask(lambda _scene, _battle, name: MELEE_MODIFIERS[name], "GC-MEL-02"),
    "movement": ask(_movement, "GC-MOV-01"),
    "officer_killed_from": ask(lambda _scene, _battle, by: OFFICER_KILLED[by], "GC-FIR-07", "GC-OFF-01"),
    "level": ask(_level, "GC-LVL-01"),
    "strength": ask(_strength, "GC-LVL-02"),
    "zoc": ask(lambda _scene, _battle, nation: ZOC[nation], "GC-ACT-02"),
    "marker": ask(lambda _scene, _battle, status: MARKERS[status], "GC-LVL-04"),
    "volleys": ask(lambda _scene, battle, far: list(volleys_at(far, battle.options.defensive_fire_min)), "GC-CHG-02"),
    "cards": ask(lambda _scene, battle: dealt(battle), "GC-CRD-01"),
    "faces": ask(lambda _scene, _battle, suits, count: faces(count, SUITS[suits]), "GC-CRD-01"),
    "option": ask(lambda _scene, battle, name: getattr(battle.options, name), "GC-OPT-01"),
    "side": ask(lambda _scene, battle, nation: side_of(nation, battle.options.austrian_side) or "none", "GC-LVL-03"),
    "morale_die": _of_unit(lambda _, unit: morale_die(unit), "GC-MOR-01"),
    "marker_of": _of_unit(lambda _, unit: marker_of(unit), "GC-LVL-04"),
    "base_move": ask(_base_move, "GC-MOV-01"),
    "half_move": _of_unit(lambda field, unit: part(base_move(unit, field.battle.options), HALF), "GC-ACT-01"),
    "fire_row": _of_unit(lambda _, unit: fire_row(unit) or "n/a", "GC-FIR-01"),
    "fire_dice": ask(_fire_dice, "GC-FIR-03"),
    "fire_dice_at": ask(_fire_dice_at, "GC-FIR-01"),
    "shot": _of_two(_shot, "GC-FIR-02", "GC-MOV-07"),
    "melee": ask(_melee, "GC-MEL-02"),
    "corners": _of_unit(_corners, "GC-GEO-01"),
    "distance": _of_two(Field.inches, "GC-GEO-01"),
    "sees": _of_two(_sees, "GC-MOV-07"),
    "aspect": _of_two(Field.aspect, "GC-MOR-03"),
    "cover": _of_two(Field.cover_from, "GC-FIR-02"),
    "height": _of_unit(Field.level, "GC-GEO-01"),
    "areas": _of_unit(lambda field, unit: [one.name for one in field.areas(unit)], "GC-GEO-01"),
    "helped_by": _of_unit(_helped, "GC-ACT-02"),
    "score": ask(_score, "GC-WIN-01"),
    "roster": _of_unit(lambda _, unit: unit.strength, "GC-LVL-02"),
}
"""The questions, by name, and the rules that answer them."""
