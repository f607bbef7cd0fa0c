"""The head of a sheet: which game and turn it is for, so that late mail is not carried out by mistake (KS-ORD-10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.kernel.names import RuleId
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.world.mind import Mind

HEAD = re.compile(r"(?:game\s+\S.*|turn\s+(\d+)(?:\s+halt\s+(\d+))?)", re.IGNORECASE)


@rule("KS-ORD-10")
def headed(lines: Sequence[Line], mind: Mind, *, called: bool) -> tuple[list[Line], Complaint | None]:
    """The lines below the head, and what is wrong with the head: a turn or a halt that is not the one now open."""
    rest = list(lines)
    while rest and (found := HEAD.fullmatch(rest[0].text.split("#")[0].strip())):
        head = rest.pop(0)
        turn, halt = found.groups()
        if turn is None or not called:
            continue
        if int(turn) != mind.turn:
            return rest, _refused(head, f"this sheet is for turn {turn}; turn {mind.turn} is open")
        if halt is not None and (mind.phase != "halt" or int(halt) != mind.move):
            return rest, _refused(head, f"this sheet is for a halt after move {halt}, which is not open")
    return rest, None


def _refused(head: Line, why: str) -> Complaint:
    return Complaint(head.number, 1, Judgement.NOT_ALLOWED, why, RuleId("KS-ORD-10"), width=len(head.text))
