"""HQs that are hit, flee, and come back (WE-HQC, WE-MOV-06)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pbem.ground.hexes import Hex
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.empire_1870.combat_outcomes import HqCasualtyCheck, HqDisplaced
from pbem.systems.empire_1870.fact import BOTH, in_part
from pbem.systems.empire_1870.headquarters import Headquarters
from pbem.systems.empire_1870.parts import Hq
from pbem.systems.empire_1870.patches import HqPatch
from pbem.systems.empire_1870.play import Play
from pbem.systems.empire_1870.tables import D3, HQ_CASUALTIES


def flipped(piece: Headquarters) -> HqPatch:
    """The other face of an HQ."""
    back = piece.back
    return HqPatch(
        face="replacement",
        name=piece.name if not piece.successor else f"{piece.name.partition(',')[0]}, {piece.successor}",
        ab=back.ratings.ab,
        db=back.ratings.db,
        ma=back.ratings.ma,
        cautious=back.cautious,
    )


@rule("WE-UNI-02")
def d3(throw: Throw) -> int:
    """1d3 of a d6."""
    return D3[throw.faces[0]]


@rule("WE-HQC-01", "WE-HQC-02", "WE-HQC-03")
def check_hq(play: Play, hq: Hq, cause: Literal["combat", "chassepot"], place: str) -> None:
    """Throw for an HQ that was under fire: 1 flips it and takes it off, 2 takes it off."""
    throw = play.throw("hq_check", f"{hq.id}/{place}")
    found = HQ_CASUALTIES[throw.faces[0]]
    rules = cited("WE-HQC-01", *(("WE-HQC-02",) if hq.napoleon else ()))
    if found == "none":
        play.add(HqCasualtyCheck(rules=rules, dice=(throw,), known=BOTH, hq=hq.id, cause=cause, die=throw.faces[0],
                                 result="none"))  # fmt: skip
        return
    back = play.throw("return", f"{hq.id}/{place}", seed="closed")
    turns = d3(back)
    turned = found == "flipped" or hq.napoleon
    if hq.side == "german" and hq.rank == "army" and turned:
        rules = cited(*rules, "WE-HQC-03")
    patch = flipped(play.scene.headquarters[hq.id]) if turned and hq.face == "front" else HqPatch()
    play.add(
        HqCasualtyCheck(
            rules=cited(*rules, "WE-UNI-02"),
            dice=(throw, back),
            known=in_part(hq.side),
            side=hq.side,
            hq=hq.id,
            cause=cause,
            die=throw.faces[0],
            result="flipped" if turned else "wounded",
            return_in=turns,
            return_turn=play.war.turn + turns,
            private=("return_in", "return_turn"),
            hqs={hq.id: _off(patch, hq, play.war.turn + turns, casualty=True)},
        )
    )


def _off(patch: HqPatch, hq: Hq, turn: int, *, casualty: bool) -> HqPatch:
    hits = {"casualties": hq.casualties + 1} if casualty else {}
    return HqPatch(**{**patch.sets(), **hits, "hex": None, "state": "wounded", "return_turn": turn, "spent": True})  # type: ignore[arg-type]


@rule("WE-MOV-06")
def displace(play: Play, hqs: Iterable[Hq], at: Hex, place: str) -> None:
    """HQs whose force is gone go to the nearest of their own within two hexes, else off the map for 1d3 turns."""
    for hq in hqs:
        to = play.field.nearest_own(hq.side, at, 2)
        if to is not None:
            play.add(
                HqDisplaced(
                    rules=cited("WE-MOV-06"),
                    known=in_part(hq.side),
                    side=hq.side,
                    hq=hq.id,
                    start=at,
                    to=to,
                    private=("to",),
                    hqs={hq.id: HqPatch(hex=to)},
                )
            )
            continue
        throw = play.throw("return", f"{hq.id}/{place}", seed="closed")
        turns = d3(throw)
        play.add(
            HqDisplaced(
                rules=cited("WE-MOV-06", "WE-UNI-02"),
                dice=(throw,),
                secret_dice=True,
                known=in_part(hq.side),
                side=hq.side,
                hq=hq.id,
                start=at,
                return_in=turns,
                return_turn=play.war.turn + turns,
                private=("return_in", "return_turn"),
                hqs={hq.id: _off(HqPatch(), hq, play.war.turn + turns, casualty=False)},
            )
        )


def leave_no_hq_behind(play: Play, hqs: Iterable[Hq], place: str) -> None:
    """Displace those of *hqs* who stand without SP of their own where the enemy is, or where their force was lost."""
    for hq in hqs:
        now = play.hq(hq.id)
        if now.state == "map" and now.hex is not None and not play.field.sp(now.side, now.hex):
            displace(play, [now], now.hex, place)
