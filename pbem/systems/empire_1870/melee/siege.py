"""The Siege Phase: which fortresses are under siege, and their assaults (WE-SIE)."""

from __future__ import annotations

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.ratios import ratio
from pbem.systems.empire_1870.field.supply import besiegers
from pbem.systems.empire_1870.march.displacement import leave_no_hq_behind
from pbem.systems.empire_1870.march.garrison import besieger_of, lift_siege, siege_checked
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.victory import Points, check_ends, score, take_control
from pbem.systems.empire_1870.tables import charts
from pbem.systems.empire_1870.world.fact import Modifier, both
from pbem.systems.empire_1870.world.outcomes_combat import SiegeAssault
from pbem.systems.empire_1870.world.parts import ENEMY, GERMAN, Fortress, Standing
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.stacks import count

SIEGE_RATIO = min(charts.SIEGE_DRMS)
"""From this ratio to 1 a fortress is under siege (WE-SIE-02)."""


@rule("WE-SIE-02")
def siege_ratio(field: Field, side: Role, at: Hex) -> tuple[int, int]:
    """The ratio of *side*, standing in the hex of an enemy fortress, to its SR and the SP inside."""
    number = besiegers(field, side, at)
    return ratio(number, field.sr(at) + count(field.garrison(at))) if number else (1, charts.LARGEST_RATIO)


@rule("WE-SIE-02", "WE-SIE-05", "WE-SEQ-01")
def sieges(play: Play) -> None:
    """Look at every fortress with enemies in its hex; assault those that are under siege."""
    for at in play.scene.fortresses:
        field = play.field
        side = besieger_of(field, at)
        if side is None:
            continue
        if not field.sp(side, at):
            lift_siege(play, at)
            continue
        odds = siege_ratio(field, side, at)
        besieged = odds[0] >= SIEGE_RATIO and odds[1] == 1
        play.add(siege_checked(field, side, at, odds, besieged=besieged))
        if besieged and _assaults(play, side, at):
            _assault(play, side, at, odds[0])
            if check_ends(play):
                return


@rule("WE-SIE-02", "WE-SIE-03")
def _assaults(play: Play, side: Role, at: Hex) -> bool:
    orders = play.war.standing.get(side, Standing()).sieges
    return next((order.assault for order in orders if order.hex == at), True)


@rule("WE-SIE-03")
def siege_modifiers(field: Field, side: Role, at: Hex, to_one: int) -> tuple[Modifier, ...]:
    """What is added to the die of an assault."""
    found = [Modifier(f"{to_one}:1", charts.SIEGE_DRMS[min(to_one, max(charts.SIEGE_DRMS))], RuleId("WE-SIE-03"))]
    if side == GERMAN and any(hq.rank == "army" for hq in field.hqs(side, at)):
        found.append(Modifier("German army HQ", charts.SIEGE_ARMY_HQ, RuleId("WE-SIE-03")))
    return tuple(found)


@rule("WE-SIE-03", "WE-VIC-01", "WE-CTL-01")
def worth(field: Field, side: Role, at: Hex) -> int:
    """How far the marker moves if *side* destroys a fortress: by its country, for which its own are worth nothing."""
    owner = field.fortress_of(at)
    if owner is None or owner == side:
        return 0
    return charts.VP["german_fortress_destroyed"] if owner == GERMAN else charts.VP_FRENCH_FORTRESS[field.sr(at)]


@rule("WE-SIE-03")
def falls(total: int, sr: int) -> bool:
    """Whether a fortress falls to a die with what is added to it."""
    return total > sr


@rule("WE-SIE-03", "WE-SIE-04", "WE-VIC-01")
def _assault(play: Play, side: Role, at: Hex, to_one: int) -> None:
    field, owner = play.field, ENEMY[side]
    throw = play.throw("siege_assault", at)
    drms = siege_modifiers(field, side, at, to_one)
    total = throw.faces[0] + sum(one.value for one in drms)
    sr, inside = field.sr(at), count(field.stack(owner, at))
    fallen = falls(total, sr)
    hqs = field.hqs(owner, at)
    play.happens(
        SiegeAssault,
        **both(side, "WE-SIE-03", "WE-SIE-04" if fallen and inside else ""),
        dice=(throw,),
        hex=at,
        ratio=f"{to_one}:1",
        drms=drms,
        die=throw.faces[0],
        total=total,
        sr=sr,
        destroyed=fallen,
        garrison_lost=inside if fallen else 0,
        stacks={owner: {at: ()}} if fallen and inside else {},
        toll={owner: inside} if fallen and inside else {},
        game=GamePatch(fortresses={at: Fortress(destroyed=True)}) if fallen else None,
    )
    if not fallen:
        return
    parts = [Points(f"{play.scene.place_name(at)} has fallen", worth(field, side, at), ("WE-SIE-03",))]
    if play.war.options.vp_siege_losses:
        dead = (1 if owner == GERMAN else -1) * (inside // charts.CASUALTIES_PER_VP[owner])
        parts.append(Points(f"its garrison of {inside}", dead, ("WE-SIE-04",)))
    score(play, *parts)
    take_control(play, side, (at,))
    leave_no_hq_behind(play, hqs, f"siege/{at}")
