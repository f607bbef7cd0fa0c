"""Another unit of its own side, as a unit knows of it: by its eyes, and by what its order said (KS-CMD-14, KS-SIT-09).

Nobody rides after a comrade who is out of sight: troops go to where they saw him last, or were told that he stands.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.knowing.whereabouts import is_in_sight
from pbem.systems.kriegsspiel.march.carrying_out import GOING, Did, failed, set_off, stop, way_for
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.world.bodies import is_lost
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.troops import Unit

LOOKED_FOR = 100
"""Paces from where a comrade should be within which he would be met with."""


@rule("KS-CMD-14", "KS-MSG-01", "KS-SIT-09")
def comrade_of(play: Play, unit: Unit, order: Order) -> Unit | Did:
    """The unit of which an order speaks, if this one sees it, or has seen it; else what it does to find it."""
    other = side_unit(play, unit.side, order.unit)
    known = unit.duty.comrade
    last = known[1] if known is not None and known[0] == order.unit else None
    if other is not None and is_in_sight(play, unit, other):
        if is_lost(other):
            return failed(f"{order.unit} is gone")
        mark = (other.id, other.place.at, other.place.facing)
        if mark != known:
            play.change(unit, "sees", duty=replace(unit.duty, comrade=mark))
        return other
    return _seek(play, unit, order.unit, last or order.where)


@rule("KS-CMD-14")
def _seek(play: Play, unit: Unit, name: str, at: Point | None) -> Did:
    """To where it was seen last, or is said to be; if it is not to be seen there, that is reported."""
    if at is None or distance(unit.place.at, at) <= LOOKED_FOR:
        stop(play, unit)
        return failed(f"{name} is not to be seen")
    if unit.change is not None or (unit.march.way and distance(unit.march.way[-1], at) <= LOOKED_FOR):
        return GOING
    way = way_for(play, unit, at)
    if way is None:
        stop(play, unit)
        return failed(f"there is no way to {name}")
    set_off(play, unit, way)
    return GOING
