"""Command points, what brigadiers give for nothing, and the army commander's hand on the chits (HL-CMD)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.printed import ARMY_PULL, BRIGADIER_WITHIN, POINT_COST, SUCCESSOR_FROM
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import of_unit
from pbem.systems.half_league.world.orders import ArmyPull, Benefit, Favour, Policy, Spend
from pbem.systems.half_league.world.patches import LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import Leader, Unit

DEFAULT_FAVOURS: tuple[Benefit, ...] = ("fire", "melee")
"""What a brigadier gives who was told nothing, whichever comes first (HL-CMD-10)."""


class Moment:
    """The circumstances in which a benefit might be bought."""

    def __init__(self, *, attacked: bool = False, charged: bool = False, hits: int = 0) -> None:
        self.attacked, self.charged, self.hits = attacked, charged, hits

    @rule("HL-CMD-13")
    def fits(self, policy: Policy) -> bool:
        """Whether a policy's moment has come."""
        match policy.when:
            case "always":
                return True
            case "if-attacked":
                return self.attacked or self.charged
            case "if-charged":
                return self.charged
            case "when-hits":
                return self.hits >= policy.number
            case "never" | "yes" | "no" | "chits":
                return False
            case _:
                assert_never(policy.when)


@rule("HL-CMD-13")
def policy_for(play: Play, unit: Unit, kind: str, benefit: str = "") -> Policy | None:
    """The policy in force for a unit: its own, then its brigade's, then that for all."""
    role = play.scene.role_of(unit.brigade, unit.side)
    policies = play.battle.policies.get(role, ())
    for who in (unit.id, unit.brigade, "all"):
        for policy in policies:
            if policy.kind == kind and policy.who == who and policy.benefit == benefit:
                return policy
    return None


# ------------------------------------------------------------------ the brigadier


def _favour_order(play: Play, brigadier: Leader) -> tuple[Role, Favour] | None:
    found = [(role, order) for role, order in play.ordered(Favour) if order.leader == brigadier.id]
    return found[-1] if found else None


@rule("HL-CMD-10", "HL-CMD-11")
def benefited(play: Play, brigadier: Leader) -> list[Unit]:
    """The units that a brigadier's benefit reaches: his own, and those in a chain with it if he was there in time."""
    unit = play.battle.units.get(brigadier.attached_to)
    if unit is None or not unit.there:
        return []
    return play.field.chained(unit) if brigadier.attached_since_start_of_turn else [unit]


@rule("HL-CMD-10", "HL-CMD-11")
def reached(play: Play, brigadier: Leader) -> list[Unit]:
    """Those of them for whom it is meant: all, or the one that its order names."""
    sent = _favour_order(play, brigadier)
    only = sent[1].unit if sent is not None else ""
    return [unit for unit in benefited(play, brigadier) if only in ("", unit.id)]


@rule("HL-CMD-10", "HL-CMD-11", "HL-CMD-12", "HL-SAV-05")
def _favoured(play: Play, unit: Unit, benefit: Benefit) -> bool:
    """Whether its brigadier gives a unit a benefit now; recorded if he does."""
    brigadier = play.field.brigadier(unit)
    if brigadier is None or not brigadier.attached_to or benefit in unit.favours:
        return False
    sent, given = _favour_order(play, brigadier), brigadier.favour

    def refused(reason: str) -> bool:
        if sent is not None:
            play.came_of(*sent, "not carried out", reason)
        return False

    if sent is not None and sent[1].benefit != benefit:
        return False
    if sent is None and (benefit not in DEFAULT_FAVOURS or (given and given != benefit)):
        return False
    if given and given != benefit:
        return refused("given")
    if unit not in reached(play, brigadier):
        if sent is not None and sent[1].unit in ("", unit.id) and brigadier.attached_to != unit.id:
            _refuse_late(play, sent, brigadier, unit)
        return False
    if brigadier.modes.get(unit.brigade, "none") == "army":
        if sent is not None:
            _refused(play, unit, benefit, "army_mode")
        return refused("army_mode")
    if brigadier.replaced and not _successor(play, brigadier):
        return refused("successor_failed")
    brigadier = play.leader(brigadier.id)
    play.add(
        o.CommandPointSpent(
            **of_unit(unit, "HL-CMD-10", "HL-CMD-11" if unit.id != brigadier.attached_to else ""),
            benefit=benefit,
            left=unit.command_points,
            by="brigadier_free",
            units={unit.id: UnitPatch(favours=(*unit.favours, benefit))},
            leaders={brigadier.id: LeaderPatch(favour=benefit, modes={**brigadier.modes, unit.brigade: "brigadier"})},
        )
    )
    if sent is not None:
        play.came_of(*sent, "done")
    return True


