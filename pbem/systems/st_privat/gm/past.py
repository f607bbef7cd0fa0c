"""How a game is looked back on: pictures by themselves, figures, whom a fact was about, to whom a die was good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Order
from pbem.rules.past import Favour, Leads, Past, Rests, named
from pbem.rules.reel import Draw, Figures, Side
from pbem.rules.view import Told
from pbem.systems.st_privat.field.field import field_of
from pbem.systems.st_privat.field.ranks import selects
from pbem.systems.st_privat.mind.memory import traces_of
from pbem.systems.st_privat.page import drawing
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import side_name
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import FIGURES, FRENCH, PRUSSIAN, SIDES
from pbem.systems.st_privat.world.state import Battle

UNITS = (
    "units", "unit", "gun", "shooters", "shooter", "attackers", "defenders", "section", "crew", "general", "id",
)  # fmt: skip
PLACES = (
    "square", "target", "target_square", "group_square", "card_square", "path", "start", "end", "to", "aim_square",
    "hit_square", "attacker_squares", "defender_square", "at",
)  # fmt: skip


def sides(scene: Scene) -> Sequence[Side]:
    """Both sides, the French first."""
    return tuple(Side(side, side_name(side), drawing.style(scene, side), (side,)) for side in SIDES)


def called(scene: Scene, role: Role) -> str:
    """A commander with his name."""
    one = scene.commander(role)
    return f"the {one.name} commander, {one.commander}"


def picture(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a side holds of the field."""
    return drawing.picture(field_of(scene, mind), role, moment.turn)


def true_picture(
    scene: Scene, truth: Battle, minds: Mapping[Role, Battle], facts: Sequence[Fact], moment: Moment
) -> Picture:
    """The field as it is: as to the first side all cards are open, and what the other hides is there as well."""
    traces = tuple(trace for fact in facts for trace in traces_of(truth, fact))
    drawn = drawing.picture(field_of(scene, replace(truth, traces=traces)), FRENCH, moment.turn)
    return replace(drawn, whose="as it is", caption=f"Row {scene.board.rows} is at the top.")


def figures(scene: Scene, battle: Battle) -> Sequence[Figures]:
    """Figures fallen and left of each side, and its points; of the enemy those that are known."""
    found = []
    for side in SIDES:
        left = lost = 0
        for piece in battle.pieces.values():
            if piece.side == side and piece.kind in FIGURES:
                name, whole = FIGURES[piece.kind]
                now = getattr(piece, name)
                left, lost = left + (0 if piece.removed else now), lost + whole - now
        found.append(Figures(side, lost=lost, left=left, score=getattr(battle.vp, side)))
    return found


def clock(scene: Scene, battle: Battle) -> str:
    """The turn."""
    return f"Turn {battle.turn}" if battle.turn else "Set-up"


def rests(fact: Fact) -> Rests:
    """Whom and what places a fact names, and the line that it tells of."""
    match fact:
        case o.OrderPlayed():
            return Rests(role=fact.side, line=fact.line)
        case o.FormationChanged():  # its start and end are formations
            return Rests(fact.units, (fact.group_square,))
        case c.RifleFireResolved():
            shooters = tuple(die.shooter for die in fact.fire if die.shooter)
            return Rests(shooters, (fact.target_square,), did=shooters)
        case c.ArtilleryFireResolved() | c.FireDeclared() | c.FireDiverted():
            return Rests(named(fact, UNITS), named(fact, PLACES), did=named(fact, UNITS))
        case _:  # all others name them in fields that are called alike
            return Rests(named(fact, UNITS), named(fact, PLACES))


