"""Patrols, posts, halves and escorts: men who leave a unit for a duty of their own and come back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import FULL
from pbem.ground.plane import Point, bearing, between, distance, line, near, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import fightable, terrain_of
from pbem.systems.kriegsspiel.knowing.whereabouts import believed_at, is_in_sight, sees_person
from pbem.systems.kriegsspiel.march import carrying_out as carry
from pbem.systems.kriegsspiel.march.comrades import LOOKED_FOR
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.scene.ways import Way
from pbem.systems.kriegsspiel.scene.words import spot_words
from pbem.systems.kriegsspiel.tables.fire import MAN_TW, OFF_AT
from pbem.systems.kriegsspiel.tables.knowledge import OUTPOSTS
from pbem.systems.kriegsspiel.tables.march import OPEN_COUNTRY
from pbem.systems.kriegsspiel.tables.orders import LIMITS
from pbem.systems.kriegsspiel.world.bodies import is_sent_out, is_staff
from pbem.systems.kriegsspiel.world.dispatches import Chief
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes import UnitDetached, UnitRejoined
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Chain, Duty, March, Place, Strength, Unit, UnitPatch

SIZES = {
    ("infantry", 1): "post", ("infantry", 2): "post", ("infantry", 10): "picket10", ("infantry", 25): "picket25",
    ("cavalry", 1): "vedette", ("cavalry", 2): "vedette", ("cavalry", 10): "troop10", ("cavalry", 21): "troop21",
    ("infantry", 21): "picket25", ("cavalry", 25): "troop21",
}  # fmt: skip
JOINS = 60
"""Paces from its unit at which a detachment is back."""

DEFAULT = {"infantry": 10, "cavalry": 10, "pioneers": 10}


class Half(NamedTuple):
    """What two halves are together, and what comes off it first."""

    whole: str
    off: str


HALVES: Mapping[str, Half] = {
    "half_battalion": Half("battalion", "half_battalion"),
    "half_battery": Half("battery", "gun_pair"),
}


def new_id(play: Play, unit: Unit, wanted: str = "") -> str:
    """An id for a detachment that no comrade bears: as ordered, with `b` added if that is taken; else by letters."""
    taken = {other.id for other in play.war.units.values() if other.side == unit.side}
    if wanted:
        while wanted in taken:
            wanted += "b"
        return wanted
    for number in range(1, 26 * 27):
        letters = chr(96 + number) if number <= 26 else chr(96 + (number - 1) // 26) + chr(97 + (number - 1) % 26)
        name = f"{unit.id}{letters}"
        if name not in taken:
            return name
    return f"{unit.id}x"


@rule("KS-MSG-02")
def detach(
    play: Play, unit: Unit, size: int, purpose: str, orders: tuple[Order, ...], to: str, wanted: str = ""
) -> Unit | None:
    """Men for a patrol or post leave their unit; None: it has none left."""
    arm = "infantry" if unit.arm == "pioneers" else unit.arm
    tw = size * MAN_TW
    if unit.strength.tw <= tw or unit.strength.detached >= LIMITS["detachments"] or arm not in ("infantry", "cavalry"):
        return None
    small = Unit(
        side=unit.side,
        id=new_id(play, unit, wanted),
        name=f"{unit.name}, {purpose}",
        arm=unit.arm,
        kind=unit.kind,
        size=SIZES.get((arm, size), "picket10" if arm == "infantry" else "troop10"),
        place=Place(
            at=unit.place.at,
            facing=unit.place.facing,
            formation="line" if arm == "infantry" else "cav_line",
            halted_since=play.move,
        ),
        strength=Strength(tw=tw, full_tw=tw, riders=1),
        regiment=unit.regiment,
        commander=unit.commander,
        duty=Duty(
            queue=orders, purpose=purpose, parent=unit.id, to=to, idle_since=play.move, knows=unit.duty.knows,
            comrade=_left_at(unit),
        ),
    )  # fmt: skip
    strength = replace(
        unit.strength, tw=unit.strength.tw - tw, full_tw=unit.strength.full_tw - tw, detached=unit.strength.detached + 1
    )
    play.add(
        UnitDetached(
            unit=small.key,
            parent=unit.key,
            men_tw=tw,
            purpose=purpose,
            rules=cited("KS-MSG-02", "KS-ORG-05"),
            changes=Changes(
                units={unit.key: UnitPatch(strength=strength)},
                new_units=(small,),
                chiefs=_knows_chief(play, unit, small),
            ),
        )
    )
    return small


def _left_at(unit: Unit) -> tuple[str, Point, int]:
    """The unit that a detachment is of, as it leaves it."""
    return (unit.id, unit.place.at, unit.place.facing)


def _knows_chief(play: Play, unit: Unit, part: Unit) -> dict[str, Chief]:
    """A detachment knows as much as its unit of where their commander is."""
    chief = play.war.chiefs.get(unit.key)
    return {part.key: chief} if chief is not None else {}


def _duty_of_half(play: Play, unit: Unit) -> Duty:
    return Duty(
        parent=unit.id, purpose="order", idle_since=play.move, knows=unit.duty.knows, comrade=_left_at(unit)
    )  # fmt: skip


@rule("KS-SIT-06", "KS-MOV-12")
def do_patrol(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`patrol`, `post`: a unit sends men out, or goes itself; from place to place, looking about and reporting."""
    if is_sent_out(unit) or "unit" in order.manner or is_staff(unit):
        return _on_patrol(play, unit, order)
    number = order.number or DEFAULT.get(unit.arm, 10)
    goes = replace(order, manner=(*order.manner, "sent"))
    sent = detach(play, unit, number, "patrol" if order.verb == "patrol" else "post", (goes,), order.unit)
    return carry.DONE if sent is not None else carry.failed("there are no men left for a patrol")


