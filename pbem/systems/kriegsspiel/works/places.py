"""Works on places: barricades and clearing them, stronger borders, earthworks (KS-BRG-08, KS-BRG-10)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point, bearing, distance, dot, line, nearest
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.works_standing import built_id, class_of, earthwork_id, line_of
from pbem.systems.kriegsspiel.march.forming import bearing_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Chart, Stronghold
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.tables.works import CLEARING, OBSTACLE_MOVES, OBSTACLE_PARTY, WORKS
from pbem.systems.kriegsspiel.works.works import MOVE, Finder, Found, Task, at_crossing
from pbem.systems.kriegsspiel.world.bodies import is_battalion
from pbem.systems.kriegsspiel.world.orders import Order, Verb
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit

AT_OBSTACLE = 60
"""Paces from a place named within which an obstacle is the one that is meant."""


# ------------------------------------------------------------------ obstacles


@rule("KS-BRG-08", "KS-BRG-10")
def obstacle_gain(play: Play, unit: Unit) -> int:
    """Twice as much in a move from 200 men, or from pioneers."""
    del play
    large = WORKS["barricade, large party or pioneers"]
    small = WORKS["barricade"]
    many = unit.arm == "pioneers" or unit.strength.tw >= (large.men or 0) * MAN_TW
    return MOVE * small.moves // (large.moves if many else small.moves)


def _party(unit: Unit) -> str:
    """Why a unit cannot give the working party; empty: it can."""
    men = unit.strength.tw // MAN_TW
    return "" if men >= OBSTACLE_PARTY else f"{OBSTACLE_PARTY} men are needed, and we have {men}"


@rule("KS-BRG-08", "KS-BRG-10")
def barricade(play: Play, unit: Unit, order: Order) -> Found:
    """`barricade CROSSING`, `barricade ROAD at PLACE`."""
    chart, spot = play.scene.chart, order.to[0]
    if _party(unit):
        return _party(unit)
    crossing = chart.crossings.get(spot.feature)
    needed = OBSTACLE_MOVES * MOVE
    if crossing is not None:
        state = play.field.crossing_state(crossing.id)
        if state == "barricaded":
            return None
        if state not in ("intact", "repaired", "prepared"):
            return f"the {crossing.name} is {state.replace('_', ' ')}"
        where, go = at_crossing(play, unit, crossing)
        return Task(crossing.id, "barricade", needed, where, go, "barricaded", ("KS-BRG-08",), obstacle_gain)
    road = chart.roads.get(spot.feature)
    if road is None or len(order.to) < 2:
        return f"{spot.text} is no crossing and no road"
    at = nearest(road.shape, order.to[1].at)
    name = built_id("barricade", at)
    here = play.war.features.get(name)
    if here is not None and here.state == "barricaded":
        return None
    start = Feature(name, at=at, kind="barricade", side=unit.side)
    return Task(name, "barricade", needed, dot(at), at, "barricaded", ("KS-BRG-08",), obstacle_gain, start)


@rule("KS-BRG-08")
def clear(play: Play, unit: Unit, order: Order) -> Found:
    """`clear OBSTACLE`: half as long as was spent on it."""
    if _party(unit):
        return _party(unit)
    feature = _obstacle(play, order)
    if feature is None:
        return f"there is no obstacle at {order.to[0].text}"
    spent = feature.done if feature.work == "barricade" else OBSTACLE_MOVES * MOVE
    part, whole = CLEARING
    needed = feature.needed if feature.work == "clear" else -(-spent * part // whole)
    crossing = play.scene.chart.crossings.get(feature.id)
    where, go = at_crossing(play, unit, crossing) if crossing is not None else (dot(feature.at), feature.at)
    becomes = "removed" if crossing is None else "repaired" if feature.kind == "repaired" else "intact"
    return Task(feature.id, "clear", needed, where, go, becomes, ("KS-BRG-08",), obstacle_gain, finish=_cleared)


def _cleared(play: Play, unit: Unit, feature: Feature) -> Changes:
    del play, unit
    return Changes(features=(replace(feature, work="", done=0, needed=0),))


def _obstacle(play: Play, order: Order) -> Feature | None:
    """The obstacle, finished or only begun, at the place that an order names."""
    spot, features = order.to[-1], play.war.features
    crossings = play.scene.chart.crossings
    found = [
        (distance(at, spot.at), name)
        for name, feature in features.items()
        if feature.state == "barricaded" or feature.work in ("barricade", "clear")
        for at in ((crossings[name].at if name in crossings else feature.at),)
        if name == spot.feature or distance(at, spot.at) <= AT_OBSTACLE
    ]
    return features[min(found)[1]] if found else None


# ------------------------------------------------------------------ borders, earthworks


@rule("KS-BRG-10")
def battalion_gain(play: Play, unit: Unit) -> int:
    """A move's work of a battalion; of a half battalion the half, of others by their men."""
    del play
    if unit.arm == "infantry" and unit.strength.blocks and is_battalion(unit):
        return MOVE * unit.strength.blocks // 2
    return max(1, MOVE * unit.strength.tw // (900 * MAN_TW))


def stronghold_of(chart: Chart, name: str) -> Stronghold | None:
    """A stronghold by its own name or by that of its area, line or crossing."""
    found = chart.strongholds.get(name)
    return found or next((one for one in chart.strongholds.values() if one.feature == name), None)


@rule("KS-BRG-10")
def strengthening_moves(front: int) -> int:
    """Moves of a battalion to make a light border of so many paces strong, in twelfths."""
    work = WORKS["village border strong"]
    return -(-work.moves * MOVE * front // (work.paces or 1))


@rule("KS-BRG-10")
def earthwork_moves(length: int) -> int:
    """Moves of a battalion for a hasty earthwork of so many paces, in twelfths."""
    work = WORKS["field work, hasty"]
    return -(-work.moves * MOVE * length // (work.paces or 1))


@rule("KS-BRG-10")
def fortify(play: Play, unit: Unit, order: Order) -> Found:
    """`fortify AREA|STRONGHOLD`: its light border becomes strong."""
    chart, spot = play.scene.chart, order.to[0]
    stronghold = stronghold_of(chart, spot.feature)
    if stronghold is None:
        return f"{spot.text} has no border to be strengthened"
    if stronghold.front == 0:
        return f"{stronghold.name} is a defile: it is barricaded"
    if class_of(play.war, stronghold) != "light":
        here = play.war.features.get(stronghold.id)
        return None if here is not None and here.side == unit.side else f"{stronghold.name} is strong already"
    area, course = chart.area_of.get(stronghold.feature), chart.lines.get(stronghold.feature)
    where = area.shape if area is not None else course.shape if course is not None else dot(spot.at)
    needed = strengthening_moves(stronghold.front)
    return Task(stronghold.id, "border", needed, where, spot.at, "strong", ("KS-BRG-10",), battalion_gain)


@rule("KS-BRG-10")
def dig(play: Play, unit: Unit, order: Order) -> Found:
    """`dig earthwork at PLACE facing DIR length N`."""
    at = order.to[0].at
    facing = bearing_of(unit, order.facing) if order.facing is not None else unit.place.facing
    if order.facing is not None and order.facing.toward is not None:
        facing = _toward(at, order.facing.toward.at, facing)
    length = order.number or 0
    name = earthwork_id(at, facing, length)
    here = play.war.features.get(name)
    if here is not None and here.state == "strong":
        return None
    course = line_of(name)
    where = line(course.line) if course is not None else dot(at)
    start = Feature(name, at=at, kind="earthwork", length=length, facing=facing, side=unit.side)
    return Task(
        name, "earthwork", earthwork_moves(length), where, at, "strong", ("KS-BRG-10",), battalion_gain, start
    )  # fmt: skip


def _toward(at: Point, there: Point, else_: int) -> int:
    return bearing(at, there) if at != there else else_


PLACES: Mapping[Verb, Finder] = {"fortify": fortify, "barricade": barricade, "clear": clear, "dig": dig}
"""The works on places, by the verb of the order."""
