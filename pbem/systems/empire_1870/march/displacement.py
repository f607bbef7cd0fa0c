"""HQs whose force is gone: they flee, or leave the map and come back (WE-MOV-06)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.ground.hexes import Hex
from pbem.kernel.event import Throw
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.fitness import on_map
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import D3
from pbem.systems.empire_1870.world.fact import in_part
from pbem.systems.empire_1870.world.outcomes_combat import HqDisplaced
from pbem.systems.empire_1870.world.parts import Hq
from pbem.systems.empire_1870.world.patches import HqPatch


@rule("WE-UNI-02")
def d3(throw: Throw) -> int:
    """1d3 of a d6."""
    return D3[throw.faces[0]]


def off_map(patch: HqPatch, hq: Hq, turn: int, *, casualty: bool) -> HqPatch:
    """What takes an HQ off the map until a turn: as a casualty, or as one that found no way."""
    hits = {"casualties": hq.casualties + 1} if casualty else {}
    return HqPatch(**{**patch.sets(), **hits, "hex": None, "state": "wounded", "return_turn": turn, "spent": True})  # type: ignore[arg-type]


@rule("WE-MOV-06")
def displace(play: Play, hqs: Iterable[Hq], at: Hex, place: str) -> None:
    """HQs whose force is gone go to the nearest of their own within two hexes, else off the map for 1d3 turns."""
    for hq in hqs:
        to = play.field.nearest_own(hq.side, at, 2)
        if to is not None:
            play.happens(
                HqDisplaced,
                **in_part(hq.side, "WE-MOV-06"),
                hq=hq.id,
                start=at,
                to=to,
                private=("to",),
                hqs={hq.id: HqPatch(hex=to)},
            )
            continue
        throw = play.throw("return", f"{hq.id}/{place}", seed="closed")
        turns = d3(throw)
        play.happens(
            HqDisplaced,
            **in_part(hq.side, "WE-MOV-06", "WE-UNI-02"),
            dice=(throw,),
            secret_dice=True,
            hq=hq.id,
            start=at,
            return_in=turns,
            return_turn=play.war.turn + turns,
            private=("return_in", "return_turn"),
            hqs={hq.id: off_map(HqPatch(), hq, play.war.turn + turns, casualty=False)},
        )


def leave_no_hq_behind(play: Play, hqs: Iterable[Hq], place: str) -> None:
    """Displace those of *hqs* who stand without SP of their own where the enemy is, or where their force was lost."""
    for hq in hqs:
        now = play.hq(hq.id)
        if on_map(now) and now.hex is not None and not play.field.sp(now.side, now.hex):
            displace(play, [now], now.hex, place)
