"""What a conformance case expects of a step, and whether that is what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Role, RuleId
from pbem.orders.sheet import Complaint, Judgement
from pbem.rules.contract import AnySystem, World
from pbem.rules.matching import MISSING, difference, matches, member, rules_in, shown

Table = dict[str, object]
Script = dict[str, tuple[int, ...]] | tuple[int, ...]
"""Dice that lie ready: by purpose, or in the order thrown."""

BECAUSE = "because"
"""The attribute by which an absence names the rules that forbid what is absent."""


class Question(Struct, frozen=True, forbid_unknown_fields=True, rename={"expected": "is"}):
    """A fact of board or tables: what it is called, for which arguments, and what it must be."""

    fact: str
    args: tuple[object, ...]
    expected: object


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """What a role may know: attributes of pieces as it knows them, and outcomes as it sees them."""

    pieces: dict[str, Table | bool] = {}
    outcomes: tuple[Table, ...] = ()
    absent: tuple[Table, ...] = ()


class Expect(Struct, frozen=True, forbid_unknown_fields=True):
    """What must come of it.

    A table is met by a thing that has all its attributes so, a list by one that holds its members in this order.
    """

    outcomes: tuple[Table, ...] = ()
    """Each by an outcome of its own, in this order."""
    absent: tuple[Table, ...] = ()
    """None of these.  `because` names the rules by which there is none: they are asserted, as those of an outcome are.
    One with `rules` is a fact that carries them, and says that they did not apply.

    What is denied must be such as can come about: a kind or an attribute that no fact has fails the case, and with
    rules that no fact of the kind carries in any case it stands as `vain` in the coverage.
    """
    pieces: dict[str, Table | bool] = {}
    """By id; false: there is no such piece."""
    state: Table = {}
    """Attributes of the state."""
    score: dict[str, int] = {}
    problems: dict[Role, tuple[Table, ...]] = {}
    """All that is said of the role's lines: `line`, `kind` (the judgement, with _ for blanks), `rule`.

    Doubts, which refuse nothing, may be left out if all of them are.
    """
    awaits: Table = {}
    """`moment`, `name`, `calls`: where play stands after it."""
    view: dict[Role, Seen] = {}
    ask: tuple[Question, ...] = ()
    purposes: tuple[str, ...] | None = None
    """What was thrown for, one word a die, in the order thrown."""
    dice_left: Script = ()
    """Dice scripted to show that nobody asks for them."""

    @property
    def nothing(self) -> bool:
        """Whether it demands nothing at all."""
        return self == Expect()


@dataclass
class Came:
    """What came of a step."""

    script: Script = ()
    """Dice that nobody has asked for."""
    purposes: list[str] = field(default_factory=list)
    facts: list[Outcome] = field(default_factory=list)
    forms: dict[Role, list[Outcome]] = field(default_factory=dict)
    """The facts as each role saw them."""
    complaints: dict[Role, list[Complaint]] = field(default_factory=dict)
    world: World[object, object] = field(default_factory=lambda: World(None, {}))
    """The world after it."""


@dataclass
class Comparison:
    """What was expected beside what came: failures in words, and the rules asserted, and said not to apply."""

    came: Came
    system: AnySystem
    scene: object
    failures: list[str] = field(default_factory=list)
    asserted: set[RuleId] = field(default_factory=set)
    denied: set[RuleId] = field(default_factory=set)
    because: set[RuleId] = field(default_factory=set)
    """Those asserted by an absence."""

    def outcomes(self, what: str, expected: Sequence[Table], facts: Sequence[Outcome]) -> None:
        """Each expected outcome in its order; the rules that the ones found carry are asserted."""
        at = 0
        for number, table in enumerate(expected, start=1):
            found = next((i for i in range(at, len(facts)) if matches(table, facts[i])), None)
            if found is None:
                self.failures.append(f"{what}, {number}: expected {shown(table)}, {_nearest(table, facts, at)}")
                return
            self.asserted |= rules_in(facts[found])
            at = found + 1

    def absent(self, what: str, expected: Sequence[Table], facts: Sequence[Outcome]) -> None:
        """None of the expected outcomes; the rules because of which there is none are asserted."""
        for given in expected:
            table = {name: value for name, value in given.items() if name != BECAUSE}
            if not self.could_be(table):
                self.failures.append(f"{what}: no fact can be {shown(table)}")
            for fact in facts:
                if matches(table, fact):
                    self.failures.append(f"{what}: expected no {shown(table)}, found {shown(fact)}")
            self.because |= rules_in({"rules": given.get(BECAUSE, ())})
            self.denied |= rules_in(table)
        self.asserted |= self.because

    def could_be(self, table: Table) -> bool:
        """Whether some fact of the system has that kind and attributes of these names."""
        kind, names = table.get("kind"), table.keys() - {"kind"}
        return any(
            names.issubset(one.__struct_fields__) and kind in (None, kind_of(one).rpartition(".")[2])
            for one in self.system.facts
        )

    def pieces(self, what: str, expected: Mapping[str, Table | bool], state: object) -> None:
        """Attributes of pieces by id, or that there is such a piece."""
        for name, table in expected.items():
            piece = member(member(state, "pieces"), name)
            if isinstance(table, bool):
                if (piece is not MISSING) != table:
                    self.failures.append(f"{what}.{name}: expected {shown(table)}, found {shown(piece)}")
            else:
                self.table(f"{what}.{name}", table, piece)

    def table(self, what: str, expected: Table, found: object) -> None:
        """Attributes of one thing."""
        if not matches(expected, found):
            self.failures += [f"{what}{why}" for why in difference(expected, found)]

    def problems(self, expected: Mapping[Role, Sequence[Table]]) -> None:
        """All that was said of each role's lines, in their order; a refusal nobody expected fails."""
        for role, tables in expected.items():
            told = any(table.get("kind") == _kind(Judgement.DOUBTFUL) for table in tables)
            said = self.came.complaints.get(role, [])
            said = [one for one in said if told or one.judgement is not Judgement.DOUBTFUL]
            said.sort(key=lambda one: (one.line, one.column))
            found = [_problem(complaint) for complaint in said]
            if len(found) == len(tables) and all(map(matches, tables, found)):
                self.asserted |= {one.rule for one in said if one.rule}
            else:
                words = "; ".join(f"{shown(_problem(one))} {one.why}" for one in said) or "none"
                self.failures.append(f"problems.{role}: expected {shown(list(tables))}, found {words}")
        for role, said in self.came.complaints.items():
            for one in said:
                unheard = one.judgement.refuses or one.judgement is Judgement.NOT_USED
                if unheard and role not in expected:
                    self.failures.append(f"{role}, line {one.line}: {one.judgement.value}: {one.why}")

    def dice(self, purposes: Sequence[str] | None, left: Script) -> None:
        """What was thrown for, and what was not asked for."""
        if purposes is not None and list(purposes) != self.came.purposes:
            self.failures.append(f"purposes: expected {shown(list(purposes))}, found {shown(self.came.purposes)}")
        script = self.came.script
        lies = script if isinstance(script, tuple) else {purpose: faces for purpose, faces in script.items() if faces}
        if (lies or ()) != (left or ()):
            self.failures.append(f"dice: scripted and not asked for {shown(lies)}, expected {shown(left)}")

    def ask(self, question: Question) -> None:
        """A fact of board and tables."""
        ask = self.system.asks.get(question.fact)
        if ask is None:
            known = ", ".join(sorted(self.system.asks))
            self.failures.append(f"ask: there is no fact {question.fact}; there are {known}")
            return
        found = ask.answer(self.scene, self.came.world.truth, *question.args)
        if matches(question.expected, found):
            self.asserted |= set(ask.rules)
        else:
            asked = f"{question.fact}({', '.join(map(shown, question.args))})"
            self.failures.append(f"ask: {asked}: expected {shown(question.expected)}, found {shown(found)}")


