"""A scenario played many times by standing orders, to see who wins: without an office, and on all cores.

Every game has a number, and all of it follows from that number, the seed of the study, and the files: it can be
played again alone, and how many processes play makes no difference.
"""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import msgspec
from msgspec import Struct

from pbem.desk.library.scenarios import Scenario, check_scenario, files_of
from pbem.desk.study import findings
from pbem.desk.study.doctrine import Doctrine
from pbem.desk.study.findings import BROKEN, NOBODY, UNFINISHED, Course, Orders, Rules, Said, Study
from pbem.desk.worlds.worlds import AnyWorld, as_written, fold_facts
from pbem.kernel.dice import SEED_BYTES, SeededDice
from pbem.kernel.digest import digest_of
from pbem.kernel.errors import Refused
from pbem.kernel.event import kind_of
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import Option
from pbem.kernel.owed import Call
from pbem.orders.sheet import Judgement
from pbem.rules import registry
from pbem.rules.contract import AnySystem, Resolution, World
from pbem.rules.options import see_options


class Start(Struct, frozen=True, kw_only=True):
    """A position from which all games are played on."""

    said: str
    """Which it is."""
    world: AnyWorld
    role: Role | None = None
    """Of a role: of the world its mind alone is used, and each game supposes a world of its own that looks so."""


class Plan(Struct, frozen=True, kw_only=True):
    """What is to be played, and how: all that the games follow from."""

    scenario: Scenario
    options: Mapping[str, Option]
    orders: Mapping[Role, Doctrine]
    """For every role."""
    seed: str
    turns: int
    """Past this turn a game is not played."""
    start: Start | None = None
    """None: from the beginning of the scenario."""


class Entry(Struct, frozen=True):
    """One event of a game: a fact, or, of a role, the orders that it sent."""

    turn: str
    role: Role | None
    kind: str
    event: Any


class Sent(Struct, frozen=True):
    """How often a line of standing orders was sent where its kind counts, and taken, and why first it was not."""

    sent: int = 0
    taken: int = 0
    why: str = ""


Lines = Mapping[tuple[Role, int], Sent]
"""By role, and number of the line in the role's file."""


class Played(Struct, frozen=True):
    """A game, what became of the lines, and, where it was asked for, all that came to pass."""

    course: Course
    lines: Lines
    log: tuple[Entry, ...] = ()


class Table:
    """A scenario laid out, at which game after game is played."""

    def __init__(self, plan: Plan) -> None:
        """Lay out what *plan* says.

        :raises BadScenario: if the scenario cannot be opened.
        :raises Refused: on an option that the system does not have; if it cannot suppose what a role does not know.
        """
        self.plan = plan
        self.system: AnySystem = registry.load(plan.scenario.card.system)
        self.scene = self.system.scene(files_of(plan.scenario.content))
        self.blank: AnyWorld = self.system.blank(self.scene, plan.options)
        see_options(self.blank.truth, plan.options)
        if plan.start is not None and plan.start.role is not None:
            self.suppose = _supposing(self.system)

    def begin(self, dice: SeededDice) -> AnyWorld | None:
        """Where a game is played on from; None: it begins with its muster."""
        start = self.plan.start
        if start is None:
            return None
        if start.role is None:
            return start.world
        return World(*self.suppose(self.scene, start.world.minds[start.role], start.role, dice))

    def play(self, number: int, *, log: bool = False) -> Played:
        """Play game *number*; what breaks the rules ends it, and is told."""
        game = _Game(self, number, log=log)
        try:
            result, how = game.play()
        except Exception as error:
            result, how = BROKEN, f"{game.moment}: {type(error).__name__}: {error}"
        course = Course(number=number, result=result, how=how, turns=game.turns, changed=game.changed())
        return Played(course, game.lines, tuple(game.log))


def _supposing(system: AnySystem) -> Callable[..., tuple[Any, Mapping[Role, Any]]]:
    """What fills in what a role does not know.

    :raises Refused: if the system cannot.
    """
    found = system.chances
    if found is None or found.suppose is None:
        why = found.cannot if found is not None else "it says nothing of chances"
        raise Refused(f"{system.title} cannot be studied as a role: {why}.  As it truly was: without --as.")
    return found.suppose


