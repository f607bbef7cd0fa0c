"""How far a move comes: the path walked by tenths of an inch, and what each die is lost for (HL-GEO-02, HL-MOV).

A walk throws no dice and changes nothing: it is asked with the dice fallen, and the same walk serves a forecast.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from pbem.ground.bearing import DEGREE, off, turn, turned
from pbem.ground.body import Body, on_board, passes, room_between
from pbem.ground.plane import (
    Point,
    Shape,
    between,
    cuts,
    distance,
    gap,
    holds,
    near,
    overlap,
    shared,
    shifted,
    within,
)
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.plans import Leg, Plan
from pbem.systems.half_league.march.footing import alike, climbed, dice_on, grounds, stays_short
from pbem.systems.half_league.tables import printed
from pbem.systems.half_league.tables.charts import Ground, mover
from pbem.systems.half_league.tables.printed import CONTACT, INCH, TENTH
from pbem.systems.half_league.world.fact import Dropped, Stopped
from pbem.systems.half_league.world.pieces import SCALE, Unit

FAR = 500 * INCH
"""Farther than anybody goes."""
TURN_STEP = 5 * DEGREE
"""By so much a unit that turns is looked at."""

UPHILL: tuple[tuple[Ground, str], ...] = (("high_hill", ""),)

EVEN_OBSTACLES = ("stream", "ford", "bridge", "wall", "trench", "high hill")


class Step(NamedTuple):
    """Where the body stands after so much of the way; *used* counts what wheels cost, *points* legs begun."""

    front: Point
    bearing: int
    walked: int
    used: int
    points: int


class Walked(Struct, frozen=True):
    """What came of a walk."""

    front: Point
    bearing: int
    path: tuple[Point, ...]
    walked: int
    allowed: int
    dropped: tuple[Dropped, ...]
    wheeled: int
    stopped_by: Stopped
    stopped_at: str = ""
    through: tuple[str, ...] = ()
    contact: tuple[str, ...] = ()
    """Of a charge: the enemies touched."""
    crossed: tuple[str, ...] = ()
    """Lines crossed, or come to."""


@rule("HL-MOV-02", "HL-MOV-05", "HL-MOV-08")
def dice_count(field: Field, unit: Unit, plan: Plan) -> int:
    """How many dice a unit throws for a plan, before benefits."""
    if plan.one_die:
        return 1 if dice_on(field, unit, [("open", "")])[0] else 0
    if plan.road:
        return field.charts.movement[unit.type][unit.formation]["road"]
    first = plan.legs[0] if plan.legs else None
    on = shifted(unit.front, first.bearing, TENTH) if first else None
    return dice_on(field, unit, grounds(field, unit.front, on))[0]


@rule("HL-MOV-10")
def with_chits(natural: Sequence[int], chits: int) -> list[int]:
    """Dice after each has lost its pips for chits, the highest first."""
    return sorted((max(face - printed.PIPS_PER_CHIT * chits, 0) for face in natural), reverse=True)


# ------------------------------------------------------------------ walking


@dataclasses.dataclass
class _Walk:
    """A walk under way."""

    field: Field
    unit: Unit
    plan: Plan
    dice: list[int]
    natural: int
    number: int
    """Dice of the worst ground so far."""
    front: Point
    bearing: int
    walked: int = 0
    wheeled: int = 0
    dropped: list[Dropped] = dataclasses.field(default_factory=list)
    through: list[str] = dataclasses.field(default_factory=list)
    crossed: list[str] = dataclasses.field(default_factory=list)
    """Lines that were come to."""
    path: list[Point] = dataclasses.field(default_factory=list)
    free: Step | None = None
    """The last place clear of friends."""
    inside: set[str] = dataclasses.field(default_factory=set)
    """Friends that are being passed through."""
    quiet: dict[str, int] = dataclasses.field(default_factory=dict)
    """Until how far along a piece need not be looked at: it is too far off."""
    friendless: int = -1
    """Until how far along no friend need be looked at."""
    foeless: int = -1
    """Until how far along no foe need be."""
    even: int = -1
    """Until how far along the ground need not be, nor the edge of the map."""
    stop: tuple[Stopped, str] | None = None
    contact: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        others = self.field.others(self.unit)
        self.friends = [one for one in others if one.side == self.unit.side]
        self.foes = [one for one in others if one.side != self.unit.side]
        self.gap = CONTACT if self.plan.charging else self.field.battle.options.enemy_gap * TENTH
        self.mover = mover(self.unit.type, self.unit.formation)
        # Charged and left in contact, it may still go away from him.
        self.box_free = on_board(self.body(self.front, self.bearing), self.field.scene.box)

    @property
    def used(self) -> int:
        return self.walked + self.wheeled

    @property
    def allowed(self) -> int:
        return FAR if self.plan.unpaid else sum(self.dice) * INCH

    def body(self, front: Point, way: int) -> Body:
        return self.field.formed(self.unit, self.unit.formation, front, way)

    @rule("HL-MOV-03", "HL-MOV-04", "HL-MOV-09")
    def lose(self, count: int, reason: str) -> bool:
        """Take the lowest dice away; False, and nothing is taken, if what is left does not reach further."""
        if self.plan.unpaid:
            return True
        left = self.dice[: len(self.dice) - count] if count else self.dice
        if sum(left) * INCH <= self.used:
            return False
        self.dropped += [Dropped(face, reason) for face in reversed(self.dice[len(left) :])]
        self.dice = list(left)
        return True

    # -------------------------------------------------------- one step

    @rule("HL-GEO-02")
    def step(self, front: Point, far: int) -> bool:
        """Go on to *front*, *far* from where the body is; False: it stops where it is.

        A step that is not taken costs nothing, and leads into nobody and out of nobody.
        """
        body = self.body(front, self.bearing)
        before = set(self.inside), list(self.dice), list(self.dropped), list(self.through), self.number
        found = self._edge(body, front) or self._foes(body, far) or self._ground(front)
        found = found or self._lines(front) or self._friends(body, far)
        if found is not None:
            self.stop = found
            self.inside, self.dice, self.dropped, self.through, self.number = before
            if self.plan.charging and found[0] == "enemy":
                self.contact = (found[1],)
            return False
        if (over := self.used + far - self.allowed) > 0:
            # The ground of this step took a die: what is left does not reach its end.
            front, far = between(self.front, front, far - over, far), far - over
        self.front, self.walked = front, self.walked + far
        if not self.inside:
            self.free = Step(front, self.bearing, self.walked, self.used, len(self.path))
        if self.plan.charging:
            close = self.foes if self.foeless < self.walked + CONTACT else ()
            touched = [one.id for one in close if near(body.shape, self.field.shape(one), CONTACT)]
            if touched:
                self.contact, self.stop = tuple(touched), ("enemy", touched[0])
                return False
        return True

    @rule("HL-MOV-13", "HL-GEO-02")
    def _edge(self, body: Body, front: Point) -> tuple[Stopped, str] | None:
        scene = self.field.scene
        inside = scene.on_map(front)
        if self.plan.exit_at is None and self.box_free:
            inside = on_board(body, scene.box)
        elif self.plan.exit_at is None:
            self.box_free = on_board(body, scene.box)
        return None if inside else ("edge", "")

    @rule("HL-GEO-02", "HL-MOV-04", "HL-REI-01")
    def _foes(self, body: Body, far: int) -> tuple[Stopped, str] | None:
        if self.foeless >= self.walked + far:
            return None
        now = self.body(self.front, self.bearing)
        for foe in self.foes:
            if self.quiet.get(foe.id, -1) >= self.walked + far:
                continue
            shape = self.field.shape(foe)
            least = printed.REINFORCE_BEYOND if foe.id in self.plan.apart else 0 if self.plan.charging else self.gap
            if (apart := room_between(body.shape.box, shape.box) - least) > INCH:
                self.quiet[foe.id] = self.walked + far + apart - TENTH
                continue
            found = gap(body.shape, shape)
            if not found.number and _deeper(now.shape, body.shape, shape):
                return "enemy", foe.id
            if foe.id in self.plan.apart:
                if found.number < least * least * found.by:
                    return "enemy", foe.id
            elif found.number < least * least * found.by:
                before = gap(now.shape, shape)
                if found.number * before.by < before.number * found.by:
                    return "enemy", foe.id
            self.quiet[foe.id] = self.walked + far + max(found.far - least - TENTH, 0)
        self.foeless = min((self.quiet[foe.id] for foe in self.foes), default=FAR)
        return None

    @rule("HL-MOV-03", "HL-MOV-02")
    def _ground(self, front: Point) -> tuple[Stopped, str] | None:
        if self.plan.road:
            return None
        kinds = grounds(self.field, front, None)
        kinds += climbed(self.field, self.front, front)
        burning = [one for one in self.field.scene.areas if self.field.burns(one) and holds(one.shape, front)]
        if burning:
            return "ground", burning[0].name
        count, name = dice_on(self.field, self.unit, kinds)
        if count == 0:
            return "ground", name
        if self.plan.one_die or count >= self.number:
            return None
        if not self.lose(self.number - count, name):
            return "ground", name
        self.number = count
        return None

    @rule("HL-MOV-08", "HL-MOV-09")
    def _lines(self, front: Point) -> tuple[Stopped, str] | None:
        if self.plan.road:
            return None
        for one in self.field.scene.obstacles:
            shares = [share for share in cuts(one.shape, self.front, front) if share > 0]
            if not shares:
                continue
            kind: str = one.kind
            for crossing in one.crossings:
                if any(within(at, crossing.at, printed.CROSSING_WITHIN) for at in (self.front, front)):
                    kind = crossing.kind
            self.crossed.append(one.name)
            word = self.field.charts.crossing[kind][self.mover]
            even = word == "even" or self._even(kind)
            if word == "never" or (even and self.natural % printed.EVEN):
                return "line", one.name
            if word == "die" and not self.lose(1, one.name):
                return "line", one.name
        for hill in self.field.scene.hills:
            if hill.high and (self.mover == "unlimbered" or self._even("high hill")):
                edge = cuts(hill.base.edge, self.front, front)
                if any(share > 0 for share in edge) and self.natural % printed.EVEN:
                    return "line", hill.name
        return None

    @rule("HL-MOV-08", "HL-MOV-09")
    def _even(self, kind: str) -> bool:
        scope = self.field.battle.options.even_roll_for
        return kind in EVEN_OBSTACLES and (scope == "all" or (scope == "artillery" and self.unit.guns))

    @rule("HL-MOV-04")
    def _friends(self, body: Body, far: int) -> tuple[Stopped, str] | None:
        if self.friendless >= self.walked + far:
            return None
        for friend in self.friends:
            if self.quiet.get(friend.id, -1) >= self.walked + far:
                continue
            shape = self.field.shape(friend)
            if overlap(body.shape, shape):
                if friend.id not in self.inside:
                    if self.unit.guns or not self.lose(printed.DICE_PER_FRIEND, friend.id):
                        return "friend", friend.id
                    self.inside.add(friend.id)
                    self.through.append(friend.id)
                continue
            self.inside.discard(friend.id)
            apart = room_between(body.shape.box, shape.box)
            if apart <= INCH:
                apart = gap(body.shape, shape).far
            self.quiet[friend.id] = self.walked + far + max(apart - TENTH, 0)
        self.friendless = min((self.quiet.get(friend.id, -1) for friend in self.friends), default=FAR)
        return None

    # -------------------------------------------------------- legs

    @rule("HL-GEO-02", "HL-MOV-01")
    def leg(self, leg: Leg) -> bool:
        """Walk one leg; False: the walk is over."""
        if leg.turn and off(self.bearing, leg.bearing) and not self._turn(leg.bearing):
            return False
        start, gone = self.front, 0
        self.path.append(start)
        self._let_aside(leg)
        while gone < leg.far:
            left = leg.far if self.plan.most is None else self.plan.most - self.walked
            most = min(leg.far - gone, left, self.allowed - self.used)
            if most <= 0:
                self.stop = ("maximum", "") if left <= 0 else ("dice", "")
                return False
            # What the first step of a leg comes to is not known before it is taken.
            far = min(most, max(self._unhindered(most) if gone else 0, TENTH))
            gone += far
            if not self.step(shifted(start, leg.bearing, gone), far):
                return False
        return True

    def _unhindered(self, most: int) -> int:
        """How far the body goes on, in whole tenths up to *most*, before it may come to anything: as in one step."""
        if self.inside or not self.box_free:
            return 0
        foeless = self.foeless - CONTACT if self.plan.charging else self.foeless
        free = min(foeless, self.friendless) - self.walked
        if free >= 2 * TENTH > self.even - self.walked:
            body = self.body(self.front, self.bearing)
            inside = -room_between((*self.front, *self.front), self.field.scene.box)
            even = min(most + TENTH, inside - body.front - body.depth)
            if not self.plan.road:
                worst, (uphill, _) = 1 if self.plan.one_die else self.number, dice_on(self.field, self.unit, UPHILL)
                even = alike(self.field, self.front, even, climbs=uphill < worst)
            self.even = self.walked + even - TENTH
        return min(most, free, self.even - self.walked) // TENTH * TENTH

    def _let_aside(self, leg: Leg) -> None:
        """Friends whom the body misses on this leg need not be looked at."""
        body = self.body(self.front, self.bearing)
        for friend in self.friends:
            if friend.id not in self.inside and passes(body, leg.bearing, self.field.shape(friend)):
                self.quiet[friend.id] = max(self.quiet.get(friend.id, -1), self.walked + leg.far)

    @rule("HL-MOV-06")
    def _turn(self, to: int) -> bool:
        """Turn about the front centre; what it costs is used up."""
        wheel = self.field.charts.wheel
        cost = 0
        if off(self.bearing, to) > wheel.above * DEGREE and not self.plan.one_die:
            cost = wheel.cost[self.unit.formation]
        if self.used + cost > self.allowed:
            self.stop = ("dice", "")
            return False
        body = self.body(self.front, to)
        if foe := self._swept(to):
            self.stop = ("enemy", foe)
            return False
        if self.box_free and not on_board(body, self.field.scene.box):
            self.stop = ("edge", "")
            return False
        self.bearing, self.wheeled = to, self.wheeled + cost
        self.quiet.clear()
        self.friendless = self.foeless = -1
        for friend in self.friends:
            if overlap(body.shape, self.field.shape(friend)):
                self.inside.add(friend.id)
        if not self.inside:
            self.free = Step(self.front, to, self.walked, self.used, len(self.path))
        return True

    @rule("HL-MOV-06", "HL-GEO-02")
    def _swept(self, to: int) -> str:
        """The enemy over whose ground a turn would sweep, or too near to whom it would end; empty: none."""
        now, by = self.body(self.front, self.bearing), turn(self.bearing, to)
        turns = range(TURN_STEP, abs(by), TURN_STEP)
        swept = [self.body(self.front, turned(self.bearing, part if by > 0 else -part)) for part in turns]
        end = self.body(self.front, to)
        for foe in self.foes:
            shape = self.field.shape(foe)
            if any(overlap(body.shape, shape) for body in (*swept, end)):
                return foe.id
            apart = foe.id in self.plan.apart
            least = printed.REINFORCE_BEYOND if apart else 0 if self.plan.charging else self.gap
            if least and near(end.shape, shape, least - 1) and gap(end.shape, shape).far < gap(now.shape, shape).far:
                return foe.id
        return ""

    def settled(self) -> Walked:
        """The end: clear of friends, and, without a charge, on the grid of tenths and degrees."""
        if self.inside:
            assert self.free is not None, "it began somewhere"
            name = sorted(self.inside)[0]
            self.stop, self.contact = ("friend", name), ()
            self.through = [one for one in self.through if one not in self.inside]
            self.front, self.bearing, self.walked = self.free.front, self.free.bearing, self.free.walked
            self.path = self.path[: self.free.points]
        stopped, at = self.stop or ("destination", "")
        least = 0 if self.plan.charging else self.gap
        front, bearing = rounded(self.field, self.unit, self.front, self.bearing, ignore=self.contact, least=least)
        return Walked(
            front=front,
            bearing=bearing,
            path=tuple(dict.fromkeys((*self.path, front))),
            walked=self.walked,
            allowed=self.allowed,
            dropped=tuple(self.dropped),
            wheeled=self.wheeled,
            stopped_by=stopped,
            stopped_at=at,
            through=tuple(self.through),
            contact=self.contact,
            crossed=tuple(self.crossed),
        )


@rule("HL-MOV-04", "HL-GEO-02")
def _deeper(now: Shape, there: Shape, foe: Shape) -> bool:
    """Whether a body comes into an enemy's ground, or farther into it; whom rounding put there may go out again."""
    return overlap(there, foe) and shared(there, foe) >= shared(now, foe)


