"""Marches and what is near to them: to a place, behind another unit, back; halts and holding (KS-MOV, KS-CMD-11)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, bearing, distance, dot, gap, line, near, nearest, shifted
from pbem.ground.way import at as way_at
from pbem.ground.way import length, part
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import outline, terrain_of, trail_behind
from pbem.systems.kriegsspiel.field.works_standing import name_of
from pbem.systems.kriegsspiel.knowing.conditions import sightings, true_for
from pbem.systems.kriegsspiel.march import carrying_out as carry
from pbem.systems.kriegsspiel.march.comrades import comrade_of
from pbem.systems.kriegsspiel.march.forming import bearing_of, begin_change
from pbem.systems.kriegsspiel.march.gate import bounded
from pbem.systems.kriegsspiel.march.passing import INTERVAL
from pbem.systems.kriegsspiel.mind.beliefs import arm_of
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS
from pbem.systems.kriegsspiel.scene.ways import Traveller, find, on_road, time_of
from pbem.systems.kriegsspiel.scene.words import spot_words
from pbem.systems.kriegsspiel.tables.attack import TURN_ABOUT
from pbem.systems.kriegsspiel.tables.march import COLUMN_GAP
from pbem.systems.kriegsspiel.tables.orders import LIMITS
from pbem.systems.kriegsspiel.world.bodies import is_post, is_remnant
from pbem.systems.kriegsspiel.world.forms import ROUTE, is_column, on_route
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.troops import Unit


def _march_form(play: Play, unit: Unit, order: Order, way: tuple[Point, ...]) -> str:
    """The formation of a march: as ordered; a column of the route where the way is by road; else as it is."""
    if order.formation:
        return order.formation
    if is_post(unit) or is_column(unit):
        return unit.place.formation
    terrain = terrain_of(play.scene)
    roads = sum(1 for at in way if on_road(terrain, at))
    if order.by or roads * 2 > len(way) or unit.arm in ("artillery", "train"):
        return ROUTE[unit.arm]
    return unit.place.formation


@rule("KS-MOV-01", "KS-MOV-18", "KS-FRM-03", "KS-MOV-22", "KS-SIT-07")
def do_march(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`march to PLACE`: find the way, take the form of the march, and go."""
    spot = carry.goal(order)
    if spot is None:
        return carry.failed("no place was named")
    if carry.is_at(unit, spot.at):
        return _there(play, unit, order)
    if unit.change is not None:
        return carry.GOING
    if unit.duty.stage != "marching" or not unit.march.way:
        return _set_out(play, unit, order, spot.at)
    name = carry.barred(play, unit)
    if name:
        return _learn_closed(play, unit, name)
    row, most = carry.row_of_march(play, unit, order)
    carry.set_row(play, unit, row, most)
    return carry.GOING


def _set_out(play: Play, unit: Unit, order: Order, to: Point) -> carry.Did:
    if unit.duty.stage == "marching" and unit.duty.count > 3:
        return carry.failed("the way is blocked")
    way = carry.way_for(play, unit, to, order)
    if way is None:
        return carry.failed(f"there is no way to {order.to[-1].text}")
    form = _march_form(play, unit, order, way)
    limber = True if unit.arm == "artillery" and not unit.place.limbered else None
    if (form != unit.place.formation or limber) and begin_change(play, unit, form, unit.place.facing, limber=limber):
        return carry.GOING
    unit = carry.stage(play, play.unit(unit.key), "marching")
    row, most = carry.row_of_march(play, unit, order)
    carry.set_way(play, unit, way, row, most)
    return carry.GOING


@rule("KS-MOV-18", "KS-MSG-08")
def _learn_closed(play: Play, unit: Unit, name: str) -> carry.Did:
    """The crossing before it cannot be passed: the unit halts, knows it, and reports at once."""
    state = play.field.crossing_state(name)
    called = name_of(play.scene.chart, name)
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    duty = replace(unit.duty, knows=unit.duty.knows | {name: state})
    play.change(unit, "knows", duty=duty)
    play.note(unit.key, "way_blocked", f"The {called} cannot be passed ({state.replace('_', ' ')}).")
    play.note(unit.key, "bridge", f"crossing {name}={state}")
    return carry.failed(f"the {called} cannot be passed")


