"""A programme in full words, with what its marches cost and what it comes to, by what its writer knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from pbem.ground.hexes import Hex, are_neighbours
from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.prose import listed
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.field.fitness import hqs_of, may_act
from pbem.systems.empire_1870.field.ratios import ratio_text
from pbem.systems.empire_1870.march.steps import step_cost
from pbem.systems.empire_1870.play.picking import pick, unspent
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets.chances import clauses, does_attack, of_force, of_hq
from pbem.systems.empire_1870.sheets.judge_administration import budget, cost
from pbem.systems.empire_1870.tables.charts import INHERENT, MOBILIZATION, RAIL_MP, RAIL_RP, RAIL_SP, RALLY_RP
from pbem.systems.empire_1870.turn.conditions import Plan, known_odds
from pbem.systems.empire_1870.turn.programme import edited
from pbem.systems.empire_1870.turn.setup import placements
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, Standing
from pbem.systems.empire_1870.world.stacks import Stack
from pbem.systems.empire_1870.world.state import War, remaining


def march_cost(field: Field, side: Role, at: Hex, stack: Stack, action: say.March, *, cautious: bool) -> int:
    """MP that a path costs as far as a side knows the map."""
    total, here, first = 0, at, True
    aboard = bool(stack) and all(one.entrained for one in stack)
    for leg in action.path:
        if isinstance(leg, say.Go):
            if aboard and first:
                total += RAIL_MP["detrain"]
            if field.cell(leg.hex).terrain == "neutral" or not (are_neighbours(here, leg.hex) or here == leg.hex):
                break
            step = step_cost(field, side, here, leg.hex, stack, cautious=cautious, is_there=first)
            total += step.cost
            here = leg.hex
        else:
            total += RAIL_MP["ride"] * (leg.start != leg.end)
            total += (0 if aboard and first else RAIL_MP["entrain"]) + (0 if leg.stay else RAIL_MP["detrain"])
            here = leg.end
        first = False
    return total


# ------------------------------------------------------------------ in words


def amount_words(amount: say.Amount) -> str:
    """`8 SP`, `2 good and 1 disrupted SP`, `all SP that fit`."""
    if amount.everything:
        return "all unspent SP within its limit"
    if not amount.by_status:
        return f"{amount.count} SP" if amount.count else "no SP"
    parts = [f"{number} {status}" for status, number in amount.grades.items() if number]
    return f"{' and '.join(parts)} SP"


def _test_words(scene: Scene, one: say.Condition) -> str:
    at = scene.place_name(one.hex) if one.hex else ""
    yes, no = {
        "enemy_in": (f"the enemy is known in {at}", f"no enemy is known in {at}"),
        "enemy_adjacent": (f"an enemy is known next to {at}", f"no enemy is known next to {at}"),
        "friend_in": (f"own SP are in {at}", f"no own SP are in {at}"),
        "friend_sp": (f"at least {one.number} own SP are in {at}", ""),
        "control": (f"{at} is yours", f"{at} is not yours"),
        "rp": (f"you have {one.number} RP or more", ""),
        "odds": (f"the odds are {one.odds[0]}:{one.odds[1]} or better", ""),
        "done": (f"{one.hq} has been activated", f"{one.hq} has not been activated"),
        "vp_most": (f"the VP marker is at {one.number} or below", ""),
        "vp_least": (f"the VP marker is at {one.number} or above", ""),
    }[one.test]
    return no if one.negated else yes


def _provided_words(scene: Scene, provided: say.Provided, *, nested: bool) -> str:
    """The condition of an entry, or of a line *nested* in one, which cannot wait: the entry goes on without it."""
    if not provided.conditions:
        return ""
    tests = " and ".join(_test_words(scene, one) for one in provided.conditions)
    other = provided.otherwise
    if other == "skip" or (other == "wait" and nested):
        return f", if {tests}; else it is {LEFT_OUT if nested else 'dropped'}"
    if other == "wait":
        return f", if {tests}; else it waits and is tried again"
    assert not isinstance(other, str), "skip and wait are all the words"
    return f", if {tests}; else {action_words(scene, other)}"


def action_words(scene: Scene, action: say.Action) -> str:
    """An action in full words."""
    name = scene.place_name
    match action:
        case say.March():
            parts = []
            for leg in action.path:
                if isinstance(leg, say.Go):
                    parts.append(f"to {name(leg.hex)}")
                else:
                    stay = " and stay on the train" if leg.stay else ""
                    parts.append(f"by rail from {name(leg.start)} to {name(leg.end)}{stay}")
            words = f"march {', '.join(parts)}" if parts else "march"
            extras = [
                "attacking whoever stands in the way" if action.attack else "stopping before any enemy",
                *(f"taking {amount_words(one.amount)} along at {name(one.hex)}" for one in action.pickups),
                *(f"leaving {amount_words(one.amount)} at {name(one.hex)}" for one in action.drops),
                *(["stopping when a new enemy comes next to it"] if action.stop_enemy else []),
                *([f"throwing for {action.force} MP more if needed"] if action.force else []),
                *(["and off the map"] if action.exit else []),
            ]
            return f"{words}, {', '.join(extras)}"
        case say.ForcedMarch():
            return f"forced march of {action.extra} MP more to {', '.join(map(name, action.path))}"
        case say.Rally():
            return "rally"
        case say.Assault():
            joins = [
                f"{one.hq} with {amount_words(one.amount) if one.amount else 'all SP left there'}"
                for one in action.joins
            ]
            advance = f", then advance: {action.advance}" if isinstance(action.advance, str) else ""
            if isinstance(action.advance, tuple):
                advance = f", then advance from {', '.join(action.advance)}"
            return f"planned attack on {name(action.target)}{' joined by ' if joins else ''}{', '.join(joins)}{advance}"


LEFT_OUT = "left out, and its units stay unspent"
"""What becomes of a line inside a block whose condition is not met (WE-SEQ-04)."""


def _unknown(field: Field, action: say.Action) -> str:
    """What cannot be known about an action now."""
    war = field.war
    enemy = ENEMY[war.viewer or FRENCH]
    # A hex looked into may hold HQs alone.
    known = {*war.stacks.get(enemy, {}), *(hq.hex for hq in war.hqs.values() if hq.side == enemy and hq.hex)}
    hidden = [at for at in say.hexes_of(action) if at in war.occupied and at not in known]
    return f" What the enemy has in {', '.join(dict.fromkeys(hidden))} is not known." if hidden else ""


class _Plan:
    """A programme being restated."""

    def __init__(self, scene: Scene, mind: War, side: Role, orders: Sequence[say.AnyOrder]) -> None:
        self.field, self.scene, self.side = field_of(scene, mind), scene, side
        self.chances = clauses(self.field, side, orders)

    def entry(self, order: say.AnyOrder) -> Iterator[tuple[int, str]]:
        match order:
            case say.Insert():
                yield order.line, self.before(order.number)
                yield from self.entry(order.entry)
            case say.Act():
                yield from self.block(order, 0)
            case say.Div():
                yield order.line, self.division(order)
            case say.Drop():
                yield order.line, f"Entry {order.number} of what remains is dropped: {self.left[order.number - 1]}."
            case say.Pass():
                yield order.line, "Pass, once."
            case say.Mobilize() | say.MobilizeHq():
                what = f"{order.count} SP" if isinstance(order, say.Mobilize) else order.hq
                place = self.scene.place_name(order.hex)
                yield order.line, f"Mobilize {what} at {place}: {cost(self.side, order)} RP."
            # Standing orders are in force, and set-ups are told as a whole, by `_set_up`.
            case _:
                pass

    @property
    def left(self) -> list[str]:
        """The first line of each entry that is still to be run."""
        return [f"“{' '.join(one.order.text.split())}”" for one in remaining(self.field.war, self.side)]

    def before(self, number: int) -> str:
        """Where `INSERT` puts its entry."""
        if number > len(self.left):
            return "After all that remains:"
        return f"Before entry {number} of what remains, {self.left[number - 1]}:"

    def block(self, order: say.Act | say.SubLine, depth: int) -> Iterator[tuple[int, str]]:
        hq = self.field.war.hqs[order.hq]
        where = f" at {self.scene.place_name(hq.hex)}" if hq.hex else ""
        provided = _provided_words(self.scene, order.provided, nested=isinstance(order, say.SubLine))
        yield order.line, f"{_indent(depth)}{order.hq}, {hq.name},{where} is activated{provided}:"
        for line in order.lines:
            yield from self.line(line, order.hq, depth + 1)
        if not order.lines:
            yield order.line, f"{_indent(depth + 1)}nothing is ordered."

    def line(self, line: say.BlockLine, hq: str, depth: int) -> Iterator[tuple[int, str]]:
        match line:
            case say.SubLine():
                yield from self.block(line, depth)
            case say.ForceLine():
                yield line.line, f"{_indent(depth)}{self.division(line)}"
            case say.SelfLine():
                yield line.line, f"{_indent(depth)}{self.own(line, hq)}"
            case other:
                assert_never(other)

    def division(self, line: say.ForceLine | say.Div) -> str:
        stack = pick(unspent(self.field.stack(self.side, line.hex)), line.amount, 99)
        costs = self.costs(line.action, line.hex, stack, INHERENT[self.side].ma, cautious=False)
        words = action_words(self.scene, line.action)
        provided = _provided_words(self.scene, line.provided, nested=isinstance(line, say.ForceLine))
        head = f"{amount_words(line.amount)} of {self.scene.place_name(line.hex)}: {words}{provided}"
        odds = self.odds(line.line, of_force(self.field, self.side, line))
        return f"{head}.{costs}{odds}{_unknown(self.field, line.action)}"

    def own(self, line: say.SelfLine, name: str) -> str:
        hq = self.field.war.hqs[name]
        at = hq.hex
        company = f" and {', '.join(line.along)}" if line.along else ""
        also = "".join(f", {amount_words(one.amount)} of {self.scene.place_name(one.hex)}" for one in line.also)
        words = action_words(self.scene, line.action)
        head = f"{name}{company} with {amount_words(line.amount)}{also}: {words}"
        stack = pick(unspent(self.field.stack(self.side, at)), line.amount, 99) if at else ()
        costs = self.costs(line.action, at, stack, hq.ma, cautious=hq.cautious) if at else ""
        provided = _provided_words(self.scene, line.provided, nested=True)
        odds = self.odds(line.line, of_hq(self.field, self.side, line, hq)) if at else ""
        return f"{head}{provided}.{costs}{odds}{_unknown(self.field, line.action)}"

    def odds(self, line: int, plan: Plan) -> str:
        """The ratio of an attack, if the enemy there is known (WE-CBT-04), and its chances."""
        found = known_odds(self.field, self.side, plan) if does_attack(plan) else None
        if not found:
            return ""
        clause = self.chances.get(line, "")
        return f" Odds by what you know: {ratio_text(found)}{clause and f'; {clause}'}."

    def costs(self, action: say.Action, at: Hex, stack: Stack, mp: int, *, cautious: bool) -> str:
        if isinstance(action, say.ForcedMarch):
            path = say.March(path=tuple(say.Go(one) for one in action.path))
            needed = march_cost(self.field, self.side, at, stack, path, cautious=cautious)
            return f" {needed} of {mp} + {action.extra} MP."
        if not isinstance(action, say.March) or not action.path:
            return ""
        return f" {march_cost(self.field, self.side, at, stack, action, cautious=cautious)} of {mp} MP."


def _indent(depth: int) -> str:
    return "    " * depth


def forecast(scene: Scene, mind: War, role: Role, orders: Sequence[say.AnyOrder]) -> tuple[tuple[int, str], ...]:
    """A programme as an indented plan: the number of a line and what it comes to, by what its writer knows."""
    places = [order for order in orders if isinstance(order, say.Placing)]
    if places:
        return ((0, _set_up(scene, mind, role, places)),)
    plan = _Plan(scene, mind, role, orders)
    told = [pair for order in orders for pair in plan.entry(order)]
    if not told:
        return ()
    return (*told, (0, _resources(plan.field, role, orders)), *([(0, NOT_KNOWN)] if _activates(orders) else []))


def _set_up(scene: Scene, mind: War, side: Role, orders: Sequence[say.Placing]) -> str:
    """How those will stand who have a choice, by these lines and by the default."""
    here: dict[Hex, list[str]] = {}
    for group, where in placements(scene, mind, side, orders):
        if group.area:
            for name, at in where.hqs.items():
                here.setdefault(at, []).append(name)
            for at, number in where.sp.items():
                here.setdefault(at, []).append(f"{number} SP")
    stand = "; ".join(f"{scene.place_name(at)}: {', '.join(what)}" for at, what in sorted(here.items()))
    return f"So, with the default for what you do not place, stand those who are free to: {stand}."


NOT_KNOWN = "Not known: who wins the initiative before each activation, the dice, and what the enemy does meanwhile."


def _activates(orders: Sequence[say.AnyOrder]) -> bool:
    return any(isinstance(line, say.Activation) for line in _lines(orders))


def _lines(orders: Iterable[say.AnyOrder]) -> Iterator[say.Written]:
    return (line for order in orders for line in say.lines_in(order))


@rule("WE-RP-02", "WE-RAI-02")
def _resources(field: Field, side: Role, orders: Sequence[say.AnyOrder]) -> str:
    """What the orders cost in RP if all of them are carried out, and what is then left for the guns."""
    costs = {"mobilization": 0, "rally": 0, "rail": 0}
    riding = field.war.rail_sp_used
    for line in _lines(orders):
        if isinstance(line, say.Raising):
            costs["mobilization"] += cost(side, line)
        elif isinstance(line, say.ActingLine) and isinstance(line.action, say.Rally):
            costs["rally"] += RALLY_RP * (1 + (len(line.also) if isinstance(line, say.SelfLine) else 0))
        elif isinstance(line, say.ActingLine) and isinstance(line.action, say.March):
            rides = any(isinstance(leg, say.Ride) for leg in line.action.path)
            costs["rail"] += RAIL_RP[side] * line.amount.total * rides
            riding += line.amount.total * rides
    total, held = sum(costs.values()), budget(field, side)
    parts = [f"{rp} for {what}" for what, rp in costs.items() if rp]
    spent = f"{', '.join(parts)}: {total} in all" if len(parts) > 1 else parts[0] if parts else "none"
    left = f"At most {held - total} are left for artillery and recovery."
    if total > held:
        left = "That is more than you have: what comes last is not carried out."
    most = RAIL_SP[side]
    trains = f" Of the {riding} SP by rail only {most} can ride in a turn." if most and riding > most else ""
    return f"RP: {held}; of them {spent}. {left}{_standing(field, side, orders)}{trains}"


def _standing(field: Field, side: Role, orders: Sequence[say.AnyOrder]) -> str:
    """What a standing mobilization may take besides, in an exchange that begins with one (WE-ADM-01)."""
    if field.war.phase != "administration":
        return ""
    order = field.war.standing.get(side, Standing()).mobilize
    for one in orders:
        order = one if isinstance(one, say.StandingMobilize) else order
    if order is None or not order.count:
        return ""
    most = order.count * len(order.hexes) * MOBILIZATION[side].sp_rp
    keeps = f", as long as {order.reserve} stay" if order.reserve else ""
    return f" Your standing mobilization may take {most} of them{keeps}."


def idle(scene: Scene, mind: War, role: Role, orders: Sequence[say.AnyOrder], call: Call) -> tuple[str, ...]:
    """Own HQs on the map that may still act and that no entry activates, of this sheet or of what remains."""
    entries: list[say.AnyOrder] = [order for order in orders if isinstance(order, say.Root)]
    edits = [order for order in orders if isinstance(order, say.Edit)]
    if not entries and "programme" in call.sorts:
        entries = [one.order for one in edited(remaining(mind, role), edits, 1)]
    named = {hq for line in _lines(entries) for hq in _hqs_of(line)}
    left = [hq.id for hq in hqs_of(mind, role) if may_act(hq) and hq.id not in named]
    if not left:
        return ()
    return (
        f"No entry activates {listed(left)}: {'they stay where they are' if left[1:] else 'it stays where it is'}.",
    )


def _hqs_of(line: say.Written) -> tuple[str, ...]:
    """The HQs that a line activates, or takes along."""
    if isinstance(line, say.SelfLine):
        joins = line.action.joins if isinstance(line.action, say.Assault) else ()
        return (*line.along, *(one.hq for one in joins))
    return (line.hq,) if isinstance(line, say.Act | say.SubLine) else ()
