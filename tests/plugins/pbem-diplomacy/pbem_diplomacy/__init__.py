"""Diplomacy: seven powers, all orders judged together, no dice.

Read `ledger.toml` (the rules in words), `board` and `map` (what borders on what), `judge` (the adjudicator), `rules`
(retreats, centres, builds, disorder), `state` and `outcomes` (what is, and what comes to pass), `orders` and `reading`
(sheets), `turn` (the sequence of play), `setup` (scenario, muster, the GM's words), `picture` and `page`.  This page
wires them together.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem_diplomacy import orders, page, reading, rules, setup, turn
from pbem_diplomacy.outcomes import FACTS, Fact
from pbem_diplomacy.state import Europe, Scene, counts, evolve, seen

SYSTEM: System[Scene, Europe, Europe, orders.Order, Fact] = System(
    name="diplomacy",
    title="Diplomacy",
    version="1.0.0",
    facts=FACTS,
    orders=orders.ORDERS,
    state=Europe,
    mind=Europe,
    scene=setup.scene,
    blank=setup.blank,
    muster=setup.muster,
    evolve=evolve,
    learn=evolve,
    seen=seen,
    awaits=turn.awaits,
    read=reading.read,
    resolve=turn.resolve,
    view=page.view,
    tell=page.tell,
    verdict=turn.verdict,
    direct=setup.direct,
    asks={},
    counts=counts,
    forms=orders.GRAMMAR.examples,
    own_forms=reading.own_forms,
    forecast=reading.forecast,
    idle=reading.idle,
    recount=page.recount,
    past=page.PAST,
    staff=setup.staff,
    out=rules.out,
)
