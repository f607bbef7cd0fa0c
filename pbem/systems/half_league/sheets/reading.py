"""A sheet on receipt: lines become orders, and it is said what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.grammar import Node, Word, bare
from pbem.orders.prose import listed
from pbem.orders.refusal import BadWord, Wrong, complaint, not_asked_for
from pbem.orders.retelling import Groups, without_others
from pbem.orders.sheet import Complaint, Judgement, Line, Reading, read_whole
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import field_of
from pbem.systems.half_league.play.pauses import SORT_NAMES
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import natural
from pbem.systems.half_league.sheets.examples import in_own_names
from pbem.systems.half_league.sheets.judge import Judge
from pbem.systems.half_league.sheets.verbs import DIALECT, EXAMPLES, GRAMMAR, Draft, draft
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.pieces import side_of
from pbem.systems.half_league.world.state import Battle

MEASURED = (say.Move, say.Retire, say.Shift, say.Prolong)


class Sheet:
    """A sheet being read, line by line."""

    def __init__(self, scene: Scene, lines: Sequence[Line], mind: Battle, role: Role, call: Call | None) -> None:
        self.scene, self.mind, self.role, self.call = scene, mind, role, call
        self.judge = Judge(field_of(scene, mind), role, words_only=call is None)
        self.names = self.judge.names.union(one.id for one in mind.units.values())
        texts = [bare(line.text) for line in lines]
        self.groups = without_others(_groups(scene, mind, role), texts, DIALECT, self.names)
        self.orders: list[say.AnyOrder] = []
        self.complaints: list[Complaint] = []
        self.drafts: dict[int, Draft] = {}

    def refuse(self, line: Line, wrong: Wrong, spot: str = "", judgement: Judgement = Judgement.NOT_ALLOWED) -> None:
        """Say what stands in the way of a line."""
        made = self.drafts.get(line.number)
        token = (made.spots.get(spot) or made.spots.get("unit")) if made is not None and spot else None
        self.complaints.append(complaint(line, judgement, wrong, token))

    # ------------------------------------------------------------ lines

    def take(self, typed: Line) -> None:
        """Read one line that says something."""
        for line, parsed in GRAMMAR.orders_in(typed, self.names, self.groups):
            self._take(line, parsed)

    def _take(self, line: Line, parsed: Node[Word] | Complaint) -> None:
        if isinstance(parsed, Complaint):
            said = parsed if parsed.instead or parsed.example else replace(parsed, example=_example(line))
            self.complaints.append(in_own_names(self.scene, self.mind, self.role, said))
            return
        try:
            made = draft(self.scene, self.role, line, parsed)
        except BadWord as bad:
            self.complaints.append(complaint(line, Judgement.NOT_UNDERSTOOD, bad.wrong, bad.token))
            return
        self.drafts[line.number] = made
        for order in made.orders:
            self._order(line, self._led(order), made.sort)

    def _for_the_others(self, line: int) -> None:
        """A line for several units of which one cannot obey stands for the others, and it is said for whom."""
        names = [order.unit for order in self.orders if order.line == line and isinstance(order, say.UnitOrder)]
        if not names:
            return
        self.complaints = [
            replace(
                one,
                judgement=Judgement.DOUBTFUL,
                why=f"not allowed: {one.why}{'.'[one.why.endswith('?') :]}  The line stands for {listed(names)}",
                instead="",
            )
            if one.line == line and one.judgement is Judgement.NOT_ALLOWED
            else one
            for one in self.complaints
        ]

    def _led(self, order: say.AnyOrder) -> say.AnyOrder:
        """`BG-COD move to …` is a ride."""
        if isinstance(order, say.Move) and self.judge.own_leader(order.unit) and order.points:
            return say.Ride(line=order.line, text=order.text, leader=order.unit, to=order.points[-1])
        return order

    def _order(self, line: Line, order: say.AnyOrder, sort: str) -> None:
        if self.call is not None and sort not in self.call.sorts and not self._refused_deploy(order):
            self._not_used(line, SORT_NAMES[sort])
            return
        for wrong, spot in self.judge.order(order):
            self.refuse(line, self._named(line, order, wrong), spot)
            return
        if self.call is not None and not self._counts(line, order):
            return
        self.orders.append(order)

    def _named(self, line: Line, order: say.AnyOrder, wrong: Wrong) -> Wrong:
        """What is wrong, with the unit of which it is said, if the line is for several."""
        name = _subject(order)
        several = len(self.drafts[line.number].orders) > 1
        return wrong._replace(why=f"{name}: {wrong.why}") if several and name not in wrong.why else wrong

    @rule("HL-SET-01", "HL-SEQ-01")
    def _refused_deploy(self, order: say.AnyOrder) -> bool:
        return isinstance(order, say.Deploy) and not self.mind.options.free_setup

    def _not_used(self, line: Line, what: str) -> None:
        self.refuse(line, not_asked_for(what, "HL-SEQ-01"), "", Judgement.NOT_USED)

    @rule("HL-OPT-01", "HL-SEQ-01")
    def _counts(self, line: Line, order: say.AnyOrder) -> bool:
        """Whether a benefit is one that this exchange can come to (option `exchanges_per_turn`)."""
        assert self.call is not None, "judged in an exchange alone"
        first, second = "move" in self.call.sorts, "fight" in self.call.sorts
        if isinstance(order, say.ArmyPull) and not (first if order.phase == "move" else second or not order.phase):
            self._not_used(line, f"a removal at the end of {order.phase.replace('_', ' ')}")
            return False
        if not isinstance(order, say.Spend | say.Favour):
            return True
        fits = (first and order.benefit in ("move", "pull")) or (second and order.benefit != "pull")
        if not fits:
            self._not_used(line, f"the benefit {order.benefit}")
        return fits

    @rule("HL-TRN-03", "HL-CMD-02")
    def _twice(self, line: Line, order: say.AnyOrder, above: Sequence[say.AnyOrder]) -> bool:
        """Whether a line above orders the same thing, which stands."""
        for before in above:
            if isinstance(order, say.Activity) and isinstance(before, say.Activity) and before.unit == order.unit:
                why = f"{order.unit} already has an activity on line {before.line}"
                self.refuse(line, Wrong(why, "HL-TRN-03"), f"unit {order.unit}")
                return True
            if isinstance(order, say.Spend) and isinstance(before, say.Spend) and _same(order, before):
                why = f"{order.unit} spends on {order.benefit} on line {before.line}: each benefit is had once a turn"
                self.refuse(line, Wrong(why, "HL-CMD-02"), "benefit")
                return True
            if not isinstance(order, _AGAIN) and type(before) is type(order) and _subject(order) == _subject(before):
                why = f"line {before.line} orders this already, and stands"
                self.refuse(line, Wrong(why, "HL-TRN-03"), "")
                return True
        return False

    # ------------------------------------------------------------ the whole

    def finish(self) -> None:
        """What lines come to together is judged; a line that is refused stands in the way of none."""
        if self.call is not None:
            for order in list(self.orders):
                wrong = self._too_far(order) or self._not_attached(order)
                if wrong is not None:
                    self._strike(order, wrong)
        stand: list[say.AnyOrder] = []
        for order in self.orders:
            if not self._twice(Line(order.line, order.text), order, stand):
                stand.append(order)
        self.orders = stand
        if self.call is not None:
            # Who is refused stays where he stands, and may so be in the way of one who was judged before him.
            while found := next(((one, wrong) for one in self.orders if (wrong := self._overlaps(one))), None):
                self._strike(*found)
        for number in {one.line for one in self.complaints}:
            self._for_the_others(number)

    def _strike(self, order: say.AnyOrder, wrong: Wrong) -> None:
        """Take an order out again."""
        self.orders.remove(order)
        self.refuse(Line(order.line, order.text), wrong, "number")

    @rule("HL-MOV-01", "HL-CMD-03")
    def _too_far(self, order: say.AnyOrder) -> Wrong | None:
        """A distance that no dice can come to."""
        inner = order.then if isinstance(order, say.Pull) else order
        if not isinstance(inner, MEASURED) or (isinstance(inner, say.Move) and inner.bearing is None):
            return None
        unit = self.judge.own_unit(inner.unit)
        if unit is None or inner.far is None:
            return None
        spent = any(isinstance(one, say.Spend) and one.unit == unit.id and one.benefit == "move" for one in self.orders)
        given = any(isinstance(one, say.Favour) and one.benefit == "move" for one in self.orders)
        most = self.judge.most_reach(unit, inner, spent + given)
        if inner.far <= most:
            return None
        return Wrong(f"dice cannot carry {unit.id} farther than {most // 1000} inches", "HL-MOV-01")

    @rule("HL-CMD-10", "HL-CMD-12")
    def _not_attached(self, order: say.AnyOrder) -> Wrong | None:
        if not isinstance(order, say.Favour | say.ArmyPull):
            return None
        leader = self.judge.own_leader(order.leader)
        attaches = any(isinstance(one, say.Attach) and one.leader == order.leader for one in self.orders)
        if leader is None or leader.attached_to or attaches:
            return None
        number = "HL-CMD-10" if isinstance(order, say.Favour) else "HL-CMD-12"
        return Wrong(f"{order.leader} is attached to no unit, and no line attaches him", number)

    @rule("HL-SET-01")
    def _overlaps(self, order: say.AnyOrder) -> Wrong | None:
        if not isinstance(order, say.Deploy):
            return None
        deploys = [one for one in self.orders if isinstance(one, say.Deploy)]
        at = deploys.index(order)
        taken = self.judge.overlaps(order, deploys[:at], {one.unit for one in deploys[at:]})
        return Wrong(f"{taken} stands there", "HL-SET-01") if taken else None


_AGAIN = say.Activity | say.Spend | say.SetFlank | say.SetPolicy
"""Orders of which one may have several: for these it is said elsewhere which of them stands."""


def _groups(scene: Scene, mind: Battle, role: Role) -> Groups:
    """Whom `all` is for, and `all guns`."""
    side = side_of(role)
    there = [one for one in mind.of(side) if one.there and scene.commands(role, one.brigade, side)]
    own = sorted(there, key=lambda one: natural(one.id))
    return {
        "all": [one.id for one in own],
        "guns": [one.id for one in own if one.guns],
        "infantry": [one.id for one in own if one.type == "infantry"],
        "cavalry": [one.id for one in own if one.type == "cavalry"],
    }


def _subject(order: say.AnyOrder) -> str:
    return getattr(order, "leader", "") or getattr(order, "unit", "")


def _same(one: say.Spend, other: say.Spend) -> bool:
    return (one.unit, one.benefit) == (other.unit, other.benefit)


def _example(line: Line) -> str:
    """An example of the order that a line seems to be: of those whose words stand in it the one of most words."""
    text = f" {' '.join(bare(line.text).lower().replace(',', ' ').split())} "
    verbs = [verb for verb in EXAMPLES if f" {verb} " in text]
    return EXAMPLES[max(verbs, key=lambda verb: len(verb.split()))] if verbs else EXAMPLES["move"]


@rule("HL-SEQ-01", "HL-TRN-04")
def read(scene: Scene, lines: Sequence[Line], mind: Battle, role: Role, call: Call | None) -> Reading[say.AnyOrder]:
    """A whole sheet of *role*, judged by what it knows now.

    Without a call only words are judged: the sheet is for later, and is read again then.
    """
    sheet = Sheet(scene, lines, mind, role, call)
    for line in GRAMMAR.joined(lines, sheet.names):
        sheet.take(line)
    sheet.finish()
    return read_whole(sheet.orders, sheet.complaints)
