"""A game in which nothing comes to pass unexamined: what holds of every system, and what its invariants ask."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, Protocol, Union, cast

import msgspec

from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Aspect, Moment, Role
from pbem.kernel.office import Option
from pbem.orders.sheet import Judgement, Order, lines_of
from pbem.rules import registry
from pbem.rules.contract import AnySystem, World, apply
from pbem.rules.registry import ledger_of
from tests.player.story import Step, Story
from tests.systems.play import Game


class Breach(Exception):
    """Something that came to pass against a rule: *rule* names which, or which part of the frame."""

    def __init__(self, said: str, where: str = "") -> None:
        super().__init__(f"{said} [{where}]" if where else said)
        self.rule = said.partition(":")[0]


PASSED: Counter[str] = Counter()
"""Breaches that a run passes over, by their beginnings, and how often it did: what is known is not to hide the rest."""


def broken(said: str, where: str = "") -> None:
    """Raise a breach, unless it is passed over."""
    for known in PASSED:
        if said.startswith(known):
            PASSED[known] += 1
            return
    raise Breach(said, where)


class Speaks(Protocol):
    """What a role of one system would name in an order line, by what it knows."""

    def __init__(self, game: Game, role: Role, random: Random) -> None: ...

    def begin(self) -> None:
        """Begin a line: think of a unit."""
        ...

    def word(self, terminal: str, said: Sequence[str]) -> str | None:
        """A word for a terminal of the grammar, after the words already said."""
        ...


class Book(Protocol):
    """The invariants of one system: `tests/systems/<package>/invariants.py`, written from its ledger."""

    def breaches(self, scene: Any, before: World[Any, Any], fact: Any, after: World[Any, Any]) -> Iterable[str]:
        """A sentence for each rule that *fact* breaks, its ID first."""
        ...


class Tongue(Protocol):
    """How one system is spoken: `tests/systems/<package>/speech.py`.

    It may have `chunk(draw, random)`, which makes a block of lines of what `draw` says; `lines(order)`, the lines
    of an order that are answered for; `heads(order, line)`, the lines of the blocks round one, whose answer is its
    own; `turns(game)`, how many were played; `UNANSWERED`, kinds of orders that no report names; `NEVER`,
    beginnings of parts of the language that no line can have; `LARGEST`, the largest scenario; `ideas(game, role,
    random)`, lines that are seldom fit, where they might be; `came_out(one, other, role, ruling)`, whether what was
    changed unseen has come out since, in one of two games or in both; `VALUES`, what options that are numbers are
    tried as; `unheard(game, role, random, sheets)`, where nothing can be set unseen, an enemy of *role* and lines
    more for his sheet that cannot come out.
    """

    Speaker: type[Speaks]

    def rulings(self, game: Game, random: Random) -> str:
        """What an umpire might rule now that breaks no rule."""
        ...

    def unseen(self, game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> str:
        """A ruling that changes what *role* cannot see, nor what comes of it when *sheets* are sent."""
        ...


def book_of(system: str) -> Book:
    """The invariants of *system*."""
    module: Any = import_module(f"tests.systems.{system.replace('-', '_')}.invariants")
    return cast(Book, module)


def tongue_of(system: str) -> Tongue:
    """How *system* is spoken."""
    module: Any = import_module(f"tests.systems.{system.replace('-', '_')}.speech")
    return cast(Tongue, module)


class Watched(Game):
    """A game that raises `Breach` at the first fact, or the first page, that breaks a rule."""

    def __init__(
        self, system: AnySystem, scenario: str, *, options: Mapping[str, Option] | None = None, luck: str = "luck"
    ) -> None:
        self._mustered = False
        self._known = frozenset(ledger_of(system.name).rules)
        self._book = book_of(system.name)
        self._shown: set[str] = set()
        self.uncited: Counter[str] = Counter()
        """Kinds of facts that cite no rule."""
        self._owed: list[tuple[Role, Moment, Order, int]] = []
        """Orders of which nothing has said yet what became of them."""
        self.taken: list[str] = []
        """The lines that were orders, till somebody has counted them."""
        self.refused = self.read_lines = 0
        super().__init__(system, scenario, options=options, luck=luck)
        self._mustered, self._total = True, self._count()

    def _count(self) -> Any:
        return sum(self.system.counts(self.world.truth).values())

    # ------------------------------------------------------------ facts

    def add(self, facts: Sequence[Outcome]) -> None:
        for fact in facts:
            before = self.world
            super().add((fact,))
            if unknown := set(fact.rules) - self._known:
                broken(f"a fact cites what the ledger has not: {kind_of(fact)} cites {sorted(unknown)}")
            if not fact.rules:
                self.uncited[kind_of(fact)] += 1
            if not self._mustered:
                continue
            if (now := self._count()) != self._total:
                broken(f"conservation: {self._total} became {now}", f"{fact}")
            for said in self._book.breaches(self.scene, before, fact, self.world):
                broken(said, f"{self.world.truth.phase if hasattr(self.world.truth, 'phase') else ''} {_told(fact)}")

    # ------------------------------------------------------------ exchanges

    def take(self, step: Step) -> None:
        """Play one step, and see that what holds after every exchange does.

        :raises Breach: if it does not.
        """
        if step.rulings:
            self.rule(step.rulings)
        if self.over:
            return
        pause = self.pause
        orders = {call.role: self._heard(call.role, step.sheets.get(call.role, "")) for call in pause.calls}
        told = {role: len(self.told[role]) for role in self.roles}
        self._resolve(orders, step.answers)
        for role, given in orders.items():
            now = {one.line for one in self.told[role][told[role] :]}
            for order in given:
                lines = [line for line in self._lines(order) if not {line, order.line} & now]
                self._owed += [(role, pause.moment.whole, order, line) for line in lines]
        if self.pause.moment <= pause.moment and self.system.verdict(self.world.truth) is None:
            broken(f"the clock stands: after {pause.moment} comes {self.pause.moment}")
        self._see_answers()
        self._see_pages()

    def rule(self, text: str, known: Mapping[Role, Aspect] | None = None) -> None:
        """Let the umpire rule; what he may not is passed over."""
        for line in text.splitlines():
            reading = self.system.direct(self.scene, self.world, lines_of(line), known or {})
            mustered, self._mustered = self._mustered, False
            self.add(reading.items)
            self._mustered = mustered
        self._total = self._count()

    def _heard(self, role: Role, sheet: str) -> list[Any]:
        orders, complaints = self.read(role, sheet)
        numbers = {line.number for line in lines_of(sheet)}
        if strange := [one for one in complaints if one.line not in {0, *numbers}]:
            broken(f"a complaint on a line that there is not: {strange[0]}")
        unfit = {one.line for one in complaints if one.judgement.refuses or one.judgement is Judgement.NOT_USED}
        self.taken += [line.text for line in lines_of(sheet) if line.number not in unfit]
        self.read_lines += len(numbers)
        self.refused += sum(one.judgement.refuses for one in complaints)
        return orders

    def _resolve(self, orders: Mapping[Role, Sequence[Any]], given: Mapping[str, str]) -> None:
        answers: dict[str, str] = {}
        for _ in range(1000):
            done = self.system.resolve(self.scene, self.world, orders, answers, self.dice(self.pause.moment), "pause")
            if not done.asks:
                self.add(done.facts)
                return
            answers |= {query.key: self.answer(query, given) for query in done.asks}
        raise Breach("questions without end: a thousand in one exchange")

    def answer(self, query: Any, given: Mapping[str, str]) -> str:
        """The answer to a question of the rules."""
        return given.get(query.key, str(query.otherwise))

    def _see_answers(self) -> None:
        """Every order that was read is answered for by its line, at the latest when its turn is over."""
        silent: tuple[str, ...] = getattr(tongue_of(self.system.name), "UNANSWERED", ())
        answered = {
            (role, told.moment.whole, told.line) for role in self.roles for told in self.told[role] if told.line
        }
        turn = None if self.over else self.pause.moment.turn
        heads: Any = getattr(tongue_of(self.system.name), "heads", lambda order, line: (order.line,))
        left = []
        for role, moment, order, line in self._owed:
            verb = str(order.__struct_config__.tag)
            if verb in silent or any((role, moment, one) in answered for one in (line, *heads(order, line))):
                continue
            if moment.turn == turn:
                left.append((role, moment, order, line))
                continue
            broken(f"unanswered {verb}: nothing says what became of line {line} of {moment}, `{order.text}`, {role}")
        self._owed = left

    def _lines(self, order: Order) -> tuple[int, ...]:
        """The lines of an order, each of which is answered for; of most its own."""
        lines: Any = getattr(tongue_of(self.system.name), "lines", None)
        return (order.line,) if lines is None else tuple(lines(order))

    def _see_pages(self) -> None:
        opened = {throw for throw in self.thrown.values() if throw.seed == "open"}
        self.thrown.clear()
        if self.shuffled:
            broken(f"a shuffle of the open seed: {self.shuffled}")
        for role in self.roles:
            page = self.page(role)
            shown = {throw for told in (*page.happened, *page.ordered) for note in told.notes for throw in note.dice}
            if missing := opened - shown:
                broken(f"an open throw is hidden: {role} is not shown {missing}")
            if page.template and not self.over:
                refused = [one for one in self.read(role, "\n".join(page.template))[1] if one.judgement.refuses]
                if refused:
                    line = page.template[refused[0].line - 1] if refused[0].line else ""
                    broken(f"a template is refused: {role}, `{line}`: {refused[0].why}")

    def see_replay(self) -> None:
        """See that the facts alone, out of the log, give the same world, and that it can be kept.

        :raises Breach: if they do not.
        """
        # A union of a tuple has no other notation.
        kinds = msgspec.json.Decoder(Union[self.system.facts])  # noqa: UP007
        world: World[Any, Any] = self.blank
        for fact in self.facts:
            world = apply(self.system, world, kinds.decode(msgspec.json.encode(fact)))
        if world != self.world:
            broken("the fold of facts is not the world: at the end")
        truth = msgspec.json.encode(self.world.truth)
        if msgspec.json.decode(truth, type=self.system.state) != self.world.truth:
            broken("the truth cannot be kept: it is another when it is read again")


def _told(fact: Outcome) -> str:
    """A fact in short."""
    words = {
        name: value
        for name in fact.__struct_fields__
        if name not in ("known", "changes", "shows") and (value := getattr(fact, name))
    }
    return f"{kind_of(fact)} {re.sub(r'msgspec.', '', str(words))}"[:900]


def game_of(story: Story) -> Watched:
    """The game of a story at its beginning."""
    return Watched(registry.load(story.system), story.scenario, options=story.options, luck=story.luck)


def breach_of(story: Story) -> tuple[Breach | None, int]:
    """Play a story: what it breaks, and in which of its steps."""
    number = 0
    try:
        game = game_of(story)
        for number, step in enumerate(story.steps):  # noqa: B007 - said when it breaks
            game.take(step)
        game.see_replay()
    except Breach as breach:
        return breach, number
    except Exception as error:
        return raised(error), number
    return None, number


def raised(error: Exception) -> Breach:
    """An error as a breach, by where it was raised."""
    trace, last = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        last = (
            f"{code.co_filename.rpartition('/')[2]} {code.co_name} {trace.tb_lineno}"
            if "pbem" in code.co_filename
            else last
        )
        trace = trace.tb_next
    return Breach(f"raises {type(error).__name__} in {last}: {error}")
