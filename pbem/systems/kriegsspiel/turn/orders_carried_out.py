"""Orders that are carried out by fighting or by works: the table of what each does in step 3 of a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.systems.kriegsspiel.fire.ammunition import do_send_wagons
from pbem.systems.kriegsspiel.fire.bombardment import do_bombard
from pbem.systems.kriegsspiel.fire.breaching import do_breach
from pbem.systems.kriegsspiel.march.carrying_out import Did
from pbem.systems.kriegsspiel.melee.attacking import do_attack, do_charge, do_pursue
from pbem.systems.kriegsspiel.melee.captives import do_escort, do_release
from pbem.systems.kriegsspiel.melee.carrying_off import do_withdraw_guns
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.works.works_step import WORK_ORDERS
from pbem.systems.kriegsspiel.world.orders import Order, Verb
from pbem.systems.kriegsspiel.world.troops import Unit

COMBAT: Mapping[Verb, Callable[[Play, Unit, Order], Did]] = {
    "bombard": do_bombard, "breach": do_breach, "batter": do_breach, "send_wagons": do_send_wagons,
    "attack": do_attack, "charge": do_charge, "pursue": do_pursue, "escort": do_escort, "release": do_release,
    "withdraw_guns": do_withdraw_guns,
    **WORK_ORDERS,
}  # fmt: skip
