"""What may be ordered, and how a sheet is read."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token, Tree
from msgspec import Struct

from pbem.kernel.names import Role, RuleId
from pbem.kernel.owed import Call
from pbem.orders.grammar import Grammar
from pbem.orders.sheet import Complaint, Judgement, Line, Reading
from tests.systems.toy.rules import is_own, within_reach
from tests.systems.toy.state import Field, Scene, own

GRAMMAR = Grammar(
    r"""
    order: "move" PIECE "to" PLACE -> move
         | "fire" PIECE "at" PLACE -> fire
         | "watch" PIECE PLACE     -> watch
    PIECE: /[a-z]\d/
    PLACE: /\d+/
    """,
    examples={"move": "move s1 to 3", "fire": "fire g1 at 3", "watch": "watch g1 4"},
    words={"PIECE": "a piece, like s1", "PLACE": "the number of a place"},
)


class Move(Struct, frozen=True, tag="move", tag_field="order"):
    """Go to a place."""

    line: int
    piece: str
    square: int


class Fire(Struct, frozen=True, tag="fire", tag_field="order"):
    """Fire at a place."""

    line: int
    piece: str
    square: int


class Watch(Struct, frozen=True, tag="watch", tag_field="order"):
    """Fire at a place whenever there is no order (standing)."""

    line: int
    piece: str
    square: int


Order = Move | Fire | Watch
ORDERS: tuple[type[Order], ...] = Order.__args__
SORTS: dict[str, tuple[type[Order], str]] = {
    "move": (Move, "movement"), "fire": (Fire, "fire"), "watch": (Watch, "reaction")
}  # fmt: skip
"""By the verb: the order, and its sort."""


def read(scene: Scene, lines: Sequence[Line], mind: Field, role: Role, call: Call | None) -> Reading[Order]:
    """The orders of a sheet; of two for one piece, both of one kind, the later counts."""
    trees, complaints = GRAMMAR.read(lines, names=mind.pieces)
    taken: dict[tuple[str, str], Order] = {}
    for line, tree in trees:
        make, sort = SORTS[str(tree.data)]
        piece, square = (str(token).lower() for token in tree.children)
        order = make(line.number, piece, int(square))
        if wrong := _wrong(scene, line, tree, mind, role, call, sort):
            complaints.append(wrong)
        if wrong and wrong.judgement.refuses:
            continue
        if earlier := taken.pop((sort, piece), None):
            why = f"line {line.number} orders the same"
            complaints.append(Complaint(earlier.line, 0, Judgement.SUPERSEDED, why))
        if wrong is None:
            taken[sort, piece] = order
    return Reading(tuple(taken.values()), tuple(sorted(complaints, key=lambda one: one.line)))


def _wrong(
    scene: Scene, line: Line, tree: Tree[Token], mind: Field, role: Role, call: Call | None, sort: str
) -> Complaint | None:
    piece, place = tree.children
    assert isinstance(piece, Token)
    assert isinstance(place, Token)

    def complain(at: Token, judgement: Judgement, why: str, rule: str) -> Complaint:
        return Complaint(line.number, at.column or 1, judgement, why, RuleId(rule), width=len(at))

    if call is not None and sort not in call.sorts:
        return Complaint(line.number, 1, Judgement.NOT_USED, f"no {sort} in this exchange")
    if call is not None and not is_own(mind, role, piece.lower()):
        return complain(piece, Judgement.NOT_ALLOWED, f"{piece} is no piece of yours", "TY-ORD-01")
    if not 1 <= int(place) <= scene.places:
        return complain(place, Judgement.NOT_ALLOWED, f"there is no place {place}", "TY-MOV-01")
    if call is None or sort != "movement":
        return None
    if not within_reach(mind.pieces[piece.lower()].square, int(place)):
        return complain(place, Judgement.NOT_ALLOWED, f"place {place} is too far", "TY-MOV-01")
    return None


def forecast(scene: Scene, mind: Field, role: Role, orders: Sequence[Order]) -> Sequence[tuple[int, str]]:
    """How far each cart goes."""
    return [
        (order.line, f"{order.piece} goes from {mind.pieces[order.piece].square} to {order.square}")
        for order in orders
        if isinstance(order, Move)
    ]


def idle(scene: Scene, mind: Field, role: Role, orders: Sequence[Order], call: Call) -> Sequence[str]:
    """Which piece of *role* has no order."""
    return [f"{name} stays as it is." for name in own(mind, role) if name not in {order.piece for order in orders}]
