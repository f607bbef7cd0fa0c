"""The ford: the smallest whole system, for the tests of what all systems share, and for who writes a sixth.

Two carts cross a valley; one is laden, and only the smuggler knows which.  Each turn he moves them (exchange A),
then the guard's two patrols fire (exchange B).  With the option `alarm` the carts move one after the other, and a
patrol that hears one calls the guard: a private halt.

Read `ledger.toml` (the rules in words), `state` and `outcomes` (what is, and what comes to pass), `rules`, `orders`,
`turn` (the sequence of play, which throws the dice), `setup`, `view`, and `cases.toml`, which proves the rules.
This page wires them together.
"""

from __future__ import annotations

from pbem.kernel.names import RuleId
from pbem.rules.contract import Ask, System
from tests.systems.toy import chances, orders, past, setup, state, turn, view
from tests.systems.toy.outcomes import FACTS, Fact
from tests.systems.toy.rules import within_reach
from tests.systems.toy.state import Field, Scene

SYSTEM: System[Scene, Field, Field, orders.Order, Fact] = System(
    name="toy",
    title="The ford",
    version="1.0.0",
    facts=FACTS,
    orders=orders.ORDERS,
    state=Field,
    mind=Field,
    scene=setup.scene,
    blank=setup.blank,
    muster=setup.muster,
    evolve=state.evolve,
    learn=state.evolve,
    seen=state.seen,
    awaits=turn.awaits,
    read=orders.read,
    resolve=turn.resolve,
    view=view.view,
    tell=view.tell,
    verdict=turn.verdict,
    direct=setup.direct,
    asks={
        "within_reach": Ask(lambda scene, field, *places: within_reach(*places), (RuleId("TY-MOV-01"),)),
    },
    counts=state.counts,
    forms=orders.GRAMMAR.examples,
    forecast=chances.forecast,
    idle=orders.idle,
    seals=turn.seals,
    past=past.PAST,
    chances=chances.CHANCES,
)
