"""A sheet in full words, with distances and the average reach of the dice, by what its writer knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import compass
from pbem.ground.plane import Point, bearing, distance, nearest
from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.prose import listed
from pbem.orders.sheet import Order
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field, field_of
from pbem.systems.half_league.field.plans import Leg, Plan, plan_for
from pbem.systems.half_league.march.movement import AT_REST
from pbem.systems.half_league.march.walking import Walked, dice_count, walk
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import long, natural
from pbem.systems.half_league.sheets.chances import Sheet, clauses
from pbem.systems.half_league.tables.combat import STATIONARY_TURNS
from pbem.systems.half_league.tables.printed import BRIGADIER_WITHIN, DIE, EXTRA_DICE, INCH, PULL_FROM
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.pieces import SCALE, Unit, side_of
from pbem.systems.half_league.world.state import Battle

AVERAGE = (7, 2)
"""The mean of a die, as a fraction."""


def _average(dice: int, chits: int) -> str:
    """`3 dice, 10.5 inches on the average`: each die is less by a pip for a chit, and never below 0."""
    pips = sum(max(face - chits, 0) for face in range(1, DIE + 1))
    return f"{dice} {'die' if dice == 1 else 'dice'}, {long(dice * pips * INCH // DIE)} on the average"


@rule("HL-MOV-01", "HL-MOV-02", "HL-MOV-10")
def reach(field: Field, unit: Unit, plan: Plan, extra: int) -> str:
    """`3 dice, 10.5 inches on the average`."""
    dice = dice_count(field, unit, plan)
    if not dice:
        return "it cannot move so"
    said = _average(dice + extra, unit.chits)
    return f"{said} with {unit.chits} chit{'' if unit.chits == 1 else 's'}" if unit.chits else said


class Expected(NamedTuple):
    """A move with dice that are each as near to their mean as whole pips come."""

    faced: Unit
    plan: Plan
    came: Walked


def expected(field: Field, order: say.Activity, extra: int = 0) -> Expected | None:
    """How far a move would come on the average, with *extra* dice; None: it is none."""
    made = plan_for(field, field.unit(order.unit), order)
    if made is None:
        return None
    faced, plan = made
    dice = dice_count(field, faced, plan) + extra
    # So terrain on the way is reckoned in.
    mean = [AVERAGE[0] // AVERAGE[1] + (number % 2) for number in range(dice)]
    return Expected(faced, plan, walk(field, faced, plan, mean))


class _Plans:
    """The sheet of one role, being told."""

    def __init__(self, scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> None:
        self.scene, self.mind, self.role, self.orders = scene, mind, role, orders
        self.field, self.side = field_of(scene, mind), side_of(role)
        self.sheet = Sheet(self.field, role, tuple(orders))

    def unit(self, name: str) -> Unit | None:
        """A unit, as far as it is known."""
        return self.mind.units.get(name)

    def extra(self, unit: Unit) -> int:
        """Dice that lines of the sheet buy for a move."""
        return EXTRA_DICE * len(self.sheet.gifts(unit, "move"))

    def where(self, at: Point) -> str:
        """A place, with the name of one that is near."""
        place = self.scene.place_near(at)
        return f"{SCALE.written(at)} ({place.name})" if place else SCALE.written(at)

    # ------------------------------------------------------------ sentences

    def told(self) -> Iterator[tuple[int, str]]:
        """Each line with a sentence, where there is something to say."""
        for order in self.orders:
            for sentence in (self._with_odds(order), self._held(order)):
                if sentence:
                    yield order.line, sentence

    def _with_odds(self, order: say.AnyOrder) -> str:
        """What one order comes to; of an attack, its chances."""
        return "; ".join(part for part in (self.sentence(order), clauses(self.sheet, order)) if part)

    @rule("HL-OPT-01")
    def _held(self, order: Order) -> str:
        """That a unit is of the reserve and may not stir yet."""
        reserve = self.scene.reserve
        unit = self.unit(order.unit) if isinstance(order, say.Activity | say.Reinforce) else None
        if unit is None or reserve is None or isinstance(order, AT_REST) or not self.field.held_back(unit):
            return ""
        close = any(one.front.y < reserve.line for one in self.field.enemies(self.side) if not one.last_seen)
        if close or self.mind.turn >= reserve.turn:
            return ""
        line = SCALE.show(reserve.line).removesuffix(".0")
        return (
            f"{unit.id} is of the reserve, which stands until turn {reserve.turn}, "
            f"or until you have seen an enemy south of y {line}"
        )

    def sentence(self, order: say.AnyOrder) -> str:
        """What one order comes to; empty, where there is no more to say than it says itself."""
        match order:
            case say.Move() | say.FollowRoad() | say.Wheel() | say.Retire() | say.Shift() | say.Prolong():
                return self._walk(order)
            case say.About() if order.far:
                return self._walk(order)
            case say.Form():
                return f"{order.unit} changes to {order.formation.replace('_', ' ')}; it may still fire at -1"
            case say.Charge():
                return self._charge(order)
            case say.Pull():
                return self._pull(order)
            case say.Ride():
                leader = self.mind.leaders[order.leader]
                far = long(distance(leader.front, order.to))
                return f"{order.leader} rides {far} to {self.where(order.to)}; 6 dice, 21 inches on the average"
            case say.Attach():
                return self._attach(order)
            case say.Spend():
                return self._spend(order)
            case say.Fire():
                return self._fire(order)
            case say.Bombard():
                return self._bombard(order)
            case say.Favour():
                return self._favour(order)
            case say.Reinforce():
                return self._reinforce(order)
        return ""

    def _walk(self, order: say.Activity) -> str:
        unit = self.field.unit(order.unit)
        extra = self.extra(unit)
        made = expected(self.field, order, extra)
        if made is None:
            return ""
        faced, plan, came = made
        whole = sum(leg.far for leg in plan.legs)
        wanted = whole if plan.most is None else min(whole, plan.most)
        end = f"to {self.where(order.points[-1])}" if isinstance(order, say.Move) and order.points else ""
        if not end and plan.legs:
            end = compass(plan.legs[-1].bearing)
        verb = {"move": "goes", "follow": "follows the road", "wheel": "wheels", "about": "turns about and goes"}
        word = verb.get(str(order.__struct_config__.tag), f"{order.__struct_config__.tag}s")
        said = f"{unit.id} {word} {long(wanted)}{f' {end}' if end else ''}"
        said += f"; {reach(self.field, faced, plan, extra)}"
        if came.walked < wanted and came.stopped_by in ("ground", "line", "friend", "enemy", "edge"):
            what = came.stopped_at or "the edge of the map"
            said += f": about {long(came.walked)}, to {SCALE.written(came.front)}, before {what}"
            said += " as it stands now" if came.stopped_by in ("friend", "enemy") else ""
        elif came.dropped and came.walked < wanted:
            lost = list(dict.fromkeys(one.reason for one in came.dropped))
            said += f": about {long(came.walked)}, since {listed(lost)} cost{'s' if len(lost) == 1 else ''} dice"
            said += " as all stand now" if any(one in self.mind.units for one in lost) else ""
        return said

    def _charge(self, order: say.Charge) -> str:
        unit, target = self.field.unit(order.unit), self.unit(order.target)
        if target is None:
            return ""
        gap = self.field.gap(unit, target)
        shape = self.field.shape(target)
        aim = nearest(shape, unit.front)
        way = bearing(unit.front, aim) if aim != unit.front else unit.bearing
        run = Plan(legs=(Leg(way, distance(unit.front, aim)),), charging=True)
        row = dice_count(self.field, unit, run) + self.extra(unit)
        need = max(8 - self.field.limit(unit) + unit.chits, 1)
        test = f"it charges on a {need} or more" if need > 1 else "it charges on any die"
        if need > 6:
            test = "it cannot pass its test without a benefit"
        said = f"{unit.id} charges {order.target}, {long(gap)} off; {test}; {_average(row, unit.chits)}"
        most = row * max(DIE - unit.chits, 0) * INCH
        return f"{said}, and never more than {long(most)}: too far this turn" if most < gap else said

    def _pull(self, order: say.Pull) -> str:
        unit = self.field.unit(order.unit)
        choice = self.mind.options.pull_and_move
        double = order.double and choice != "free_action"
        left = max(unit.chits - 1 - double, 0)
        said = f"{unit.id} pulls: {left} of {unit.chits} chits left"
        if order.double and not double:
            return f"{said}; by an option a point buys no second chit"
        if order.then is not None and choice == "second_chit":
            return f"{said}; by an option a point buys nothing but a second chit"
        if order.then is not None:
            pulled = replace(unit, chits=unit.chits - 1) if unit.chits else unit
            then = _Plans(
                self.scene, replace(self.mind, units={**self.mind.units, unit.id: pulled}), self.role, self.orders
            )
            more = then.sentence(order.then)
            return f"{said}; for a point, {more}" if more else said
        return said

    def _attach(self, order: say.Attach) -> str:
        leader, unit = self.mind.leaders.get(order.leader), self.unit(order.unit)
        if leader is None or unit is None:
            return ""
        far = max(self.field.to_leader(unit, leader) - INCH, 0)
        return f"{order.leader} rides {long(far)} and attaches to {unit.id}; 6 dice, 21 inches on the average"

    def _spend(self, order: say.Spend) -> str:
        unit = self.field.unit(order.unit)
        wanted = [one for one in self.orders if isinstance(one, say.Spend) and one.unit == unit.id]
        left = unit.command_points - wanted.index(order) - 1
        leader = self.field.brigadier(unit)
        far = self.field.to_leader(unit, leader) if leader is not None else 0
        what = order.benefit.replace("_", " ")
        said = f"{unit.id} spends a point on {what}: {left} left then"
        if left < 0:
            said = f"{unit.id} spends on {what} if the lines above have left it a point: it has {unit.command_points}"
        if far > BRIGADIER_WITHIN:
            said += f"; its brigadier is {long(far)} off now, and beyond 24 inches no point is spent"
        return said

    def _fire(self, order: say.Fire) -> str:
        unit = self.field.unit(order.unit)
        parts = []
        for part in order.parts:
            target = self.unit(part.target)
            if target is not None:
                count = f"{part.stands} stand{'' if part.stands == 1 else 's'} at " if part.stands else ""
                parts.append(f"{count}{part.target}, {long(self.field.gap(unit, target))} off as both stand now")
        return f"{unit.id} fires: {'; '.join(parts)}" if parts else ""

    @rule("HL-FIR-10")
    def _bombard(self, order: say.Bombard) -> str:
        unit, target = self.field.unit(order.unit), self.unit(order.target)
        if target is None:
            return ""
        said = f"{unit.id} bombards {order.target}, {long(self.field.gap(unit, target))} off"
        stood = unit.stationary_turns
        if stood < STATIONARY_TURNS:
            turns = f"{stood} turn{'' if stood == 1 else 's'}"
            said += f"; it has stood still for {turns}, and both must have stood for {STATIONARY_TURNS}"
        return said

    @rule("HL-CMD-10", "HL-CMD-11")
    def _favour(self, order: say.Favour) -> str:
        leader = self.mind.leaders[order.leader]
        what = order.benefit.replace("_", " ")
        rides = next(
            (one for one in self.orders if isinstance(one, say.Attach | say.Detach) and one.leader == leader.id), None
        )
        joins = rides.unit if isinstance(rides, say.Attach) and rides.unit != leader.attached_to else ""
        if joins:
            return f"{leader.id} gives {what} to {joins} alone, which he joins this turn"
        unit = self.unit(leader.attached_to)
        if unit is None or isinstance(rides, say.Detach):
            return f"{leader.id} gives {what} to nobody once he is with no unit"
        reached = self.sheet.reached(leader, order.unit)
        return f"{leader.id} gives {what} to {', '.join(reached)}, as all stand now" if reached else ""

    def _reinforce(self, order: say.Reinforce) -> str:
        piece = self.mind.units.get(order.unit) or self.mind.leaders.get(order.unit)
        if piece is None:
            return ""
        far = distance(piece.front, order.to)
        return f"{order.unit} goes {long(far)} more to {self.where(order.to)}, if nothing is within 40 inches of it"


def forecast(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[tuple[int, str]]:
    """What orders that were read would come to, by what their writer knows: distances, and the average of the dice."""
    return list(_Plans(scene, mind, role, orders).told())


def idle(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder], call: Call) -> Sequence[str]:
    """Which units have no order, and what they do."""
    if "move" not in call.sorts:
        return ()
    field, side = field_of(scene, mind), side_of(role)
    ordered = {one.unit for one in orders if isinstance(one, say.Activity)}
    own = [one for one in mind.of(side) if scene.commands(role, one.brigade, side) and one.id not in ordered]
    own.sort(key=lambda one: natural(one.id))
    routing = [one.id for one in own if one.routing]
    good = [one for one in own if one.in_order]
    pulls = [one.id for one in good if one.chits and one.chits * PULL_FROM[1] >= field.limit(one) * PULL_FROM[0]]
    stands = [one.id for one in good if one.id not in pulls]
    said = {"Stand still, and fire by priority": stands, "Pull a chit": pulls, "Try to rally": routing}
    return [f"{what}: {', '.join(names)}." for what, names in said.items() if names]
