"""A sheet on receipt: lines become acts and papers, and it is said what stands in the way.

A bad line is dropped alone; the others stand.  All is judged by what the writer knows (KS-ORD-01, KS-ORD-02).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.ground.plane import Point
from pbem.kernel.marks import END, mark_of
from pbem.kernel.names import Role, RuleId
from pbem.kernel.owed import Call
from pbem.orders.grammar import Word, written
from pbem.orders.sheet import Complaint, Judgement, Reading, in_part, read_whole
from pbem.orders.sheet import Line as Typed
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets import judge, judge_setup, judge_works
from pbem.systems.kriegsspiel.sheets.acts import ACTS, SETUP, voice
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong
from pbem.systems.kriegsspiel.sheets.deeds import DEEDS, MOVES
from pbem.systems.kriegsspiel.sheets.examples import in_own_words
from pbem.systems.kriegsspiel.sheets.heads import headed
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES, GRAMMAR
from pbem.systems.kriegsspiel.sheets.lexicon import Marked
from pbem.systems.kriegsspiel.sheets.lines import DraftLine, line_of
from pbem.systems.kriegsspiel.sheets.marking import learn
from pbem.systems.kriegsspiel.sheets.refusals import complaint, not_understood
from pbem.systems.kriegsspiel.sheets.retold import Reteller, Said
from pbem.systems.kriegsspiel.sheets.sentence import BY, BadWord, Sentence
from pbem.systems.kriegsspiel.sheets.severed import Severed
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.mind import Mind

CHECKS: Mapping[str, tuple[judge.Check, ...]] = {**judge.CHECKS, **judge_works.CHECKS}


@dataclass
class Paper:
    """A paper being put together."""

    to: str
    line: int
    kind: str = "person"
    """Of whom it is for: `unit`, `person`, `higher`."""
    block: bool = False
    letter: bool = False
    lines: list[say.Line] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    by: tuple[say.Spot, ...] = ()
    copies: int = 1
    urgent: bool = False
    receipt: bool = True
    unit: str = ""
    """The unit of the line before."""
    void: bool = False
    """Its head was bad: what it holds is read, and not sent."""
    ends: dict[str, Point | None] = field(default_factory=dict)
    """Where its lines so far lead each unit; None: that cannot be known."""

    def finished(self) -> say.Dispatch | None:
        """The paper as it will be written; None if there is nothing on it."""
        if self.void or not (self.lines or self.texts):
            return None
        return say.Dispatch(
            line=self.line,
            to=self.to,
            lines=tuple(self.lines),
            text="\n".join(self.texts),
            by=self.by,
            copies=self.copies,
            urgent=self.urgent,
            receipt=self.receipt,
            letter=self.letter,
        )


class Sheet:
    """A sheet being read, line by line."""

    def __init__(self, scene: Scene, lines: Sequence[Typed], mind: Mind, role: Role, call: Call | None) -> None:
        self.bench, self.call = Bench(scene, mind, role), call
        self.acts: list[say.AnyAct] = []
        self.complaints: list[Complaint] = []
        self.paper: Paper | None = None
        self.placed: dict[str, say.Start] = {}
        self.spoken: dict[str, Point | None] = {}
        """Where what was said so far leads each unit."""
        self.severed = Severed(self.bench)
        self.reteller = Reteller(self.bench, lines)
        self.told: set[int] = set()
        """The numbers of the lines that were written out."""
        self.last_end = 0
        """The number of the last line that is `end`."""

    # ------------------------------------------------------------ complaints

    def complain(self, line: Typed, marked: Marked, token: Word | None, wrong: Wrong) -> bool:
        """Say what is wrong; whether the line is no order because of it."""
        if self.call is None and wrong.judgement not in (Judgement.NOT_UNDERSTOOD, Judgement.NOT_CLEAR):
            return False
        self.complaints.append(complaint(line, marked, token, wrong))
        return wrong.judgement.refuses

    # ------------------------------------------------------------ lines

    def take(self, line: Typed) -> None:
        """Read one line that says something."""
        before = len(self.complaints)
        self._take(line)
        if any(one.line == line.number and one.judgement.refuses for one in self.complaints[before:]):
            paper = self.paper if self._in_block() else None
            told = Typed(line.number, GRAMMAR.glossed(line.text))
            self.severed.refused(told, (paper.unit or paper.to) if paper is not None else "")

    def _take(self, line: Typed) -> None:
        if self.paper is not None and self.paper.letter and self.paper.block:
            self._letter_line(line)
            return
        to = self.paper.to if self.paper is not None and not self.paper.block else ""
        for told in self.reteller.told(line, block=self._in_block(), to=to):
            if told.line.typed:
                self.told.add(line.number)
            self._read(told)

    def _read(self, told: Said) -> None:
        line, marked, parsed = told
        if marked.no_receipt and not marked.text.strip(" ,."):
            if self.paper is not None:
                self.paper.receipt = False
            return
        if parsed is None:
            wrong = GRAMMAR.parse(Typed(line.number, marked.text), ())
            assert isinstance(wrong, Complaint), "it has no tree"
            said = not_understood(self.bench.lexicon, line, marked, wrong)
            self.complaints.append(in_own_words(self.bench.scene, self.bench.mind, said))
            if not self._in_block():
                self._spoilt(line, marked)
            return
        sentence = Sentence(self.bench, line, marked, parsed)
        try:
            self._place(sentence)
        except BadWord as bad:
            self._tell(sentence)
            self.complain(line, marked, bad.token, bad.wrong)
            if not self._in_block():
                self._spoilt(line, marked)

    def _spoilt(self, line: Typed, marked: Marked) -> None:
        """A head that is none: what follows up to `end` belongs to it, and goes nowhere.

        A letter without an `end` below was meant to stand on its line, and lacks but its colon.
        """
        words = GRAMMAR.glossed(marked.original).split()
        letter = ":" not in marked.text and line.number < self.last_end
        opens = words and (words[0].casefold() == "dispatch" or (words[0].casefold() == "letter" and letter))
        if opens:
            self._close()
            self.paper = Paper("", 0, block=True, void=True, letter=words[0].casefold() == "letter")

    def _tell(self, sentence: Sentence) -> bool:
        """Say what was noted while a line was read; whether it is no order because of it."""
        refused = [self.complain(sentence.line, sentence.marked, token, wrong) for token, wrong in sentence.wrongs]
        sentence.wrongs.clear()
        return any(refused)

    def _in_block(self) -> bool:
        return self.paper is not None and self.paper.block

    # ------------------------------------------------------------ where a line belongs

    def _place(self, sentence: Sentence) -> None:
        kind = sentence.kind
        if kind in ("block_line", "text", "end"):
            self._of_block(sentence)
        elif kind == "to":
            self._to(sentence)
        else:
            self._close()
            if kind in ("dispatch", "letter_block"):
                self.paper = self._head(sentence, block=True, letter=kind == "letter_block")
                self._tell(sentence)
            else:
                self._alone(sentence)

    def _of_block(self, sentence: Sentence) -> None:
        """A line that stands between `dispatch` and `end`."""
        paper = self.paper
        if paper is None or not paper.block:
            self._outside(sentence, sentence.kind)
        elif sentence.kind == "end":
            self._close()
        elif sentence.kind == "text":
            paper.texts.append(sentence.text())
        else:
            self._paper_line(sentence.all()[0], 0, paper)

    def _outside(self, sentence: Sentence, kind: str) -> None:
        if self.call is None:
            return
        why = "there is no dispatch to end here" if kind == "end" else "for whom?  It stands in no dispatch"
        own = self.bench.own()
        example = "" if kind == "end" or not own else f"to {own[0]}: {sentence.rest(0)}"
        wrong = Wrong(why, "KS-ORD-11", judgement=Judgement.NOT_UNDERSTOOD, example=example)
        self.complain(sentence.line, sentence.marked, None, wrong)

    def _to(self, sentence: Sentence) -> None:
        """`to UNIT: …`: a line of the paper that is open for the same addressee, or of a new one."""
        fresh = self._head(sentence)
        paper = self.paper
        if paper is None or paper.block or paper.to != fresh.to:
            self._close()
            paper = self.paper = fresh
        else:
            paper.by = paper.by or fresh.by
            paper.copies = max(paper.copies, fresh.copies)
            paper.urgent |= fresh.urgent
            paper.receipt &= fresh.receipt
        self._paper_line(sentence.all("line")[0], sentence.colon.end_pos or 0, paper)

    def _head(self, sentence: Sentence, *, block: bool = False, letter: bool = False) -> Paper:
        kind, to = sentence.who()
        paper = Paper(to, sentence.line.number, kind, block, letter, receipt=not sentence.marked.no_receipt)
        for one in sentence.all("by"):
            paper.by = one.places(*BY)
        for one in sentence.all("copies"):
            paper.copies = one.number_said()
            if not 1 <= paper.copies <= COPIES:
                sentence.note(one.first, Wrong(f"a paper goes in one or {COPIES} copies", "KS-MSG-07"))
                paper.copies = 1
        paper.urgent = sentence.has("urgent")
        paper.receipt &= not sentence.has("no_receipt")
        who = sentence.all("who")[0].first
        if kind == "higher" and not letter:
            sentence.note(who, Wrong("higher headquarters get letters: letter higher: text", "KS-MSG-01"))
        if kind == "person" and to == self.bench.mind.person:
            sentence.note(who, Wrong("that is yourself", "KS-MSG-01"))
        return paper

    # ------------------------------------------------------------ lines for units

    def _paper_line(self, sentence: Sentence, start: int, paper: Paper) -> None:
        unit = paper.unit or (paper.to if paper.kind == "unit" else "")
        drafted = line_of(sentence, start, unit)
        refused = self._tell(sentence)
        line = drafted.line
        if not line.unit:
            wrong = Wrong(
                f"say for which unit: {paper.to} commands several", "KS-ORD-01", judgement=Judgement.NOT_UNDERSTOOD
            )
            if not refused:
                self.complain(sentence.line, sentence.marked, None, wrong)
            return
        if drafted.unit is not None:
            paper.unit = line.unit
        refused |= self._not_of(sentence, drafted, paper)
        refused |= self._after_nothing(sentence, line, paper)
        if not refused and (wrong_before := self.severed.after(line)) is not None:
            refused = self.complain(sentence.line, sentence.marked, None, wrong_before)
        for wrong in self._judged(line, paper.ends, voice=False):
            refused |= self.complain(sentence.line, sentence.marked, None, wrong)
        if not refused:
            self._stands(line, paper.ends)
            self._superseded(sentence, line, paper.lines)
            paper.lines.append(line)

    def _not_of(self, sentence: Sentence, drafted: DraftLine, paper: Paper) -> bool:
        """Whether a line is for a unit to which its paper does not go."""
        line = drafted.line
        members = self.bench.members(paper.to)
        if paper.kind == "unit" and not set(self.bench.members(line.unit)) <= set(members):
            if line.unit in self.bench.parents and self.bench.parents[line.unit] in members:
                return False
            why = f"the paper goes to {paper.to}, and {line.unit} is not of it"
            return self.complain(sentence.line, sentence.marked, drafted.unit, Wrong(why, "KS-ORD-01"))
        return False

    def _after_nothing(self, sentence: Sentence, line: say.Line, paper: Paper) -> bool:
        """Whether a line waits for an order that does not stand before it in its paper (KS-CMD-15)."""
        if line.test is None or line.test.kind != "after":
            return False
        units, verb = set(self.bench.members(line.unit)), line.test.arm
        for one in paper.lines:
            if one.order is not None and one.order.verb == verb and units & set(self.bench.members(one.unit)):
                return False
        why = f"no order {verb.replace('_', ' ')} stands before it in this paper"
        return self.complain(sentence.line, sentence.marked, None, Wrong(why, "KS-CMD-15"))

    def _judged(self, line: say.Line, ends: Mapping[str, Point | None], *, voice: bool) -> Iterable[Wrong]:
        """What is wrong with a line for a unit, by the rules of its order."""
        if self.call is None:
            return
        if line.react is not None:
            yield from judge.reaction(self.bench, line.unit, *line.react)
        if line.order is not None:
            start = None
            if line.test is None and not (line.then and line.unit not in ends):
                start = ends.get(line.unit, self.bench.start(line.unit))
            case = judge.Case(self.bench, line.unit, line, line.order, start, voice)
            for check in CHECKS.get(line.order.verb, ()):
                found = list(check(case))
                yield from found
                if any(wrong.judgement.refuses for wrong in found):
                    return

    def _stands(self, line: say.Line, ends: dict[str, Point | None]) -> None:
        """Keep what later lines build on: where the unit will be."""
        if line.order is not None and line.test is None and DEEDS[line.order.verb].sort == MOVES:
            ends[line.unit] = line.order.to[-1].at if line.order.verb in ("march", "retire") else None

    def _superseded(self, sentence: Sentence, line: say.Line, lines: list[say.Line]) -> None:
        """Of two reactions of one key in one paper the later stands."""
        if line.react is None:
            return
        for one in [one for one in lines if one.unit == line.unit and one.react and one.react[0] == line.react[0]]:
            lines.remove(one)
            self._later(one.line, sentence.line.number, f"react {line.react[0]}")

    def _later(self, number: int, by: int, what: str) -> None:
        if self.call is not None:
            why = f"line {by} says it again: {what}; that one stands"
            self.complaints.append(Complaint(number, 0, Judgement.SUPERSEDED, why, RuleId("KS-ORD-01")))

    # ------------------------------------------------------------ letters

    def _letter_line(self, line: Typed) -> None:
        assert self.paper is not None, "a letter is open"
        if mark_of(line.text) == END:
            self._close()
        else:
            self.paper.texts.append(line.text.strip())

    # ------------------------------------------------------------ acts

    def _alone(self, sentence: Sentence) -> None:
        """A line that is an act by itself."""
        if sentence.kind in SETUP and self.call is not None and "setup" not in self.call.sorts:
            why = "dispositions are given before the first move"
            self.complain(sentence.line, sentence.marked, None, Wrong(why, "KS-GM-08"))
            return
        act = self._act(sentence)
        refused = self._tell(sentence)
        if act is not None and not refused:
            self._replace(act)
            self.acts.append(act)

    def _act(self, sentence: Sentence) -> say.AnyAct | None:
        match sentence.kind:
            case "voice":
                return self._voice(sentence)
            case "letter":
                paper = self._head(sentence, letter=True)
                paper.texts.append(sentence.text())
                return paper.finished()
            case "on_arrival":
                return self._on_arrival(sentence)
            case kind:  # an act that is made of its line alone
                return self._disposition(sentence, ACTS[kind].make(sentence))

    def _voice(self, sentence: Sentence, *, later: bool = False) -> say.Voice | None:
        name, word = sentence.unit(), sentence.all("unit")[0].first
        drafted = line_of(sentence.all("line")[0], sentence.colon.end_pos or 0, name)
        for wrong in voice(self.bench, name, later=later) if self.call is not None else ():
            sentence.note(word, wrong)
        if drafted.line.unit not in (name, *self.bench.members(name)):
            why = f"it is said to {name}, and {drafted.line.unit} is not of it"
            sentence.note(drafted.unit, Wrong(why, "KS-CMD-02"))
        lost = self.severed.after(drafted.line) if not sentence.wrongs else None
        for wrong in (*self._judged(drafted.line, self.spoken, voice=True), *([lost] if lost is not None else [])):
            sentence.note(None, wrong)
        if not any(wrong.judgement.refuses for _, wrong in sentence.wrongs):
            self._stands(drafted.line, self.spoken)
        return say.Voice(line=sentence.line.number, order=drafted.line)

    def _on_arrival(self, sentence: Sentence) -> say.AnyAct | None:
        inner = sentence.all()[0]
        then: say.AnyAct | None
        if inner.kind == "voice":
            then = self._voice(inner, later=True)
        elif inner.kind == "to":
            paper = self._head(inner)
            self._paper_line(inner.all("line")[0], inner.colon.end_pos or 0, paper)
            then = paper.finished()
        elif inner.kind in ("letter", "look", "stay"):
            then = self._act(inner)
        else:
            why = "on arrival he can speak (voice), write (to, letter), look or stay"
            sentence.note(None, Wrong(why, "KS-CMD-01", EXAMPLES["on arrival"], Judgement.NOT_UNDERSTOOD))
            return None
        return say.OnArrival(line=sentence.line.number, then=then) if then is not None else None  # type: ignore[arg-type]  # as above

    def _disposition(self, sentence: Sentence, act: say.AnyAct) -> say.AnyAct:
        if self.call is None:
            return act
        wrongs: Iterable[Wrong] = ()
        if isinstance(act, say.Start):
            wrongs = judge_setup.start(self.bench, act, self.placed)
        elif isinstance(act, say.Enter):
            wrongs = judge_setup.enter(self.bench, act)
        for wrong in wrongs:
            sentence.note(None, wrong)
        return act

    def _replace(self, act: say.AnyAct) -> None:
        """The later of two lines that cannot both be done stands."""
        same: Callable[[say.AnyAct], bool] | None = None
        if isinstance(act, say.RideTo | say.RideWith | say.Stay):
            same = lambda one: isinstance(one, say.RideTo | say.RideWith | say.Stay)  # noqa: E731 - one test among others
        elif isinstance(act, say.Start):
            self.placed[act.unit] = act
            same = lambda one: isinstance(one, say.Start) and one.unit == act.unit  # noqa: E731 - as above
        elif isinstance(act, say.Enter):
            same = lambda one: isinstance(one, say.Enter) and one.unit == act.unit  # noqa: E731 - as above
        for one in [one for one in self.acts if same is not None and same(one)]:
            self.acts.remove(one)
            self._later(one.line, act.line, "where he goes" if not isinstance(act, say.Start | say.Enter) else act.unit)

    # ------------------------------------------------------------ the whole

    def _close(self) -> None:
        """The paper that is open is done."""
        paper, self.paper = self.paper, None
        if paper is not None and (made := paper.finished()) is not None:
            self.acts.append(made)

    def done(self) -> Reading[say.AnyAct]:
        """The sheet as read."""
        self._close()
        if self.call is not None and not any(isinstance(act, say.RideTo | say.RideWith) for act in self.acts):
            for act in [act for act in self.acts if isinstance(act, say.OnArrival)]:
                self.acts.remove(act)
                why = "he does not ride in this sheet: give a line ride to PLACE"
                self.complaints.append(Complaint(act.line, 1, Judgement.NOT_ALLOWED, why, RuleId("KS-CMD-01")))
        stand = {one.line for act in self.acts for one in (act, *say.lines_of(act))}
        return read_whole(self.acts, in_part(self.complaints, stand & self.told))


COPIES = 2
"""Copies of a paper at most (KS-MSG-07)."""


@rule("KS-ORD-01", "KS-ORD-02", "KS-ORD-11", "KS-GM-08", "KS-SIT-10")
def read(scene: Scene, lines: Sequence[Typed], mind: Mind, role: Role, call: Call | None) -> Reading[say.AnyAct]:
    """A whole sheet of *role*, judged by what it knows.

    Without a call only words are judged: the sheet is for later, and is read again then.
    """
    sheet = Sheet(scene, lines, mind, role, call)
    texts, wrong = headed(list(written(lines)), mind, called=call is not None)
    if wrong is not None:
        return Reading((), (wrong,))
    for line in texts:
        for new, parent in learn(sheet.bench.lexicon, GRAMMAR.glossed(line.text)):
            sheet.bench.parents.setdefault(new, parent)
        if mark_of(line.text) == END:
            sheet.last_end = line.number
    for line in texts:
        sheet.take(line)
    return sheet.done()


def read_for(scene: Scene, mind: Mind, text: str) -> Reading[say.AnyAct]:
    """An order of the umpire to a unit of *mind*'s side, in the words of a paper: nothing but its words is judged."""
    return read(scene, [Typed(1, text)], mind, mind.role, None)
