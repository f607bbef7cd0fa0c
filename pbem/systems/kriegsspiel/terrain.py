"""The ground of a map as troops meet it: what lies where, how steep it is, what a way leads over and what it costs.

All here is of the printed map; crossings that are broken, and new ones, come as an argument.  What is worked out once
is kept: the same question on the same map has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

from pbem.ground.bearing import bearing_of, rounded
from pbem.ground.plane import Point, Shape, apart, between, cuts, distance, dot, holds, inside, near
from pbem.ground.way import marks
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.chart import ZED, Area, Barrier, Chart, Crossing, Road, Water
from pbem.systems.kriegsspiel.tables_knowledge import SLOPE_STEP
from pbem.systems.kriegsspiel.tables_march import (
    BEYOND_STEEPEST,
    FIELD_COLUMNS,
    GROUND,
    MARCH,
    ROAD_COLUMNS,
    RULER,
    STEEPEST_COLUMN,
    WOOD_EDGE,
)  # fmt: skip

TWELFTHS = 12
"""Ways are measured in twelfths of a pace: what a rate covers in a tick is whole (KS-TUR-06)."""

ON_ROAD = 3
"""Paces from a road's middle within which a way is on it."""

AREA_COLUMN: Mapping[str, str] = {
    "swamp": "swamp",
    "wood_light": "wood_light",
    "wood_thick": "wood_thick",
    "garden": "garden",
    "village": "garden",
    "town": "garden",
    "farm": "garden",
}
"""The column of the march table for each kind of area, off its roads; houses are passed as farmyards are."""


class Piece(NamedTuple):
    """A stretch of a way that is the same all along; *start* and *end* in twelfths of a pace from its beginning."""

    start: int
    end: int
    area: str
    """The kind of area; empty: open."""
    slope: int
    """Hundredths of a degree, above 0 uphill."""
    road: str
    """The width of the road that it is on: `main`, `small`, `town`; empty: none."""
    crossing: str
    """The id of the crossing that it is on; empty: none."""
    edge: bool = False
    """In the outer belt of a thick wood (KS-MOV-16)."""


class Met(NamedTuple):
    """Something that a way crosses, *far* twelfths of a pace from its beginning."""

    far: int
    kind: str
    """The kind of a line, or `wade`, `step`, `swim`, `none` for a water."""
    id: str


_Kept = TypeVar("_Kept")


