"""How a battle is looked back on: pictures by themselves, figures, whom a fact was about, to whom a die was good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Order
from pbem.rules.knowing import compared
from pbem.rules.past import Both, Cut, Favour, Leads, Past, Rests, named, own_names
from pbem.rules.reel import Figures, Known, Side
from pbem.rules.view import Told
from pbem.systems.half_league.field.field import field_of
from pbem.systems.half_league.gm.truth import drawn_of, true_picture
from pbem.systems.half_league.page import drawing
from pbem.systems.half_league.page.landscape import style
from pbem.systems.half_league.page.sentences import Line
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import side_name
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.pieces import ENEMY, SIDES, side_of
from pbem.systems.half_league.world.state import Battle

UNITS = ("unit", "firer", "target", "battery", "attackers", "defenders", "leader", "who")
GOOD: Mapping[str, Literal["high", "low"]] = dict.fromkeys(
    (
        "fire", "save", "leader", "command_points", "initiative", "rally", "spike", "move", "reinforce", "melee",
        "charge_morale", "defender_morale", "charge",
    ),
    "high",
)  # fmt: skip
"""Which faces of a throw for a purpose are good to whose it is; the other purposes are good to nobody."""


def sides(scene: Scene) -> Sequence[Side]:
    """Both sides, each with its commands."""
    return tuple(Side(side, side_name(side), style(scene, side), tuple(_roles(scene, side))) for side in SIDES)


def _roles(scene: Scene, side: Role) -> Sequence[Role]:
    return [one.role for one in scene.commanders if side_of(one.role) == side]


def called(scene: Scene, role: Role) -> str:
    """A command with its commander."""
    one = scene.commander(role)
    return f"the {one.name} command, {one.commander}"


def picture(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a command holds of the field."""
    lines = [line for line in told if isinstance(line, Line) and line.moment == moment]
    return drawing.picture(field_of(scene, mind), role, _title(moment), lines)


