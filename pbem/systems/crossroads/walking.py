"""How far a unit comes on its way, and what it pays: walked in steps of a tenth of an inch (GC-MOV-02, GC-GEO-01)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.ground.bearing import DEGREE, off, turn
from pbem.ground.body import Body, on_board
from pbem.ground.plane import Point, Shape, bearing, between, cuts, distance, dot, gap, holds, near
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.fact import Cost
from pbem.systems.crossroads.field import INCH, TOLERANCE, Field, footprint
from pbem.systems.crossroads.options import Options
from pbem.systems.crossroads.orders import Formation
from pbem.systems.crossroads.scene import GRAIN, tenths
from pbem.systems.crossroads.state import Unit
from pbem.systems.crossroads.tables_move import (
    BACKWARDS,
    BIG_TURN,
    CHARGE_GAP,
    CLOSED,
    CONTOUR,
    DIFFICULT,
    ENEMY_GAP,
    FREE_WHEEL,
    FRONT_ARC,
    GUNS_BY_NATION,
    MOVEMENT,
    OBSTACLES,
    PASSING_FRIEND,
    REAR_ARC,
    ROAD_BONUS,
    WHEEL_DEGREES_AN_INCH,
    March,
)
from pbem.systems.crossroads.tables_units import HALF

ON_ROAD = INCH // 2
"""How far from the middle of a road the front centre is still on it."""
AT_CROSSING = INCH
"""How near a bridge or ford a stream costs nothing."""
_GUNS = ("artillery", "mg")
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
def march_row(unit: Unit) -> March:
    """The row of the movement chart."""
    return MOVEMENT[unit.nation if unit.type == "infantry" else unit.type]


@rule("GC-MOV-01")
def base_move(unit: Unit, options: Options, formation: Formation | None = None) -> int:
    """The move of a unit in a formation, its own if none is named, in tenths; 0: it cannot move so."""
    formation = formation or unit.formation
    if unit.type in _GUNS and formation == "limbered" and options.artillery_move == "by_nation":
        return GUNS_BY_NATION[unit.nation] * 10
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
    if degrees > FREE_WHEEL:
        return part(base, BIG_TURN), "turn"
    if unit.formation != "line":
        return 0, "wheel"
    return degrees * 10 // WHEEL_DEGREES_AN_INCH, "wheel"


# ------------------------------------------------------------------ the way


class _Step(NamedTuple):
    """The state of a walk after a step."""

    at: Point
    """Thousandths, as walked."""
    body: Body
    walked: Fraction
    left: Fraction
    costs: dict[str, Fraction]
    passed: frozenset[str]
    clear: bool
    """Whether it could stay there: on no friend."""


class Walker:
    """One way of one unit over the field as it is."""

    def __init__(self, field: Field, unit: Unit, allowance: int, base: int, *, charge: bool = False) -> None:
        self.field, self.unit, self.base, self.charge = field, unit, base, charge
        self.allowance = allowance
        self.enemies = [one for one in field.standing if one.side != unit.side]
        self.friends = [one for one in field.standing if one.side == unit.side and one.id != unit.id]
        self.gap = int((CHARGE_GAP if charge else ENEMY_GAP) * INCH)
        self.facing = unit.facing
        self.stopped_by = "arrived"
        self.touched = ""
        body = field.body(unit)
        self.steps = [_Step(body.at, body, Fraction(0), Fraction(allowance), {}, frozenset(), clear=True)]
        self.corners = [body.at]
        closed = CLOSED.get(unit.type, CLOSED.get(f"{unit.type} {unit.formation}", ()))
        self.closed = [one.shape for one in field.scene.areas if one.kind in closed]
        self.difficult = [one.shape for one in field.scene.areas if one.difficult]
        self.bonus = False

    # -------------------------------------------------------------- turns

    def pay(self, event: str, price: int | Fraction) -> bool:
        """Pay for something at the place reached; whether it could be paid."""
        last = self.steps[-1]
        if price > last.left:
            return False
        if price:
            costs = {**last.costs, event: last.costs.get(event, Fraction(0)) + price}
            self.steps[-1] = last._replace(left=last.left - price, costs=costs)
        return True

    @rule("GC-MOV-04")
    def turn_to(self, facing: int) -> bool:
        """Turn about the middle of the front; whether there was room and it could be paid; if not, that stops it."""
        degrees = off(self.facing * DEGREE, facing * DEGREE) // DEGREE
        price, event = turning(self.unit, degrees, self.base)
        last = self.steps[-1]
        body = footprint(self.unit.type, self.unit.formation, tenths(last.at), facing)
        if not self.field.room(body, ignoring=self.unit.id):
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
        backwards = aside > REAR_ARC * DEGREE
        if FRONT_ARC * DEGREE < aside <= REAR_ARC * DEGREE:
            short = turn(self.facing * DEGREE, way)
            wanted = aside - FRONT_ARC * DEGREE
            by = -(-wanted // DEGREE) if wanted <= FREE_WHEEL * DEGREE else aside // DEGREE
            if not self.turn_to((self.facing + (by if short > 0 else -by)) % 360):
                return False
        for walked, long in strides(far):
            if not self.step(between(start, end, walked, far), long, backwards=backwards):
                return False
        return True

    def step(self, at: Point, long: int, *, backwards: bool) -> bool:
        """One step, *long* thousandths, if it can be paid and nothing is in the way."""
        last = self.steps[-1]
        far = Fraction(long, GRAIN)
        middle = between(last.at, at, 1, 2)
        costs, left = dict(last.costs), last.left - far
        if backwards:
            extra = far * Fraction(BACKWARDS.denominator, BACKWARDS.numerator) - far
            costs["backwards"] = costs.get("backwards", Fraction(0)) + extra
            left -= extra
        if not self.bonus and any(holds(shape, middle) for shape in self.difficult):
            extra = far * (DIFFICULT["light" if self.unit.light else "all"] - 1)
            costs["difficult"] = costs.get("difficult", Fraction(0)) + extra
            left -= extra
        if left < 0:
            return self.stop("spent")
        body = footprint(self.unit.type, self.unit.formation, tenths(at), self.facing)
        for event, price in self.tolls(last.at, at):
            if price is None:
                return self.stop("obstacle")
            if price > left:
                return self.stop(event)
            left -= price
            costs[event] = costs.get(event, Fraction(0)) + price
        met = {one.id for one in self.friends if self.field.overlaps(body, one)}
        for _ in sorted(met - last.passed):
            price = Fraction(part(self.base, PASSING_FRIEND))
            if price > left:
                return self.stop("friend")
            left -= price
            costs["friend"] = costs.get("friend", Fraction(0)) + price
        if not on_board(body, self.field.scene.board):
            return self.stop("edge")
        if any(holds(shape, at) and not holds(shape, last.at) for shape in self.closed):
            return self.stop("closed")
        if self.meets(last.body, body):
            return False
        self.steps.append(_Step(at, body, last.walked + far, left, costs, last.passed | met, clear=not met))
        return True

    def stop(self, why: str) -> bool:
        """Note why it goes no farther."""
        self.stopped_by = why
        return False

    @rule("GC-MOV-05", "GC-GEO-01")
    def meets(self, before: Body, body: Body) -> bool:
        """Whether an enemy stops it; a charge goes on till it touches him."""
        for one in self.enemies:
            theirs = self.field.shape(one)
            near_by = near(body.shape, theirs, self.gap + (TOLERANCE if self.charge else -TOLERANCE))
            if not near_by:
                continue
            if self.charge:
                # It is in contact when this step has been made.
                self.touched = one.id
                self.stopped_by = "contact"
                continue
            if _nearer(body.shape, before.shape, theirs):
                return not self.stop("enemy")
        return False

    @rule("GC-MOV-02", "GC-MOV-03")
    def tolls(self, start: Point, end: Point) -> Iterator[tuple[str, Fraction | None]]:
        """What a step crosses: what each costs; None: not to be crossed by a move (cavalry, guns)."""
        for one in self.field.lines_of(*OBSTACLES):
            if _crossed(one.shape, start, end) and not any(
                near(dot(at), dot(end), AT_CROSSING) for at in one.crossings
            ):
                on_foot = self.unit.type == "infantry"
                yield "linear", Fraction(part(self.base, HALF)) if on_foot else None
        for hill in self.field.scene.hills:
            for contour in hill.contours:
                if _crossed(contour, start, end):
                    yield "contour", Fraction(part(self.base, CONTOUR))

    # -------------------------------------------------------------- the end

    def rest(self) -> None:
        """Go back to the last place where it does not stand on a friend."""
        if not self.steps[-1].clear:
            self.stopped_by = "friend"
            self.touched = ""
        while not self.steps[-1].clear:
            self.steps.pop()

    def done(self) -> Walk:
        """The walk, as far as it went."""
        last = self.steps[-1]
        corners = [at for at in self.corners if at in {one.at for one in self.steps}]
        path = tuple(dict.fromkeys((*map(tenths, corners), tenths(last.at))))
        costs = tuple(
            Cost(event, int(price), cited(_RULES[event])[0]) for event, price in sorted(last.costs.items()) if price
        )
        return Walk(
            tenths(last.at), self.facing, path, int(last.walked + Fraction(1, 2)), int(last.left), costs,
            self.stopped_by, self.allowance, self.touched, self.allowance - int(last.left),
        )  # fmt: skip


def strides(far: int) -> Iterator[tuple[int, int]]:
    """The steps of a way: how far along each ends, and how long it is, in thousandths.

    >>> list(strides(250)), list(strides(201))
    ([(100, 100), (200, 100), (250, 50)], [(100, 100), (201, 100)])
    """
    whole, rest = divmod(far, GRAIN)
    for number in range(1, whole + 1):
        yield (far if number == whole and rest < TOLERANCE else number * GRAIN), GRAIN
    if rest >= TOLERANCE:
        yield far, rest


def _crossed(shape: Shape, start: Point, end: Point) -> int:
    """How often a step comes onto or over a line: where it begins on one, it has been crossed before."""
    return sum(share > 0 for share in cuts(shape, start, end))


def _nearer(body: Shape, before: Shape, other: Shape) -> bool:
    now, was = gap(body, other), gap(before, other)
    return now.number * was.by < was.number * now.by or (now.number == 0 and was.number == 0)


# ------------------------------------------------------------------ whole moves


@rule("GC-MOV-02")
def has_road_bonus(field: Field, unit: Unit, walk: Walk, steps: Sequence[Point]) -> bool:
    """Whether a whole move was on a road, in column or limbered."""
    if unit.formation not in ("column", "limbered") or not walk.walked:
        return False
    return any(all(near(dot(at), road.shape, ON_ROAD) for at in steps) for road in field.lines_of("road"))


@rule("GC-MOV-02", "GC-MOV-04")
def go(
    field: Field, unit: Unit, corners: Sequence[Point], allowance: int, *, facing: int | None = None, wheel: int = 0
) -> Walk:
    """Walk through *corners* (thousandths), as far as *allowance* carries; then face, if a *facing* is wanted.

    *wheel*: tenths that a wheel before it has cost out of the same move.
    """
    base = base_move(unit, field.battle.options)
    more = part(allowance, ROAD_BONUS)
    for bonus in (more, 0) if unit.formation in ("column", "limbered") else (0,):
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
        if has_road_bonus(field, unit, walk, [one.at for one in walker.steps]):
            used = max(0, walk.spent - allowance)
            costs = (*walk.costs, Cost("road", -used, cited("GC-MOV-02")[0])) if used else walk.costs
            return walk._replace(costs=costs)
    raise AssertionError("the last try is without a bonus")


def _reserve(walker: Walker, unit: Unit, corners: Sequence[Point], facing: int | None, base: int) -> int:
    """Set aside what the turn at the end will cost."""
    if facing is None or not corners:
        return 0
    price, _ = turning(unit, off(walker.facing * DEGREE, facing * DEGREE) // DEGREE, base)
    last = walker.steps[-1]
    if price > last.left:
        return 0
    walker.steps[-1] = last._replace(left=last.left - price)
    return price


def _release(walker: Walker, reserved: int) -> None:
    walker.steps[-1] = walker.steps[-1]._replace(left=walker.steps[-1].left + reserved)


@rule("GC-CHG-01", "GC-CHG-07")
def run_at(field: Field, unit: Unit, target: Unit) -> tuple[Walk, list[Point]]:
    """A charge straight at the nearest point of the target, till it touches an enemy; and its steps (thousandths)."""
    inches = march_row(unit).charge or 0
    walker = Walker(field, unit, inches * 10, base_move(unit, field.battle.options), charge=True)
    start = field.body(unit).at
    end = field.nearest_point(unit, target)
    far = distance(start, end)
    if near(field.shape(unit), field.shape(target), walker.gap + TOLERANCE):
        walker.touched, walker.stopped_by = target.id, "contact"
    for walked, long in strides(far):
        if walker.touched or not walker.step(between(start, end, walked, far), long, backwards=False):
            break
    at = [one.at for one in walker.steps]
    walker.rest()
    return walker.done(), at
