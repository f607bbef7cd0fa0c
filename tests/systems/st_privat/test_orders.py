"""Every order has what it needs: a verb of its sort, and an entry where it is carried out."""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

import pytest

from pbem.orders.sheet import Order, lines_of
from pbem.systems.st_privat.page.telling import TELLERS
from pbem.systems.st_privat.turn.layout import PUT
from pbem.systems.st_privat.turn.movement import DEEDS
from pbem.systems.st_privat.turn.reactions import after
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.game import Reactions
from pbem.systems.st_privat.world.language import Draft, drafts
from pbem.systems.st_privat.world.outcomes import FACTS
from pbem.systems.st_privat.world.verbs import VERBS
from tests.systems.st_privat.field import scene

LINES = """
section fg1 deployed
demolish p7+p8 building I-9
demolish p7+p8 bridge I-9
demolish p7+p8 equipment fg1
"""
"""The forms of order that their verb has no example of."""

SORTS: dict[str, Collection[type[Order]]] = {
    "setup": get_args(say.SetUp),
    "movement": get_args(say.Movement),
    "siege": (say.SiegeReveal,),
    "fire": (say.Fire, say.Shoot),
    "melee": (say.Charge,),
    "reactions": get_args(say.Reaction),
}


def test_every_order_is_of_one_sort() -> None:
    assert sorted(map(str, say.ORDERS)) == sorted(str(kind) for kinds in SORTS.values() for kind in kinds)


def examples() -> list[Draft]:
    """The drafts of all examples, and of the forms that have none."""
    lines = [line for verb in VERBS.values() for line in verb.examples.values()]
    found, complaints = drafts(scene().board, lines_of("\n".join(lines) + LINES), ())
    assert not complaints
    return found


def test_every_verb_makes_an_order_of_its_sort_and_every_order_has_a_verb() -> None:
    found = examples()

    assert {type(draft.order) for draft in found} == set(say.ORDERS)
    assert [draft.line.text for draft in found if type(draft.order) not in SORTS[draft.sort]] == []


@pytest.mark.parametrize(
    ("table", "kinds", "where"),
    [
        (PUT, get_args(say.SetUp), "the union SetUp of world/orders.py and the table PUT of turn/layout.py"),
        (DEEDS, get_args(say.InPlace), "the union InPlace of world/orders.py and the table DEEDS of turn/movement.py"),
        (TELLERS, FACTS, "the facts of world/outcomes.py and the table TELLERS of page/telling.py"),
    ],
    ids=["PUT", "DEEDS", "TELLERS"],
)
def test_every_kind_has_its_entry(table: Collection[type], kinds: Collection[type], where: str) -> None:
    odd = sorted(one.__name__ for one in set(table) ^ set(kinds))

    assert odd == [], f"{', '.join(odd)}: only in one of {where}"


def test_every_reaction_is_put_in_force_but_those_that_act_at_once_or_ask() -> None:
    found, _ = drafts(
        scene().board, lines_of("\n".join(line for v in VERBS.values() for line in v.examples.values())), ()
    )
    reactions = [draft.order for draft in found if isinstance(draft.order, say.Reaction)]

    assert {type(order) for order in reactions if after(Reactions(), order) is None} == {say.Reveal, say.ShowOrders}
