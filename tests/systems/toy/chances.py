"""What the patrols may hit, and how a valley might be loaded that looks as a role knows it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.kernel.names import Role
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from tests.systems.toy.orders import Fire, Move, Order
from tests.systems.toy.rules import hits
from tests.systems.toy.state import SMUGGLER, Field, Scene, own


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


CHANCES: Chances[Scene, Field, Field, Order] = Chances(attacks=attacks, cannot="of the men on a cart it knows nothing")
