"""What stands in the way of a body of troops, whatever brings it there (GC-MOV-02, GC-MOV-05, GC-GEO-01).

March, wheel, turn, charge, crossing, retreat, flight, the way to cover and the advance after a melee: each asks one
gate at each of its steps.  A gate knows the field as it lies, whoever sees what of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

from pbem.ground.bearing import DEGREE, turn
from pbem.ground.body import Body, faced, on_board
from pbem.ground.plane import (
    Point,
    Shape,
    apart,
    between,
    cuts,
    distance,
    encloses,
    gap,
    holds,
    hull,
    near,
    shared,
    widened,
    within,
)
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import INCH, TOLERANCE, Field, footprint, lies_on
from pbem.systems.crossroads.scene.scene import GRAIN, Area, Line, tenths
from pbem.systems.crossroads.tables.move import CHARGE_GAP, CLOSED, ENEMY_GAP, OBSTACLES
from pbem.systems.crossroads.world.state import Unit

AT_CROSSING = INCH
"""How near a bridge or ford a stream costs nothing."""
_SWING = 3 * DEGREE
"""The steps in which a turn in place is tried: at the wing of a line, two tenths of an inch."""
APART = int(ENEMY_GAP * INCH) - TOLERANCE
"""How near to an enemy nobody comes who does not charge."""
TOUCHING = int(CHARGE_GAP * INCH) + TOLERANCE
"""How near a charge comes to touch."""


class Way(NamedTuple):
    """How far a straight way is free: the bodies on it, from where it begins, and what bars the next step, if any."""

    bodies: tuple[Body, ...]
    barred: str


@rule("GC-MOV-05", "GC-MOV-02")
def is_closed(area: Area, unit: Unit) -> bool:
    """Whether ground is closed to a unit of its type, or in its formation."""
    return area.kind in CLOSED.get(unit.type, CLOSED.get(f"{unit.type} {unit.formation}", ()))


class Gate:
    """Where one unit may go.

    *within*: how near it may not come to an enemy, in thousandths.  *clear*: how far it keeps from ground that is
    closed to it; None: the middle of its front alone does not come there.
    """

    def __init__(self, field: Field, unit: Unit, *, within: int = APART, clear: int | None = None) -> None:
        self.field, self.unit, self.within, self.clear = field, unit, within, clear
        self.enemies = [(one, shape) for one, shape in field.footprints if one.side != unit.side]
        self.friends = [(one, shape) for one, shape in field.footprints if one.side == unit.side and one.id != unit.id]
        self.closed = [one.shape for one in field.scene.areas if is_closed(one, unit)]
        self.lines = list(field.lines_of(*OBSTACLES))
        self.slopes = [contour for hill in field.scene.hills for contour in hill.contours]
        self.start = field.body(unit)
        self.ground = field.scene.board
        """Where its steps may lead."""
        self.edged = True
        """Whether that lies partly beyond the edge of the table."""

    def body(self, at: Point, facing: int) -> Body:
        """The ground that the unit would cover; *at* in thousandths, *facing* in degrees."""
        return footprint(self.unit.type, self.unit.formation, tenths(at), facing)

    def along(self, start: Point, end: Point, facing: int) -> Gate:
        """What stands at one straight way (in thousandths), and at no other: for its steps the same answers, sooner."""
        bodies = hull(self.body(start, facing).shape.box, self.body(end, facing).shape.box)
        # A body stands on whole tenths: up to half of one beside its way.
        way, ground = copy(self), widened(bodies, GRAIN)
        way.ground, way.edged = ground, not encloses(self.field.scene.board, ground)
        way.enemies = [(one, shape) for one, shape in self.enemies if not apart(shape.box, ground, self.within)]
        way.friends = [(one, shape) for one, shape in self.friends if not apart(shape.box, ground)]
        way.closed = [shape for shape in self.closed if not apart(shape.box, ground, self.clear or 0)]
        way.lines = [one for one in self.lines if not apart(one.shape.box, ground)]
        way.slopes = [contour for contour in self.slopes if not apart(contour.box, ground)]
        return way

    # -------------------------------------------------------------- what bars a step

    @rule("GC-MOV-05", "GC-GEO-01")
    def bars(self, before: Body, after: Body) -> str:
        """Why it does not come from one place to the next: `edge`, `closed`, `enemy`; empty: it may."""
        if self.edged and not on_board(after, self.field.scene.board):
            return "edge"
        if any(self._enters(shape, before, after) for shape in self.closed):
            return "closed"
        return "enemy" if self.meets(before, after) else ""

    @rule("GC-MOV-05")
    def _enters(self, shape: Shape, before: Body, after: Body) -> bool:
        """Whether a step comes upon ground that is closed; where it stands already it may go on."""
        if self.clear is None:
            return holds(shape, after.at) and not holds(shape, before.at)
        nears = near(after.shape, shape, self.clear) and _nearer(after.shape, before.shape, shape)
        return nears and not holds(shape, self.start.at)

    @rule("GC-MOV-05", "GC-CHG-07")
    def meets(self, before: Body, after: Body) -> list[Unit]:
        """The enemies to whom a step comes too near, the nearest first: those who were so near may be left."""
        found = [
            one
            for one, shape in self.enemies
            if near(after.shape, shape, self.within) and _nearer(after.shape, before.shape, shape)
        ]
        return sorted(found, key=lambda one: (self.field.gap_of(after, one), one.id))

    @rule("GC-CHG-06")
    def touched(self, body: Body | None = None) -> str:
        """The first enemy who touches it where it stands, or as that *body*; empty: nobody."""
        shape = (body or self.start).shape
        return next((one.id for one, theirs in self.enemies if near(shape, theirs, TOUCHING)), "")

    @rule("GC-MOV-02")
    def under(self, body: Body) -> frozenset[str]:
        """The friends on whom a body would stand."""
        return frozenset(one.id for one, shape in self.friends if lies_on(body.shape, shape))

    @rule("GC-GEO-01", "GC-MOR-06", "GC-MOR-07")
    def free(self, body: Body) -> bool:
        """Whether it could stay there: on nobody's ground."""
        others = (*self.friends, *self.enemies)
        return not (others or self.edged) or self.field.room(body, among=others)

    # -------------------------------------------------------------- lines on the ground

    @rule("GC-MOV-02", "GC-MOV-03", "GC-GEO-01")
    def obstacles(self, start: Point, end: Point) -> Iterator[Line]:
        """The linear obstacles that a step of the front's middle crosses, but for streams at their crossings."""
        for one in self.lines:
            if crossed(one.shape, start, end) and not any(within(at, end, AT_CROSSING) for at in one.crossings):
                yield one

    @rule("GC-MOV-02", "GC-GEO-01")
    def contours(self, start: Point, end: Point) -> int:
        """How many contours of hills a step of the front's middle crosses, up or down."""
        return sum(crossed(contour, start, end) > 0 for contour in self.slopes)

    @rule("GC-MOV-03", "GC-CHG-08")
    def leaps(self, start: Point, end: Point, over: Line | None = None) -> bool:
        """Whether a step would take horses or guns across an obstacle; *over*: but for this one."""
        return self.unit.type != "infantry" and any(one != over for one in self.obstacles(start, end))

    # -------------------------------------------------------------- whole ways

    @rule("GC-MOV-05", "GC-GEO-01")
    def straight(self, end: Point, over: Line | None = None) -> Way:
        """The way of the front's middle to *end* (in thousandths), through friends, as far as nothing bars it."""
        start, facing = self.start.at, self.unit.facing
        far, way = distance(start, end), self.along(start, end, facing)
        bodies = [self.start]
        for walked, _ in strides(far):
            body = self.body(between(start, end, walked, far), facing)
            why = "obstacle" if way.leaps(bodies[-1].at, body.at, over) else way.bars(bodies[-1], body)
            if why:
                return Way(tuple(bodies), why)
            bodies.append(body)
        return Way(tuple(bodies), "")

    @rule("GC-MOV-04", "GC-MOV-05", "GC-GEO-01")
    def turned(self, body: Body, facing: int) -> Body | None:
        """*body* turned in place to *facing* (degrees); None: no room, or its wings would swing through an enemy."""
        after = footprint(self.unit.type, self.unit.formation, tenths(body.at), facing)
        by = turn(body.facing, after.facing)
        before = body
        for swing in (*range(_SWING, abs(by), _SWING), abs(by)):
            swung = faced(body, body.facing + (swing if by > 0 else -swing))
            if self.meets(before, swung):
                return None
            before = swung
        return after if self.free(after) else None


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


def crossed(shape: Shape, start: Point, end: Point) -> int:
    """How often a step comes onto or over a line: where it begins on one, it has been crossed before."""
    return sum(share > 0 for share in cuts(shape, start, end))


@rule("GC-MOV-05", "GC-MOR-06", "GC-MOR-07")
def _nearer(body: Shape, before: Shape, other: Shape) -> bool:
    """Whether a step comes nearer to somebody; of one on whose ground it lies, whether it does not leave it."""
    now, was = gap(body, other), gap(before, other)
    if now.number or was.number:
        return now.number * was.by < was.number * now.by
    over, lay = shared(body, other), shared(before, other)
    return over > lay or over == lay > 0
