"""Boats and swimming: loads, the way over, and what becomes of it under fire (KS-BOT).

A unit that goes over load by load is one body all the time: it is `afloat` in the middle of the water until the last
load has landed.  How far it has come stands in its `Trip`, and goes on whatever orders reach it meanwhile.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, bearing, between, crosses, distance, dot, gap, near
from pbem.ground.way import length
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import fightable, is_formed, outline, under_canister
from pbem.systems.kriegsspiel.field.works_standing import across_water, water_near
from pbem.systems.kriegsspiel.march.carrying_out import DONE, GOING, Did, failed, is_at, stage, stop
from pbem.systems.kriegsspiel.march.marching import do_march
from pbem.systems.kriegsspiel.play.losses import tw_of_point
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Chart, Water
from pbem.systems.kriegsspiel.tables.attack import CONTACT
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.tables.works import BOAT_RATES, BOAT_TURNS_BACK, BOATS, EMBARKING, SWIMMING
from pbem.systems.kriegsspiel.works.works import go_to
from pbem.systems.kriegsspiel.world.bodies import is_post, is_remnant
from pbem.systems.kriegsspiel.world.forms import ROUTE
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes_works import BoatTrip, SwimDone
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Trip, Unit, UnitPatch

AT_BOATS = 60
"""Paces from the place of embarking within which a unit embarks."""

BOATS_NEAR = 300
"""Paces within which boats are at a place."""

HELD = 100
"""Paces from the landing within which a formed body of the enemy holds the bank."""

ZUG = 900
"""Twelfths of men that swim at a time; of cavalry a squadron (KS-BOT-04)."""

BANK = 20
"""Paces from the water's edge at which a body stands that has swum over."""


class Fleet(NamedTuple):
    """Boats as they now lie."""

    id: str
    size: str
    boats: int
    at: Point


def fleet(play: Play, name: str) -> Fleet | None:
    """Boats by their id."""
    printed = play.scene.chart.boats.get(name)
    if printed is None:
        return None
    here = play.war.features.get(name)
    return Fleet(name, printed.size, printed.count, here.at if here is not None else printed.at)


@rule("KS-BOT-01")
def in_use(play: Play, name: str, unit: Unit) -> bool:
    """Whether boats carry another body, or are being rowed by one: they serve one at a time."""
    return any(
        other.key != unit.key and ((other.trip is not None and other.trip.by == name) or _rows(other) == name)
        for other in play.on_map()
    )


def _rows(unit: Unit) -> str:
    """The boats that a body is rowing to another place; empty: none."""
    order = unit.duty.order
    rowing_ = order is not None and order.verb == "take_boats" and unit.duty.stage == "rowing"
    return order.by[0].feature if order is not None and rowing_ else ""


# ------------------------------------------------------------------ how long it takes


def _along(water: Water, at: Point) -> int:
    """How far down its water a place lies, in paces."""
    here = gap(water.shape, dot(at)).here
    legs = list(zip(water.line, water.line[1:], strict=False))
    k = min(range(len(legs)), key=lambda i: (gap(Shape(legs[i]), dot(here)).far, i))
    return length(water.line[: k + 1]) + distance(water.line[k], here)


@rule("KS-BOT-03")
def rowing(chart: Chart, start: Point, end: Point) -> Fraction:
    """Moves of boats from one place to another, exact: over the water, and down or up along it."""
    found = water_near(chart, start) or water_near(chart, end)
    if found is None:
        return Fraction(distance(start, end), BOAT_RATES["across"])
    water = found[0]
    down = _along(water, end) - _along(water, start)
    over = water.width if crosses(water.shape, start, end) else 0
    rate = BOAT_RATES["downstream" if down >= 0 else "upstream"]
    return Fraction(over, BOAT_RATES["across"]) + (Fraction(abs(down), rate) if abs(down) > water.width * 2 else 0)


