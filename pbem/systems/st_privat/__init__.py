"""Graveyard St. Privat: Henry Bodenstedt's game of the storming of St. Privat, on a board of squares.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

It stands in rooms, each of which imports only those before it: tables, world, scene, field, mind, play, march, fire,
melee, turn, sheets, page, gm.  Start reading at `world.state` and `world.outcomes`, then `turn.turn`, the sequence of
play.
"""

from __future__ import annotations

from pbem.orders.sheet import Order
from pbem.rules.contract import System
from pbem.systems.st_privat.gm.asks import ASKS
from pbem.systems.st_privat.gm.checks import CHECKS
from pbem.systems.st_privat.gm.direct import direct
from pbem.systems.st_privat.gm.past import PAST
from pbem.systems.st_privat.gm.truth import gm_page, recount
from pbem.systems.st_privat.mind.memory import learn
from pbem.systems.st_privat.page.planned import plans
from pbem.systems.st_privat.page.telling import tell
from pbem.systems.st_privat.page.view import view
from pbem.systems.st_privat.play.pauses import awaits
from pbem.systems.st_privat.play.victory import verdict
from pbem.systems.st_privat.scene.scene import Scene, parse_scene
from pbem.systems.st_privat.sheets.chances import CHANCES
from pbem.systems.st_privat.sheets.examples import own_forms
from pbem.systems.st_privat.sheets.forecast import forecast, idle
from pbem.systems.st_privat.sheets.reading import read
from pbem.systems.st_privat.turn.setup import blank, counts, muster
from pbem.systems.st_privat.turn.turn import resolve
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.language import EXAMPLES
from pbem.systems.st_privat.world.orders import ORDERS
from pbem.systems.st_privat.world.outcomes import FACTS, seen
from pbem.systems.st_privat.world.state import Battle, evolve

SYSTEM: System[Scene, Battle, Battle, Order, Fact] = System(
    name="st-privat",
    title="Graveyard St. Privat",
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
    forecast=forecast,
    idle=idle,
    plans=plans,
    umpire=gm_page,
    recount=recount,
    past=PAST,
    chances=CHANCES,
    own_forms=own_forms,
)
"""The game, as the office holds it."""
