"""1870, the War against the Empire: the operational game of August and September 1870, on a map of hexes.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `state` and `outcomes`, then `turn` and `programme`, the sequence of play.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.empire_1870.asks import ASKS
from pbem.systems.empire_1870.direct import direct
from pbem.systems.empire_1870.fact import Fact, seen
from pbem.systems.empire_1870.forecast import forecast, idle
from pbem.systems.empire_1870.language import EXAMPLES, nests, own_forms
from pbem.systems.empire_1870.memory import learn
from pbem.systems.empire_1870.orders import ORDERS, AnyOrder
from pbem.systems.empire_1870.outcomes import FACTS
from pbem.systems.empire_1870.pauses import awaits
from pbem.systems.empire_1870.reading import read
from pbem.systems.empire_1870.scene import Scene, parse_scene
from pbem.systems.empire_1870.setup import blank, counts, muster
from pbem.systems.empire_1870.state import War, evolve
from pbem.systems.empire_1870.telling import tell
from pbem.systems.empire_1870.truth import recount, umpire
from pbem.systems.empire_1870.turn import resolve
from pbem.systems.empire_1870.victory import verdict
from pbem.systems.empire_1870.view import view

SYSTEM: System[Scene, War, War, AnyOrder, Fact] = System(
    name="empire-1870",
    title="1870: The War Against the Empire",
    version="1.0.0",
    facts=FACTS,
    orders=ORDERS,
    state=War,
    mind=War,
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
    nests=nests,
    umpire=umpire,
    recount=recount,
    forecast=forecast,
    idle=idle,
)
"""The game, as the office holds it."""