def _there(play: Play, unit: Unit, order: Order) -> carry.Did:
    """At the place: turn to where the order says, and it is done."""
    if unit.duty.stage == "facing":
        return carry.DONE if unit.change is None else carry.GOING
    if unit.change is not None:
        return carry.GOING
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    form = order.formation if order.formation and order.verb == "march" else unit.place.formation
    if order.facing is not None and begin_change(play, unit, form, bearing_of(unit, order.facing)):
        carry.stage(play, play.unit(unit.key), "facing")
        return carry.GOING
    play.note(unit.key, "arrived", f"We have reached {spot_words(play.scene, order.to[-1])}.")
    return carry.DONE


# ------------------------------------------------------------------ following


@rule("KS-CMD-11", "KS-MOV-14", "KS-MOV-17")
def do_follow(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`follow UNIT at N`: on the way of the one before, so far behind its tail, till it is told otherwise."""
    if _is_to_come(play, unit, order):
        return carry.GOING
    leader = comrade_of(play, unit, order)
    if not isinstance(leader, Unit):
        return leader
    unit = play.unit(unit.key)
    if is_remnant(leader):
        return carry.failed(f"{order.unit} is gone")
    if unit.change is not None:
        return carry.GOING
    behind = order.number if order.number is not None else 25
    form = order.formation or (
        ROUTE[unit.arm] if on_route(leader) and not is_column(unit) and not is_post(unit) else ""
    )
    if form and form != unit.place.formation and leader.march.way:
        limber = True if unit.arm == "artillery" and not unit.place.limbered else None
        if begin_change(play, unit, form, unit.place.facing, limber=limber):
            return carry.GOING
        unit = play.unit(unit.key)
    if _is_to_pass(play, unit, leader):
        return _let_pass(play, unit, leader, order)
    path = _path_behind(play, unit, leader, behind)
    if path is None:
        return carry.failed(f"there is no way to {leader.id}")
    if len(path) < 2:
        carry.stop(play, unit)
        return carry.GOING
    row, most = carry.row_for(play, unit, order.rate)
    if unit.march.way[1:] != path[1:]:
        carry.set_way(play, unit, path, row, most, wait=unit.march.wait)
    else:
        carry.set_row(play, unit, row, most)
    return carry.GOING


@rule("KS-MOV-20")
def _is_to_come(play: Play, unit: Unit, order: Order) -> bool:
    """Whether the one before it is still off the map, or afloat."""
    leader = side_unit(play, unit.side, order.unit)
    return leader is not None and leader.place.stand in ("off", "afloat")


@rule("KS-MOV-20", "KS-MOV-17")
def _is_to_pass(play: Play, unit: Unit, leader: Unit) -> bool:
    """Whether a column has still to come past: its tail is off the map, or it marches by beside the unit."""
    if not is_column(leader):
        return False
    trail = trail_behind(leader)
    if not terrain_of(play.scene).on_board(trail[-1]):
        return True
    beside = nearest(line(trail), unit.place.at)
    return bool(leader.march.way) and beside != trail[-1] and distance(unit.place.at, beside) <= ROADSIDE


ROADSIDE = 100
"""Paces from a column within which it marches by."""


@rule("KS-MOV-20", "KS-MOV-17")
def _let_pass(play: Play, unit: Unit, leader: Unit, order: Order) -> carry.Did:
    """It waits; where it would bar the way of the column, beside that."""
    if unit.march.keeps and unit.march.way:
        return carry.GOING
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    row, most = carry.row_for(play, unit, order.rate)
    at = _aside(play, unit, _onward(leader), row)
    if at is not None:
        carry.set_way(play, unit, (unit.place.at, at), row, most, keeps=True)
    return carry.GOING


@rule("KS-MOV-17")
def _aside(play: Play, unit: Unit, way: tuple[Point, ...], row: str) -> Point | None:
    """The nearest place to which it can go as it stands, and then bars that way no longer; None: it bars it not."""
    ahead, here = Shape(way), unit.place.at
    if not near(outline(unit), ahead, COLUMN_GAP):
        return None
    terrain = terrain_of(play.scene)
    who = Traveller(row, arm_of(unit.arm), carry.closed_for(unit), table=play.table)
    turns = [(unit.place.facing + turn) % 36000 for turn in (9000, 27000, 0, 18000)]
    places = (shifted(here, turn, far) for far in range(INTERVAL, ASIDE + 1, INTERVAL) for turn in turns)
    free = (
        at
        for at in places
        if terrain.on_board(at) and not near(outline(_moved(unit, at)), ahead, COLUMN_GAP)
        and time_of(terrain, (here, at), who) is not None
    )  # fmt: skip
    return next(free, None)


def _moved(unit: Unit, at: Point) -> Unit:
    """A unit as it would stand elsewhere, its column beside its head as before."""
    east, north = at.x - unit.place.at.x, at.y - unit.place.at.y
    trail = tuple(Point(point.x + east, point.y + north) for point in unit.place.trail)
    return replace(unit, place=replace(unit.place, at=at, trail=trail))


ASIDE = 400
"""Paces that a unit goes at most to be out of the way of the column that it is to follow."""


def _onward(leader: Unit) -> tuple[Point, ...]:
    """What is left of the way of a unit."""
    way = leader.march.way
    return part(way, leader.march.done // TWELFTHS, length(way)) if way else (leader.place.at,)


def _path_behind(play: Play, unit: Unit, leader: Unit, behind: int) -> tuple[Point, ...] | None:
    """The way to a place behind the tail of another; where both stand on roads, by road."""
    if not is_column(leader):
        back = (leader.place.facing + 18000) % 36000
        target = bounded(play, leader.place.at, shifted(leader.place.at, back, behind + 20))
        return (unit.place.at,) if distance(unit.place.at, target) <= 5 else carry.way_for(play, unit, target)
    trail = trail_behind(leader)
    if leader.march.way:
        return _in_its_steps(play, unit, leader, trail, behind)
    target = bounded(play, trail[-1], _beyond(trail, behind))
    if distance(unit.place.at, target) <= 5 or _gap_to(unit, trail) <= behind:
        return (unit.place.at,)
    return _to(play, unit, target)


def _in_its_steps(
    play: Play, unit: Unit, leader: Unit, trail: tuple[Point, ...], behind: int
) -> tuple[Point, ...] | None:
    """To the tail of a column on the march, along the ground that it stands on, and on by its way: so far behind."""
    to_tail = _to(play, unit, trail[-1])
    if to_tail is None:
        return None
    points = (*to_tail, *trail[::-1], *_onward(leader))
    whole = tuple(at for i, at in enumerate(points) if not i or at != points[i - 1])
    end = length(whole) - length(trail) - behind
    return part(whole, 0, end) if end > CLOSE_UP and len(whole) > 1 else (unit.place.at,)


def _to(play: Play, unit: Unit, target: Point) -> tuple[Point, ...] | None:
    return _same_road(play, unit, target) or carry.way_for(play, unit, target)


CLOSE_UP = 5
"""Paces less than which a column does not trouble to come on."""


def _same_road(play: Play, unit: Unit, target: Point) -> tuple[Point, ...] | None:
    """The way by road where both stand on roads: a column does not leave it to cut a corner."""
    terrain = terrain_of(play.scene)
    roads = [terrain.road_at(at) for at in (unit.place.at, target)]
    if not is_column(unit) or any(road is None for road in roads):
        return None
    row, _ = carry.row_for(play, unit)
    who = Traveller(row, arm_of(unit.arm), carry.closed_for(unit), table=play.table)
    names = tuple(dict.fromkeys(road.id for road in roads if road is not None))
    return find(terrain, unit.place.at, target, who, (), names)


def _gap_to(unit: Unit, trail: tuple[Point, ...]) -> int:
    return gap(dot(unit.place.at), Shape(trail)).far if len(trail) > 1 else distance(unit.place.at, trail[0])


def _beyond(trail: tuple[Point, ...], far: int) -> Point:
    """A place *far* behind the tail of a column, straight on."""
    if len(trail) < 2:
        return trail[-1]
    return shifted(trail[-1], bearing(trail[-2], trail[-1]), far) if trail[-2] != trail[-1] else trail[-1]


# ------------------------------------------------------------------ halting and going back


@rule("KS-CMD-08", "KS-CMD-13")
def do_halt(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`halt`."""
    del order
    carry.stop(play, unit)
    return carry.DONE


@rule("KS-CMD-08", "KS-CMD-13")
def do_hold(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`hold [PLACE] [to the last|until …]`: there, until the time comes or it is relieved."""
    spot = carry.goal(order)
    if spot is not None and not holds_it(play, unit, order):
        did = do_march(play, unit, order)
        if did.state != "done":
            return did
        _occupy(play, play.unit(unit.key), spot.feature)
    elif spot is not None and not unit.place.holds:
        _occupy(play, unit, spot.feature)
    carry.stop(play, play.unit(unit.key))
    if order.until is not None and true_for(play, play.unit(unit.key), order.until):
        return carry.DONE
    return carry.GOING


@rule("KS-CMD-13")
def holds_it(play: Play, unit: Unit, order: Order) -> bool:
    """Whether a unit is where an order to hold sends it."""
    spot = order.to[-1]
    if spot.feature and unit.place.holds == spot.feature:
        return True
    if carry.is_at(unit, spot.at, 60):
        return True
    held = play.scene.chart.strongholds.get(spot.feature)
    area = play.scene.chart.area_of.get(held.feature if held else spot.feature)
    return area is not None and gap(dot(unit.place.at), Shape(area.polygon, closed=True)).far <= 60


def _occupy(play: Play, unit: Unit, feature: str) -> None:
    """Note what a unit holds: a stronghold by its own name or by that of its area, line or crossing."""
    chart = play.scene.chart
    held = feature if feature in chart.strongholds else next(
        (one_.id for one_ in chart.strongholds.values() if one_.feature == feature), feature
    )  # fmt: skip
    if held and unit.place.holds != held:
        place = replace(unit.place, holds=held, held_since=play.move)
        play.change(unit, "occupies", place=place)


@rule("KS-MOV-22", "KS-ATK-02")
def do_retire(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`retire to PLACE [slow|fast|by lines]`: turns about and goes; there it faces the way it came from."""
    spot = carry.goal(order)
    if spot is None:
        return carry.failed("no place was named")
    if carry.is_at(unit, spot.at, 10):
        if unit.duty.stage == "facing" or unit.change is not None:
            return carry.DONE if unit.change is None else carry.GOING
        carry.stop(play, unit)
        back = (unit.place.facing + 18000) % 36000
        if begin_change(play, play.unit(unit.key), unit.place.formation, back):
            carry.stage(play, play.unit(unit.key), "facing")
            return carry.GOING
        return carry.DONE
    if unit.change is not None:
        return carry.GOING
    if unit.duty.stage != "retiring" or not unit.march.way:
        if unit.arm == "artillery" and not unit.place.limbered:
            begin_change(play, unit, "battery_column_2", unit.place.facing, limber=True)
            return carry.GOING
        row, most = _retire_row(play, unit, order)
        way = carry.way_for(play, unit, spot.at, order)
        if way is None and unit.arm == "infantry":
            # Among houses and gardens troops in ranks have no rate but that of the run (KS-MOV-01).
            row = "inf_run"
            way = carry.way_for(play, unit, spot.at, order, row=row)
        if way is None:
            return carry.failed(f"there is no way back to {spot.text}")
        unit = carry.stage(play, unit, "retiring")
        carry.set_way(play, unit, way, row, most, wait=TURN_ABOUT)
        return carry.GOING
    name = carry.barred(play, unit)
    if name:
        return _learn_closed(play, unit, name)
    if "by lines" in order.manner and play.move % 2:
        march = replace(unit.march, wait=12)
        play.change(unit, "waits in line", march=march)
    return carry.GOING


def _retire_row(play: Play, unit: Unit, order: Order) -> tuple[str, int]:
    if "slow" in order.manner:
        return carry.row_for(play, unit, activity="march")
    if "fast" in order.manner and unit.arm in ("infantry", "artillery"):
        return carry.row_for(play, unit, {"infantry": "run", "artillery": "fast"}[unit.arm])
    return carry.row_for(play, unit, activity="retreat" if unit.arm == "cavalry" else "closing")


@rule("KS-ORD-01", "KS-STR-01")
def do_occupy(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`occupy PLACE`: goes there and takes its edge or works, if no enemy holds it; else it halts 300 paces before."""
    spot = carry.goal(order)
    if spot is None:
        return carry.failed("no place was named")
    chart = play.scene.chart
    held = chart.strongholds.get(spot.feature)
    feature = held.feature if held else spot.feature
    area, line = chart.area_of.get(feature), chart.lines.get(feature)
    shape = area.shape if area else line.shape if line else dot(spot.at)
    close = gap(dot(unit.place.at), shape)
    if close.far <= 20 or (area is not None and close.far <= 40):
        _occupy(play, unit, spot.feature)
        unit = play.unit(unit.key)
        carry.stop(play, unit)
        if order.facing is not None:
            begin_change(
                play,
                play.unit(unit.key),
                "line" if unit.arm == "infantry" else unit.place.formation,
                bearing_of(unit, order.facing),
            )
        play.note(unit.key, "arrived", f"We hold {spot_words(play.scene, spot)}.")
        return carry.DONE
    held_by_enemy = _held_by_enemy(play, unit, spot.at)
    if held_by_enemy and close.far <= LIMITS["occupy_halts"]:
        carry.stop(play, unit)
        return carry.failed(f"{spot.text} is held by the enemy")
    if unit.change is not None:
        return carry.GOING
    did = carry.GOING
    if unit.duty.stage != "marching" or not unit.march.way:
        target = nearest(shape, unit.place.at)
        if carry.way_for(play, unit, target, order) is None:
            # Gardens or a wall lie before that edge: by the road or street that leads in.
            target = spot.at
        did = _set_out(play, unit, replace(order, to=(replace(spot, at=target),)), target)
    else:
        row, most = carry.row_for(play, unit, order.rate)
        carry.set_row(play, unit, row, most)
    if held_by_enemy:
        _end_before(play, play.unit(unit.key), shape)
    return did


HOLDS = 250
"""Paces from the middle of a place within which an enemy holds it."""


@rule("KS-STR-01")
def _held_by_enemy(play: Play, unit: Unit, at: Point) -> bool:
    """Whether a unit sees an enemy in a place, as far as it can tell where he is."""
    return any(distance(seen.told.at, at) <= HOLDS for seen in sightings(play, unit))


@rule("KS-STR-01")
def _end_before(play: Play, unit: Unit, shape: Shape) -> None:
    """The march to a place that the enemy holds ends 300 paces before it; there the unit looks again."""
    way = unit.march.way
    ahead = range(unit.march.done // TWELFTHS, length(way)) if way else ()
    far = next((far for far in ahead if gap(dot(way_at(way, far)), shape).far <= LIMITS["occupy_halts"]), None)
    if far is not None:
        play.change(unit, "halts before it", march=replace(unit.march, way=part(way, 0, far)))