def _on_patrol(play: Play, unit: Unit, order: Order) -> carry.Did:
    """The patrol itself."""
    reached = int(unit.duty.stage.removeprefix("to ")) if unit.duty.stage.startswith("to ") else 0
    if unit.duty.stage == "home":
        return _home(play, unit)
    if reached < len(order.to) and carry.is_at(unit, order.to[reached].at, 30):
        play.note(
            unit.key,
            "arrived",
            f"The {unit.duty.purpose or 'patrol'} has reached {spot_words(play.scene, order.to[reached])}.",
        )
        reached += 1
        unit = carry.stage(play, unit, f"to {reached}")
        carry.stop(play, unit)
        unit = play.unit(unit.key)
    if reached >= len(order.to):
        if order.verb == "post" or "stay" in order.manner or "return" not in order.manner:
            return carry.GOING
        carry.stage(play, unit, "home")
        return _home(play, play.unit(unit.key))
    if not unit.march.way:
        way = carry.way_for(play, unit, order.to[reached].at, order if not reached else None)
        if way is None:
            return carry.failed(f"there is no way to {order.to[reached].text}")
        unit = carry.stage(play, unit, f"to {reached}")
        row, most = carry.row_for(play, unit)
        carry.set_way(play, unit, way, row, 0 if open_country(terrain_of(play.scene), way) else most)
    return carry.GOING


@rule("KS-MOV-12")
def open_country(terrain: Terrain, way: Way) -> bool:
    """Whether a way lies in completely open country: no area near it, no slope: a patrol need not look about."""
    far, degrees = OPEN_COUNTRY
    if any(abs(piece.slope) >= 100 * degrees for piece in terrain.pieces(way)):
        return False
    return not any(near(line(way), area.shape, far) for area in terrain.chart.areas)


