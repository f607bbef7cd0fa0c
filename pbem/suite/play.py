"""Play a game of any system without an office: for the suite, and for tests of one's own.

A game is begun by its system and scenario, `Game(registry.load("mine"), "first")`, and played on with a sheet of each
role, `game.play({"red": "march r1 to ford"})`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Self

from msgspec.structs import replace

from pbem.kernel.dice import SEED_BYTES, SeededDice
from pbem.kernel.event import Outcome, Seed, Throw
from pbem.kernel.names import Aspect, Moment, Role
from pbem.kernel.office import Option
from pbem.kernel.owed import Pause
from pbem.orders.sheet import Complaint, lines_of
from pbem.rules.contract import AnySystem, Resolution, World, apply, form
from pbem.rules.view import Told, View
from pbem.suite.places import files


@lru_cache(maxsize=32)
def _ground(parse: Callable[[dict[str, Any]], Any], system: str, scenario: str) -> Any:
    return parse(files(system, scenario))


def seed(text: str) -> bytes:
    """A seed that is always the same for *text*."""
    return hashlib.sha256(text.encode()).digest()[:SEED_BYTES]


class Watched(SeededDice):
    """Dice that tell *thrown* of every throw, and *shuffled* of every shuffle of the open seed, by name."""

    def __init__(self, moment: Moment, name: str, thrown: dict[str, Throw], shuffled: set[str]) -> None:
        super().__init__(moment, open_seed=seed(f"open {name}"), closed_seed=seed(f"closed {name}"), forced={})
        self.thrown, self.shuffled = thrown, shuffled

    def throw(self, purpose: str, place: str, /, *, sides: int = 6, count: int = 1, seed: Seed = "open") -> Throw:
        thrown = super().throw(purpose, place, sides=sides, count=count, seed=seed)
        self.thrown[thrown.name] = thrown
        return thrown

    def shuffle(self, purpose: str, place: str, cards: Sequence[str], /, *, seed: Seed = "closed") -> tuple[str, ...]:
        if seed == "open":
            self.shuffled.add(f"{purpose}/{place}")
        return super().shuffle(purpose, place, cards, seed=seed)


class Game:
    """A game being played; all that came to pass stands in `facts`, and every throw, in a fact or not, in `thrown`.

    A *bare* one begins on the empty field, for a position of one's own (`rule`); *luck* is any text: the same throws
    the same dice.
    """

    def __init__(
        self,
        system: AnySystem,
        scenario: str,
        *,
        options: Mapping[str, Option] | None = None,
        luck: str = "luck",
        bare: bool = False,
    ) -> None:
        self.system, self.scenario, self.options = system, scenario, dict(options or {})
        self.scene = self._scene()
        self.luck = luck
        self.blank: World[Any, Any] = system.blank(self.scene, self.options)
        self.world = self.blank
        self.facts: list[Outcome] = []
        self.moments: list[Moment] = []
        """Of each fact the exchange in which it came to pass."""
        self.thrown: dict[str, Throw] = {}
        self.shuffled: set[str] = set()
        self.told: dict[Role, list[Told]] = {role: [] for role in self.world.minds}
        if not bare:
            self.add(system.muster(self.scene, self.world, self.dice(Moment(0, 0))))

    def _scene(self) -> Any:
        """A scene never changes, and what was worked out of its ground is good for the next game on it."""
        return _ground(self.system.scene, self.system.name, self.scenario)

    def fork(self) -> Self:
        """A game that stands where this one does, and can be played on without it."""
        other = copy(self)
        other.facts, other.moments = [*self.facts], [*self.moments]
        other.thrown, other.shuffled = {**self.thrown}, {*self.shuffled}
        other.told = {role: [*told] for role, told in self.told.items()}
        return other

    @property
    def roles(self) -> tuple[Role, ...]:
        """All roles, in the order of the alphabet."""
        return tuple(sorted(self.world.minds))

    @property
    def pause(self) -> Pause:
        """Where play stands."""
        return self.system.awaits(self.world.truth)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.system.verdict(self.world.truth) is not None

    def dice(self, moment: Moment) -> SeededDice:
        """The dice of a moment: always the same under one *luck*; at a halt, those of its exchange."""
        moment = moment.whole
        return Watched(moment, f"{self.luck}/{moment}", self.thrown, self.shuffled)

    def add(self, facts: Sequence[Outcome]) -> None:
        """Let *facts* come to pass."""
        moment = self.pause.moment.whole
        for fact in facts:
            self.moments.append(moment)
            for role in self.roles:
                shown = form(self.system, fact, role)
                if shown is not None:
                    mind = self.world.minds[role]
                    self.told[role] += self.system.tell(self.scene, shown, mind, role)
            self.world = apply(self.system, self.world, fact)
            self.facts.append(fact)

    def rule(self, text: str, known: Mapping[Role, Aspect] | None = None) -> None:
        """Let the GM rule, by directives of the game.

        :raises ValueError: saying what is wrong with one, if it cannot be carried out.
        """
        for line in lines_of(text):
            reading = self.system.direct(self.scene, self.world, [line], known or {})
            for complaint in reading.complaints:
                raise ValueError(f'"{line.text.strip()}": {complaint.why}')
            self.add(reading.items)

    def read(self, role: Role, text: str) -> tuple[list[Any], list[Complaint]]:
        """The orders in *text*, and what is wrong with it."""
        call = self.pause.call(role)
        reading = self.system.read(self.scene, lines_of(text), self.world.minds[role], role, call)
        return list(reading.items), list(reading.complaints)

    def resolve(self, orders: Mapping[Role, Sequence[Any]]) -> None:
        """Play on to the next pause; questions are answered by what is taken when nobody answers."""
        answers: dict[str, str] = {}
        while True:
            resolution: Resolution[Outcome] = self.system.resolve(
                self.scene, self.world, orders, answers, self.dice(self.pause.moment), "pause"
            )
            if not resolution.asks:
                break
            answers |= {query.key: query.otherwise for query in resolution.asks}
        self.add(resolution.facts)

    def play(self, sheets: Mapping[Role, str]) -> None:
        """Read the sheets and play on; lines that are refused fall away."""
        self.resolve({role: self.read(role, text)[0] for role, text in sheets.items()})

    def page(self, role: Role) -> View:
        """The page of *role*."""
        return self.system.view(self.scene, self.world.minds[role], role, self.told[role], self.own_pause(role))

    def own_pause(self, role: Role) -> Pause:
        """Where play stands as *role* may know it: a halt of others is not there."""
        pause = self.pause
        own = tuple(call for call in pause.calls if call.role == role)
        if pause.moment.halt and not own:
            return Pause(moment=pause.moment.whole, name="", calls=())
        return replace(pause, calls=own)

    def settle(self, role: Role) -> None:
        """Play on in silence where only others are asked: nothing reaches *role* meanwhile."""
        while not self.over and self.pause.moment.halt and self.pause.call(role) is None:
            self.resolve({})

    def silence(self, exchanges: int) -> Iterator[Moment]:
        """Play *exchanges* exchanges, or to the end, without any orders; gives each moment played, halts too."""
        while not self.over and (exchanges or self.pause.moment.halt):
            moment = self.pause.moment
            exchanges -= not moment.halt
            self.resolve({})
            yield moment


class Apart(Game):
    """A game on a ground of its own: what is remembered of the ground of another could make the two alike."""

    def _scene(self) -> Any:
        return self.system.scene(files(self.system.name, self.scenario))
