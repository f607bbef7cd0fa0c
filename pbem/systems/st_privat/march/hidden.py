"""Face-down cards on the move (SP-HID-03)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.ground.square import distance
from pbem.orders.refusal import Wrong
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.bodies import Body
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.march.facts import arrival
from pbem.systems.st_privat.march.formation import facing_there
from pbem.systems.st_privat.march.guns import cannot_push, pushed
from pbem.systems.st_privat.march.march import March, settled
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import in_part
from pbem.systems.st_privat.world.patches import Patch, merged
from pbem.systems.st_privat.world.pieces import Piece


def card_body(field: Field, piece: Piece) -> Body:
    """A card as it moves: a stand or dummy on foot, a gun pushed by its crew."""
    return pushed(field, piece) if piece.is_gun else Body("line", (piece,))


@rule("SP-HID-03", "SP-HID-01")
def cannot_move_card(field: Field, order: say.MoveCard) -> Wrong | None:
    """Why a piece cannot move as a card; the step itself is judged as a march of one square."""
    piece = field.battle.pieces[order.id]
    if not piece.hidden or not field.is_card(piece):
        return Wrong(f"{piece.id} is no face-down card", "SP-HID-03", f"move {piece.id} to {order.square}")
    town, goal = field.ground(piece.at).town, field.ground(order.square).town
    if not town or goal != town:
        return Wrong(f"a card stays in its own town; {order.square} is not in {town or 'any'}", "SP-HID-03")
    if distance(piece.at, order.square) != 1:
        here = f"{piece.id} lies at {piece.at} already"
        far = f"a card moves one square, and {order.square} is not beside {piece.at}"
        return Wrong(here if order.square == piece.at else far, "SP-HID-03")
    if piece.card_moved and field.options.card_moves == "once":
        return Wrong(f"{piece.id} has moved once, and cards move once in this game", "SP-HID-03")
    return cannot_push(field, piece) if piece.is_gun else None


def card_march(field: Field, order: say.MoveCard, absent: Collection[str]) -> March:
    """The move of a card as a march."""
    body = card_body(field, field.battle.pieces[order.id])
    move = say.Move(line=order.line, text=order.text, units=body.names, via=(order.square,), place=order.place)
    return settled(field, body, move, (order.square,), absent)


@rule("SP-HID-03", "SP-HID-01")
def move_card(play: Play, order: say.MoveCard, march: March) -> None:
    """Make a fact of a card's move: the enemy sees one card leave and one card come."""
    body = march.body.renewed(play.battle)
    shared = facing_there(play.field, march.end, body.side, march.place, body.names)
    facing = shared or order.facing or march.body.facing
    start = march.path[0]
    changes = {
        name: merged(patch, Patch(facing=facing, card_moved=True)) if name in body.names else patch
        for name, patch in arrival(play, march).items()
    }
    fact = o.CardMoved(
        rules=cited("SP-HID-03", "SP-HID-01", "SP-HID-02"),  # whatever it is: the enemy reads them too
        known=in_part(body.side),
        card_count=1,
        start=start,
        end=march.end,
        units=body.names,
        facing=facing,
    )
    play.change(fact, changes)
