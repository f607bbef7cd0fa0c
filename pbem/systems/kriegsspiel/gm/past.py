"""How a day is looked back on: pictures by themselves, figures, whom a fact was about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from pbem.ground.picture import Picture
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.knowing import Sign, alike, compared, off, signs_of
from pbem.rules.past import ALONE, ANY_DEED, Both, Cut, Dated, Favour, Leads, Past, Rests, named
from pbem.rules.reel import Draw, Figures, Known, Side
from pbem.rules.view import Told
from pbem.systems.kriegsspiel.gm.truth_map import true_picture
from pbem.systems.kriegsspiel.page import drawing
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import who
from pbem.systems.kriegsspiel.tables import knowledge as of_knowledge
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.turn.setup import counts
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world import outcomes as o
from pbem.systems.kriegsspiel.world import outcomes_attack as a
from pbem.systems.kriegsspiel.world import outcomes_fire as f
from pbem.systems.kriegsspiel.world import outcomes_knowledge as k
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import SIDES

UNITS = (
    "unit", "battery", "firer", "target", "attacker", "attackers", "defenders", "battalion", "person", "observer",
    "body", "escort", "captor", "parent", "other",
)  # fmt: skip
NEAR = 50
"""Paces by which a body may be off, and still stand where it is believed: within the length of its front."""
PLACES = ("area", "crossing", "stronghold", "place", "entry", "work")


def sides(scene: Scene) -> Sequence[Side]:
    """Red and Blue, each with its commanders."""
    found = []
    for side in SIDES:
        roles = tuple(one.role for one in scene.commanders if scene.side_of(one.role) == side)
        found.append(Side(side, side.capitalize(), drawing.style(scene, side), roles))
    return found


def called(scene: Scene, role: Role) -> str:
    """A commander by his name."""
    return next(one.commander for one in scene.commanders if one.role == role)


def picture(scene: Scene, mind: Mind, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a commander believes of the field."""
    return drawing.picture(scene, mind, role)


