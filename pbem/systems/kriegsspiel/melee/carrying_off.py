"""`withdraw guns`: a battery goes out of reach; who has taken guns carries them off (KS-BAT-04, KS-BAT-05)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import bearing, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.march import carrying_out as carry
from pbem.systems.kriegsspiel.march.forming import begin_change
from pbem.systems.kriegsspiel.march.gate import pushed, swung
from pbem.systems.kriegsspiel.melee.prisoners import rear_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.attack import CARRY_OFF
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

NEAR = 100
"""Paces from guns that were taken within which their captors can carry them off."""

BACK = 600
"""Paces that a battery withdraws, if no place is named."""


@rule("KS-BAT-04", "KS-BAT-05")
def do_withdraw_guns(play: Play, unit: Unit, order: Order) -> carry.Did:
    """A battery limbers and goes back at the fast rate; other troops carry off the guns that they have taken."""
    if unit.arm != "artillery":
        return _carry_off(play, unit)
    if unit.change is not None:
        return carry.GOING
    if not unit.place.limbered:
        begin_change(play, unit, "battery_column_2", opposite(unit.place.facing), limber=True)
        return carry.GOING
    if unit.duty.stage == "withdrawing":
        return carry.GOING if unit.march.way else carry.DONE
    to = order.to[-1].at if order.to else shifted(unit.place.at, bearing(unit.place.at, rear_of(play, unit.side)), BACK)
    way = carry.way_for(play, unit, to)
    if way is None or len(way) < 2:
        return carry.failed("there is no way back for guns")
    unit = carry.stage(play, unit, "withdrawing")
    row, most = carry.row_for(play, unit, "fast")
    carry.set_way(play, unit, way, row, most)
    return carry.GOING


@rule("KS-BAT-05", "KS-TUR-04")
def _carry_off(play: Play, unit: Unit) -> carry.Did:
    """Twenty men or horses to a gun, a hundred paces a move."""
    taken = [
        guns
        for guns in play.field.enemies(unit.side)
        if guns.trial.taken_by == unit.side and play.field.gap(guns, unit) <= NEAR
    ]
    if not taken:
        return carry.failed("we have no guns to carry off")
    if unit.trial.won == play.move - 1:
        # It re-forms first (KS-ATK-11).
        return carry.GOING
    guns = taken[0]
    pieces = guns.strength.guns
    if unit.strength.tw < pieces * CARRY_OFF["men"] * MAN_TW:
        return carry.failed("we are too few to carry the guns off")
    rear = rear_of(play, unit.side)
    if carry.is_at(unit, rear, CARRY_OFF["paces"]):
        return carry.DONE
    way = carry.way_for(play, unit, rear)
    if way is None or len(way) < 2:
        return carry.failed("there is no way to carry them off")
    row, _ = carry.row_for(play, unit)
    carry.set_way(play, unit, way, row, CARRY_OFF["paces"])
    # The captors lead them: they stop short of those who come to retake them.
    on, others = bearing(way[0], way[1]), list(play.field.units(guns.side, formed=True))
    turned = swung(guns, replace(guns.place, facing=on, limbered=True, trail=()), others)
    place = pushed(replace(guns, place=turned), on, CARRY_OFF["paces"], others)
    play.keep("guns are carried off", Changes(units={guns.key: UnitPatch(place=place)}))
    return carry.GOING
