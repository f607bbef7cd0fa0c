"""What a unit does on its card: each action either cannot be begun, and why, or is done (GC-ACT-01, GC-ACT-04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.body import Body, wheeled
from pbem.ground.plane import Point, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.charge import Onset, charge, onset
from pbem.systems.crossroads.enemies import meant
from pbem.systems.crossroads.fact import Cost
from pbem.systems.crossroads.field import Field, footprint
from pbem.systems.crossroads.fire import Shot, fire_dice, shot
from pbem.systems.crossroads.flight import leave, moved, nearest_enemy
from pbem.systems.crossroads.melee import shoot
from pbem.systems.crossroads.morale import check, suffer
from pbem.systems.crossroads.obstacles import before_obstacle, begin_crossing
from pbem.systems.crossroads.officers_follow import followed
from pbem.systems.crossroads.orders import (
    AnyAction,
    Charge,
    Clear,
    Cross,
    Face,
    Fire,
    FormUp,
    GoProne,
    Move,
    Nothing,
    Rally,
    Rise,
    Wheel,
)
from pbem.systems.crossroads.outcomes import FormationChanged, JamCleared, UnitProne, UnitRisen
from pbem.systems.crossroads.play import Play
from pbem.systems.crossroads.scene import GRAIN, grains, tenths
from pbem.systems.crossroads.state import Patch, Unit
from pbem.systems.crossroads.tables_combat import EXIT_WITHIN
from pbem.systems.crossroads.tables_units import HALF
from pbem.systems.crossroads.walking import Walk, base_move, go, part, turning

Doing = Callable[[], bool]
"""Does an action that can be begun; whether the activation goes on after it."""


class Scope(NamedTuple):
    """What a unit may still do in an activation."""

    half: bool = False
    """Half of its move, half of its dice."""
    charge: bool = True
    only: tuple[type[AnyAction], ...] = ()
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


@rule("GC-ACT-01", "GC-ACT-04")
def begin(play: Play, name: str, action: AnyAction, scope: Scope) -> Doing | str:
    """The doing of an action, or the code of why it cannot be begun."""
    unit = play.unit(name)
    if scope.only and not isinstance(action, (*scope.only, Rally, Nothing)):
        return scope.why
    if unit.green and not scope.led and not isinstance(action, Fire | Rally | Nothing | Clear):
        return "green"
    match action:
        case Fire():
            return _fire(play, unit, action, scope)
        case Move():
            return _move(play, unit, action, scope)
        case Wheel():
            return _wheel(play, unit, action, scope)
        case Face():
            return _face(play, unit, action)
        case FormUp():
            return _form(play, unit, action)
        case Charge():
            return _charge(play, unit, action, scope)
        case GoProne() | Rise():
            return _prone(play, unit, down=isinstance(action, GoProne))
        case Clear():
            return _clear(play, unit)
        case Cross():
            return _cross(play, unit)
        case Rally() | Nothing():
            return _nothing


def _nothing() -> bool:
    return True


# ------------------------------------------------------------------ fire, charge


@rule("GC-ACT-01", "GC-ACT-03", "GC-FIR-03")
def _fire(play: Play, unit: Unit, action: Fire, scope: Scope) -> Doing | str:
    wrong = _cannot_fire(unit)
    if wrong:
        return wrong
    target = meant(play, unit, action.enemy, to_fire=True)
    if target is None:
        return "no_target" if action.enemy == "nearest" else "not_in_sight"
    found = shot(play.field, unit, target)
    if not isinstance(found, Shot):
        return found
    if not fire_dice(unit, play.battle.options, half=scope.half, green=scope.green).thrown:
        return "no_dice"

    def do() -> bool:
        shoot(play, unit.id, target.id, half=scope.half, green=scope.green)
        return True

    return do


def _cannot_fire(unit: Unit) -> str:
    if unit.type == "cavalry":
        return "cavalry"
    if unit.status == "routed":
        return "routed"
    return "jammed" if unit.jammed else "limbered" if unit.formation == "limbered" else ""


@rule("GC-CHG-01", "GC-RAL-01")
def _charge(play: Play, unit: Unit, action: Charge, scope: Scope) -> Doing | str:
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


def _cannot_move(unit: Unit) -> str:
    if unit.formation == "deployed":
        return "deployed"
    if unit.prone:
        return "prone"
    if unit.status in ("withdrawn", "routed"):
        return unit.status
    return "crossing" if unit.crossing is not None else ""


def corners_of(field: Field, unit: Unit, action: Move) -> list[Point]:
    """The way of a move, in thousandths."""
    if action.to is not None:
        return [grains(one) for one in (action.via, action.to) if one is not None]
    body = field.body(unit)
    return [shifted(body.at, (action.direction or 0) * DEGREE, action.inches * GRAIN)]


@rule("GC-MOV-02", "GC-MOV-08", "GC-ACT-01")
def _move(play: Play, unit: Unit, action: Move, scope: Scope) -> Doing | str:
    wrong = _cannot_move(unit)
    if wrong:
        return wrong
    far = allowance(unit, play, half=action.half or scope.half)
    walk = go(play.field, unit, corners_of(play.field, unit, action), far, facing=action.facing, wheel=scope.wheel)
    if walk.to == unit.pos and walk.facing == unit.facing:
        return NO_STEP.get(walk.stopped_by, "no_move")
    return walks(play, unit, walk, exit_=_exit(play, unit, action, walk))


@rule("GC-MOV-08", "GC-MOR-05")
def walks(play: Play, unit: Unit, walk: Walk, *, exit_: bool = False, wheeled_: bool = False) -> Doing | str:
    """The doing of a walk: one that leads nearer to the nearest enemy in sight is an advance."""
    enemy = nearest_enemy(play, unit)
    after = replace(unit, pos=walk.to, facing=walk.facing)
    advance = enemy is not None and walk.to != unit.pos and play.field.gap(after, enemy) < play.field.gap(unit, enemy)
    if advance and unit.status == "shaken":
        return "shaken"

    def do() -> bool:
        if advance and enemy is not None:
            result = check(play, unit.id, "Advance", enemy.id, "GC-MOV-08")
            if result != "pass":
                suffer(play, unit.id, result)
                return False
        play.add(moved(play, play.unit(unit.id), walk, wheeled=wheeled_))
        if exit_:
            leave(play, unit.id, exit_=True)
        return not exit_

    return do


@rule("GC-MOV-05", "GC-WIN-01")
def _exit(play: Play, unit: Unit, action: Move, walk: Walk) -> bool:
    """Whether a move ordered to the exit of its side has come there."""
    return any(
        one.place == action.place
        and one.side == unit.side
        and (walk.to.x - one.at.x) ** 2 + (walk.to.y - one.at.y) ** 2 <= (EXIT_WITHIN * 10) ** 2
        for one in play.scene.exits
    )


@rule("GC-MOV-04")
def _wheel(play: Play, unit: Unit, action: Wheel, scope: Scope) -> Doing | str:
    wrong = _cannot_move(unit)
    if wrong:
        return wrong
    base = base_move(unit, play.battle.options)
    price, event = turning(unit, action.degrees, base)
    body = wheeled_body(play.field, unit, action)
    if price > allowance(unit, play, half=scope.half) or not play.field.room(body, ignoring=unit.id):
        return "no_room"
    return walks(play, unit, turned_walk(unit, body, price, event, base), wheeled_=True)


@rule("GC-MOV-04")
def _face(play: Play, unit: Unit, action: Face) -> Doing | str:
    if unit.crossing is not None:
        return "crossing"
    if action.facing == unit.facing:
        return "already"
    assert unit.pos is not None, "it stands"
    body = footprint(unit.type, unit.formation, unit.pos, action.facing)
    if not play.field.room(body, ignoring=unit.id):
        return "no_room"
    return walks(play, unit, turned_walk(unit, body, 0, "wheel", base_move(unit, play.battle.options)), wheeled_=True)


@rule("GC-MOV-04", "GC-GEO-01")
def wheeled_body(field: Field, unit: Unit, action: Wheel) -> Body:
    """Where a unit lies after a wheel about its inner wing."""
    by = action.degrees * DEGREE * (1 if action.hand == "right" else -1)
    return _on_grid(wheeled(field.body(unit), by), unit)


def _on_grid(body: Body, unit: Unit) -> Body:
    """A body where a unit can stand: to the tenth of an inch and the degree."""
    return footprint(unit.type, unit.formation, tenths(body.at), (body.facing + DEGREE // 2) // DEGREE % 360)


def turned_walk(unit: Unit, body: Body, price: int, event: str, base: int) -> Walk:
    """A turn in the shape of a walk that leads nowhere."""
    to, facing = tenths(body.at), body.facing // DEGREE
    costs = (Cost(event, price, cited("GC-MOV-04")[0]),) if price else ()
    assert unit.pos is not None, "it stands"
    return Walk(to, facing, (), 0, base - price, costs, "arrived", base)


# ------------------------------------------------------------------ formations


@rule("GC-MOV-06", "GC-GEO-01")
def _form(play: Play, unit: Unit, action: FormUp) -> Doing | str:
    if unit.formation == action.formation:
        return "already"
    if unit.prone:
        return "prone"
    if unit.status in ("withdrawn", "routed"):
        return unit.status
    if unit.crossing is not None:
        return "crossing"
    assert unit.pos is not None, "it stands"
    body = footprint(unit.type, action.formation, unit.pos, unit.facing)
    if not play.field.room(body, ignoring=unit.id):
        return "no_room"
    to = unit.pos

    def do() -> bool:
        play.add(
            FormationChanged(
                rules=cited("GC-MOV-06", "GC-MOV-01"), side=unit.side, unit=unit.id, start=unit.formation,
                to=action.formation, changes={unit.id: Patch(formation=action.formation)},
                officers=followed(play, unit, to, unit.facing, action.formation),
            )
        )  # fmt: skip
        return True

    return do


@rule("GC-FIR-09", "GC-MOV-06")
def _prone(play: Play, unit: Unit, *, down: bool) -> Doing | str:
    if unit.type != "infantry" or unit.prone == down:
        return "already"
    if unit.status in ("withdrawn", "routed"):
        return unit.status
    kind = UnitProne if down else UnitRisen

    def do() -> bool:
        play.add(
            kind(
                rules=cited("GC-FIR-09", "GC-MOV-06"), side=unit.side, unit=unit.id,
                changes={unit.id: Patch(prone=down)},
            )
        )  # fmt: skip
        return True

    return do


@rule("GC-FIR-06")
def _clear(play: Play, unit: Unit) -> Doing | str:
    if not unit.jammed:
        return "not_jammed"

    def do() -> bool:
        play.add(
            JamCleared(rules=cited("GC-FIR-06"), side=unit.side, unit=unit.id, changes={unit.id: Patch(jammed=False)})
        )
        return True

    return do


@rule("GC-MOV-03")
def _cross(play: Play, unit: Unit) -> Doing | str:
    if unit.type == "infantry":
        return "no_obstacle"
    wrong = "" if unit.crossing is not None else _cannot_move(unit)
    if wrong:
        return wrong
    beyond = before_obstacle(play.field, unit)
    if beyond is None:
        return "no_obstacle"

    def do() -> bool:
        begin_crossing(play, unit.id, beyond)
        return True

    return do
