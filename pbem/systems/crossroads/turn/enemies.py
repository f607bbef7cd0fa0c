"""Which enemy an order means, and whether a condition holds: by what is in sight of its side at that moment."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.crossroads.fire.fire import fire_row, targets
from pbem.systems.crossroads.fire.flight import nearest_enemy
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.tables.combat import FIRING
from pbem.systems.crossroads.world.orders import NEAREST, Alternative, Charge, Condition, Fire
from pbem.systems.crossroads.world.state import Unit


@rule("GC-ACT-04")
def in_sight(play: Play, side: Role, said: str) -> Unit | None:
    """The enemy of that id or label, if the side has it in sight."""
    watch = play.battle.watch[side]
    name = watch.aliases.get(said, said)
    unit = play.battle.units.get(name)
    known = unit is not None and (name in watch.identified or said in watch.aliases)
    return unit if unit is not None and known and unit.stands and name in watch.seen else None


@rule("GC-ACT-04", "GC-ACT-05")
def meant(play: Play, unit: Unit, said: str, *, to_fire: bool = False) -> Unit | None:
    """The enemy that an order means: `nearest` is, to fire, the nearest that can be hit."""
    if said != NEAREST:
        return in_sight(play, unit.side, said)
    if to_fire:
        found = targets(play, unit)
        return play.unit(found[0]) if found else None
    return nearest_enemy(play, unit)


@rule("GC-ACT-04")
def holds(play: Play, unit: Unit, alternative: Alternative) -> bool:
    """Whether the condition of an alternative holds; of enemies out of sight none but `not seen` does."""
    condition = alternative.condition
    if condition is None:
        return True
    if condition.test == "loss":
        return unit.losses >= condition.number
    enemy = _of(play, unit, alternative, condition)
    if condition.test == "not seen":
        return enemy is None
    if enemy is None:
        return False
    if condition.test == "within":
        return play.field.within(unit, enemy, condition.number)
    if condition.test == "target":
        return enemy.status == condition.status
    row = fire_row(unit)
    return row is not None and play.field.within(unit, enemy, FIRING[row].range * 10)


def _of(play: Play, unit: Unit, alternative: Alternative, condition: Condition) -> Unit | None:
    """Whom a condition is about: whom it names, else the action's target, else the nearest in sight."""
    said = condition.of
    if not said and alternative.action == Fire():
        target = meant(play, unit, NEAREST, to_fire=True)
        if target is not None:
            return target
    for action in (alternative.action, alternative.then):
        if not said and isinstance(action, Fire | Charge):
            said = action.enemy
    return meant(play, unit, said or NEAREST)
