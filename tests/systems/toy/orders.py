"""What may be ordered, and how a sheet is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lark import Token, Tree

from pbem.kernel.names import Role, RuleId
from pbem.kernel.owed import Call
from pbem.orders import sheet
from pbem.orders.grammar import Grammar
from pbem.orders.sentence import Sentence, order_of
from pbem.orders.sheet import Complaint, Judgement, Line, Reading
from pbem.orders.verbs import Verb, examples, rules
from tests.systems.toy.rules import is_own, within_reach
from tests.systems.toy.state import Field, Scene, own


class Move(sheet.Order, frozen=True, tag="move"):
    """Go to a place."""

    piece: str
    square: int


class Fire(sheet.Order, frozen=True, tag="fire"):
    """Fire at a place."""

    piece: str
    square: int


class Watch(sheet.Order, frozen=True, tag="watch"):
    """Fire at a place whenever there is no order (standing)."""

    piece: str
    square: int


Order = Move | Fire | Watch
ORDERS: tuple[type[Order], ...] = Order.__args__


def _piece(told: Sentence) -> str:
    return told.the("PIECE").lower()


def _place(told: Sentence) -> int:
    return int(told.the("PLACE"))


VERBS: Mapping[str, Verb[Sentence, Order]] = {
    "move": Verb(
        '"move" PIECE "to" PLACE', order_of(Move, piece=_piece, square=_place), {"move": "move s1 to 3"}, "movement"
    ),
    "fire": Verb(
        '"fire" PIECE "at" PLACE', order_of(Fire, piece=_piece, square=_place), {"fire": "fire g1 at 3"}, "fire"
    ),
    "watch": Verb(
        '"watch" PIECE PLACE', order_of(Watch, piece=_piece, square=_place), {"watch": "watch g1 4"}, "reaction"
    ),
}
"""How each order is written, made and called for."""

GRAMMAR = Grammar(
    rules({"order": VERBS})
    + r"""
    PIECE: /[a-z]\d/
    PLACE: /\d+/
    """,
    examples=examples(VERBS),
    words={"PIECE": "a piece, like s1", "PLACE": "the number of a place"},
)


def read(scene: Scene, lines: Sequence[Line], mind: Field, role: Role, call: Call | None) -> Reading[Order]:
    """The orders of a sheet; of two for one piece, both of one kind, the later counts."""
    trees, complaints = GRAMMAR.read(lines, names=mind.pieces)
    taken: dict[tuple[str, str], Order] = {}
    for line, tree in trees:
        verb = VERBS[str(tree.data)]
        order, sort = verb.make(Sentence(line, tree)), verb.sort
        if wrong := _wrong(scene, line, tree, mind, role, call, sort):
            complaints.append(wrong)
        if wrong and wrong.judgement.refuses:
            continue
        if earlier := taken.pop((sort, order.piece), None):
            why = f"line {line.number} orders the same"
            complaints.append(Complaint(earlier.line, 0, Judgement.SUPERSEDED, why))
        if wrong is None:
            taken[sort, order.piece] = order
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
