"""The field of battle: scene and battle together, and what can be measured on it.

Everything here is asked of a `Field`, never of the truth: what a player is told in a receipt comes from the field as he
knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Literal

from pbem.ground import plane
from pbem.ground.bearing import DEGREE, FULL, cosine, off, sine, turned
from pbem.ground.body import Body, in_arc
from pbem.ground.body import stands as files
from pbem.ground.plane import Box, Point, Shape
from pbem.kernel.names import Role
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.terrain import Area, Hill, Line
from pbem.systems.half_league.tables import printed
from pbem.systems.half_league.tables.charts import footprint, pieces, pitch
from pbem.systems.half_league.tables.combat import ARC, REAR
from pbem.systems.half_league.world.pieces import Formation, Leader, Unit
from pbem.systems.half_league.world.state import Battle


@lru_cache(maxsize=20000)
def _body(front: Point, way: int, width: int, depth: int) -> Body:
    return Body(front, way, width, depth)


Ends = tuple[Point, Body | None, Body]
"""Of a line of sight: from which place, the ground of the unit that looks (None: a leader does), that of the target."""


class Sight:
    """What has been found of the lines of sight between two ends, which holds as long as the ends stand so."""

    def __init__(self) -> None:
        self.aim: Point | None = None
        """The point of the target that is nearest to who looks."""
        self.cleared: dict[Point, bool] = {}
        """To what points one has looked, and whether the ground lets him."""
        self.hidden: dict[Point, tuple[str, Body]] = {}
        """Who stood in the line to a point when it was last looked along, and where."""


class Field:
    """The field as it is, or as one side knows it; *before*: one of the same battle, whose footprints still hold."""

    def __init__(self, scene: Scene, battle: Battle, before: Field | None = None) -> None:
        self.scene, self.battle = scene, battle
        self.charts = scene.charts
        self._bodies: dict[str, tuple[Unit, Body]] = {} if before is None else before._bodies
        self._sights: dict[Ends, Sight] = {} if before is None else before._sights
        self.seen_by: dict[tuple[Role, str], str] = {} if before is None else before.seen_by
        """Who of a side saw a unit when it was last asked."""
        self.familiar: dict[tuple[Role, str], tuple[object, ...]] = {} if before is None else before.familiar
        """What a side saw of a unit when there was nothing new in it."""
        stood = before is not None and before.battle.units is battle.units and before.battle.leaders is battle.leaders
        # As long as nobody moves it is the same for every fact.
        self._eyes: dict[Role, dict[str, tuple[Point, Unit | None]]] = before._eyes if before and stood else {}
        self._covered: dict[Role, list[tuple[Box, Shape]]] = before._covered if before and stood else {}

    # ------------------------------------------------------------ pieces

    def unit(self, name: str) -> Unit:
        """A unit by its id."""
        return self.battle.units[name]

    @cached_property
    def there(self) -> list[Unit]:
        """All units on the field, by id; in a mind those in sight."""
        return [unit for _, unit in sorted(self.battle.units.items()) if unit.there and not unit.last_seen]

    @cached_property
    def boxes(self) -> list[tuple[Unit, Shape, Box]]:
        """Those units, their footprints, and what these lie in."""
        return [(unit, shape, shape.box) for unit in self.there for shape in (self.shape(unit),)]

    def covered(self, side: Role) -> list[tuple[Box, Shape]]:
        """What the units and the leaders of a side cover, each with what it lies in."""
        covered = self._covered.get(side)
        if covered is None:
            shapes = [self.shape(unit) for unit in self.battle.of(side)]
            riders = (one for one in self.battle.leaders.values() if one.side == side and not one.fallen)
            shapes += [plane.dot(leader.front) for leader in riders]
            covered = self._covered[side] = [(shape.box, shape) for shape in shapes]
        return covered

    def sight(self, ends: Ends) -> Sight:
        """What has been found of the lines of sight between two ends."""
        sight = self._sights.get(ends)
        if sight is None:
            sight = self._sights[ends] = Sight()
        return sight

    def eyes(self, side: Role) -> dict[str, tuple[Point, Unit | None]]:
        """From where the units of a side look, and its leaders that are with none, by their ids."""
        eyes = self._eyes.get(side)
        if eyes is None:
            eyes = self._eyes[side] = {unit.id: (unit.front, unit) for unit in self.battle.of(side)}
            for leader in self.battle.leaders.values():
                if leader.side == side and not leader.fallen and not leader.attached_to:
                    eyes[leader.id] = leader.front, None
        return eyes

    def enemies(self, side: Role) -> list[Unit]:
        """The units of the other side that are on the field; in a mind those in sight."""
        return [unit for unit in self.there if unit.side != side]

    def others(self, unit: Unit) -> list[Unit]:
        """All units on the field but one; in a mind those in sight."""
        return [one for one in self.there if one.id != unit.id]

    @rule("HL-GEO-01")
    def body(self, unit: Unit) -> Body:
        """The ground that a unit covers."""
        known = self._bodies.get(unit.id)
        if known is None or known[0] is not unit:
            known = self._bodies[unit.id] = (unit, self.formed(unit, unit.formation, unit.front, unit.bearing))
        return known[1]

    def formed(self, unit: Unit, formation: Formation, front: Point, way: int) -> Body:
        """The ground that a unit would cover in a formation, at a place."""
        key = (unit.type, formation, max(unit.stands, 1))
        size = self.scene.sizes.get(key)
        if size is None:
            size = self.scene.sizes[key] = footprint(self.charts, *key)
        return _body(front, way, *size)

    def shape(self, unit: Unit) -> Shape:
        """The footprint of a unit."""
        return self.body(unit).shape

    def limit(self, unit: Unit) -> int:
        """The chits at which a unit routs (HL-MOR-03)."""
        return unit.stands + printed.LEADER_STANDS[unit.type]

    @rule("HL-OPT-01")
    def held_back(self, unit: Unit) -> bool:
        """Whether a unit is of the reserve, and that has not been released."""
        reserve, battle = self.scene.reserve, self.battle
        if reserve is None or not battle.options.reserve_release or battle.released:
            return False
        return unit.side == reserve.side and unit.brigade in reserve.brigades

    # ------------------------------------------------------------ distances and arcs

    def gap(self, one: Unit, other: Unit) -> int:
        """The least distance between two footprints, to the nearest grain."""
        return plane.gap(self.shape(one), self.shape(other)).far

    def within(self, one: Unit, other: Unit, far: int) -> bool:
        """Whether two footprints are at most *far* apart, exactly."""
        return plane.near(self.shape(one), self.shape(other), far)

    def to_leader(self, unit: Unit, leader: Leader) -> int:
        """From the footprint of a unit to a leader."""
        return 0 if leader.attached_to == unit.id else plane.gap(self.shape(unit), plane.dot(leader.front)).far

    @rule("HL-GEO-03", "HL-CHG-06", "HL-MOR-03")
    def touching(self, one: Unit, other: Unit) -> bool:
        """Whether two units are in contact; places are rounded to tenths, which may part them by one more."""
        return plane.near(self.shape(one), self.shape(other), printed.CONTACT + printed.TENTH)

    @rule("HL-CMB-07", "HL-GEO-03")
    def touched_face(self, unit: Unit, enemy: Unit) -> int:
        """The bearing on which the face of a unit looks outward that an enemy touches: that which parts the two."""
        theirs = self.shape(enemy).points

        def beyond(face: tuple[Point, Point, int]) -> int:
            (x, y), _, outward = face
            return min((at.x - x) * sine(outward) + (at.y - y) * cosine(outward) for at in theirs)

        return max(plane.faces(self.shape(unit)), key=beyond)[2]

    @rule("HL-GEO-03", "HL-CHG-01")
    def ahead(self, one: Unit, other: Unit) -> bool:
        """Whether *other* is in the front arc of *one*; a square looks every way."""
        if one.in_square:
            return True
        return in_arc(one.front, one.bearing, plane.nearest(self.shape(other), one.front), ARC * DEGREE)

    def aspect(self, target: Unit, enemy: Unit) -> Literal["front", "flank", "rear"]:
        """What a unit turns to an enemy: its front, a flank or its rear; a square has neither of these."""
        if target.in_square:
            return "front"
        aside = off(target.bearing, plane.bearing(self.body(target).middle, enemy.front))
        if aside > REAR * DEGREE:
            return "rear"
        return "front" if self.ahead(target, enemy) else "flank"

    # ------------------------------------------------------------ stands

    @rule("HL-GEO-03", "HL-FIR-02")
    def firing_stands(self, unit: Unit) -> list[tuple[Point, int]]:
        """The stands (gunners) that may fire: the front centre of each, and where it looks."""
        count = self.charts.firing[unit.type][unit.formation].of(unit.stands)
        if not count:
            return []
        if unit.in_square:
            return self._faces(unit, count)
        body = self.body(unit)
        if unit.guns:
            models = files(body, pieces(unit.type, unit.stands), pitch(self.charts, unit.type, unit.formation))
            return [(models[gunner // printed.GUNNERS_PER_GUN], unit.bearing) for gunner in range(count)]
        row = files(body, count, pitch(self.charts, unit.type, unit.formation))
        # The ledger counts stands from the left wing of who looks along the front.
        return [(at, unit.bearing) for at in row]

    def _faces(self, unit: Unit, count: int) -> list[tuple[Point, int]]:
        body = self.body(unit)
        middle, step = body.middle, pitch(self.charts, unit.type, unit.formation)
        found = []
        for quarter in range(4):
            way = turned(unit.bearing, quarter * FULL // 4)
            face = _body(plane.shifted(middle, way, body.depth // 2), way, body.front, body.depth)
            found += [(at, way) for at in files(face, count, step)]
        return found

    # ------------------------------------------------------------ ground

    @rule("HL-LOS-03", "HL-CMB-02")
    def crests(self, at: Point) -> tuple[Hill, ...]:
        """The hills on whose crest a front centre is."""
        known = self.scene.summits.get(at)
        if known is None:
            found = tuple(hill for hill in self.scene.hills if plane.near(hill.crest, plane.dot(at), printed.ON_CREST))
            known = self.scene.summits[at] = found
        return known

    def height(self, at: Point) -> int:
        """0 on the ground, 1 on the crest of a low hill, 2 on that of a high one."""
        return max((2 if hill.high else 1 for hill in self.crests(at)), default=0)

    @rule("HL-FIR-03", "HL-LOS-02")
    def inside(self, unit: Unit, ground: Area) -> bool:
        """Whether a unit is in an area: its front centre, and more than half of its footprint."""
        shape = self.shape(unit)
        return plane.holds(ground.shape, unit.front) and plane.shared(shape, ground.shape) * 2 > plane.area(shape)

    @rule("HL-LOS-02")
    def at_edge(self, unit: Unit, ground: Area) -> bool:
        """Whether any part of a footprint is within an inch of the edge of an area."""
        return plane.near(self.shape(unit), plane.line((*ground.shape.points, ground.shape.points[0])), printed.EDGE)

    @rule("HL-CMB-02", "HL-FIR-03")
    def behind(self, unit: Unit, enemy: Unit, kinds: Iterable[str]) -> list[Line]:
        """The lines behind which a unit stands, seen from an enemy."""
        shape = self.shape(unit)
        wanted = set(kinds)
        return [
            one
            for one in self.scene.obstacles
            if one.kind in wanted
            and plane.near(one.shape, shape, printed.EDGE)
            and plane.crosses(one.shape, enemy.front, unit.front)
        ]

    @rule("HL-FIR-03")
    def in_cover(self, unit: Unit, enemy: Unit) -> bool:
        """Whether a unit is in cover from an enemy's fire: in ground that covers, or behind a wall or trench."""
        ground = any(one.cover != "none" and self.inside(unit, one) for one in self.scene.areas)
        return ground or bool(self.behind(unit, enemy, ("wall", "trench")))

    @rule("HL-OPT-01", "HL-MOV-03", "HL-MOR-03", "HL-CMB-09")
    def burns(self, ground: Area) -> bool:
        """Whether an area burns: nobody enters it (option `bourliouk_burning`)."""
        burning = self.scene.burning
        return bool(burning) and ground.name == burning and self.battle.options.bourliouk_burning

    def half(self, at: Point) -> Literal["west", "east"]:
        """The half of the field of a front centre (HL-TRN-01)."""
        return "west" if at.x < self.scene.midline else "east"

    # ------------------------------------------------------------ brigades and lines

    def brigadier(self, unit: Unit) -> Leader | None:
        """The brigadier of a unit, or his successor."""
        return next(
            (
                leader
                for _, leader in sorted(self.battle.leaders.items())
                if leader.kind == "brigadier" and leader.brigade == unit.brigade and leader.side == unit.side
            ),
            None,
        )

    def army_commander(self, side: Role) -> Leader | None:
        """The army commander of a side, while he lives."""
        return next(
            (
                leader
                for _, leader in sorted(self.battle.leaders.items())
                if leader.kind == "army" and leader.side == side and not leader.fallen
            ),
            None,
        )

    @rule("HL-CMD-11")
    def chained(self, unit: Unit) -> list[Unit]:
        """A unit, and all of its brigade in its formation that hang together with it by gaps of six inches at most."""
        brigade = [
            one
            for one in self.battle.of(unit.side)
            if one.brigade == unit.brigade and one.formation == unit.formation and one.id != unit.id
        ]
        found, edge = [unit], [unit]
        while edge:
            here = edge.pop()
            linked = [one for one in brigade if one not in found and self.within(here, one, printed.BRIGADE_CHAIN)]
            found += linked
            edge += linked
        return sorted(found, key=lambda one: one.id)

    @rule("HL-FRM-04")
    def in_double_line(self, rear: Unit, front: Unit) -> bool:
        """Whether *rear* and *front*, two lines of one side, are in double line."""
        if rear.side != front.side or rear.id == front.id:
            return False
        if rear.formation != "line" or front.formation != "line" or "square" in (rear.formation, front.formation):
            return False
        if rear.type != front.type or rear.guns:
            return False
        if off(rear.bearing, front.bearing) > printed.DOUBLE_LINE_DEGREES * DEGREE:
            return False
        ahead, body = self.body(front), self.body(rear)
        if not plane.near(ahead.shape, body.shape, printed.DOUBLE_LINE):
            return False
        # Its centre line, carried forward from its front centre, meets the rear edge of the line before it.
        _, _, right, left = ahead.shape.points
        beyond = plane.shifted(body.at, body.facing, printed.DOUBLE_LINE + ahead.depth + printed.INCH)
        return plane.crosses(plane.line((left, right)), body.at, beyond)

    @rule("HL-FRM-04")
    def double_line(self, unit: Unit) -> bool:
        """Whether a unit fights in double line: by its formation, or with another line before or behind it."""
        if unit.formation == "double_line":
            return True
        if unit.formation != "line":
            return False
        own = [one for one in self.battle.of(unit.side) if one.id != unit.id and one.in_order]
        return any(self.in_double_line(one, unit) or self.in_double_line(unit, one) for one in own)

    @rule("HL-FRM-04", "HL-CHG-08")
    def charging(self, unit: Unit) -> list[Unit]:
        """Of a unit that charges: itself, or the charging line behind which it is in double line; of others nobody."""
        if unit.charged:
            return [unit]
        return [one for one in self.battle.of(unit.side) if one.charged and self.in_double_line(unit, one)]

    def supports(self, unit: Unit) -> list[Unit]:
        """The lines behind a unit that are in double line with it (HL-CHG-06)."""
        own = [one for one in self.battle.of(unit.side) if one.id != unit.id and one.in_order]
        return [one for one in own if self.in_double_line(one, unit)]


def nearest_unit(field: Field, unit: Unit, others: Sequence[Unit]) -> Unit | None:
    """The one of *others* nearest to a unit; of equals the lowest id."""
    shape = field.shape(unit)

    def far(one: Unit) -> tuple[int, str]:
        return plane.gap(shape, field.shape(one)).far, one.id

    return min(others, key=far, default=None)


field_of = lately(8)(Field)
"""The field of a state.  One state is asked for by whoever reads, tells, draws and judges, one after the other."""
