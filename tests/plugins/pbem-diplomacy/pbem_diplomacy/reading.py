"""How a sheet is read, and what its receipt says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from msgspec.structs import replace

from pbem.kernel.names import Role, RuleId
from pbem.kernel.owed import Call
from pbem.orders.grammar import Word
from pbem.orders.refusal import BadWord, Wrong, complaint
from pbem.orders.sheet import Complaint, Judgement, Line, Reading, read_whole
from pbem_diplomacy.board import Kind, Place, coast_of, coasts_reached, may_help, province_of
from pbem_diplomacy.judge import Deed, Unit, is_legal
from pbem_diplomacy.map import BOARD, at_length
from pbem_diplomacy.orders import (
    GRAMMAR,
    SORTS,
    VERBS,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Said,
    Support,
    Waive,
)
from pbem_diplomacy.rules import fits, is_own, retreats, room, sites, surplus
from pbem_diplomacy.state import Europe, Scene, driven_out, names_at, own, standing


def read(scene: Scene, lines: Sequence[Line], mind: Europe, role: Role, call: Call | None) -> Reading[Order]:
    """The orders of a sheet, judged by how things stand; of two for one unit the later counts.

    What can mean one thing only is taken so, and said: a coast that is left out where one can be reached, the kind of
    a unit.
    """
    trees, complaints = GRAMMAR.read(lines, names=BOARD.provinces)
    taken: dict[str, Order] = {}
    for line, tree in trees:
        said, verb = Said(line, tree), VERBS[str(tree.data)]
        try:
            order = verb.make(said)
            if call is not None:
                order = _of_phase(order, mind)
                if not {*SORTS[type(order)]} & {*call.sorts}:
                    complaints.append(complaint(line, Judgement.NOT_USED, Wrong(f"no {verb.sort} are asked for now")))
                    continue
                order = JUDGES[type(order)](Judging(scene, mind, role, said, complaints), order)
        except BadWord as bad:
            complaints.append(complaint(line, Judgement.NOT_ALLOWED, bad.wrong, bad.token))
            continue
        about = _about(order)
        if earlier := taken.pop(about, None):
            why = f"line {line.number} orders the same"
            complaints.append(Complaint(earlier.line, 0, Judgement.SUPERSEDED, why))
        taken[about] = order
    kept = _within(mind, role, call, list(taken.values()), complaints)
    return read_whole(kept, complaints)


def _about(order: Order) -> str:
    """What an order is for: of two for one thing the later counts."""
    match order:
        case Build():
            return province_of(order.place)
        case Waive():
            return f"waive {order.line}"
        case _:
            return order.at


def _of_phase(order: Order, mind: Europe) -> Order:
    """An order as it is meant now: to go, of a unit that is dislodged, is to retreat."""
    if mind.phase == "retreats" and isinstance(order, Move):
        return Retreat(line=order.line, text=order.text, at=order.at, to=order.to)
    return order


def _within(
    mind: Europe, role: Role, call: Call | None, orders: Sequence[Order], complaints: list[Complaint]
) -> list[Order]:
    """The orders, without builds and removals that are too many: the first count."""
    if call is None or mind.phase != "builds":
        return list(orders)
    places = abs(room(mind, role))
    for order in orders[places:]:
        why = f"you may {'build' if room(mind, role) > 0 else 'remove'} {places}, and the lines before do"
        complaints.append(Complaint(order.line, 0, Judgement.NOT_ALLOWED, why, RuleId("DP-BLD-01")))
    return list(orders[:places])


class Judging:
    """A line that is judged: by whom, of what, and what is said of it."""

    def __init__(self, scene: Scene, mind: Europe, role: Role, said: Said, complaints: list[Complaint]) -> None:
        self.scene, self.mind, self.role, self.said, self.complaints = scene, mind, role, said, complaints
        self.units = standing(mind)

    def wrong(self, why: str, rule: str, word: Word | None) -> BadWord:
        """That a word makes the line no order."""
        return BadWord(Wrong(why, rule), word or self.said.unit_place(0))

    def doubt(self, why: str, word: Word) -> None:
        """Say something of a line that is an order all the same."""
        self.complaints.append(complaint(self.said.line, Judgement.DOUBTFUL, Wrong(why), word))

    def name(self, at: str) -> str:
        """What a province is called."""
        return BOARD.provinces[at].name

    def own(self, at: str, units: Mapping[str, Unit]) -> Unit:
        """The unit of the player's own in a province.

        :raises BadWord: if there is none.
        """
        word, unit = self.said.unit_place(0), units.get(at)
        if unit is None:
            raise self.wrong(f"there is no unit in {self.name(at)}", "DP-ORD-01", word)
        if not is_own(unit, self.role):
            raise self.wrong(f"the unit in {self.name(at)} is not yours", "DP-ORD-01", word)
        self.same_kind(0, unit)
        return unit

    def same_kind(self, number: int, unit: Unit) -> None:
        """Say it if a unit is of another kind than the line has it."""
        if self.said.kind(number) not in (None, unit.kind):
            word, kind = self.said.unit_place(number), KINDS[unit.kind]
            self.doubt(f"the unit in {self.name(province_of(unit.at))} is {kind}; it is taken as meant", word)

    def reached(self, unit: Unit, to: Place, word: Word) -> Place:
        """The place that is meant, of a unit that goes there; a coast may be left out where one alone is reached.

        :raises BadWord: if it might be either coast.
        """
        if unit.kind == "A":
            return province_of(to)
        found = coasts_reached(BOARD, "F", unit.at, province_of(to))
        if to not in found and not coast_of(to) and found:
            if len(found) > 1:
                either = " or ".join(found)
                raise self.wrong(f"say to which coast of {self.name(province_of(to))}: {either}", "DP-MAP-02", word)
            return found[0]
        return to


def _moves(judging: Judging, order: Move) -> Order:
    unit = judging.own(order.at, judging.units)
    word = cast(Word, judging.said.goal())
    to = judging.reached(unit, order.to, word)
    meant = replace(order, to=to)
    if is_legal(BOARD, judging.units, order.at, Deed("move", to=to, via=order.via)):
        return meant
    raise judging.wrong(_why_not(judging, unit, meant), "DP-MOV-01", word)


def _why_not(judging: Judging, unit: Unit, order: Move) -> str:
    """Why a unit cannot go there."""
    end, here = province_of(order.to), judging.name(order.at)
    there = BOARD.provinces[end]
    if end == order.at:
        return f"it stands in {here} already"
    if not fits(BOARD, unit.kind, order.to):
        if unit.kind == "A":
            return f"{there.name} is a sea, and this is an army"
        return f"a fleet cannot go to {there.name}: {'name its coast' if there.coasts else 'it lies inland'}"
    if unit.kind == "A" and (order.via or BOARD.shores[order.at]) and there.kind == "coast":
        near = "" if order.via else f"{there.name} is not next to {here}, and "
        return f"{near}no fleets at sea could carry it from {here} to {there.name}"
    return f"{there.name} is not next to {here}" + (" by water" if unit.kind == "F" else "")


def _holds(judging: Judging, order: Hold) -> Order:
    judging.own(order.at, judging.units)
    return order


def _supports(judging: Judging, order: Support) -> Order:
    unit = judging.own(order.at, judging.units)
    word, other = judging.said.unit_place(1), judging.units.get(order.of)
    if other is None or order.of == order.at:
        what = "a unit does not support itself" if other else f"there is no unit in {judging.name(order.of)}"
        raise judging.wrong(what, "DP-SUP-01", word)
    judging.same_kind(1, other)
    to = province_of(order.to) if other.kind == "A" else order.to
    end = province_of(to or order.of)
    if not may_help(BOARD, unit.kind, unit.at, end):
        why = f"{judging.name(end)} is not next to {judging.name(order.at)}, for {KINDS[unit.kind]}"
        raise judging.wrong(why, "DP-SUP-01", judging.said.goal() or word)
    if not is_legal(BOARD, judging.units, order.at, Deed("support", of=order.of, to=to)):
        why = f"the unit in {judging.name(order.of)} cannot go to {judging.name(end)}"
        raise judging.wrong(why, "DP-SUP-01", judging.said.goal())
    return replace(order, to=to)


def _convoys(judging: Judging, order: Convoy) -> Order:
    unit = judging.own(order.at, judging.units)
    word, other = judging.said.unit_place(1), judging.units.get(order.of)
    if unit.kind != "F" or BOARD.provinces[order.at].kind != "sea":
        raise judging.wrong("only a fleet at sea carries an army", "DP-CON-01", None)
    if other is None or other.kind != "A":
        raise judging.wrong(f"there is no army in {judging.name(order.of)}", "DP-CON-01", word)
    to = province_of(order.to)
    if not is_legal(BOARD, judging.units, order.at, Deed("convoy", of=order.of, to=to)):
        why = f"no convoy from {judging.name(order.of)} to {judging.name(to)} has need of the fleet"
        raise judging.wrong(why, "DP-CON-02", judging.said.goal())
    return replace(order, to=to)


def _retreats(judging: Judging, order: Retreat) -> Order:
    unit, name = _driven(judging, order.at)
    word = cast(Word, judging.said.goal())
    to, may = judging.reached(unit, order.to, word), retreats(BOARD, judging.mind, name)
    if to not in may:
        where = f"; it can go to {' or '.join(may)}" if may else ""
        raise judging.wrong(f"it cannot retreat to {judging.name(province_of(to))}{where}", "DP-RET-01", word)
    return replace(order, to=to)


def _driven(judging: Judging, at: str) -> tuple[Unit, str]:
    """The dislodged unit of the player's own in a province, and its name.

    :raises BadWord: if there is none.
    """
    for name, unit in driven_out(judging.mind, judging.role).items():
        if province_of(unit.at) == at:
            judging.same_kind(0, unit)
            return unit, name
    raise judging.wrong(f"you have no dislodged unit in {judging.name(at)}", "DP-RET-01", None)


def _disbands(judging: Judging, order: Disband) -> Order:
    if judging.mind.phase == "retreats":
        _driven(judging, order.at)
    elif room(judging.mind, judging.role) >= 0:
        raise judging.wrong("you have no unit too many", "DP-BLD-01", None)
    else:
        judging.own(order.at, judging.units)
    return order


def _builds(judging: Judging, order: Build) -> Order:
    word, at = judging.said.unit_place(0), province_of(order.place)
    province = BOARD.provinces[at]
    if room(judging.mind, judging.role) <= 0:
        raise judging.wrong("you have no unit to build", "DP-BLD-01", word)
    if at not in sites(BOARD, judging.mind, judging.role):
        raise judging.wrong(_no_site(judging, at), "DP-BLD-02", word)
    place = at if order.arm == "A" else order.place
    if not fits(BOARD, order.arm, place):
        coasts = " or ".join(f"{at}/{coast}" for coast in province.coasts)
        why = f"name the coast: {coasts}" if coasts else "it lies inland, and has no fleets"
        raise judging.wrong(f"{province.name}: {why}", "DP-BLD-03", word)
    return replace(order, place=place)


def _no_site(judging: Judging, at: str) -> str:
    """Why nothing can be built in a province."""
    province = BOARD.provinces[at]
    if province.home != judging.role:
        return f"{province.name} is no home centre of yours"
    if judging.mind.owners.get(at) != judging.role:
        return f"{province.name} is not in your hands"
    return f"a unit stands in {province.name}"


def _waives(judging: Judging, order: Waive) -> Order:
    if room(judging.mind, judging.role) <= 0:
        why = Wrong("you have no unit to build", "DP-BLD-01")
        raise BadWord(why, Word("WAIVE", judging.said.line.text, start_pos=0, column=1, end_column=1))
    return order


JUDGES: Mapping[type[Order], Callable[[Judging, Order], Order]] = cast(
    Mapping[type[Order], Callable[[Judging, Order], Order]],
    {
        Move: _moves,
        Hold: _holds,
        Support: _supports,
        Convoy: _convoys,
        Retreat: _retreats,
        Disband: _disbands,
        Build: _builds,
        Waive: _waives,
    },
)
"""What is asked of each order before it is taken; each raises `BadWord` at the word that makes it none."""

KINDS: Mapping[Kind, str] = {"A": "an army", "F": "a fleet"}


# ------------------------------------------------------------------ what a receipt says besides


def own_forms(scene: Scene, mind: Europe, role: Role) -> Mapping[str, str]:
    """The examples, in the places of a power's own units."""
    return GRAMMAR.examples


