"""What a sheet would come to, by what its writer knows: what each unit will do on its card, and otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import field_of
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.sheets.plan import officer_line, policy_line, unit_line, without_order
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.state import Battle


@rule("GC-ACT-04", "GC-ACT-05")
def forecast(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[tuple[int, str]]:
    """A sentence or two for each line: what its unit does on its card, and what if that cannot be."""
    field = field_of(scene, mind)
    led = {name for order in orders if isinstance(order, say.Lead) for name in order.units}
    found: list[tuple[int, str]] = []
    for order in orders:
        match order:
            case say.UnitOrder() | say.JokerOrder():
                found.append((order.line, unit_line(field, order, led=order.unit in led)))
            case say.AttachOfficer() | say.MoveOfficer() | say.Lead():
                found.append((order.line, officer_line(field, order)))
            case say.Policy():
                found.append((order.line, policy_line(order)))
    return sorted(found, key=lambda one: one[0])


@rule("GC-ACT-05")
def idle(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder], call: Call) -> Sequence[str]:
    """What the units without an order do on their cards."""
    ordered = {order.unit for order in orders if isinstance(order, say.UnitOrder)}
    led = {name for order in orders if isinstance(order, say.Lead) for name in order.units}
    return without_order(field_of(scene, mind), role, ordered, led)