def truth(scene: Scene, war: War, minds: Mapping[Role, Mind], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The field as it is."""
    return true_picture(scene, war)


def figures(scene: Scene, war: War | Mind) -> Sequence[Figures]:
    """Men lost and left of each side; a commander has no numbers of them, only words."""
    if isinstance(war, Mind):
        return [Figures(side) for side in SIDES]
    found = counts(war)
    return [
        Figures(side, lost=_men(found, side, "lost") + _men(found, side, "captured"), left=_men(found, side, ""))
        for side in SIDES
    ]


def _men(found: Mapping[str, int | Fraction], side: str, what: str) -> int:
    return round(found[f"{side} men {what}".strip()])


def clock(scene: Scene, war: War | Mind) -> str:
    """The hour and minute."""
    return scene.clock(war.move if isinstance(war, Mind) else war.clock.move)


def rests(fact: Fact) -> Rests:
    """Whom, what places and what papers a fact names.  What troops do may rest on what they were ordered long ago."""
    units, places = (*named(fact, UNITS), *_more(fact)), named(fact, PLACES)
    if isinstance(fact, k.ToldAtOnce):
        return Rests(units, places, next(iter(fact.known), Role("")), fact.line)
    return Rests(units, places, did=named(fact, ("firer",)), deed=ANY_DEED if type(fact) in LEADS else ALONE)


def _more(fact: Fact) -> tuple[str, ...]:
    """What it names in another way: papers, who is to have one, entries of a page."""
    paper = getattr(fact, "message_id", 0)
    papers = (f"#{paper}",) if paper else ()
    match fact:
        case o.PaperDelivered():
            return (*papers, fact.to)
        case o.OrderEffective() if fact.by != "voice":
            return (fact.unit.partition(":")[2],)
        case k.PaperReceived():
            return (fact.paper.sender, *fact.paper.entries)
        case k.EyesSaw():
            return (*fact.fresh, *fact.lost)
        case k.OfficerReported():
            return fact.entries
        case k.PaperSent() | k.ReceiptReceived():
            return (fact.to, f"no. {fact.no}")
        case _:  # all others name whom they are of in fields that are called alike
            return papers


def ordered(scene: Scene, war: War | Mind, fact: Fact, role: Role, orders: Sequence[say.Act]) -> int:
    """The newest order of a commander whose words a unit carries out; and his own ride."""
    for act in reversed(orders):
        if isinstance(fact, o.OrderEffective | o.OrderFailed) and fact.unit.startswith(f"{scene.side_of(role)}:"):
            lines = act.lines if isinstance(act, say.Dispatch) else (act.order,) if isinstance(act, say.Voice) else ()
            if found := next((one.line for one in lines if fact.order and fact.order in one.text), 0):
                return found
        if isinstance(fact, k.PaperSent) and isinstance(act, say.Dispatch) and act.to == fact.to:
            return act.line
        rides = isinstance(fact, k.RodeTo) or (isinstance(fact, o.PersonMoved) and fact.person == role)
        if rides and isinstance(act, say.RideTo | say.RideWith):
            return act.line
    return 0


FIGHTS = (a.MeleeResolved, a.StrongholdAttacked, a.BatteryAttacked, f.CanisterTested)
LEADS: Mapping[type[Outcome], Leads] = {
    **dict.fromkeys((o.UnitMoved, o.UnitHalted), Leads((o.OrderEffective, o.ReactionUsed, a.RetreatStarted))),
    **dict.fromkeys(
        (o.FormationChanged, o.SkirmishersOut, o.SkirmishersIn, o.OrderDone, o.OrderFailed, o.UnitDetached),
        Leads((o.OrderEffective, o.ReactionUsed)),
    ),
    o.OrderEffective: Leads((o.PaperDelivered,)),
    **dict.fromkeys(
        (o.PaperDelivered, o.PaperCaptured), Leads((o.PaperBegun, o.PaperDeparted, o.RiderDiverted), every=True)
    ),
    o.PaperRead: Leads((o.PaperDelivered,)),
    a.AttackDeclared: Leads((o.OrderEffective,)),
    a.AttackAnswered: Leads((a.AttackDeclared,)),
    **dict.fromkeys(FIGHTS, Leads((a.AttackDeclared, a.AttackAnswered))),
    **dict.fromkeys(
        (a.RetreatStarted, a.StateChanged, a.PursuitMoved, f.LossApplied), Leads((*FIGHTS, f.FireResolved))
    ),
    **dict.fromkeys((f.BlockRemoved, f.PieceExchanged, f.GunsLost), Leads((f.LossApplied, f.FireResolved))),
    a.CapturedInRetreat: Leads((a.RetreatStarted,)),
    k.ReceiptReceived: Leads((k.PaperSent,), every=True),
}


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """By what is printed on the die: its fire numbers, its flames, or black for him whom it favours.

    None of what only hurts somebody if it is told of at all.
    """
    die = DICE.get(throw.name.split("/")[3], ())
    circles = tuple({"black": 1, "white": 0, "blank": None}[face.circle] for face in die)
    match fact:
        case f.FireResolved():
            numbers = _numbers(fact)
            return Favour(_side(fact.firer), "table", numbers) if numbers else None
        case a.MeleeResolved() | a.StrongholdAttacked() | a.BatteryAttacked() if throw.purpose != "stronghold_fire":
            side = _side(fact.attackers[0])
            return Favour(side if fact.favoured == "attackers" else _other(side), "table", circles)
        case a.SurpriseChecked():
            return Favour(_side(fact.attacker), "table", circles)
        case a.EncirclementChecked():
            return Favour(_side(fact.by[0]), "table", circles)
        case f.CanisterTested():
            return Favour(_side(fact.battery), "table", circles)
        case o.RiderDiverted():
            return Favour(_other(_side(fact.body)), "table", circles)
        case o.PaperCaptured():
            return Favour(_other(_side(fact.captor)), "table", circles)
        case f.BombardFired() | f.BreachTried():
            return Favour(_side(fact.battery), "table", tuple(int(face.flame) for face in die))
        case _:  # fire that spreads and bridges that are blown up are nobody's luck
            return None


def _numbers(fact: f.FireResolved) -> tuple[int, ...]:
    """The column of the die that was read: in which the face that came has the number that counted."""
    for numbers in zip(*((face.left, face.right) for face in DICE.get(fact.die, ())), strict=True):
        found = tuple(one[fact.band - 1] for one in numbers if one is not None and 0 < fact.band <= len(one))
        if len(found) == len(numbers) and found[fact.face - 1] == fact.table_number:
            return found
    return ()


def _side(key: str) -> str:
    return key.partition(":")[0]


def _other(side: str) -> str:
    return next(one for one in SIDES if one != side)


def cut(fact: Fact, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
    """A move of two minutes with news is told together: its heading is its minute."""
    return "joins"


def names(fact: Fact) -> Mapping[str, str]:
    """What observers call those whom they have come to see."""
    look = fact.changes.look if fact.changes is not None else None
    if look is None:
        return {}
    return {one.ref: one.body.removesuffix("+") for some in look.new.values() for one in some}


def known(scene: Scene, both: Both[War, Mind]) -> Mapping[str, Known]:
    """What a commander has of each sign: of the enemy never more than a sighting, which he has numbered himself.

    One that is drawn as another, fresher one he knows all the same: it stands on his page.
    """
    mind = both.mind
    means = {name: both.names.get(entry.tiding.ref, "") for name, entry in mind.entries.items()}
    own = {name: f"{mind.side}:{name}" for name in (*mind.own, *mind.entry_of)}
    found = compared(both.there, both.held, means | own, near=NEAR, like=_alike)
    signs = signs_of(both.there)
    for entry in sorted(mind.entries.values(), key=lambda one: one.tiding.seen):
        key = means[entry.id]
        if key in found and not found[key].key and not entry.dropped:
            far = off(signs[key].at, drawing.spot(scene, entry.tiding.at))
            how: Literal["in part", "seen", "elsewhere"] = "in part" if entry.tiding.arm else "seen"
            found[key] = Known("elsewhere" if far > NEAR else how, "", far)
    return found


def dated(scene: Scene, mind: Mind, key: str) -> Dated | None:
    """A report comes by a rider, and is of the time at which it was seen."""
    entry, own = mind.entries.get(key), mind.own.get(key)
    if entry is not None:
        seen, received, source = entry.tiding.seen, entry.received, entry.tiding.source
    elif own is not None:
        seen, received, source = own.state.seen, own.received, own.state.source
    else:
        return None
    return Dated(scene.clock(seen), scene.clock(received), "" if source == "own eyes" else who(scene, source))


def _alike(sign: Sign, had: Sign) -> bool:
    """How strong a body is nobody but its officer knows: whoever knows it by name has it right."""
    return had.own or alike(sign, had)


def draws(scene: Scene, before: War | Mind, fact: Fact) -> Sequence[Draw]:
    """What was drawn for bodies that came in sight: how they are misjudged is made of it, and their names end in it."""
    look = fact.changes.look if fact.changes is not None else None
    if look is None or not isinstance(before, War):
        return ()
    known = {
        (eye, one.body)
        for eye, some in before.glimpses.items()
        for one in some
        if one.last >= look.move - of_knowledge.FORGOTTEN_AFTER
    }
    return tuple(
        Draw(
            f"salt/m{look.move}.{fact.tick}/sighting/{eye}/{one.body}",
            digits=one.ref.rpartition(".")[2],
            start=DRAWN_FROM,
        )
        for eye, some in look.new.items()
        for one in some
        if (eye, one.body) not in known
    )


DRAWN_FROM = 24
"""The digit of its salt from which on the name of a body shows it."""


PAST: Past[Scene, War, Mind, Fact] = Past(
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
    draws=draws,
    cut=cut,
    names=names,
    known=known,
    dated=dated,
)
