"""A stretch of play: facts are applied as they come to pass, so that the next step sees them.

The core of what each system calls its play.  Whatever happens goes through `commit`, which is the only place where a
role comes to know anything: it learns its own form of each fact, and nothing else (`contract.teach`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, Self, TypeVar

from pbem.kernel.dice import Dice, ScriptedDice
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Answers, Query
from pbem.rules.contract import Asked, Fold, Resolution, World, teach

Scene = TypeVar("Scene")
State = TypeVar("State")
Mind = TypeVar("Mind")
Order = TypeVar("Order")
Fact = TypeVar("Fact", bound=Outcome)


class Stretch(Generic[Scene, State, Mind, Order, Fact]):
    """One call of `resolve`, of `muster` or of `direct`: the truth and what each role knows, as they become.

    A system says in *fold* how its facts count; it adds to a fact what follows from where play stands, and then hands
    it to `commit`.
    """

    fold: ClassVar[Fold]

    def __init__(
        self,
        scene: Scene,
        world: World[State, Mind],
        orders: Mapping[Role, Sequence[Order]],
        answers: Answers,
        dice: Dice,
    ) -> None:
        self.scene, self.truth, self.minds = scene, world.truth, dict(world.minds)
        self.orders = {role: tuple(some) for role, some in orders.items()}
        self.answers, self.dice = answers, dice
        self.facts: list[Fact] = []

    @classmethod
    def ruled(cls, scene: Scene, world: World[State, Mind]) -> Self:
        """A stretch in which the GM alone acts: nobody has ordered anything, and nothing is thrown."""
        return cls(scene, world, {}, {}, ScriptedDice(Moment(0), ()))

    def commit(self, fact: Fact, *, after: State | None = None) -> None:
        """Take a fact into the record and onto the field; each role that knows it learns its own form of it.

        *after*: what it makes of the truth, if that has been asked already.
        """
        self.facts.append(fact)
        self.truth = self.fold.evolve(self.truth, fact) if after is None else after
        teach(self.fold, self.minds, fact)

    def ask(self, query: Query) -> str:
        """The answer to a question.

        :raises Asked: if nobody has answered it yet.
        """
        if query.key not in self.answers:
            raise Asked(query)
        return self.answers[query.key]

    def played(self, on: Callable[[], None]) -> Resolution[Fact]:
        """What comes of playing *on*; where a question waits for its answer, the question alone."""
        try:
            on()
        except Asked as asked:
            return Resolution((), (asked.query,))
        return Resolution(tuple(self.facts))
