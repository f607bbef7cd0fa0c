"""A sheet on receipt: lines become orders, and it is said what stands in the way.  Judged by the mind alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.grammar import bare, written
from pbem.orders.refusal import BadWord, Wrong, complaint
from pbem.orders.sheet import Complaint, Judgement, Line, Reading, read_whole
from pbem.rules.ledger import rule
from pbem.systems.crossroads.drafts import Drafter
from pbem.systems.crossroads.examples import in_own_names
from pbem.systems.crossroads.field import Field
from pbem.systems.crossroads.judge import Judge
from pbem.systems.crossroads.language import GRAMMAR
from pbem.systems.crossroads.orders import AnyOrder, UnitOrder
from pbem.systems.crossroads.scene import Scene
from pbem.systems.crossroads.state import Battle
from pbem.systems.crossroads.turn import subject


@rule("GC-ACT-04", "GC-SEQ-01")
def read(scene: Scene, lines: Sequence[Line], mind: Battle, role: Role, call: Call | None) -> Reading[AnyOrder]:
    """A whole sheet; of two lines about the same unit, officer or policy the later stands."""
    judge = Judge(Field(scene, mind), role, words_only=call is None)
    found: dict[tuple[str, str], tuple[Line, AnyOrder]] = {}
    complaints: list[Complaint] = []
    for line in written(lines):
        tree = GRAMMAR.parse(line, judge.names)
        if isinstance(tree, Complaint):
            complaints.append(in_own_names(scene, mind, role, _tidied(line, tree, judge.names)))
            continue
        try:
            order = Drafter(scene, line).order(tree)
        except BadWord as bad:
            kind = Judgement.NOT_ALLOWED if bad.wrong.rule == "GC-FIR-08" else Judgement.NOT_UNDERSTOOD
            complaints.append(complaint(line, kind, bad.wrong, bad.token))
            continue
        wrong = judge.wrong(order)
        if wrong is not None:
            complaints.append(complaint(line, Judgement.NOT_ALLOWED, wrong))
            continue
        if late := _too_late(order, mind, call):
            complaints.append(complaint(line, Judgement.NOT_USED, late))
            continue
        key = subject(order)
        if key in found:
            earlier = found.pop(key)[0]
            why = Wrong(f"line {line.number} says what {key[1].replace('_', ' ')} does instead", "GC-ACT-04")
            complaints.append(complaint(earlier, Judgement.SUPERSEDED, why))
        found[key] = (line, order)
    orders = sorted((order for _, order in found.values()), key=lambda one: one.line)
    return read_whole(orders, complaints)


_LISTED = re.compile(r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+")
_COLON = re.compile(r"^(\s*\S+?):(?=\s)")
_LOOSE = re.compile(r"\b([a-z]{2}) ?([a-z]?\d{1,2})\b", re.IGNORECASE)


def _tidied(line: Line, wrong: Complaint, names: Collection[str]) -> Complaint:
    """A complaint with what would do, where only the writing is amiss: a mark before the line, a hyphen that lacks."""

    def hyphened(found: re.Match[str]) -> str:
        name = f"{found[1]}-{found[2]}".upper()
        return name if name in names else found[0]

    text = bare(line.text)
    better = _LOOSE.sub(hyphened, _COLON.sub(r"\1", _LISTED.sub("", text))).strip()
    if better == text.strip() or isinstance(GRAMMAR.parse(replace(line, text=better), names), Complaint):
        return wrong
    return replace(wrong, instead=better)


@rule("GC-SEQ-01")
def _too_late(order: AnyOrder, mind: Battle, call: Call | None) -> Wrong | None:
    """In the second exchange of a turn: an order for a unit whose card is out."""
    if call is None or not isinstance(order, UnitOrder) or mind.exchange == 1:
        return None
    if mind.units[order.unit].acted > mind.jokers.count(order.unit):
        return Wrong(f"the card of {order.unit} is out this turn", "GC-SEQ-01")
    return None
