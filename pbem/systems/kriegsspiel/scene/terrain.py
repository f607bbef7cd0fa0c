"""The ground of a map as troops meet it: what lies where, how steep it is, what a way leads over and what it costs.

All here is of the printed map; crossings that are broken, and new ones, come as an argument.  What is worked out once
is kept: the same question on the same map has the same answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar

from pbem.ground.bearing import bearing_of, rounded
from pbem.ground.plane import Box, Point, Shape, between, cuts, distance, holds
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.chart import ZED, Area, Chart, Crossing, Road, Water
from pbem.systems.kriegsspiel.tables import march as of_march
from pbem.systems.kriegsspiel.tables.knowledge import SLOPE_STEP

TWELFTHS = 12
"""Ways are measured in twelfths of a pace: what a rate covers in a tick is whole (KS-TUR-06)."""

ON_ROAD = 3
"""Paces from a road's middle within which a way is on it."""

BESIDE = ON_ROAD + 2
"""Paces from the middle of a crossing within which a way is on it."""

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


Bare = tuple[int, int, str, int, str, str, bool]
"""A piece as legs hold it by the thousand: what a `Piece` names."""


class Met(NamedTuple):
    """Something that a way crosses, *far* twelfths of a pace from its beginning."""

    far: int
    kind: str
    """The kind of a line, or `wade`, `step`, `swim`, `none` for a water."""
    id: str


class Leg(NamedTuple):
    """What a straight leg of a way leads over, from its beginning."""

    long: int
    """Paces."""
    pieces: tuple[Bare, ...]
    met: tuple[Met, ...]
    """The lines and waters that it crosses beyond its beginning, and the waters at it."""
    begins: tuple[Met, ...]
    """The lines at its beginning: those of the leg before, unless the way begins here."""
    crossings: tuple[tuple[int, str], ...]
    """The crossings that it leads over, and how many paces along."""


_Kept = TypeVar("_Kept")
_Key = TypeVar("_Key")

MOST_KEPT = 50_000
"""Answers of one kind that are kept of a map, and of ways fewer."""

MOST_WAYS = 5_000

BIN = 200
"""Paces of a square for which the areas in it are kept."""


def room_in(kept: dict[_Key, _Kept], most: int = MOST_KEPT) -> dict[_Key, _Kept]:
    """A table of answers, emptied if it is full."""
    if len(kept) >= most:
        kept.clear()
    return kept


