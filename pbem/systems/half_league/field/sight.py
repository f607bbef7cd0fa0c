"""Lines of sight, past units, woods, houses, walls, and over crests (HL-LOS)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from pbem.ground.body import aims
from pbem.ground.plane import Point, Shape, apart, cuts, distance, inside, near, nearest, overlap, pierced, within
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.scene.terrain import Area, Line
from pbem.systems.half_league.tables.printed import BLOCKS_NEAR_TARGET, TENTH, WOODS_SIGHT
from pbem.systems.half_league.world.pieces import Unit


class Looking:
    """From one place to one unit; *viewer* is whose place it is, None: a leader's."""

    def __init__(self, field: Field, at: Point, viewer: Unit | None, target: Unit) -> None:
        self.field, self.at, self.viewer, self.target = field, at, viewer, target
        self.height = max(field.height(viewer.front if viewer else at), field.height(target.front))
        hills = [*field.crests(viewer.front if viewer else at), *field.crests(target.front)]
        self.on = {hill.name for hill in hills}
        self.shape = field.shape(target)
        self.ends = (at, field.body(viewer) if viewer else None, field.body(target))

    @cached_property
    def units(self) -> list[Unit]:
        """Who may stand in the line: the others whose boxes touch that of the line and the target."""
        at, (west, south, east, north) = self.at, self.shape.box
        box = min(at.x, west), min(at.y, south), max(at.x, east), max(at.y, north)
        ends = {self.target.id, self.viewer.id if self.viewer else ""}
        return [one for one, covered in self.field.boxes if not apart(box, covered) and one.id not in ends]

    @rule("HL-LOS-01")
    def clear(self, aim: Point) -> bool:
        """Whether nothing stands in the line to *aim*, a point of the target."""
        far = self.field.battle.options.sight_limit * TENTH
        if not within(self.at, aim, far):
            return False
        # The ground does not change while those at both ends stand where they stand.
        known = self.field.cleared.get((self.ends, aim))
        if known is False or any(self._unit(aim, one) for one in self.units):
            return False
        if known is None:
            known = self.field.cleared[self.ends, aim] = self._over_ground(aim)
        return known

    def _over_ground(self, aim: Point) -> bool:
        return (
            not self._behind_crest(aim)
            and not any(self._area(aim, one) for one in self.field.scene.areas)
            and not any(self._wall(aim, one) for one in self.field.scene.obstacles if one.kind == "wall")
        )

    @rule("HL-LOS-03")
    def _behind_crest(self, aim: Point) -> bool:
        return any(hill.name not in self.on and cuts(hill.crest, self.at, aim) for hill in self.field.scene.hills)

    @rule("HL-LOS-03")
    def _over(self, aim: Point, last: Fraction, height: int) -> bool:
        """Whether one sees over something of a height: from or to a higher crest, if it is not near the target.

        *last*: at which share of the line it ends.
        """
        if height >= self.height:
            return False
        long = (aim.x - self.at.x) ** 2 + (aim.y - self.at.y) ** 2
        return long * (1 - last) ** 2 > BLOCKS_NEAR_TARGET**2

    @rule("HL-LOS-01", "HL-LOS-02")
    def _area(self, aim: Point, ground: Area) -> bool:
        if ground.kind not in ("woods", "town"):
            return False
        shares = inside(ground.shape, self.at, aim)
        if not shares:
            return False
        field = self.field
        if field.battle.options.bourliouk_burning and ground.name == field.scene.burning:
            return True
        within_it = [
            unit
            for unit in (self.viewer, self.target)
            if unit is not None and (field.inside(unit, ground) or overlap(field.shape(unit), ground.shape))
        ]
        if not within_it:
            return not self._over(aim, shares[-1][1], 0)
        if len(within_it) == 2 and self.viewer is not None:
            return not field.within(self.viewer, self.target, WOODS_SIGHT)
        # In at the edge, and not through the depth of it to the far side.
        deep = sum((last - first for first, last in shares), Fraction(0))
        long = (aim.x - self.at.x) ** 2 + (aim.y - self.at.y) ** 2
        return not field.at_edge(within_it[0], ground) or long * deep**2 > WOODS_SIGHT**2

    @rule("HL-LOS-01")
    def _wall(self, aim: Point, wall: Line) -> bool:
        shares = cuts(wall.shape, self.at, aim)
        if not shares:
            return False
        adjacent = self.field.battle.options.wall_adjacent * TENTH
        shapes = [self.shape] + ([self.field.shape(self.viewer)] if self.viewer else [])
        return not any(near(wall.shape, shape, adjacent) for shape in shapes) and self.height == 0

    @rule("HL-LOS-01", "HL-LOS-03")
    def _unit(self, aim: Point, unit: Unit) -> bool:
        share = pierced(self.field.shape(unit), self.at, aim)
        return share is not None and not self._over(aim, share[1], self.field.height(unit.front))


def points_of(shape: Shape, at: Point) -> Sequence[Point]:
    """Where one aims at a footprint from a place: its nearest point, its corners and the middles of its edges."""
    return (nearest(shape, at), *aims(shape))


@rule("HL-LOS-01")
def in_sight(field: Field, at: Point, viewer: Unit | None, target: Unit) -> bool:
    """Whether a unit, or a leader, sees another from *at*: the nearest point of it."""
    aim = nearest(field.shape(target), at)
    if not within(at, aim, field.battle.options.sight_limit * TENTH):
        return False
    return Looking(field, at, viewer, target).clear(aim)


@rule("HL-LOS-01", "HL-OPT-01")
def sees(field: Field, side: Role, target: Unit) -> bool:
    """Whether any unit or leader of a side sees a unit of the other."""
    eyes: list[tuple[int, str, Point, Unit | None]] = [
        (distance(unit.front, target.front), unit.id, unit.front, unit) for unit in field.battle.of(side)
    ]
    eyes += [
        (distance(leader.front, target.front), leader.id, leader.front, None)
        for leader in field.battle.leaders.values()
        if leader.side == side and not leader.fallen and not leader.attached_to
    ]
    return any(in_sight(field, at, viewer, target) for _, _, at, viewer in sorted(eyes, key=lambda eye: eye[:2]))
