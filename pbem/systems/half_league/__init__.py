"""Half a League, Half a League: grand tactical combat of the Crimean War, by brigades and regiments.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Its files stand in rooms, each importing only rooms before it: `tables`, `world`, `scene`, `field`, `mind`, `play`,
`march`, `fire`, `melee`, `turn`, `sheets`, `page`, `gm`.  Start reading at `world.state` and `world.outcomes`, then
`turn.turn`, the sequence of play, and `field.field`, which measures.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.half_league.gm.asks import ASKS
from pbem.systems.half_league.gm.checks import CHECKS
from pbem.systems.half_league.gm.direct import direct
from pbem.systems.half_league.gm.past import PAST
from pbem.systems.half_league.gm.truth import gm_page, recount
from pbem.systems.half_league.mind.memory import learn
from pbem.systems.half_league.page.planned import plans
from pbem.systems.half_league.page.telling import tell
from pbem.systems.half_league.page.view import view
from pbem.systems.half_league.play.pauses import awaits
from pbem.systems.half_league.play.victory import verdict
from pbem.systems.half_league.scene.scene import Scene, parse_scene
from pbem.systems.half_league.sheets.chances import CHANCES
from pbem.systems.half_league.sheets.examples import own_forms
from pbem.systems.half_league.sheets.forecast import forecast, idle
from pbem.systems.half_league.sheets.reading import read
from pbem.systems.half_league.sheets.verbs import EXAMPLES
from pbem.systems.half_league.turn.setup import blank, counts, muster
from pbem.systems.half_league.turn.turn import resolve
from pbem.systems.half_league.world.fact import Fact, seen
from pbem.systems.half_league.world.orders import ORDERS, AnyOrder
from pbem.systems.half_league.world.outcomes import FACTS
from pbem.systems.half_league.world.state import Battle, evolve, written

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
    checks=CHECKS,
    counts=counts,
    forms=EXAMPLES,
    own_forms=own_forms,
    forecast=forecast,
    idle=idle,
    plans=plans,
    umpire=gm_page,
    recount=recount,
    past=PAST,
    chances=CHANCES,
    written=written,
)
"""The game, as the office holds it."""
