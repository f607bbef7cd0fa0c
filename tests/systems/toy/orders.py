"""What may be ordered, and how a sheet is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders import sheet
from pbem.orders.grammar import Grammar, Node, Word
from pbem.orders.refusal import BadWord, Wrong, complaint
from pbem.orders.sentence import Sentence, order_of
from pbem.orders.sheet import Complaint, Judgement, Line, Reading, read_whole
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


class Said(Sentence):
    """One line of orders in the valley."""

    def __init__(self, scene: Scene, line: Line, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.scene = scene

    def piece(self) -> str:
        """The piece that is ordered."""
        return self.the("PIECE").lower()

    def place(self) -> int:
        """The place that it is ordered to.

        :raises BadWord: if the valley has none of that number.
        """
        word = self.the("PLACE")
        return self.number(word, 1, self.scene.places, f"there is no place {word}", "TY-MOV-01")


VERBS: Mapping[str, Verb[Said, Order]] = {
    "move": Verb(
        '"move" PIECE "to" PLACE',
        order_of(Move, piece=Said.piece, square=Said.place),
        {"move": "move s1 to 3"},
        "movement",
    ),
    "fire": Verb(
        '"fire" PIECE "at" PLACE', order_of(Fire, piece=Said.piece, square=Said.place), {"fire": "fire g1 at 3"}, "fire"
    ),
    "watch": Verb(
        '"watch" PIECE PLACE', order_of(Watch, piece=Said.piece, square=Said.place), {"watch": "watch g1 4"}, "reaction"
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
        verb, said = VERBS[str(tree.data)], Said(scene, line, tree)
        if call is not None and verb.sort not in call.sorts:
            complaints.append(complaint(line, Judgement.NOT_USED, Wrong(f"no {verb.sort} in this exchange")))
            continue
        try:
            order = verb.make(said)
            if call is not None:
                _judge(said, order, mind, role)
        except BadWord as bad:
            complaints.append(complaint(line, Judgement.NOT_ALLOWED, bad.wrong, bad.token))
            continue
        if earlier := taken.pop((verb.sort, order.piece), None):
            why = f"line {line.number} orders the same"
            complaints.append(Complaint(earlier.line, 0, Judgement.SUPERSEDED, why))
        taken[verb.sort, order.piece] = order
    return read_whole(taken.values(), complaints)


def _judge(said: Said, order: Order, mind: Field, role: Role) -> None:
    """What an order may not be, by what its writer knows.

    :raises BadWord: at the word that makes it so.
    """
    if not is_own(mind, role, order.piece):
        word = said.the("PIECE")
        raise BadWord(Wrong(f"{word} is no piece of yours", "TY-ORD-01"), word)
    if isinstance(order, Move) and not within_reach(mind.pieces[order.piece].square, order.square):
        word = said.the("PLACE")
        raise BadWord(Wrong(f"place {word} is too far", "TY-MOV-01"), word)


def idle(scene: Scene, mind: Field, role: Role, orders: Sequence[Order], call: Call) -> Sequence[str]:
    """Which piece of *role* has no order."""
    return [f"{name} stays as it is." for name in own(mind, role) if name not in {order.piece for order in orders}]
