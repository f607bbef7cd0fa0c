"""Conformance cases: a position, orders, scripted dice and what must come of it, in TOML and without Python.

    [[case]]
    id = "SP-MEL-09-a"
    title = "2-1, a four: the attacker advances two, the defender routs two"
    rules = ["SP-MEL-08", "SP-MEL-09"]          # three at most; each must be asserted below
    scenario = "st-privat/graveyard"
    keep = false                                # or "muster" (its pieces), or true (and the default set-up)
    options = { }
    run = "phase"                               # phase, exchange or turn; "muster" asserts the set-up itself
    position = \"\"\"
    set phase melee
    place p1+p2+p3+p4 at Q-10 face s line
    \"\"\"
    orders.prussian = "charge @Q-10 at Q-9"
    dice = { melee = [4] }                      # by purpose, or a list in the order thrown
    expect.outcomes = [ { kind = "melee_resolved", die = 4 } ]

`Step`, and `Expect` of `expectations`, have the rest.  A case of several exchanges has `[[case.step]]` tables
instead of its own orders, dice and expectations.  What cannot be told wrong is no case: one that asserts nothing
fails, and so does one that names a rule nothing asserted carries, or holds a word that is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.kernel.dice import ScriptedDice, SeededDice
from pbem.kernel.errors import BadScenario, PbemError
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role, RuleId
from pbem.kernel.office import Option
from pbem.kernel.owed import Call
from pbem.orders.sheet import Complaint, Judgement, lines_of
from pbem.rules.contract import AnySystem, Resolution, World, apply, form
from pbem.rules.expectations import Came, Expect, Script, Table, compare
from pbem.rules.matching import member

MOST_RULES = 3
"""A case that proves more proves nothing in particular."""

MOST_EXCHANGES = 30
"""How far a set-up or a turn is played before it is called endless."""

Run = Literal["phase", "exchange", "turn", "muster"]
Files = Callable[[str], Mapping[str, object]]
"""The files of a scenario, by `system/scenario`."""

Carried = tuple[str, tuple[RuleId, ...]]
"""The kind of a fact that came about, and the rules that it carried."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """Directives, then orders, then play."""

    expect: Expect
    run: Run = "phase"
    position: str = ""
    orders: dict[Role, str] = {}
    dice: Script = ()
    answers: dict[str, str] = {}
    """To questions that the rules ask; of the others what is taken for silence."""


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case, as its file has it."""

    id: str
    title: str
    rules: tuple[RuleId, ...]
    scenario: str
    options: dict[str, Option | dict[str, Option]] = {}
    keep: bool | Literal["muster"] = False
    expect: Expect = Expect()
    run: Run = "phase"
    position: str = ""
    orders: dict[Role, str] = {}
    dice: Script = ()
    answers: dict[str, str] = {}
    step: tuple[Step, ...] = ()

    @property
    def system(self) -> str:
        """The system that it is a case of."""
        return self.scenario.partition("/")[0]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its steps; one, where it has no `[[case.step]]`."""
        return self.step or (Step(self.expect, self.run, self.position, self.orders, self.dice, self.answers),)


class Result(Struct, frozen=True):
    """What came of a case: the failures in words, the rules that it asserted, and what carried rules in it."""

    case: Case
    failures: tuple[str, ...]
    asserted: tuple[RuleId, ...] = ()
    carried: frozenset[Carried] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    case: tuple[Table, ...]


def load_cases(path: Path) -> tuple[Case, ...]:
    """The cases of one TOML file, or of all such files under a folder, in the order of their names.

    :raises BadScenario: naming file and case, if one cannot be read or an id stands twice.
    """
    files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    cases: dict[str, Case] = {}
    for file in files:
        try:
            tables = msgspec.toml.decode(file.read_bytes(), type=_File).case
        except (OSError, ValueError) as error:
            raise BadScenario(str(file), f"holds no cases: {error}") from None
        for number, table in enumerate(tables, start=1):
            where = f"{file}, case {number} ({table.get('id', 'without an id')})"
            try:
                case = msgspec.convert(table, Case)
            except msgspec.ValidationError as error:
                raise BadScenario(where, str(error)) from None
            if case.id in cases:
                raise BadScenario(where, "this id stands twice")
            if case.step and (case.orders or case.dice or case.answers or not case.expect.nothing):
                raise BadScenario(where, "orders, dice, answers and expect stand in its steps")
            cases[case.id] = case
    return tuple(cases.values())


def run_cases(cases: Iterable[Case], system: AnySystem, files: Files) -> Iterator[Result]:
    """Run the *cases* of *system*, each scenario parsed once.

    :raises BadScenario: if a scenario cannot be read.
    """
    scenes: dict[str, object] = {}
    for case in cases:
        if case.scenario not in scenes:
            scenes[case.scenario] = system.scene(files(case.scenario))
        yield _Trial(case, system, scenes[case.scenario]).result()


def run_case(case: Case, system: AnySystem, files: Files) -> Result:
    """Run one case.

    :raises BadScenario: if its scenario cannot be read.
    """
    return next(run_cases((case,), system, files))


class _Failed(Exception):
    """The case cannot go on."""


class _Trial:
    """One case being run."""

    def __init__(self, case: Case, system: AnySystem, scene: object) -> None:
        self.case, self.system, self.scene = case, system, scene
        self.came = Came()
        self.failures: list[str] = []
        self.asserted: set[RuleId] = set()
        self.denied: set[RuleId] = set()
        self.because: set[RuleId] = set()
        self.carried: set[Carried] = set()

    def result(self) -> Result:
        """Run it."""
        case = self.case
        if len(case.rules) > MOST_RULES or not case.rules:
            self.failures.append(f"names {len(case.rules)} rules; a case names one to {MOST_RULES}")
        if all(step.expect.nothing for step in case.steps):
            self.failures.append("asserts nothing")
        try:
            self.play()
        except _Failed as failed:
            self.failures.append(str(failed))
        except PbemError as error:
            self.failures.append(f"{type(error).__name__}: {error}")
        except Exception as error:  # a case must say that the rules broke, whatever broke in them
            self.failures.append(f"the rules broke: {_where(error)}")
        if not self.failures:
            for rule in case.rules:
                if rule not in self.asserted | self.denied:
                    self.failures.append(f"names {rule}, which nothing that it asserts carries")
            for rule in sorted(self.because.difference(case.rules)):
                self.failures.append(f"says because of {rule}, and does not name it among its rules")
        asserted = tuple(sorted(self.asserted.intersection(case.rules)))
        return Result(case, tuple(self.failures), asserted, frozenset(self.carried))

    def play(self) -> None:
        """Set up, and play the steps."""
        case, system = self.case, self.system
        self.world: World[object, object] = system.blank(self.scene, _flat(case.options))
        muster = case.step == () and case.run == "muster"
        if case.keep and not muster:
            self.muster(SeededDice(Moment(0, 0), open_seed=bytes(32), closed_seed=bytes(32), forced={}))
        if case.keep is True:
            self.set_up()
        if case.step:
            self.direct(case.position)
        for number, step in enumerate(case.steps, start=1):
            before = len(self.failures)
            self.play_step(step)
            if case.step:
                self.failures[before:] = [f"step {number}: {why}" for why in self.failures[before:]]

    def add(self, facts: Iterable[Outcome]) -> None:
        """Let facts come to pass."""
        for fact in facts:
            self.came.facts.append(fact)
            self.carried.add((str(member(fact, "kind")), fact.rules))
            for role in self.world.minds:
                seen = form(self.system, fact, role)
                if seen is not None:
                    self.came.forms.setdefault(role, []).append(seen)
            self.world = apply(self.system, self.world, fact)

    def muster(self, dice: ScriptedDice | SeededDice) -> None:
        """Set the field up, as far as that needs no orders."""
        self.add(self.system.muster(self.scene, self.world, dice))

    def set_up(self) -> None:
        """Let all set-up exchanges go by in silence, with dice that are the same in every run."""
        for _ in range(MOST_EXCHANGES):
            moment = self.system.awaits(self.world.truth).moment
            if moment.turn:
                return
            dice = SeededDice(moment.whole, open_seed=bytes(32), closed_seed=bytes(32), forced={})
            self.add(self.system.resolve(self.scene, self.world, {}, {}, dice, "pause").facts)
        raise _Failed("the set-up does not end")

    def direct(self, position: str) -> None:
        """Carry out directives; one that is not taken ends the case."""
        for line in lines_of(position):
            reading = self.system.direct(self.scene, self.world, [line], {})
            for complaint in reading.complaints:
                raise _Failed(f'position, line {line.number}, "{line.text.strip()}": {complaint.why}')
            self.add(reading.items)

    def play_step(self, step: Step) -> None:
        """Directives, orders, play, and what was expected of it."""
        self.direct(step.position)
        self.came = Came(script=step.dice)
        if step.run == "muster":
            dice = ScriptedDice(Moment(0, 0), step.dice)
            self.muster(dice)
            self.thrown(dice)
        elif step.run == "turn":
            turn = self.system.awaits(self.world.truth).moment.turn
            for _ in range(MOST_EXCHANGES):
                self.exchange(step)
                if self.over() or self.system.awaits(self.world.truth).moment.turn != turn:
                    break
            else:
                raise _Failed("the turn does not end")
        else:
            self.exchange(step)
        self.came.world = self.world
        found = compare(step.expect, self.came, self.system, self.scene)
        self.failures += found.failures
        self.asserted |= found.asserted
        self.denied |= found.denied
        self.because |= found.because

    def over(self) -> bool:
        """Whether the game has ended."""
        return self.system.verdict(self.world.truth) is not None

    def exchange(self, step: Step) -> None:
        """Read the orders for where play stands, and play on."""
        pause = self.system.awaits(self.world.truth)
        orders: dict[Role, Sequence[object]] = {}
        # A whole turn is played on in silence from its halts: they are not what the orders were written for.
        sheets = {} if step.run == "turn" and pause.moment.halt else step.orders
        for role, text in sheets.items():
            if role not in self.world.minds:
                raise _Failed(f'there is no role "{role}"; the roles are {", ".join(self.world.minds)}')
            call = pause.call(role) or Call(role=role, sorts=(), must=False)
            reading = self.system.read(self.scene, lines_of(text), self.world.minds[role], role, call)
            orders[role] = reading.items
            self.complain(role, reading.complaints)
        until: Literal["phase", "pause"] = "phase" if step.run == "phase" else "pause"
        answers = dict(step.answers)
        while True:
            dice = ScriptedDice(pause.moment.whole, self.came.script)
            resolution: Resolution[Outcome] = self.system.resolve(self.scene, self.world, orders, answers, dice, until)
            asked = {query.key: query.otherwise for query in resolution.asks}
            if not asked:
                break
            if not asked.keys() - answers.keys():
                raise _Failed(f"the rules ask {', '.join(asked)} again after the answer")
            answers = asked | answers
        self.thrown(dice)
        self.add(resolution.facts)

    def thrown(self, dice: ScriptedDice) -> None:
        """Keep what was thrown, and what is left for the next exchange of the turn."""
        self.came.purposes += dice.purposes
        left = dice.left_over()
        if isinstance(self.came.script, dict):
            self.came.script = {purpose: tuple(faces) for purpose, faces in left.items()}
        else:
            self.came.script = tuple(left.get("in order", ()))

    def complain(self, role: Role, complaints: Sequence[Complaint]) -> None:
        """Add up what is said of a sheet that is read for several exchanges: a line is unused if none used it."""
        before = self.came.complaints.get(role)
        if before is None:
            self.came.complaints[role] = list(complaints)
            return
        unused = {one.line for one in complaints if one.judgement is Judgement.NOT_USED}
        said = [one for one in before if one.judgement is not Judgement.NOT_USED or one.line in unused]
        known = {(one.line, one.judgement) for one in said}
        said += [
            one
            for one in complaints
            if one.judgement is not Judgement.NOT_USED and (one.line, one.judgement) not in known
        ]
        self.came.complaints[role] = said


def _flat(options: Mapping[str, Option | Mapping[str, Option]]) -> dict[str, Option]:
    """Options with the parts of one under names of their own: `vp_split.limber`."""
    flat: dict[str, Option] = {}
    for name, value in options.items():
        flat |= {f"{name}.{part}": one for part, one in value.items()} if isinstance(value, Mapping) else {name: value}
    return flat


def _where(error: BaseException) -> str:
    """An exception in one line, with the place in the rules that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})" if trace else ""
    return f"{type(error).__name__}: {error}{place}"
