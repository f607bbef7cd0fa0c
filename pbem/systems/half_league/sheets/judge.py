"""What stands in the way of an order, by what its writer knows: a refusal cannot tell a secret."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pbem.ground.bearing import DEGREE, compass, off, opposite
from pbem.ground.body import on_board
from pbem.ground.plane import distance, dot, near, overlap
from pbem.kernel.names import Role
from pbem.orders.prose import counted, listed
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Order
from pbem.orders.suggest import closest
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.may import may_charge, may_move
from pbem.systems.half_league.field.plans import legs_of, prolongs, wrong_turn
from pbem.systems.half_league.field.roads import ROAD_FORMATIONS, road_ahead
from pbem.systems.half_league.tables import printed
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.pieces import SCALE, Leader, Unit, side_of

Found = tuple[Wrong, str]
"""What is wrong, and at which word."""
UNKNOWN = "you see no enemy of that name"
"""Said whether there is one or not."""
BEFORE_THE_TURN = ("setup", "initiative")
"""Phases in which what has been used is that of the turn before."""
FIXED = (say.Move, say.FollowRoad, say.Wheel, say.Face, say.About, say.Retire, say.Shift, say.Prolong, say.Charge)
"""What a square cannot do."""


class Judge:
    """Judges the orders of one role."""

    def __init__(self, field: Field, role: Role, *, words_only: bool) -> None:
        self.field, self.role, self.words_only = field, role, words_only
        self.mind, self.scene = field.battle, field.scene
        self.side = side_of(role)

    @property
    def names(self) -> frozenset[str]:
        """The names that the writer may know."""
        own = [one.id for one in self.mind.pieces.values() if one.side == self.side]
        return frozenset([*own, *(place.name for place in self.scene.places.values())])

    # ------------------------------------------------------------ names

    def own_unit(self, name: str) -> Unit | None:
        """An own unit by its id."""
        unit = self.mind.units.get(name)
        return unit if unit is not None and unit.side == self.side else None

    def own_leader(self, name: str) -> Leader | None:
        """An own leader by his id."""
        leader = self.mind.leaders.get(name)
        return leader if leader is not None and leader.side == self.side else None

    def enemy(self, name: str) -> Unit | None:
        """An enemy in view."""
        unit = self.mind.units.get(name)
        in_view = unit is not None and unit.side != self.side and unit.there and not unit.last_seen
        return unit if in_view else None

    def target(self, name: str, of: str) -> Iterator[Found]:
        """What is wrong with a target: nobody of that name is seen, or it is a leader."""
        leader = self.mind.leaders.get(name)
        if leader is not None and (leader.side == self.side or not leader.last_seen):
            yield Wrong("leaders are not targets", "HL-FIR-11"), "target"
        elif self.enemy(name) is None:
            lost = self.mind.units.get(name)
            if lost is not None and lost.side != self.side and lost.last_seen:
                yield Wrong(f"{name} is out of your sight since turn {lost.last_seen}", of), "target"
                return
            known = [one.id for one in self.field.enemies(self.side)]
            meant = closest(name, known) or ""
            yield Wrong(UNKNOWN, of, meant), "target"

    def _none_of(self, what: str, name: str, pieces: Mapping[str, Unit] | Mapping[str, Leader], of: str) -> Wrong:
        """That the writer has none of that name, and whom he may have meant."""
        meant = closest(name, [one.id for one in pieces.values() if one.side == self.side]) or ""
        more = f"; did you mean {meant}?" if meant else ""
        return Wrong(f"you have no {what} {name}{more}", of, meant)

    # ------------------------------------------------------------ all orders

    def order(self, order: say.AnyOrder) -> Iterator[Found]:
        """All that is wrong with an order; the first is said."""
        if isinstance(order, say.UnitOrder):
            yield from self._unit_order(order)
        elif isinstance(order, say.LeaderOrder):
            yield from self._leader_order(order)
        elif isinstance(order, say.SetPolicy):
            yield from self._policy(order.policy)
        elif not self.scene.senior(self.role):
            senior = self.scene.commander(self.scene.roles(self.side)[0]).commander
            yield Wrong(f"that is for the senior commander of the side, {senior}", "HL-TRN-04"), ""

    def _unit_order(self, order: say.AnyUnitOrder) -> Iterator[Found]:
        unit = self.own_unit(order.unit)
        leader = self.own_leader(order.unit)
        if isinstance(order, say.Reinforce) and leader is not None:
            yield from self._commanded(leader.brigade)
            if leader.fallen:
                yield Wrong(f"{leader.name} has fallen", "HL-SAV-05"), "unit"
            elif not self.words_only:
                yield from self._reinforced(order)
            return
        if leader is not None:
            yield Wrong(f"{order.unit} is a leader: he can move to a place, attach, detach", "HL-MOV-12"), "unit"
            return
        if unit is None:
            yield self._none_of("unit", order.unit, self.mind.units, "HL-TRN-03"), f"unit {order.unit}"
            return
        yield from self._commanded(unit.brigade)
        if self.words_only:
            return
        if unit.gone:
            yield Wrong(f"{unit.id} is no longer on the field", "HL-TRN-03"), f"unit {unit.id}"
            return
        if isinstance(order, say.Activity):
            yield from self._activity(unit, order)
        yield from self._particular(unit, order)

    def _particular(self, unit: Unit, order: say.AnyUnitOrder) -> Iterator[Found]:
        """What is judged of each order to a unit by itself; most are judged with all of their kind."""
        match order:
            case say.Move():
                yield from self._move(unit, order)
            case say.FollowRoad():
                yield from self._follow(unit, order)
            case say.Prolong():
                yield from self._prolong(unit, order)
            case say.Form():
                yield from self._form(unit, order)
            case say.Charge():
                yield from self._charge(unit, order)
            case say.Pull():
                yield from self._pull(unit, order)
            case say.Reinforce():
                yield from self._reinforce(unit, order)
            case say.Spend():
                yield from self._spend(unit, order)
            case say.Fire():
                yield from self._fire(unit, order)
            case say.Bombard():
                yield from self._bombard(unit, order)
            case say.Deploy():
                yield from self._deploy(unit, order)

    def _commanded(self, brigade: str) -> Iterator[Found]:
        if not self.scene.commands(self.role, brigade, self.side):
            commander = self.scene.commander(self.scene.role_of(brigade, self.side)).commander
            yield Wrong(f"that is under the command of {commander}", "HL-TRN-04"), "unit"

    @rule("HL-TRN-03", "HL-MOV-07", "HL-MOR-05")
    def _activity(self, unit: Unit, order: say.AnyUnitOrder) -> Iterator[Found]:
        if may_move(unit):
            if not prolongs(unit, order):
                meant = f"{unit.id} prolong {compass(unit.bearing)} 3"
                yield Wrong(f"{unit.id} is unlimbered: its gunners prolong the guns", "HL-MOV-08", meant), "unit"
        elif unit.routing:
            if not isinstance(order, say.Face | say.Hold):
                yield Wrong(f"{unit.id} is routing: it tries to rally, and does nothing else", "HL-MOR-05"), "unit"
        elif isinstance(order, FIXED):
            yield Wrong(f"{unit.id} is in square: it cannot move, turn or charge", "HL-MOV-07"), "unit"

    # ------------------------------------------------------------ movement

    @rule("HL-MOV-06", "HL-MOV-05")
    def _move(self, unit: Unit, order: say.Move) -> Iterator[Found]:
        if not all(self.scene.on_map(at) for at in order.points):
            yield Wrong("that is off the map", "HL-MOV-13"), "place"
            return
        why = wrong_turn(self.field, unit, legs_of(unit, order))
        wheel = self.field.charts.wheel
        if why == "first":
            says = f"that is more than {printed.FORWARD} degrees off its facing; use retire, shift or wheel"
            yield Wrong(says, "HL-MOV-05", f"{unit.id} wheel left 30 then move 6"), "way" if order.far else "place"
        elif why == "leg":
            yield Wrong(f"a leg turns by more than {printed.FORWARD} degrees", "HL-MOV-06"), "place"
        elif why == "legs":
            yield Wrong(f"a move has {wheel.legs} legs at most", "HL-MOV-06"), "place"
        elif why == "turns":
            yield Wrong(f"the turns of a move come to {wheel.turns} degrees at most", "HL-MOV-06"), "place"
        elif why == "last":
            yield (
                Wrong(f"it cannot turn by more than {printed.FORWARD} degrees at the end of a move", "HL-MOV-06"),
                "way",
            )

    @rule("HL-MOV-02")
    def _follow(self, unit: Unit, order: say.FollowRoad) -> Iterator[Found]:
        if unit.formation not in ROAD_FORMATIONS:
            yield Wrong("only units in road column, and limbered guns, follow a road", "HL-MOV-02"), "unit"
        elif not road_ahead(self.field, unit):
            yield Wrong(f"{unit.id} is on no road", "HL-MOV-02"), "unit"

    @rule("HL-MOV-08")
    def _prolong(self, unit: Unit, order: say.Prolong) -> Iterator[Found]:
        if not unit.unlimbered:
            yield Wrong("only unlimbered artillery is prolonged", "HL-MOV-08"), "unit"
        elif off(unit.bearing, order.bearing) > printed.FORWARD * DEGREE and order.bearing != opposite(unit.bearing):
            why = f"guns are prolonged within {printed.FORWARD} degrees of their facing, or straight back"
            yield Wrong(why, "HL-MOV-08"), "way"

    @rule("HL-FRM-01", "HL-FRM-03")
    def _form(self, unit: Unit, order: say.Form | say.Deploy) -> Iterator[Found]:
        formation = order.formation
        if formation is None:
            return
        if formation not in printed.FORMATIONS[unit.type]:
            either = listed([one.replace("_", " ") for one in printed.FORMATIONS[unit.type]], "or")
            yield Wrong(f"{unit.type.replace('_', ' ')} forms {either}", "HL-FRM-01"), "formation"
        elif formation == "skirmish" and not unit.may_skirmish:
            yield Wrong(f"{unit.id} may not skirmish", "HL-FRM-01"), "formation"
        elif formation == "dismounted" and unit.arm != "carbine":
            yield Wrong("only cavalry with carbines dismounts", "HL-FRM-01"), "formation"
        elif isinstance(order, say.Form):
            if formation == unit.formation:
                yield Wrong(f"{unit.id} stands in {formation.replace('_', ' ')} already", "HL-FRM-03"), "formation"
            elif order.facing is not None and off(unit.bearing, order.facing) > printed.FORMED_WITHIN * DEGREE:
                why = f"a new formation faces within {printed.FORMED_WITHIN} degrees of the old one"
                yield Wrong(why, "HL-FRM-03"), "way"

    @rule("HL-CHG-01")
    def _charge(self, unit: Unit, order: say.Charge) -> Iterator[Found]:
        if unit.guns:
            yield Wrong("artillery does not charge", "HL-CHG-01"), "unit"
        elif not may_charge(unit):
            yield Wrong(f"a {unit.formation.replace('_', ' ')} does not charge", "HL-CHG-01"), "unit"
        yield from self.target(order.target, "HL-CHG-01")
        target = self.enemy(order.target)
        if target is not None and not self.field.ahead(unit, target):
            yield Wrong(f"{order.target} is more than {printed.FORWARD} degrees off its facing", "HL-CHG-01"), "target"

    @rule("HL-MOR-06", "HL-CMD-04")
    def _pull(self, unit: Unit, order: say.Pull) -> Iterator[Found]:
        if not unit.chits:
            yield Wrong(f"{unit.id} has no chit to pull", "HL-MOR-06"), "unit"
        if order.then is not None:
            yield from self._activity(unit, order.then)
            yield from self._particular(unit, order.then)

    @rule("HL-REI-01")
    def _reinforce(self, unit: Unit, order: say.Reinforce) -> Iterator[Found]:
        if self.scene.on_map(order.to) and unit.in_square:
            yield Wrong(f"{unit.id} is in square: it cannot move", "HL-MOV-07"), "unit"
        else:
            yield from self._reinforced(order)

    @rule("HL-REI-01")
    def _reinforced(self, order: say.Reinforce) -> Iterator[Found]:
        """What forbids a place to which a unit or a leader is to be moved on."""
        if not self.scene.on_map(order.to):
            yield Wrong("that is off the map", "HL-MOV-13"), "place"
            return
        near_it = [
            one.id
            for one in self.field.enemies(self.side)
            if near(dot(order.to), self.field.shape(one), printed.REINFORCE_BEYOND - 1)
        ]
        if near_it:
            yield Wrong(f"that is nearer than 40 inches to {near_it[0]}", "HL-REI-01"), "place"

    # ------------------------------------------------------------ fire and points

    @rule("HL-CMD-02")
    def _spend(self, unit: Unit, order: say.Spend) -> Iterator[Found]:
        if not unit.command_points:
            yield Wrong(f"{unit.id} has no command points left", "HL-CMD-02"), "benefit"
        elif self.mind.phase not in BEFORE_THE_TURN and order.benefit in unit.benefits_used:
            yield Wrong(f"{unit.id} has had that benefit this turn", "HL-CMD-02"), "benefit"

    @rule("HL-FIR-02", "HL-FIR-05")
    def _fire(self, unit: Unit, order: say.Fire) -> Iterator[Found]:
        if unit.arm == "none":
            yield Wrong(f"{unit.id} has no fire-arms", "HL-FIR-02"), "unit"
        if sum(part.stands for part in order.parts) > unit.stands:
            what = "gunner" if unit.guns else "stand"
            yield Wrong(f"{unit.id} has {counted(unit.stands, what)} to fire with in all", "HL-FIR-05"), "target"
        for part in order.parts:
            yield from self.target(part.target, "HL-FIR-05")

    @rule("HL-FIR-10")
    def _bombard(self, unit: Unit, order: say.Bombard) -> Iterator[Found]:
        if unit.type != "foot_artillery":
            yield Wrong("only foot artillery bombards", "HL-FIR-10"), "unit"
        yield from self.target(order.target, "HL-FIR-10")
        target = self.enemy(order.target)
        if target is not None:
            ranges = self.field.charts.ranges
            close = self.field.within(unit, target, ranges["artillery"] - 1)
            if close or not self.field.within(unit, target, ranges["bombardment"]):
                far = SCALE.show(self.field.gap(unit, target))
                yield Wrong(f"{order.target} is {far} inches off: one bombards from 40 to 80", "HL-FIR-10"), "target"

    # ------------------------------------------------------------ set-up

    @rule("HL-SET-01")
    def _deploy(self, unit: Unit, order: say.Deploy) -> Iterator[Found]:
        if not self.mind.options.free_setup:
            yield Wrong("this battle begins as the scenario has it", "HL-SET-01"), "unit"
            return
        low, high = self.scene.zones[self.side]
        body = self.field.formed(unit, order.formation or unit.formation, order.at, order.facing)
        if not low <= order.at.y <= high or not on_board(body, self.scene.box):
            zone = f"y {SCALE.show(low)} to {SCALE.show(high)}"
            yield Wrong(f"that is outside your zone, {zone}", "HL-SET-01"), "place"
        yield from self._form(unit, order)

    def overlaps(self, order: say.Deploy, others: Sequence[say.Deploy], leaving: Collection[str]) -> str:
        """The own unit that a deployed unit would stand on; empty: none.

        *others* are deployed already; those that are *leaving* are deployed after it.
        """
        unit = self.own_unit(order.unit)
        if unit is None:
            return ""
        body = self.field.formed(unit, order.formation or unit.formation, order.at, order.facing)
        moved = {one.unit: one for one in others}
        for other in self.mind.of(self.side):
            if other.id in leaving:
                continue
            there = moved.get(other.id)
            shape = self.field.shape(other)
            if there is not None:
                shape = self.field.formed(other, there.formation or other.formation, there.at, there.facing).shape
            if overlap(body.shape, shape):
                return other.id
        return ""

    # ------------------------------------------------------------ leaders

    @rule("HL-MOV-12", "HL-CMD-10", "HL-CMD-12")
    def _leader_order(self, order: say.LeaderOrder) -> Iterator[Found]:
        leader = self.own_leader(order.leader)
        if leader is None:
            yield self._none_of("leader", order.leader, self.mind.leaders, "HL-MOV-12"), "leader"
            return
        yield from self._commanded(leader.brigade)
        if leader.fallen:
            yield Wrong(f"{leader.name} has fallen", "HL-SAV-05"), "leader"
        if self.words_only:
            return
        match order:
            case say.Ride():
                if not self.scene.on_map(order.to):
                    yield Wrong("that is off the map", "HL-MOV-13"), "place"
                elif distance(leader.front, order.to) > printed.BRIGADIER_WITHIN:
                    yield Wrong("that is more than 24 inches off", "HL-MOV-12"), "place"
            case say.Attach():
                yield from self._attach(leader, order)
            case say.Detach() if not leader.attached_to:
                yield Wrong(f"{leader.id} is attached to no unit", "HL-MOV-12"), "leader"
            case say.Favour() if leader.kind != "brigadier":
                yield Wrong(f"{leader.id} is no brigadier", "HL-CMD-10"), "leader"
            case say.Favour() if order.unit:
                unit = self.own_unit(order.unit)
                if unit is None or unit.brigade != leader.brigade:
                    yield Wrong(f"{order.unit} is not of his brigade", "HL-CMD-10"), "unit"
            case say.ArmyPull() if leader.kind != "army":
                yield Wrong(f"{leader.id} is no army commander", "HL-CMD-12"), "leader"

    def _attach(self, leader: Leader, order: say.Attach) -> Iterator[Found]:
        unit = self.own_unit(order.unit)
        if unit is None or unit.gone:
            yield Wrong(f"you have no unit {order.unit} on the field", "HL-MOV-12"), "target"
        elif leader.kind == "brigadier" and unit.brigade != leader.brigade:
            yield Wrong(f"{unit.id} is not of his brigade", "HL-MOV-12"), "target"
        elif self.field.to_leader(unit, leader) > printed.BRIGADIER_WITHIN:
            yield Wrong(f"{unit.id} is more than 24 inches off", "HL-MOV-12"), "target"

    @rule("HL-CMD-13")
    def _policy(self, policy: say.Policy) -> Iterator[Found]:
        if policy.kind == "army-pull":
            leader = self.own_leader(policy.who)
            if leader is None or leader.kind != "army":
                yield Wrong(f"you have no army commander {policy.who}", "HL-CMD-12"), "leader"
            else:
                yield from self._commanded(leader.brigade)
            return
        if policy.who == "all":
            return
        brigade = self.scene.brigades.get(policy.who)
        unit = self.own_unit(policy.who)
        if brigade is not None and brigade.side == self.side:
            yield from self._commanded(brigade.id)
        elif unit is not None:
            yield from self._commanded(unit.brigade)
        else:
            yield Wrong(f"you have no unit or brigade {policy.who}", "HL-CMD-13"), "who"

    # ------------------------------------------------------------ what lines come to together

    @rule("HL-CMD-03", "HL-MOV-01")
    def most_reach(self, unit: Unit, order: Order, extra: int) -> int:
        """The farthest that dice can carry a unit, with *extra* dice for benefits."""
        one = isinstance(order, say.Retire | say.Shift | say.Prolong)
        dice = 1 if one else self.field.charts.movement[unit.type][unit.formation]["open"]
        return printed.DIE * (dice + extra) * printed.INCH