class _Game:
    def __init__(self, table: Table, number: int, *, log: bool) -> None:
        self.table, self.system, self.number = table, table.system, number
        self.world = table.blank
        self.moment, self.turns = Moment(0, 0), 0
        self.begun: Mapping[str, int | Fraction] | None = None
        self.lines: dict[tuple[Role, int], Sent] = {}
        self.keeps, self.log = log, list[Entry]()

    def play(self) -> tuple[str, str]:
        """Play to the end, or to where the study stops; gives the result, and how it came to it."""
        system, plan = self.system, self.table.plan
        begins = self.table.begin(self.dice(self.moment))
        if begins is None:
            self.add(system.muster(self.table.scene, self.world, self.dice(self.moment)))
        else:
            self.world = begins
        total = self.total()
        while (verdict := system.verdict(self.world.truth)) is None:
            pause = system.awaits(self.world.truth)
            if pause.moment <= self.moment:
                raise ValueError(f"after {self.moment} comes {pause.moment}")
            if pause.moment.turn > plan.turns:
                return UNFINISHED, f"not over after turn {plan.turns}"
            self.moment, self.turns = pause.moment, pause.moment.turn
            if self.turns and self.begun is None:
                self.begun = system.counts(self.world.truth)
            called = {call.role: call for call in pause.calls}
            orders = {role: self.read(role, called[role]) for role in sorted(called)}
            self.resolve({role: items for role, items in orders.items() if items is not None})
            if (now := self.total()) != total:
                raise ValueError(f"there were {total} figures, and now there are {now}")
        return verdict.winner or NOBODY, verdict.how

    def read(self, role: Role, call: Call) -> Sequence[Any] | None:
        """The orders of *role* for now; None for silence."""
        lines = self.table.plan.orders[role].sheet(self.moment)
        if not lines:
            return None
        reading = self.system.read(self.table.scene, lines, self.world.minds[role], role, call)
        counting = [one for one in reversed(reading.complaints) if one.judgement is not Judgement.DOUBTFUL]
        wrong = {one.line: one.why for one in counting}
        unused = {one.line for one in counting if one.judgement is Judgement.NOT_USED}
        for line in lines:
            if line.number in unused:
                continue
            so_far = self.lines.get((role, line.number), Sent())
            why = wrong.get(line.number)
            self.lines[role, line.number] = Sent(
                so_far.sent + 1, so_far.taken + (why is None), so_far.why or (f"{self.moment}: {why}" if why else "")
            )
        if self.keeps:
            sent = [{"line": one.number, "text": one.text, "refused": wrong.get(one.number, "")} for one in lines]
            self.log.append(Entry(str(self.moment), role, "orders", sent))
        return reading.items

    def resolve(self, orders: Mapping[Role, Sequence[Any]]) -> None:
        """Play on; a question is answered as it is when nobody answers."""
        answers: dict[str, str] = {}
        while True:
            resolution: Resolution[Any] = self.system.resolve(
                self.table.scene, self.world, orders, answers, self.dice(self.moment.whole), "pause"
            )
            if not resolution.asks:
                break
            answers |= {query.key: query.otherwise for query in resolution.asks}
        self.add(resolution.facts)

    def add(self, facts: Sequence[Any]) -> None:
        """Let *facts* come to pass, as the log of an office would have them."""
        kept = as_written(self.system, facts)
        self.world = fold_facts(self.system, self.world, kept)
        if self.keeps:
            self.log += [Entry(str(self.moment), None, kind_of(type(fact)), fact) for fact in kept]

    def dice(self, moment: Moment) -> SeededDice:
        """The dice of a moment of this game."""
        seeds = seeds_of(self.table.plan, self.number, moment)
        return SeededDice(moment, open_seed=seeds[0], closed_seed=seeds[1], forced={})

    def total(self) -> int | Fraction:
        """All that is counted, which nothing in a game changes."""
        return sum(self.system.counts(self.world.truth).values())

    def changed(self) -> dict[str, int]:
        """What has changed since set-up, by the names of what is counted."""
        now = self.system.counts(self.world.truth)
        before = self.begun or now
        return {name: round(now.get(name, 0) - before.get(name, 0)) for name in sorted({*before, *now})}


