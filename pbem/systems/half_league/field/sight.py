"""Lines of sight, past units, woods, houses, walls, and over crests (HL-LOS)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from pbem.ground.body import aims
from pbem.ground.plane import Point, Shape, cuts, inside, near, nearest, overlap, pierced, within
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Ends, Field, Sight
from pbem.systems.half_league.scene.terrain import Area, Line
from pbem.systems.half_league.tables.printed import BLOCKS_NEAR_TARGET, TENTH, WOODS_SIGHT
from pbem.systems.half_league.world.pieces import Unit


class Looking:
    """From one place to one unit; *viewer* is whose place it is, None: a leader's."""

    def __init__(self, field: Field, at: Point, viewer: Unit | None, target: Unit) -> None:
        self.field, self.at, self.viewer, self.target = field, at, viewer, target
        self.height = max(field.height(viewer.front if viewer else at), field.height(target.front))
        self.shape = field.shape(target)
        self.found = field.sight(ends_of(field, at, viewer, target))

    @cached_property
    def units(self) -> list[tuple[Unit, Shape]]:
        """Who may stand in the line: the others whose boxes touch that of the line and the target."""
        (x, y), (west, south, east, north) = self.at, self.shape.box
        west, south, east, north = min(x, west), min(y, south), max(x, east), max(y, north)
        ends = (self.target.id, self.viewer.id if self.viewer else "")
        return [
            (one, shape)
            for one, shape, (left, low, right, high) in self.field.boxes
            if left <= east and west <= right and low <= north and south <= high and one.id not in ends
        ]

    @rule("HL-LOS-01")
    def clear(self, aim: Point) -> bool:
        """Whether nothing stands in the line to *aim*, a point of the target."""
        far = self.field.battle.options.sight_limit * TENTH
        if not within(self.at, aim, far):
            return False
        # The ground does not change while those at both ends stand where they stand.
        known = self.found.cleared.get(aim)
        if _still_hidden(self.field, self.found, aim, self.viewer, self.target) or self._hidden(aim):
            return False
        if known is None:
            known = self.found.cleared[aim] = self._over_ground(aim)
        return known

    def _over_ground(self, aim: Point) -> bool:
        return (
            not self._behind_crest(aim)
            and not any(self._area(aim, one) for one in self.field.scene.screens)
            and not any(self._wall(aim, one) for one in self.field.scene.walls)
        )

    def _hidden(self, aim: Point) -> bool:
        """Whether one of the units stands in the line; he who does is asked first of the next, and next time."""
        for place, (one, shape) in enumerate(self.units):
            if self._unit(aim, one, shape):
                self.units.insert(0, self.units.pop(place))
                self.found.hidden[aim] = one.id, self.field.body(one)
                return True
        return False

    @rule("HL-LOS-03")
    def _behind_crest(self, aim: Point) -> bool:
        field, viewer = self.field, self.viewer
        on = (*field.crests(viewer.front if viewer else self.at), *field.crests(self.target.front))
        return any(hill not in on and cuts(hill.crest, self.at, aim) for hill in field.scene.hills)

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
    def _unit(self, aim: Point, unit: Unit, shape: Shape) -> bool:
        share = pierced(shape, self.at, aim)
        if share is None:
            return False
        return not self.height or not self._over(aim, share[1], self.field.height(unit.front))


def points_of(shape: Shape, at: Point) -> Sequence[Point]:
    """Where one aims at a footprint from a place: its nearest point, its corners and the middles of its edges."""
    return (nearest(shape, at), *aims(shape))


def ends_of(field: Field, at: Point, viewer: Unit | None, target: Unit) -> Ends:
    """What a line of sight rests on at its ends: as long as it is the same there, what is between decides."""
    return at, field.body(viewer) if viewer else None, field.body(target)


def _still_hidden(field: Field, found: Sight, aim: Point, viewer: Unit | None, target: Unit) -> bool:
    """Whether the ground hides a target, or he does who hid it before and stands where he stood."""
    if found.cleared.get(aim) is False:
        return True
    name, stood = found.hidden.get(aim, ("", None))
    unit = field.battle.units.get(name)
    if unit is None or not unit.there or unit.last_seen or unit is target or unit is viewer:
        return False
    return field.body(unit) == stood


@rule("HL-LOS-01")
def in_sight(field: Field, at: Point, viewer: Unit | None, target: Unit) -> bool:
    """Whether a unit, or a leader, sees another from *at*: the nearest point of it."""
    found = field.sight(ends_of(field, at, viewer, target))
    aim = found.aim
    if aim is None:
        aim = found.aim = nearest(field.shape(target), at)
    if not within(at, aim, field.battle.options.sight_limit * TENTH):
        return False
    # What hides it still is found without looking.
    return not _still_hidden(field, found, aim, viewer, target) and Looking(field, at, viewer, target).clear(aim)


@rule("HL-LOS-01", "HL-OPT-01")
def sees(field: Field, side: Role, target: Unit) -> bool:
    """Whether any unit or leader of a side sees a unit of the other."""
    eyes = field.eyes(side)
    # Whoever saw it last sees it still, as a rule; who that is does not change the answer.
    last = field.seen_by.get((side, target.id), "")
    if last in eyes and in_sight(field, *eyes[last], target):
        return True
    for name, (at, viewer) in eyes.items():
        if name != last and in_sight(field, at, viewer, target):
            field.seen_by[side, target.id] = name
            return True
    return False
