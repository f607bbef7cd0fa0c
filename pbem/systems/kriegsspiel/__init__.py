"""Kriegsspiel: the war game of B. von Reisswitz, 1824, on continuous ground, by written orders.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `world.troops`, `world.bodies`, `world.state` and `world.mind`: what is so, and what one commander
knows of it.  Then `turn.turn`, the sequence of play, `turn.decisions` and `turn.doing`, `march.ticks`, and
`command.delivery`, where papers come into hands.  A new order of a unit is its word in `world.orders`, its record in
`sheets.deeds`, what it does in `turn.doing`, and, if something may stand in its way, a line of `sheets.judge`.

A room imports those before it alone: tables, world, scene, field, mind, play, knowing, command, march, fire, works,
melee, turn, sheets, page, gm.
"""

from __future__ import annotations

from pbem.rules.contract import System
from pbem.systems.kriegsspiel.command.staff import staff
from pbem.systems.kriegsspiel.gm.asks import ASKS
from pbem.systems.kriegsspiel.gm.checks import CHECKS
from pbem.systems.kriegsspiel.gm.direct import direct
from pbem.systems.kriegsspiel.gm.past import PAST
from pbem.systems.kriegsspiel.gm.truth import recount, umpire
from pbem.systems.kriegsspiel.mind.memory import learn
from pbem.systems.kriegsspiel.page.planned import plans
from pbem.systems.kriegsspiel.page.telling import tell
from pbem.systems.kriegsspiel.page.view import view
from pbem.systems.kriegsspiel.play.pauses import awaits, seals
from pbem.systems.kriegsspiel.play.victory import verdict
from pbem.systems.kriegsspiel.scene.scene import Scene, parse_scene
from pbem.systems.kriegsspiel.sheets.chances import CHANCES
from pbem.systems.kriegsspiel.sheets.examples import own_forms
from pbem.systems.kriegsspiel.sheets.forecast import forecast, idle
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES, opens
from pbem.systems.kriegsspiel.sheets.reading import read
from pbem.systems.kriegsspiel.turn.setup import blank, counts, muster
from pbem.systems.kriegsspiel.turn.turn import resolve
from pbem.systems.kriegsspiel.world.fact import Fact, seen
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.orders import ORDERS, AnyAct
from pbem.systems.kriegsspiel.world.outcomes import FACTS
from pbem.systems.kriegsspiel.world.state import War, evolve, written

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
    checks=CHECKS,
    counts=counts,
    forms=EXAMPLES,
    own_forms=own_forms,
    forecast=forecast,
    idle=idle,
    plans=plans,
    opens=opens,
    carries_letters=True,
    seals=seals,
    staff=staff,
    umpire=umpire,
    recount=recount,
    past=PAST,
    chances=CHANCES,
    written=written,
)
"""The game, as the office holds it."""