def seeds_of(plan: Plan, number: int, moment: Moment) -> tuple[bytes, bytes]:
    """The open and the closed seed of *moment* in game *number*."""

    def seed(which: str) -> bytes:
        return hashlib.sha256(f"{plan.seed}/{number}/{moment}/{which}".encode()).digest()[:SEED_BYTES]

    return seed("open"), seed("closed")


def log_lines(played: Played) -> Iterator[bytes]:
    """The log of a game, one event a line, as JSON."""
    for entry in played.log:
        yield msgspec.json.encode(entry) + b"\n"


def roles_of(scenario: Scenario) -> tuple[Role, ...]:
    """The roles of *scenario*.

    :raises BadScenario: if its system cannot open it.
    """
    check_scenario(scenario)
    return tuple(part.role for part in scenario.card.roles)


def study(plan: Plan, games: int, *, jobs: int, done: Callable[[int], None]) -> Study:
    """Play *games* games in *jobs* processes; *done* is told how many are played.

    An interrupt ends it, and what was played is what counts.

    :raises BadScenario: if the scenario cannot be opened.
    :raises Refused: on an option that the system does not have; if no game was played, or a process died.
    """
    table = Table(plan)
    together = min(jobs, games) > 1
    played = _together(plan, games, jobs, done) if together else _alone(table, games, done)
    if not played:
        raise Refused("it was broken off before a game was over.")
    return _found(table, games, played)


def _alone(table: Table, games: int, done: Callable[[int], None]) -> list[Played]:
    played: list[Played] = []
    with suppress(KeyboardInterrupt):
        for number in range(1, games + 1):
            played.append(table.play(number))
            done(number)
    return played


def _together(plan: Plan, games: int, jobs: int, done: Callable[[int], None]) -> list[Played]:
    """Play in several processes; at an interrupt the games that have begun are played to their end."""
    # Spawned, not forked: a fork would share what this process has open.
    pool = ProcessPoolExecutor(
        min(jobs, games), mp_context=get_context("spawn"), initializer=_sit_down, initargs=(plan,)
    )
    futures = [pool.submit(_play, number) for number in range(1, games + 1)]
    try:
        with suppress(KeyboardInterrupt):
            for count, future in enumerate(as_completed(futures), start=1):
                future.result()
                done(count)
    except BrokenProcessPool:
        raise Refused("a process that played was ended from outside.  Try again with fewer: --jobs 1.") from None
    finally:
        pool.shutdown(cancel_futures=True)
    return [future.result() for future in futures if not future.cancelled()]


_table: Table | None = None
"""Of a process that plays for another."""


def _sit_down(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that asked
    global _table
    _table = Table(plan)


def _play(number: int) -> Played:
    assert _table is not None, "the process began with _sit_down"
    return _table.play(number)


def _found(table: Table, games: int, played: Sequence[Played]) -> Study:
    plan, system = table.plan, table.system
    courses = tuple(one.course for one in played)
    return Study(
        scenario=plan.scenario.name,
        digest=plan.scenario.digest,
        rules=Rules(system.name, system.version, registry.content_hash(system)),
        options=plan.options,
        orders={role: Orders(one.name, digest_of(msgspec.json.encode(one))) for role, one in plan.orders.items()},
        seed=plan.seed,
        turns=plan.turns,
        start=plan.start.said if plan.start else "",
        games=games,
        played=len(courses),
        shares=findings.shares(courses, tuple(plan.orders)),
        length=findings.length(courses),
        changed=findings.changed(courses),
        said=tuple(_said(plan, played)),
        each=courses,
    )


def _said(plan: Plan, played: Sequence[Played]) -> Iterator[Said]:
    for role, one in plan.orders.items():
        for line in one.lines:
            sent = [game.lines[role, line.number] for game in played if (role, line.number) in game.lines]
            yield Said(
                role,
                line.number,
                line.text.strip(),
                sum(each.sent for each in sent),
                sum(each.taken for each in sent),
                next((each.why for each in sent if each.why), ""),
            )
