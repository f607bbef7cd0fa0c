"""What the patrols may hit, and how a valley might be loaded that looks as a role knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from tests.systems.toy.orders import Fire, Move, Order
from tests.systems.toy.rules import hits, load
from tests.systems.toy.setup import MEN
from tests.systems.toy.state import GUARD, SMUGGLER, Field, Scene, own


def attacks(scene: Scene, field: Field, role: Role, orders: Sequence[Order]) -> Sequence[Attack]:
    """Each fire at a place where a cart is."""
    there = {piece.square for piece in own(field, SMUGGLER).values()}
    least = int(field.options["hits_on"])
    return [
        Attack(
            line=order.line,
            kind="fire",
            what=f"{order.piece} at {order.square}",
            good="to hit",
            measure="men",
            on=partial(_fired, least),
        )
        for order in orders
        if isinstance(order, Fire) and order.square in there
    ]


def _fired(least: int, begun: None, tray: Tray) -> Came:
    hit = hits(tray.face(), least)
    return Came("a man is hit" if hit else "no hit", good=hit, lost=int(hit))


def forecast(scene: Scene, mind: Field, role: Role, orders: Sequence[Order]) -> Sequence[tuple[int, str]]:
    """How far each cart goes, and the odds of each fire."""
    told = [
        (order.line, f"{order.piece} goes from {mind.pieces[order.piece].square} to {order.square}")
        for order in orders
        if isinstance(order, Move)
    ]
    return [*told, *((one.line, f"{one.what}: {odds(one).clause}") for one in attacks(scene, mind, role, orders))]


def suppose(scene: Scene, mind: Field, role: Role, dice: Dice) -> tuple[Field, Mapping[Role, Field]]:
    """For the guard a load thrown for as at the muster, and carts that nobody of was hit; the smuggler sees all."""
    if role == SMUGGLER:
        return mind, {SMUGGLER: mind, GUARD: _from_outside(mind)}
    carts = own(mind, SMUGGLER)
    laden = load(dice.throw("load", "carts", seed="closed").faces[0])
    laden = laden if laden in carts else next(iter(carts), "")
    full = {name: replace(cart, men=MEN, laden=True if name == laden else None) for name, cart in carts.items()}
    truth = replace(mind, pieces={**mind.pieces, **full})
    return truth, {GUARD: mind, SMUGGLER: replace(truth, watches={})}


def _from_outside(field: Field) -> Field:
    """What the guard sees of a valley."""
    carts = {name: replace(cart, men=None, laden=None) for name, cart in own(field, SMUGGLER).items()}
    return replace(field, pieces={**field.pieces, **carts}, moves={})


CHANCES: Chances[Scene, Field, Field, Order] = Chances(attacks=attacks, suppose=suppose)
