"""Bare bones, played without an office: stories of your own game go here; the contract is `pbem.suite`'s."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.suite.play import Game

RED, BLUE = Role("red"), Role("blue")


def test_a_village_is_taken_by_who_marches_into_it() -> None:
    game = Game(registry.load("bare-bones"), "first")
    game.play({RED: "march r1 to ford"})

    assert game.world.truth.holders["ford"] == RED
    assert "Ford is in the hands of Red." in [one.text for one in game.page(BLUE).happened]


def test_an_order_for_another_is_refused_and_says_where_it_is_wrong() -> None:
    game = Game(registry.load("bare-bones"), "first")
    orders, [complaint] = game.read(RED, "march r1 to ford\nmarch b1 to church")

    assert [order.company for order in orders] == ["r1"]
    assert (complaint.line, complaint.column, complaint.rule) == (2, 7, "BB-ORD-01")
