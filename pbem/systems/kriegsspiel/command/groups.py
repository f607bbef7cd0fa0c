"""Orders to a group, as each of its units takes them (KS-CMD-11, KS-CMD-12)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.duties import IN_COLUMN, order_of_march
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.world.bodies import is_on_map, is_remnant
from pbem.systems.kriegsspiel.world.forms import gap_behind
from pbem.systems.kriegsspiel.world.orders import Line, Order
from pbem.systems.kriegsspiel.world.troops import Side, Unit


@rule("KS-CMD-11", "KS-CMD-12", "KS-GM-01", "KS-MOV-14")
def lines_for(play: Play, side: Side, unit: str, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """What one unit takes from *lines*: its own, and those of its groups; behind the first of a group it follows."""
    found = []
    for line in lines:
        if line.unit == unit:
            found.append(line)
            continue
        members = order_of_march(play.scene, side, line.unit, lines)
        if unit not in members:
            continue
        found.append(replace(line, unit=unit, order=_own(play, side, unit, members, line.order)))
    return tuple(found)


def _own(play: Play, side: Side, unit: str, members: tuple[str, ...], order: Order | None) -> Order | None:
    if order is None:
        return None
    if order.verb == "deploy":
        return replace(order, units=members)
    units = ((name, side_unit(play, side, name)) for name in members)
    there = [
        name
        for name, found in units
        if found is not None and found.place.stand != "gone" and (not is_remnant(found) or name == unit)
    ]
    if order.verb not in IN_COLUMN or unit not in there:
        return order
    if there[0] == unit:
        # The first of the column goes no faster than the slowest behind it.
        return replace(order, units=tuple(there)) if len(there) > 1 else order
    before = there[there.index(unit) - 1]
    ahead, own = side_unit(play, side, before), side_unit(play, side, unit)
    gap = _gap(ahead, own)
    # The order comes down the column: each knows whom it had it from, and where.
    where = ahead.place.at if ahead is not None and is_on_map(ahead) else None
    return Order(
        verb="follow", text=order.text, unit=before, where=where, number=gap, formation=order.formation, rate=order.rate
    )


def _gap(ahead: Unit | None, own: Unit | None) -> int:
    return gap_behind(ahead, own) if ahead is not None and own is not None else 25
