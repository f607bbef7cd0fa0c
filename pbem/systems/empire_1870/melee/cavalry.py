"""Cavalry that goes before it is attacked (WE-CBT-02)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.empire_1870.melee.retreat import Beaten, disregarded, just_fought, retreat, retreat_path
from pbem.systems.empire_1870.melee.totals import Battle, attack_total, cavalry_of, defence_total
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import policy
from pbem.systems.empire_1870.tables.charts import CAVALRY_STAYS_TO
from pbem.systems.empire_1870.world.fact import both
from pbem.systems.empire_1870.world.orders import React
from pbem.systems.empire_1870.world.outcomes_combat import CavalryRetreated


@rule("WE-CBT-02")
def _wants(order: React, attack: int, defence: int) -> bool:
    match order.word:
        case "always":
            return True
        case "odds":
            return attack >= order.numbers[0] * defence
        case word:
            assert word == "never", "there is no other word of REACT CAVALRY"
            return False


@rule("WE-CBT-02", "WE-UNI-03")
def retreat_before_combat(play: Play, battle: Battle) -> int:
    """Let the defending cavalry divisions go, each as its policy and its die will have it; gives SP lost in rivers."""
    lost = 0
    charged = any(play.hq(name).cavalry for name in battle.hqs)
    for hq in play.field.hqs(battle.defender, battle.hex):
        if not hq.cavalry:
            continue
        riders = cavalry_of(play.stack(battle.defender, battle.hex), [hq])
        order = policy(play.war, battle.defender, "cavalry", battle.hex, hq.id)
        attack, defence = attack_total(play.field, battle).total, defence_total(play.field, battle).total
        if not riders or not _wants(order, attack, defence):
            continue
        throws = (play.throw("cavalry_retreat", f"{battle.name}/{hq.id}"),) if charged else ()
        allowed = not throws or throws[0].faces[0] > CAVALRY_STAYS_TO
        force = Beaten(
            side=battle.defender,
            hex=battle.hex,
            stack=riders,
            hqs=(hq.id,),
            ignoring=disregarded(play.field, battle, battle.shares),
            fought=just_fought(play.field, battle, battle.shares),
            combat=f"{battle.name}/{hq.id}",
        )
        home = policy(play.war, battle.defender, "retreat", battle.hex, hq.id)
        way = replace(home, word="to", hexes=order.hexes) if order.hexes else home
        path = retreat_path(play.field, force, way)
        play.happens(
            CavalryRetreated,
            **both(battle.defender, "WE-CBT-02", "WE-UNI-03"),
            dice=throws,
            hq=hq.id,
            hex=battle.hex,
            allowed=allowed and bool(path),
            die=throws[0].faces[0] if throws else 0,
            path=path if allowed else (),
        )
        if allowed and path:
            lost += retreat(play, force, way).lost
    return lost
