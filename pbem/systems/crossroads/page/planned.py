"""What a sheet would come to, on its writer's map: where each line takes whom, and at whom it fires or charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.ground.picture import Track, TrackKind
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.crossroads.field.field import Field, field_of
from pbem.systems.crossroads.march.walking import base_move, go, part, wheel
from pbem.systems.crossroads.page.drawing import style
from pbem.systems.crossroads.page.landscape import spot
from pbem.systems.crossroads.scene.scene import Scene, tenths
from pbem.systems.crossroads.sheets.chances import known, nearest
from pbem.systems.crossroads.tables.units import HALF
from pbem.systems.crossroads.turn.actions import corners_of, degrees_of
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.state import Battle, Unit


def plans(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[tuple[int, Track]]:
    """Of each card the first thing that is ordered, and what follows it; the ways that officers ride."""
    field = field_of(scene, mind)
    return tuple((order.line, track) for order in orders for track in _line(field, role, order))


def _line(field: Field, role: Role, order: say.AnyOrder) -> Iterator[Track]:
    match order:
        case say.UnitOrder() | say.JokerOrder():
            unit, first = field.battle.units.get(order.unit), order.alternatives[0]
            yield from _acts(field, role, unit, first.action, first.then)
        case say.Lead():
            for name in order.units:
                yield from _acts(field, role, field.battle.units.get(name), order.action, None)
        case say.AttachOfficer() | say.MoveOfficer():
            yield from _rides(field, role, order)
        case say.Policy():
            return


def _acts(
    field: Field, role: Role, unit: Unit | None, action: say.AnyAction, then: say.AnyAction | None
) -> Iterator[Track]:
    """What a unit does, and from where it is then, what follows."""
    if unit is None or not unit.stands or unit.pos is None:
        return
    after = unit
    match action:
        case say.Move() if unit.formation != "deployed" and not unit.prone:
            base = base_move(unit, field.battle.options)
            far = part(base, HALF) if action.half else base
            walk = go(field, unit, corners_of(field, unit, action), far, facing=action.facing)
            yield from _track(field, role, "move", walk.path, unit.id)
            after = replace(unit, pos=walk.to, facing=walk.facing)
        case say.Wheel() if unit.formation != "deployed":
            walk = wheel(field, unit, degrees_of(action), base_move(unit, field.battle.options))
            yield from _track(field, role, "move", (unit.pos, walk.to), unit.id)
            after = replace(unit, pos=walk.to, facing=walk.facing)
        case say.Fire() | say.Charge():
            near = nearest(field, unit)
            enemy = known(field, action.enemy) if action.enemy != say.NEAREST else near[0] if near else None
            if enemy is not None and enemy.pos is not None:
                guns = unit.type == "artillery"
                kind: TrackKind = "charge" if isinstance(action, say.Charge) else "artillery" if guns else "rifle"
                yield from _track(field, role, kind, (unit.pos, enemy.pos), unit.id)
        case _:  # what is done where it stands
            pass
    if then is not None:
        yield from _acts(field, role, after, then, None)


def _rides(field: Field, role: Role, order: say.Ride) -> Iterator[Track]:
    officer = field.battle.officers.get(order.officer)
    if officer is None or officer.pos is None:
        return
    goal: Point | None = None
    if isinstance(order, say.MoveOfficer):
        goal = order.to
    elif (unit := field.battle.units.get(order.unit)) is not None and unit.stands:
        goal = tenths(field.body(unit).rear)
    if goal is not None:
        yield from _track(field, role, "ride", (officer.pos, goal), order.officer)


def _track(field: Field, role: Role, kind: TrackKind, path: Sequence[Point], who: str) -> Iterator[Track]:
    points = tuple(spot(field.scene, at) for at in path)
    if len(set(points)) > 1:
        yield Track(kind, style(field.scene, role), points, of=(who,))