@rule("HL-GEO-01")
def rounded(
    field: Field, unit: Unit, front: Point, bearing: int, *, ignore: Sequence[str] = (), least: int = 0
) -> tuple[Point, int]:
    """A place on the grid of tenths and a bearing in whole degrees.

    Another place if that would overlap a footprint, lie off the map, beyond a line or in ground that *front* is short
    of, come within *least* of an enemy from whom it is farther off, or nearer to one who is within it.
    """
    way = (bearing + DEGREE // 2) // DEGREE * DEGREE % (360 * DEGREE)
    at = SCALE.on_grid(front)
    others = [one for one in field.others(unit) if one.id not in ignore]
    taken = [field.shape(one) for one in others]
    before = field.formed(unit, unit.formation, front, bearing).shape
    foes = [field.shape(one) for one in others if least and one.side != unit.side]
    apart = [shape for shape in foes if not near(before, shape, least - 1)]
    close = [(shape, gap(before, shape).far) for shape in foes if near(before, shape, least - 1)]
    inside = field.scene.on_map(front)
    for dx, dy in ((0, 0), *_AROUND):
        there = Point(at.x + dx * TENTH, at.y + dy * TENTH)
        if distance(there, front) > TENTH * 2 or (inside and not field.scene.on_map(there)):
            continue
        if there != front and not stays_short(field, front, there):
            continue
        shape = field.formed(unit, unit.formation, there, way).shape
        if any(overlap(shape, one) for one in taken) or any(near(shape, one, least - 1) for one in apart):
            continue
        if not any(gap(shape, one).far < far for one, far in close):
            return there, way
    return at, way


_AROUND = tuple(
    sorted(
        ((dx, dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2) if dx or dy),
        key=lambda one: (one[0] ** 2 + one[1] ** 2, one),
    )
)


@rule("HL-GEO-02", "HL-MOV-01", "HL-MOV-03", "HL-MOV-04")
def walk(field: Field, unit: Unit, plan: Plan, natural: Sequence[int], *, chits: bool = True) -> Walked:
    """How far a unit comes with the dice that have fallen."""
    dice = with_chits(natural, unit.chits if chits else 0)
    under_way = _Walk(
        field=field,
        unit=unit,
        plan=plan,
        dice=dice,
        natural=sum(natural),
        number=dice_count(field, unit, plan),
        front=unit.front,
        bearing=unit.bearing,
    )
    under_way.free = Step(unit.front, unit.bearing, 0, 0, 1)
    under_way.path.append(unit.front)
    for leg in plan.legs:
        if not under_way.leg(leg):
            break
    return under_way.settled()
