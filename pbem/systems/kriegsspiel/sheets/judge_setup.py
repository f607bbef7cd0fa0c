"""What is refused of dispositions: the zone, the ground, own bodies on the spot, the entry (KS-GM-08)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point, crosses, cuts, distance, overlap
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import outline, toward, trail_behind
from pbem.systems.kriegsspiel.scene.forces import all_units, road_behind
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong
from pbem.systems.kriegsspiel.tables.formation import FORMATIONS
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.forms import is_column
from pbem.systems.kriegsspiel.world.orders import Enter, Start
from pbem.systems.kriegsspiel.world.troops import Unit, key_of


def _placed(bench: Bench, unit: Unit, start: Start) -> Unit:
    """A unit as it would stand at the opening by a line."""
    facing = unit.place.facing
    if start.facing is not None:
        to = start.facing.toward
        facing = toward(start.at.at, to.at) if to is not None else (start.facing.bearing or 0)
    place = replace(
        unit.place,
        at=start.at.at,
        facing=facing,
        formation=start.formation or unit.place.formation,
        stand="map",
        trail=(),
        marched=0,
        limbered=unit.arm == "artillery" and not (start.formation or unit.place.formation).startswith("battery_"),
    )
    found = replace(unit, place=place)
    if not is_column(found):
        return found
    road = bench.terrain.road_at(start.at.at)
    back = road_behind(road.line, start.at.at, facing) if road is not None else (start.at.at,)
    found = replace(found, place=replace(place, trail=back))
    return replace(found, place=replace(found.place, trail=trail_behind(found)))


def standing(bench: Bench, placed: Mapping[str, Start]) -> dict[str, Unit]:
    """The own units that are there at the opening, by the order of battle and the lines so far."""
    found = {}
    for unit in all_units(bench.scene, bench.mind.options).values():
        if unit.side == bench.side and unit.id in placed:
            found[unit.id] = _placed(bench, unit, placed[unit.id])
        elif unit.side == bench.side and is_on_map(unit):
            found[unit.id] = unit
    return found


@rule("KS-GM-08", "KS-ORD-04", "KS-ORD-06")
def start(bench: Bench, line: Start, placed: Mapping[str, Start]) -> Iterator[Wrong]:
    """What is wrong with a start; *placed*: the lines before it that stand."""
    plan = bench.plan(line.unit)
    if plan is None or bench.is_group(line.unit):
        units = ", ".join(bench.members(line.unit))
        yield Wrong(f"{line.unit} is a group: place its units one by one: {units}", "KS-GM-08")
        return
    if not bench.commands(line.unit):
        yield Wrong(f"{line.unit} is not under your command", "KS-GM-08")
    here = all_units(bench.scene, bench.mind.options)[key_of(bench.side, line.unit)]
    if not is_on_map(here):
        yield Wrong(f"{line.unit} is not there at the opening: it comes by an entry", "KS-GM-08")
        return
    if why := _outside(bench, line, here):
        yield Wrong(why, "KS-GM-08")
    if why := bench.impassable(line.at.at):
        yield Wrong(f"{line.at.text} lies {why}", "KS-ORD-04")
    arm = "infantry" if plan.arm == "pioneers" else plan.arm
    if line.formation and FORMATIONS[line.formation].arm != arm:
        yield Wrong(f"{line.formation} is no formation of {arm}", "KS-ORD-06")
        return
    bodies = standing(bench, {**placed, line.unit: line})
    own = bodies.pop(line.unit)
    if not all(bench.on_map(at) for at in outline(own).points):
        yield Wrong(f"{line.unit} would not stand on the map with its whole body", "KS-GM-08")
    for other in bodies.values():
        if _share_ground(own, other):
            yield Wrong(f"{other.id} stands there", "KS-GM-08")
            return


@rule("KS-GM-08")
def _share_ground(one: Unit, other: Unit) -> bool:
    a, b = outline(one), outline(other)
    if a.closed and b.closed:
        return overlap(a, b)
    line, area = (b, a) if a.closed else (a, b)
    return any(crosses(area, start, end) for start, end in line.sides)


def _outside(bench: Bench, line: Start, here: Unit) -> str:
    """Why a place is not in the zone of the side."""
    zone, at = bench.scene.zones[bench.side], line.at.at
    near = zone.near_listed.get(line.unit)
    listed = bench.scene.units[here.key].at or here.place.at
    if near is not None:
        return "" if distance(at, listed) <= near else f"{line.unit} begins within {near} paces of its listed place"
    if zone.north_of is not None and at.y < zone.north_of:
        return f"{line.at.text} is outside your zone, which lies north of y {zone.north_of}"
    if zone.south_of is not None and at.y > zone.south_of:
        return f"{line.at.text} is outside your zone, which lies south of y {zone.south_of}"
    water = zone.listed_only_north_of
    if water and _north(bench, water, at) and not _north(bench, water, listed):
        return f"{line.unit} is not listed north of the {bench.chart.waters[water].name}"
    return ""


@rule("KS-GM-08")
def _north(bench: Bench, water: str, at: Point) -> bool:
    """Whether a place lies north of a water."""
    return len(cuts(bench.chart.waters[water].shape, at, Point(at.x, bench.chart.height))) % 2 == 0


@rule("KS-GM-08", "KS-MOV-20")
def enter(bench: Bench, line: Enter) -> Iterator[Wrong]:
    """What is wrong with an entry."""
    if not bench.commands(line.unit):
        yield Wrong(f"{line.unit} is not under your command", "KS-GM-08")
    for plan in bench.plans(line.unit):
        if not plan.entry:
            yield Wrong(f"{plan.id} is there at the opening", "KS-GM-08")
            return
        if line.entry not in (plan.entry, *plan.or_by):
            allowed = ", ".join((plan.entry, *plan.or_by))
            yield Wrong(f"{plan.id} can come by {allowed}", "KS-GM-08")
            return