def _refuse_late(play: Play, sent: tuple[Role, Favour], brigadier: Leader, unit: Unit) -> None:
    own = play.battle.units.get(brigadier.attached_to)
    if own is not None and not brigadier.attached_since_start_of_turn and unit in play.field.chained(own):
        _refused(play, unit, sent[1].benefit, "attached_late")


@rule("HL-SAV-05")
def _successor(play: Play, brigadier: Leader) -> bool:
    """Whether a dead brigadier's successor gives his benefit this turn."""
    if not brigadier.successor:
        # Of two who take over in one exchange each has a die of his own.
        before = sum(isinstance(fact, o.SuccessorRolled) and fact.leader == brigadier.id for fact in play.facts)
        throw = play.throw("successor", f"{brigadier.id}/{before + 1}" if before else brigadier.id)
        gives = throw.faces[0] >= SUCCESSOR_FROM
        play.add(
            o.SuccessorRolled(
                rules=cited("HL-SAV-05", "HL-CMD-10"),
                dice=(throw,),
                side=brigadier.side,
                leader=brigadier.id,
                natural=throw.faces[0],
                gives=gives,
                leaders={brigadier.id: LeaderPatch(successor="gives" if gives else "gives not")},
            )
        )
        return gives
    return brigadier.successor == "gives"


# ------------------------------------------------------------------ points


def _refused(play: Play, unit: Unit, benefit: Benefit, reason: str) -> None:
    rules = {"army_mode": "HL-CMD-12", "attacker_spent": "HL-CMD-08", "attached_late": "HL-CMD-11"}
    play.add(o.CommandPointRefused(**of_unit(unit, rules.get(reason, "HL-CMD-02")), benefit=benefit, reason=reason))


@rule("HL-CMD-02", "HL-CMD-13")
def wants(play: Play, unit: Unit, benefit: Benefit, moment: Moment) -> bool:
    """Whether a unit is to buy a benefit: by an order of this turn, else by a policy."""
    if any(order.benefit == benefit for _, order in play.ordered(Spend, unit.id)):
        return True
    policy = policy_for(play, unit, "cp", benefit)
    return policy is not None and moment.fits(policy)


@rule("HL-CMD-02")
def _bought(play: Play, unit: Unit, benefit: Benefit, moment: Moment, *, asked: bool) -> bool:
    """Whether a unit's commander spends a point on a benefit now; recorded if he does."""
    if not (asked or wants(play, unit, benefit, moment)) or benefit in unit.benefits_used:
        return False
    sent = [(role, order) for role, order in play.ordered(Spend, unit.id) if order.benefit == benefit]
    brigadier = play.field.brigadier(unit)
    far = play.field.to_leader(unit, brigadier) if brigadier else BRIGADIER_WITHIN + 1
    reason = "no_point" if unit.command_points < POINT_COST else "too_far" if far > BRIGADIER_WITHIN else ""
    if reason:
        if sent or asked:
            _refused(play, unit, benefit, reason)
        if sent:
            play.came_of(sent[0][0], sent[0][1], "not carried out", reason, unit.id)
        return False
    left = unit.command_points - POINT_COST
    play.add(
        o.CommandPointSpent(
            **of_unit(unit, "HL-CMD-02", "" if sent else "HL-CMD-13", _RULE_OF[benefit]),
            benefit=benefit,
            left=left,
            distance=far,
            units={unit.id: UnitPatch(command_points=left, benefits_used=(*unit.benefits_used, benefit))},
        )
    )
    if sent:
        play.came_of(sent[0][0], sent[0][1], "done", "", unit.id)
    return True


_RULE_OF: dict[Benefit, str] = {
    "move": "HL-CMD-03",
    "pull": "HL-CMD-04",
    "fire": "HL-CMD-05",
    "fire_save": "HL-CMD-06",
    "morale": "HL-CMD-07",
    "melee": "HL-CMD-08",
    "melee_save": "HL-CMD-09",
}


