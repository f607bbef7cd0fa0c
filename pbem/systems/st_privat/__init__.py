"""Graveyard St. Privat: Henry Bodenstedt's game of the storming of St. Privat, on a board of squares.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `state` and `outcomes`, then `turn`, the sequence of play.
"""

from __future__ import annotations

from pbem.orders.sheet import Order
from pbem.rules.contract import System
from pbem.systems.st_privat.asks import ASKS
from pbem.systems.st_privat.direct import direct
from pbem.systems.st_privat.examples import own_forms
from pbem.systems.st_privat.fact import Fact
from pbem.systems.st_privat.forecast import forecast, idle
from pbem.systems.st_privat.language import EXAMPLES
from pbem.systems.st_privat.memory import learn
from pbem.systems.st_privat.orders import ORDERS
from pbem.systems.st_privat.outcomes import FACTS, seen
from pbem.systems.st_privat.pauses import awaits
from pbem.systems.st_privat.reading import read
from pbem.systems.st_privat.scene import Scene, parse_scene
from pbem.systems.st_privat.setup import blank, counts, muster
from pbem.systems.st_privat.state import Battle, evolve
from pbem.systems.st_privat.telling import tell
from pbem.systems.st_privat.truth import recount, umpire
from pbem.systems.st_privat.turn import resolve
from pbem.systems.st_privat.victory import verdict
from pbem.systems.st_privat.view import view

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
    counts=counts,
    forms=EXAMPLES,
    forecast=forecast,
    idle=idle,
    umpire=umpire,
    recount=recount,
    own_forms=own_forms,
)
"""The game, as the office holds it."""
