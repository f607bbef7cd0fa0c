"""Where play stands still for mail, and what each role may send there."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import Moment
from pbem.kernel.owed import Call, Pause
from pbem.rules.ledger import rule
from pbem.systems.half_league.world.course import Phase
from pbem.systems.half_league.world.state import Battle

MOVE = ("command", "move", "points", "policy")
FIGHT = ("command", "fight", "points", "policy")
WHOLE = ("command", "move", "fight", "points", "policy")
FIRST: tuple[Phase, ...] = ("initiative", "move")
"""The phases of the first exchange, where a turn has two."""

HOLDS = "units without an order stand still, pull a chit where they have many, and fire by priority; no point is spent"
STANDS = "fire goes by priority, no point is spent, no reinforcement moves are made; your policies stay in force"
DEFAULT_SETUP = "what you do not deploy stands where the scenario puts it"


def moment_of(battle: Battle) -> Moment:
    """The exchange in which play stands."""
    if battle.phase == "setup":
        return Moment(0, 1)
    second = battle.options.exchanges_per_turn == 2 and battle.phase not in FIRST
    return Moment(battle.turn, 2 if second else 1)


@rule("HL-SEQ-01", "HL-OPT-01")
def opens(battle: Battle) -> bool:
    """Whether an exchange of mail opens where play has come to."""
    two = battle.options.exchanges_per_turn == 2
    return battle.phase in ("setup", "initiative") or (two and battle.phase == "fire_artillery")


@rule("HL-SEQ-01", "HL-TRN-04", "HL-SET-01", "HL-OPT-01")
def awaits(battle: Battle) -> Pause:
    """Where play stands, and who may send what."""
    moment = moment_of(battle)
    if battle.ended is not None or battle.phase == "over":
        return Pause(moment=moment, name="the battle is over", calls=())
    if battle.phase == "setup":
        sorts: tuple[str, ...] = ("setup", "command", "policy")
        return Pause(moment=moment, name="S1, deployment", calls=_calls(battle, sorts, DEFAULT_SETUP))
    if battle.options.exchanges_per_turn == 1:
        return Pause(moment=moment, name="the whole turn", calls=_calls(battle, WHOLE, HOLDS))
    if moment.exchange == 1:
        return Pause(moment=moment, name="A, initiative and moves", calls=_calls(battle, MOVE, HOLDS))
    return Pause(moment=moment, name="B, fire, charges and melee", calls=_calls(battle, FIGHT, STANDS))


def _calls(battle: Battle, sorts: tuple[str, ...], otherwise: str) -> tuple[Call, ...]:
    return tuple(Call(role=role, sorts=sorts, otherwise=otherwise) for role in battle.roles)


SORT_NAMES: Mapping[str, str] = {
    "command": "initiative and flanks",
    "move": "movement",
    "fight": "fire, advances and reinforcement moves",
    "points": "benefits",
    "policy": "standing orders",
    "setup": "deployment",
}
"""What each sort of order lines is called."""
