"""What a side learns: the field as it knows it, and what it saw happen this turn."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import FRENCH
from pbem.systems.st_privat.world.state import Battle, Trace, evolve


def traces_of(battle: Battle, fact: Fact) -> tuple[Trace, ...]:
    """What a fact leaves on the map of its turn."""
    match fact:
        case o.UnitMoved():
            return (Trace(fact.turn, "move", fact.side, fact.path, fact.units),)
        case o.CardMoved() if fact.start != fact.end:
            return (Trace(fact.turn, "move", FRENCH, (fact.start, fact.end), fact.units),)
        case o.GunProlonged():
            side = battle.pieces[fact.gun].side if fact.gun in battle.pieces else FRENCH
            return (Trace(fact.turn, "move", side, (fact.start, fact.square), (fact.gun,)),)
        case c.FellBack():
            return (Trace(fact.turn, "retreat", fact.side, fact.path, fact.units),)
        case c.AdvanceMade():
            return (Trace(fact.turn, "move", fact.side, fact.path, fact.units),)
        case c.RifleFireResolved():
            starts = dict.fromkeys(die.square for die in fact.fire if die.shooter)
            return tuple(Trace(fact.turn, "rifle", fact.side, (start, fact.target_square)) for start in starts)
        case c.ArtilleryFireResolved() if fact.hit_square is not None:
            gun = battle.pieces.get(fact.gun)
            start = gun.square if gun is not None else None
            return (
                ()
                if start is None
                else (Trace(fact.turn, "artillery", fact.side, (start, fact.hit_square), (fact.gun,)),)
            )
        case c.MeleeResolved():
            return tuple(
                Trace(fact.turn, "melee", fact.side, (at, fact.defender_square), fact.attackers)
                for at in fact.attacker_squares
            )
        case c.LossesApplied():
            return (Trace(fact.turn, "losses", fact.side, (fact.square,), (fact.unit,), fact.figures_lost),)
        case c.UnitRemoved() if fact.square is not None:
            return (Trace(fact.turn, "removed", fact.side, (fact.square,), (fact.unit,)),)
        # All other facts move nobody and hurt nobody: they leave nothing to draw.
        case _:
            return ()


_TRACED = (
    o.UnitMoved, o.CardMoved, o.GunProlonged, c.FellBack, c.AdvanceMade, c.RifleFireResolved, c.ArtilleryFireResolved,
    c.MeleeResolved, c.LossesApplied, c.UnitRemoved,
)  # fmt: skip
"""Facts that leave something there: of all others it is not asked."""


def learn(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, as seen, to what a side knows.  Total, also on a field known in part."""
    known = evolve(battle, fact)
    if not isinstance(fact, _TRACED) or not (new := traces_of(battle, fact)):
        return known
    return replace(known, traces=(*(one for one in known.traces if one.turn == fact.turn), *new))
