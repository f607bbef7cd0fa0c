"""What a sheet would come to, on its writer's map: where each line takes whom, and at whom it fires or charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ground.hexes import Hex
from pbem.ground.honeycomb import middle
from pbem.ground.picture import Track
from pbem.kernel.names import Role
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.page.landscape import style
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.state import War


def plans(scene: Scene, mind: War, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[tuple[int, Track]]:
    """Each march along its path, rides by rail apart, and each planned attack."""
    field = field_of(scene, mind)
    return tuple(pair for order in orders for pair in _order(field, role, order, ""))


def _order(field: Field, role: Role, order: say.Written, head: str) -> Iterator[tuple[int, Track]]:
    """An order, and every line of its block; *head*: the HQ whose block it stands in."""
    order = order.entry if isinstance(order, say.Insert) else order
    if isinstance(order, say.Act | say.SubLine):
        for line in order.lines:
            yield from _order(field, role, line, order.hq)
    elif isinstance(order, say.ActingLine):
        hq = field.war.hqs.get(head)
        if isinstance(order, say.SelfLine):
            start, who = hq.hex if hq else None, (head, *order.along)
        else:
            start, who = order.hex, ()
        for track in _ways(field, role, start, order.action, who) if start is not None else ():
            yield order.line, track


def _ways(field: Field, role: Role, start: Hex, action: say.Action, who: tuple[str, ...]) -> Iterator[Track]:
    side = style(field.scene, role)
    match action:
        case say.March():
            here, on_foot = start, [start]
            for leg in action.path:
                if isinstance(leg, say.Ride):
                    if len(on_foot) > 1:
                        yield Track("move", side, tuple(map(middle, on_foot)), of=who)
                    yield Track("ride", side, (middle(leg.start), middle(leg.end)), of=who)
                    on_foot = [leg.end]
                elif leg.end != here:
                    on_foot.append(leg.end)
                here = leg.end
            if len(on_foot) > 1:
                yield Track("move", side, tuple(map(middle, on_foot)), of=who)
        case say.ForcedMarch():
            if action.path:
                yield Track("move", side, tuple(map(middle, (start, *action.path))), of=who)
        case say.Assault():
            yield Track("charge", side, (middle(start), middle(action.target)), of=who)
            for join in action.joins:
                hq = field.war.hqs.get(join.hq)
                if hq is not None and hq.hex is not None and hq.hex != start:
                    yield Track("charge", side, (middle(hq.hex), middle(action.target)), of=(join.hq,))
        case say.Rally():
            return
