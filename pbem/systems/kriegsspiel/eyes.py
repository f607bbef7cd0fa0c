"""Lines of sight over the map: heights, woods and houses (KS-SIT-03), worked out fast and kept."""

from __future__ import annotations

from pbem.ground.plane import Point, Shape, between, distance, dot, holds, inside, near
from pbem.ground.sight import Blocks, Screen, sees
from pbem.ground.way import keeps_to
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.chart import ZED, Area
from pbem.systems.kriegsspiel.tables_knowledge import EDGE, SEEN_THROUGH, STREET_SIGHT, TOPS
from pbem.systems.kriegsspiel.terrain import Terrain

EVERY = 50
"""Paces between the samples of the ground."""

_MOST = 400_000


def _top(area: Area) -> int:
    return TOPS["building" if area.built else area.kind] * ZED


def _through(area: Area) -> int:
    return SEEN_THROUGH["building" if area.built else area.kind]


class Sights:
    """Sights over one map; the same question has the same answer, so that what was asked once is kept."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self._known: dict[tuple[Point, int, Point, int], bool] = {}
        self._screens = [(area, Screen(area.shape, _top(area), _through(area))) for area, _ in terrain.screens]
        self._roads_by: dict[str, tuple[Shape, ...]] = {}
        self._blocks = Blocks([shape for _, shape in terrain.screens])

    def clear(self, eye: Point, up: int, target: Point, top: int) -> bool:
        """Whether nothing hides *target* from *eye*; *up* and *top* in paces above the ground."""
        key = (eye, up, target, top)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > _MOST:
                self._known.clear()
            found = self._known[key] = self._clear(eye, up * ZED, target, top * ZED)
        return found

    @rule("KS-SIT-03")
    def _clear(self, eye: Point, up: int, target: Point, top: int) -> bool:
        if eye == target:
            return True
        if not self._over_ground(eye, up, target, top):
            return False
        met = [self._screens[number] for number in self._blocks.met(eye, target)]
        if not met:
            return True
        screens = [
            screen for area, screen in met if not (self._out_of(area, eye, target) or self._street(area, eye, target))
        ]
        return not screens or sees(self.terrain.chart.heights, (eye, up), (target, top), screens, EVERY)

    def _over_ground(self, eye: Point, up: int, target: Point, top: int) -> bool:
        """Whether the ground alone lets the line pass: samples at most 50 paces apart."""
        heights = self.terrain.chart.heights
        count = max(1, -(-distance(eye, target) // EVERY))
        rise = heights.at(target) + top - heights.at(eye) - up
        line = (heights.at(eye) + up) * count
        (x, y), dx, dy = eye, target.x - eye.x, target.y - eye.y
        # Heights as `Heights.at` has them, without points: this is asked more often than anything else.
        spacing, rows = heights.spacing, heights.rows
        columns, lines = len(rows[0]) - 1, len(rows) - 1
        wide, high, square = columns * spacing, lines * spacing, spacing * spacing
        for k in range(1, count):
            i, u = divmod(min(max(x + (2 * dx * k + count) // (2 * count), 0), wide), spacing)
            j, v = divmod(min(max(y + (2 * dy * k + count) // (2 * count), 0), high), spacing)
            one, other = rows[j], rows[j + 1 if j < lines else j]
            n = i + 1 if i < columns else i
            south, north = one[i] * (spacing - u) + one[n] * u, other[i] * (spacing - u) + other[n] * u
            if (2 * (south * (spacing - v) + north * v) + square) // (2 * square) * count > line + rise * k:
                return False
        return True

    @rule("KS-SIT-03")
    def _out_of(self, area: Area, eye: Point, target: Point) -> bool:
        """Whether one end stands in the outer 50 paces of the area and the line leaves it there."""
        for here, there in ((eye, target), (target, eye)):
            if holds(area.shape, here) and not holds(area.shape, there) and near(dot(here), area.shape.edge, EDGE):
                spans = inside(area.shape, here, there)
                far = distance(here, there)
                if len(spans) == 1 and spans[0][1] * far <= EDGE * 3 // 2:
                    return True
        return False

    @rule("KS-SIT-03")
    def _street(self, area: Area, eye: Point, target: Point) -> bool:
        """Whether the line stays within 15 paces of a road's middle where it passes the houses."""
        if not area.built:
            return False
        for start, end in inside(area.shape, eye, target):
            a = between(eye, target, start.numerator, start.denominator)
            b = between(eye, target, end.numerator, end.denominator)
            if not any(keeps_to((a, b), road, STREET_SIGHT, EVERY // 2) for road in self._streets(area)):
                return False
        return True

    def _streets(self, area: Area) -> tuple[Shape, ...]:
        """The roads that come so near to an area that a line within it may keep to them."""
        found = self._roads_by.get(area.id)
        if found is None:
            # What lies in the area to the nearest pace may lie a pace outside.
            found = self._roads_by[area.id] = tuple(
                road.shape for road in self.terrain.roads if near(area.shape, road.shape, STREET_SIGHT + 2)
            )
        return found


def sights_of(terrain: Terrain) -> Sights:
    """The sights of a map."""
    return terrain.keep("sights", Sights, lambda: Sights(terrain))
