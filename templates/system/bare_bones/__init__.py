"""Bare bones: sides fight for villages, and none knows how strong the other is.

Read `ledger.toml` (the rules in words), `state` and `outcomes` (what is, and what comes to pass), `rules`, `orders`,
`turn` (the sequence of play, which throws the dice), `setup` (scenario, muster, the GM's words), `page`, and
`suite/cases.toml`, which proves the rules.  This page wires them together.
"""

from __future__ import annotations

from pbem.rules.contract import System, ask

from bare_bones import orders, page, rules, setup, turn
from bare_bones.outcomes import FACTS, Fact
from bare_bones.state import Scene, Valley, counts, evolve, seen

SYSTEM: System[Scene, Valley, Valley, orders.Order, Fact] = System(
    name="bare-bones",
    title="Bare bones",
    version="0.1.0",
    facts=FACTS,
    orders=orders.ORDERS,
    state=Valley,
    mind=Valley,
    scene=setup.scene,
    blank=setup.blank,
    muster=setup.muster,
    evolve=evolve,
    learn=evolve,
    seen=seen,
    awaits=turn.awaits,
    read=orders.read,
    resolve=turn.resolve,
    view=page.view,
    tell=page.tell,
    verdict=turn.verdict,
    direct=setup.direct,
    asks={"is_next": ask(lambda scene, valley, *villages: rules.is_next(scene, *villages), "BB-MAR-01")},
    counts=counts,
    forms=orders.GRAMMAR.examples,
    own_forms=orders.own_forms,
    forecast=orders.forecast,
    idle=orders.idle,
    recount=page.recount,
    past=page.PAST,
)