VERBS: Mapping[type[Fact], tuple[type[Order], ...]] = {
    **dict.fromkeys((o.UnitMoved, o.MoveStopped, o.EntryBlocked), (say.Move, say.Exit, say.Enter, say.Leave)),
    o.CardMoved: (say.MoveCard,),
    o.FormationChanged: (say.Form, say.Move),
    o.UnitTurned: (say.Turn, say.Move),
    o.PlaceChanged: (say.Enter, say.Leave, say.Move),
    o.GunLimbered: (say.Limber, say.Move),
    o.GunUnlimbered: (say.Unlimber, say.Move),
    o.GunProlonged: (say.Prolong,),
    o.CrewDetached: (say.Detach,),
    o.GunManned: (say.Man,),
    c.DemolitionDone: (say.Demolish,),
    **dict.fromkeys((c.FireDeclared, c.FireDiverted, c.FireImpossible), (say.Fire, say.Shoot)),
    **dict.fromkeys((c.ChargeDeclared, c.ChargeFailed, c.ChargeCalledOff), (say.Charge,)),
    **dict.fromkeys((c.RetreatMade, c.RoutMade), (say.Retreat,)),
    **dict.fromkeys((c.AdvanceMade, c.AdvanceDeclined), (say.Advance,)),
}
"""By kind of fact, the orders of which it may come."""


def ordered(scene: Scene, battle: Battle, fact: Fact, role: Role, orders: Sequence[Order]) -> int:
    """The newest order of its kind that means one of its own pieces, where they then stood."""
    verbs = VERBS.get(type(fact), ())
    if isinstance(fact, c.FireDeclared) and fact.source == "policy":
        verbs = (say.Targets,)
    if isinstance(fact, c.FellBack) and fact.source != "reaction":
        return 0
    pieces = [piece for name in rests(fact).units if (piece := battle.pieces.get(name)) and piece.side == role]
    for order in reversed(orders):
        if isinstance(order, verbs) and any(
            selects(selector, piece) for selector in say.units_of(order) for piece in pieces
        ):
            return order.line
    return 0


FIRE = (c.RifleFireResolved, c.ArtilleryFireResolved)
LEADS: Mapping[type[Outcome], Leads] = {
    **dict.fromkeys(FIRE, Leads((c.FireDeclared,), every=True)),
    c.FireDeclared: Leads((c.FireDiverted, c.FireImpossible)),
    c.LossesApplied: Leads((*FIRE, c.MeleeResolved), every=True),
    c.ManOrHorseRolled: Leads((*FIRE, c.MeleeResolved)),
    c.UnitRemoved: Leads((c.LossesApplied, c.FellBack, c.MeleeResolved, c.StructureDestroyed)),
    c.MeleeResolved: Leads((c.ChargeDeclared,)),
    c.RetreatMade: Leads((c.LossesApplied, c.MeleeResolved)),
    c.RoutMade: Leads((c.LossesApplied, c.MeleeResolved)),
    c.AdvanceMade: Leads((c.MeleeResolved,)),
    c.AdvanceDeclined: Leads((c.MeleeResolved,)),
    c.StructureDamaged: Leads((c.ArtilleryFireResolved, c.DemolitionDone)),
    c.StructureDestroyed: Leads((c.StructureDamaged,)),
    c.EquipmentDestroyed: Leads((c.EquipmentDamaged,)),
    c.GunCaptured: Leads((c.MeleeResolved, c.AdvanceMade, o.UnitMoved)),
    o.CardsRevealed: Leads((*FIRE, c.ChargeDeclared, c.MeleeResolved, o.UnitMoved)),
    o.DummiesRemoved: Leads((c.ChargeDeclared, o.UnitMoved)),
}


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """Fire and charges want low faces, and the initiative high ones."""
    match fact:
        case c.RifleFireResolved() | c.MeleeResolved():
            return Favour(fact.side, "low")
        case c.ArtilleryFireResolved():
            return Favour(fact.side, "low") if throw.purpose == "artillery_hit" else None
        case o.InitiativeRolled():
            return Favour(FRENCH if throw.purpose == "initiative_french" else PRUSSIAN, "high")
        case _:  # other dice are good to neither: where a shell strays, whether a man falls or a horse
            return None


def draws(scene: Scene, before: Battle, fact: Fact) -> Sequence[Draw]:
    """The salt of a sealed set-up: its owner's form shows it, and all are shown it at the end."""
    if isinstance(fact, o.SetupCompleted) and fact.salt:
        return (Draw(f"salt/{fact.side}", digits=fact.salt),)
    return ()


PAST: Past[Scene, Battle, Battle, Fact] = Past(
    sides=sides,
    called=called,
    picture=picture,
    truth=true_picture,
    figures=figures,
    clock=clock,
    rests=rests,
    ordered=ordered,
    leads=LEADS,
    favour=favour,
    draws=draws,
)