def compare(expect: Expect, came: Came, system: AnySystem, scene: object) -> Comparison:
    """Compare all that a step expects with what came of it."""
    found = Comparison(came, system, scene)
    truth, minds = came.world.truth, came.world.minds
    found.outcomes("outcomes", expect.outcomes, came.facts)
    found.absent("absent", expect.absent, came.facts)
    found.pieces("pieces", expect.pieces, truth)
    found.table("state", expect.state, truth)
    found.table("score", dict(expect.score), member(truth, "vp"))
    found.table("awaits", expect.awaits, system.awaits(truth))
    found.problems(expect.problems)
    for role, seen in expect.view.items():
        if role not in minds:
            found.failures.append(f'view: there is no role "{role}"; the roles are {", ".join(minds)}')
            continue
        forms = came.forms.get(role, [])
        found.outcomes(f"view.{role}.outcomes", seen.outcomes, forms)
        found.absent(f"view.{role}.absent", seen.absent, forms)
        found.pieces(f"view.{role}.pieces", seen.pieces, minds[role])
    for question in expect.ask:
        found.ask(question)
    found.dice(expect.purposes, expect.dice_left)
    return found


def _kind(judgement: Judgement) -> str:
    return judgement.value.replace(" ", "_")


def _problem(complaint: Complaint) -> Table:
    kind = _kind(complaint.judgement)
    return {"line": complaint.line, "kind": kind, "rule": complaint.rule or "", "column": complaint.column}


def _nearest(table: Table, facts: Sequence[Outcome], at: int) -> str:
    """What there is instead of an outcome that was expected after the first *at*."""
    if any(matches(table, fact) for fact in facts[:at]):
        return "found it only before the one above"
    kind = table.get("kind")
    alike = [fact for fact in facts if kind is not None and matches({"kind": kind}, fact)]
    if not alike:
        kinds = dict.fromkeys(str(member(fact, "kind")) for fact in facts)
        return f"found no such kind among {', '.join(kinds) or 'no outcomes'}"
    near = min(alike, key=lambda fact: len(difference(table, fact)))
    return f"found one with {', '.join(why.lstrip('.') for why in difference(table, near)) or 'all of it'}"
