"""Kriegsspiel: the war game of B. von Reisswitz, 1824, on continuous ground, by written orders.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `troops`, `state` and `mind`: what is so, and what one commander knows of it.  Then `turn`, the
sequence of play, `decisions`, `movement`, and `delivery`, where papers come into hands.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.kriegsspiel.asks import ASKS
from pbem.systems.kriegsspiel.direct import direct
from pbem.systems.kriegsspiel.examples import own_forms
from pbem.systems.kriegsspiel.fact import Fact, seen
from pbem.systems.kriegsspiel.forecast import forecast, idle
from pbem.systems.kriegsspiel.language import EXAMPLES, opens
from pbem.systems.kriegsspiel.memory import learn
from pbem.systems.kriegsspiel.mind import Mind
from pbem.systems.kriegsspiel.orders import ORDERS, AnyAct
from pbem.systems.kriegsspiel.outcomes import FACTS
from pbem.systems.kriegsspiel.pauses import awaits, seals
from pbem.systems.kriegsspiel.reading import read
from pbem.systems.kriegsspiel.scene import Scene, parse_scene
from pbem.systems.kriegsspiel.setup import blank, counts, muster
from pbem.systems.kriegsspiel.staff import staff
from pbem.systems.kriegsspiel.state import War, evolve, written
from pbem.systems.kriegsspiel.telling import tell
from pbem.systems.kriegsspiel.truth import recount, umpire
from pbem.systems.kriegsspiel.turn import resolve
from pbem.systems.kriegsspiel.victory import verdict
from pbem.systems.kriegsspiel.view import view

SYSTEM: System[Scene, War, Mind, AnyAct, Fact] = System(
    name="kriegsspiel",
    title="Kriegsspiel, 1824",
    version="1.0.0",
    facts=FACTS,
    orders=ORDERS,
    state=War,
    mind=Mind,
    scene=parse_scene,
    blank=blank,
    muster=muster,
    evolve=evolve,
    learn=learn,
    seen=seen,
    awaits=awaits,
    read=read,
    resolve=resolve,
    view=view,
    tell=tell,
    verdict=verdict,
    direct=direct,
    asks=ASKS,
    counts=counts,
    forms=EXAMPLES,
    own_forms=own_forms,
    forecast=forecast,
    idle=idle,
    opens=opens,
    carries_letters=True,
    seals=seals,
    staff=staff,
    umpire=umpire,
    recount=recount,
    written=written,
)
"""The game, as the office holds it."""
