"""Who is shut in a fortress, and that a siege ends whose besiegers have left (WE-SIE-01, WE-SIE-02)."""

from __future__ import annotations

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.ratios import ratio_text
from pbem.systems.empire_1870.field.supply import holds_siege_lines
from pbem.systems.empire_1870.march.displacement import leave_no_hq_behind
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.victory import take_control
from pbem.systems.empire_1870.tables.charts import LARGEST_RATIO
from pbem.systems.empire_1870.world.fact import both
from pbem.systems.empire_1870.world.outcomes_combat import GarrisonShut, SiegeChecked
from pbem.systems.empire_1870.world.parts import ENEMY, SIDES, Fortress
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.stacks import Stack, Strength, count, every


@rule("WE-SIE-01", "WE-CTL-01", "WE-MOV-06")
def settle_garrison(play: Play, at: Hex) -> None:
    """Shut the SP of a fortress's country in, if enemies share the hex; let them out, if none does any more.

    If it has none left there, the hex goes to those who stand in it; the fortress stays its country's.  HQs that
    either side's last SP have left alone with the enemy flee.
    """
    field = play.field
    for side in SIDES:
        stack = field.stack(side, at)
        shut = field.fortress_of(at) == side and field.sp(ENEMY[side], at) > 0
        now = every(stack, inside=shut)
        if stack and now != stack:
            play.happens(
                GarrisonShut,
                **both(side, "WE-SIE-01"),
                hex=at,
                sp=Strength.of(now),
                shut=shut,
                stacks={side: {at: now}},
            )
        if field.sr(at) and stack and not field.sp(ENEMY[side], at):
            take_control(play, side, (at,))
        if field.sp(ENEMY[side], at):
            leave_no_hq_behind(play, field.hqs(side, at), at)
    lift_siege(play, at)


@rule("WE-SIE-01")
def as_held(play: Play, side: Role, at: Hex, stack: Stack) -> Stack:
    """SP of a hex as the state now holds them: shut in, if those who are there are."""
    shut = any(one.inside for one in play.stack(side, at))
    return every(stack, inside=shut)


@rule("WE-SIE-02", "WE-CTL-01")
def besieger_of(field: Field, at: Hex) -> Role | None:
    """The side to which an undestroyed fortress is an enemy's: by whoever is shut in there, else by its country."""
    shut = next((side for side in SIDES if any(one.inside for one in field.stack(side, at))), None)
    owner = field.fortress_of(at) and (shut or field.fortress_of(at))
    return ENEMY[owner] if owner else None


@rule("WE-SIE-02")
def lift_siege(play: Play, at: Hex) -> None:
    """End the siege of a fortress whose besiegers have left."""
    field, side = play.field, besieger_of(play.field, at)
    if side is not None and field.besieged(at) and not field.sp(side, at):
        play.add(siege_checked(field, side, at, (1, LARGEST_RATIO), besieged=False))


def siege_checked(field: Field, side: Role, at: Hex, odds: tuple[int, int], *, besieged: bool) -> SiegeChecked:
    """The fact that a fortress was looked at."""
    return SiegeChecked(
        **both(side, "WE-SIE-02", "WE-SIE-05" if holds_siege_lines(field, side, at) else ""),
        hex=at,
        friendly_sp=field.sp(side, at),
        sr=field.sr(at),
        garrison=count(field.garrison(at)),
        ratio=ratio_text(odds),
        besieged=besieged,
        loc_open=holds_siege_lines(field, side, at),
        game=GamePatch(fortresses={at: Fortress(besieged=besieged)}),
    )
