"""The Recovery Phase: forces with a LOC and out of the enemy's reach come to order (WE-REC-01)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import good
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import RECOVER
from pbem.systems.empire_1870.tables.charts import RECOVERY_RP
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import Recovered
from pbem.systems.empire_1870.world.parts import ENEMY, SIDES, Standing
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.stacks import Stack, Status, Strength, count, together

BETTER: dict[Status, Status] = {"good": "good", "disrupted": "good", "demoralized": "disrupted"}
"""One level up (WE-STA-01)."""


@rule("WE-STA-01")
def improved(stack: Stack) -> Stack:
    """A stack with every SP one level better."""
    return together(replace(one, status=BETTER[one.status]) for one in stack)


def to_improve(stack: Stack) -> int:
    """How many SP of a stack can get better."""
    return count(stack) - good(stack)


@rule("WE-REC-01", "WE-LOC-04")
def may_recover(field: Field, side: Role, at: Hex) -> bool:
    """Whether what a side has in a hex can recover."""
    return to_improve(field.stack(side, at)) > 0 and not field.in_ezoc(side, at) and has_loc(field, side, at)


def in_turn(field: Field, side: Role, first: tuple[Hex, ...] = ()) -> list[Hex]:
    """The hexes that may recover: those named first, then next to enemies, most SP improved, lowest number."""
    eligible = [at for at in field.occupied(side) if may_recover(field, side, at)]

    def rank(at: Hex) -> tuple[int, bool, int, Hex]:
        named = first.index(at) if at in first else len(first)
        return named, not field.adjacent(ENEMY[side], at), -to_improve(field.stack(side, at)), at

    return sorted(eligible, key=rank)


@rule("WE-REC-01", "WE-RP-02")
def recovery(play: Play) -> None:
    """Both sides pay for their forces to recover, as far as their RP and their policy go."""
    for side in SIDES:
        order = play.war.standing.get(side, Standing()).recover or RECOVER
        if order.word == "none":
            continue
        for at in in_turn(play.field, side, order.hexes):
            held = play.war.resource_points.get(side, 0)
            if held - RECOVERY_RP < order.reserve:
                break
            before = play.stack(side, at)
            after = improved(before)
            play.happens(
                Recovered,
                **owner_only(side, "WE-REC-01", "WE-STA-01"),
                hex=at,
                before=Strength.of(before),
                after=Strength.of(after),
                rp_left=held - RECOVERY_RP,
                stacks={side: {at: after}},
                game=GamePatch(resource_points={side: held - RECOVERY_RP}),
            )
