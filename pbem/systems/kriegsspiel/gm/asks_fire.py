"""What cases may ask of dice, fire, cover, losses, fires, breaches and ammunition: tables by their names, and measures.

`table NAME` answers a cell of a table of fire or of the dice: the keys and numbers (from 1) that lead to it.  Fractions
are written `5/6`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.contract import Ask, ask
from pbem.systems.kriegsspiel.field.field import Field, terrain_of
from pbem.systems.kriegsspiel.field.works_standing import breach_road
from pbem.systems.kriegsspiel.fire.ammunition import at_hand, limbers_hold
from pbem.systems.kriegsspiel.fire.bombardment import due, howitzer_reach
from pbem.systems.kriegsspiel.fire.breaching import breach_die, counted, idle_moves, wall_of
from pbem.systems.kriegsspiel.fire.cover import cover_part, firer_covered
from pbem.systems.kriegsspiel.fire.effect import effect
from pbem.systems.kriegsspiel.fire.gunnery import battery_numbers, howitzer_numbers, range_class
from pbem.systems.kriegsspiel.fire.musketry import formation_part, infantry_band, moved_part
from pbem.systems.kriegsspiel.gm.values import OUT, answered, lookup, of_unit, point, reckoned
from pbem.systems.kriegsspiel.play import losses as loss
from pbem.systems.kriegsspiel.play.play import Die
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables import dice as tables_dice
from pbem.systems.kriegsspiel.tables import fire as tables_fire
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.tables.fire import Quality
from pbem.systems.kriegsspiel.turn.setup import counts
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.strengths import share, told_losses

# ------------------------------------------------------------------ dice


def die_face(_scene: Scene, _war: War, die: str, number: int) -> list[object]:
    """Circle, letter, losses of infantry and of cavalry, and whether there is a flame."""
    face = DICE[die][number - 1]
    return [face.circle, face.letter or "O", *face.losses, face.flame]


def die_numbers(_scene: Scene, _war: War, die: str, side: str, number: int) -> object:
    """The four fire numbers of a face, the nearest range first."""
    return answered(getattr(DICE[die][number - 1], side))


def die_counts(_scene: Scene, _war: War, die: str) -> list[int]:
    """How many faces are black, white, blank, and have a flame."""
    faces = DICE[die]
    circles = [sum(1 for face in faces if face.circle == name) for name in ("black", "white", "blank")]
    return [*circles, sum(1 for face in faces if face.flame)]


def beaten(_scene: Scene, war: War, die: str, number: int, letter: str, arm: str) -> int:
    """Points a block that a body beaten by that face loses, with the letter that stands in the end."""
    return loss.beaten_losses(DICE[die][number - 1], letter, die, arm, d4_inf=war.options.die4_D_inf)


# ------------------------------------------------------------------ muskets and guns


def band(_scene: Scene, _war: War, far: int) -> object:
    """The band of infantry fire at a distance, from 1."""
    return infantry_band(far) or OUT


def gun_class(_scene: Scene, _war: War, kind: str, far: int, light: str = "day") -> object:
    """The range class of a battery at a distance, from 1."""
    return range_class(kind, far, night=light == "night") or OUT


def formation_fire(_scene: Scene, war: War, formation: str) -> object:
    """The part of its number that a body fires in a formation."""
    return answered(formation_part(formation, war.options))


def battery_number(_scene: Scene, war: War, kind: str, which: int, quality: str, face: int) -> object:
    """The number of a battery under the options in force."""
    return answered(battery_numbers(kind, which, _quality(quality), war.options)[face - 1])


def howitzers_number(_scene: Scene, _war: War, kind: str, which: int, quality: str, face: int) -> object:
    """What the two howitzers of a mixed battery score."""
    return answered(howitzer_numbers(kind, which, _quality(quality))[face - 1])


def _quality(text: str) -> Quality:
    return "good" if text == "good" else "bad"


def effect_of(scene: Scene, _war: War, gun: str, target: str, which: int) -> list[str]:
    """Good or bad effect of a range class from one place to another, and what makes it bad."""
    found = effect(terrain_of(scene), point(gun), point(target), which)
    return [found.quality, *found.reasons]


def covered_firer(scene: Scene, war: War, key: str) -> bool:
    """Whether skirmishers standing where a unit is fire from cover."""
    unit = war.units[key]
    return firer_covered(terrain_of(scene), unit, unit.place.at)


# ------------------------------------------------------------------ losses


def point_tw(_scene: Scene, war: War, key: str, part: str = "line") -> int:
    """Twelfths of a man that a unit loses for a point, on its line or its chain."""
    return loss.tw_of_point(war.units[key], war.options, chain=part == "chain")


def tally(_scene: Scene, war: War, what: str) -> str:
    """Men or guns of a side: on the field, captured or lost."""
    return str(counts(war)[what])


def left(_scene: Scene, war: War, key: str) -> int:
    """Points that a unit can still lose."""
    return loss.points_left(war.units[key], war.options)


# ------------------------------------------------------------------ places, walls, rounds


def set_fire_moves(_scene: Scene, _war: War, buildings: str, howitzers: int, moves: int) -> list[int]:
    """The moves of a bombardment, from 1, in which Die I is thrown, if nothing begins to burn."""
    found, count = [], 0
    for move in range(1, moves + 1):
        thrown, count = due(buildings, howitzers, count)
        found += [move] if thrown else []
    return found


def breach_moves(_scene: Scene, _war: War, kind: str, far: int, guns: int, moves: int) -> object:
    """The moves of fire at a wall, from 1, in which a die is thrown."""
    idle, fired = idle_moves(kind, far), 0
    if idle is None:
        return OUT
    found = []
    for move in range(1, moves + 1):
        before, after = counted(fired, guns)
        fired += min(guns, 8)
        found += [move] if after > before and after > idle else []
    return found


def wall_die(_scene: Scene, war: War, wall: str, batteries: int, throw: int) -> Die:
    """The die of the first throw at a wall, or of a later one."""
    return breach_die(wall, batteries, first=throw == 1, options=war.options)


def wall(scene: Scene, war: War, name: str) -> str:
    """How a line or bridge counts when it is fired at."""
    chart = scene.chart
    return wall_of(chart.lines[name] if name in chart.lines else chart.crossings[name], war.options)


def breach_way(_scene: Scene, _war: War, name: str) -> object:
    """The passage through a breach: how wide, from where to where."""
    road = breach_road(name)
    if road is None:
        return OUT
    start, end = sorted((road.line[0], road.line[-1]))
    return {"width": road.width, "from": f"{start.x},{start.y}", "to": f"{end.x},{end.y}"}


def bombard_reach(_scene: Scene, war: War, kind: str) -> int:
    """How far howitzers set places on fire."""
    return howitzer_reach(kind, war.options)


def rounds(scene: Scene, war: War, key: str) -> list[int]:
    """Canister and shot that a battery has at hand."""
    return list(at_hand(Field(scene, war), war.units[key], war.clock.move))


FIRE_ASKS: Mapping[str, Ask] = {
    "die_face": ask(
        die_face, "KS-DIE-01", "KS-DIE-02", "KS-DIE-03", "KS-DIE-04", "KS-DIE-05", "KS-DIE-06", "KS-DIE-07"
    ),
    "die_numbers": ask(die_numbers, "KS-DIE-02", "KS-DIE-03", "KS-DIE-04", "KS-DIE-05", "KS-DIE-06", "KS-DIE-07"),
    "die_counts": ask(die_counts, "KS-DIE-07"),
    "beaten": ask(beaten, "KS-LOS-05", "KS-DIE-05", "KS-DIE-01"),
    "band": ask(band, "KS-FIR-01"),
    "gun_class": ask(gun_class, "KS-ART-01", "KS-NIG-01"),
    "moved_fire": reckoned(moved_part, "KS-FIR-02", "KS-ART-07"),
    "formation_fire": ask(formation_fire, "KS-FIR-02"),
    "battery_number": ask(battery_number, "KS-ART-02"),
    "howitzers_number": ask(howitzers_number, "KS-ART-03"),
    "effect": ask(effect_of, "KS-ART-04"),
    "cover": reckoned(cover_part, "KS-COV-01", "KS-COV-02"),
    "covered_firer": ask(covered_firer, "KS-FIR-06"),
    "point_tw": ask(point_tw, "KS-LOS-01"),
    "tally": ask(tally, "KS-LOS-01"),
    "points_left": ask(left, "KS-LOS-02", "KS-LOS-08"),
    "told_losses": of_unit(told_losses, "KS-LOS-07"),
    "share": of_unit(share, "KS-LOS-03"),
    "halves": reckoned(loss.halves_of, "KS-LOS-04"),
    "victors_shares": reckoned(loss.victors_shares, "KS-LOS-05"),
    "followed": reckoned(loss.followed_parts, "KS-LOS-06", "KS-RET-03"),
    "set_fire_moves": ask(set_fire_moves, "KS-BOM-01", "KS-BOM-02", "KS-BOM-03"),
    "breach_moves": ask(breach_moves, "KS-BRE-01", "KS-BRE-02", "KS-BRE-04"),
    "wall_die": ask(wall_die, "KS-BRE-01", "KS-BRE-03", "KS-BRE-05"),
    "wall": ask(wall, "KS-BRE-03", "KS-BRE-05"),
    "breach_way": ask(breach_way, "KS-BRE-06"),
    "bombard_reach": ask(bombard_reach, "KS-BOM-01"),
    "rounds": ask(rounds, "KS-AMM-02"),
    "limbers": of_unit(limbers_hold, "KS-AMM-01", "KS-AMM-02"),
    **{
        f"table {name}": lookup(getattr(module, name), *ids)
        for module in (tables_dice, tables_fire)
        for name, ids in module.TABLE_RULES.items()
    },
}
"""Asked of dice, fire and losses, by name."""
