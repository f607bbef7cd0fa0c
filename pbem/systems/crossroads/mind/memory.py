"""What a side learns: the field as it knows it, and what it saw happen this turn."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.crossroads.world import outcomes as o
from pbem.systems.crossroads.world import outcomes_combat as c
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.state import Battle, Ghost, Officer, Trace, TraceKind, Unit, evolve

WAYS: Mapping[type[Fact], TraceKind] = {
    c.ChargeEnded: "charge", c.UnitWithdrew: "withdraw", c.UnitRouted: "rout", c.AdvancedIntoSpace: "move",
}  # fmt: skip
"""What is drawn of those who went straight."""


def _where(battle: Battle, name: str) -> tuple[Point, ...]:
    unit = battle.units.get(name)
    if unit is None and name in battle.ghosts:
        unit = battle.ghosts[name].unit
    return (unit.pos,) if unit is not None and unit.pos is not None else ()


def _side(battle: Battle, name: str, fact: Fact) -> Role:
    unit: Unit | None = battle.units.get(name)
    return unit.side if unit is not None else fact.side or battle.sides[0]


def _trace(battle: Battle, fact: Fact) -> Trace | None:
    """What a fact leaves on the map of its turn; *battle*: as it was known before."""

    def trace(kind: TraceKind, name: str, *points: Point, count: int = 0) -> Trace:
        return Trace(fact.turn, fact.seq, kind, _side(battle, name, fact), points, name, count)

    match fact:
        case o.UnitMoved() if fact.to is not None and fact.path:
            return trace("move", fact.unit, *fact.path)
        case o.ActionTaken():
            return trace("card", fact.unit, *_where(battle, fact.unit))
        case c.ChargeEnded() | c.WentBack() | c.AdvancedIntoSpace() if fact.start is not None and fact.to is not None:
            return trace(WAYS[type(fact)], fact.unit, fact.start, fact.to)
        case c.FireResolved() if not fact.jammed:
            ends = (*_where(battle, fact.firer), *_where(battle, fact.target))
            return trace("fire", fact.firer, *ends, count=fact.hits) if len(ends) > 1 else None
        case c.MeleeRound():
            return trace("melee", fact.au, *_where(battle, fact.au), *_where(battle, fact.du))
        case c.FiguresLost():
            return trace("loss", fact.unit, *_where(battle, fact.unit), count=fact.count)
        case c.UnitDestroyed() | c.UnitSurrendered() | c.UnitLeftField():
            return trace("gone", fact.unit, *_where(battle, fact.unit))
        case _:  # of most of what happens nothing is drawn
            return None


def _looked(battle: Battle, fact: o.Sighted) -> Battle:
    """What a look at the enemy makes of a side's knowledge."""
    enemy = battle.enemy(fact.viewer_side)
    units = {name: unit for name, unit in battle.units.items() if name not in (*fact.forgets, *fact.lost)}
    ghosts = {name: ghost for name, ghost in battle.ghosts.items() if name not in (*fact.forgets, *fact.empty)}
    ghosts |= {name: Ghost(fact.turn, battle.units[name]) for name in fact.lost if name in battle.units}
    for unit in fact.shows:
        units[unit.id] = unit
        ghosts.pop(unit.id, None)
    officers = {name: one for name, one in battle.officers.items() if one.side != enemy}
    for name, called, pos in fact.officers_shown:
        officers[name] = Officer(id=name, side=enemy, name=called, nation="", zoc=0, pos=pos)
    called_now = {sight.was: sight.unit for sight in fact.sights if sight.was}
    traces = tuple(replace(one, unit=called_now[one.unit]) if one.unit in called_now else one for one in battle.traces)
    return replace(
        battle, units=units, ghosts=ghosts, officers=officers, traces=traces, named={**battle.named, **called_now}
    )


def learn(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, as seen, to what a side knows.  Total, also on a field known in part."""
    known = evolve(battle, fact)
    if isinstance(fact, o.Sighted):
        return _looked(known, fact)
    trace = _trace(battle, fact)
    if trace is None:
        return known
    return replace(known, traces=(*(one for one in known.traces if one.turn == fact.turn), trace))