def whole(moves: Fraction) -> int:
    """Moves begun."""
    return max(1, -(-moves.numerator // moves.denominator))


@rule("KS-BOT-01")
def capacity(size: str, arm: str) -> int:
    """Men, horses or guns that a boat carries; 0: it carries none of that arm."""
    boat = BOATS[size]
    return {"infantry": boat.infantry, "pioneers": boat.infantry, "cavalry": boat.horse, "artillery": boat.guns}.get(
        arm, 0
    )


@rule("KS-BOT-01")
def loads_of(amount: int, size: str, count: int, arm: str) -> int:
    """Loads that so many men, horses or guns need with so many boats; 0: they cannot go."""
    each = capacity(size, arm) * count
    return -(-amount // each) if each else 0


@rule("KS-BOT-02", "KS-BOT-03")
def trip_moves(arm: str, over: int, back: int, loads: int) -> int:
    """Moves until the last of so many loads has landed."""
    one = 2 * EMBARKING[_row(arm)] + over
    return (one + back) * (loads - 1) + one


def _row(arm: str) -> str:
    return "infantry" if arm == "pioneers" else arm


@rule("KS-BOT-04")
def swim_moves(width: int, loads: int = 1) -> int:
    """Moves to swim a water: getting ready, one zug or squadron after another, forming."""
    return SWIMMING["prepare"] + loads * -(-width // SWIMMING["paces_a_move"]) + SWIMMING["form"]


# ------------------------------------------------------------------ step 3


@rule("KS-BOT-01", "KS-BOT-02", "KS-BOT-05")
def do_embark(play: Play, unit: Unit, order: Order) -> Did:
    """`embark at PLACE to PLACE [in BOATS]`."""
    if unit.trip is not None:
        return GOING
    if unit.duty.stage == "landed":
        return DONE
    if unit.duty.stage.startswith("turned back"):
        return failed(unit.duty.stage.partition(": ")[2])
    start, to = order.to[0].at, order.to[-1].at
    boats = _boats_at(play, unit, order)
    if boats is None:
        return failed("the boats are gone")
    if not is_at(unit, start, AT_BOATS):
        return go_to(play, unit, order, start)
    if in_use(play, boats.id, unit):
        return GOING
    guns = unit.strength.guns
    amount = guns if unit.arm == "artillery" else -(-unit.strength.men_tw // MAN_TW)
    loads = loads_of(amount, boats.size, boats.boats, unit.arm)
    if not loads:
        return failed(f"these boats carry no {unit.arm}")
    if _canister(play, unit):
        return GOING
    each = 0 if unit.arm == "artillery" else capacity(boats.size, unit.arm) * boats.boats * MAN_TW
    trip = Trip(by=boats.id, start=start, to=to, loads=loads, load_tw=each)
    _afloat(play, unit, _set_out(play, unit, trip, play.move), _middle(start, to))
    return GOING


def _boats_at(play: Play, unit: Unit, order: Order) -> Fleet | None:
    """The boats named, or the nearest at the place, those first that carry nobody."""
    names = [order.by[0].feature] if order.by else sorted(play.scene.chart.boats)
    found = [one for name in names if (one := fleet(play, name)) is not None]
    here = [(in_use(play, one.id, unit), distance(one.at, order.to[0].at), one) for one in found]
    here = [one for one in here if one[1] <= BOATS_NEAR]
    return min(here)[2] if here else None


def _middle(start: Point, to: Point) -> Point:
    return between(start, to, 1, 2)


@rule("KS-BOT-05")
def _canister(play: Play, unit: Unit) -> bool:
    """Nobody embarks under canister."""
    return any(under_canister(unit, move) for move in (play.move - 1, play.move))


def _set_out(play: Play, unit: Unit, trip: Trip, move: int) -> Trip:
    """The next load embarks in that move."""
    over = whole(rowing(play.scene.chart, trip.start, trip.to))
    back = whole(rowing(play.scene.chart, trip.to, trip.start))
    lands = move + 2 * EMBARKING[_row(unit.arm)] + over - 1
    return replace(trip, begun=move, lands=lands, back=back, tw=unit.strength.men_tw)


def _afloat(play: Play, unit: Unit, trip: Trip, at: Point) -> None:
    stop(play, unit)
    unit = play.unit(unit.key)
    place = replace(unit.place, at=at, stand="afloat", formation=ROUTE[unit.arm], trail=(), holds="")
    patch = UnitPatch(place=place, march=March(), change=None, trip=trip)
    play.keep("embarks", Changes(units={unit.key: patch}))
    stage(play, play.unit(unit.key), "afloat")


def do_land(play: Play, unit: Unit, order: Order) -> Did:
    """`land`: no further load goes; before the first has landed the boats turn back."""
    del order
    if unit.trip is None:
        return DONE
    if not unit.trip.over and not unit.trip.turns:
        play.keep("lands", Changes(units={unit.key: UnitPatch(trip=replace(unit.trip, turns=True))}))
    return GOING


@rule("KS-BOT-03")
def do_take_boats(play: Play, unit: Unit, order: Order) -> Did:
    """`take boats BOATS to PLACE`: a party of the unit rows them there."""
    boats = fleet(play, order.by[0].feature)
    if boats is None:
        return failed("the boats are gone")
    to = order.to[0].at
    if boats.at == to:
        return DONE
    if unit.duty.stage != "rowing":
        if not is_at(unit, boats.at, BOATS_NEAR):
            return go_to(play, unit, order, boats.at)
        if in_use(play, boats.id, unit):
            return GOING
        stop(play, unit)
        stage(play, play.unit(unit.key), "rowing")
    return GOING


@rule("KS-BOT-04")
def do_swim(play: Play, unit: Unit, order: Order) -> Did:
    """`swim to PLACE`: straight over the water before it, then on to the place."""
    if unit.trip is not None:
        return GOING
    to = order.to[-1]
    chart = play.scene.chart
    water = next(
        (
            one
            for one in chart.waters.values()
            if one.crossing in ("swim", "none") and crosses(one.shape, unit.place.at, to.at)
        ),
        None,
    )
    if water is None:
        return do_march(play, unit, Order(verb="march", text=order.text, to=(Spot(to.at, to.text),)))
    if unit.arm not in ("infantry", "cavalry", "pioneers"):
        return failed("guns and wagons do not swim")
    middle = gap(water.shape, dot(to.at)).here
    near, far = _banks(water, middle, unit.place.at)
    if not is_at(unit, near, AT_BOATS):
        return go_to(play, unit, order, near)
    loads = 1 if unit.arm == "cavalry" else -(-unit.strength.men_tw // ZUG)
    lands = play.move + swim_moves(water.width, loads) - 1
    trip = Trip(by="swim", start=near, to=far, loads=loads, begun=play.move, lands=lands, tw=unit.strength.men_tw)
    _afloat(play, unit, trip, middle)
    return GOING


def _banks(water: Water, middle: Point, at: Point) -> tuple[Point, Point]:
    """Places on both banks opposite a place in the middle of a water, the one on this side first."""
    one, other = across_water(water, middle, water.width // 2 + BANK)
    return (other, one) if crosses(water.shape, at, one) else (one, other)


# ------------------------------------------------------------------ step 8


@rule("KS-BOT-02", "KS-BOT-04", "KS-BOT-05")
def row(play: Play) -> None:
    """Loads embark, go over and land."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if unit.trip is not None:
            _cross(play, unit, unit.trip)
        elif unit.duty.queue and unit.duty.queue[0].verb == "take_boats" and unit.duty.stage == "rowing":
            _row_boats(play, unit, unit.duty.queue[0])


def _cross(play: Play, unit: Unit, trip: Trip) -> None:
    if trip.by == "swim":
        if play.move >= trip.lands:
            _swum(play, unit, trip)
        return
    if trip.turns and not trip.over:
        _back(play, unit, trip, "we were told to land")
        return
    if play.move < trip.begun:
        return
    if play.move == trip.begun and _canister_now(play, unit):
        later = replace(trip, begun=trip.begun + 1, lands=trip.lands + 1)
        play.keep("waits", Changes(units={unit.key: UnitPatch(trip=later)}))
        return
    if is_remnant(unit) and not trip.over:
        # What is left of a body goes to the rear, and not upon the other bank.
        _back(play, unit, trip, "we are too few left")
    elif _hit(play, unit, trip):
        _turn(play, unit, trip, "fire")
    elif play.move >= trip.lands:
        if _held(play, unit, trip):
            _turn(play, unit, trip, "the enemy holds the bank")
        else:
            _land(play, unit, trip)


@rule("KS-BOT-04", "KS-TUR-04")
def _swum(play: Play, unit: Unit, trip: Trip) -> None:
    """Swimmers land, on the bank they came from if the enemy stands on the other; between two enemies they wait."""
    for at, how in ((trip.to, "landed"), (trip.start, "turned back")):
        if not _is_clear(play, unit, at):
            continue
        moves = play.move - trip.begun + 1
        play.add(SwimDone(unit=unit.key, moves=moves, rules=cited("KS-BOT-04"), changes=_ashore(play, unit, at)))
        _then(play, unit, how)
        return


@rule("KS-TUR-04", "KS-BOT-04", "KS-BOT-05")
def _is_clear(play: Play, unit: Unit, at: Point) -> bool:
    """Whether a body can stand on a bank without coming upon an enemy by it."""
    spot = dot(at)
    return not any(
        fightable(enemy) and (is_formed(enemy) or not is_post(unit)) and near(spot, outline(enemy), CONTACT)
        for enemy in play.field.enemies(unit.side)
    )


@rule("KS-BOT-05")
def _canister_now(play: Play, unit: Unit) -> bool:
    return under_canister(unit, play.move)


@rule("KS-BOT-05")
def _hit(play: Play, unit: Unit, trip: Trip) -> bool:
    """Whether infantry afloat has lost ten points since this load set out."""
    if unit.arm not in ("infantry", "pioneers"):
        return False
    return trip.tw - unit.strength.men_tw >= BOAT_TURNS_BACK * tw_of_point(unit, play.war.options)


@rule("KS-BOT-05")
def _held(play: Play, unit: Unit, trip: Trip) -> bool:
    return any(
        is_formed(enemy) and play.field.from_point(trip.to, enemy) <= HELD for enemy in play.field.enemies(unit.side)
    )


def _turn(play: Play, unit: Unit, trip: Trip, why: str) -> None:
    """A load turns back: the first for good, a later one tries again."""
    if not trip.over:
        _back(play, unit, trip, why)
        return
    again = _set_out(play, unit, trip, play.move + 1 + trip.back)
    _told(play, unit, trip, why, Changes(units={unit.key: UnitPatch(trip=again)}))


def _told(play: Play, unit: Unit, trip: Trip, why: str, changes: Changes) -> None:
    play.add(
        BoatTrip(
            boats=trip.by, unit=unit.key, load=trip.over + 1, loads=trip.loads, start=trip.start, to=trip.to,
            moves=play.move - trip.begun + 1, turned_back=why, rules=cited("KS-BOT-02", "KS-BOT-05"), changes=changes,
        )
    )  # fmt: skip


@rule("KS-BOT-05", "KS-TUR-04")
def _back(play: Play, unit: Unit, trip: Trip, why: str) -> None:
    """Back to the bank it came from; where the enemy stands there, it stays on the water."""
    if not _is_clear(play, unit, trip.start):
        return
    changes = _ashore(play, unit, trip.start)
    _told(play, unit, trip, why, replace(changes, features=(_boats_lie(play, trip.by, trip.start),)))
    words = "the boats had to turn back under fire" if why == "fire" else why
    _then(play, unit, f"turned back: {words}")


@rule("KS-BOT-01", "KS-BOT-02", "KS-BOT-03")
def _land(play: Play, unit: Unit, trip: Trip) -> None:
    """A load is over; the boats go back for the next, or it was the last."""
    moves = play.move - trip.begun + 1
    last = trip.over + 1 >= trip.loads
    if last:
        changes = replace(_ashore(play, unit, trip.to), features=(_boats_lie(play, trip.by, trip.to),))
    else:
        nxt = _set_out(play, unit, replace(trip, over=trip.over + 1), play.move + 1 + trip.back)
        changes = Changes(units={unit.key: UnitPatch(trip=nxt)})
    play.add(
        BoatTrip(
            boats=trip.by, unit=unit.key, load=trip.over + 1, loads=trip.loads, start=trip.start, to=trip.to,
            moves=moves, rules=cited("KS-BOT-01", "KS-BOT-02", "KS-BOT-03"), changes=changes,
        )
    )  # fmt: skip
    if last:
        _then(play, unit, "landed")


def _boats_lie(play: Play, name: str, at: Point) -> Feature:
    return replace(play.war.features.get(name, Feature(name)), at=at)


def _ashore(play: Play, unit: Unit, at: Point) -> Changes:
    """A body stands on a bank, in column, its back to the water it came over."""
    facing = bearing(unit.place.at, at) if unit.place.at != at else unit.place.facing
    place = replace(unit.place, at=at, facing=facing, stand="map", trail=(), moved=0, halted_since=play.move + 1)
    return Changes(units={unit.key: UnitPatch(place=place, march=March(), trip=None)})


def _then(play: Play, unit: Unit, how: str) -> None:
    """How the order stands for which it went, if it still has it."""
    unit = play.unit(unit.key)
    if unit.duty.queue and unit.duty.queue[0].verb in ("embark", "swim"):
        stage(play, unit, how if unit.duty.queue[0].verb == "embark" else "")


@rule("KS-BOT-03")
def _row_boats(play: Play, unit: Unit, order: Order) -> None:
    boats = fleet(play, order.by[0].feature)
    if boats is None:
        return
    to, count = order.to[0].at, unit.duty.count + 1
    needed = whole(rowing(play.scene.chart, boats.at, to))
    play.keep("rows", Changes(units={unit.key: UnitPatch(duty=replace(unit.duty, count=count))}))
    if count >= needed:
        play.add(
            BoatTrip(
                boats=boats.id, unit=unit.key, load=0, loads=0, start=boats.at, to=to, moves=count,
                rules=cited("KS-BOT-03"), changes=Changes(features=(_boats_lie(play, boats.id, to),)),
            )
        )  # fmt: skip
        play.note(unit.key, "work_finished", f"{play.scene.chart.boats[boats.id].name}: they are there.")
