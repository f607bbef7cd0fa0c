"""A sheet on receipt: lines become orders, and it is said what stands in the way.  Judged by the mind alone."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.grammar import bare
from pbem.orders.refusal import BadWord, Wrong, complaint
from pbem.orders.retelling import Groups, without_others
from pbem.orders.sheet import Complaint, Judgement, Line, Reading, in_part, read_whole
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import field_of
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import natural
from pbem.systems.crossroads.sheets.examples import in_own_names
from pbem.systems.crossroads.sheets.judge import Judge
from pbem.systems.crossroads.sheets.verbs import DIALECT, GRAMMAR, order_in
from pbem.systems.crossroads.turn.cards import carded
from pbem.systems.crossroads.turn.turn import subject
from pbem.systems.crossroads.world.orders import AnyOrder, UnitOrder
from pbem.systems.crossroads.world.state import GUNS, Battle


@rule("GC-ACT-04", "GC-SEQ-01")
def read(scene: Scene, lines: Sequence[Line], mind: Battle, role: Role, call: Call | None) -> Reading[AnyOrder]:
    """A whole sheet; of two lines about the same unit, officer or policy the later stands."""
    judge = Judge(field_of(scene, mind), role, words_only=call is None)
    found: dict[tuple[str, str], tuple[Line, AnyOrder]] = {}
    complaints: list[Complaint] = []
    groups = without_others(_groups(mind, role), [bare(line.text) for line in lines], DIALECT, judge.names)
    for typed in GRAMMAR.joined(lines, judge.names):
        for line, tree in GRAMMAR.orders_in(typed, judge.names, groups):
            if isinstance(tree, Complaint):
                complaints.append(in_own_names(scene, mind, role, tree))
                continue
            try:
                order = order_in(scene, line, tree)
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
    return read_whole(orders, in_part(complaints, {line.number for line, _ in found.values() if line.typed}))


def _groups(mind: Battle, role: Role) -> Groups:
    """Whom `all` is for, and `all guns`."""
    there = [one for one in mind.units.values() if one.side == role and one.stands]
    own = sorted(there, key=lambda one: natural(one.id))
    return {
        "all": [one.id for one in own],
        "guns": [one.id for one in own if one.type in GUNS],
        "infantry": [one.id for one in own if one.type == "infantry"],
        "cavalry": [one.id for one in own if one.type == "cavalry"],
    }


@rule("GC-SEQ-01")
def _too_late(order: AnyOrder, mind: Battle, call: Call | None) -> Wrong | None:
    """In the second exchange of a turn: an order for a unit whose card is out."""
    if call is None or not isinstance(order, UnitOrder) or mind.exchange == 1:
        return None
    if carded(mind, order.unit):
        return Wrong(f"the card of {order.unit} is out this turn", "GC-SEQ-01")
    return None
