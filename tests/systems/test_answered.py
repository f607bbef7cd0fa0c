"""Every order that was read is answered for by its line: none is taken and never heard of again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import Struct

from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Judgement
from pbem.rules import registry
from tests.systems.boards import BOARDS
from tests.systems.play import Game
from tests.systems.secret import plug, sheet

EXCHANGES = 3
"""So many exchanges of each board are played."""

OUT = (Judgement.SUPERSEDED, Judgement.NOT_USED)
"""What is said of lines that are no orders though nothing is wrong with them."""

Line = tuple[Role, Moment, int]


def answers(order: Any, told: set[Line], role: Role, moment: Moment) -> bool:
    """Whether an order has been answered for: by its line, or of one of several by all of those."""
    inner = [one for one in getattr(order, "lines", ()) if isinstance(one, Struct)]
    by_parts = bool(inner) and all(answers(one, told, role, moment) for one in inner)
    return (role, moment, order.line) in told or by_parts


def waiting(game: Game) -> set[Line]:
    """What is kept for a later exchange: the entries of a programme that have not come up."""
    programme = getattr(game.world.truth, "programme", {})
    turn = game.pause.moment.turn
    return {(role, Moment(turn, one.sheet), one.order.line) for role, entries in programme.items() for one in entries}


@pytest.mark.parametrize(("name", "scenario"), BOARDS)
def test_every_order_that_was_read_is_answered_for_by_its_line(name: str, scenario: str) -> None:
    game, random = Game(registry.load(name), scenario), Random(11)
    read: list[tuple[Role, Moment, Any]] = []
    told: set[Line] = set()
    left = EXCHANGES
    while left and not game.over:
        pause = game.pause
        left -= not pause.moment.halt
        orders: dict[Role, list[Any]] = {}
        for call in pause.calls:
            orders[call.role], complaints = game.read(call.role, sheet(game, call.role, plug(name), random))
            read += [(call.role, pause.moment, order) for order in orders[call.role]]
            out = [one for one in complaints if one.judgement.refuses or one.judgement in OUT]
            told |= {(call.role, pause.moment, one.line) for one in out}
        before = {role: len(game.told[role]) for role in game.roles}
        game.resolve(orders)
        for role in game.roles:
            news = game.told[role][before[role] :]
            page = game.system.view(game.scene, game.world.minds[role], role, news, game.pause)
            told |= {(role, one.moment, one.line) for one in page.ordered if one.result}
    told |= waiting(game)

    assert read
    assert [str(order) for role, moment, order in read if not answers(order, told, role, moment)] == []
