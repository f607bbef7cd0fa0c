"""What a side learns: the battle as it knows it, and what it saw happen this turn."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.course import Trace
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.pieces import ALLIED, ENEMY
from pbem.systems.half_league.world.state import Battle, evolve


def trace_of(battle: Battle, fact: Fact) -> Trace | None:
    """What a fact leaves on the map of its turn."""
    side = fact.side or ALLIED
    match fact:
        case o.UnitMoved() if fact.start is not None and fact.end is not None and fact.end != fact.start:
            return Trace(fact.turn, fact.phase, "move", side, fact.unit, fact.path or (fact.start, fact.end))
        case c.ChargeMoved() if fact.end is not None and fact.end != fact.start:
            return Trace(fact.turn, fact.phase, "charge", side, fact.unit, (fact.start, fact.end))
        case c.UnitWithdrew() if fact.end is not None and fact.end != fact.start:
            return Trace(fact.turn, fact.phase, "withdraw", side, fact.unit, (fact.start, fact.end))
        case c.UnitRouted() if fact.end is not None and fact.end != fact.start:
            return Trace(fact.turn, fact.phase, "rout", side, fact.unit, (fact.start, fact.end))
        case c.FireResolved():
            points = tuple(battle.units[name].front for name in (fact.firer, fact.target) if name in battle.units)
            return Trace(fact.turn, fact.phase, "fire", side, fact.firer, points, fact.hits)
        case c.MeleeResolved():
            return Trace(fact.turn, fact.phase, "melee", fact.attacker, fact.combat_id, (fact.at,), fact.loser_hits)
        case _:  # of all facts but these: nobody went anywhere, and nobody fought
            return None


def _renamed(known: Battle, fact: o.Sighting) -> Battle:
    """Own units that are marked to charge a contact are marked to charge him by the name that he has now."""
    found = {one.was: one.unit for one in fact.sights if one.level == "identified" and one.was}
    units = {
        name: replace(unit, charge_target=found[unit.charge_target])
        for name, unit in known.units.items()
        if unit.side == fact.side and unit.charge_target in found
    }
    return replace(known, units={**known.units, **units}) if units else known


def learn(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, as seen, to what a side knows.  Total, also on a field known in part."""
    known = evolve(battle, fact)
    viewer = battle.viewer
    if isinstance(fact, o.Sighting):
        known = _renamed(known, fact)
    if viewer is not None:
        if isinstance(fact, o.FigureLost) and fact.side == ENEMY[viewer]:
            known = replace(known, enemy_fallen=known.enemy_fallen + 1)
        if len(known.course) > len(battle.course):
            *before, last = known.course
            fallen = {**last.fallen, ENEMY[viewer]: known.enemy_fallen}
            known = replace(known, course=(*before, replace(last, fallen=fallen)))
    trace = trace_of(battle, fact)
    if trace is None:
        return known
    return replace(known, traces=(*(one for one in known.traces if one.turn == fact.turn), trace))
