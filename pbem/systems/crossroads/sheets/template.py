"""Order lines to begin from.  What would change anything stands behind `#`; what is in force stands as it is.

Sent back whole, a template gives no order that its owner did not write.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import asdict

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.sheet import offered
from pbem.systems.crossroads.field.able import in_order, may_fire, must_rally
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.scene.words import compass, formation, natural, place
from pbem.systems.crossroads.tables.units import LEADING_NATION, OFFICER_MOVES
from pbem.systems.crossroads.world.patches import Policies
from pbem.systems.crossroads.world.state import Unit

_SAID = {True: "yes", False: "no"}


def policy_lines(policies: Policies) -> tuple[str, ...]:
    """The standing orders of a side, as order lines; those that stand at their default are not written."""
    return tuple(
        f"policy {name.replace('_', '-')} {', '.join(value) if isinstance(value, tuple) else _SAID.get(value, value)}"
        for name, value in asdict(policies).items()
        if value != getattr(Policies(), name)
    )


COLUMN = 34
"""Where the second mark of a line stands, if the order is no longer."""

_line = partial(offered, column=COLUMN)


def _suggested(unit: Unit) -> str:
    """What the line of a unit begins with."""
    if must_rally(unit):
        return "rally"
    if unit.jammed:
        return "clear"
    if not may_fire(unit):
        return f"move {compass(unit.facing)} 6"
    return "fire nearest"


def _state(unit: Unit) -> str:
    parts = [formation(unit), place(unit.pos) if unit.pos is not None else "", f"{unit.strength - unit.losses} figures"]
    return ", ".join([*parts, *([] if in_order(unit) else [unit.status])])


def _units(field: Field, side: Role) -> Iterator[str]:
    yield "# To give an order take the first mark of its line away; what you do not write fires, rallies or stands."
    halfway = field.battle.exchange > 1
    for unit in sorted(field.own(side), key=lambda one: natural(one.id)):
        if halfway and unit.acted:
            continue
        yield _line(f"{unit.id} {_suggested(unit)}", _state(unit))
    due = [
        one
        for one in field.battle.units.values()
        if one.side == side and one.pos is None and one.arrive == field.battle.turn
    ]
    for unit in sorted(due, key=lambda one: natural(one.id)):
        yield _line(f"{unit.id} move {compass(unit.facing)} 6", "arrives this turn")
    for officer in field.officers(side):
        if officer.nation == LEADING_NATION:
            yield _line(
                f"officer {officer.id} lead ... move {_heading(field, side)} 6", f"{officer.name}, up to three units"
            )
        elif OFFICER_MOVES.get(officer.nation):
            yield _line(f"officer {officer.id} attach ...", officer.name)
    if side != field.battle.sides[0]:
        yield _line("joker ... fire nearest", "any of your units")
    yield _line("star ... fire nearest", "if you control the deck")


def _heading(field: Field, side: Role) -> str:
    own = field.own(side)
    return compass(own[0].facing) if own else "N"


def template(field: Field, side: Role, call: Call | None) -> tuple[str, ...]:
    """The lines for what this side may send now."""
    if call is None:
        return ()
    policies = policy_lines(field.battle.policies.get(side, Policies()))
    head = "# Standing orders, in force until you change them."
    return (*_units(field, side), "", head, *(policies or ("# policy shaken prone",)))
