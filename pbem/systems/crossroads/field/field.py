"""The field as it lies: footprints, distances, arcs, ground and cover (GC-GEO-01).

Built over a battle, in truth or as one side knows it.  Shapes and distances are thousandths of an inch; what is
compared may be off by `TOLERANCE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.ground import plane
from pbem.ground.bearing import DEGREE, off, rounded
from pbem.ground.body import Aspect, Body, aspect, on_board
from pbem.ground.plane import Point, Shape
from pbem.kernel.names import Role
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.crossroads.scene.scene import GRAIN, Area, Cover, Line, Scene, grains
from pbem.systems.crossroads.tables.move import COVER, FRONT_ARC, LINE_COVER_WITHIN, REAR_ARC
from pbem.systems.crossroads.tables.units import ATTACHED_WITHIN, FOOTPRINTS
from pbem.systems.crossroads.world.orders import Formation
from pbem.systems.crossroads.world.state import Battle, Officer, Type, Unit

TOLERANCE = 10
"""A hundredth of an inch (GC-GEO-01)."""
INCH = 10 * GRAIN
COVERS: tuple[Cover, ...] = ("none", "soft", "hard")
"""The better the later."""


_SIZES = {
    (sort, formation): (int(size.width * INCH), int(size.depth * INCH))
    for sort, formations in FOOTPRINTS.items()
    for formation, size in formations.items()
}


def degrees(way: int) -> int:
    """A bearing in whole degrees."""
    return rounded(way, DEGREE) % 360


@lru_cache(maxsize=8192)
@rule("GC-GEO-01")
def footprint(sort: Type, formation: Formation, at: Point, facing: int) -> Body:
    """The ground that a formation covers; *at* in tenths of an inch, *facing* in degrees."""
    wide, deep = _SIZES[sort, formation]
    return Body(grains(at), facing % 360 * DEGREE, wide, deep)


def body_of(unit: Unit) -> Body:
    """The footprint of a unit on the table."""
    assert unit.pos is not None, f"{unit.id} is not on the table"
    return footprint(unit.type, unit.formation, unit.pos, unit.facing)


@lru_cache(maxsize=8192)
@rule("GC-GEO-01")
def _gap(one: Body, other: Body) -> int:
    """The shortest distance between two footprints: most stand still while one acts, and are asked about again."""
    return plane.gap(one.shape, other.shape).far


class _Standing(NamedTuple):
    """Who is on the table, in the order of their names; the ground that each covers; and who is on which side."""

    units: Sequence[Unit]
    footprints: Sequence[tuple[Unit, Shape]]
    by_side: Mapping[Role, Sequence[Unit]]


@lately(8)
def _standing(units: Mapping[str, Unit]) -> _Standing:
    """Of some units; of most facts nothing comes to them, and the next state has the same."""
    standing = [one for _, one in sorted(units.items()) if one.stands]
    by_side: dict[Role, list[Unit]] = {}
    for one in standing:
        by_side.setdefault(one.side, []).append(one)
    return _Standing(standing, [(one, body_of(one).shape) for one in standing], by_side)


class Field:
    """A battle with its ground."""

    def __init__(self, scene: Scene, battle: Battle) -> None:
        self.scene, self.battle, self._standing = scene, battle, _standing(battle.units)

    # -------------------------------------------------------------- pieces

    def unit(self, name: str) -> Unit:
        """A unit by the name that this battle has for it."""
        return self.battle.units[name]

    @property
    def standing(self) -> Sequence[Unit]:
        """All units on the table, in the order of their names."""
        return self._standing.units

    @property
    def footprints(self) -> Sequence[tuple[Unit, Shape]]:
        """Those units, and the ground that each covers."""
        return self._standing.footprints

    def own(self, side: Role) -> Sequence[Unit]:
        """The units of a side on the table."""
        return self._standing.by_side.get(side, ())

    def officers(self, side: Role) -> list[Officer]:
        """The officers of a side on the table."""
        return [one for _, one in sorted(self.battle.officers.items()) if one.side == side and one.stands]

    # -------------------------------------------------------------- shapes

    body = staticmethod(body_of)

    def shape(self, unit: Unit) -> Shape:
        """Its outline."""
        return body_of(unit).shape

    def gap(self, one: Unit, other: Unit) -> int:
        """The shortest distance between two footprints."""
        return _gap(self.body(one), self.body(other))

    def gap_of(self, body: Body, other: Unit) -> int:
        """The shortest distance from a footprint to a unit's."""
        return _gap(body, self.body(other))

    def inches(self, one: Unit, other: Unit) -> int:
        """That distance in tenths of an inch, to the nearest."""
        return (2 * self.gap(one, other) + GRAIN) // (2 * GRAIN)

    @rule("GC-GEO-01", "GC-FIR-02", "GC-ACT-04")
    def within(self, one: Unit, other: Unit, tenths: int) -> bool:
        """Whether two footprints are at most so far apart, to the nearest tenth, as it is told."""
        # Below half a tenth more it is told as so much, beyond it as more.
        mine, theirs, most = self.shape(one), self.shape(other), tenths * GRAIN + GRAIN // 2
        if plane.near(mine, theirs, most - 1):
            return True
        return plane.near(mine, theirs, most) and self.inches(one, other) <= tenths

    @rule("GC-GEO-01", "GC-ACT-02", "GC-ACT-03")
    def reaches(self, at: Point, unit: Unit, tenths: int) -> bool:
        """Whether a place (in tenths) lies within so much of a footprint."""
        return plane.reaches(grains(at), self.shape(unit), tenths * GRAIN + TOLERANCE)

    def off(self, at: Point, unit: Unit) -> int:
        """How far a place (in tenths) is from a footprint, in thousandths."""
        return plane.distance(grains(at), plane.nearest(self.shape(unit), grains(at)))

    def nearest_point(self, viewer: Unit, target: Unit) -> Point:
        """The point of the target's footprint nearest to the front centre of *viewer*."""
        return plane.nearest(self.shape(target), self.body(viewer).at)

    @rule("GC-GEO-01", "GC-MOV-06")
    def room(self, body: Body, *, ignoring: str = "", among: Sequence[tuple[Unit, Shape]] | None = None) -> bool:
        """Whether a footprint would lie on the table and on no unit's; *among*: of these, if no other is near."""
        taken = self.footprints if among is None else among
        return on_board(body, self.scene.board) and not any(
            one.id != ignoring and lies_on(body.shape, shape) for one, shape in taken
        )

    # -------------------------------------------------------------- bearings

    @rule("GC-MOV-07")
    def in_front(self, viewer: Unit, point: Point) -> bool:
        """Whether a point (in thousandths) lies in the front arc."""
        at = self.body(viewer).at
        return at == point or off(viewer.facing * DEGREE, plane.bearing(at, point)) <= FRONT_ARC * DEGREE

    @rule("GC-MOR-03")
    def aspect(self, target: Unit, enemy: Unit) -> Aspect:
        """Which side of *target* is turned to *enemy*: front, flank or rear."""
        return aspect(self.body(target), self.body(enemy).at, front=FRONT_ARC * DEGREE, rear=REAR_ARC * DEGREE)

    # -------------------------------------------------------------- ground

    def level_at(self, point: Point) -> int:
        """How many contours a point lies within."""
        found: int | None = self.scene.memo.get(("level", point))
        if found is None:
            found = sum(plane.holds(contour, point) for hill in self.scene.hills for contour in hill.contours)
            self.scene.memo["level", point] = found
        return found

    def level(self, unit: Unit) -> int:
        """The height of a unit, under the middle of its front."""
        return self.level_at(self.body(unit).at)

    def areas(self, unit: Unit) -> tuple[Area, ...]:
        """The areas that a unit is in: with more than half of its footprint."""
        body = self.body(unit)
        key = ("areas", body)
        found: tuple[Area, ...] | None = self.scene.memo.get(key)
        if found is None:
            half = plane.area(body.shape)
            found = tuple(one for one in self.scene.areas if 2 * plane.shared(body.shape, one.shape) > half)
            self.scene.memo[key] = found
        return found

    def lines_of(self, *kinds: str) -> Iterator[Line]:
        """The lines of some kinds."""
        return (one for one in self.scene.lines if one.kind in kinds)

    @rule("GC-FIR-02")
    def cover(self, unit: Unit, start: Point, aim: Point) -> Cover:
        """The best cover of a unit against what comes from *start* at the point *aim* (in thousandths)."""
        found = [area.cover for area in self.areas(unit)]
        shape = self.shape(unit)
        for one in self.scene.lines:
            gives = COVER[one.kind]
            if (
                gives != "none"
                and plane.near(one.shape, shape, LINE_COVER_WITHIN * INCH + TOLERANCE)
                and plane.crosses(one.shape, start, aim)
            ):
                found.append("hard" if gives == "hard" else "soft")
        return max(found, key=COVERS.index, default="none")

    def cover_from(self, unit: Unit, enemy: Unit) -> Cover:
        """The cover of a unit against an enemy; in contact, against the way by which he has come."""
        body = self.body(enemy)
        close = plane.near(body.shape, self.shape(unit), LINE_COVER_WITHIN * INCH + TOLERANCE)
        return self.cover(unit, body.rear if close else body.at, self.nearest_point(enemy, unit))

    @rule("GC-FIR-02", "GC-MEL-02")
    def in_woods(self, unit: Unit) -> bool:
        """Whether a unit is in woods."""
        return any(one.kind == "woods" for one in self.areas(unit))

    # -------------------------------------------------------------- officers

    @rule("GC-ACT-02")
    def helped_by(self, unit: Unit) -> Officer | None:
        """The officer of its own nation in whose reach a unit stands."""
        return next(
            (
                one
                for one in self.officers(unit.side)
                if one.nation == unit.nation and one.pos is not None and self.reaches(one.pos, unit, one.zoc * 10)
            ),
            None,
        )

    @rule("GC-ACT-02")
    def unit_of(self, officer: Officer) -> Unit | None:
        """The unit that an officer is with: that to which he has ridden, else the nearest within an inch of him."""
        if officer.attached:
            return self.battle.units.get(officer.attached)
        if officer.pos is None:
            return None
        close = [(self.off(officer.pos, one), one.id) for one in self.own(officer.side) if self.beside(officer, one)]
        return self.unit(min(close)[1]) if close else None

    @rule("GC-ACT-02")
    def riders(self, unit: Unit) -> list[Officer]:
        """The officers who are with a unit."""
        found = ((one, self.unit_of(one)) for one in self.officers(unit.side))
        return [one for one, with_ in found if with_ is not None and with_.id == unit.id]

    def attached(self, unit: Unit) -> Officer | None:
        """The first of them: he is at risk with it."""
        return next(iter(self.riders(unit)), None)

    @rule("GC-ACT-02")
    def beside(self, officer: Officer, unit: Unit) -> bool:
        """Whether an officer is near enough to a unit to be attached to it."""
        return officer.pos is not None and self.reaches(officer.pos, unit, ATTACHED_WITHIN * 10)


@rule("GC-GEO-01", "GC-MOV-02", "GC-MOV-06")
def lies_on(body: Shape, other: Shape) -> bool:
    """Whether a footprint would lie on another."""
    return not plane.apart(body.box, other.box) and _deep(body, other) and _deep(other, body)


@rule("GC-GEO-01", "GC-MOV-02", "GC-MOV-06")
def _deep(one: Shape, other: Shape) -> bool:
    """Whether, across each side of *one*, a footprint, the other lies more than `TOLERANCE` within its bounds."""
    for (ax, ay), (bx, by) in one.sides[:2]:
        east, north = bx - ax, by - ay
        mine = [x * north - y * east for x, y in one.points]
        theirs = [x * north - y * east for x, y in other.points]
        within = min(max(mine), max(theirs)) - max(min(mine), min(theirs))
        if within <= 0 or within * within <= TOLERANCE * TOLERANCE * (east * east + north * north):
            return False
    return True


field_of = lately(8)(Field)
"""The field of a state.  One state is asked for by whoever reads, tells, draws and judges, one after the other."""
