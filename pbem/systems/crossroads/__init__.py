"""Gentlemen at the Crossroads: a tactical game of 1870, played card by card.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

It stands in rooms, each of which imports only those before it: tables, world, scene, field, mind, play, march, fire,
melee, turn, sheets, page, gm.  Start reading at `world.state` and `world.outcomes`, then `turn.turn`, the sequence of
play, and `turn.cards`, what is done on a card.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.crossroads.gm.asks import ASKS
from pbem.systems.crossroads.gm.checks import CHECKS
from pbem.systems.crossroads.gm.direct import direct
from pbem.systems.crossroads.gm.past import PAST
from pbem.systems.crossroads.gm.truth import gm_page, recount
from pbem.systems.crossroads.mind.memory import learn
from pbem.systems.crossroads.page.planned import plans
from pbem.systems.crossroads.page.telling import tell
from pbem.systems.crossroads.page.view import view
from pbem.systems.crossroads.play.pauses import awaits
from pbem.systems.crossroads.play.victory import verdict
from pbem.systems.crossroads.scene.scene import Scene, parse_scene
from pbem.systems.crossroads.sheets.chances import CHANCES
from pbem.systems.crossroads.sheets.examples import own_forms
from pbem.systems.crossroads.sheets.forecast import forecast, idle
from pbem.systems.crossroads.sheets.reading import read
from pbem.systems.crossroads.sheets.verbs import EXAMPLES
from pbem.systems.crossroads.turn.setup import blank, counts, muster
from pbem.systems.crossroads.turn.turn import resolve
from pbem.systems.crossroads.world.fact import Fact, seen
from pbem.systems.crossroads.world.orders import ORDERS, AnyOrder
from pbem.systems.crossroads.world.outcomes import FACTS
from pbem.systems.crossroads.world.state import Battle, evolve, written

SYSTEM: System[Scene, Battle, Battle, AnyOrder, Fact] = System(
    name="crossroads",
    title="Gentlemen at the Crossroads",
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
    umpire=gm_page,
    recount=recount,
    past=PAST,
    chances=CHANCES,
    forecast=forecast,
    idle=idle,
    plans=plans,
    written=written,
)
"""The game, as the office holds it."""
