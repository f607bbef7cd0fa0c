"""What a unit does on its card: each action either cannot be begun, and why, or is done (GC-ACT-01, GC-ACT-04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.plane import Point, holds, shifted
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field import able
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.fire.fire import Shot, fire_dice, shot
from pbem.systems.crossroads.fire.flight import leave, moved, nearest_enemy
from pbem.systems.crossroads.fire.morale import check, suffer
from pbem.systems.crossroads.march.gate import Gate, is_closed
from pbem.systems.crossroads.march.obstacles import begin_crossing, beyond_obstacle
from pbem.systems.crossroads.march.riders import going
from pbem.systems.crossroads.march.walking import Walk, base_move, go, part, wheel
from pbem.systems.crossroads.melee.charge import Onset, charge, onset
from pbem.systems.crossroads.melee.melee import shoot
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.scene import GRAIN, grains
from pbem.systems.crossroads.tables.combat import EXIT_WITHIN
from pbem.systems.crossroads.tables.units import HALF
from pbem.systems.crossroads.turn.enemies import meant
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.outcomes import FormationChanged, JamCleared, UnitProne, UnitRisen
from pbem.systems.crossroads.world.outcomes_combat import MoraleChecked
from pbem.systems.crossroads.world.patches import Patch
from pbem.systems.crossroads.world.state import Unit

Doing = Callable[[], object]
"""Does an action that can be begun; it gives False, if the activation is over with it."""


class Scope(NamedTuple):
    """What a unit may still do in an activation."""

    half: bool = False
    """Half of its move, half of its dice."""
    charge: bool = True
    only: tuple[type[say.AnyAction], ...] = ()
    """If not empty, these actions alone."""
    why: str = ""
    """The reason for the limits."""
    wheel: int = 0
    """Tenths of its move that a wheel has taken."""
    green: bool | None = None
    """Whether it fires as one moved by an officer; None: as its marker says."""
    led: bool = False


WHOLE = Scope()

NO_STEP: Mapping[str, str] = {
    "arrived": "there_already", "room": "no_room", "enemy": "short_enemy", "friend": "short_friend",
    "edge": "short_edge", "closed": "short_closed", "obstacle": "short_obstacle", "linear": "short_linear",
    "contour": "short_contour",
}  # fmt: skip
"""Why a unit could not go a step, by what stopped it."""

# ------------------------------------------------------------------ fire, charge


@rule("GC-ACT-01", "GC-ACT-03", "GC-FIR-03")
def _fire(play: Play, unit: Unit, action: say.Fire, scope: Scope) -> Doing | str:
    if not able.may_fire(unit):
        return able.why_no_fire(unit)
    target = meant(play, unit, action.enemy, to_fire=True)
    if target is None:
        return "no_target" if action.enemy == "nearest" else "not_in_sight"
    found = shot(play.field, unit, target)
    if not isinstance(found, Shot):
        return found
    if not fire_dice(unit, play.battle.options, half=scope.half, green=scope.green).thrown:
        return "no_dice"
    return partial(shoot, play, unit.id, target.id, half=scope.half, green=scope.green)


@rule("GC-CHG-01", "GC-RAL-01")
def _charge(play: Play, unit: Unit, action: say.Charge, scope: Scope) -> Doing | str:
    if not scope.charge or scope.half:
        return scope.why or "rallied"
    if unit.level > 2:
        return "level_3"
    if unit.crossing is not None:
        return "crossing"
    target = meant(play, unit, action.enemy)
    if target is None:
        return "no_target" if action.enemy == "nearest" else "not_in_sight"
    found = onset(play.field, unit, target)
    if not isinstance(found, Onset):
        return found

    def do() -> bool:
        charge(play, unit.id, target.id)
        return False

    return do


# ------------------------------------------------------------------ moves


@rule("GC-MOV-01", "GC-ACT-01")
def allowance(unit: Unit, play: Play, *, half: bool) -> int:
    """The move of an activation, in tenths."""
    base = base_move(unit, play.battle.options)
    return part(base, HALF) if half else base


def corners_of(field: Field, unit: Unit, action: say.Move) -> list[Point]:
    """The way of a move, in thousandths."""
    if action.to is not None:
        return [grains(one) for one in (action.via, action.to) if one is not None]
    body = field.body(unit)
    return [shifted(body.at, (action.direction or 0) * DEGREE, action.inches * GRAIN)]


@rule("GC-MOV-02", "GC-MOV-08", "GC-ACT-01")
def _move(play: Play, unit: Unit, action: say.Move, scope: Scope) -> Doing | str:
    if not able.may_move(unit):
        return able.why_no_move(unit)
    far = allowance(unit, play, half=action.half or scope.half)
    walk = go(play.field, unit, corners_of(play.field, unit, action), far, facing=action.facing, wheel=scope.wheel)
    if walk.to == unit.pos and walk.facing == unit.facing:
        return NO_STEP.get(walk.stopped_by, "no_move")
    return walks(play, unit, walk, scope, exit_=_exit(play, unit, action, walk))


@rule("GC-MOV-08")
def advance_on(play: Play, unit: Unit, after: Unit) -> Unit | None:
    """The nearest enemy in sight, if a unit would be nearer to him *after* a move."""
    enemy = nearest_enemy(play, unit) if after.pos != unit.pos else None
    nearer = enemy is not None and play.field.gap(after, enemy) < play.field.gap(unit, enemy)
    return enemy if nearer else None


@rule("GC-MOR-03", "GC-MOV-08")
def _willing(play: Play, name: str, enemy: Unit) -> bool:
    """Whether a unit advances on an enemy: it checks once in an activation, and bears what comes of it."""
    row, card = "Advance", (play.battle.turn, play.battle.seq)
    checked = any(
        isinstance(fact, MoraleChecked) and (fact.unit, fact.row, fact.turn, fact.seq) == (name, row, *card)
        for fact in play.facts
    )
    result = "pass" if checked else check(play, name, row, enemy.id)
    if result != "pass":
        suffer(play, name, result)
    return result == "pass"


@rule("GC-MOV-08", "GC-MOR-05")
def forward(play: Play, unit: Unit, after: Unit, go_on: Doing) -> Doing | str:
    """The doing of what brings a unit to where it stands *after*, if it may go and will; shaken it does not advance."""
    enemy = advance_on(play, unit, after)
    if enemy is None:
        return go_on
    return "shaken" if able.shaken(unit) else lambda: _willing(play, unit.id, enemy) and go_on()


def walks(
    play: Play, unit: Unit, walk: Walk, scope: Scope, *, exit_: bool = False, wheeled_: bool = False
) -> Doing | str:
    """The doing of a walk; whom an officer leads bears his marker when he has gone."""

    def do() -> bool:
        play.add(moved(play, play.unit(unit.id), walk, wheeled=wheeled_, green=scope.led))
        if exit_:
            leave(play, unit.id, exit_=True)
        return not exit_

    return forward(play, unit, replace(unit, pos=walk.to, facing=walk.facing), do)


@rule("GC-MOV-05", "GC-WIN-01")
def _exit(play: Play, unit: Unit, action: say.Move, walk: Walk) -> bool:
    """Whether a move ordered to the exit of its side has come there."""
    return any(
        one.place == action.place
        and one.side == unit.side
        and (walk.to.x - one.at.x) ** 2 + (walk.to.y - one.at.y) ** 2 <= (EXIT_WITHIN * 10) ** 2
        for one in play.scene.exits
    )


@rule("GC-MOV-04")
def _wheel(play: Play, unit: Unit, action: say.Wheel, scope: Scope) -> Doing | str:
    if not able.may_move(unit):
        return able.why_no_move(unit)
    walk = wheel(play.field, unit, degrees_of(action), allowance(unit, play, half=scope.half))
    if walk.facing == unit.facing:
        return NO_STEP.get(walk.stopped_by, "short_spent")
    return walks(play, unit, walk, scope, wheeled_=True)


def degrees_of(action: say.Wheel) -> int:
    """The degrees of a wheel, to the right above 0."""
    return action.degrees * (1 if action.hand == "right" else -1)


@rule("GC-MOV-04")
def _face(play: Play, unit: Unit, action: say.Face, scope: Scope) -> Doing | str:
    if unit.crossing is not None:
        return "crossing"
    if action.facing == unit.facing:
        return "already"
    assert unit.pos is not None, "it stands"
    if Gate(play.field, unit).turned(play.field.body(unit), action.facing) is None:
        return "no_room"
    base = base_move(unit, play.battle.options)
    return walks(play, unit, Walk(unit.pos, action.facing, (), 0, base, (), "arrived", base), scope, wheeled_=True)


# ------------------------------------------------------------------ formations


@rule("GC-MOV-06", "GC-GEO-01")
def _form(play: Play, unit: Unit, action: say.FormUp, scope: Scope) -> Doing | str:
    if unit.formation == action.formation:
        return "already"
    if wrong := able.why_no_drill(unit) or no_ground(play.field, unit, replace(unit, formation=action.formation)):
        return wrong
    to, head = action.formation, about(unit, "GC-MOV-06", "GC-MOV-01")
    patch = Patch(formation=to, green=True if scope.led else UNSET)
    return lambda: play.add(FormationChanged(**head, start=unit.formation, to=to, **going(play, unit, patch)))


@rule("GC-MOV-05", "GC-MOV-06")
def no_ground(field: Field, unit: Unit, formed: Unit) -> str:
    """Why a unit cannot stand as it would be *formed*: nobody's room, an enemy too near, ground closed to it so."""
    body, at = field.body(formed), field.body(formed).at
    if not field.room(body, ignoring=unit.id):
        return "no_room"
    if any(
        is_closed(one, formed) and (one in field.areas(formed) or holds(one.shape, at)) for one in field.scene.areas
    ):
        return "closed"
    return "no_room" if Gate(field, formed).meets(field.body(unit), body) else ""


