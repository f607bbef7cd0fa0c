"""`IF …`: tested on what a side knows at that instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field, status_value
from pbem.systems.empire_1870.field.ratios import at_least, ratio
from pbem.systems.empire_1870.fire.losses import Shares
from pbem.systems.empire_1870.melee.totals import Battle, attack_total
from pbem.systems.empire_1870.world.orders import Action, Assault, Condition, Provided, hexes_of
from pbem.systems.empire_1870.world.outcomes_combat import Kind
from pbem.systems.empire_1870.world.parts import ENEMY
from pbem.systems.empire_1870.world.stacks import Stack, together


class Plan(Struct, frozen=True, kw_only=True):
    """What a line is about to do: with which SP of which hexes, under which HQ."""

    action: Action | None = None
    shares: dict[Hex, Stack] = {}
    hqs: tuple[str, ...] = ()
    leader: str = ""


@rule("WE-SEQ-04")
def _enemy_in(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return one.hex in field.war.occupied


@rule("WE-SEQ-04")
def _enemy_adjacent(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return one.hex is not None and any(at in field.war.occupied for at in field.scene.board.neighbours(one.hex))


@rule("WE-SEQ-04")
def _friend_in(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return one.hex is not None and field.sp(side, one.hex) > 0


@rule("WE-SEQ-04")
def _friend_sp(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return one.hex is not None and field.sp(side, one.hex) >= one.number


@rule("WE-SEQ-04")
def _control(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return one.hex is not None and field.controller(one.hex) == side


@rule("WE-SEQ-04")
def _rp(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return field.war.resource_points.get(side, 0) >= one.number


@rule("WE-SEQ-04")
def _done(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    """Its own activation is over, or another's in which it joined or went along: it is spent."""
    hq = field.war.hqs.get(one.hq) if one.hq else None
    return one.hq in field.war.done or (hq is not None and hq.spent)


@rule("WE-SEQ-04")
def _vp_most(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return field.war.vp <= one.number


@rule("WE-SEQ-04")
def _vp_least(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return field.war.vp >= one.number


def target_of(field: Field, side: Role, action: Action | None) -> tuple[Hex, Hex | None] | None:
    """The hex that an action attacks, as far as its side knows, and the hex before it; None: none is known."""
    if isinstance(action, Assault):
        return action.target, None
    path = hexes_of(action)
    known = {*field.war.stacks.get(ENEMY[side], {}), *field.war.ghosts, *field.war.occupied}
    for number, at in enumerate(path):
        if at in known and not _lone_hqs(field, side, at):
            return at, path[number - 1] if number else None
    return None


def _lone_hqs(field: Field, side: Role, at: Hex) -> bool:
    """Whether what a side has seen in a hex are enemy HQs alone: they are no force that is attacked (WE-CBT-13)."""
    ghost = field.war.ghosts.get(at)
    seen = bool(field.hqs(ENEMY[side], at)) or (ghost is not None and bool(ghost.hqs))
    return seen and known_stack(field, side, at) is None


def known_stack(field: Field, side: Role, at: Hex) -> Stack | None:
    """The enemy's SP in a hex as last seen; None: never seen."""
    there = field.stack(ENEMY[side], at)
    if there:
        return there
    ghost = field.war.ghosts.get(at)
    return ghost.stack if ghost is not None and ghost.stack else None


def known_battle(field: Field, side: Role, plan: Plan) -> Battle | None:
    """The combat that an action comes to, as its side can reckon; None: it does not know what it attacks."""
    found = target_of(field, side, plan.action)
    if found is None or known_stack(field, side, found[0]) is None:
        return None
    at, before = found
    how: Kind = "planned" if isinstance(plan.action, Assault) else "march"
    shares: Shares = plan.shares
    if before is not None:
        shares = {before: together(*plan.shares.values())}
    return Battle(name="", how=how, attacker=side, shares=dict(shares), hqs=plan.hqs, hex=at, leader=plan.leader)


@rule("WE-CBT-04")
def known_odds(field: Field, side: Role, plan: Plan) -> tuple[int, int] | None:
    """The ratio of an attack as its side can reckon it; None: it does not know what it attacks."""
    battle = known_battle(field, side, plan)
    if battle is None:
        return None
    enemy = known_stack(field, side, battle.hex) or ()
    walls = field.sr(battle.hex) if field.fortress_of(battle.hex) == ENEMY[side] else 0
    return ratio(attack_total(field, battle).total, max(1, status_value(enemy) + walls))


@rule("WE-SEQ-04", "WE-CBT-04")
def _odds(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    odds = known_odds(field, side, plan)
    return odds is not None and at_least(odds, one.odds)


TESTS: Mapping[str, Callable[[Field, Role, Condition, Plan], bool]] = {
    "enemy_in": _enemy_in,
    "enemy_adjacent": _enemy_adjacent,
    "friend_in": _friend_in,
    "friend_sp": _friend_sp,
    "control": _control,
    "rp": _rp,
    "odds": _odds,
    "done": _done,
    "vp_most": _vp_most,
    "vp_least": _vp_least,
}


@rule("WE-SEQ-04")
def holds(field: Field, side: Role, provided: Provided, plan: Plan) -> bool:
    """Whether all conditions of a line hold; *field* is the map as *side* knows it.

    What is not known is no: `ODDS` against what was never seen does not hold, and neither does its `NOT`.
    """
    return all(_holds(field, side, one, plan) for one in provided.conditions)


@rule("WE-SEQ-04")
def _holds(field: Field, side: Role, one: Condition, plan: Plan) -> bool:
    return TESTS[one.test](field, side, one, plan) != one.negated
