"""Finding a way: along roads and straight across, and where that is not enough over a grid of 50 paces (KS-MOV-18).

A way is found for one row of the march table, with the crossings that the traveller believes closed.  Least time
first; of ways that take the same, the one with the fewest steps, then the one whose places come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from pbem.ground.plane import Point, Shape, bearing, between, distance, dot, gap, shifted
from pbem.ground.routes import straightened
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.grid import Grid, fastest, rates_of, search
from pbem.systems.kriegsspiel.tables_knowledge import LINES, STEPPING, WADING
from pbem.systems.kriegsspiel.tables_march import MARCH, PATH_GRID
from pbem.systems.kriegsspiel.terrain import ON_ROAD, TWELFTHS, Met, Piece, Terrain, cell, lies_on

FAR = 10**9
"""More than any way costs."""

Way = tuple[Point, ...]

GUNS = ("artillery", "train")


class Traveller(NamedTuple):
    """For whom a way is found."""

    row: str
    arm: str
    """`infantry`, `cavalry`, `artillery`, `train`, `persons`."""
    closed: frozenset[str] = frozenset()
    """Crossings that he believes cannot be passed."""
    open_country: bool = True
    """Whether he may leave the roads."""
    shun: tuple[tuple[Point, int], ...] = ()
    """Places from which he keeps so many paces away."""
    seen_from: tuple[tuple[Point, int], ...] = ()
    """Of a concealed march: eyes, and how far they see; a step in their sight costs ten more."""


def allowed(arm: str, allows: Sequence[str]) -> bool:
    """Whether a crossing takes an arm (KS-ORD-09)."""
    name = {"train": "wagons", "pioneers": "infantry"}.get(arm, arm)
    return name in allows


@rule("KS-MAP-05", "KS-MAP-06")
def toll_of(met: Met, arm: str, rate: int, terrain: Terrain) -> int | None:
    """Twelfths of a move to pass a line or a water; None: it cannot be passed."""
    if arm == "persons":
        if met.kind in ("swim", "none", "wall"):
            return None
        return 2 if met.kind != "sunken" else 0
    kind = "guns" if arm in GUNS else "cavalry" if arm == "cavalry" else "infantry"
    if met.kind in LINES:
        price: tuple[int, int] | None = getattr(LINES[met.kind], kind)
        return None if price is None else 12 * price[0] // price[1]
    water = terrain.chart.waters.get(met.id)
    match met.kind:
        case "dike":
            return None if kind == "guns" else 3
        case "wade":
            if kind == "guns" or water is None or not rate:
                return None
            (number, by), disorder = WADING
            return 12 * water.width * by // (rate * number) + 12 * disorder
        case "step":
            price = getattr(STEPPING, kind)
            if price is None or (kind == "guns" and water is not None and water.bank != "normal"):
                return None
            return 12 * price[0] // price[1]
        case _:
            return None


@rule("KS-MOV-04", "KS-ORD-09")
def time_of(terrain: Terrain, way: Way, who: Traveller) -> int | None:
    """Twelfths of a move, times a thousand, that a way takes; None: it cannot be gone."""
    total = 0
    for piece in terrain.pieces(way):
        if piece.crossing and not _open(terrain, piece.crossing, who):
            return None
        rate = cell(who.row, piece, on_foot=_climbs(who))
        if not rate:
            return None
        total += (piece.end - piece.start) * 1000 // rate
    best = MARCH[who.row]["even"] or 1
    for met in terrain.met(way):
        toll = toll_of(met, who.arm, best, terrain)
        if toll is None:
            return None
        total += toll * 1000
    return total + _exposure(way, who)


def _open(terrain: Terrain, name: str, who: Traveller) -> bool:
    crossing = terrain.chart.crossings.get(name)
    return name not in who.closed and (crossing is None or allowed(who.arm, crossing.allows))


@rule("KS-SIT-07", "KS-MSG-04")
def _exposure(way: Way, who: Traveller) -> int:
    """What it costs to come near what is shunned, or into sight on a concealed march, looked at every 50 paces."""
    dangers = _dangers(who)
    if not dangers:
        return 0
    cost = 0
    for a, b in pairwise(way):
        parts = max(1, distance(a, b) // 50)
        cost += sum(_near_danger(between(a, b, k, parts), dangers) for k in range(1, parts + 1))
    return cost


class Roads:
    """The roads of a map as a graph: their points, split at junctions."""

    def __init__(self, terrain: Terrain) -> None:
        self.legs: list[tuple[Point, Point, str]] = []
        self.links: dict[Point, set[Point]] = {}
        for road in terrain.roads:
            points: list[Point] = [road.line[0]]
            for a, b in pairwise(road.line):
                inner = {
                    point
                    for other in terrain.roads
                    if other is not road
                    for point in other.line
                    if point not in (a, b) and lies_on((a, b), point, 1)
                }
                points += [*sorted(inner, key=lambda at: distance(a, at)), b]
            for a, b in pairwise(points):
                self.legs.append((a, b, road.id))
                self.links.setdefault(a, set()).add(b)
                self.links.setdefault(b, set()).add(a)

    def feet(self, at: Point, far: int, only: Iterable[str] = ()) -> list[tuple[Point, Point, Point]]:
        """The nearest place of each road leg within *far*: the place, and the two ends of its leg."""
        names = tuple(only)
        found: dict[str, tuple[int, Point, Point, Point]] = {}
        every: list[tuple[Point, Point, Point]] = []
        for a, b, road in self.legs:
            if names and road not in names:
                continue
            west, south, east, north = min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)
            if not (west - far <= at.x <= east + far and south - far <= at.y <= north + far):
                continue
            lie = gap(Shape((a, b)), dot(at))
            if lie.far <= far and (road not in found or lie.far < found[road][0]):
                found[road] = (lie.far, lie.here, a, b)
        every += [(foot, a, b) for _, foot, a, b in sorted(found.values())]
        return every


def roads_of(terrain: Terrain) -> Roads:
    """The road graph of a map, made once."""
    return terrain.keep("roads", Roads, lambda: Roads(terrain))


_MOST_KEPT = 4000
"""Ways of a map that are kept."""


class Kept:
    """Ways and prices of a map that have been found."""

    def __init__(self) -> None:
        self.ways: dict[tuple[Point, Point, Traveller, tuple[Point, ...], tuple[str, ...]], Way | None] = {}
        self.prices: dict[tuple[Point, Point, Traveller], int | None] = {}


def _kept(terrain: Terrain) -> Kept:
    return terrain.keep("ways", Kept, Kept)


@rule("KS-MOV-18", "KS-MSG-04")
def find(
    terrain: Terrain,
    start: Point,
    end: Point,
    who: Traveller,
    via: tuple[Point, ...] = (),
    roads: tuple[str, ...] = (),
) -> Way | None:
    """The fastest way from *start* to *end*, over the places *via* in their order, and by *roads* where any are named.

    None: there is no way.
    """
    found, key = _kept(terrain).ways, (start, end, who, via, roads)
    if key not in found:
        if len(found) > _MOST_KEPT:
            found.clear()
        found[key] = _over(terrain, (start, *via, end), who, roads)
    return found[key]


def _over(terrain: Terrain, stops: tuple[Point, ...], who: Traveller, roads: tuple[str, ...]) -> Way | None:
    way: list[Point] = [stops[0]]
    for a, b in pairwise(stops):
        if a == b:
            continue
        leg = _between(terrain, a, b, who, roads)
        if leg is None:
            return None
        way += leg[1:]
    return tuple(way)


def _between(terrain: Terrain, a: Point, b: Point, who: Traveller, roads: tuple[str, ...]) -> Way | None:
    if who.arm == "persons" and who.shun:
        plain = _between(terrain, a, b, who._replace(shun=()), roads)
        return _bent(terrain, plain, who) if plain is not None else None
    if roads:
        by_road = _by_roads(terrain, a, b, who, roads, 8000)
        if by_road is not None:
            return by_road
    straight: Way = (a, b)
    options = [] if roads else [straight]
    by_any = _by_roads(terrain, a, b, who, (), 1500)
    if by_any is not None:
        options.append(by_any)
    timed = [(cost, len(way), way) for way in options if (cost := time_of(terrain, way, who)) is not None]
    best = min(timed, default=None)
    crow = distance(a, b) * TWELFTHS * 1000 // (MARCH[who.row]["even"] or 1)
    if best is not None and best[0] <= crow * 13 // 10 + 3000:
        return best[2]
    over = _by_grid(terrain, a, b, who)
    if over is not None:
        cost = time_of(terrain, over, who)
        if cost is not None and (best is None or cost < best[0]):
            return over
    return best[2] if best is not None else None


MOST_BENDS = 6
"""How often a rider's way is bent round what he keeps away from."""