@rule("GC-FIR-09", "GC-MOV-06")
def _prone(play: Play, unit: Unit, *, down: bool) -> Doing | str:
    if unit.type != "infantry" or unit.prone == down:
        return "already"
    if able.broken(unit):
        return unit.status
    kind = UnitProne if down else UnitRisen
    fact = kind(**about(unit, "GC-FIR-09", "GC-MOV-06"), changes={unit.id: Patch(prone=down)})
    return partial(play.add, fact)


@rule("GC-FIR-06")
def _clear(play: Play, unit: Unit) -> Doing | str:
    fact = JamCleared(**about(unit, "GC-FIR-06"), changes={unit.id: Patch(jammed=False)})
    return partial(play.add, fact) if unit.jammed else "not_jammed"


@rule("GC-MOV-03", "GC-MOV-08")
def _cross(play: Play, unit: Unit) -> Doing | str:
    if unit.type == "infantry":
        return "no_obstacle"
    if unit.crossing is None and not able.may_move(unit):
        return able.why_no_move(unit)
    beyond = beyond_obstacle(play.known_field(unit.side), unit)
    if isinstance(beyond, str):
        return NO_STEP.get(beyond, beyond)
    return forward(play, unit, replace(unit, pos=beyond), partial(begin_crossing, play, unit.id))


# ------------------------------------------------------------------ all of them


@rule("GC-ACT-01", "GC-ACT-04")
def begin(play: Play, name: str, action: say.AnyAction, scope: Scope) -> Doing | str:
    """The doing of an action, or the code of why it cannot be begun."""
    unit = play.unit(name)
    if scope.only and not isinstance(action, (*scope.only, say.Rally, say.Nothing)):
        return scope.why
    if unit.green and not scope.led and not isinstance(action, say.Fire | say.Rally | say.Nothing | say.Clear):
        return "green"
    match action:
        case say.Fire():
            return _fire(play, unit, action, scope)
        case say.Move():
            return _move(play, unit, action, scope)
        case say.Wheel():
            return _wheel(play, unit, action, scope)
        case say.Face():
            return _face(play, unit, action, scope)
        case say.FormUp():
            return _form(play, unit, action, scope)
        case say.Charge():
            return _charge(play, unit, action, scope)
        case say.GoProne() | say.Rise():
            return _prone(play, unit, down=isinstance(action, say.GoProne))
        case say.Clear():
            return _clear(play, unit)
        case say.Cross():
            return _cross(play, unit)
        case say.Rally() | say.Nothing():
            return lambda: True
