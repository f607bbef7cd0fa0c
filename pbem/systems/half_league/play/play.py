"""A stretch of play: facts are applied as they come to pass, so that the next step sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import Aspect, Role, RuleId
from pbem.kernel.owed import Answers, Query
from pbem.orders.sheet import Order
from pbem.rules.contract import Fold, World
from pbem.rules.gm_dice import typed_in
from pbem.rules.ledger import cited, rule
from pbem.rules.stretch import Stretch
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.segments import order_key
from pbem.systems.half_league.mind.fog import fresh, glance, in_view, look, sighted
from pbem.systems.half_league.mind.memory import learn
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import IDENTIFIED, OWNER, PUBLIC, UNSEEN, Fact, mentioned, of_unit, seen
from pbem.systems.half_league.world.orders import AnyOrder
from pbem.systems.half_league.world.patches import GamePatch, LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, SIDES, Leader, Unit, side_of
from pbem.systems.half_league.world.state import Battle, evolve

Kind = TypeVar("Kind", bound=Order)


@rule("HL-OPT-01")
def released(scene: Scene, battle: Battle, found: o.Sighting) -> bool:
    """Whether what a side has just seen releases its reserve: an enemy beyond the line."""
    reserve = scene.reserve
    if reserve is None or battle.released or not battle.options.reserve_release or found.side != reserve.side:
        return False
    return any(one.side != found.side and not one.last_seen and one.front.y < reserve.line for one in found.new_units)


class Play(Stretch[Scene, Battle, Battle, AnyOrder, Fact]):
    """One call of `resolve`: the truth and what each side knows, as they become."""

    fold = Fold(evolve, learn, seen)
    asks = True
    """Whether the GM may throw dice himself; at the muster nobody is asked."""

    def __init__(
        self,
        scene: Scene,
        world: World[Battle, Battle],
        orders: Mapping[Role, Sequence[AnyOrder]],
        answers: Answers,
        dice: Dice,
    ) -> None:
        super().__init__(scene, world, {role: orders.get(role, ()) for role in world.minds}, answers, dice)
        self._field: Field | None = None
        self._looked: tuple[object, ...] | None = None
        """What there was when both last looked round."""
        self.segment = 0
        """Of a phase that runs by flanks: 1 to 4; 0 elsewhere (HL-TRN-02)."""
        self._found_out: dict[tuple[Role, str], str] = {}
        """Contacts that a side has identified since its orders were written."""
        self.done: set[tuple[Role, int, str]] = set()
        """The lines, and of each the unit, that have been answered for."""

    @property
    def battle(self) -> Battle:
        """The battle as it now is."""
        return self.truth

    # -------------------------------------------------------------- facts

    def add(self, *facts: Fact, told: bool = True, marks: Mapping[Role, Aspect] | None = None) -> None:
        """Take facts into the record, onto the field, and to those who may know them.

        With *told* False the other side gets nothing; *marks*: roles that the GM lets know, and how much.
        """
        for fact in facts:
            now = self._named(fact)
            self.commit(replace(now, known={**self._known(now, told=told), **(marks or {})}))
            if isinstance(now, o.Sighting) and now.side is not None:
                found = {(now.side, one.was): one.unit for one in now.sights if one.level == "identified" and one.was}
                self._found_out |= found

    def note(self, side: Role, by: str, units: dict[str, UnitPatch], game: GamePatch | None = None) -> None:
        """Keep what a side has in mind, of which the other learns nothing, and which nobody is told."""
        self.add(o.PhaseBegan(rules=cited(by), side=side, units=units, game=game), told=False)

    def _named(self, fact: Fact) -> Fact:
        battle = self.battle
        pieces = battle.pieces
        if not fact.only_seen:
            pieces |= {unit.id: unit for unit in fact.new_units} | {leader.id: leader for leader in fact.new_leaders}
        sides = {name: pieces[name].side for name in sorted(mentioned(fact, pieces))}
        names = {}
        for side in SIDES:
            labels = battle.labels.get(side, {})
            called = {name: labels.get(name, UNSEEN) for name, whose in sides.items() if whose != side}
            called = {name: label for name, label in called.items() if name != label and name not in battle.guns}
            if called and not fact.only_seen:
                names[side] = called
        return replace(
            fact,
            turn=fact.turn or battle.turn,
            segment=fact.segment or self.segment,
            phase=fact.phase or battle.phase,
            sides=sides,
            names=names,
        )

    def _known(self, fact: Fact, *, told: bool) -> dict[Role, Aspect]:
        side = fact.side
        if side is None:
            aspects = dict.fromkeys(SIDES, OWNER if not fact.only_seen else PUBLIC)
        else:
            aspects = {side: PUBLIC if fact.only_seen else OWNER}
            other = self.aspect(fact) if told else None
            if other is not None:
                aspects[ENEMY[side]] = other
        return {role: aspects[side_of(role)] for role in self.battle.roles if side_of(role) in aspects}

    def aspect(self, fact: Fact) -> Aspect | None:
        """How much of a fact the enemy of its owner gets."""
        if fact.whose == "owner" or fact.side is None:
            return None
        subject = getattr(fact, "unit", "") or getattr(fact, "firer", "") or getattr(fact, "battery", "")
        enemy, unit = ENEMY[fact.side], self.battle.units.get(subject)
        label = self.battle.labels.get(enemy, {}).get(subject)
        if unit is None or label is None:
            return PUBLIC if fact.whose == "both" else None
        if fresh(self.field, enemy, unit):
            return IDENTIFIED
        return None if fact.whose == "identified" else PUBLIC

    def went(self, fact: Fact, name: str) -> None:
        """Take it into the record that a unit went somewhere; the enemy reads of it what he saw.

        Then both see what is new.  Who saw it leave the field is told so by the fact that follows.
        """
        assert fact.side is not None, "a way is one side's"
        enemy = ENEMY[fact.side]
        if not self.sees(enemy, name):
            self.add(fact, told=False)
            self.glance(name)
            return
        after = Field(self.scene, evolve(self.battle, fact), self.field)
        unit = after.battle.units[name]
        seen_there = in_view(after, enemy, unit)
        self.add(fact if seen_there else replace(fact, private=fact.trail))
        if unit.there or not seen_there:
            self.glance(name)

    def activate(self, unit: Unit, segment: int, *rules: str) -> None:
        """A unit's turn comes, in a segment of a phase that runs by flanks."""
        self.segment, half, key = segment, self.field.half(unit.front), order_key(self.field, unit)
        self.add(o.UnitActivated(**of_unit(unit, *rules), half=half, order_key=key))

    def carried(self, name: str, front: Point) -> dict[str, LeaderPatch]:
        """The leaders with a unit go where it goes."""
        return {
            leader.id: LeaderPatch(front=front)
            for leader in self.battle.leaders.values()
            if leader.attached_to == name and not leader.fallen
        }

    def left_by(self, name: str) -> dict[str, LeaderPatch]:
        """The leaders with a unit stay where it was, when it is no more."""
        with_it = self.carried(name, self.unit(name).front)
        return {one: replace(patch, attached_to="") for one, patch in with_it.items()}

    def look(self, kept: Collection[str] = ()) -> None:
        """Let both sides see what they now see; whom they know of those *kept* they lose from sight later."""
        now = (self.battle.units, self.battle.leaders, self.battle.turn, self.battle.options)
        if self._looked is not None and all(one is other for one, other in zip(now, self._looked, strict=True)):
            return
        self._looked = None if kept else now
        for side in SIDES:
            if found := look(self.field, side, self.mind(side), kept):
                self._learned(found)

    def glance(self, name: str) -> None:
        """Let both sides see what changes at once when a unit has moved."""
        for side in SIDES:
            minds = {side: self.mind(side)}
            found: list[o.Sighting] = list(glance(self.field, self.battle.units[name], minds))
            for one in found:
                self._learned(one)

    def reveal(self, names: Iterable[str]) -> None:
        """Let each side know the units of the other that it fights with, though others hide them."""
        for name in names:
            unit = self.battle.units[name]
            enemy = ENEMY[unit.side]
            if not self.sees(enemy, name):
                self._learned(*sighted(self.field, unit, self.mind(enemy)))

    def _learned(self, *found: o.Sighting) -> None:
        """Take in what a side sees; an enemy beyond its line releases the reserve."""
        self.add(*found)
        for one in found:
            if released(self.scene, self.battle, one):
                self.add(
                    o.ReserveReleased(
                        rules=cited("HL-OPT-01"), side=one.side, why="enemy seen", game=GamePatch(released=True)
                    )
                )

    @property
    def field(self) -> Field:
        """The field as it now is."""
        if self._field is None or self._field.battle is not self.battle:
            self._field = Field(self.scene, self.battle, self._field)
        return self._field

    def mind(self, side: Role) -> Battle:
        """What a side knows: its roles know the same."""
        return self.minds[self.scene.roles(side)[0]]

    def knowledge(self, side: Role) -> Field:
        """The field as *side* knows it."""
        return Field(self.scene, self.mind(side))

    # -------------------------------------------------------------- dice

    @rule("HL-OPT-01")
    def throw(self, purpose: str, place: str, *, count: int = 1) -> Throw:
        """Six-sided dice; with `dice_source` gm those that the GM types in, if he does.

        All are of the closed seed: who sees a unit is known only after its throw, and an open seed, which is printed,
        would tell of a throw that somebody was not shown.

        :raises Asked: if he has not been asked.
        """
        fallen = self.dice.throw(purpose, place, count=count, seed="closed")
        if not self.asks or self.battle.options.dice_source != "gm":
            return fallen
        asks = f"{count} {'die' if count == 1 else 'dice'} for {purpose}, {place}"
        key, rule_id = str(fallen.name), RuleId("HL-OPT-01")
        return typed_in(fallen, self.ask(Query(key=key, to=None, rule=rule_id, asks=asks, otherwise="engine")))

    # -------------------------------------------------------------- pieces and orders

    def unit(self, name: str) -> Unit:
        """A unit as it now is."""
        return self.battle.units[name]

    def leader(self, name: str) -> Leader:
        """A leader as he now is."""
        return self.battle.leaders[name]

    def real(self, side: Role, label: str) -> str:
        """The id of the enemy that *side* calls by a label now; empty: it sees none of that name.

        A contact that it has identified since the order was written is meant by its old name too.
        """
        labels = self.battle.labels.get(side, {})
        now = self._found_out.get((side, label), label)
        return next((name for name, called in sorted(labels.items()) if called == now), "")

    def foes_in_sight(self, side: Role) -> list[Unit]:
        """The enemies that a side sees, by whatever name."""
        labels = self.battle.labels.get(side, {})
        return [unit for unit in self.battle.of(ENEMY[side]) if unit.id in labels]

    def sees(self, side: Role, name: str) -> bool:
        """Whether a side sees a piece of the enemy, by whatever name."""
        return name in self.battle.labels.get(side, {})

    def ordered(self, kind: type[Kind], unit: str = "") -> list[tuple[Role, Kind]]:
        """The orders of a kind that were sent for a unit (or for none), with their senders."""
        return [
            (role, order)
            for role in self.orders
            for order in self.orders[role]
            if isinstance(order, kind) and (not unit or getattr(order, "unit", "") == unit)
        ]

    def came_of(
        self, role: Role, order: Order, result: str, reason: str = "", unit: str = "", *, turn: int = 0, phase: str = ""
    ) -> None:
        """Say what became of a line, once for each of its units; if it is said late, of which *turn* and *phase*."""
        key = (role, order.line, f"{unit}/{type(order).__name__}")
        if key in self.done:
            return
        self.done.add(key)
        self.add(
            o.OrderPlayed(
                side=side_of(role),
                role=role,
                line=order.line,
                result=result,  # type: ignore[arg-type] # one of the words of a result
                text=order.text,
                unit=unit,
                reason=reason,
                turn=turn,
                phase=phase,
            )
        )

    def failed(self, role: Role, order: Order, reason: str, unit: str, rule_id: str) -> None:
        """An order could not be carried out."""
        self.add(
            o.OrderFailed(
                rules=cited(rule_id), side=side_of(role), unit=unit, order=order.text, reason=reason, line=order.line
            )
        )
        self.came_of(role, order, "not carried out", reason, unit)
