"""Ways over open ground and roads together: a grid of 50 paces, its prices looked up (KS-MOV-18).

Every place of the grid and of the roads has a number, in the order of the places themselves, so that ties fall as the
rule says; what lies between two places is worked out once for a map, and what it costs once for a kind of traveller.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise

from pbem.ground.plane import Point, Shape, between, crosses, distance
from pbem.systems.kriegsspiel.tables_march import MARCH, PATH_GRID
from pbem.systems.kriegsspiel.terrain import TWELFTHS, Met, Piece, Terrain, cell

STEEP = (0, 500, 1000, 1500, 3500)
"""Where the slope classes of the march table begin, in hundredths of a degree."""

TANGENTS = (875, 1763, 2679, 7002)
"""The tangents of 5, 10, 15 and 35 degrees, in ten-thousandths."""

SLANT = 71
"""Paces of a step across a cell of the grid."""

AREAS = ("", "swamp", "wood_light", "wood_thick", "garden", "village", "town", "farm", "edge")
"""Kinds of ground by number; `edge`: the outer belt of a thick wood."""

Toll = Callable[[Met], int | None]
Price = Callable[[Point, Point], int | None]
STEP = 1 << 16
"""What a way costs and its steps are one number: the cost times this, and the steps; more steps no way has."""

Link = tuple[int, int]
"""The number of a place, and what it costs to step there, with the step itself."""

Legs = Mapping[Point, Sequence[Point]]


class Grid:
    """The open ground of a map, and its roads, numbered."""

    def __init__(self, terrain: Terrain, legs: Legs) -> None:
        self.terrain, self.step = terrain, PATH_GRID
        chart = terrain.chart
        self.right, self.up = chart.width // PATH_GRID, chart.height // PATH_GRID
        corners = [Point(i * PATH_GRID, j * PATH_GRID) for i in range(self.right + 1) for j in range(self.up + 1)]
        self.places = sorted({*corners, *legs})
        self.number = {at: k for k, at in enumerate(self.places)}
        self._ground = [-1] * len(self.places)
        self._heights = [-1] * len(self.places)
        self._beside: list[tuple[tuple[int, int], ...] | None] = [None] * len(self.places)
        self.roads = {self.number[at]: tuple(sorted(self.number[to] for to in ends)) for at, ends in legs.items()}
        self._cells: dict[tuple[int, int], list[int]] = {}
        for at in legs:
            self._cells.setdefault((at.x // PATH_GRID, at.y // PATH_GRID), []).append(self.number[at])
        self.roads_by: dict[int, tuple[int, ...]] = {}
        """The places of roads in the four cells about a corner."""
        for (i, j), there in sorted(self._cells.items()):
            for corner in (Point((i + dx) * PATH_GRID, (j + dy) * PATH_GRID) for dx in (0, 1) for dy in (0, 1)):
                if (node := self.number.get(corner)) is not None:
                    self.roads_by[node] = (*self.roads_by.get(node, ()), *there)
        self.across = self._laid()
        self.barred = {node for node, _ in self.across}
        self._wet: dict[int, bool] = {}

    # -------------------------------------------------------------- what lies where

    def _laid(self) -> dict[tuple[int, int], tuple[Met, ...]]:
        """Steps of the grid that cross a line or a water away from its crossings."""
        found: dict[tuple[int, int], tuple[Met, ...]] = {}
        chart = self.terrain.chart
        courses = [barrier.line for barrier in chart.lines.values()] + [water.line for water in chart.waters.values()]
        for course in courses:
            for a, b in pairwise(course):
                leg = Shape((a, b))
                for one, other in self._steps_near(a, b):
                    pair = (self.number[one], self.number[other])
                    if pair not in found and crosses(leg, one, other):
                        found[pair] = found[pair[1], pair[0]] = self.terrain.met((one, other))
        return found

    def _steps_near(self, a: Point, b: Point) -> Iterator[tuple[Point, Point]]:
        """Steps of the grid about a leg, each in one direction."""
        step = self.step
        long = max(1, distance(a, b) // (step // 2))
        cells = {
            (at.x // step + dx, at.y // step + dy)
            for k in range(long + 1)
            for at in (between(a, b, k, long),)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        }
        for i, j in sorted(cells):
            if not (0 <= i <= self.right and 0 <= j <= self.up):
                continue
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if 0 <= i + dx <= self.right and 0 <= j + dy <= self.up:
                    yield Point(i * step, j * step), Point((i + dx) * step, (j + dy) * step)

    def ground(self, node: int) -> int:
        """The kind of ground at a place, by its number in `AREAS`."""
        found = self._ground[node]
        if found < 0:
            area = self.terrain.area(self.places[node])
            kind: str = area.kind if area is not None else ""
            if area is not None and kind == "wood_thick" and self.terrain.in_edge(area, self.places[node]):
                kind = "edge"
            found = self._ground[node] = AREAS.index(kind)
        return found

    def height(self, node: int) -> int:
        """The height of a place in hundredths of a pace."""
        found = self._heights[node]
        if found < 0:
            found = self._heights[node] = self.terrain.height(self.places[node])
        return found

    def wet(self, node: int) -> bool:
        """Whether a place lies in a water that is not waded or stepped over."""
        found = self._wet.get(node)
        if found is None:
            water = self.terrain.water_at(self.places[node])
            found = self._wet[node] = water is not None and water.crossing in ("swim", "none")
        return found

    def beside(self, node: int) -> tuple[tuple[int, int], ...]:
        """The corners next to a corner, and the kind of the step there (`kind_of`)."""
        found = self._beside[node]
        if found is None:
            found = self._beside[node] = tuple(self._steps(node))
        return found

    def _steps(self, node: int) -> Iterator[tuple[int, int]]:
        (x, y), step = self.places[node], self.step
        here, high, number = self.ground(node), self.height(node), self.number
        for dx in (-step, 0, step):
            for dy in (-step, 0, step):
                other = number.get(Point(x + dx, y + dy))
                if other is not None and other != node:
                    slant = dx != 0 and dy != 0
                    rise = abs(self.height(other) - high) * 100 // (SLANT if slant else step)
                    yield other, kind_of(here, self.ground(other), bisect_right(TANGENTS, rise), slant=slant)

    def near(self, at: Point) -> list[int]:
        """The corners of the cell in which a place lies, and the places of roads in it."""
        left, low = at.x // self.step * self.step, at.y // self.step * self.step
        found = [
            node
            for x in (left, left + self.step)
            for y in (low, low + self.step)
            if (node := self.number.get(Point(x, y))) is not None
        ]
        return found + self._cells.get((at.x // self.step, at.y // self.step), [])

    def is_corner(self, node: int) -> bool:
        """Whether a place is a corner of the grid."""
        at = self.places[node]
        return not (at.x % self.step or at.y % self.step)


def kind_of(here: int, there: int, steep: int, *, slant: bool) -> int:
    """The number of a kind of step: from ground to ground, of a class of slope, straight or across a cell."""
    return ((here * len(AREAS) + there) * len(STEEP) + steep) * 2 + slant


@cache
def prices_of(row: str, *, on_foot: bool) -> tuple[int, ...]:
    """What a step of each kind costs in a row of the march table; 0: it cannot be gone."""
    rates = [
        [
            cell(
                row,
                Piece(0, 1, "wood_thick" if kind == "edge" else kind, steep, "", "", kind == "edge"),
                on_foot=on_foot,
            )
            for steep in STEEP
        ]
        for kind in AREAS
    ]
    return tuple(
        long * TWELFTHS * 1000 // rate if (rate := min(here[steep], there[steep])) else 0
        for here in rates
        for there in rates
        for steep in range(len(STEEP))
        for long in (PATH_GRID, SLANT)
    )


class Links:
    """What the steps of a grid cost one kind of traveller, each worked out when it is first asked for."""

    def __init__(self, grid: Grid, prices: Sequence[int], toll: Toll, priced: Price) -> None:
        self.grid = grid
        self._prices = [cost and cost * STEP + 1 for cost in prices]
        self._toll, self._priced = toll, priced
        self._every: list[Sequence[Link] | None] = [None] * len(grid.places)

    def every(self, node: int) -> Sequence[Link]:
        """All steps from a place."""
        found = self._every[node]
        if found is None:
            found = self._every[node] = [*self.open(node), *self.roads(node)]
        return found

    def open(self, node: int) -> Sequence[Link]:
        """The steps over open ground, from corner to corner."""
        grid, prices = self.grid, self._prices
        if not grid.is_corner(node) or grid.wet(node):
            return ()
        if node in grid.barred:
            return [(other, price) for other, kind in grid.beside(node) if (price := self._over(node, other, kind))]
        return [(other, price) for other, kind in grid.beside(node) if (price := prices[kind])]

    def _over(self, node: int, other: int, kind: int) -> int:
        """The price of a step that may cross a line or a water; 0: it cannot be gone."""
        tolls = [self._toll(met) for met in self.grid.across.get((node, other), ())]
        price = self._prices[kind]
        return price + sum(toll or 0 for toll in tolls) * 1000 * STEP if price and None not in tolls else 0

    def roads(self, node: int) -> Sequence[Link]:
        """The steps along roads, onto them and off them."""
        grid = self.grid
        at = grid.places[node]
        ends = grid.roads.get(node, ())
        if not grid.is_corner(node):
            ends = (*ends, *(() if grid.wet(node) else grid.near(at)))
        elif node in grid.roads_by and not grid.wet(node):
            ends = (*ends, *grid.roads_by[node])
        return [
            (other, cost * STEP + 1)
            for other in ends
            if other != node and (cost := self._priced(at, grid.places[other])) is not None
        ]


def search(
    grid: Grid,
    first: Mapping[int, int],
    last: Mapping[int, int],
    end: Point,
    best: int,
    links: Callable[[int], Iterable[Link]],
) -> list[Point] | None:
    """The places of the fastest way to *end*; of ways that take the same the one with the fewest steps.

    *first*: what it costs to come to the places where it may begin; *last*: from those where it may end to the end.
    """
    places = grid.places
    size, far = len(places), 1 << 100
    ex, ey = end
    spent, ahead = [far] * size, [0] * size
    before: dict[int, int] = {}
    done = bytearray(size)
    heap: list[int] = []

    def least(node: int) -> int:
        x, y = places[node]
        dx, dy = abs(x - ex), abs(y - ey)
        return max(dx, dy, (dx + dy) * 707 // 1000) * TWELFTHS * 1000 // best * STEP

    for node, cost in first.items():
        spent[node], ahead[node], before[node] = cost * STEP + 1, least(node), -1
        heappush(heap, (spent[node] + ahead[node]) * size + node)
    limit = (far, -1)
    while heap:
        total, node = divmod(heappop(heap), size)
        if total // STEP >= limit[0] // STEP:
            break
        if done[node]:
            continue
        done[node] = 1
        here = spent[node]
        if node in last:
            limit = min(limit, (here + last[node] * STEP, node))
        for other, price in links(node):
            now, was = here + price, spent[other]
            if now < was and not done[other]:
                if was == far:
                    ahead[other] = least(other)
                spent[other], before[other] = now, node
                heappush(heap, (now + ahead[other]) * size + other)
    way, node = [], limit[1]
    while node >= 0:
        way.append(places[node])
        node = before[node]
    return way[::-1] or None


def risks(grid: Grid, dangers: Sequence[tuple[int, int, int, int]]) -> dict[int, int]:
    """What it costs to come to the places near dangers: place, the square of the distance, and the cost of each."""
    found: dict[int, int] = {}
    step = grid.step
    for x, y, square, cost in dangers:
        reach = 1
        while (reach * step) ** 2 < square:
            reach += 1
        for i in range(x // step - reach, x // step + reach + 2):
            for j in range(y // step - reach, y // step + reach + 2):
                node = grid.number.get(Point(i * step, j * step))
                if node is not None and (i * step - x) ** 2 + (j * step - y) ** 2 < square:
                    found[node] = found.get(node, 0) + cost
    return found


def fastest(row: str) -> int:
    """The largest cell of a row."""
    return max(value or 0 for value in MARCH[row].values())
