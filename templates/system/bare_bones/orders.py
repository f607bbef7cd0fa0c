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

from bare_bones.rules import is_next, is_own
from bare_bones.state import Scene, Valley, own


class March(sheet.Order, frozen=True, tag="march"):
    """Go to the next village."""

    company: str
    village: str


class Hold(sheet.Order, frozen=True, tag="hold"):
    """Stay."""

    company: str


Order = March | Hold
ORDERS: tuple[type[Order], ...] = Order.__args__


class Said(Sentence):
    """One line of orders in the valley."""

    def __init__(self, scene: Scene, line: Line, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.scene = scene

    def company(self) -> str:
        """The company that is ordered."""
        return self.the("COMPANY").lower()

    def village(self) -> str:
        """The village that it is ordered to.

        :raises BadWord: if there is none of that name.
        """
        word = self.the("VILLAGE")
        if word.lower() not in self.scene.villages:
            raise self.unknown([word], f"there is no village {word}", self.scene.villages, "BB-MAR-01")
        return word.lower()


VERBS: Mapping[str, Verb[Said, Order]] = {
    "march": Verb(
        '"march" COMPANY "to" VILLAGE',
        order_of(March, company=Said.company, village=Said.village),
        {"march": "march r1 to ford"},
        "movement",
    ),
    "hold": Verb('"hold" COMPANY', order_of(Hold, company=Said.company), {"hold": "hold r1"}, "movement"),
}
"""Of each order: how it is written, what makes it, an example, and its sort, by which a call asks for it."""

GRAMMAR = Grammar(
    rules({"order": VERBS})
    + r"""
    COMPANY: /[a-z]\d/
    VILLAGE: /[a-z]+/
    """,
    examples=examples(VERBS),
    words={"COMPANY": "a company, like r1", "VILLAGE": "a village, like ford"},
    vague=["VILLAGE"],
)


def read(scene: Scene, lines: Sequence[Line], mind: Valley, role: Role, call: Call | None) -> Reading[Order]:
    """The orders of a sheet, judged by what its writer knows; of two for one company the later counts."""
    trees, complaints = GRAMMAR.read(lines, names=[*mind.companies, *scene.villages])
    taken: dict[str, Order] = {}
    for line, tree in trees:
        verb, said = VERBS[str(tree.data)], Said(scene, line, tree)
        if call is not None and verb.sort not in call.sorts:
            complaints.append(complaint(line, Judgement.NOT_USED, Wrong(f"no {verb.sort} is asked for now")))
            continue
        try:
            order = verb.make(said)
            if call is not None:
                _judge(said, order, mind, role)
        except BadWord as bad:
            complaints.append(complaint(line, Judgement.NOT_ALLOWED, bad.wrong, bad.token))
            continue
        if earlier := taken.pop(order.company, None):
            why = f"line {line.number} orders the same company"
            complaints.append(Complaint(earlier.line, 0, Judgement.SUPERSEDED, why))
        taken[order.company] = order
    return read_whole(taken.values(), complaints)


def _judge(said: Said, order: Order, mind: Valley, role: Role) -> None:
    """What an order may not be, by what its writer knows.

    :raises BadWord: at the word that makes it so.
    """
    if not is_own(mind, role, order.company):
        word = said.the("COMPANY")
        raise BadWord(Wrong(f"{word} is no company of yours", "BB-ORD-01"), word)
    at = mind.companies[order.company].at
    if isinstance(order, March) and not is_next(said.scene, at, order.village):
        word = said.the("VILLAGE")
        raise BadWord(Wrong(f"{word} is not next to {at}", "BB-MAR-01"), word)


def own_forms(scene: Scene, mind: Valley, role: Role) -> Mapping[str, str]:
    """The examples, in the names of a role's own companies and of villages that they can reach."""
    for name, company in own(mind, role).items():
        return {"march": f"march {name} to {scene.villages[company.at].next[0]}", "hold": f"hold {name}"}
    return GRAMMAR.examples


def forecast(scene: Scene, mind: Valley, role: Role, orders: Sequence[Order]) -> Sequence[tuple[int, str]]:
    """Where each march goes, and who is known to stand there."""
    return [
        (order.line, f"{order.company} goes to {order.village}{_met(mind, role, order.village)}")
        for order in orders
        if isinstance(order, March)
    ]


def _met(mind: Valley, role: Role, village: str) -> str:
    met = [name for name, one in sorted(mind.companies.items()) if one.at == village and one.side != role]
    return f", where {' and '.join(met)} stood" if met else ""


def idle(scene: Scene, mind: Valley, role: Role, orders: Sequence[Order], call: Call) -> Sequence[str]:
    """Which company of *role* has no order."""
    return [f"{name} stays where it is." for name in own(mind, role) if name not in {one.company for one in orders}]
