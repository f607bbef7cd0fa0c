"""Every order has its verb, its deed and its example; a verb that is added without one of them is found out."""

from __future__ import annotations

from typing import get_args

from pbem.kernel.names import Role
from pbem.orders.sheet import Line
from pbem.systems.half_league.march import movement
from pbem.systems.half_league.play.pauses import SORT_NAMES
from pbem.systems.half_league.sheets.verbs import EXAMPLES, GRAMMAR, VERBS, draft
from pbem.systems.half_league.world import orders as say
from tests.systems.half_league.ground import scene

ALLIED = Role("allied")


def made(example: str) -> list[type[say.AnyOrder]]:
    """The kinds of orders that an example gives."""
    line = Line(1, example)
    tree = GRAMMAR.tree(example)
    assert tree is not None, example
    return [type(order) for order in draft(scene(), ALLIED, line, tree).orders]


def test_every_order_is_given_by_the_example_of_a_verb() -> None:
    given = {kind for example in EXAMPLES.values() for kind in made(example)}

    # `BG-COD move to …` is a ride, and is written as a move is.
    assert given == set(say.ORDERS) - {say.Ride}


def test_every_verb_has_an_example_and_is_of_a_sort_that_an_exchange_asks_for() -> None:
    assert [name for name, verb in VERBS.items() if not verb.examples] == []
    assert {verb.sort for verb in VERBS.values()} == set(SORT_NAMES)


def test_every_activity_is_done() -> None:
    assert set(movement.ACTIVITIES) == set(get_args(say.Activity))
