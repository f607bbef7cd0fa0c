"""A stretch of play: facts are applied as they come to pass, so that the next step sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, ParamSpec

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.dice import Dice
from pbem.kernel.event import Seed, Throw
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.orders.sheet import Order
from pbem.rules.contract import Fold, World
from pbem.rules.stretch import Stretch
from pbem.rules.view import Result
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.mind.fog import Revealed, sightings
from pbem.systems.empire_1870.mind.memory import learn
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world.fact import OPEN, PUBLIC, Fact, owner_only, seen
from pbem.systems.empire_1870.world.orders import AnyOrder
from pbem.systems.empire_1870.world.outcomes import OrderPlayed
from pbem.systems.empire_1870.world.parts import SIDES, Hq
from pbem.systems.empire_1870.world.stacks import Stack
from pbem.systems.empire_1870.world.state import War, evolve

_OWN_AFFAIR = ("Set", "Skipped", "Played", "Sighted", "Failed")
"""Ends of the names of facts that under `fog` open too are known to their owner alone."""

Fields = ParamSpec("Fields")


class Play(Stretch[Scene, War, War, AnyOrder, Fact]):
    """One call of `resolve` or of `direct`: the truth and what each side knows, as they become."""

    fold: ClassVar = Fold(evolve, learn, seen)

    def __init__(
        self,
        scene: Scene,
        world: World[War, War],
        orders: Mapping[Role, Sequence[AnyOrder]],
        answers: Answers,
        dice: Dice,
    ) -> None:
        super().__init__(scene, world, {side: orders.get(side, ()) for side in SIDES}, answers, dice)
        self._fields: dict[str, Field] = {}
        self._thrown: Counter[tuple[str, str]] = Counter()
        self.fire_losses = 0
        """German SP eliminated by fire in this activation (`vp_cft_losses`)."""

    @property
    def war(self) -> War:
        """The theatre of war as it now is."""
        return self.truth

    # -------------------------------------------------------------- facts

    def add(self, *facts: Fact) -> None:
        """Let facts come to pass; fills in the clock, and who knows of them."""
        for fact in facts:
            self.commit(replace(fact, **self._clock(fact), known=self._known(fact)))

    def happens(self, kind: Callable[Fields, Fact], *args: Fields.args, **fields: Fields.kwargs) -> None:
        """Let a fact of this *kind* come to pass."""
        self.add(kind(*args, **fields))

    def answer(self, side: Role, order: Order, result: Result, reason: str = "", *rules: str, sheet: int = 0) -> None:
        """Tell a side what became of a line of its sheet; *sheet*: the pulse for which that was sent, if not this."""
        head = owner_only(side, *rules)
        self.happens(OrderPlayed, **head, line=order.line, result=result, text=order.text, reason=reason, sheet=sheet)

    def _clock(self, fact: Fact) -> dict[str, object]:
        war = self.war
        return {
            "turn": fact.turn or war.turn,
            "pulse": fact.pulse or war.pulse,
            "activation_no": fact.activation_no or war.activation_no,
            "phase": fact.phase or war.phase,
            "hq_sides": {name: war.hqs[name].side for name in fact.hqs if name in war.hqs},
        }

    def _known(self, fact: Fact) -> dict[Role, str]:
        """Under `fog` open whatever is one side's is known to the other too, but for plans and policies."""
        if self.war.options.fog != "open":
            return dict(fact.known)
        whose = SIDES if not type(fact).__name__.endswith(_OWN_AFFAIR) else tuple(fact.known)
        return {side: OPEN if fact.known.get(side, PUBLIC) == PUBLIC else fact.known[side] for side in whose}

    def look(self, revealed: Revealed | None = None) -> None:
        """Let both sides see what they now see; *revealed*: what a combat or a fire has just shown of the enemy."""
        self.add(*sightings(self.scene, self.truth, self.minds, revealed or {}))

    @property
    def field(self) -> Field:
        """The map as it now is."""
        return self._field("", self.truth)

    def knowledge(self, side: Role) -> Field:
        """The map as *side* knows it."""
        return self._field(side, self.minds[side])

    def _field(self, whose: str, war: War) -> Field:
        before = self._fields.get(whose)
        if before is not None and before.war is war:
            return before
        self._fields[whose] = Field(self.scene, war, before)
        return self._fields[whose]

    # -------------------------------------------------------------- dice

    def throw(self, purpose: str, place: str, *, count: int = 1, seed: Seed = "open") -> Throw:
        """Dice named by what both sides see: the activation, the place, and which of its kind it is there.

        `a12/2306`, and the second of them `a12/2306/2`: nothing in a name tells of a side's sheet.
        """
        name = f"a{self.war.activation_no}/{place}"
        self._thrown[purpose, name] += 1
        number = self._thrown[purpose, name]
        return self.dice.throw(purpose, f"{name}/{number}" if number > 1 else name, count=count, seed=seed)

    # -------------------------------------------------------------- pieces

    def stack(self, side: Role, at: Hex) -> Stack:
        """The SP of a side in a hex, as they now are."""
        return self.field.stack(side, at)

    def hq(self, name: str) -> Hq:
        """An HQ as it now is."""
        return self.war.hqs[name]
