"""The player: he plays games by whatever may be ordered, and tells what was broken and what was reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import ceil
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.orders.sheet import Judgement, lines_of
from pbem.orders.suggest import patience
from pbem.rules import registry
from tests.player.speech import Said, Speech
from tests.player.story import Step, Story
from tests.player.unseen import see_nothing_changes
from tests.player.watch import Breach, Speaks, Tongue, Watched, raised, tongue_of
from tests.systems.play import scenarios
from tests.systems.secret import plug, sheet

TRIES = 15
"""Lines thought of for a sheet."""
IDEAS = 24
"""Of the lines that are seldom fit so many are kept at most."""
ENOUGH = 50
"""How often each verb and each value is to be reached in a long run."""
EXCHANGES = 60
"""Of one game at most."""
TWENTIETH = 20
"""At one exchange in so many, something unseen is changed."""


def values_of(system: str) -> dict[str, tuple[Option, ...]]:
    """What each option of *system* is tried as, by its name; `sp_cap.french` is a part of one."""
    ledger = registry.ledger_of(system).options.values()
    listed = {choice.name: choice.values for choice in ledger if isinstance(choice.values, tuple)}
    return {name: tuple(one for one in some if isinstance(one, str | int | bool)) for name, some in listed.items()} | {
        **getattr(tongue_of(system), "VALUES", {})
    }


class Found(NamedTuple):
    """What was broken, and the story that breaks it."""

    breach: Breach
    story: Story


@dataclass
class Tally:
    """What a run came to."""

    games: int = 0
    turns: int = 0
    exchanges: int = 0
    lines: int = 0
    refused: int = 0
    unseen: int = 0
    """How often something was changed that a role could not see."""
    boards: Counter[str] = field(default_factory=Counter)
    """Turns on each board."""
    options: Counter[str] = field(default_factory=Counter)
    """Turns under each value of each option of the game."""
    uncited: Counter[str] = field(default_factory=Counter)
    """Kinds of facts that cite no rule."""
    parts: frozenset[str] = frozenset()
    """All that the language has, and that can be said."""
    found: list[Found] = field(default_factory=list)

    def joined(self, other: Tally) -> Tally:
        """What two runs came to together."""
        return Tally(
            **{
                one.name: getattr(self, one.name) | getattr(other, one.name)
                if one.name == "parts"
                else getattr(self, one.name) + getattr(other, one.name)
                for one in fields(self)
            }
        )


class Wanderer:
    """A run of one system: its games follow from its seed."""

    def __init__(self, system: str, seed: int, boards: Sequence[str] = ()) -> None:
        self.system, self.seed = system, seed
        self.boards = tuple(boards) or scenarios(system)
        self.speech = Speech(plug(system).GRAMMAR)
        self.tongue: Tongue = tongue_of(system)
        never: tuple[str, ...] = getattr(self.tongue, "NEVER", ())
        self.tally = Tally(parts=frozenset(one for one in self.speech.parts if not one.startswith(never or ("\0",))))

    def run(self, turns: int, *, told: Callable[[Found], None] = lambda found: None) -> Tally:
        """Play so many turns, game after game; a game ends where it breaks something."""
        while self.tally.turns < turns:
            random = Random(f"{self.system} {self.seed} {self.tally.games}")
            board = max(self.boards, key=lambda name: self._left(name, turns))
            self.tally.games += 1
            found = self.game(board, random, min(self._left(board, turns), turns - self.tally.turns))
            if found is not None:
                self.tally.found.append(found)
                told(found)
        return self.tally

    def _left(self, board: str, turns: int) -> int:
        """What is left to a board of a run of so many turns: the largest has a third of them, the others the rest."""
        largest = getattr(self.tongue, "LARGEST", "")
        others = len(self.boards) - (largest in self.boards)
        share = 1 / 3 if board == largest and others else 2 / 3 / others if largest in self.boards and others else 0.0
        return ceil(turns * (share or 1 / len(self.boards))) - self.tally.boards[board]

    # ------------------------------------------------------------ one game

    def game(self, board: str, random: Random, most: int) -> Found | None:
        """Play one game; what it broke, if anything."""
        story = Story(
            system=self.system, scenario=board, luck=f"{random.random()}", options=dict(self._options(random))
        )
        steps: list[Step] = []
        game: Watched | None = None
        due = 0
        try:
            game = Asked(registry.load(self.system), board, options=story.options, luck=story.luck)
            game.random = random
            for _ in range(EXCHANGES):
                if game.over or self._turns(game) >= most:
                    break
                step = self._step(game, random)
                steps.append(step)
                try:
                    game.take(step)
                finally:
                    steps[-1] = replace(step, answers=dict(game.answered))
                    game.answered.clear()
                    self._count_lines(game)
                self.tally.exchanges += 1
                due += random.random() < 1 / TWENTIETH
                if due and not game.over:
                    made = see_nothing_changes(game, self._step(game, random), self.tongue, random)
                    self.tally.unseen, due = self.tally.unseen + made, due - made
            game.see_replay()
        except Breach as breach:
            return Found(breach, story.with_steps(tuple(steps)))
        except Exception as error:
            return Found(raised(error), story.with_steps(tuple(steps)))
        finally:
            if game is not None:
                self._count(game, board, story.options)
        return None

    def _count_lines(self, game: Watched) -> None:
        for line in game.taken:
            self.speech.ordered(line.strip())
        game.taken.clear()

    def _turns(self, game: Watched) -> int:
        count: Callable[[Watched], int] = getattr(self.tongue, "turns", lambda one: one.pause.moment.turn)
        return count(game)

    def _count(self, game: Watched, board: str, options: Mapping[str, Option]) -> None:
        turns = max(1, self._turns(game))
        self.tally.turns += turns
        self.tally.boards[board] += turns
        self.tally.lines += game.read_lines
        self.tally.refused += game.refused
        self.tally.uncited += game.uncited
        for choice in registry.ledger_of(self.system).options.values():
            self.tally.options[f"{choice.name} = {options.get(choice.name, choice.default)}"] += turns
        for name in options.keys() - registry.ledger_of(self.system).options:
            self.tally.options[f"{name} = {options[name]}"] += turns

    def _options(self, random: Random) -> Iterator[tuple[str, Option]]:
        """Half of the games under options by lot, of each that value which was tried least."""
        if random.random() < 0.5:
            return
        listed = values_of(self.system)
        for name in random.sample(list(listed), min(len(listed), random.randint(1, 8))):
            yield name, min(listed[name], key=lambda one: self.tally.options[f"{name} = {one}"])

    # ------------------------------------------------------------ one sheet

    def _step(self, game: Watched, random: Random) -> Step:
        sheets = {
            call.role: self._sheet(game, call.role, random) for call in game.pause.calls if random.random() < 0.95
        }
        rulings = self.tongue.rulings(game, random) if random.random() < 0.04 else ""
        return Step(sheets=sheets, rulings=rulings)

    def _sheet(self, game: Watched, role: Role, random: Random) -> str:
        """What was thought of and would be taken, some of what is likely, and a little that would be refused."""
        kept: list[str] = []
        speaker = self.tongue.Speaker(game, role, random)
        for _ in range(TRIES):
            chunk, good = self._chunk(game, role, random, speaker)
            if good or random.random() < 0.04:
                kept.append(chunk)
        ideas: Any = getattr(self.tongue, "ideas", None)
        most = random.randint(2, IDEAS)
        kept += self.speech.scarcest(ideas(game, role, random), most, random) if ideas is not None else []
        if random.random() < 0.7:
            likely = sheet(game, role, plug(self.system), random)
            return "\n".join([likely, *kept] if random.random() < 0.5 else [*kept, likely])
        return "\n".join(kept)

    def _chunk(self, game: Watched, role: Role, random: Random, speaker: Speaks) -> tuple[str, bool]:
        """One line, or a block of lines, and whether it would be taken."""
        said = list[Said]()
        pause = game.pause
        when = f"{role} {pause.moment.turn == 0} {pause.name} {pause.moment.halt > 0}"
        speaker.begin()

        def draw(verbs: Mapping[str, float] | None = None) -> str:
            said.append(self.speech.say(random, speaker.word, when, verbs))
            return said[-1].text

        makes: Any = getattr(self.tongue, "chunk", None)
        lines = [draw()] if makes is None else makes(draw, random)
        # Whether a line is taken is all that is asked: what was perhaps meant takes longer than the line.
        with patience(0):
            reading = game.system.read(
                game.scene, lines_of("\n".join(lines)), game.world.minds[role], role, pause.call(role)
            )
        unfit = [one for one in reading.complaints if one.judgement.refuses or one.judgement is Judgement.NOT_USED]
        good = bool(reading.items) and not unfit
        for one in said:
            self.speech.heard(one, when, taken=good)
        return "\n".join(lines), good


class Asked(Watched):
    """A game whose questions are answered by lot; the answers are kept."""

    random = Random(0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.answered: dict[str, str] = {}
        super().__init__(*args, **kwargs)

    def answer(self, query: Any, given: Mapping[str, str]) -> str:
        if query.options and self.random.random() < 0.5:
            self.answered[query.key] = self.random.choice(query.options)
            return self.answered[query.key]
        return super().answer(query, given)