def _home(play: Play, unit: Unit) -> carry.Did:
    """Back to the unit that it was sent from, or, of a staff officer, to his commander."""
    person = play.war.persons.get(unit.duty.parent)
    if person is not None:
        there = person.stand == "map" and person.state != "captured"
        return _back_to(play, unit, Home(person.id, person.at, there=there, seen=sees_person(play, unit, person)))
    return _to_unit(play, unit, unit.duty.parent)


def _to_unit(play: Play, unit: Unit, name: str) -> carry.Did:
    found = side_unit(play, unit.side, name)
    if found is None or found.key == unit.key:
        return carry.failed(f"{name} is not to be found")
    there = fightable(found)
    return _back_to(play, unit, Home(name, found.place.at, there=there, seen=is_in_sight(play, unit, found)))


class Home(NamedTuple):
    """Whom a detachment goes back to."""

    name: str
    at: Point
    """Where it truly is, or was last."""
    there: bool
    """Whether it is still to be found."""
    seen: bool


@rule("KS-MSG-04", "KS-SIT-09")
def _back_to(play: Play, unit: Unit, home: Home) -> carry.Did:
    """To where it is seen, or was last; who is not there is looked for as a rider looks for his man."""
    at = home.at if home.seen else _last_seen(play, unit, home)
    if home.seen and distance(unit.place.at, at) <= JOINS:
        if not home.there:
            # That it is no more is learned where it stood, and not before.
            return carry.failed(f"{home.name} is not to be found")
        _joins(play, unit, home.name)
        return carry.GOING
    if not home.seen and distance(unit.place.at, at) <= LOOKED_FOR:
        carry.stop(play, unit)
        unit = play.unit(unit.key)
        if unit.duty.count < play.war.options.search_moves:
            play.change(unit, "asks for its unit", duty=replace(unit.duty, count=unit.duty.count + 1))
            return carry.GOING
        if not home.there:
            return carry.failed(f"{home.name} is not to be found")
        unit, at = _told_where(play, unit, home), home.at
    if not unit.march.way or distance(unit.march.way[-1], at) > 200:
        way = carry.way_for(play, unit, at)
        if way is None:
            return carry.failed(f"there is no way back to {home.name}")
        carry.set_off(play, unit, way, "retreat" if unit.duty.purpose == "patrol" else "march")
    return carry.GOING


def _last_seen(play: Play, unit: Unit, home: Home) -> Point:
    """Where it believes whom it goes back to; who was never told knows it from where it was sent."""
    if home.name in play.war.persons:
        return believed_at(play, unit.key, play.war.persons[home.name])
    known = unit.duty.comrade
    return known[1] if known is not None and known[0] == home.name else home.at


def _told_where(play: Play, unit: Unit, home: Home) -> Unit:
    """It has asked, and knows where to go now."""
    duty = replace(unit.duty, count=0)
    if home.name in play.war.persons:
        chief = Chief(home.name, home.at, play.move)
        play.keep("has asked", Changes(units={unit.key: UnitPatch(duty=duty)}, chiefs={unit.key: chief}))
    else:
        duty = replace(duty, comrade=(home.name, home.at, unit.place.facing))
        play.change(unit, "has asked", duty=duty)
    return play.unit(unit.key)


def _joins(play: Play, unit: Unit, name: str) -> None:
    person = play.war.persons.get(name)
    if person is None:
        _merge(play, unit, play.unit(f"{unit.side}:{name}"))
        return
    play.keep("staff back", Changes(gone_units=(unit.key,), persons=(replace(person, staff=person.staff + 1),)))


