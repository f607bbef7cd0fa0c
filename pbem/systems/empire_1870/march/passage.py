"""What the enemy sees of a force that goes by (WE-OPT-02)."""

from __future__ import annotations

from pbem.ground.hexes import Hex
from pbem.kernel.names import FULL
from pbem.rules.ledger import cited, rule
from pbem.systems.empire_1870.march.force import Force
from pbem.systems.empire_1870.mind.fog import as_seen, inspected
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.world.outcomes import MovementSeen
from pbem.systems.empire_1870.world.parts import ENEMY
from pbem.systems.empire_1870.world.stacks import Strength


@rule("WE-OPT-02")
def in_sight(play: Play, force: Force) -> bool:
    """Whether the enemy can look into the hex where a force stands."""
    return force.hex in inspected(play.field, ENEMY[force.side])


@rule("WE-OPT-02")
def tell_enemy(play: Play, force: Force, start: Hex, to: Hex, *, was_seen: bool, rail: bool = False) -> None:
    """What the enemy sees of a move that was made; *was_seen*: he could look into the hex that was left.

    Under `blind` he sees nothing out of his sight, and never what a force is that he cannot look into.
    """
    enemy, fog = ENEMY[force.side], play.war.options.fog
    now_seen = in_sight(play, force)
    looked_in = was_seen or now_seen
    if start == to or fog == "open" or enemy not in play.minds or (fog == "blind" and not looked_in):
        return
    whole = fog == "inspect" or (was_seen and now_seen)
    play.happens(
        MovementSeen,
        rules=cited("WE-OPT-02"),
        known={enemy: FULL},
        side=force.side,
        hexes=(start, to) if whole else (to,) if now_seen else (start,),
        sp=Strength.of(as_seen(force.stack)) if looked_in else None,
        units=force.hqs if looked_in else (),
        rail=rail and looked_in,
    )
