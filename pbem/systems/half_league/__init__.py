"""Half a League, Half a League: grand tactical combat of the Crimean War, by brigades and regiments.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `state` and `outcomes`, then `turn`, the sequence of play, and `field`, which measures.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.half_league.asks import ASKS
from pbem.systems.half_league.direct import direct
from pbem.systems.half_league.examples import own_forms
from pbem.systems.half_league.fact import Fact, seen
from pbem.systems.half_league.forecast import forecast, idle
from pbem.systems.half_league.language import EXAMPLES
from pbem.systems.half_league.memory import learn
from pbem.systems.half_league.orders import ORDERS, AnyOrder
from pbem.systems.half_league.outcomes import FACTS
from pbem.systems.half_league.pauses import awaits
from pbem.systems.half_league.reading import read
from pbem.systems.half_league.scene import Scene, parse_scene
from pbem.systems.half_league.setup import blank, counts, muster
from pbem.systems.half_league.state import Battle, evolve, written
from pbem.systems.half_league.telling import tell
from pbem.systems.half_league.truth import recount, umpire
from pbem.systems.half_league.turn import resolve
from pbem.systems.half_league.victory import verdict
from pbem.systems.half_league.view import view

SYSTEM: System[Scene, Battle, Battle, AnyOrder, Fact] = System(
    name="half-league",
    title="Half a League, Half a League",
    version="1.0.0",
    facts=FACTS,
    orders=ORDERS,
    state=Battle,
    mind=Battle,
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
    umpire=umpire,
    recount=recount,
    written=written,
)
"""The game, as the office holds it."""
