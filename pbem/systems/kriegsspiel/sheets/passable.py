"""Whether there is a way for troops, by the printed map and a commander's own page (KS-ORD-08, KS-ORD-09)."""

from __future__ import annotations

from pbem.ground.plane import Point, cuts, distance
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.chart import Water
from pbem.systems.kriegsspiel.scene.scene import UnitPlan
from pbem.systems.kriegsspiel.scene.terrain import Piece, cell
from pbem.systems.kriegsspiel.scene.ways import GUNS, Traveller, allowed, toll_of
from pbem.systems.kriegsspiel.scene.words import AREA_WORDS, ARM_WORDS, LINE_WORDS
from pbem.systems.kriegsspiel.sheets.bench import Bench
from pbem.systems.kriegsspiel.tables.march import ACTIVITY_ROWS, CAVALRY_STEEPEST_CHARGE, GAITS, MARCH, RATE_CLASS
from pbem.systems.kriegsspiel.world.orders import Order

CHARGE_MOVES = 2
"""Attack moves before the target in which cavalry rides in ranks (KS-ATK-01)."""


def traveller(bench: Bench, plan: UnitPlan, row: str = "") -> Traveller:
    """A unit as one for whom a way is sought, with the crossings that its commander believes closed."""
    row = row or ACTIVITY_ROWS["march"][RATE_CLASS[plan.kind]]
    arm = "infantry" if plan.arm == "pioneers" else plan.arm
    return Traveller(row, arm, bench.closed, table=bench.mind.options.march_table)


@rule("KS-ORD-08", "KS-MOV-13")
def blocked(bench: Bench, plan: UnitPlan, start: Point, end: Point, *, rate: str = "", charge: str = "") -> str:
    """What bars the straight line to troops in ranks, or at the *rate* that they are told; empty: nothing.

    *charge*: of a `charge` or `attack` by cavalry the last stretch is looked at, of an attack its ground alone.
    """
    terrain = bench.terrain
    klass = RATE_CLASS[plan.kind]
    gait = GAITS[klass].get(rate)
    who = traveller(
        bench, plan, ACTIVITY_ROWS["charge"].get(klass, "") if charge else gait.row if gait is not None else ""
    )
    way = (start, end)
    if start == end:
        return ""
    long = distance(start, end) * 12
    ridden = long - CHARGE_MOVES * 12 * (MARCH[who.row]["even"] or 0) if charge else 0
    for met in terrain.met(way) if charge != "attack" else ():
        if met.far >= ridden and toll_of(met, who.arm, MARCH[who.row]["even"] or 1, terrain) is None:
            water = terrain.chart.waters.get(met.id)
            if water is not None:
                return f"no crossing on that line: it goes over the {water.name}"
            return f"no way on that line: it goes over {LINE_WORDS[met.kind]}, {terrain.chart.lines[met.id].name}"
    for piece in terrain.pieces(way):
        if piece.end <= ridden:
            continue
        if piece.crossing and not allowed(who.arm, bench.terrain.chart.crossings[piece.crossing].allows):
            return does_not_take(bench, piece.crossing, plan)
        if piece.crossing in who.closed:
            name = bench.terrain.chart.crossings[piece.crossing].name
            return f"no way on that line: {name} cannot be passed, as far as known"
        if not cell(who.row, piece) or (charge and abs(piece.slope) > CAVALRY_STEEPEST_CHARGE * 100):
            what = "cavalry does not charge" if charge else f"no way for {ARM_WORDS[plan.arm]}"
            return f"{what} on that line: it goes {_ground(piece)}"
    return ""


def _ground(piece: Piece) -> str:
    if piece.area:
        return f"through {AREA_WORDS[piece.area]}"
    return f"over a slope of {abs(piece.slope) // 100} degrees"


def does_not_take(bench: Bench, crossing: str, plan: UnitPlan) -> str:
    """That a crossing is not for an arm (KS-ORD-09)."""
    one = bench.terrain.chart.crossings[crossing]
    return f"the {one.kind} {one.name} does not take {ARM_WORDS[plan.arm]}"


@rule("KS-ORD-09")
def along_named(bench: Bench, plan: UnitPlan, start: Point, order: Order) -> str:
    """Whether the roads named lead over a crossing that does not take the arm, and over none that does."""
    named = [spot.feature for spot in order.by]
    arm = traveller(bench, plan).arm
    for name in named:
        road = bench.chart.roads.get(name)
        over = [one for _, one in bench.terrain.crossings_on(road.line)] if road is not None else [name]
        for crossing in over:
            one = bench.terrain.chart.crossings.get(crossing)
            if one is None or allowed(arm, one.allows) or not _apart(bench, one.water, start, order.to[-1].at):
                continue
            others = [two for road_name in named for two in _taking(bench, road_name, one.water, arm)]
            if not others:
                return does_not_take(bench, crossing, plan)
    return ""


def _taking(bench: Bench, name: str, water: str, arm: str) -> list[str]:
    """The crossings of a road named, or the crossing itself, over a water that take an arm."""
    road = bench.chart.roads.get(name)
    over = [one for _, one in bench.terrain.crossings_on(road.line)] if road is not None else [name]
    crossings = bench.terrain.chart.crossings
    return [
        one
        for one in over
        if one in crossings and crossings[one].water == water and allowed(arm, crossings[one].allows)
    ]


@rule("KS-ORD-08")
def _apart(bench: Bench, water: str, one: Point, other: Point) -> bool:
    """Whether two places lie on opposite banks of a water."""
    return len(cuts(bench.chart.waters[water].shape, one, other)) % 2 == 1


@rule("KS-MOV-18", "KS-ORD-08", "KS-ORD-09")
def no_way(bench: Bench, plan: UnitPlan, start: Point, order: Order) -> str:
    """That a unit cannot get there by any way that the page knows; empty: it may.

    What is told is that a water from edge to edge of the map lies between, over which no crossing takes its arm; all
    else is found out on the way, which is sought when the order takes effect.
    """
    end, who = order.to[-1], traveller(bench, plan)
    for water in bench.chart.waters.values():
        wades = water.crossing == "step" or (water.crossing == "wade" and who.arm not in GUNS)
        if wades or not _spans(bench, water) or not _apart(bench, water.id, start, end.at):
            continue
        every = bench.terrain.chart.crossings.values()
        over = [one for one in every if one.water == water.id and one.id not in who.closed]
        if not any(allowed(who.arm, one.allows) for one in over):
            whom = ARM_WORDS[plan.arm]
            return f"no way for {whom} to {end.text}: you know of no crossing of the {water.name} that takes them"
    return ""


@rule("KS-ORD-08")
def _spans(bench: Bench, water: Water) -> bool:
    """Whether a water goes from one edge of the map to another."""
    return all(
        min(at.x, at.y, bench.chart.width - at.x, bench.chart.height - at.y) <= water.width
        for at in (water.line[0], water.line[-1])
    )
