"""Whether the guns are brought up, what that costs, and the die that is thrown again (WE-CBT-07, WE-CBT-08)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.ratios import at_least
from pbem.systems.empire_1870.melee.totals import Battle, Side, defends_walls, fighting_hqs, seat, terrain_column
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import in_words, policy
from pbem.systems.empire_1870.tables.charts import ARTILLERY_COST, TERRAIN, Pair
from pbem.systems.empire_1870.world.fact import both
from pbem.systems.empire_1870.world.orders import React, Reaction
from pbem.systems.empire_1870.world.outcomes_combat import ArtilleryCommitted, CombatDice
from pbem.systems.empire_1870.world.patches import GamePatch


def share_up(value: int, by: Pair) -> int:
    """A share of a value, rounded up."""
    return -(-value * by[0] // by[1])


@rule("WE-CBT-07", "WE-MOV-02")
def artillery_cost(field: Field, battle: Battle, side: Role, strength: Side) -> int:
    """RP that a side pays for its artillery in this combat."""
    basis = strength.raw if field.war.options.artillery_cost_basis == "raw" else strength.fighting
    column = terrain_column(field, battle.hex, battle.defender, walls=defends_walls(field, battle))
    return share_up(share_up(basis, ARTILLERY_COST[side]), ground_factor(column))


@rule("WE-CBT-07", "WE-MOV-02")
def ground_factor(column: str) -> Pair:
    """What the ground makes of the cost, by its column: in a town, and before walls, guns are no dearer."""
    return TERRAIN[column].artillery if column in TERRAIN else (1, 1)


@rule("WE-CBT-07")
def wants(order: React, left: int, cost: int, odds: tuple[int, int]) -> bool:
    """Whether a policy brings the guns up: *left* are the RP after paying."""
    match order.word:
        case "always":
            return True
        case "max":
            return cost <= order.numbers[0]
        case "reserve":
            above = order.low is None or at_least(odds, order.low)
            below = order.high is None or at_least(order.high, odds)
            return left >= order.numbers[0] and above and below
        case word:
            assert word == "never", "there is no other word of REACT ARTILLERY"
            return False


class Guns(NamedTuple):
    """What bringing the guns up costs, and the policy by which they are."""

    cost: int
    order: React


@rule("WE-CBT-07", "WE-LOC-04", "WE-RP-02")
def brought_up(field: Field, battle: Battle, side: Role, strength: Side, odds: tuple[int, int]) -> Guns | None:
    """The guns of a side, if its policy is so, it can pay, and something of it has a LOC."""
    attacks = side == battle.attacker
    hqs = [hq.id for at in (battle.shares if attacks else (battle.hex,)) for hq in field.hqs(side, at)]
    reaction: Reaction = "artillery_attack" if attacks else "artillery_defence"
    order = policy(field.war, side, reaction, seat(battle, side), *hqs)
    cost = artillery_cost(field, battle, side, strength)
    held = field.war.resource_points.get(side, 0)
    if not any(one.has_loc for one in strength.hexes) or held < cost or not wants(order, held - cost, cost, odds):
        return None
    return Guns(cost, order)


def commit(play: Play, battle: Battle, side: Role, strength: Side, odds: tuple[int, int]) -> bool:
    """Pay for the artillery of a side, if it is brought up."""
    guns = brought_up(play.field, battle, side, strength, odds)
    if guns is None:
        return False
    left = play.war.resource_points.get(side, 0) - guns.cost
    play.happens(
        ArtilleryCommitted,
        **both(side, "WE-CBT-07"),
        combat=battle.name,
        cost=guns.cost,
        rp_left=left,
        policy=in_words(guns.order),
        private=("rp_left", "policy"),
        game=GamePatch(resource_points={side: left}),
    )
    return True


def which_again(faces: tuple[int, ...], order: React, *, winning: bool) -> int:
    """Which of two dice a policy throws again: 0 or 1; -1: none.  Of two alike the first."""
    if order.word != "low" or (order.losing and winning):
        return -1
    lower = 0 if faces[0] <= faces[1] else 1
    return lower if faces[lower] <= order.numbers[0] else -1


@rule("WE-CBT-08")
def throw_again(
    play: Play, battle: Battle, side: Role, faces: tuple[int, int], *, committed: bool, winning: bool, dice: Throw
) -> tuple[int, int]:
    """The two dice of a side as they stand after its re-roll, if its artillery allows one and its policy wants it."""
    order = policy(play.war, side, "reroll", seat(battle, side), *fighting_hqs(play.field, battle, side))
    again = which_again(faces, order, winning=winning) if committed else -1
    thrown: tuple[Throw, ...] = (dice,)
    now = faces
    if again >= 0:
        purpose = "reroll_attacker" if side == battle.attacker else "reroll_defender"
        throw = play.throw(purpose, battle.name)
        thrown = (dice, throw)
        now = (throw.faces[0], faces[1]) if again == 0 else (faces[0], throw.faces[0])
    play.happens(
        CombatDice,
        **both(side, "WE-CBT-09", "WE-CBT-08" if again >= 0 else ""),
        dice=thrown,
        combat=battle.name,
        faces=now,
        rerolled=again + 1,
        old=faces[again] if again >= 0 else 0,
        new=now[again] if again >= 0 else 0,
        policy=in_words(order) if committed else "",
        private=("policy",),
    )
    return now
