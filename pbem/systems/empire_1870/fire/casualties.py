"""HQs that are hit (WE-HQC)."""

from __future__ import annotations

from typing import Literal

from pbem.rules.ledger import rule
from pbem.systems.empire_1870.march.displacement import d3, off_map
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import HQ_CASUALTIES
from pbem.systems.empire_1870.world.fact import both, in_part
from pbem.systems.empire_1870.world.outcomes_combat import HqCasualtyCheck
from pbem.systems.empire_1870.world.parts import Hq
from pbem.systems.empire_1870.world.patches import HqPatch, faced


@rule("WE-HQC-01", "WE-HQC-02", "WE-HQC-03")
def check_hq(play: Play, hq: Hq, cause: Literal["combat", "chassepot"], place: str) -> None:
    """Throw for an HQ that was under fire: 1 flips it and takes it off, 2 takes it off."""
    throw = play.throw("hq_check", f"{hq.id}/{place}")
    found = HQ_CASUALTIES[throw.faces[0]]
    rules = ("WE-HQC-01", "WE-HQC-02" if hq.napoleon else "")
    if found == "none":
        check = both(None, *rules)
        play.happens(HqCasualtyCheck, **check, dice=(throw,), hq=hq.id, cause=cause, die=throw.faces[0], result="none")
        return
    back = play.throw("return", f"{hq.id}/{place}", seed="closed")
    turns = d3(back)
    turned = found == "flipped" or hq.napoleon
    ends = hq.side == "german" and hq.rank == "army" and turned
    patch = faced(play.scene.headquarters[hq.id], "replacement") if turned and hq.face == "front" else HqPatch()
    play.happens(
        HqCasualtyCheck,
        **in_part(hq.side, *rules, "WE-HQC-03" if ends else "", "WE-UNI-02"),
        dice=(throw, back),
        hq=hq.id,
        cause=cause,
        die=throw.faces[0],
        result="flipped" if turned else "wounded",
        return_in=turns,
        return_turn=play.war.turn + turns,
        private=("return_in", "return_turn"),
        hqs={hq.id: off_map(patch, hq, play.war.turn + turns, casualty=True)},
    )
