"""Where play stands still for mail, and what each side may send there."""

from __future__ import annotations

from pbem.kernel.names import Moment
from pbem.kernel.owed import Call, Pause
from pbem.rules.ledger import rule
from pbem.systems.crossroads.world.state import Battle

NOTHING_SENT = (
    "each of your units rallies if it must, clears its jam, else fires at the nearest enemy that it can hit, "
    "and stands; your policies stay in force"
)
STANDS = "your orders for this turn stand"


@rule("GC-SEQ-01", "GC-OPT-01")
def awaits(battle: Battle) -> Pause:
    """Where play stands, and who may send what."""
    moment = Moment(battle.turn, battle.exchange)
    if battle.ended is not None or battle.phase == "over":
        return Pause(moment=moment, name="the game is over", calls=())
    halves = battle.options.exchanges_per_turn == 2
    name = f"orders for turn {battle.turn}" if battle.exchange == 1 else f"second half of turn {battle.turn}"
    if halves and battle.exchange == 1:
        name = f"first half of turn {battle.turn}"
    otherwise = NOTHING_SENT if battle.exchange == 1 else STANDS
    return Pause(
        moment=moment,
        name=name,
        calls=tuple(Call(role=side, sorts=("orders", "policy"), otherwise=otherwise) for side in battle.sides),
    )


@rule("GC-SEQ-01", "GC-OPT-01")
def halfway(battle: Battle) -> bool:
    """Whether play stops here for the second exchange: half of the cards, rounded up, are out."""
    return (
        battle.options.exchanges_per_turn == 2
        and battle.exchange == 1
        and battle.phase == "card"
        and battle.seq == (battle.size + 1) // 2
        and bool(battle.deck)
    )
