"""Ways over open ground and roads together: a grid of 50 paces, its prices looked up (KS-MOV-18).

Every place of the grid and of the roads has a number, in the order of the places themselves, so that ties fall as the
rule says; what lies between two places is worked out once for a map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
Danger = tuple[int, int, int, int]
"""Place, the square of a distance, and what a step within it costs more."""

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
        self._beside: list[tuple[tuple[int, int, int], ...] | None] = [None] * len(self.places)
        self.roads = {self.number[at]: tuple(sorted(self.number[to] for to in ends)) for at, ends in legs.items()}
        self._cells: dict[tuple[int, int], list[int]] = {}
        for at in legs:
            self._cells.setdefault((at.x // PATH_GRID, at.y // PATH_GRID), []).append(self.number[at])
        self.across = self._laid()
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

    def beside(self, node: int) -> tuple[tuple[int, int, int], ...]:
        """The corners next to a corner: number, length of the step, class of its slope."""
        found = self._beside[node]
        if found is None:
            found = self._beside[node] = tuple(self._steps(node))
        return found

    def _steps(self, node: int) -> Iterator[tuple[int, int, int]]:
        at, step = self.places[node], self.step
        for dx in (-step, 0, step):
            for dy in (-step, 0, step):
                other = self.number.get(Point(at.x + dx, at.y + dy))
                if other is None or other == node or at.x % step or at.y % step:
                    continue
                long = step if not (dx and dy) else SLANT
                steep = abs(self.height(other) - self.height(node)) * 100 // long
                yield other, long, sum(steep >= bound for bound in TANGENTS)

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

    def roads_by(self, node: int) -> Iterator[int]:
        """The places of roads in the four cells about a corner."""
        at, step = self.places[node], self.step
        for dx in (-1, 0):
            for dy in (-1, 0):
                yield from self._cells.get(((at.x + dx) // step, (at.y + dy) // step), ())

    def is_corner(self, node: int) -> bool:
        """Whether a place is a corner of the grid."""
        at = self.places[node]
        return not (at.x % self.step or at.y % self.step)


_RATES: dict[tuple[str, bool], tuple[tuple[int, ...], ...]] = {}


def rates_of(row: str, *, on_foot: bool) -> tuple[tuple[int, ...], ...]:
    """Paces of a move in a row, by kind of ground and class of slope."""
    found = _RATES.get((row, on_foot))
    if found is None:
        found = _RATES[row, on_foot] = tuple(
            tuple(
                cell(
                    row,
                    Piece(0, 1, "wood_thick" if kind == "edge" else kind, steep, "", "", kind == "edge"),
                    on_foot=on_foot,
                )
                for steep in STEEP
            )
            for kind in AREAS
        )
    return found


def search(
    grid: Grid,
    start: Point,
    end: Point,
    rates: Sequence[Sequence[int]],
    best: int,
    toll: Toll,
    priced: Price,
    dangers: Sequence[Danger] = (),
) -> tuple[Point, ...] | None:
    """The fastest way from *start* to *end*; of ways that take the same the one with the fewest steps."""
    places, ground, across = grid.places, grid.ground, grid.across
    goals = {node: cost for node in grid.near(end) if (cost := priced(places[node], end)) is not None}
    if not goals:
        return None
    ex, ey = end

    def least(node: int) -> int:
        dx, dy = abs(places[node].x - ex), abs(places[node].y - ey)
        return max(dx, dy, (dx + dy) * 707 // 1000) * TWELFTHS * 1000 // best

    risk = _risks(grid, dangers)
    spent: dict[int, tuple[int, int]] = {}
    before: dict[int, int] = {}
    heap: list[tuple[int, int, int]] = []

    def reach(node: int, cost: int, steps: int, origin: int) -> None:
        found = (cost + risk.get(node, 0), steps)
        if node not in spent or found < spent[node]:
            spent[node], before[node] = found, origin
            heappush(heap, (found[0] + least(node), steps, node))

    for node in grid.near(start):
        cost = priced(start, places[node])
        if cost is not None:
            reach(node, cost, 1, -1)
    done: set[int] = set()
    limit: tuple[int, int, int] | None = None
    while heap:
        total, steps, node = heappop(heap)
        if limit is not None and total >= limit[0]:
            break
        if node in done:
            continue
        done.add(node)
        cost = spent[node][0]
        if node in goals and (limit is None or (cost + goals[node], steps, node) < limit):
            limit = (cost + goals[node], steps, node)
        for other in grid.roads.get(node, ()):
            if other not in done and (more := priced(places[node], places[other])) is not None:
                reach(other, cost + more, steps + 1, node)
        if grid.wet(node):
            continue
        if not grid.is_corner(node):
            for other in grid.near(places[node]):
                if other not in done and (more := priced(places[node], places[other])) is not None:
                    reach(other, cost + more, steps + 1, node)
            continue
        here = rates[ground(node)]
        for other, long, steep in grid.beside(node):
            if other in done:
                continue
            rate = min(here[steep], rates[ground(other)][steep])
            if not rate:
                continue
            more = long * TWELFTHS * 1000 // rate
            for met in across.get((node, other), ()):
                price = toll(met)
                if price is None:
                    break
                more += price * 1000
            else:
                reach(other, cost + more, steps + 1, node)
        for other in grid.roads_by(node):
            if other not in done and (more := priced(places[node], places[other])) is not None:
                reach(other, cost + more, steps + 1, node)
    if limit is None:
        return None
    way = [end]
    node = limit[2]
    while node >= 0:
        way.append(places[node])
        node = before[node]
    way.append(start)
    return tuple(at for i, at in enumerate(reversed(way)) if i == 0 or at != way[len(way) - i])


def _risks(grid: Grid, dangers: Sequence[Danger]) -> dict[int, int]:
    """What it costs to come to the places near dangers."""
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
