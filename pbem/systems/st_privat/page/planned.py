"""What a sheet would come to, on its writer's map: where each line takes whom, and at whom it fires or charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ground.picture import SideStyle, Track, TrackKind
from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.orders.sheet import Order
from pbem.systems.st_privat.field.field import Field, field_of
from pbem.systems.st_privat.field.ranks import selects
from pbem.systems.st_privat.fire.aims import means
from pbem.systems.st_privat.march.plans import concerned, marches
from pbem.systems.st_privat.page.drawing import style
from pbem.systems.st_privat.page.landscape import middle
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.sheets.chances import MARCHES, marched
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.state import Battle


def plans(scene: Scene, battle: Battle, role: Role, orders: Sequence[Order]) -> Sequence[tuple[int, Track]]:
    """Each march, and each fire and charge from where its pieces stand when the marches of the sheet are made."""
    field = field_of(scene, battle)
    return (*_marches(field, role, orders), *_attacks(marched(field, orders), role, orders))


def _marches(field: Field, role: Role, orders: Sequence[Order]) -> Iterator[tuple[int, Track]]:
    moving = [order for order in orders if isinstance(order, say.Movement) and not isinstance(order, say.Hold)]
    absent = {name for order in moving for name in concerned(field, order)}
    for order in moving:
        for march in marches(field, order, say.units_of(order), absent)[0] if isinstance(order, MARCHES) else ():
            if len(march.path) > 1:
                points = tuple(middle(field.scene, at) for at in march.path)
                yield order.line, Track("move", style(field.scene, role), points, of=tuple(march.body.names))


def _attacks(field: Field, role: Role, orders: Sequence[Order]) -> Iterator[tuple[int, Track]]:
    side = style(field.scene, role)
    for order in orders:
        if isinstance(order, say.Fire | say.Shoot):
            fires = [
                piece
                for piece in field.own(role)
                if means(order, piece) and (piece.kind == "infantry" if isinstance(order, say.Fire) else piece.is_gun)
            ]
            kind: TrackKind = "rifle" if isinstance(order, say.Fire) else "artillery"
            yield from _from_squares(field, side, order, order.square, [(one.square, one.id) for one in fires], kind)
        elif isinstance(order, say.Charge):
            charge = [piece for piece in field.own(role) if any(selects(unit, piece) for unit in order.units)]
            yield from _from_squares(
                field, side, order, order.square, [(one.square, one.id) for one in charge], "charge"
            )


def _from_squares(
    field: Field,
    side: SideStyle,
    order: Order,
    target: Square,
    pieces: Sequence[tuple[Square | None, str]],
    kind: TrackKind,
) -> Iterator[tuple[int, Track]]:
    """One track from each square in which pieces of an order stand."""
    there: dict[Square, list[str]] = {}
    for at, name in pieces:
        if at is not None and at != target:
            there.setdefault(at, []).append(name)
    for at, names in there.items():
        points = (middle(field.scene, at), middle(field.scene, target))
        yield order.line, Track(kind, side, points, of=tuple(names))
