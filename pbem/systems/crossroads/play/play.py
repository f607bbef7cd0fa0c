"""A stretch of play: facts are applied as they come to pass, so that the next step sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TypedDict

from msgspec.structs import replace

from pbem.kernel.event import Seed, Throw
from pbem.kernel.names import Role, RuleId
from pbem.kernel.owed import Query
from pbem.rules.contract import Fold
from pbem.rules.gm_dice import typed_in
from pbem.rules.ledger import cited
from pbem.rules.stretch import Stretch
from pbem.rules.view import Result as Became
from pbem.systems.crossroads.field.field import Field, field_of
from pbem.systems.crossroads.field.sight import Looks
from pbem.systems.crossroads.mind.fog import shared_out, sighted, stirs, watches
from pbem.systems.crossroads.mind.memory import learn
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world.fact import SEEN, Fact, seen
from pbem.systems.crossroads.world.orders import AnyOrder
from pbem.systems.crossroads.world.outcomes import OrderFailed, OrderPlayed, Sighted
from pbem.systems.crossroads.world.patches import GamePatch, Policies, Watch
from pbem.systems.crossroads.world.reasons import because
from pbem.systems.crossroads.world.state import Battle, Officer, Unit, evolve

OPEN = frozenset({"deck_control"})
"""Purposes of throws that both sides are always shown.  Who is shown any other is known only after it has fallen: they
are of the closed seed, for the open one, which is printed, would tell of a throw that somebody was not shown."""


class About(TypedDict):
    """What every fact of a unit carries: the rules that shaped it, and whose it is."""

    rules: tuple[RuleId, ...]
    side: Role
    unit: str


def about(unit: Unit, *rules: str) -> About:
    """What a fact of this unit carries in any case."""
    return {"rules": cited(*rules), "side": unit.side, "unit": unit.id}


class AboutOfficer(TypedDict):
    """What every fact of an officer carries."""

    rules: tuple[RuleId, ...]
    side: Role
    officer: str


def about_him(officer: Officer, *rules: str) -> AboutOfficer:
    """What a fact of this officer carries in any case."""
    return {"rules": cited(*rules), "side": officer.side, "officer": officer.id}


class Play(Stretch[Scene, Battle, Battle, AnyOrder, Fact]):
    """One call of `resolve`, of `muster` or of `direct`: the truth and what each side knows, as they become."""

    fold = Fold(evolve, learn, seen)

    fighting: tuple[str, ...] = ()
    """Who stands in a charge that has come up, or in its melee."""

    @cached_property
    def _thrown(self) -> Counter[str]:
        """How many throws of a name there were."""
        return Counter()

    @cached_property
    def _looks(self) -> Looks:
        """Who saw whom when both sides last looked."""
        return Looks()

    @property
    def battle(self) -> Battle:
        """The field as it now is."""
        return self.truth

    @contextmanager
    def hand_to_hand(self, *names: str) -> Iterator[None]:
        """While these units fight: whatever shakes them, they neither lie down nor leave for cover (GC-MOR-05)."""
        self.fighting = names
        try:
            yield
        finally:
            self.fighting = ()

    # -------------------------------------------------------------- facts

    def add(self, fact: Fact, *, meets: Sequence[str] = ()) -> None:
        """Take a fact into the record, onto the field, and to those who may know it.

        Its clock, its audience and their lenses are filled in; what it brings into sight or out of it follows as
        `sighting`.  *meets*: units between which it is fire or melee, so that they know each other.
        """
        before = self.battle
        fact = replace(fact, turn=before.turn, seq=fact.seq or before.seq, phase=fact.phase or before.phase)
        after = evolve(before, fact)
        watch = watches(self.scene, after, self._looks, stirred=stirs(fact), meets=meets)
        self.commit(shared_out(self.scene, fact, before, after, watch), after=after)
        self._see(watch, before.watch)
        if meets:
            # Who was seen by his fire alone is out of sight again.
            self._see(watches(self.scene, self.battle, self._looks, stirred=True), self.battle.watch)

    def _see(self, watch: Mapping[Role, Watch], was: Mapping[Role, Watch]) -> None:
        self.truth = replace(self.battle, watch={**self.battle.watch, **watch})
        for side in self.battle.sides:
            self._look(side, was.get(side, Watch()))

    def _look(self, side: Role, was: Watch) -> None:
        now = self.battle.watch.get(side, Watch())
        mind = self.minds.get(side)
        found = sighted(self.scene, self.battle, mind, side, was, self._looks) if mind is not None else None
        if found is None and now == was:
            return
        fact = found or Sighted(known={side: SEEN}, side=side, viewer_side=side)
        clock = self.battle
        self.commit(replace(fact, turn=clock.turn, seq=clock.seq, phase=clock.phase, game=GamePatch(watch={side: now})))

    @property
    def field(self) -> Field:
        """What can be measured on it."""
        return field_of(self.scene, self.battle)

    def known_field(self, side: Role) -> Field:
        """The same without the enemies that are out of a side's sight."""
        seen = self.battle.watch.get(side, Watch()).seen
        units = {name: one for name, one in self.battle.units.items() if one.side == side or name in seen}
        return Field(self.scene, replace(self.battle, units=units))

    # -------------------------------------------------------------- pieces

    def unit(self, name: str) -> Unit:
        """A unit as it now is."""
        return self.battle.units[name]

    def officer(self, name: str) -> Officer:
        """An officer as he now is."""
        return self.battle.officers[name]

    def policies(self, side: Role) -> Policies:
        """The standing reactions of a side."""
        return self.battle.policies.get(side, Policies())

    # -------------------------------------------------------------- orders

    def sheet_of(self, side: Role, order: AnyOrder) -> int:
        """The exchange of the turn for which an order was sent."""
        return self.battle.exchange if order in self.orders.get(side, ()) else 1

    def became(
        self, side: Role, order: AnyOrder, result: Became, reason: str = "", used_else: int = 0, sheet: int = 0
    ) -> None:
        """Say what became of a line, to the side that wrote it; *sheet*: of which, where another may hold its like."""
        self.add(
            OrderPlayed(
                rules=because(reason), known={side: SEEN}, side=side, line=order.line, text=order.text, result=result,
                reason=reason, used_else=used_else, sheet=sheet or self.sheet_of(side, order),
            )
        )  # fmt: skip

    def failed(
        self, order: AnyOrder, piece: Unit | Officer, reason: str, *rules: str, text: str | None = None, at: str = ""
    ) -> None:
        """Say that a piece could not do a line, or an alternative (*text*), to its side; *at*: whom it would charge."""
        self.add(
            OrderFailed(
                rules=cited(*rules, *because(reason)), known={piece.side: SEEN}, side=piece.side, unit=piece.id,
                order_line=order.line, text=order.text if text is None else text, reason=reason, target=at,
            )
        )  # fmt: skip

    # -------------------------------------------------------------- dice

    def throw(self, purpose: str, place: str, rule: str, *, sides: int = 10, count: int = 1) -> Throw:
        """Dice whose place carries the card: `c7/PR-3`, and which throw of its kind there it is: `c7/PR-3/2`.

        :raises Asked: if the GM throws them himself, and has not yet.
        """
        where = f"c{self.battle.seq}/{place}"
        number = self._thrown[f"{purpose}/{where}"] = self._thrown[f"{purpose}/{where}"] + 1
        where = where if number == 1 else f"{where}/{number}"
        seed: Seed = "open" if purpose in OPEN else "closed"
        if self.battle.options.dice_source == "engine":
            return self.dice.throw(purpose, where, sides=sides, count=count, seed=seed)
        asks = f"Throw {count} D{sides} for {purpose} ({where}) and answer with the faces, as 3 8 10."
        key = f"{self.battle.turn}/{purpose}/{where}"
        said = self.ask(Query(key=key, to=None, rule=RuleId(rule), asks=asks, otherwise="the office throws"))
        return typed_in(self.dice.throw(purpose, where, sides=sides, count=count, seed=seed), said)