@rule("KS-MSG-02")
def joined(parent: Unit, unit: Unit) -> Strength:
    """What a unit has, when one that was detached from it is back: all that either has."""
    one, other = parent.strength, unit.strength
    half = HALVES.get(unit.size)
    return replace(
        one,
        tw=one.tw + other.men_tw,
        full_tw=one.full_tw + other.full_tw,
        blocks=one.blocks + (other.blocks if half is not None else 0),
        # By coming together alone no guns come off.
        points=min(one.points + other.points, OFF_AT[half.off] - 1) if half is not None else one.points,
        cannon=(sum(one.cannon), sum(other.cannon)),
        howitzers=(sum(one.howitzers), sum(other.howitzers)),
        canister=one.canister + other.canister,
        shot=one.shot + other.shot,
        wagons=one.wagons + other.wagons,
        pontoons=one.pontoons + other.pontoons,
        powder=one.powder + other.powder,
        prisoners_tw=one.prisoners_tw + other.prisoners_tw,
        detached=max(one.detached - 1, 0),
    )


@rule("KS-MSG-02")
def _merge(play: Play, unit: Unit, parent: Unit) -> None:
    """Men come back to their unit; what they have seen they tell there."""
    found = replace(parent.duty, found=tuple(dict.fromkeys((*parent.duty.found, *unit.duty.found))))
    patch = UnitPatch(strength=joined(parent, unit), duty=found)
    if unit.size == parent.size and unit.size in HALVES:
        patch = replace(patch, size=HALVES[unit.size].whole)
    play.add(
        UnitRejoined(
            unit=unit.key,
            parent=parent.key,
            men_tw=unit.strength.men_tw,
            rules=cited("KS-MSG-02"),
            changes=Changes(units={parent.key: patch}, gone_units=(unit.key,)),
        )
    )
    play.note(parent.key, "change", f"{unit.id} is back with us.")


@rule("KS-ORD-02")
def is_part_of(unit: Unit, other: Unit) -> bool:
    """Whether one of two units was detached from the other: no other can rejoin it."""
    return other.id == unit.duty.parent or unit.id == other.duty.parent


