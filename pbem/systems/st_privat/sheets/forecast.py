"""What a sheet would come to, by what its writer knows: how far each march goes, how far off each target is.

No dice are thrown, and no order of the enemy is guessed: what he does not know may make it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.square import Square, distance, place
from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.prose import counted
from pbem.orders.sheet import Order
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field, field_of
from pbem.systems.st_privat.fire.aims import means
from pbem.systems.st_privat.march.march import March
from pbem.systems.st_privat.march.plans import concerned, marches
from pbem.systems.st_privat.play.pauses import holds
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import cap, names, path
from pbem.systems.st_privat.sheets.chances import sentences
from pbem.systems.st_privat.turn.setup import lay_out
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.pieces import GUNS, Kind, Place
from pbem.systems.st_privat.world.state import Battle

_IDLE: Mapping[str, tuple[Kind, ...]] = {
    "Infantry": ("infantry",),
    "Cavalry": ("cavalry",),
    "Guns": GUNS,
    "Generals": ("general",),
}


def forecast(scene: Scene, battle: Battle, role: Role, orders: Sequence[Order]) -> Sequence[tuple[int, str]]:
    """Of each march where it ends and what it costs; of fires how far their target then is; the odds of attacks."""
    field = field_of(scene, battle)
    moving = [order for order in orders if isinstance(order, say.Movement) and not isinstance(order, say.Hold)]
    absent = {name for order in moving for name in concerned(field, order)}
    told: list[tuple[int, str]] = []
    going: dict[str, tuple[Square, Place]] = {}
    for order in orders:
        if isinstance(order, say.Move | say.Exit | say.Prolong | say.MoveCard):
            for march in marches(field, order, say.units_of(order), absent)[0]:
                told.append((order.line, _march(march)))
                going |= dict.fromkeys(march.body.names, (march.end, march.place))
    for order in orders:
        if isinstance(order, say.Fire | say.Shoot):
            told += [(order.line, said) for said in _fire(field, role, order, going)]
    told += sentences(field, role, orders)
    return sorted(told, key=lambda one: one[0])


@rule("SP-MOV-01")
def _march(march: March) -> str:
    who = names(march.body.names)
    where = "off the board" if march.exits else f"to {march.end}"
    by = f" by {path(march.path[1:])}" if len(march.path) > 2 else ""
    facing = f", facing {march.facing}" if march.facing and not march.exits else ""
    cost = f"{march.cost} of {march.points} points"
    stop = f" It ends there: {march.stop.why}." if march.stop is not None else ""
    return f"{who} {where}{by}{facing}; {cost}.{stop}"


def _fire(
    field: Field, role: Role, order: say.Fire | say.Shoot, going: Mapping[str, tuple[Square, Place]]
) -> Iterator[str]:
    """How far a target is, from every square that it is fired at from once the marches of the sheet are made."""
    squares: dict[Square, list[str]] = {}
    for piece in field.own(role):
        at, where = going.get(piece.id, (piece.square, piece.place))
        fires = piece.kind == "infantry" if isinstance(order, say.Fire) else piece.is_gun
        if at is not None and fires and means(order, replace(piece, square=at, place=where)):
            squares.setdefault(at, []).append(piece.id)
    for at, some in squares.items():
        yield f"{names(some)} at {at}: {order.square} is {counted(distance(at, order.square), 'square')} away."


def idle(scene: Scene, battle: Battle, role: Role, orders: Sequence[Order], call: Call) -> Sequence[str]:
    """Who has no order to move, and what is taken for silence beside that; of a set-up who is placed by default."""
    field = field_of(scene, battle)
    if any(isinstance(one, say.SetUp) for one in orders):
        return _defaults(scene, battle, role, orders)
    rest = call.otherwise
    said = []
    if "movement" in call.sorts:
        moved = {name for one in orders if isinstance(one, say.Movement) for name in concerned(field, one)}
        for label, kinds in _IDLE.items():
            still = [p.id for p in field.own(role) if p.kind in kinds and p.square and p.id not in moved]
            if still:
                said.append(f"{label} hold: {names(still)}.")
        rest = rest.removeprefix(holds(role)).strip("; ")
    if any(isinstance(one, say.Charge) for one in orders):
        rest = rest.removesuffix("nobody charges").strip("; ")
    return (*said, f"{cap(rest)}.") if rest else tuple(said)


def _defaults(scene: Scene, battle: Battle, role: Role, orders: Sequence[Order]) -> Sequence[str]:
    """Where the default set-up puts those whom a sheet does not place."""
    layout, _ = lay_out(scene, battle, role, orders)
    groups: dict[tuple[Square, Place], list[str]] = {}
    for name in layout.defaulted:
        piece = layout.pieces[name]
        if piece.square is not None:
            groups.setdefault((piece.square, piece.place), []).append(name)
    if not groups:
        return ("All your pieces are placed by your orders.",)
    told = [
        f"{names(some)} at {at}{' (inside)' if where == 'inside' else ''}"
        for (at, where), some in sorted(groups.items(), key=lambda one: (place(one[0][0]), one[0][1]))
    ]
    return (f"Placed by default: {'; '.join(told)}.",)
