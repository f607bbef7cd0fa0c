"""How a war is looked back on: pictures by themselves, figures, whom a fact was about, to whom a die was good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pbem.ground.picture import Picture
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.past import Cut, Favour, Leads, Past, Rests, named
from pbem.rules.reel import Draw, Figures, Side
from pbem.rules.view import Told
from pbem.systems.empire_1870.field.field import field_of
from pbem.systems.empire_1870.gm.truth import told_of
from pbem.systems.empire_1870.page.drawing import picture as drawn
from pbem.systems.empire_1870.page.drawing import true_picture
from pbem.systems.empire_1870.page.landscape import style
from pbem.systems.empire_1870.page.sentences import Line
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.scene.words import days, side_name
from pbem.systems.empire_1870.world import outcomes as o
from pbem.systems.empire_1870.world import outcomes_combat as c
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.outcomes import SetupPlaced
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, SIDES
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import War

UNITS = ("units", "hq", "attacker_hqs", "defender_hqs")
PLACES = ("hex", "start", "end", "to", "path", "hexes", "target_hex", "step", "route", "occupied")
GOOD: Mapping[str, Literal["high", "low"]] = {
    "combat_attacker": "high", "combat_defender": "high", "reroll_attacker": "high", "reroll_defender": "high",
    "chassepot": "high", "chassepot_again": "high", "siege_assault": "high", "hq_check": "high",
    "cavalry_retreat": "high", "initiative_french": "high", "initiative_german": "high", "forced_march": "low",
    "retreat_river": "low",
}  # fmt: skip
"""Which faces of a throw for a purpose are good to whose it is; the other purposes are good to nobody."""


def sides(scene: Scene) -> Sequence[Side]:
    """Both sides."""
    return tuple(Side(side, side_name(side), style(scene, side), (side,)) for side in SIDES)


def called(scene: Scene, role: Role) -> str:
    """A command with its commander."""
    one = scene.commander(role)
    return f"the {one.name} command, {one.commander}"


def picture(scene: Scene, mind: War, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a side holds of the map."""
    lines = [line for line in told if isinstance(line, Line) and line.moment == moment]
    return drawn(field_of(scene, mind), role, moment.turn, moment.exchange, lines)


def truth(scene: Scene, war: War, minds: Mapping[Role, War], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The map as it is."""
    lines, traces = told_of(scene, war, [fact for fact in facts if max(1, fact.pulse) == moment.exchange])
    return true_picture(field_of(scene, war), traces, moment.turn, moment.exchange, lines)


def figures(scene: Scene, war: War) -> Sequence[Figures]:
    """SP on the map of each side, as far as they are known; the marker of national morale is the French score."""
    left = {side: sum(map(count, war.stacks.get(side, {}).values())) for side in SIDES}
    return [Figures(FRENCH, left=left[FRENCH], score=war.vp), Figures(GERMAN, left=left[GERMAN])]


def clock(scene: Scene, war: War) -> str:
    """The days of the turn, and the pulse."""
    pulse = f", pulse {max(1, war.pulse)}" if war.turn and war.options.pulses > 1 else ""
    return f"{days(scene, war.turn)}{pulse}" if war.turn else scene.date


def rests(fact: Fact) -> Rests:
    """Whom and what places a fact names, and the line that it came of."""
    line = getattr(fact, "line", 0) or getattr(fact, "order_line", 0)
    role, sheet = (fact.side or Role("")) if line else Role(""), getattr(fact, "sheet", 0)
    places = (*named(fact, PLACES), *(one.partition("#")[0] for one in named(fact, ("combat",))))
    return Rests(named(fact, UNITS), places, role, line, sheet, deed=str(fact.activation_no or ""))


LEADS: Mapping[type[Outcome], Leads] = {
    c.CombatJoined: Leads((o.ForceMoved, o.SubActivated)),
    c.CombatTotals: Leads((c.CombatJoined,)),
    c.ArtilleryCommitted: Leads((c.CombatTotals,)),
    c.CombatDice: Leads((c.CombatTotals, c.ArtilleryCommitted)),
    c.CombatResolved: Leads((c.CombatDice, c.ArtilleryCommitted, c.CombatTotals, c.CombatJoined), every=True),
    c.Retreated: Leads((c.CombatResolved, c.CavalryRetreated)),
    c.HqCasualtyCheck: Leads((c.CombatResolved,)),
    c.HqDisplaced: Leads((c.Retreated, c.CombatResolved)),
    c.Advanced: Leads((c.CombatResolved,)),
    o.ControlChanged: Leads((c.Advanced, o.ForceMoved, c.SiegeAssault)),
    o.UnitsSpent: Leads((o.SubActivated,)),
}


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """A throw is that of the side of its fact; the French alone fire on the march."""
    good, purpose = GOOD.get(throw.purpose), throw.purpose
    side: str = fact.side or ""
    if purpose.startswith("initiative_"):
        side = FRENCH if purpose == "initiative_french" else GERMAN
    elif purpose.startswith("chassepot"):
        side = FRENCH
    elif isinstance(fact, c.HqCasualtyCheck):
        side = scene.headquarters[fact.hq].side
    return Favour(side, good) if good is not None and side else None


def cut(fact: Fact, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
    """An activation and a battle are told together, as on the page."""
    first = told[0]
    if not isinstance(first, Line) or not before:
        return None
    last = before[-1]
    if first.combat:
        return "joins" if isinstance(last, Line) and last.combat == first.combat else "opens"
    if first.opens or first.passage is not None:
        shows = any(isinstance(one, Line) and (one.passage is not None or one.combat) for one in before)
        return "opens" if shows and first.opens else "joins"
    return None


def draws(scene: Scene, before: War, fact: Fact) -> Sequence[Draw]:
    """The salt of a sealed set-up: its owner's form shows it, and all are shown it at the end."""
    if isinstance(fact, SetupPlaced) and fact.salt:
        return (Draw(f"salt/{fact.side}", digits=fact.salt),)
    return ()


PAST: Past[Scene, War, War, Fact] = Past(
    sides=sides,
    called=called,
    picture=picture,
    truth=truth,
    figures=figures,
    clock=clock,
    rests=rests,
    leads=LEADS,
    favour=favour,
    draws=draws,
    cut=cut,
)
