"""What is refused on receipt: orders for guns against places, works, bridges and boats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.ground.plane import distance, dot, near
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.works_standing import AT_WATER, crossing_at
from pbem.systems.kriegsspiel.scene.chart import Crossing
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong
from pbem.systems.kriegsspiel.sheets.judge import Case, Check, for_arms
from pbem.systems.kriegsspiel.tables.fire import BREACH_FAR, BREACH_GUNS
from pbem.systems.kriegsspiel.tables.orders import LIMITS
from pbem.systems.kriegsspiel.tables.works import FLOATING_NEAR
from pbem.systems.kriegsspiel.works.boats import BOATS_NEAR
from pbem.systems.kriegsspiel.world.orders import Spot

BRIDGES = ("bridge", "pontoon", "floating", "trestle")


def kind_of(bench: Bench, spot: Spot) -> str:
    """What was named: `area`, `line`, `stronghold`, `crossing`, `road`, `boats`, `entry`, `water`; empty: a place."""
    chart = bench.chart
    tables: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("crossing", chart.crossings), ("area", chart.area_of), ("stronghold", chart.strongholds),
        ("line", chart.lines), ("road", chart.roads), ("boats", chart.boats), ("entry", chart.entries),
        ("water", chart.waters),
    )  # fmt: skip
    return next((kind for kind, table in tables if spot.feature in table), "")


def named(what: str, *kinds: str) -> Check:
    """That the first place is a thing of one of these kinds."""

    def check(case: Case) -> Iterator[Wrong]:
        spot = case.order.to[0] if case.order.to else None
        if spot is None or kind_of(case.bench, spot) not in kinds:
            yield Wrong(f"{spot.text if spot else 'that'} is no {what}")

    return check


# ------------------------------------------------------------------ guns against places


@rule("KS-ORD-07", "KS-BOM-01", "KS-BOM-03")
def bombard(case: Case) -> Iterator[Wrong]:
    """It has howitzers, there are houses, and they are not out of range."""
    if case.arms and "artillery" not in case.arms:
        yield Wrong(f"{case.name} has no howitzers", "KS-ORD-07")
        return
    spot, bench = case.order.to[0], case.bench
    stronghold = bench.chart.strongholds.get(spot.feature)
    area = bench.chart.area_of.get(stronghold.feature if stronghold is not None else spot.feature)
    if area is None or not area.buildings:
        yield Wrong(f"there are no houses at {spot.text}", "KS-BOM-01")
    heavy = any(plan.kind == "foot_12" for plan in case.plans)
    most = LIMITS["bombard"] if heavy else min(LIMITS["bombard"], bench.mind.options.bombard_7lb_range)
    far = case.far(spot)
    if far is not None and far > most:
        yield Wrong(f"{spot.text} is {far} paces away, and howitzers carry {most}", "KS-BOM-01")


@rule("KS-ORD-07", "KS-BRE-02", "KS-BRE-04")
def breach(case: Case) -> Iterator[Wrong]:
    """It has guns enough, and is near enough."""
    guns = sum(case.bench.guns(plan.id) for plan in case.plans)
    if case.order.verb == "breach" and case.plans and guns < BREACH_GUNS:
        yield Wrong(f"a breach needs {BREACH_GUNS} guns; {case.name} has {guns}", "KS-ORD-07")
    far = case.far(case.order.to[-1]) if case.order.to else None
    if far is not None and far > BREACH_FAR:
        why = f"{case.order.to[-1].text} is {far} paces away, and no wall or bridge is shot down beyond {BREACH_FAR}"
        yield Wrong(why, "KS-BRE-02")


# ------------------------------------------------------------------ places


@rule("KS-ORD-01", "KS-STR-01")
def occupy(case: Case) -> Iterator[Wrong]:
    """It is a thing that can be held, and guns do not go into houses alone."""
    spot = case.order.to[0]
    kind = kind_of(case.bench, spot)
    if kind not in ("area", "line", "stronghold", "crossing"):
        yield Wrong(f"{spot.text} is no area, line, stronghold or crossing")
        return
    stronghold = case.bench.chart.strongholds.get(spot.feature)
    area = case.bench.chart.area_of.get(stronghold.feature if stronghold else spot.feature)
    if case.arms == {"artillery"} and area is not None and area.built:
        yield Wrong(f"guns do not hold houses alone: name a gate, a street or the crossing of {spot.text}")


@rule("KS-BRG-10")
def dig(case: Case) -> Iterator[Wrong]:
    """The earthwork is said whole, and there is time for it."""
    if not case.order.to or case.order.facing is None or case.order.number is None:
        yield Wrong("an earthwork needs at, facing and length", "KS-BRG-10")
    left = case.bench.scene.last_move - case.bench.mind.move
    if left < LIMITS["dig_moves"]:
        yield Wrong(f"an earthwork takes {LIMITS['dig_moves']} moves, and {max(left, 0)} are left", "KS-BRG-10")


def _barricade(case: Case) -> Iterator[Wrong]:
    spot = case.order.to[0]
    kind = kind_of(case.bench, spot)
    if kind not in ("crossing", "road"):
        yield Wrong(f"{spot.text} is no crossing and no road", "KS-BRG-08")
    elif kind == "road" and len(case.order.to) < 2:
        yield Wrong(f"say where on the road: barricade {spot.text} at PLACE", "KS-BRG-08")


@rule("KS-BRG-08")
def clear(case: Case) -> Iterator[Wrong]:
    """There is an obstacle, as far as he knows: a crossing barricaded, or what he had built himself."""
    spot, bench = case.order.to[0], case.bench
    if bench.crossing_state(spot.feature) == "barricaded":
        return
    own = [
        place.at
        for papers in bench.mind.orders.values()
        for _, lines in papers
        for line in lines
        if line.order is not None and line.order.verb == "barricade"
        for place in line.order.to
    ]
    if not any(distance(at, spot.at) <= LIMITS["at_place"] for at in own):
        yield Wrong(f"no obstacle is known at {spot.text}", "KS-BRG-08")


# ------------------------------------------------------------------ bridges


@rule("KS-BRG-01", "KS-BRG-02", "KS-BRG-03")
def build(case: Case) -> Iterator[Wrong]:
    """There is material for it in his order of battle, and a bank where it can be built."""
    bench, spot = case.bench, case.order.to[0]
    water = next(
        (one for one in bench.chart.waters.values() if near(dot(spot.at), one.shape, one.width // 2 + AT_WATER)),
        None,
    )
    if water is None:
        yield Wrong(f"{spot.text} is not at the water", "KS-BRG-01")
    elif water.bank != "normal":
        yield Wrong(f"the bank of the {water.name} is {water.bank}", "KS-BRG-01")
    kind = case.order.manner[0]
    own = [plan for plan in bench.scene.units.values() if plan.side == bench.side]
    has = {
        "pontoon": any(plan.kind == "pontoon_train" for plan in own),
        "trestle": any(plan.arm == "pioneers" or plan.kind == "pontoon_train" for plan in own),
        "floating": any(area.built and near(dot(spot.at), area.shape, FLOATING_NEAR) for area in bench.chart.areas),
    }
    if not has[kind]:
        why = (
            f"there is no town or village within {FLOATING_NEAR} paces of {spot.text}"
            if kind == "floating"
            else f"there is nothing for a {kind} bridge in your order of battle"
        )
        yield Wrong(why, f"KS-BRG-0{1 + ('pontoon', 'floating', 'trestle').index(kind)}")


def _crossing(case: Case) -> Crossing | None:
    """The crossing that is named: by its name, or one built since by its place."""
    bench, spot = case.bench, case.order.to[0]
    return bench.chart.crossings.get(spot.feature) or crossing_at(bench.chart, bench.mind.crossings, spot.at)


def bridge(case: Case) -> Iterator[Wrong]:
    """It is a bridge."""
    spot = case.order.to[0]
    crossing = _crossing(case)
    if crossing is None or crossing.kind not in BRIDGES:
        yield Wrong(f"{spot.text} is no bridge", "KS-BRG-04")


@rule("KS-BRG-04", "KS-BRG-05", "KS-BRG-06")
def by_hand(case: Case) -> Iterator[Wrong]:
    """What it is built of allows it, and there is powder, or pioneers, in his order of battle."""
    order, bench = case.order, case.bench
    crossing = _crossing(case)
    stone = crossing is not None and crossing.material == "stone"
    if stone and (order.verb == "burn" or "burning" in order.manner):
        yield Wrong(f"{order.to[0].text} is of stone and does not burn", "KS-BRG-05")
    if stone and order.verb in ("tear_up", "remove"):
        yield Wrong(f"{order.to[0].text} is of stone and is not torn up by hand", "KS-BRG-06")
    own = [plan for plan in bench.scene.units.values() if plan.side == bench.side]
    powder = any(plan.powder_for or plan.arm in ("pioneers", "artillery") for plan in own)
    if not powder and (order.verb == "blow" or "blowing" in order.manner):
        yield Wrong("there is neither powder nor a pioneer in your order of battle", "KS-BRG-04")


@rule("KS-BRG-07", "KS-ORD-02")
def repair(case: Case) -> Iterator[Wrong]:
    """It is broken, as far as he knows."""
    spot = case.order.to[0]
    crossing = _crossing(case)
    if crossing is None or case.bench.crossing_state(crossing.id) in ("", "intact", "repaired"):
        yield Wrong(f"{spot.text} is intact as far as known", "KS-ORD-02")


def _one_condition(case: Case) -> Iterator[Wrong]:
    if case.order.until is not None and case.line.test is not None:
        yield Wrong("a condition behind the order cannot stand inside another: use two lines", "KS-ORD-11")


# ------------------------------------------------------------------ boats


@rule("KS-BOT-01", "KS-BOT-02")
def boats(case: Case) -> Iterator[Wrong]:
    """There are boats, by the map."""
    order, chart = case.order, case.bench.chart
    if order.by:
        if kind_of(case.bench, order.by[0]) != "boats":
            yield Wrong(f"{order.by[0].text} is the name of no boats", "KS-BOT-01")
    elif not any(distance(one.at, order.to[0].at) <= BOATS_NEAR for one in chart.boats.values()):
        yield Wrong(f"no boats are known at {order.to[0].text}", "KS-BOT-01")


_guns = for_arms("that", "artillery")

CHECKS: Mapping[str, tuple[Check, ...]] = {
    "bombard": (bombard,),
    "breach": (_guns, named("wall, line or crossing", "line", "stronghold", "crossing"), breach),
    "batter": (_guns, named("crossing", "crossing"), breach),
    "occupy": (occupy,),
    "fortify": (named("area, line or stronghold", "area", "line", "stronghold"),),
    "barricade": (_barricade,),
    "clear": (clear,),
    "dig": (dig,),
    "build": (build,),
    "dismantle": (bridge,),
    "prepare": (bridge, by_hand),
    "blow": (bridge, by_hand, _one_condition),
    "burn": (bridge, by_hand, _one_condition),
    "tear_up": (bridge, by_hand),
    "remove": (bridge, by_hand),
    "repair": (bridge, repair),
    "put_out": (),
    "embark": (boats,),
    "take_boats": (boats,),
    "swim": (for_arms("swimming", "infantry", "cavalry"),),
}
"""What is tried of each order."""
