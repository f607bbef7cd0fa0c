"""Finding a way: along roads and straight across, and where that is not enough over a grid of 50 paces (KS-MOV-18).

A way is found for one row of the march table, with the crossings that the traveller believes closed.  Least time
first; of ways that take the same, the one with the fewest steps, then the one whose places come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from pbem.ground.plane import Point, Shape, bearing, between, distance, dot, gap, shifted
from pbem.ground.way import straightened
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene import terrain as terrains
from pbem.systems.kriegsspiel.scene.grid import STEP, Grid, Links, Steps, fastest, prices_of, risks, search
from pbem.systems.kriegsspiel.scene.roads import Price, by_roads, roads_of
from pbem.systems.kriegsspiel.tables.knowledge import LINES, STEPPING, WADING

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
    table: str = "p34"
    """The march table in force, by the option `march_table`."""


@rule("KS-ORD-09")
def allowed(arm: str, allows: Sequence[str]) -> bool:
    """Whether a crossing takes an arm (KS-ORD-09)."""
    name = {"train": "wagons", "pioneers": "infantry"}.get(arm, arm)
    return name in allows


@rule("KS-MAP-05", "KS-MAP-06")
def toll_of(met: terrains.Met, arm: str, rate: int, terrain: terrains.Terrain) -> int | None:
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
        case _:  # what can only be swum, or not even that
            return None


class Fares:
    """What legs cost one kind of traveller, in twelfths of a move times a thousand, each worked out once."""

    def __init__(self, terrain: terrains.Terrain, who: Traveller) -> None:
        self.terrain, self._who = terrain, who
        self._even = terrains.even_rate(who.row, who.table) or 1
        self._legs: dict[tuple[Point, Point], tuple[int | None, int | None]] = {}

    def leg(self, a: Point, b: Point) -> tuple[int | None, int | None]:
        """What a leg costs that a way begins with, and one within a way; None: it cannot be gone."""
        found = self._legs.get((a, b))
        if found is None:
            within = self._within(a, b) if a != b else 0
            begins = self._tolls(self.terrain.leg(a, b).begins) if a != b else 0
            found = (None if within is None or begins is None else within + begins), within
            terrains.room_in(self._legs)[a, b] = found
        return found

    def alone(self, a: Point, b: Point) -> int | None:
        """What a way of one leg costs."""
        return self.leg(a, b)[0]

    def way(self, way: Way) -> int | None:
        """What a way costs."""
        total, begun = 0, False
        for a, b in pairwise(way):
            cost = self.leg(a, b)[begun]
            if cost is None:
                return None
            total += cost
            begun = begun or a != b
        return total

    def _within(self, a: Point, b: Point) -> int | None:
        leg, who = self.terrain.leg(a, b), self._who
        total, on_foot = self._tolls(leg.met), _climbs(who)
        for piece in leg.pieces:
            start, end, *_, crossing, _ = piece
            rate = terrains.cell(who.row, piece, table=who.table, on_foot=on_foot)
            if total is None or not rate or (crossing and not _open(self.terrain, crossing, who)):
                return None
            total += (end - start) * 1000 // rate
        return total

    def _tolls(self, every: Iterable[terrains.Met]) -> int | None:
        total = 0
        for met in every:
            toll = self.toll(met)
            if toll is None:
                return None
            total += toll * 1000
        return total

    def toll(self, met: terrains.Met) -> int | None:
        """What it costs to pass a line or a water."""
        return toll_of(met, self._who.arm, self._even, self.terrain)

    @cached_property
    def links(self) -> Links:
        """The steps of the grid."""
        prices = prices_of(self._who.row, self._who.table, on_foot=_climbs(self._who))
        return Links(grid_of(self.terrain), prices, self.toll, self.alone)


MOST_FARES = 50
"""Kinds of traveller for whom fares are kept."""


class _Kept:
    """Ways and fares of a map that have been found."""

    def __init__(self) -> None:
        self.ways: dict[tuple[Point, Point, Traveller, tuple[Point, ...], tuple[str, ...]], Way | None] = {}
        self.legs: dict[tuple[Point, Point, Traveller, tuple[str, ...]], Way | None] = {}
        self.fares: dict[tuple[str, str, str, frozenset[str]], Fares] = {}


def _kept(terrain: terrains.Terrain) -> _Kept:
    return terrain.keep("ways", _Kept, _Kept)


def _fares(terrain: terrains.Terrain, who: Traveller) -> Fares:
    found, key = _kept(terrain).fares, (who.row, who.table, who.arm, who.closed)
    if key not in found:
        terrains.room_in(found, MOST_FARES)[key] = Fares(terrain, who)
    return found[key]


@rule("KS-MOV-04", "KS-ORD-09")
def time_of(terrain: terrains.Terrain, way: Way, who: Traveller) -> int | None:
    """Twelfths of a move, times a thousand, that a way takes; None: it cannot be gone."""
    cost = _fares(terrain, who).way(way)
    return None if cost is None else cost + _exposure(way, who)


@rule("KS-ORD-09")
def _open(terrain: terrains.Terrain, name: str, who: Traveller) -> bool:
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


@rule("KS-MOV-18", "KS-MSG-04")
def find(
    terrain: terrains.Terrain,
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
        terrains.room_in(found, terrains.MOST_WAYS)[key] = _over(terrain, (start, *via, end), who, roads)
    return found[key]


def _over(terrain: terrains.Terrain, stops: tuple[Point, ...], who: Traveller, roads: tuple[str, ...]) -> Way | None:
    way: list[Point] = [stops[0]]
    for a, b in pairwise(stops):
        if a == b:
            continue
        leg = _between(terrain, a, b, who, roads)
        if leg is None:
            return None
        way += leg[1:]
    return tuple(way)


def _between(terrain: terrains.Terrain, a: Point, b: Point, who: Traveller, roads: tuple[str, ...]) -> Way | None:
    if who.arm == "persons" and who.shun:
        plain = _between(terrain, a, b, who._replace(shun=()), roads)
        return _bent(terrain, plain, who) if plain is not None else None
    found, key = _kept(terrain).legs, (a, b, who, roads)
    if key not in found:
        terrains.room_in(found, terrains.MOST_WAYS)[key] = _fastest(terrain, a, b, who, roads)
    return found[key]


def _fastest(terrain: terrains.Terrain, a: Point, b: Point, who: Traveller, roads: tuple[str, ...]) -> Way | None:
    price = _price(terrain, who)
    if roads:
        by_road = by_roads(terrain, a, b, price, roads, 8000)
        if by_road is not None:
            return by_road
    straight: Way = (a, b)
    options = [] if roads else [straight]
    by_any = by_roads(terrain, a, b, price, (), 1500)
    if by_any is not None:
        options.append(by_any)
    timed = [(cost, len(way), way) for way in options if (cost := time_of(terrain, way, who)) is not None]
    best = min(timed, default=None)
    crow = distance(a, b) * terrains.TWELFTHS * 1000 // (terrains.even_rate(who.row, who.table) or 1)
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
def _bent(terrain: terrains.Terrain, way: Way, who: Traveller) -> Way:
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
    shun = [one for one in who.shun if distance(one[0], way[0]) > one[1] and distance(one[0], way[-1]) > one[1]]
    for leg, (a, b) in enumerate(pairwise(way)):
        for at, far in shun:
            lie = gap(Shape((a, b)), dot(at)) if a != b and terrains.lies_on((a, b), at, far) else None
            if lie is not None and lie.far < far:
                return leg, at, far, lie.here
    return None


@rule("KS-MOV-18")
def _by_grid(terrain: terrains.Terrain, a: Point, b: Point, who: Traveller) -> Way | None:
    """The fastest way over open ground and roads together, on a grid of 50 paces."""
    if not who.open_country:
        return None
    links, price = _fares(terrain, who).links, _price(terrain, who)
    grid, dangers = links.grid, _dangers(who)
    risk = risks(grid, dangers)

    def within(node: int) -> Steps:
        """The steps from a place, with what it costs more to come near what is shunned."""
        (open_, costs), (along, more) = links.open(node), links.roads(node)
        here = grid.places[node]
        seen = [_exposure((here, grid.places[other]), who) for other in along]
        ends = (*open_, *along)
        exposed = (*costs, *(cost + extra * STEP for cost, extra in zip(more, seen, strict=True)))
        return ends, [cost + risk.get(other, 0) * STEP for other, cost in zip(ends, exposed, strict=True)]

    last = {node: cost for node in grid.near(b) if (cost := price(grid.places[node], b)) is not None}
    first = {
        node: cost + risk.get(node, 0)
        for node in grid.near(a)
        if last and (cost := price(a, grid.places[node])) is not None
    }
    found = search(grid, first, last, b, fastest(who.row, who.table), within if dangers else links.every)
    if found is None:
        return None
    way = (a, *found, b)
    return _smooth(terrain, tuple(at for i, at in enumerate(way) if i == 0 or at != way[i - 1]), who)


def grid_of(terrain: terrains.Terrain) -> Grid:
    """The grid of a map, laid once."""
    return terrain.keep("grid", Grid, lambda: Grid(terrain, roads_of(terrain).split()))


@rule("KS-MOV-02")
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


def _price(terrain: terrains.Terrain, who: Traveller) -> Price:
    """What a leg costs a traveller, and what more to come near what is shunned."""
    fares = _fares(terrain, who)
    if not (who.shun or who.seen_from):
        return fares.alone

    def price(a: Point, b: Point) -> int | None:
        cost = fares.alone(a, b)
        return None if cost is None else cost + _exposure((a, b), who)

    return price


def _smooth(terrain: terrains.Terrain, way: Way, who: Traveller) -> Way:
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


@rule("KS-MAP-06")
def _in_river(terrain: terrains.Terrain, at: Point) -> bool:
    water = terrain.water_at(at)
    return water is not None and water.crossing in ("swim", "none")


@rule("KS-MAP-07")
def on_road(terrain: terrains.Terrain, at: Point) -> bool:
    """Whether a place lies on a road."""
    return terrain.road_at(at, terrains.ON_ROAD) is not None


def dearest(pieces: Iterable[terrains.Piece]) -> str:
    """The ground of a way in words, for the record: `even 120, wood_light 80`."""
    told: list[tuple[str, int]] = []
    for piece in pieces:
        name = (piece.road and f"{piece.road} road") or piece.area or "open"
        paces = (piece.end - piece.start) // terrains.TWELFTHS
        if told and told[-1][0] == name:
            told[-1] = (name, told[-1][1] + paces)
        else:
            told.append((name, paces))
    return ", ".join(f"{name} {paces}" for name, paces in told)
