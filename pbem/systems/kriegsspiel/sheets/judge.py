"""What is refused on receipt: orders of march, form and fight (KS-ORD-01, "What can be wrong, order by order")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbem.ground.plane import Point, distance, near, shifted
from pbem.orders.prose import listed
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import UnitPlan
from pbem.systems.kriegsspiel.scene.words import ARM_WORDS, CLASS_WORDS
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong, doubt
from pbem.systems.kriegsspiel.sheets.passable import along_named, blocked, no_way
from pbem.systems.kriegsspiel.tables.fire import CANISTER_CLASSES, INFANTRY_BANDS, RANGE_CLASSES
from pbem.systems.kriegsspiel.tables.formation import CHAIN_AHEAD, FORMATIONS, MOST_ZUGS
from pbem.systems.kriegsspiel.tables.march import COLUMN_GAP, GAITS, RATE_CLASS
from pbem.systems.kriegsspiel.tables.orders import LIMITS, PATROL_SIZES
from pbem.systems.kriegsspiel.world.orders import Line, Order, Spot
from pbem.systems.kriegsspiel.world.reactions import allows, rows_of
from pbem.systems.kriegsspiel.world.troops import key_of


class Case(NamedTuple):
    """An order to be judged."""

    bench: Bench
    name: str
    """The unit or group that it is for."""
    line: Line
    order: Order
    start: Point | None
    """Where that will be when the order begins, as far as its writer can know."""
    voice: bool = False

    @property
    def plans(self) -> tuple[UnitPlan, ...]:
        """The units that it is for."""
        return self.bench.plans(self.name)

    @property
    def arms(self) -> frozenset[str]:
        """Their arms; pioneers are counted as infantry."""
        return frozenset("infantry" if plan.arm == "pioneers" else plan.arm for plan in self.plans)

    def far(self, spot: Spot | None) -> int | None:
        """How far a place is from where the order begins; None: it cannot be known."""
        return None if spot is None or self.start is None else distance(self.start, spot.at)


Check = Callable[[Case], Iterator[Wrong]]


# ------------------------------------------------------------------ arms, rates, forms


def for_arms(what: str, *arms: str) -> Check:
    """That at least one of the units is of one of these arms."""

    def check(case: Case) -> Iterator[Wrong]:
        if case.arms and not case.arms & set(arms):
            has = listed([ARM_WORDS[arm] for arm in sorted(case.arms)])
            yield Wrong(f"{what} is for {listed([ARM_WORDS[arm] for arm in arms])}; {case.name} is {has}")

    return check


@rule("KS-ORD-03", "KS-MOV-07")
def rate(case: Case) -> Iterator[Wrong]:
    """The rate is one that the arm has."""
    if not case.order.rate or not case.plans:
        return
    classes = list(dict.fromkeys(RATE_CLASS[plan.kind] for plan in case.plans))
    allowed = list(dict.fromkeys(word for one in classes for word in GAITS[one]))
    if case.order.rate not in allowed:
        who = listed([CLASS_WORDS[one] for one in classes])
        yield Wrong(
            f"{case.order.rate} is no rate of {who}; allowed: {', '.join(allowed)}", "KS-ORD-03", word=case.order.rate
        )


@rule("KS-ORD-06", "KS-FRM-02")
def formation(case: Case) -> Iterator[Wrong]:
    """The formation is one that the arm has."""
    form = case.order.formation
    if form and case.arms and FORMATIONS[form].arm not in case.arms:
        arm = sorted(case.arms)[0]
        own = ", ".join(name for name, one in FORMATIONS.items() if one.arm == arm)
        yield Wrong(f"{form} is no formation of {ARM_WORDS[arm]}; it has {own}", "KS-ORD-06", word=form)


# ------------------------------------------------------------------ places and ways


@rule("KS-ORD-04", "KS-MOV-16")
def bodies(case: Case) -> Iterator[Wrong]:
    """A body can stand at the places named."""
    for spot in case.order.to:
        if spot.feature in case.bench.chart.crossings:
            continue
        if why := case.bench.impassable(spot.at):
            yield Wrong(f"{spot.text} lies {why}", "KS-ORD-04", word=spot.text)


@rule("KS-ORD-08", "KS-ORD-09", "KS-MOV-18")
def way(case: Case) -> Iterator[Wrong]:
    """There is a way for it, by the map and by his page."""
    order, bench = case.order, case.bench
    for spot in order.by:
        if spot.feature in bench.chart.waters or spot.feature in bench.chart.boats:
            yield Wrong(f"{spot.text} is no road and no place to pass", "KS-ORD-08", word=spot.text)
            return
    for one, other in pairwise(order.by):
        roads = [bench.chart.roads.get(spot.feature) for spot in (one, other)]
        if roads[0] is not None and roads[1] is not None and not near(roads[0].shape, roads[1].shape, COLUMN_GAP):
            yield Wrong(f"{one.text} and {other.text} do not meet", "KS-ORD-08", word=other.text)
            return
    if case.start is None or not order.to:
        return
    for plan in case.plans:
        why = blocked(bench, plan, case.start, order.to[-1].at, rate=order.rate) if order.across else ""
        why = why or along_named(bench, plan, case.start, order) or no_way(bench, plan, case.start, order)
        if why:
            yield Wrong(why, "KS-ORD-09" if "does not take" in why else "KS-ORD-08")
            return


@rule("KS-ORD-01")
def not_toward_the_enemy(case: Case) -> Iterator[Wrong]:
    """Going back does not lead toward the nearest enemy that he knows of."""
    if case.start is None or not case.order.to:
        return
    enemy = case.bench.nearest_enemy(case.start)
    to = case.order.to[0]
    if enemy is not None and distance(to.at, enemy) < distance(case.start, enemy):
        yield doubt(f"{to.text} lies toward the nearest enemy on your page", "KS-ORD-01")


# ------------------------------------------------------------------ other units


@rule("KS-ORD-01", "KS-BAT-06")
def other(case: Case) -> Iterator[Wrong]:
    """The other unit of the order is another one, and the distance to it is not too large."""
    unit, most = case.order.unit, LIMITS["follow"]
    if unit and unit in (case.name, *case.bench.members(case.name)):
        yield Wrong(f"{unit} is the unit that the order is for", word=unit)
    if (case.order.number or 0) > most:
        yield Wrong(f"{case.order.number} paces is too far: at most {most}", word=str(case.order.number))


@rule("KS-ORD-02")
def detached(case: Case) -> Iterator[Wrong]:
    """Who rejoins a unit was detached from it, as far as is known; a unit of the order of battle is no part."""
    bench, unit, to = case.bench, case.name, case.order.unit
    own = bench.scene.units.get(key_of(bench.side, unit))
    parent = bench.parents.get(unit, own.parent if own is not None else "")
    if unit in (to, "") or to in (parent, "") or bench.parents.get(to) == unit:
        return
    if own is not None or parent:
        yield Wrong(f"{unit} is no part of {to}", "KS-ORD-02", word=to)


def _battery(case: Case) -> Iterator[Wrong]:
    plans = case.bench.plans(case.order.unit)
    if plans and all(plan.arm != "artillery" for plan in plans):
        yield Wrong(f"{case.order.unit} is no battery", "KS-BAT-06", word=case.order.unit)


@rule("KS-CMD-12", "KS-CMD-11")
def group(case: Case) -> Iterator[Wrong]:
    """The order is for a group, and names units of it alone."""
    order, bench = case.order, case.bench
    name = case.name
    if not bench.is_group(name):
        yield Wrong(f"{name} is no group", "KS-CMD-11")
        return
    named = (*order.units, *([order.unit] if order.unit else []))
    strange = [unit for unit in named for one in bench.members(unit) if one not in bench.members(name)]
    if strange:
        yield Wrong(f"{listed(list(dict.fromkeys(strange)))} is not of {name}", "KS-CMD-12")
    if order.verb == "deploy" and (order.facing is None or not order.to):
        yield Wrong("deploy needs to know facing which way, and on which place", "KS-CMD-12")


# ------------------------------------------------------------------ paces and numbers


def at_most(number: int, what: str) -> Check:
    """That the first number is not larger."""

    def check(case: Case) -> Iterator[Wrong]:
        if (case.order.number or 0) > number:
            yield Wrong(f"{case.order.number} is too much: {what} at most {number}", word=str(case.order.number))

    return check


@rule("KS-FRM-08", "KS-FRM-09")
def skirmishers(case: Case) -> Iterator[Wrong]:
    """The zugs are there, and the chain stands where one may."""
    order = case.order
    ahead = order.second
    if ahead is not None and ahead not in CHAIN_AHEAD:
        yield Wrong(
            f"a chain stands {listed([str(one) for one in CHAIN_AHEAD], 'or')} paces ahead",
            "KS-FRM-09",
            word=str(ahead),
        )
    most = max((MOST_ZUGS.get(case.bench.size(plan.id), 0) for plan in case.plans if plan.arm == "infantry"), default=0)
    if order.number is not None and most and order.number > most:
        yield Wrong(
            f"{order.number} zugs are more than {case.name} has: {most} at most", "KS-FRM-08", word=str(order.number)
        )
    for spot in order.to:
        why = case.bench.impassable(spot.at)
        if why and "swamp" not in why:
            yield Wrong(f"{spot.text} lies {why}", "KS-MOV-16")


# ------------------------------------------------------------------ fire and attack


@rule("KS-ORD-02", "KS-ART-01", "KS-FIR-01")
def fire_range(case: Case) -> Iterator[Wrong]:
    """The target is not out of range, as far as his page says where both are."""
    target = case.order.target
    far = case.far(target.at) if target is not None else None
    if far is None or not case.plans:
        return
    reach = max(_reach(plan, case.order.manner) for plan in case.plans)
    if reach and far > reach:
        what = "canister" if "canister" in case.order.manner else "its fire"
        yield Wrong(f"the target is {far} paces away, and {what} carries {reach}", "KS-ART-01")


def _reach(plan: UnitPlan, manner: Sequence[str]) -> int:
    if plan.arm != "artillery":
        return LIMITS["infantry_fire"] if plan.arm == "infantry" else INFANTRY_BANDS[-1]
    classes = RANGE_CLASSES.get(plan.kind, (0,))
    return classes[CANISTER_CLASSES[-1] - 1] if "canister" in manner else classes[-1]


def _shells(case: Case) -> Iterator[Wrong]:
    if set(case.order.manner) & {"canister", "shot", "shell", "random"} and case.arms and "artillery" not in case.arms:
        yield Wrong(f"{case.order.manner[0]} is for guns; {case.name} has none", "KS-ART-01")


@rule("KS-MOV-13", "KS-MOV-01")
def charge_ground(case: Case) -> Iterator[Wrong]:
    """Cavalry can ride there in ranks, as far as the map shows."""
    target = case.order.target
    if case.start is None or target is None or target.at is None:
        return
    for plan in case.plans:
        if plan.arm == "cavalry" and (
            why := blocked(case.bench, plan, case.start, target.at.at, charge=case.order.verb)
        ):
            yield Wrong(why, "KS-MOV-13")
            return


# ------------------------------------------------------------------ patrols and parts


@rule("KS-ORD-01", "KS-CMD-14")
def patrol(case: Case) -> Iterator[Wrong]:
    """The size of a patrol or post is one of those that there are."""
    if case.order.number is not None and case.order.number not in PATROL_SIZES:
        sizes = ", ".join(str(one) for one in PATROL_SIZES)
        yield Wrong(
            f"a patrol or post of {case.order.number} there is not: {sizes}, or unit", word=str(case.order.number)
        )
    for spot in case.order.to:
        if water := case.bench.terrain.open_water(spot.at):
            yield Wrong(f"{spot.text} lies in the water of {water.name}", "KS-ORD-04")


@rule("KS-ORD-01", "KS-ORD-02")
def detach(case: Case) -> Iterator[Wrong]:
    """The half is there as last reported, the name is new, and it is not one too many."""
    bench, order = case.bench, case.order
    if bench.lexicon.taken(order.unit):
        yield Wrong(f'the name "{order.unit}" is already in your order of battle', word=order.unit)
    if len(set(bench.parents)) > LIMITS["detachments"]:
        yield Wrong(f"that is one detachment too many: {LIMITS['detachments']} at most")
    if "squadron" in order.manner:
        squadrons = len(bench.members(case.name)) if bench.is_group(case.name) else 0
        if not 1 <= (order.number or 0) <= squadrons:
            yield Wrong(f"{case.name} has no squadron {order.number}")
    elif bench.is_group(case.name) or bench.size(case.name) not in ("battalion", "battery", "company", "squadron"):
        yield Wrong(f"{case.name} has no {order.manner[0]} half to detach, as last reported")


def _dismounts(case: Case) -> Iterator[Wrong]:
    if case.plans and all(plan.kind not in ("dragoon", "mounted_jaeger") for plan in case.plans):
        yield Wrong(f"only dragoons and mounted jagers fight on foot; {case.name} is neither")


def _by_voice(case: Case) -> Iterator[Wrong]:
    if not case.voice:
        yield Wrong("rally is called out on the spot: voice UNIT: rally", "KS-CMD-03")
    elif not case.bench.mind.options.personal_rally:
        yield Wrong("commanders do not rally troops in this game", "KS-CMD-03")


def _in_words(case: Case) -> Iterator[Wrong]:
    if not case.bench.mind.options.orders_in_words:
        yield Wrong("orders in words are not taken in this game", "KS-ORD-12")


def _prolonge(case: Case) -> Iterator[Wrong]:
    known = case.bench.mind.own.get(case.name)
    if case.start is None or known is None:
        return
    ahead = 1 if "forward" in case.order.manner else -1
    end = shifted(case.start, known.state.facing, ahead * min(case.order.number or 0, LIMITS["prolonge"]))
    if case.bench.terrain.slope(case.start, end) < -100 * LIMITS["prolonge_downhill"]:
        yield Wrong(f"guns are not hauled downhill over {LIMITS['prolonge_downhill']} degrees", "KS-MOV-01")


def _signals(case: Case) -> Iterator[Wrong]:
    if not case.bench.mind.options.signals:
        yield Wrong("there are no signal guns in this game", "KS-MSG-10")
    elif not 1 <= (case.order.number or 0) <= LIMITS["signal"]:
        yield Wrong(f"a signal has from 1 to {LIMITS['signal']} shots", "KS-MSG-10")


_guns = for_arms("that", "artillery")
_people = for_arms("sending men out", "infantry", "cavalry")

CHECKS: Mapping[str, tuple[Check, ...]] = {
    "march": (rate, formation, bodies, way),
    "follow": (other,),
    "support": (other,),
    "cover": (other, _battery),
    "guard": (other,),
    "rejoin": (other, detached),
    "relieve": (other,),
    "make_way": (other,),
    "hold": (bodies,),
    "hold_concealed": (),
    "form": (formation, bodies),
    "shift": (at_most(LIMITS["shift"], "a body shifts"),),
    "deploy": (group, formation, bodies),
    "order_of_march": (group,),
    "skirmishers_out": (for_arms("skirmishing", "infantry", "cavalry"), skirmishers),
    "skirmishers_in": (for_arms("skirmishing", "infantry", "cavalry"),),
    "fire_on": (_shells, fire_range),
    "attack": (for_arms("an attack", "infantry", "cavalry"), formation, charge_ground),
    "charge": (for_arms("a charge", "cavalry"), formation, charge_ground),
    "pursue": (for_arms("a pursuit", "infantry", "cavalry"),),
    "observe": (),
    "retire": (bodies, way, not_toward_the_enemy),
    "limber": (_guns,),
    "unlimber": (_guns,),
    "prolonge": (_guns, at_most(LIMITS["prolonge"], "guns are hauled"), _prolonge),
    "withdraw_guns": (_guns,),
    "send_wagons": (_guns, bodies),
    "signal": (_guns, _signals),
    "patrol": (_people, patrol),
    "post": (_people, patrol),
    "outposts": (_people, at_most(LIMITS["posts"], "there are posts")),
    "detach": (detach,),
    "dismount": (_dismounts,),
    "mount": (_dismounts,),
    "rally": (_by_voice,),
    "words": (_in_words,),
}
"""What is tried of each order."""


# ------------------------------------------------------------------ reactions and conditions


@rule("KS-CMD-08")
def reaction(bench: Bench, name: str, key: str, value: str) -> Iterator[Wrong]:
    """The value is one that the key has for these troops."""
    rows = rows_of(key, {plan.arm for plan in bench.plans(name)})
    if not rows:
        yield Wrong(f"{name} has no reaction {key}", "KS-CMD-08")
    elif not any(allows(row, value) for row in rows):
        shown = list(dict.fromkeys(word for row in rows for word in row.values))
        yield Wrong(f'{key} cannot be "{value}"; it can be {listed(shown, "or")}', "KS-CMD-08")
