"""A sheet on receipt: lines become orders, blocks are put together, and it is said what stands in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.grammar import written
from pbem.orders.refusal import BadWord, Wrong, complaint, not_asked_for
from pbem.orders.sheet import Complaint, Judgement, Line, Reading, read_whole
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import field_of
from pbem.systems.empire_1870.play.pauses import SORT_NAMES
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets import judge, judge_administration
from pbem.systems.empire_1870.sheets.language import GRAMMAR, in_own_names
from pbem.systems.empire_1870.sheets.sentence import BadLine, Draft
from pbem.systems.empire_1870.sheets.verbs import VERBS, draft
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.state import War


@dataclass
class Block:
    """An `ACT` or `SUB` with its lines, being put together."""

    head: Draft
    lines: list[say.BlockLine] = field(default_factory=list)
    used: int = 0
    """SP of its `FORCE` and `SELF` lines so far."""
    closed: bool = False
    """Its own action has been read: nothing may follow but `END`."""
    bad: int = 0
    """The number of a line of it that was refused: from there on nothing more of it is taken (WE-ORD-01)."""


class Sheet:
    """A sheet being read, line by line."""

    def __init__(self, scene: Scene, mind: War, role: Role, call: Call | None) -> None:
        self.scene, self.mind, self.role, self.call = scene, mind, role, call
        self.field = field_of(scene, mind)
        self.orders: list[say.AnyOrder] = []
        self.complaints: list[Complaint] = []
        self.blocks: list[Block] = []
        # Where no programme is asked for, a word of it that is right is not used, whatever it would come to.
        words_only = call is None or "programme" not in call.sorts
        self.judge = judge.Judge(self.field, role, words_only=words_only)
        self.inserting: say.Drop | None = None

    # ------------------------------------------------------------ complaints

    def refuse(self, bad: BadLine) -> None:
        """Refuse a line, and with it what is still to come of its block."""
        self.complaints.append(bad.complaint)
        if self.blocks:
            self.blocks[-1].bad = bad.complaint.line

    def tell(self, line: Line, judgement: Judgement, why: str, rule: str = "") -> None:
        """Say something of a whole line."""
        self.complaints.append(complaint(line, judgement, Wrong(why, rule)))

    # ------------------------------------------------------------ lines

    def take(self, typed: Line) -> None:
        """Read one line that says something."""
        for line, parsed in GRAMMAR.orders_in(typed, self.judge.names):
            if isinstance(parsed, Complaint):
                self._not_understood(line, parsed)
                continue
            try:
                made = draft(self.scene, self.role, line, parsed)
            except BadWord as bad:
                self.complaints.append(complaint(line, Judgement.NOT_UNDERSTOOD, bad.wrong, bad.token))
                self._spoilt(str(parsed.data), line)
                continue
            self._place(made)

    def _not_understood(self, line: Line, found: Complaint) -> None:
        example = in_own_names(self.role, found.example)
        self.complaints.append(replace(found, why=f"{_code(found)}: {found.why}", example=example))
        word = GRAMMAR.glossed(line.text).split()[0].lower()
        self._spoilt(word if word in ("act", "sub", "div") else "", line)

    def _spoilt(self, kind: str, line: Line) -> None:
        """A line that is no order voids its block from there on; a head that is none voids the whole of its block."""
        if kind in ("act", "sub"):
            if kind == "act":
                self._close_all(line)
            self.blocks.append(Block(Draft(line, kind), bad=line.number))
        elif kind == "div" and not self.blocks:
            self._no_entry(REFUSED)
        elif self.blocks:
            self.blocks[-1].bad = line.number

    def _place(self, made: Draft) -> None:
        """Put a line where it belongs: into a block, or among the orders."""
        match made.kind:
            case "end":
                self._end(made)
            case "act":
                self._close_all(made.line)
                self._open(made)
            case "sub" | "force" | "self":
                self._in_block(made)
            case "insert":
                self._insert(made)
            # Every other kind of line stands alone: `Judge.alone` answers for each of them.
            case _:
                self._close_all(made.line)
                self._alone(made)

    def _end(self, made: Draft) -> None:
        if not self.blocks:
            self.refuse(made.bad("syntax", "there is no block to end here"))
            return
        if self.blocks[-1].head.order is None:
            # The block was refused from its head on: its END would end nothing in the sheet that stands.
            self._void(made)
        self._close()

    def _close(self) -> None:
        """A block has come to its end: it goes into its parent, or is an order."""
        block = self.blocks.pop()
        head = block.head.order
        if isinstance(head, say.SubLine) and self.blocks and not self.blocks[-1].bad:
            self.blocks[-1].lines.append(replace(head, lines=tuple(block.lines)))
        elif block.head.kind == "act" and head is None:
            self._no_entry(REFUSED)
        elif isinstance(head, say.Act):
            self._order(block.head, replace(head, lines=tuple(block.lines)))

    def _close_all(self, line: Line) -> None:
        """A new order begins while blocks are open: their `END` is missing, which is said and taken as meant."""
        if self.blocks and not self.blocks[-1].bad:
            name = self.blocks[0].head.kind.upper()
            why = f"END is missing before this line: the {name} block is taken to end here"
            self.tell(line, Judgement.DOUBTFUL, why, "WE-ORD-01")
        while self.blocks:
            self._close()

    def _open(self, made: Draft) -> None:
        block = Block(made)
        self.blocks.append(block)
        try:
            self.judge.check_head(made, [one.head for one in self.blocks[:-1]])
        except BadLine as bad:
            self.refuse(bad)
            made.order = None

    def _in_block(self, made: Draft) -> None:
        if not self.blocks:
            self.refuse(made.bad("syntax", f"{made.kind.upper()} stands inside an ACT block", "WE-ACT-01"))
            self._shut(made)
            return
        block = self.blocks[-1]
        if block.bad:
            self._void(made)
            return
        if block.closed:
            why = "its own action ends the HQ's activation: SELF is the last line of a block"
            self.refuse(made.bad("double_use", why, "WE-ACT-01"))
            self._shut(made)
            return
        if made.kind == "sub":
            self._open(made)
            return
        stands = self._judged(self.judge.line(made, block.head, block.used))
        order = made.order
        if not stands or not isinstance(order, say.ForceLine | say.SelfLine):
            return
        block.used += order.amount.total + sum(one.amount.total for one in getattr(order, "also", ()))
        block.closed = isinstance(order, say.SelfLine)
        block.lines.append(order)

    def _void(self, made: Draft) -> None:
        bad = self.blocks[-1].bad
        why = f"line {bad} was refused, and with it the rest of its block, up to its END"
        self.tell(made.line, Judgement.NOT_ALLOWED, why, "WE-ORD-01")
        self._shut(made, bad)

    def _shut(self, made: Draft, bad: int = 0) -> None:
        """A `SUB` that is refused opens a block all the same, of which nothing is taken."""
        if made.kind == "sub":
            made.order = None
            self.blocks.append(Block(made, bad=bad or made.line.number))

    def _insert(self, made: Draft) -> None:
        self._close_all(made.line)
        self._no_entry("no entry stands below it")
        self.inserting = made.order if isinstance(made.order, say.Drop) else None

    def _no_entry(self, why: str) -> None:
        """An `INSERT` without an entry: none may take its place that was not meant."""
        if self.inserting is not None:
            line = Line(self.inserting.line, self.inserting.text)
            self.tell(line, Judgement.NOT_ALLOWED, why, "WE-SEQ-04")
            self.inserting = None

    def _judged(self, doubts: Iterator[Complaint]) -> bool:
        """Whether a line stands, for all that is doubted of it."""
        try:
            for doubt in doubts:
                self.complaints.append(doubt)
        except BadLine as bad:
            self.refuse(bad)
            return False
        return True

    def _alone(self, made: Draft) -> None:
        order = made.order
        if self._judged(self.judge.alone(made)):
            self._order(made, order)
        elif isinstance(order, say.Div):
            self._no_entry(REFUSED)

    def _order(self, made: Draft, order: say.Written | None) -> None:
        """An order that stands, if this exchange asks for its sort."""
        if isinstance(order, say.Root) and self.inserting is not None:
            place, self.inserting = self.inserting, None
            order = say.Insert(line=place.line, text=f"{place.text}: {order.text}", number=place.number, entry=order)
        sort = VERBS[made.kind].sort
        if self.call is not None and sort not in self.call.sorts:
            wrong = not_asked_for(SORT_NAMES[sort], "WE-SEQ-01")
            block = say.lines_in(order) if isinstance(order, say.Act) else ()
            for line in (made.line, *(Line(one.line, one.text) for one in block if one is not order)):
                self.complaints.append(complaint(line, Judgement.NOT_USED, wrong))
        elif isinstance(order, say.AnyOrder):
            self.orders.append(order)

    # ------------------------------------------------------------ the whole

    def finish(self) -> None:
        """The end of the sheet: open blocks end with it, and what lines come to together is judged."""
        last = self.blocks[-1] if self.blocks else None
        if last is not None and not last.bad:
            why = "END is missing: the block is taken to end with the sheet"
            self.tell(last.head.line, Judgement.DOUBTFUL, why, "WE-ORD-01")
        while self.blocks:
            self._close()
        self._no_entry("no entry stands below it")
        self._edits_alone()
        if self.call is None:
            return
        raised = [one for one in self.orders if isinstance(one, say.Raising)]
        places = [one for one in self.orders if isinstance(one, say.Placing)]
        for number, wrong in (
            *judge_administration.over_budget(self.field, self.role, raised),
            *judge_administration.wrong_places(self.field, self.role, places),
        ):
            order = next(one for one in self.orders if one.line == number)
            self.complaints.append(complaint(Line(number, order.text), Judgement.NOT_ALLOWED, wrong))
            self.orders.remove(order)

    @rule("WE-SEQ-04")
    def _edits_alone(self) -> None:
        """A new list replaces what remains: where there is one, `DROP` and `INSERT` have nothing to count in."""
        new = next((one for one in self.orders if isinstance(one, say.Root)), None)
        if new is None:
            return
        kept: list[say.AnyOrder] = []
        for order in self.orders:
            if isinstance(order, say.Edit):
                fate = "; what stands below it is an entry of the new list" if isinstance(order, say.Insert) else ""
                why = f"line {new.line} begins a new list, which replaces all that remains{fate}"
                line = Line(order.line, order.text.partition(":")[0])
                self.tell(line, Judgement.NOT_ALLOWED, why, "WE-SEQ-04")
            if not isinstance(order, say.Drop):
                kept.append(order.entry if isinstance(order, say.Insert) else order)
        self.orders = kept


REFUSED = "the entry below it was refused"


def _code(found: Complaint) -> str:
    return "unknown_order" if found.column <= 1 or "is no order" in found.why else "syntax"


@rule("WE-ORD-01", "WE-SEQ-01")
def read(scene: Scene, lines: Sequence[Line], mind: War, role: Role, call: Call | None) -> Reading[say.AnyOrder]:
    """A whole sheet of *role*, judged by what it knows now.

    Without a call only words are judged: the sheet is for later, and is read again then.
    """
    sheet = Sheet(scene, mind, role, call)
    for line in written(lines):
        sheet.take(line)
    sheet.finish()
    return read_whole(sheet.orders, sheet.complaints)
