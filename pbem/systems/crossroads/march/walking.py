"""How far a unit comes on its way, and what it pays: walked in steps of a tenth of an inch (GC-MOV-02, GC-GEO-01)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from pbem.ground.bearing import DEGREE, off, turn
from pbem.ground.body import Body, wheeled
from pbem.ground.plane import Point, apart, bearing, between, distance, holds, near, reaches
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.field import INCH, Field
from pbem.systems.crossroads.march.gate import APART, TOUCHING, Gate, strides
from pbem.systems.crossroads.scene.scene import GRAIN, Line, grains, tenths
from pbem.systems.crossroads.tables import move
from pbem.systems.crossroads.tables.units import HALF
from pbem.systems.crossroads.world.fact import Cost
from pbem.systems.crossroads.world.options import Options
from pbem.systems.crossroads.world.orders import Formation
from pbem.systems.crossroads.world.state import GUNS, Unit

ON_ROAD = INCH // 2
"""How far from the middle of a road the front centre is still on it."""
FINE = GRAIN * lcm(*(one.denominator for one in move.DIFFICULT.values()), move.BACKWARDS.numerator)
"""Parts of a tenth of an inch in which a walk is paid: whatever a thousandth costs is so many of them."""
_RULES = {
    "difficult": "GC-MOV-02", "linear": "GC-MOV-02", "contour": "GC-MOV-02", "friend": "GC-MOV-02",
    "road": "GC-MOV-02", "wheel": "GC-MOV-04", "turn": "GC-MOV-04", "backwards": "GC-MOV-04",
}  # fmt: skip


class Walk(NamedTuple):
    """Where a unit came to; lengths in tenths of an inch."""

    to: Point
    facing: int
    path: tuple[Point, ...]
    walked: int
    left: int
    costs: tuple[Cost, ...]
    stopped_by: str
    allowance: int
    touched: str = ""
    """Of a charge: the enemy that it came up to."""
    spent: int = 0


# ------------------------------------------------------------------ allowances


@rule("GC-MOV-01")
def march_row(unit: Unit) -> move.March:
    """The row of the movement chart."""
    return move.MOVEMENT[unit.nation if unit.type == "infantry" else unit.type]


@rule("GC-MOV-01")
def base_move(unit: Unit, options: Options, formation: Formation | None = None) -> int:
    """The move of a unit in a formation, its own if none is named, in tenths; 0: it cannot move so."""
    formation = formation or unit.formation
    if unit.type in GUNS and formation == "limbered" and options.artillery_move == "by_nation":
        return move.GUNS_BY_NATION[unit.nation] * 10
    row = march_row(unit)
    inches = row.line if formation in ("line", "deployed") else row.column
    return (inches or 0) * 10


def part(base: int, share: Fraction) -> int:
    """A part of a length in tenths, without what is finer (GC-MOV-02)."""
    return int(base * share)


@rule("GC-MOV-04")
def turning(unit: Unit, degrees: int, base: int) -> tuple[int, str]:
    """What a turn costs, in tenths, and its name."""
    if not degrees:
        return 0, "wheel"
    if degrees > move.FREE_WHEEL:
        return part(base, move.BIG_TURN), "turn"
    if unit.formation != "line":
        return 0, "wheel"
    return degrees * 10 // move.WHEEL_DEGREES_AN_INCH, "wheel"


# ------------------------------------------------------------------ the way


class _Step(NamedTuple):
    """The state of a walk after a step; *walked*, *left* and *costs* in parts of which `FINE` are a tenth."""

    at: Point
    """Thousandths, as walked."""
    body: Body
    walked: int
    left: int
    costs: dict[str, int]
    passed: frozenset[str]
    clear: bool
    """Whether it could stay there: on no friend."""


class Walker:
    """One way of one unit over the field as it is; *charge*: the enemy whom it is to touch, if it charges."""

    def __init__(self, field: Field, unit: Unit, allowance: int, base: int, *, charge: str = "") -> None:
        self.field, self.unit, self.base, self.charge = field, unit, base, charge
        self.allowance = allowance
        self.gate = self.way = Gate(field, unit, within=TOUCHING if charge else APART)
        self.facing = unit.facing
        self.stopped_by = "arrived"
        self.touched = ""
        body = self.gate.start
        self.steps = [_Step(body.at, body, 0, allowance * FINE, {}, frozenset(), clear=True)]
        self.corners = [body.at]
        self.difficult = self.rough = [one.shape for one in field.scene.areas if one.difficult]
        self.bonus = False
        self.slopes = True
        """Whether contours cost it something."""

    # -------------------------------------------------------------- turns

    @rule("GC-MOV-02", "GC-MOV-04")
    def pay(self, event: str, toll: int) -> bool:
        """Pay so many tenths for something at the place reached; whether they could be paid."""
        last, price = self.steps[-1], toll * FINE
        if price > last.left:
            return False
        if price:
            costs = {**last.costs, event: last.costs.get(event, 0) + price}
            self.steps[-1] = last._replace(left=last.left - price, costs=costs)
        return True

    @rule("GC-MOV-04")
    def turn_to(self, facing: int) -> bool:
        """Turn about the middle of the front; whether there was room and it could be paid; if not, that stops it."""
        degrees = off(self.facing * DEGREE, facing * DEGREE) // DEGREE
        price, event = turning(self.unit, degrees, self.base)
        body = self.gate.turned(self.steps[-1].body, facing)
        if body is None:
            return self.stop("room")
        if not self.pay(event, price):
            return self.stop("spent")
        self.facing = facing
        self.steps[-1] = self.steps[-1]._replace(body=body)
        return True

    def turn_at_last(self, facing: int) -> None:
        """Turn where the way has ended; what stopped it before that stays noted."""
        before = self.stopped_by
        if not self.turn_to(facing):
            self.stopped_by = before if before != "arrived" else "facing" if self.stopped_by == "spent" else "room"

    @rule("GC-MOV-02", "GC-MOV-04")
    def wheel(self, by: int) -> None:
        """Wheel about the inner wing by whole degrees, to the right above 0, or as far as it can.

        The middle of the front pays for the obstacles on its arc, though not for slopes, and the wheel costs twice in
        difficult ground.
        """
        self.slopes = False
        start, hand = self.gate.start, 1 if by > 0 else -1
        price, event = 0, "wheel"
        for degrees in range(1, abs(by) + 1):
            turned = wheeled(start, hand * degrees * DEGREE)
            body = self.gate.body(turned.at, turned.facing // DEGREE)
            last, paid = self.steps[-1], price
            toll, event = turning(self.unit, degrees, self.base)
            price = toll * FINE
            costs = {name: cost for name, cost in last.costs.items() if name != "wheel"} | {event: price}
            left = last.left + paid - price
            if event == "wheel" and self.is_difficult(last.at, body.at):
                extra = int((price - paid) * (self.hardness() - 1))
                costs["difficult"] = costs.get("difficult", 0) + extra
                left -= extra
            if not self.come(body.at, body, 0, costs, left):
                break
        self.rest()
        self.facing = self.steps[-1].body.facing // DEGREE

    # -------------------------------------------------------------- steps

    @rule("GC-MOV-02", "GC-MOV-04")
    def leg(self, end: Point) -> bool:
        """Walk straight to *end* (in thousandths); whether it was reached."""
        start = self.steps[-1].at
        far = distance(start, end)
        if far < GRAIN // 2:
            return True
        way = bearing(start, end)
        aside = off(self.facing * DEGREE, way)
        backwards = aside > move.REAR_ARC * DEGREE
        if move.FRONT_ARC * DEGREE < aside <= move.REAR_ARC * DEGREE:
            short = turn(self.facing * DEGREE, way)
            wanted = aside - move.FRONT_ARC * DEGREE
            by = -(-wanted // DEGREE) if wanted <= move.FREE_WHEEL * DEGREE else aside // DEGREE
            if not self.turn_to((self.facing + (by if short > 0 else -by)) % 360):
                return False
        self.look_along(start, end, far)
        for walked, long in strides(far):
            if not self.step(between(start, end, walked, far), long, backwards=backwards):
                return False
        return True

    def look_along(self, start: Point, end: Point, far: int) -> None:
        """Mind from now on what stands at a straight way, as far as it can be paid, and nothing else."""
        payable = (self.steps[-1].left // FINE + 2) * GRAIN
        self.way = self.gate.along(start, between(start, end, min(payable, far), far) if far else end, self.facing)
        self.rough = [shape for shape in self.difficult if not apart(shape.box, self.way.ground)]

    @rule("GC-MOV-02")
    def hardness(self) -> Fraction:
        """What an inch in difficult ground costs: less for light infantry and jaegers, and for nobody else."""
        return move.DIFFICULT["light" if self.unit.light and self.unit.type == "infantry" else "all"]

    @rule("GC-MOV-02")
    def is_difficult(self, start: Point, end: Point) -> bool:
        """Whether a step lies in difficult ground, by its middle."""
        middle = between(start, end, 1, 2)
        return any(holds(shape, middle) for shape in self.rough)

    @rule("GC-MOV-02", "GC-GEO-01")
    def step(self, at: Point, long: int, *, backwards: bool) -> bool:
        """One step, *long* thousandths, if it can be paid and nothing is in the way."""
        last = self.steps[-1]
        far = long * FINE // GRAIN
        costs, left = dict(last.costs), last.left - far
        if backwards:
            extra = far * move.BACKWARDS.denominator // move.BACKWARDS.numerator - far
            costs["backwards"] = costs.get("backwards", 0) + extra
            left -= extra
        if not self.bonus and self.is_difficult(last.at, at):
            extra = int(far * (self.hardness() - 1))
            costs["difficult"] = costs.get("difficult", 0) + extra
            left -= extra
        return self.come(at, self.gate.body(at, self.facing), far, costs, left)

    @rule("GC-MOV-02", "GC-MOV-03", "GC-MOV-05")
    def come(self, at: Point, body: Body, far: int, costs: dict[str, int], left: int) -> bool:
        """Come to the next place, *far* on, with *left* to pay for what lies between; whether it could."""
        last = self.steps[-1]
        if left < 0:
            return self.stop("spent")
        if self.way.leaps(last.at, at):
            return self.stop("obstacle")
        for event, price in self.tolls(last.at, at):
            if price > left:
                return self.stop(event)
            left -= price
            costs[event] = costs.get(event, 0) + price
        met = self.way.under(body)
        for _ in met - last.passed:
            price = part(self.base, move.PASSING_FRIEND) * FINE
            if price > left:
                return self.stop("friend")
            left -= price
            costs["friend"] = costs.get("friend", 0) + price
        barred = self.way.bars(last.body, body)
        if barred and not (self.charge and barred == "enemy"):
            return self.stop(barred)
        if barred:
            # It is in contact when this step has been made.
            near_by = [one.id for one in self.way.meets(last.body, body)]
            self.touched, self.stopped_by = self.charge if self.charge in near_by else near_by[0], "contact"
        self.steps.append(_Step(at, body, last.walked + far, left, costs, last.passed | met, clear=not met))
        return True

    def stop(self, why: str) -> bool:
        """Note why it goes no farther."""
        self.stopped_by = why
        return False

    @rule("GC-MOV-02")
    def tolls(self, start: Point, end: Point) -> Iterator[tuple[str, int]]:
        """What a step crosses on foot, and over hills: what each costs."""
        for _ in self.way.obstacles(start, end):
            yield "linear", part(self.base, HALF) * FINE
        for _ in range(self.way.contours(start, end) if self.slopes else 0):
            yield "contour", part(self.base, move.CONTOUR) * FINE

    # -------------------------------------------------------------- the end

    def rest(self) -> None:
        """Go back to the last place where it does not stand on a friend."""
        if not self.steps[-1].clear:
            self.stopped_by = "friend"
            self.touched = ""
        while not self.steps[-1].clear:
            self.steps.pop()

    @rule("GC-GEO-01", "GC-MOV-02", "GC-MOV-03")
    def _place(self) -> Point:
        """Where it ends, in tenths: the nearest place that has no obstacle between it and where the way has come."""
        last = self.steps[-1]
        x, y = nearest = tenths(last.at)
        if self.touched or not any(self.gate.obstacles(last.at, grains(nearest))):
            return nearest
        around = [Point(x + east, y + north) for east in (-1, 0, 1) for north in (-1, 0, 1)]
        for there in sorted(around, key=lambda one: (distance(grains(one), last.at), one)):
            body = self.gate.body(grains(there), self.facing)
            short = not any(self.gate.obstacles(last.at, body.at))
            if short and self.gate.free(body) and not self.gate.bars(last.body, body):
                return there
        return nearest

    def done(self) -> Walk:
        """The walk, as far as it went."""
        last, to = self.steps[-1], self._place()
        corners = [at for at in self.corners if at != last.at and at in {one.at for one in self.steps}]
        path = tuple(dict.fromkeys((*map(tenths, corners), to)))
        costs = tuple(
            Cost(event, price // FINE, cited(_RULES[event])[0]) for event, price in sorted(last.costs.items()) if price
        )
        left = last.left // FINE
        return Walk(
            to, self.facing, path, (2 * last.walked + FINE) // (2 * FINE), left, costs,
            self.stopped_by, self.allowance, self.touched, self.allowance - left,
        )  # fmt: skip


# ------------------------------------------------------------------ whole moves


@rule("GC-MOV-02")
def roads_of(field: Field, unit: Unit) -> list[Line]:
    """The roads on which a whole move may go: those that the unit is on, in column or limbered."""
    if unit.formation not in ("column", "limbered"):
        return []
    at = field.body(unit).at
    return [road for road in field.lines_of("road") if reaches(at, road.shape, ON_ROAD)]


@rule("GC-MOV-02")
def has_road_bonus(roads: Sequence[Line], walk: Walk, steps: Sequence[Point]) -> bool:
    """Whether a whole move was on a road."""
    return bool(walk.walked) and any(all(reaches(at, road.shape, ON_ROAD) for at in steps) for road in roads)


@rule("GC-MOV-02", "GC-MOV-04")
def go(
    field: Field, unit: Unit, corners: Sequence[Point], allowance: int, *, facing: int | None = None, wheel: int = 0
) -> Walk:
    """Walk through *corners* (thousandths), as far as *allowance* carries; then face, if a *facing* is wanted.

    *wheel*: tenths that a wheel before it has cost out of the same move.
    """
    base, roads = base_move(unit, field.battle.options), roads_of(field, unit)
    for bonus in (part(allowance, move.ROAD_BONUS), 0) if roads else (0,):
        walker = Walker(field, unit, allowance + bonus, base)
        walker.bonus = bool(bonus)
        walker.pay("wheel", wheel)
        reserved = _reserve(walker, unit, corners, facing, base)
        for corner in corners:
            reached = walker.leg(corner)
            walker.corners.append(walker.steps[-1].at)
            if not reached:
                break
        walker.rest()
        _release(walker, reserved)
        if facing is not None and facing != walker.facing:
            walker.turn_at_last(facing)
        walk = walker.done()
        if not bonus:
            return walk
        if has_road_bonus(roads, walk, [one.at for one in walker.steps]):
            used = max(0, walk.spent - allowance)
            costs = (*walk.costs, Cost("road", -used, cited("GC-MOV-02")[0])) if used else walk.costs
            return walk._replace(costs=costs)
    raise AssertionError("the last try is without a bonus")


def _reserve(walker: Walker, unit: Unit, corners: Sequence[Point], facing: int | None, base: int) -> int:
    """Set aside what the turn at the end will cost."""
    if facing is None or not corners:
        return 0
    toll, _ = turning(unit, off(walker.facing * DEGREE, facing * DEGREE) // DEGREE, base)
    last, price = walker.steps[-1], toll * FINE
    if price > last.left:
        return 0
    walker.steps[-1] = last._replace(left=last.left - price)
    return price


def _release(walker: Walker, reserved: int) -> None:
    walker.steps[-1] = walker.steps[-1]._replace(left=walker.steps[-1].left + reserved)


@rule("GC-MOV-02", "GC-MOV-04")
def wheel(field: Field, unit: Unit, by: int, allowance: int) -> Walk:
    """A wheel by whole degrees, to the right above 0, as far as it can be made and *allowance* carries."""
    walker = Walker(field, unit, allowance, base_move(unit, field.battle.options))
    walker.wheel(by)
    # Who wheels goes no way that is measured.
    return walker.done()._replace(path=())


@rule("GC-CHG-01", "GC-CHG-07")
def run_at(field: Field, unit: Unit, target: Unit) -> tuple[Walk, list[Point]]:
    """A charge straight at the nearest point of the target, till it touches an enemy; and its steps (thousandths)."""
    inches = march_row(unit).charge or 0
    walker = Walker(field, unit, inches * 10, base_move(unit, field.battle.options), charge=target.id)
    start = field.body(unit).at
    end = field.nearest_point(unit, target)
    far = distance(start, end)
    if near(field.shape(unit), field.shape(target), TOUCHING):
        walker.touched, walker.stopped_by = target.id, "contact"
    walker.look_along(start, end, far)
    for walked, long in strides(far):
        if walker.touched or not walker.step(between(start, end, walked, far), long, backwards=False):
            break
    at = [one.at for one in walker.steps]
    walker.rest()
    return walker.done(), at
