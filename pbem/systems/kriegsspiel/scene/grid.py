"""Ways over open ground and roads together: a grid of 50 paces, its prices looked up (KS-MOV-18).

Every place of the grid and of the roads has a number, in the order of the places themselves, so that ties fall as the
rule says; what lies between two places is worked out once for a map, and what it costs once for a kind of traveller.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise

from pbem.ground.plane import Point, Shape, between, crosses, distance
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, Met, Piece, Terrain, cell, even_rate, lies_on
from pbem.systems.kriegsspiel.tables.march import MARCH, PATH_GRID

STEEP = (0, 500, 1000, 1500, 3500)
"""Where the slope classes of the march table begin, in hundredths of a degree."""

TANGENTS = (875, 1763, 2679, 7002)
"""The tangents of 5, 10, 15 and 35 degrees, in ten-thousandths."""

SLANT = 71
"""Paces of a step across a cell of the grid."""

AROUND = tuple(
    (dx, dy, SLANT if dx and dy else PATH_GRID)
    for dx in (-PATH_GRID, 0, PATH_GRID)
    for dy in (-PATH_GRID, 0, PATH_GRID)
    if dx or dy
)
"""The steps from a corner to those next to it, and their lengths."""

DEEP = ("swim", "none")
"""Waters that are not waded or stepped over."""

AREAS = ("", "swamp", "wood_light", "wood_thick", "garden", "village", "town", "farm", "edge")
"""Kinds of ground by number; `edge`: the outer belt of a thick wood."""

Toll = Callable[[Met], int | None]
Price = Callable[[Point, Point], int | None]
STEP = 1 << 16
"""What a way costs and its steps are one number: the cost times this, and the steps; more steps no way has."""

CLOSED = 1 << 60
"""The price of a step that cannot be gone; more than any way costs."""

Steps = tuple[Sequence[int], Sequence[int]]
"""The places beside a place, and what the step to each costs, with the step itself."""

Legs = Mapping[Point, Sequence[Point]]


class Grid:
    """The open ground of a map, and its roads, numbered."""

    def __init__(self, terrain: Terrain, legs: Legs) -> None:
        self.terrain, self.step = terrain, PATH_GRID
        chart = terrain.chart
        self.right, self.up = chart.width // PATH_GRID, chart.height // PATH_GRID
        corners = [Point(i * PATH_GRID, j * PATH_GRID) for i in range(self.right + 1) for j in range(self.up + 1)]
        self.places = sorted({*corners, *legs})
        self.number: dict[tuple[int, int], int] = {at: k for k, at in enumerate(self.places)}
        self._ground = [self._ground_at(at) for at in self.places]
        self._heights = [terrain.height(at) for at in self.places]
        self._wet = self._under_water()
        self._beside: list[tuple[tuple[int, ...], tuple[int, ...]] | None] = [None] * len(self.places)
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
                        begins, met = self.terrain.crossed(one, other)
                        found[pair] = found[pair[1], pair[0]] = (*begins, *met)
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

    def _ground_at(self, at: Point) -> int:
        """The kind of ground at a place, by its number in `AREAS`."""
        area = self.terrain.area(at)
        if area is None:
            return 0
        edge = area.kind == "wood_thick" and self.terrain.in_edge(area, at)
        return AREAS.index("edge" if edge else area.kind)

    def _under_water(self) -> set[int]:
        """The places that lie in a water that is not waded or stepped over."""
        found = set()
        deep = [water for water in self.terrain.chart.waters.values() if water.crossing in DEEP]
        for half, (a, b) in ((max(1, water.width // 2), leg) for water in deep for leg in pairwise(water.line)):
            west, south, east, north = min(a.x, b.x) - half, min(a.y, b.y) - half, max(a.x, b.x), max(a.y, b.y)
            first, last = bisect_left(self.places, (west,)), bisect_right(self.places, (east + half + 1,))
            for node, at in enumerate(self.places[first:last], first):
                if south <= at.y <= north + half and lies_on((a, b), at, half):
                    water = self.terrain.water_at(at)
                    if water is not None and water.crossing in DEEP:
                        found.add(node)
        return found

    def wet(self, node: int) -> bool:
        """Whether a place lies in a water that is not waded or stepped over."""
        return node in self._wet

    def beside(self, node: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The corners next to a corner, and the kinds of the steps there: numbers of `prices_of`."""
        found = self._beside[node]
        if found is None:
            x, y = self.places[node]
            here, high = self._ground[node] * len(AREAS), self._heights[node]
            others, kinds = [], []
            for dx, dy, long in AROUND:
                other = self.number.get((x + dx, y + dy))
                if other is not None:
                    steep = bisect_right(TANGENTS, abs(self._heights[other] - high) * 100 // long)
                    others.append(other)
                    kinds.append(((here + self._ground[other]) * len(STEEP) + steep) * 2 + (long == SLANT))
            found = self._beside[node] = (tuple(others), tuple(kinds))
        return found

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


@cache
def prices_of(row: str, table: str, *, on_foot: bool) -> tuple[int, ...]:
    """What a step of each kind costs in a row of the march table; 0: it cannot be gone.

    Kinds are numbered by the ground where it begins, where it ends, the class of the slope, straight or slanting.
    """
    rates = [
        [
            cell(
                row,
                Piece(0, 1, "wood_thick" if kind == "edge" else kind, steep, "", "", kind == "edge"),
                table=table,
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
        self._prices = [cost * STEP + 1 if cost else CLOSED for cost in prices]
        self._toll, self._priced = toll, priced
        self._every: list[Steps | None] = [None] * len(grid.places)

    def every(self, node: int) -> Steps:
        """All steps from a place."""
        found = self._every[node]
        if found is None:
            (open_, costs), (along, more) = self.open(node), self.roads(node)
            found = self._every[node] = ((*open_, *along), (*costs, *more)) if along else (open_, costs)
        return found

    def open(self, node: int) -> Steps:
        """The steps over open ground, from corner to corner."""
        grid, prices = self.grid, self._prices
        if not grid.is_corner(node) or grid.wet(node):
            return (), ()
        others, kinds = grid.beside(node)
        costs = [prices[kind] for kind in kinds]
        if node in grid.barred:
            costs = [self._over(node, other, cost) for other, cost in zip(others, costs, strict=True)]
        return others, tuple(costs)

    def _over(self, node: int, other: int, cost: int) -> int:
        """What a step costs that may cross a line or a water."""
        tolls = [self._toll(met) for met in self.grid.across.get((node, other), ())]
        return CLOSED if None in tolls else cost + sum(toll or 0 for toll in tolls) * 1000 * STEP

    def roads(self, node: int) -> Steps:
        """The steps along roads, onto them and off them."""
        grid = self.grid
        at = grid.places[node]
        ends = grid.roads.get(node, ())
        if not grid.is_corner(node):
            ends = (*ends, *(() if grid.wet(node) else grid.near(at)))
        elif node in grid.roads_by and not grid.wet(node):
            ends = (*ends, *grid.roads_by[node])
        costs = [self._priced(at, grid.places[other]) for other in ends]
        return ends, tuple(CLOSED if cost is None else cost * STEP + 1 for cost in costs)


def search(
    grid: Grid,
    first: Mapping[int, int],
    last: Mapping[int, int],
    end: Point,
    best: int,
    links: Callable[[int], Steps],
) -> list[Point] | None:
    """The places of the fastest way to *end*; of ways that take the same the one with the fewest steps.

    *first*: what it costs to come to the places where it may begin; *last*: from those where it may end to the end.
    """
    places = grid.places
    size = len(places)
    ex, ey = end
    # What the best way so far to a place has cost, 0 when no better can come; and the least from there to the end.
    spent, ahead = [CLOSED] * size, [0] * size
    before: dict[int, int] = {}
    heap: list[int] = []

    def least(node: int) -> int:
        x, y = places[node]
        dx, dy = abs(x - ex), abs(y - ey)
        return max(dx, dy, (dx + dy) * 707 // 1000) * TWELFTHS * 1000 // best * STEP

    for node, cost in first.items():
        spent[node], ahead[node], before[node] = cost * STEP + 1, least(node), -1
        heappush(heap, (spent[node] + ahead[node]) * size + node)
    limit = (CLOSED, -1)
    while heap:
        total, node = divmod(heappop(heap), size)
        if total // STEP >= limit[0] // STEP:
            break
        here, spent[node] = spent[node], 0
        if not here:
            continue
        if node in last:
            limit = min(limit, (here + last[node] * STEP, node))
        for other, price in zip(*links(node), strict=True):
            now, was = here + price, spent[other]
            if now < was:
                if was == CLOSED:
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


def fastest(row: str, table: str) -> int:
    """The largest cell of a row."""
    return max(even_rate(row, table), *(value or 0 for value in MARCH[row].values()))