@rule("KS-MSG-04", "KS-MSG-07")
def _bent(terrain: Terrain, way: Way, who: Traveller) -> Way:
    """A rider's way, bent round each danger by the shorter side, where that can be ridden."""
    for _ in range(MOST_BENDS):
        found = _first_danger(way, who)
        if found is None:
            return way
        leg, at, far, foot = found
        toward = bearing(at, foot) if foot != at else (bearing(way[leg], way[leg + 1]) + 9000) % 36000
        bends = []
        for turn in (0, 18000):
            round_ = shifted(at, (toward + turn) % 36000, far * 5 // 4)
            bent = (*way[: leg + 1], round_, *way[leg + 1 :])
            cost = time_of(terrain, bent, who._replace(shun=())) if terrain.on_board(round_) else None
            if cost is not None:
                bends.append((cost, turn, bent))
        if not bends:
            return way
        way = min(bends)[2]
    return way


def _first_danger(way: Way, who: Traveller) -> tuple[int, Point, int, Point] | None:
    """The first leg near something shunned: its number, the thing, how far to keep, where the leg is nearest."""
    for leg, (a, b) in enumerate(pairwise(way)):
        for at, far in who.shun:
            if distance(at, way[0]) <= far or distance(at, way[-1]) <= far:
                continue
            lie = gap(Shape((a, b)), dot(at)) if a != b else None
            if lie is not None and lie.far < far:
                return leg, at, far, lie.here
    return None


def _by_roads(terrain: Terrain, a: Point, b: Point, who: Traveller, only: tuple[str, ...], far: int) -> Way | None:
    """The fastest way along roads, with a straight leg onto them and off them."""
    graph = roads_of(terrain)
    starts, ends = graph.feet(a, far, only), graph.feet(b, far, only)
    if not starts or not ends:
        return None
    if not only:
        # The three nearest roads are enough to come onto them; all junctions lie on some of these.
        starts = sorted(starts, key=lambda foot: distance(a, foot[0]))[:3]
        ends = sorted(ends, key=lambda foot: distance(b, foot[0]))[:3]
    links: dict[Point, set[Point]] = {}

    def join(one: Point, other: Point) -> None:
        if one != other:
            links.setdefault(one, set()).add(other)
            links.setdefault(other, set()).add(one)

    on_leg: dict[tuple[Point, Point], list[Point]] = {}
    for foot, one, other in (*starts, *ends):
        join(foot, one)
        join(foot, other)
        for fellow in on_leg.get((one, other), ()):
            join(foot, fellow)
        on_leg.setdefault((one, other), []).append(foot)
    for foot, _, _ in starts:
        join(a, foot)
    for foot, _, _ in ends:
        join(foot, b)

    def price(one: Point, other: Point) -> int | None:
        return _priced(terrain, one, other, who)

    allowed_legs = {frozenset((one, other)) for one, other, road in graph.legs if not only or road in only}

    def around(at: Point) -> Iterator[Point]:
        for other in graph.links.get(at, ()):
            if frozenset((at, other)) in allowed_legs or not only:
                yield other
        yield from links.get(at, ())

    return cheapest_way(a, b, around, price, lambda at: distance(at, b) * TWELFTHS * 1000 // 900)


def cheapest_way(
    a: Point,
    b: Point,
    around: Callable[[Point], Iterable[Point]],
    price: Callable[[Point, Point], int | None],
    least: Callable[[Point], int],
) -> Way | None:
    """A* between two places; ties by the number of steps, then by the places themselves."""
    open_: list[tuple[int, int, Point]] = [(least(a), 0, a)]
    best: dict[Point, tuple[int, int]] = {a: (0, 0)}
    before: dict[Point, Point] = {}
    done: set[Point] = set()
    while open_:
        _, steps, at = heappop(open_)
        if at == b:
            way = [b]
            while way[-1] != a:
                way.append(before[way[-1]])
            return tuple(reversed(way))
        if at in done:
            continue
        done.add(at)
        spent = best[at][0]
        for other in sorted(around(at)):
            if other in done:
                continue
            cost = price(at, other)
            if cost is None:
                continue
            found = (spent + cost, steps + 1)
            if other not in best or found < best[other]:
                best[other], before[other] = found, at
                heappush(open_, (found[0] + least(other), found[1], other))
    return None


@rule("KS-MOV-18")
def _by_grid(terrain: Terrain, a: Point, b: Point, who: Traveller) -> Way | None:
    """The fastest way over open ground and roads together, on a grid of 50 paces."""
    if not who.open_country:
        return None
    grid = grid_of(terrain)
    even = MARCH[who.row]["even"] or 1
    found = search(
        grid,
        a,
        b,
        rates_of(who.row, on_foot=_climbs(who)),
        fastest(who.row),
        lambda met: toll_of(met, who.arm, even, terrain),
        lambda one, other: _priced(terrain, one, other, who),
        _dangers(who),
    )
    return _smooth(terrain, found, who) if found is not None else None


def grid_of(terrain: Terrain) -> Grid:
    """The grid of a map, laid once."""
    return terrain.keep("grid", Grid, lambda: Grid(terrain, _split(roads_of(terrain))))


def _climbs(who: Traveller) -> bool:
    return who.arm == "persons" or who.row in ("inf_patrol", "skirm_run")


def _dangers(who: Traveller) -> tuple[tuple[int, int, int, int], ...]:
    """What a traveller keeps away from: place, the square of the distance, and what a step there costs more."""
    return (
        *((at.x, at.y, far * far, 20_000) for at, far in who.shun),
        *((at.x, at.y, far * far, 2_000) for at, far in who.seen_from),
    )


def _near_danger(at: Point, dangers: tuple[tuple[int, int, int, int], ...]) -> int:
    return sum(cost for x, y, square, cost in dangers if (at.x - x) ** 2 + (at.y - y) ** 2 < square)


def _priced(terrain: Terrain, one: Point, other: Point, who: Traveller) -> int | None:
    """The time of a leg, looked up, and what it costs more to come near what is shunned."""
    plain = who._replace(shun=(), seen_from=())
    prices, key = _kept(terrain).prices, (one, other, plain)
    if key not in prices:
        if len(prices) > 50 * _MOST_KEPT:
            prices.clear()
        prices[key] = time_of(terrain, (one, other), plain)
    cost = prices[key]
    if cost is None or not (who.shun or who.seen_from):
        return cost
    return cost + _exposure((one, other), who)


def _smooth(terrain: Terrain, way: Way, who: Traveller) -> Way:
    """A way over the grid with the corners taken off that cost nothing."""
    points = list(straightened(way))
    at = 0
    while at + 2 < len(points):
        if _in_river(terrain, points[at]) or _in_river(terrain, points[at + 2]):
            # One comes onto a crossing, and leaves it, by its road.
            at += 1
            continue
        direct = time_of(terrain, (points[at], points[at + 2]), who)
        round_ = time_of(terrain, tuple(points[at : at + 3]), who)
        if direct is not None and round_ is not None and direct <= round_:
            del points[at + 1]
            at = max(at - 1, 0)
        else:
            at += 1
    return tuple(points)


def _in_river(terrain: Terrain, at: Point) -> bool:
    water = terrain.water_at(at)
    return water is not None and water.crossing in ("swim", "none")


def _split(graph: Roads) -> dict[Point, list[Point]]:
    """The roads cut into steps as long as those of the grid."""
    links: dict[Point, list[Point]] = {}
    for a, b, _ in graph.legs:
        parts = -(-distance(a, b) // PATH_GRID) or 1
        for one, other in pairwise(between(a, b, k, parts) for k in range(parts + 1)):
            links.setdefault(one, []).append(other)
            links.setdefault(other, []).append(one)
    return links


def on_road(terrain: Terrain, at: Point) -> bool:
    """Whether a place lies on a road."""
    return terrain.road_at(at, ON_ROAD) is not None


def dearest(pieces: Iterable[Piece]) -> str:
    """The ground of a way in words, for the record: `even 120, wood_light 80`."""
    told: list[tuple[str, int]] = []
    for piece in pieces:
        name = (piece.road and f"{piece.road} road") or piece.area or "open"
        paces = (piece.end - piece.start) // TWELFTHS
        if told and told[-1][0] == name:
            told[-1] = (name, told[-1][1] + paces)
        else:
            told.append((name, paces))
    return ", ".join(f"{name} {paces}" for name, paces in told)