class Terrain:
    """A map with what has been worked out of it."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self._kept: dict[str, object] = {}
        self._areas_in: dict[tuple[int, int], list[Area]] = {}
        self._pieces: dict[tuple[Point, ...], tuple[Piece, ...]] = {}
        self._met: dict[tuple[Point, ...], tuple[Met, ...]] = {}
        self._legs: dict[tuple[Point, Point], Leg] = {}
        self._roads_by: dict[Point, tuple[Road, ...]] = {}
        self._areas = [(area, area.shape.box) for area in chart.areas]
        self._barriers = [(barrier, barrier.shape.box) for barrier in chart.lines.values()]
        self._waters = [(water, water.shape.box) for water in chart.waters.values()]
        self._crossings = [(one, _wider((*one.at, *one.at), BESIDE)) for one in chart.crossings.values()]
        self.roads: tuple[Road, ...] = tuple(chart.roads[name] for name in sorted(chart.roads))
        self._roads = [(road, _wider(road.shape.box, ON_ROAD)) for road in self.roads]

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
        x, y = at
        bin_ = (x // BIN, y // BIN)
        nearby = self._areas_in.get(bin_)
        if nearby is None:
            west, south = bin_[0] * BIN, bin_[1] * BIN
            nearby = room_in(self._areas_in)[bin_] = _about(self._areas, (west, south, west + BIN, south + BIN))
        return next((area for area in nearby if holds(area.shape, at)), None)

    def height(self, at: Point) -> int:
        """The height of a place in hundredths of a pace."""
        return self.chart.heights.at(at)

    @rule("KS-MAP-04")
    def slope(self, start: Point, end: Point) -> int:
        """The slope from one place to another in hundredths of a degree; above 0 uphill."""
        return _slope(self.height(end) - self.height(start), distance(start, end))

    def road_at(self, at: Point, far: int = ON_ROAD) -> Road | None:
        """The road on which a place lies, the widest first; None: it lies off the roads."""
        found = [road for road in self.roads if _in_box(road.shape, at, far) and lies_on(road.line, at, far)]
        return min(found, key=lambda road: (road.width != "main", road.id), default=None)

    @rule("KS-MAP-02")
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
            begun, every = 0, list[Piece]()
            for leg in self.legs(way):
                every += (Piece(one[0] + begun, one[1] + begun, *one[2:]) for one in leg.pieces)
                begun += leg.long * TWELFTHS
            found = room_in(self._pieces, MOST_WAYS)[way] = tuple(every)
        return found

    def met(self, way: tuple[Point, ...]) -> tuple[Met, ...]:
        """The lines and waters that a way crosses off the roads and crossings, in order."""
        found = self._met.get(way)
        if found is None:
            begun, every = 0, list[Met]()
            for leg in self.legs(way):
                every += (Met(one.far + begun, *one[1:]) for one in (leg.met if begun else (*leg.begins, *leg.met)))
                begun += leg.long * TWELFTHS
            found = room_in(self._met, MOST_WAYS)[way] = tuple(sorted(every))
        return found

    def crossings_on(self, way: tuple[Point, ...]) -> list[tuple[int, str]]:
        """The crossings that a way leads over, with how far along each lies, in twelfths of a pace."""
        begun, found = 0, set[tuple[int, str]]()
        for leg in self.legs(way):
            found |= {((begun + far) * TWELFTHS, name) for far, name in leg.crossings}
            begun += leg.long
        return sorted(found)

    def legs(self, way: tuple[Point, ...]) -> list[Leg]:
        """The legs of a way."""
        return [self.leg(a, b) for a, b in pairwise(way) if a != b]

    def leg(self, a: Point, b: Point) -> Leg:
        """What a leg leads over."""
        found = self._legs.get((a, b))
        if found is None:
            found = room_in(self._legs)[a, b] = self._leg(a, b)
        return found

    def _leg(self, a: Point, b: Point) -> Leg:
        long = distance(a, b)
        box = (min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
        road = self._road_of(a, b)
        begins, met = self.crossed(a, b)
        crossings = [one for one in _about(self._crossings, box) if lies_on((a, b), one.at, BESIDE)]
        over = [(distance(a, one.at), one.length // 2, one.id) for one in crossings]
        spans = [(max(0, middle - half), min(long, middle + half), name) for middle, half, name in over]
        areas = _about(self._areas, box)
        bounds = {0, long, *range(SLOPE_STEP, long, SLOPE_STEP), *(mark for *ends, _ in spans for mark in ends)}
        for area in areas:
            bounds |= {rounded(cut.numerator * long, cut.denominator) for cut in cuts(area.shape, a, b)}
        width = road.width if road else ""
        pieces: list[Bare] = [
            (start * TWELFTHS, end * TWELFTHS, "", slope, width, "", False)
            for start, end, slope in self._slopes(a, b, long, sorted(bounds))
        ]
        if areas or spans:
            pieces = [self._on(piece, a, b, long, spans) for piece in pieces]
        return Leg(long, tuple(pieces), tuple(met), tuple(begins), tuple((middle, name) for middle, _, name in over))

    @rule("KS-MAP-05", "KS-MAP-06", "KS-MAP-07")
    def crossed(self, a: Point, b: Point) -> tuple[list[Met], list[Met]]:
        """The lines at the beginning of a leg, and the lines and waters beyond, off the roads and crossings."""
        long, box = distance(a, b), (min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
        met, begins = list[Met](), list[Met]()
        barriers = _about(self._barriers, box)
        for barrier in barriers if barriers and self._road_of(a, b) is None else ():
            for cut in cuts(barrier.shape, a, b):
                far = rounded(cut.numerator * long, cut.denominator) * TWELFTHS
                (met if cut else begins).append(Met(far, barrier.kind, barrier.id))
        for water in _about(self._waters, box):
            for cut in cuts(water.shape, a, b):
                if self.crossing_over(water, between(a, b, cut.numerator, cut.denominator)) is None:
                    far = rounded(cut.numerator * long, cut.denominator) * TWELFTHS
                    met.append(Met(far, water.crossing, water.id))
        return begins, met

    def _slopes(self, a: Point, b: Point, long: int, marks: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The slopes of a leg from mark to mark."""
        height = self.chart.heights.at
        start, first, low = marks[0], a, height(a)
        for end in marks[1:]:
            last = between(a, b, end, long)
            high = height(last)
            yield start, end, _slope(high - low, distance(first, last))
            start, first, low = end, last, high

    def _on(self, piece: Bare, a: Point, b: Point, long: int, spans: Sequence[tuple[int, int, str]]) -> Bare:
        """A piece of a leg with the area or the crossing that it lies on."""
        start, end, _, slope, road, _, _ = piece
        over = next((name for first, last, name in spans if first * TWELFTHS <= start and end <= last * TWELFTHS), "")
        middle = between(a, b, start + end, 2 * long * TWELFTHS)
        area = self.area(middle)
        edge = area is not None and area.kind == "wood_thick" and self.in_edge(area, middle)
        return start, end, area.kind if area else "", 0 if over else slope, road, over, edge

    @rule("KS-MOV-16")
    def in_edge(self, area: Area, at: Point) -> bool:
        """Whether a place lies in the outer 50 paces of a wood."""
        return lies_on((*area.polygon, area.polygon[0]), at, of_march.WOOD_EDGE)

    def _road_of(self, a: Point, b: Point) -> Road | None:
        """The road along which a leg leads."""
        here = self._roads_at(a)
        there = self._roads_at(b) if here else ()
        return next((road for road in here if road in there and lies_on(road.line, between(a, b, 1, 2), ON_ROAD)), None)

    def _roads_at(self, at: Point) -> tuple[Road, ...]:
        """The roads on which a place lies."""
        found = self._roads_by.get(at)
        if found is None:
            found = room_in(self._roads_by)[at] = tuple(
                road for road in _about(self._roads, (*at, *at)) if lies_on(road.line, at, ON_ROAD)
            )
        return found

    def open_water(self, at: Point) -> Water | None:
        """The water that a place lies in, where no crossing leads over it."""
        water = self.water_at(at)
        return None if water is None or self.crossing_over(water, at) is not None else water

    def crossing_over(self, water: Water, at: Point) -> Crossing | None:
        """The crossing on which a place over a water lies."""
        for crossing in self.chart.crossings.values():
            if crossing.water == water.id and distance(crossing.at, at) <= max(crossing.length // 2, 10):
                return crossing
        return None

    # -------------------------------------------------------------- open country

    @cached_property
    def screens(self) -> tuple[tuple[Area, Shape], ...]:
        """Areas that hide what is behind them."""
        return tuple((area, area.shape) for area in self.chart.areas if area.built or area.kind.startswith("wood"))


def _wider(box: Box, by: int) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _about(things: Sequence[tuple[_Kept, Box]], box: Box) -> list[_Kept]:
    """The things whose boxes touch one."""
    west, south, east, north = box
    return [
        thing
        for thing, (left, low, right, high) in things
        if left <= east and right >= west and low <= north and high >= south
    ]


@lru_cache(MOST_KEPT)
def _slope(rise: int, long: int) -> int:
    steep = bearing_of(abs(rise), long * ZED) if rise and long else 0
    return steep if rise >= 0 else -steep


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


_STEEPS = sorted(
    {below * 100 for below in (of_march.STEEPEST_COLUMN, *dict(of_march.FIELD_COLUMNS), *dict(of_march.ROAD_COLUMNS))}
)
"""The slopes at which a column of the table ends, in hundredths of a degree."""


@rule("KS-MOV-01", "KS-MOV-02", "KS-MOV-03", "KS-MOV-16")
def cell(row: str, piece: Bare, *, table: str = "p34", on_foot: bool = False) -> int:
    """Paces of a move in this row on this piece of a way; 0: none.

    *on_foot*: persons, patrols on foot and skirmishers climb what is steeper than the table goes.
    """
    _, _, area, slope, road, crossing, edge = piece
    steep = bisect_right(_STEEPS, abs(slope))
    return _cell(row, table, area, edge, bool(road or crossing), steep if slope > 0 else -steep, on_foot)


@cache
def _cell(row: str, table: str, area: str, edge: bool, firm: bool, slope: int, on_foot: bool) -> int:  # noqa: FBT001
    """The same by the class of the slope, below 0 downhill; *firm*: on a road or crossing."""
    printed, steep = of_march.MARCH[row], abs(slope)

    def value(column: str) -> int:
        found = even_rate(row, table) if column == "even" else printed[column]
        if (row, column) == of_march.UPHILL_ONLY and slope < 0:
            found = None
        return found or 0

    if steep == len(_STEEPS):
        return of_march.BEYOND_STEEPEST if on_foot else 0
    if firm:
        columns = next(columns for below, columns in of_march.ROAD_COLUMNS if _STEEPS[steep] <= below * 100)
        return max(value(column) for column in columns)
    found = value(next(column for below, column in of_march.FIELD_COLUMNS if _STEEPS[steep] <= below * 100))
    if area:
        column = "wood_light" if edge and row in ("inf_run", "skirm_run", "inf_patrol") else AREA_COLUMN[area]
        found = min(found, value(column))
    return found


@rule("KS-MOV-07")
def even_rate(row: str, table: str) -> int:
    """Paces of a move in this row on even ground."""
    return (of_march.RULER.get(row) if table == "p3" else None) or of_march.MARCH[row]["even"] or 0


@rule("KS-MOV-15", "KS-NIG-01")
def weathered(rate: int, ground: str, piece: Piece, *, wheels: bool, night: bool) -> tuple[int, int]:
    """A rate under the state of the ground and by night, as a fraction: paces and what they are divided by."""
    state = of_march.GROUND[ground]
    number, by = state["main_road"] if piece.road == "main" else state["wheels" if wheels else "troops"]
    number, by = rate * number, by
    return (number * 3, by * 4) if night else (number, by)
