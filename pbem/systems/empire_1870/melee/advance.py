"""Who goes into the hex that was won, and who is shut in there (WE-AAC-01, WE-MCB-01, WE-SIE-01)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.fitness import may_advance
from pbem.systems.empire_1870.fire.losses import Shares
from pbem.systems.empire_1870.march.displacement import leave_no_hq_behind
from pbem.systems.empire_1870.march.garrison import settle_garrison
from pbem.systems.empire_1870.melee.totals import Battle, seat
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import policy
from pbem.systems.empire_1870.play.victory import take_control
from pbem.systems.empire_1870.world.fact import both
from pbem.systems.empire_1870.world.outcomes_combat import Advanced
from pbem.systems.empire_1870.world.parts import ENEMY
from pbem.systems.empire_1870.world.patches import HqPatch
from pbem.systems.empire_1870.world.stacks import Stack, Strength, count, freed, together, without

Who = Literal["lead", "all", "none"] | tuple[Hex, ...]


def enter(
    play: Play, side: Role, start: Hex, stack: Stack, hqs: Iterable[str], to: Hex, place: str, *rules: str
) -> None:
    """Winners of a combat go into the hex: lone enemy HQs flee, a garrison is shut in, control changes."""
    names = tuple(hqs)
    left = without(play.stack(side, start), stack)
    free = freed(stack)
    play.happens(
        Advanced,
        **both(side, *rules),
        start=start,
        to=to,
        sp=Strength.of(stack),
        units=names,
        stacks={side: {start: left, to: together(play.stack(side, to), free)}},
        hqs={name: HqPatch(hex=to) for name in names},
    )
    take_hex(play, side, to, place)
    settle_garrison(play, start)


@rule("WE-MOV-06", "WE-CTL-01")
def take_hex(play: Play, side: Role, at: Hex, place: str) -> None:
    """What it means to come into a hex with SP: lone enemy HQs flee, a garrison is shut in, control changes."""
    leave_no_hq_behind(play, play.field.hqs(ENEMY[side], at), place)
    settle_garrison(play, at)
    take_control(play, side, (at,))


@rule("WE-AAC-01", "WE-LOC-04")
def advance_after(play: Play, battle: Battle, shares: Shares, supplied: Iterable[Hex], ordered: Who | None) -> bool:
    """After a planned attack that emptied the hex: those who may and are to go in do so, hex by hex.

    Gives whether some were to go in, and none of them might: they are demoralized, or had no LOC.
    """
    who: Who = ordered if ordered is not None else _standing(play, battle)
    chosen = {
        "none": (),
        "all": tuple(sorted(shares)),
        "lead": tuple(at for at in sorted(shares) if at == battle.lead),
    }
    may = set(supplied)
    to_go = [at for at in (chosen[who] if isinstance(who, str) else dict.fromkeys(who)) if count(shares.get(at, ()))]
    gone = 0
    for at in to_go:
        stack = tuple(one for one in shares.get(at, ()) if may_advance(one))
        if at in may and count(stack):
            hqs = [hq.id for hq in play.field.hqs(battle.attacker, at) if hq.id in battle.hqs]
            enter(play, battle.attacker, at, stack, hqs, battle.hex, f"{battle.name}/{at}", "WE-AAC-01")
            gone += 1
    return bool(to_go) and not gone


def _standing(play: Play, battle: Battle) -> Who:
    at = seat(battle, battle.attacker)
    word = policy(play.war, battle.attacker, "advance", at, battle.leader).word
    return "all" if word == "all" else "none" if word == "none" else "lead"
