"""How the bodies of an order would march: for the receipt by what is known, for the play by the truth."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Order
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.bodies import bodies
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.march.guns import cannot_prolong, push_march
from pbem.systems.st_privat.march.hidden import cannot_move_card, card_march
from pbem.systems.st_privat.march.march import March, settled
from pbem.systems.st_privat.march.regroup import one_place
from pbem.systems.st_privat.march.steps import Hindrance
from pbem.systems.st_privat.world import orders as say


def concerned(field: Field, order: Order) -> tuple[str, ...]:
    """All pieces that a movement order commits, the sections of its guns included."""
    found: dict[str, None] = {}
    for name in say.units_of(order):
        found[name] = None
        piece = field.battle.pieces.get(name)
        if piece is None or not piece.crew_id:
            continue
        if isinstance(order, say.Move | say.Exit | say.Limber | say.Unlimber):
            found |= dict.fromkeys(p.id for p in field.section(piece))
        elif isinstance(order, say.Prolong | say.MoveCard | say.Detach | say.Man):
            found |= dict.fromkeys(p.id for p in field.section(piece) if p.kind == "crew")
    return tuple(found)


def marches(
    field: Field, order: say.Move | say.Exit | say.Prolong | say.MoveCard, units: Sequence[str], absent: Collection[str]
) -> tuple[list[March], list[Wrong]]:
    """How the bodies of an order would march, and what keeps others of its pieces from marching at all.

    *absent* are those of the side who will not be in the way at the end.
    """
    if isinstance(order, say.Prolong):
        wrong = cannot_prolong(field, order)
        return ([], [wrong]) if wrong else ([push_march(field, order, absent)], [])
    if isinstance(order, say.MoveCard):
        wrong = cannot_move_card(field, order)
        return ([], [wrong]) if wrong else ([card_march(field, order, absent)], [])
    move = (
        say.Move(line=order.line, text=order.text, units=order.units, exit=True)
        if isinstance(order, say.Exit)
        else order
    )
    if apart := one_place([field.battle.pieces[name] for name in units]):
        return [], [apart]
    found, stuck = bodies(field, units, limbering=move.limber)
    away = {*absent, *(name for body in found for name in body.names)}
    planned = [_as_far(move, settled(field, body, _for(body.arm, move), move.via, away)) for body in found]
    return planned, stuck


def _as_far(order: say.Move, march: March) -> March:
    """A march `to` a square that is out of reach this turn says so at its end."""
    if order.to is None or march.stop is not None or march.end == order.to:
        return march
    why = f"{order.to} is out of reach this turn"
    return replace(march, stop=Hindrance("move_shortened", why, ("SP-MOV-01",)))


def _for(arm: str, order: say.Move) -> say.Move:
    """What of an order speaks to an arm, where it names several: generals neither turn nor form."""
    if arm != "general" or not _mixed(order):
        return order
    return replace(order, turn=None, turns=(), form=None, form_at_end=None, face=None)


@rule("SP-MOV-06")
def _mixed(order: say.Move) -> bool:
    return len(order.units) > 1