class Terrain:
    """A map with what has been worked out of it."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self._kept: dict[str, object] = {}
        self._areas_at: dict[Point, Area | None] = {}
        self._pieces: dict[tuple[Point, ...], tuple[Piece, ...]] = {}
        self._met: dict[tuple[Point, ...], tuple[Met, ...]] = {}
        self._boxes = [(area, area.shape.box) for area in chart.areas]
        self.roads: tuple[Road, ...] = tuple(chart.roads[name] for name in sorted(chart.roads))

    def keep(self, name: str, kind: type[_Kept], make: Callable[[], _Kept]) -> _Kept:
        """What others have worked out of this map under *name*; made when it is first asked for."""
        found = self._kept.get(name)
        if not isinstance(found, kind):
            found = make()
            self._kept[name] = found
        return found

    # -------------------------------------------------------------- places

    @rule("KS-MAP-02")
    def area(self, at: Point) -> Area | None:
        """The area in which a place lies: built places first, a part before the whole; None: open ground."""
        if at not in self._areas_at:
            x, y = at
            self._areas_at[at] = next(
                (
                    area
                    for area, (west, south, east, north) in self._boxes
                    if west <= x <= east and south <= y <= north and holds(area.shape, at)
                ),
                None,
            )
        return self._areas_at[at]

    def height(self, at: Point) -> int:
        """The height of a place in hundredths of a pace."""
        return self.chart.heights.at(at)

    @rule("KS-MAP-04")
    def slope(self, start: Point, end: Point) -> int:
        """The slope from one place to another in hundredths of a degree; above 0 uphill."""
        rise = self.height(end) - self.height(start)
        steep = bearing_of(abs(rise), distance(start, end) * ZED) if rise and start != end else 0
        return steep if rise >= 0 else -steep

    def road_at(self, at: Point, far: int = ON_ROAD) -> Road | None:
        """The road on which a place lies, the widest first; None: it lies off the roads."""
        found = [road for road in self.roads if _in_box(road.shape, at, far) and lies_on(road.line, at, far)]
        return min(found, key=lambda road: (road.width != "main", road.id), default=None)

    def on_board(self, at: Point) -> bool:
        """Whether a place lies on the map."""
        return 0 <= at.x <= self.chart.width and 0 <= at.y <= self.chart.height

    def water_at(self, at: Point) -> Water | None:
        """The water in which a place lies."""
        for water in self.chart.waters.values():
            half = max(1, water.width // 2)
            if _in_box(water.shape, at, half) and lies_on(water.line, at, half):
                return water
        return None

    # -------------------------------------------------------------- ways

    def pieces(self, way: tuple[Point, ...]) -> tuple[Piece, ...]:
        """A way cut wherever ground, slope, road or crossing changes."""
        found = self._pieces.get(way)
        if found is None:
            found = self._pieces[way] = tuple(self._cut(way))
        return found

    def _cut(self, way: tuple[Point, ...]) -> Iterator[Piece]:
        for (a, b), begun in zip(pairwise(way), marks(way), strict=False):
            long = distance(a, b)
            if not long:
                continue
            road = self._road_of(a, b)
            bounds = {0, long, *range(SLOPE_STEP, long, SLOPE_STEP)}
            box = (min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
            for area, there in self._boxes:
                if not apart(box, there):
                    bounds |= {rounded(cut.numerator * long, cut.denominator) for cut in cuts(area.shape, a, b)}
            spans = []
            for crossing in self.chart.crossings.values():
                if lies_on((a, b), crossing.at, ON_ROAD + 2):
                    middle = distance(a, crossing.at)
                    spans.append(
                        (max(0, middle - crossing.length // 2), min(long, middle + crossing.length // 2), crossing.id)
                    )
            bounds |= {mark for start, end, _ in spans for mark in (start, end)}
            for start, end in pairwise(sorted(bounds)):
                first, last = between(a, b, start, long), between(a, b, end, long)
                middle_at = between(a, b, start + end, 2 * long)
                area_here = self.area(middle_at)
                over = next((name for low, high, name in spans if low <= start and end <= high), "")
                yield Piece(
                    (begun + start) * TWELFTHS,
                    (begun + end) * TWELFTHS,
                    area_here.kind if area_here else "",
                    0 if over else self.slope(first, last),
                    road.width if road else "",
                    over,
                    area_here is not None and area_here.kind == "wood_thick" and self.in_edge(area_here, middle_at),
                )

    def in_edge(self, area: Area, at: Point) -> bool:
        """Whether a place lies in the outer 50 paces of a wood."""
        return near(dot(at), closed_line(area.shape), WOOD_EDGE)

    def _road_of(self, a: Point, b: Point) -> Road | None:
        middle = between(a, b, 1, 2)
        for road in self.roads:
            if (
                lies_on(road.line, a, ON_ROAD)
                and lies_on(road.line, b, ON_ROAD)
                and lies_on(road.line, middle, ON_ROAD)
            ):
                return road
        return None

    def met(self, way: tuple[Point, ...]) -> tuple[Met, ...]:
        """The lines and waters that a way crosses off the roads and crossings, in order."""
        found = self._met.get(way)
        if found is None:
            found = self._met[way] = tuple(sorted(self._crosses(way)))
        return found

    @rule("KS-MAP-05", "KS-MAP-06", "KS-MAP-07")
    def _crosses(self, way: tuple[Point, ...]) -> Iterator[Met]:
        for (a, b), begun in zip(pairwise(way), marks(way), strict=False):
            long = distance(a, b)
            if not long:
                continue
            box = (min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
            on_road = self._road_of(a, b) is not None
            if not on_road:
                for barrier in self.chart.lines.values():
                    if not apart(box, barrier.shape.box):
                        for cut in cuts(barrier.shape, a, b):
                            if 0 < cut <= 1 or (cut == 0 and not begun):
                                yield Met(
                                    (begun + rounded(cut.numerator * long, cut.denominator)) * TWELFTHS,
                                    barrier.kind,
                                    barrier.id,
                                )
            for water in self.chart.waters.values():
                if apart(box, water.shape.box):
                    continue
                for cut in cuts(water.shape, a, b):
                    at = between(a, b, cut.numerator, cut.denominator)
                    if self.crossing_over(water, at) is None:
                        yield Met(
                            (begun + rounded(cut.numerator * long, cut.denominator)) * TWELFTHS,
                            water.crossing,
                            water.id,
                        )

    def crossing_over(self, water: Water, at: Point) -> Crossing | None:
        """The crossing on which a place over a water lies."""
        for crossing in self.chart.crossings.values():
            if crossing.water == water.id and distance(crossing.at, at) <= max(crossing.length // 2, 10):
                return crossing
        return None

    def crossings_on(self, way: tuple[Point, ...]) -> list[tuple[int, str]]:
        """The crossings that a way leads over, with how far along each lies, in twelfths of a pace."""
        found = []
        for (a, b), begun in zip(pairwise(way), marks(way), strict=False):
            for crossing in self.chart.crossings.values():
                if a != b and lies_on((a, b), crossing.at, ON_ROAD + 2):
                    found.append(((begun + distance(a, crossing.at)) * TWELFTHS, crossing.id))
        return sorted(set(found))

    # -------------------------------------------------------------- open country

    @cached_property
    def screens(self) -> tuple[tuple[Area, Shape], ...]:
        """Areas that hide what is behind them."""
        return tuple((area, area.shape) for area in self.chart.areas if area.built or area.kind.startswith("wood"))


def lies_on(course: Sequence[Point], at: Point, far: int) -> bool:
    """Whether a place lies within *far* of a line: whole numbers alone, the near legs alone."""
    x, y = at
    square = far * far
    for (ax, ay), (bx, by) in pairwise(course):
        if (ax < x - far and bx < x - far) or (ax > x + far and bx > x + far):
            continue
        if (ay < y - far and by < y - far) or (ay > y + far and by > y + far):
            continue
        dx, dy, px, py = bx - ax, by - ay, x - ax, y - ay
        along, whole = px * dx + py * dy, dx * dx + dy * dy
        if along <= 0 or not whole:
            if px * px + py * py <= square:
                return True
        elif along >= whole:
            if (x - bx) ** 2 + (y - by) ** 2 <= square:
                return True
        elif (px * dy - py * dx) ** 2 <= square * whole:
            return True
    return False


def closed_line(shape: Shape) -> Shape:
    """The outline of an area as a line."""
    return Shape((*shape.points, shape.points[0]))


def _in_box(shape: Shape, at: Point, far: int) -> bool:
    west, south, east, north = shape.box
    return west - far <= at.x <= east + far and south - far <= at.y <= north + far


# ------------------------------------------------------------------ rates


def _column(degrees: int, bounds: Sequence[tuple[int, str]]) -> str | None:
    return next((column for below, column in bounds if degrees < below * 100), None)


@rule("KS-MOV-01", "KS-MOV-02", "KS-MOV-03", "KS-MOV-16")
def cell(row: str, piece: Piece, *, table: str = "p34", on_foot: bool = False) -> int:
    """Paces of a move in this row on this piece of a way; 0: none.

    *on_foot*: persons, patrols on foot and skirmishers climb what is steeper than the table goes.
    """
    printed = MARCH[row]
    slope = abs(piece.slope)

    def value(column: str) -> int:
        found = printed[column]
        if table == "p3" and column == "even" and row in RULER:
            found = RULER[row]
        if (row, column) == ("ropes", "slope_10_15") and piece.slope < 0:
            found = None
        return found or 0

    if slope >= STEEPEST_COLUMN * 100:
        return BEYOND_STEEPEST if on_foot else 0
    if piece.road or piece.crossing:
        columns = next(columns for below, columns in ROAD_COLUMNS if slope < below * 100)
        return max(value(column) for column in columns)
    by_slope = _column(slope, FIELD_COLUMNS)
    assert by_slope is not None
    found = value(by_slope)
    if piece.area:
        column = (
            "wood_light" if piece.edge and row in ("inf_run", "skirm_run", "inf_patrol") else AREA_COLUMN[piece.area]
        )
        found = min(found, value(column))
    return found


@rule("KS-MOV-15", "KS-NIG-01")
def weathered(rate: int, ground: str, piece: Piece, *, wheels: bool, night: bool) -> tuple[int, int]:
    """A rate under the state of the ground and by night, as a fraction: paces and what they are divided by."""
    state = GROUND[ground]
    number, by = state["main_road"] if piece.road == "main" else state["wheels" if wheels else "troops"]
    number, by = rate * number, by
    return (number * 3, by * 4) if night else (number, by)


def dike(barrier: Barrier) -> bool:
    """Whether a line is climbed as a slope."""
    return barrier.kind == "dike"


def depth_inside(area: Area, at: Point) -> bool:
    """Whether a place lies within an area."""
    return holds(area.shape, at)


def passes_through(shape: Shape, a: Point, b: Point) -> bool:
    """Whether a leg leads through an area."""
    return bool(inside(shape, a, b))
