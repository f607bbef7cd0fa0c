"""How SP come to order: by themselves in the Recovery Phase (WE-REC-01), or where they rally (WE-RAL-01)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import good
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.march.force import Force
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import RECOVER
from pbem.systems.empire_1870.scene.reasons import because
from pbem.systems.empire_1870.tables.charts import RALLY_RP, RECOVERY_RP
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import RallyResolved, Recovered
from pbem.systems.empire_1870.world.parts import ENEMY, SIDES, Standing
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.stacks import Stack, Status, Strength, count, together, without

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


# ------------------------------------------------------------------ rally


@rule("WE-RAL-01", "WE-RP-02", "WE-LOC-04")
def refusal(play: Play, force: Force, at: Hex, stack: Stack) -> str:
    """Why SP of a hex cannot rally, as a code of the ledger; empty: they can."""
    field = play.field
    if not to_improve(stack):
        return "nothing_to_rally"
    if field.in_ezoc(force.side, at):
        return "rally_ezoc"
    if not has_loc(field, force.side, at):
        return "rally_no_loc"
    return "" if play.war.resource_points.get(force.side, 0) >= RALLY_RP else "rally_rp"


@rule("WE-RAL-01", "WE-RP-02", "WE-LOC-04", "WE-STA-01")
def rally(play: Play, force: Force, shares: dict[Hex, Stack]) -> tuple[dict[Hex, Stack], str]:
    """Rally SP, hex by hex, each for 1 RP; gives them as they now are, and the last reason that stood in the way."""
    after = dict(shares)
    refused = ""
    for at, stack in sorted(shares.items()):
        why = refusal(play, force, at, stack)
        held = play.war.resource_points.get(force.side, 0)
        new = stack if why else improved(stack)
        if why:
            refused = why
        else:
            force.acted = True
            after[at] = new
            held -= RALLY_RP
        here = together(without(play.stack(force.side, at), stack), new)
        play.happens(
            RallyResolved,
            **owner_only(force.side, "WE-RAL-01", *because(why)),
            hex=at,
            sp_before=Strength.of(stack),
            sp_after=Strength.of(new),
            rp_left=held,
            refused_reason=why,
            stacks={} if why else {force.side: {at: here}},
            game=None if why else GamePatch(resource_points={force.side: held}),
        )
    return after, refused