@rule("HL-CMD-02", "HL-CMD-10", "HL-CMD-13")
def benefit_of(
    play: Play,
    name: str,
    benefit: Benefit,
    moment: Moment | None = None,
    *,
    points: bool = True,
    one: bool = False,
    asked: bool = False,
) -> tuple[str, ...]:
    """Who gives a unit a benefit now: `brigadier`, `command_point`, both or none; recorded.

    The brigadier's comes first.  *points* False: its commander may not buy (HL-CMD-08).  *one*: a second gift of the
    kind would be of no use, so none is bought.  *asked*: an order asks for it that is none to spend.
    """
    moment = moment or Moment()
    given: list[str] = []
    if _favoured(play, play.unit(name), benefit):
        given.append("brigadier")
    if points and not (one and given) and _bought(play, play.unit(name), benefit, moment, asked=asked):
        given.append("command_point")
    return tuple(given)


@rule("HL-CMD-06", "HL-CMD-09", "HL-CMD-10")
def held(unit: Unit, benefit: Benefit) -> tuple[str, ...]:
    """Who has given a unit a benefit this turn: a benefit for saves holds until its end, whoever paid for it when."""
    brigadier = ("brigadier",) if benefit in unit.favours else ()
    return (*brigadier, *(("command_point",) if benefit in unit.benefits_used else ()))


@rule("HL-CMD-08")
def keep_point(play: Play, name: str, benefit: Benefit, moment: Moment) -> None:
    """A defender would buy a benefit, but the attacker has."""
    unit = play.unit(name)
    if wants(play, unit, benefit, moment) and unit.command_points and benefit not in unit.benefits_used:
        _refused(play, unit, benefit, "attacker_spent")
        for role, order in play.ordered(Spend, name):
            if order.benefit == benefit:
                play.came_of(role, order, "not carried out", "attacker_spent", name)


# ------------------------------------------------------------------ the army commander


@rule("HL-CMD-12")
def army_removal(play: Play, side: Role, *, phase: str, routs: Iterable[str] = ()) -> None:
    """The army commander takes a chit off the units that he reaches, if it is ordered now, or one of *routs* would go.

    *phase*: the one that ends; `start` at the beginning of the turn.
    """
    chief = play.field.army_commander(side)
    if chief is None or not chief.attached_to or chief.pulls >= play.battle.options.army_pulls_per_turn:
        return
    own = play.battle.units.get(chief.attached_to)
    if own is None or not own.there:
        return
    units = play.field.chained(own) if chief.attached_since_start_of_turn else [own]
    units = [unit for unit in units if unit.chits]
    most = max((unit.chits for unit in units), default=0)
    sent = [(role, order) for role, order in play.ordered(ArmyPull) if order.leader == chief.id]
    orders = [order for _, order in sent if order.phase in ("", phase) and most >= order.chits]
    policy = next(
        (one for role in play.scene.roles(side) for one in play.battle.policies.get(role, ()) if one.who == chief.id),
        None,
    )
    standing = policy is not None and policy.when == "chits" and most >= policy.number
    saves = not sent and policy is None and any(unit.id in set(routs) for unit in units)
    if not units or not (orders or standing or saves):
        return
    brigadier = play.field.brigadier(own)
    if brigadier is not None and brigadier.modes.get(own.brigade, "none") == "brigadier":
        for role, order in sent:
            play.came_of(role, order, "not carried out", "brigadier_mode")
        return
    _remove(play, chief, units, brigadier)
    for role, order in sent:
        play.came_of(role, order, "done")


def _remove(play: Play, chief: Leader, units: list[Unit], brigadier: Leader | None) -> None:
    patches = {chief.id: LeaderPatch(pulls=chief.pulls + 1)}
    if brigadier is not None:
        patches[brigadier.id] = LeaderPatch(modes={**brigadier.modes, brigadier.brigade: "army"})
    for unit in units:
        left = max(unit.chits - ARMY_PULL, 0)
        play.add(replace(removed(unit, left, "army"), leaders=patches, rules=cited("HL-CMD-12", *_also(units))))


def _also(units: list[Unit]) -> tuple[str, ...]:
    return ("HL-CMD-11",) if len(units) > 1 else ()


def removed(unit: Unit, left: int, how: str) -> o.ChitRemoved:
    """A chit comes off a unit."""
    rules = {"auto": "HL-MOR-06", "point": "HL-CMD-04", "brigadier": "HL-CMD-10", "rally": "HL-MOR-05"}
    return o.ChitRemoved(
        **of_unit(unit, rules.get(how, "HL-CMD-12")),
        how=how,  # type: ignore[arg-type] # one of its words
        left=left,
        units={unit.id: UnitPatch(chits=left)},
    )
