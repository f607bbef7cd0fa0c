"""What each order of a unit does in step 3 of a move: the table of all verbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.duties import with_fire
from pbem.systems.kriegsspiel.fire.ammunition import do_send_wagons
from pbem.systems.kriegsspiel.fire.bombardment import do_bombard
from pbem.systems.kriegsspiel.fire.breaching import do_breach
from pbem.systems.kriegsspiel.march import forming, marching, tasks
from pbem.systems.kriegsspiel.march.carrying_out import DONE, Did, failed
from pbem.systems.kriegsspiel.march.deploying import do_deploy
from pbem.systems.kriegsspiel.march.detachments import do_detach, do_outposts, do_patrol, do_rejoin
from pbem.systems.kriegsspiel.melee.attacking import do_attack, do_charge, do_pursue
from pbem.systems.kriegsspiel.melee.carrying_off import do_withdraw_guns
from pbem.systems.kriegsspiel.melee.prisoners import do_escort, do_release
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.works.works_step import WORK_ORDERS
from pbem.systems.kriegsspiel.world.orders import Order, Verb
from pbem.systems.kriegsspiel.world.troops import Unit

Doer = Callable[[Play, Unit, Order], Did]


def _at_once(play: Play, unit: Unit, order: Order) -> Did:
    del play, unit, order
    return DONE


@rule("KS-CMD-08")
def _fires(play: Play, unit: Unit, order: Order) -> Did:
    """An order how to fire, whose turn has come."""
    play.change(unit, "fires as ordered", duty=with_fire(unit.duty, order))
    return DONE


@rule("KS-ORD-12", "KS-GM-02")
def _words(play: Play, unit: Unit, order: Order) -> Did:
    """An order in words that the umpire has not put into lines."""
    del play, unit, order
    return failed("order not understood")


DOES: Mapping[Verb, Doer] = {
    "march": marching.do_march, "follow": marching.do_follow, "halt": marching.do_halt, "hold": marching.do_hold,
    "form": forming.do_form, "face": forming.do_form, "shift": forming.do_shift, "deploy": do_deploy,
    "support": tasks.do_support, "cover": tasks.do_cover, "skirmishers_out": forming.do_skirmishers_out,
    "skirmishers_in": forming.do_skirmishers_in, "retire": marching.do_retire, "occupy": marching.do_occupy,
    "limber": forming.do_guns, "unlimber": forming.do_guns, "prolonge": forming.do_prolonge,
    "withdraw_guns": do_withdraw_guns, "patrol": do_patrol, "post": do_patrol, "detach": do_detach, "rejoin": do_rejoin,
    "dismount": forming.do_dismount, "mount": forming.do_dismount, "report": tasks.do_report, "rest": tasks.do_rest,
    "guard": tasks.do_guard, "observe": tasks.do_observe, "outposts": do_outposts, "relieve": tasks.do_relieve,
    "make_way": tasks.do_make_way, "demonstrate": tasks.do_demonstrate, "hold_concealed": tasks.do_hold_concealed,
    "order_of_march": _at_once, "rally": _at_once, "signal": tasks.do_signal, "words": _words, "fire_at_will": _fires,
    "fire_on": _fires, "cease_fire": _fires, "hold_fire": _fires, "bombard": do_bombard, "breach": do_breach,
    "batter": do_breach, "send_wagons": do_send_wagons, "attack": do_attack, "charge": do_charge, "pursue": do_pursue,
    "escort": do_escort, "release": do_release, **WORK_ORDERS,
}  # fmt: skip
"""How each order is carried out, move by move: all verbs there are."""
