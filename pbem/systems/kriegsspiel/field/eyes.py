"""Lines of sight over the map: heights, woods and houses (KS-SIT-03), worked out fast and kept."""

from __future__ import annotations

from itertools import pairwise

from pbem.ground.plane import Point, Shape, between, distance, dot, holds, inside, near
from pbem.ground.sight import Blocks, Line, Screen
from pbem.ground.way import keeps_to
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.chart import ZED, Area
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables.knowledge import EDGE, SEEN_THROUGH, STREET_SIGHT, TOPS

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
        rows = [(*row, row[-1]) for row in terrain.chart.heights.rows]
        self._rows = (*rows, rows[-1])
        """Heights, and beyond the last of them the same again."""
        self._highest = [
            [max(*low, *high) for low, high in zip(pairwise(one), pairwise(other), strict=True)]
            for one, other in pairwise(self._rows)
        ]
        """The highest post of each cell: no ground in it is higher."""
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
        line = Line(self.terrain.chart.heights, (eye, up), (target, top), EVERY)
        # Most lines end here: who is hidden by one area is not asked how he stands to the others.
        if any(line.behind(screen) is not None and not self._passes(area, eye, target) for area, screen in met):
            return False
        return line.buried is None or all(self._passes(area, eye, target) for area, _ in met)

    @rule("KS-SIT-03")
    def _passes(self, area: Area, eye: Point, target: Point) -> bool:
        """Whether a line leaves an area at its edge, or goes by a street, and is not hidden by it."""
        return self._out_of(area, eye, target) or self._street(area, eye, target)

    def _over_ground(self, eye: Point, up: int, target: Point, top: int) -> bool:
        """Whether the ground alone lets the line pass: samples at most 50 paces apart."""
        heights, rows, highest = self.terrain.chart.heights, self._rows, self._highest
        spacing = heights.spacing
        count = max(1, -(-distance(eye, target) // EVERY))
        first = heights.at(eye) + up
        rise, first = heights.at(target) + top - first, first * count
        (x, y), dx, dy, square = eye, target.x - eye.x, target.y - eye.y, spacing * spacing
        east, north = (2 * x + 1) * count, (2 * y + 1) * count
        wide, high = (len(rows[0]) - 2) * spacing, (len(rows) - 2) * spacing
        beyond = min(x, y, *target) < 0 or max(x, target.x) > wide or max(y, target.y) > high
        # This is asked more often than anything else: the heights are those of `Heights.at`, without points.
        for k in range(1, count):
            across, along = (east + 2 * dx * k) // (2 * count), (north + 2 * dy * k) // (2 * count)
            if beyond:
                across, along = min(max(across, 0), wide), min(max(along, 0), high)
            i, j, line = across // spacing, along // spacing, first + rise * k
            if highest[j][i] * count <= line:
                continue
            one, other, part = rows[j], rows[j + 1], across - i * spacing
            low, over = one[i] * spacing, other[i] * spacing
            low, over = low + (one[i + 1] - one[i]) * part, over + (other[i + 1] - other[i]) * part
            ground = low * spacing + (over - low) * (along - j * spacing)
            if (2 * ground + square) // (2 * square) * count > line:
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
