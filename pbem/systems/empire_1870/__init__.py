"""1870, the War against the Empire: the operational game of August and September 1870, on a map of hexes.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `world.state` and `world.outcomes`, then `turn.turn` and `turn.programme`, the sequence of play.  The
rooms, of which each imports only those before it: `tables`, `world`, `scene`, `field`, `mind`, `play`, `march`, `fire`,
`melee`, `turn`, `sheets`, `page`, `gm`.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.empire_1870.gm.asks import ASKS
from pbem.systems.empire_1870.gm.checks import CHECKS
from pbem.systems.empire_1870.gm.direct import direct
from pbem.systems.empire_1870.gm.past import PAST
from pbem.systems.empire_1870.gm.truth import recount, umpire
from pbem.systems.empire_1870.mind.memory import learn
from pbem.systems.empire_1870.page.planned import plans
from pbem.systems.empire_1870.page.telling import tell
from pbem.systems.empire_1870.page.view import view
from pbem.systems.empire_1870.play.pauses import awaits
from pbem.systems.empire_1870.play.victory import verdict
from pbem.systems.empire_1870.scene.scene import Scene, parse_scene
from pbem.systems.empire_1870.sheets.chances import CHANCES
from pbem.systems.empire_1870.sheets.forecast import forecast, idle
from pbem.systems.empire_1870.sheets.language import EXAMPLES, nests, own_forms
from pbem.systems.empire_1870.sheets.reading import read
from pbem.systems.empire_1870.turn.setup import blank, counts, muster
from pbem.systems.empire_1870.turn.turn import resolve
from pbem.systems.empire_1870.world.fact import Fact, seen
from pbem.systems.empire_1870.world.orders import ORDERS, AnyOrder
from pbem.systems.empire_1870.world.outcomes import FACTS
from pbem.systems.empire_1870.world.state import War, evolve

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
    checks=CHECKS,
    counts=counts,
    forms=EXAMPLES,
    own_forms=own_forms,
    nests=nests,
    umpire=umpire,
    recount=recount,
    past=PAST,
    chances=CHANCES,
    forecast=forecast,
    idle=idle,
    plans=plans,
)
"""The game, as the office holds it."""
