"""Whether what a unit began came to its end (GC-ACT-04)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules.ledger import rule
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.world.orders import AnyAction, Move
from pbem.systems.crossroads.world.outcomes import UnitMoved
from pbem.systems.crossroads.world.outcomes_combat import ChargeEnded, MoraleChecked
from pbem.systems.crossroads.world.reasons import SHORT


@rule("GC-ACT-04")
def fell_short(play: Play, name: str, actions: Iterable[AnyAction | None], since: int) -> str:
    """Why what was begun did not come to its end: a check that was failed, a move or a charge that was stopped.

    *since*: how many facts there were when it was begun.
    """
    ends = []
    for fact in play.facts[since:]:
        match fact:
            case MoraleChecked() if fact.unit == name and fact.result != "pass" and fact.row in ("Advance", "Charge"):
                ends.append(f"{fact.row.lower()}_failed")
            case ChargeEnded() if fact.unit == name:
                ends.append(f"charge_{fact.why}")
            case UnitMoved() if fact.unit == name:
                ends.append(f"short_{fact.stopped_by}")
    # `move to` goes as far as it can: to run out of inches on the way is no failure.
    far = any(isinstance(one, Move) and one.to is not None for one in actions)
    return next((end for end in ends if end in (SHORT - {"short_spent"} if far else SHORT)), "")


@rule("GC-ACT-03", "GC-MOV-04")
def paid(play: Play, name: str, since: int) -> int:
    """What a unit has spent of its move, in tenths, since there were *since* facts: inches and all that they cost."""
    moves = (fact for fact in play.facts[since:] if isinstance(fact, UnitMoved) and fact.unit == name)
    return sum(fact.allowance - fact.left for fact in moves)