def forecast(scene: Scene, mind: Europe, role: Role, orders: Sequence[Order]) -> Sequence[tuple[int, str]]:
    """Each order written out at length."""
    return [(order.line, written(mind, order)) for order in orders]


def written(mind: Europe, order: Order) -> str:
    """An order at length: `army Paris to Burgundy`."""
    match order:
        case Build():
            return f"build {KINDS[order.arm]} in {at_length(order.place)}"
        case Waive():
            return "one unit is not built"
        case _:
            unit = _spoken(mind, order.at)
    match order:
        case Move():
            return f"{unit} to {at_length(order.to)}{', by convoy' if order.via else ''}"
        case Hold():
            return f"{unit} holds"
        case Support():
            goes = f" to {at_length(order.to)}" if order.to else ", which holds"
            return f"{unit} supports {_spoken(mind, order.of)}{goes}"
        case Convoy():
            return f"{unit} carries {_spoken(mind, order.of)} to {at_length(order.to)}"
        case Retreat():
            return f"{unit} retreats to {at_length(order.to)}"
        case Disband():
            return f"{unit} is disbanded"


def _spoken(mind: Europe, at: str) -> str:
    """A unit at length."""
    names = names_at(mind)
    dislodged = {province_of(mind.units[name].at): name for name in mind.dislodged}
    name = (dislodged if mind.phase == "retreats" else names).get(at)
    if name is None:
        return BOARD.provinces[at].name
    return f"{'army' if mind.units[name].kind == 'A' else 'fleet'} {at_length(mind.units[name].at)}"


def idle(scene: Scene, mind: Europe, role: Role, orders: Sequence[Order], call: Call) -> Sequence[str]:
    """Which unit has no order, and what it then does; what is not built, and what is removed by rule."""
    ordered = {_about(order) for order in orders}
    if mind.phase == "moves":
        left = [unit for unit in own(mind, role).values() if province_of(unit.at) not in ordered]
        return [f"{_called(unit)} holds." for unit in left]
    if mind.phase == "retreats":
        left = [unit for unit in driven_out(mind, role).values() if province_of(unit.at) not in ordered]
        return [f"{_called(unit)} is disbanded." for unit in left]
    if room(mind, role) < 0:
        names = names_at(mind)
        gone = [names[order.at] for order in orders if isinstance(order, Disband) and order.at in names]
        return [f"{_called(mind.units[name])} is removed." for name in surplus(BOARD, mind, role, gone)]
    left_over = min(room(mind, role), len(sites(BOARD, mind, role))) - len(orders)
    return [f"{left_over} more may be built."] if left_over > 0 else []


def _called(unit: Unit) -> str:
    return f"{'Army' if unit.kind == 'A' else 'Fleet'} {at_length(unit.at)}"
