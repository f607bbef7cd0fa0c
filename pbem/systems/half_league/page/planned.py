"""What a sheet would come to, on its writer's map: where each line takes whom, and at whom it fires or charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ground.picture import Track, TrackKind
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.half_league.field.field import Field, field_of
from pbem.systems.half_league.page.landscape import Sheet, style
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.sheets.forecast import expected
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.pieces import side_of
from pbem.systems.half_league.world.state import Battle


def plans(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[tuple[int, Track]]:
    """Each move as far as the dice reach on the average, each charge, fire and ride."""
    field = field_of(scene, mind)
    return tuple((order.line, track) for order in orders for track in _tracks(field, role, order))


def _tracks(field: Field, role: Role, order: say.AnyOrder) -> Iterator[Track]:
    mind = field.battle
    match order:
        case say.Pull() if order.then is not None:
            yield from _tracks(field, role, order.then)
        case say.Charge() | say.Bombard():
            kind: TrackKind = "charge" if isinstance(order, say.Charge) else "artillery"
            yield from _at(field, role, kind, order.unit, order.target)
        case say.Fire():
            for one in order.parts:
                guns = field.unit(order.unit).guns
                yield from _at(field, role, "artillery" if guns else "rifle", order.unit, one.target)
        case say.Ride() if order.leader in mind.leaders:
            yield from _track(field, role, "ride", (mind.leaders[order.leader].front, order.to), order.leader)
        case say.Attach() if order.leader in mind.leaders and order.unit in mind.units:
            ways = (mind.leaders[order.leader].front, mind.units[order.unit].front)
            yield from _track(field, role, "ride", ways, order.leader)
        case say.Reinforce():
            piece = mind.units.get(order.unit) or mind.leaders.get(order.unit)
            if piece is not None:
                yield from _track(field, role, "move", (piece.front, order.to), order.unit)
        case _ if isinstance(order, say.Activity):  # a union of classes, which no pattern can name
            made = expected(field, order)
            if made is not None:
                yield from _track(field, role, "move", made.came.path, order.unit)
        case _:  # what is done where it stands, and words to the rules
            pass


def _at(field: Field, role: Role, kind: TrackKind, unit: str, target: str) -> Iterator[Track]:
    shooter, enemy = field.battle.units.get(unit), field.battle.units.get(target)
    if shooter is not None and enemy is not None:
        yield from _track(field, role, kind, (shooter.front, enemy.front), unit)


def _track(field: Field, role: Role, kind: TrackKind, path: Sequence[Point], who: str) -> Iterator[Track]:
    points = Sheet(field.scene).line(path)
    if len(set(points)) > 1:
        yield Track(kind, style(field.scene, side_of(role)), points, of=(who,))