def do_rejoin(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`rejoin UNIT`."""
    if is_staff(unit):
        return _home(play, unit)
    name = order.unit or unit.duty.parent
    other = side_unit(play, unit.side, name)
    if other is not None and not is_part_of(unit, other):
        return carry.failed(f"it is no part of {name}")
    return _to_unit(play, unit, name)


@rule("KS-ORD-02", "KS-FRM-08")
def do_detach(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`detach half right|left as ID`: a half battalion, or a half battery, on its own."""
    if unit.arm == "artillery":
        return _half_battery(play, unit, order)
    if unit.size != "battalion" or unit.strength.blocks < 2:
        return carry.failed("there is no half to detach")
    left = "left" in order.manner
    zugs = unit.strength.chain.zugs
    keep, go = zugs[: (len(zugs) + 1) // 2], zugs[(len(zugs) + 1) // 2 :]
    tw = unit.strength.tw // 2
    side_step = 6250 if left else -6250
    at = (
        shifted(unit.place.at, (unit.place.facing + (27000 if left else 9000)) % FULL, 63)
        if side_step
        else unit.place.at
    )
    half = replace(
        unit,
        id=new_id(play, unit, order.unit),
        name=f"{unit.name}, {'left' if left else 'right'} half",
        size="half_battalion",
        place=replace(unit.place, at=at, trail=()),
        strength=replace(
            unit.strength, tw=tw, full_tw=unit.strength.full_tw // 2, blocks=1, points=unit.strength.points // 2,
            chain=Chain(zugs=go, ahead=unit.strength.chain.ahead), riders=1, detached=0,
        ),
        march=March(),
        duty=_duty_of_half(play, unit),
    )  # fmt: skip
    rest = replace(
        unit.strength,
        tw=unit.strength.tw - tw,
        full_tw=unit.strength.full_tw - unit.strength.full_tw // 2,
        blocks=1,
        points=unit.strength.points - unit.strength.points // 2,
        chain=replace(unit.strength.chain, zugs=keep),
        detached=unit.strength.detached + 1,
    )
    play.add(
        UnitDetached(
            unit=half.key,
            parent=unit.key,
            men_tw=tw,
            purpose="order",
            rules=cited("KS-ORD-02"),
            changes=Changes(
                units={unit.key: UnitPatch(strength=rest, size="half_battalion")},
                new_units=(half,),
                chiefs=_knows_chief(play, unit, half),
            ),
        )
    )
    return carry.DONE


def _half_battery(play: Play, unit: Unit, order: Order) -> carry.Did:
    if unit.size != "battery":
        return carry.failed("there is no half to detach")
    left = "left" in order.manner
    index = 1 if left else 0
    strength = unit.strength
    # What it has lost, short of a gun, is carried by its right half (KS-ART-08).
    carried = (strength.points, 0)

    def only(pair: tuple[int, int], which: int) -> tuple[int, int]:
        return (pair[which], 0)

    go = replace(
        strength, cannon=only(strength.cannon, index), howitzers=only(strength.howitzers, index),
        canister=strength.canister // 2, shot=strength.shot // 2, points=carried[index], wagons=0, riders=1, detached=0,
        blocks=1,
    )  # fmt: skip
    stay = replace(
        strength, cannon=only(strength.cannon, 1 - index), howitzers=only(strength.howitzers, 1 - index),
        canister=strength.canister - go.canister, shot=strength.shot - go.shot, points=carried[1 - index],
        detached=strength.detached + 1, blocks=1,
    )  # fmt: skip
    half = replace(
        unit,
        id=new_id(play, unit, order.unit),
        size="half_battery",
        strength=go,
        march=March(),
        duty=_duty_of_half(play, unit),
    )
    play.add(
        UnitDetached(
            unit=half.key,
            parent=unit.key,
            men_tw=0,
            purpose="order",
            rules=cited("KS-ORD-02"),
            changes=Changes(
                units={unit.key: UnitPatch(strength=stay, size="half_battery")},
                new_units=(half,),
                chiefs=_knows_chief(play, unit, half),
            ),
        )
    )
    return carry.DONE


@rule("KS-CMD-14")
def do_outposts(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`outposts from A to B`: a post in each equal part, on the highest point near; the rest as picket."""
    if len(order.to) < 2:
        return carry.failed("a line of outposts has two ends")
    a, b = order.to[0].at, order.to[1].at
    places = post_places(play, a, b, order.number)
    size = 10
    for at in places:
        spot = Spot(at, f"{at.x},{at.y}")
        detach(
            play,
            play.unit(unit.key),
            size,
            "post",
            (Order(verb="post", text=f"post at {spot.text}", to=(spot,)),),
            unit.commander,
        )
    middle = between(a, b, 1, 2)
    across = bearing(a, b) if a != b else 0
    behind = min(
        (shifted(middle, (across + turn) % FULL, OUTPOSTS["picket_behind"]) for turn in (9000, 27000)),
        key=lambda at: (distance(at, unit.place.at), at),
    )
    unit = play.unit(unit.key)
    way = carry.way_for(play, unit, behind)
    if way is not None and len(way) > 1:
        carry.set_off(play, unit, way)
    return carry.DONE


@rule("KS-CMD-14")
def posts_on(far: int, ordered: int | None) -> int:
    """How many posts a chain over so many paces has: as ordered, else one for each 500 begun; at most eight."""
    return min(ordered or max(1, -(-far // OUTPOSTS["paces_a_post"])), OUTPOSTS["most"])


@rule("KS-CMD-14")
def post_places(play: Play, a: Point, b: Point, posts: int | None) -> list[Point]:
    """Where the posts of a chain stand: one for each 500 paces begun, at most eight."""
    count = posts_on(distance(a, b), posts)
    terrain = terrain_of(play.scene)
    found = []
    for k in range(count):
        middle = between(a, b, 2 * k + 1, 2 * count)
        near = [middle, *(shifted(middle, way, far) for far in (50, 100) for way in range(0, FULL, 4500))]
        found.append(
            max((at for at in near if terrain.on_board(at)), key=lambda at: (terrain.height(at), -at.x, -at.y))
        )
    return found