def truth(scene: Scene, battle: Battle, minds: Mapping[Role, Battle], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The field as it is."""
    lines, traces = drawn_of(scene, battle, facts)
    return true_picture(field_of(scene, replace(battle, traces=traces)), lines)


def _title(moment: Moment) -> str:
    return f"The field in turn {moment.turn}" if moment.turn else "The field before the battle"


def figures(scene: Scene, battle: Battle) -> Sequence[Figures]:
    """Figures fallen and left of each side, as far as they are known."""
    found = []
    for side in SIDES:
        units = [one for one in battle.units.values() if one.side == side]
        left = sum(one.figures for one in units if one.there)
        found.append(Figures(side, lost=sum(one.fallen for one in units), left=left))
    return found


def clock(scene: Scene, battle: Battle) -> str:
    """The hour at which the turn begins."""
    return words.clock(scene, battle.turn or 1) or f"Turn {battle.turn}"


def rests(fact: Fact) -> Rests:
    """Whom a fact names, and the line that it came of."""
    line = getattr(fact, "line", 0)
    role = getattr(fact, "role", Role("")) if line else Role("")
    return Rests(named(fact, UNITS), (), role, line, did=named(fact, ("firer",)))


VERBS: Mapping[type[Fact], tuple[type[Order], ...]] = {
    o.UnitPlaced: (say.Deploy,),
    o.UnitMoved: get_args(say.Activity),
    o.ReinforcementMoved: (say.Reinforce,),
    o.FormationChanged: (say.Form, say.Pull),
    o.ChargeMarked: (say.Charge, say.Pull),
    o.ChitRemoved: (say.Pull, say.ArmyPull, say.Spend),
    o.CommandPointSpent: (say.Spend, say.Favour),
    o.CommandPointRefused: (say.Spend,),
    o.LeaderMoved: (say.Ride, say.Attach),
    o.LeaderAttached: (say.Attach, say.Detach),
    c.FireResolved: (say.Fire, say.Bombard),
    c.ChargeMorale: (say.Charge,),
    c.ChargeMoved: (say.Charge,),
    c.UnitAdvanced: (say.Advance,),
}
"""By kind of fact, the orders of which it may come."""


def ordered(scene: Scene, battle: Battle, fact: Fact, role: Role, orders: Sequence[Order]) -> int:
    """The newest order of its kind to the unit or leader that did it; of fire, at that target."""
    did = next(iter(named(fact, ("firer", "unit", "leader"))), "")
    for order in reversed(orders):
        if not isinstance(order, VERBS.get(type(fact), ())) or fact.side != side_of(role):
            continue
        free = isinstance(order, say.Favour) and not order.unit
        to = free or (did and did in (getattr(order, "unit", ""), getattr(order, "leader", "")))
        if to and _means(fact, order, battle.labels.get(side_of(role), {})):
            return order.line
    return 0


def _means(fact: Fact, order: Order, labels: Mapping[str, str]) -> bool:
    """Whether an order, if it is for fire, names the target as its writer knew it; if for a benefit, that one."""
    match fact:
        case c.FireResolved():
            at = (
                [part.target for part in order.parts] if isinstance(order, say.Fire) else [getattr(order, "target", "")]
            )
            return fact.target in at or labels.get(fact.target) in at
        case o.CommandPointSpent() | o.CommandPointRefused():
            return getattr(order, "benefit", "") == fact.benefit
        case _:  # of all others a unit has but one order of its kind
            return True


LEADS: Mapping[type[Outcome], Leads] = {
    c.FireResolved: Leads((o.CommandPointSpent,)),
    c.SixesCounted: Leads((c.FireResolved,), every=True),
    c.SaveRolled: Leads((c.FireResolved, c.MeleeRound), every=True),
    c.LeaderTested: Leads((c.SixesCounted, c.MeleeRound)),
    c.LeaderKilled: Leads((c.LeaderTested,)),
    o.FigureLost: Leads((c.SaveRolled,)),
    o.StandLost: Leads((o.FigureLost,)),
    o.UnitDestroyed: Leads((o.StandLost, c.MeleeResolved)),
    o.ChitAdded: Leads((c.SixesCounted, c.MeleeResolved, c.LeaderKilled, c.UnitRouted)),
    c.DefenderMorale: Leads((c.ChargeMoved, c.ChargeMorale)),
    c.ChargeMoved: Leads((c.ChargeMorale, o.ChargeMarked)),
    c.MeleeResolved: Leads((c.MeleeRound, c.DefenderMorale, c.ChargeMoved), every=True),
    c.UnitWithdrew: Leads((c.MeleeResolved, c.DefenderMorale, c.ChargeMorale)),
    c.UnitRouted: Leads((o.RallyRolled, c.MeleeResolved, c.DefenderMorale, o.ChitAdded)),
    c.UnitAdvanced: Leads((c.MeleeResolved,)),
}


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """A throw is that of the side of its fact; in a melee each unit throws for its own."""
    good, parts = GOOD.get(throw.purpose), throw.name.split("/")
    side: str = fact.side or ""
    if throw.purpose == "initiative":
        side = parts[2]
    elif isinstance(fact, c.MeleeResolved):
        side = fact.attacker if parts[3:4] and parts[3] in fact.attackers else ENEMY[fact.attacker]
    return Favour(side, good) if good is not None and side else None


def cut(fact: Fact, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
    """What is told of one piece is told together, as on the page: lines of one phase that are about one of the same."""
    about = {name for line in told if isinstance(line, Line) for name in line.about}
    known = {name for line in before if isinstance(line, Line) for name in line.about}
    return "joins" if about & known else None


def names(fact: Fact) -> Mapping[str, str]:
    """The contacts of each side, and whom they stand for."""
    labels = fact.game.labels if fact.game is not None else UNSET
    if labels is UNSET:
        return {}
    return {f"{side} {label}": unit for side, some in labels.items() for unit, label in some.items()}


def known(scene: Scene, both: Both[Battle, Battle]) -> Mapping[str, Known]:
    """What a side has of each sign: an enemy that it has not made out is a contact."""
    return compared(both.there, both.held, own_names(side_of(both.role), both.names))


PAST: Past[Scene, Battle, Battle, Fact] = Past(
    sides=sides,
    called=called,
    picture=picture,
    truth=truth,
    figures=figures,
    clock=clock,
    rests=rests,
    ordered=ordered,
    leads=LEADS,
    favour=favour,
    cut=cut,
    names=names,
    known=known,
)
