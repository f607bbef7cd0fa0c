"""What a side learns: the theatre of war as it knows it, and what it saw happen in this pulse."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.systems.empire_1870.world import outcomes as o
from pbem.systems.empire_1870.world import outcomes_combat as c
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from pbem.systems.empire_1870.world.state import Trace, War, evolve


def trace_of(fact: Fact) -> Trace | None:
    """What a fact leaves on the map of its turn."""
    clock = (fact.turn, fact.pulse)
    side = fact.side or GERMAN
    match fact:
        case o.ForceMoved() if fact.steps:
            path = (fact.start, *(step.hex for step in fact.steps))
            return Trace(*clock, "march", side, path, fact.sp.sp if fact.sp else 0)
        case o.MovementSeen() if len(fact.hexes) > 1:
            return Trace(*clock, "rail" if fact.rail else "march", side, fact.hexes, fact.sp.sp if fact.sp else 0)
        case o.RailMoved():
            return Trace(*clock, "rail", side, fact.route, fact.sp.sp)
        case c.Retreated() if fact.path:
            return Trace(*clock, "retreat", side, (fact.start, *fact.path), fact.sp.sp)
        case c.Advanced():
            return Trace(*clock, "advance", side, (fact.start, fact.to), fact.sp.sp)
        case c.ChassepotFire():
            return Trace(*clock, "fire", FRENCH, (fact.firers[0].hex, fact.target_hex), fact.lp)
        case c.CombatResolved():
            return Trace(*clock, "battle", fact.attacker, (fact.hex,), fact.spread)
        case c.SiegeAssault():
            return Trace(*clock, "siege", side, (fact.hex,))
        # Kinds of fact are many, and those above are all that leave a trace on a map.
        case _:
            return None


def learn(war: War, fact: Fact) -> War:
    """Apply one fact, as seen, to what a side knows.  Total, also on a map known in part."""
    known = evolve(war, fact)
    if isinstance(fact, o.Sighted):
        hqs = {name: hq for name, hq in known.hqs.items() if name not in fact.forgets}
        return replace(known, hqs=hqs, occupied=fact.occupied, ghosts=fact.ghosts)
    trace = trace_of(fact)
    if trace is None:
        return known
    return replace(known, traces=(*(one for one in known.traces if one.turn == fact.turn), trace))
