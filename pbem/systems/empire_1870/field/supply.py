"""Lines of communication: one flood from the sources of a side finds every force that has one.

Goods come from friendly fortresses and the home edges of the map, by rail as far as it is open, and from there two
hexes to a depot or a force; a depot that is reached is the beginning of two more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec import Struct

from pbem.ground.hexes import Hex, linked
from pbem.ground.path import Flood, flood_evenly
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field, status_value
from pbem.systems.empire_1870.field.fitness import good
from pbem.systems.empire_1870.scene.scene import HOME
from pbem.systems.empire_1870.tables.charts import LOC_HEXES, SIEGE_LOC_RATIO, ZOC_SP
from pbem.systems.empire_1870.world.parts import ENEMY
from pbem.systems.empire_1870.world.stacks import count


class Supply(Struct, frozen=True):
    """What one flood found for a side."""

    reached: Flood[Hex]
    at_source: frozenset[Hex]
    """Own sources, open or not: who stands on one needs no path."""
    by_rail: frozenset[Hex]
    """Rail hexes from which an open line runs to a source."""


@rule("WE-LOC-01")
def sources(field: Field, side: Role, without: Hex | None = None) -> frozenset[Hex]:
    """The friendly sources of a side; *without* one that may not be its own."""
    home = HOME[side]
    enemy = field.war.stacks.get(ENEMY[side], {})
    forts = {
        at
        for at in field.scene.fortresses
        if field.cell(at).country == home and field.controller(at) == side and field.sr(at) and not field.besieged(at)
    }
    edges = {at for at in field.scene.sources.of(side) if field.cell(at).country == home and at not in enemy}
    return frozenset((forts | edges) - {without})


@rule("WE-SIE-02")
def besiegers(field: Field, side: Role, at: Hex) -> int:
    """What *side* counts for round a fortress: its SP, or by an option what they are worth."""
    stack = field.stack(side, at)
    return count(stack) if field.war.options.siege_raw_sp else status_value(stack)


@rule("WE-SIE-05")
def holds_siege_lines(field: Field, side: Role, at: Hex) -> bool:
    """Whether *side* stands round an enemy fortress strongly enough for its hex to count as friendly."""
    enemy = ENEMY[side]
    if field.fortress_of(at) != enemy:
        return False
    against = field.sr(at) + count(one for one in field.stack(enemy, at) if one.inside)
    return besiegers(field, side, at) >= SIEGE_LOC_RATIO * against


@rule("WE-LOC-02")
def is_open(field: Field, side: Role, at: Hex) -> bool:
    """Whether a path may lead through a hex."""
    if field.cell(at).terrain == "neutral":
        return False
    if at in field.war.stacks.get(ENEMY[side], {}):
        return holds_siege_lines(field, side, at)
    return not field.in_ezoc(side, at) or good(field.stack(side, at)) >= ZOC_SP


@rule("WE-LOC-03")
def rail_is_open(field: Field, side: Role, at: Hex) -> bool:
    """Whether a rail line may lead through a hex."""
    if not is_open(field, side, at):
        return False
    if holds_siege_lines(field, side, at):
        return True
    cell, controller = field.cell(at), field.controller(at)
    if field.war.options.rail_loc_needs_control and controller != side:
        return False
    strange = controller == ENEMY[side] and (cell.town or field.sr(at) > 0)
    hostile = strange or field.fortress_of(at) == ENEMY[side]
    return not hostile or good(field.stack(side, at)) >= ZOC_SP


rails_of = cache(linked)
"""Where the rails lead, for the links of a map."""


def _remember(field: Field, test: Callable[[Field, Role, Hex], bool], side: Role) -> Callable[[Hex], bool]:
    """*test* for a side, asked once a hex."""
    known: dict[Hex, bool] = field.memo.setdefault((test, side), {})

    def answer(at: Hex) -> bool:
        if at not in known:
            known[at] = test(field, side, at)
        return known[at]

    return answer


@rule("WE-LOC-02", "WE-LOC-03", "WE-LOC-05", "WE-LOC-06")
def supply(field: Field, side: Role, without: Hex | None = None) -> Supply:
    """Where lines of communication of a side lead, at this instant; *without* one hex as a source."""
    if without is not None and without not in sources(field, side):
        without = None
    key = ("supply", side, without)
    if key not in field.memo:
        field.memo[key] = _supply(field, side, without)
    found: Supply = field.memo[key]
    return found


def _supply(field: Field, side: Role, without: Hex | None) -> Supply:
    passable, rails_pass = _remember(field, is_open, side), _remember(field, rail_is_open, side)
    rails, start = rails_of(field.scene.links), sources(field, side, without)
    lines = flood_evenly(
        (at for at in start if at in rails and rails_pass(at)),
        lambda at: [to for to in rails.get(at, ()) if rails_pass(to)],
        price=0,
    )
    by_rail = frozenset(lines.costs)
    friendly = {at for at in by_rail if field.controller(at) == side or holds_siege_lines(field, side, at)}
    bases = {at for at in start if passable(at)} | friendly
    depots = {at for at, stack in field.war.stacks.get(side, {}).items() if good(stack)}
    ways: dict[Hex, tuple[Hex, ...]] = field.memo.setdefault(("ways", side), {})

    def around(at: Hex) -> tuple[Hex, ...]:
        if at not in ways:
            near = field.scene.board.neighbours(at) if passable(at) else ()
            ways[at] = tuple(to for to in near if field.cell(to).terrain != "neutral")
        return ways[at]

    reached = flood_evenly(bases, around, limit=LOC_HEXES, renewed=depots)
    return Supply(reached, start, by_rail)


@rule("WE-LOC-02", "WE-LOC-06")
def has_loc(field: Field, side: Role, at: Hex, *, own_source: bool = True) -> bool:
    """Whether what *side* has in a hex has a LOC; not *own_source*: the hex may not be its own source (WE-ADM-02).

    A garrison that is besieged in its fortress has none (WE-REC-01).
    """
    if field.besieged(at) and field.fortress_of(at) == side:
        return False
    found = supply(field, side, None if own_source else at)
    if at in found.reached or at in found.at_source:
        return True
    # Who stands on a railway that he controls may stand in the enemy's ZOC (WE-LOC-02).
    return field.controller(at) == side and any(to in found.by_rail for to in rails_of(field.scene.links).get(at, ()))


def loc_path(field: Field, side: Role, at: Hex) -> tuple[Hex, ...]:
    """The way from a hex to the source, depot or railway that supplies it; empty if there is none, or it is there."""
    found = supply(field, side)
    return tuple(reversed(found.reached.path(at))) if at in found.reached else ()


def supplied(field: Field, side: Role) -> frozenset[Hex]:
    """The hexes with SP of a side that have a LOC."""
    return frozenset(at for at in field.war.stacks.get(side, {}) if has_loc(field, side, at))
