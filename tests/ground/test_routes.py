"""Finding ways: no dearer than a search of all, round what stands in the way and no longer than need be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.ground.body import Body
from pbem.ground.path import cheapest
from pbem.ground.plane import Point, Shape, distance, dot, gap, holds, inside, line, near, ring
from pbem.ground.routes import Network, straightened, way_round
from pbem.ground.way import length
from tests.ground.planes import bodies, points, stars

ROADS = {
    "high": (Point(0, 500), Point(400, 500), Point(1000, 500)),
    "mill": (Point(400, 0), Point(400, 500), Point(600, 1000)),
    "moor": (Point(1000, 500), Point(1000, 1000), Point(600, 1000)),
}
BOX = (0, 0, 1000, 1000)


def plain(a: Point, b: Point, road: str | None) -> int:
    return distance(a, b)


def on_roads(a: Point, b: Point, road: str | None) -> int:
    return distance(a, b) * (1 if road else 3)


def test_roads_meet_where_they_have_a_point_in_common() -> None:
    assert Network(ROADS, BOX).junctions() == {
        Point(400, 500): ("high", "mill"), Point(600, 1000): ("mill", "moor"), Point(1000, 500): ("high", "moor"),
    }  # fmt: skip


def test_a_way_by_road_is_the_shortest() -> None:
    found = Network(ROADS, BOX).way(Point(400, 0), [Point(600, 1000)], plain)

    assert found == (Point(400, 0), Point(400, 500), Point(600, 1000))


def test_a_closed_road_is_gone_round() -> None:
    def closed(a: Point, b: Point, road: str | None) -> int | None:
        return None if road == "mill" and max(a.y, b.y) > 500 else distance(a, b)

    found = Network(ROADS, BOX).way(Point(400, 0), [Point(600, 1000)], closed)

    assert found is not None
    assert Point(1000, 500) in found


def test_a_place_off_the_roads_comes_on_at_the_nearest_place_of_one() -> None:
    network = Network(ROADS, BOX)
    found = network.way(Point(200, 460), [Point(1000, 800)], plain)

    assert found == (Point(200, 460), Point(200, 500), Point(400, 500), Point(1000, 500), Point(1000, 800)) or (
        found is not None and found[1] == Point(200, 500)
    )
    assert network.way(Point(200, 460), [Point(1000, 800)], plain) == found


def test_no_way_is_none() -> None:
    assert Network({"lone": (Point(0, 0), Point(9, 0))}, BOX).way(Point(0, 0), [Point(9, 0)], lambda *_: None) is None


grid_points = st.builds(Point, *(st.integers(0, 10).map(lambda k: 100 * k) for _ in range(2)))


@settings(max_examples=25)
@given(grid_points, grid_points)
def test_a_way_over_a_grid_is_as_short_as_one_can_be(start: Point, end: Point) -> None:
    found = Network({}, BOX, 100).way(start, [end], plain)
    across, along = sorted((abs(start.x - end.x) // 100, abs(start.y - end.y) // 100))

    assert found is not None
    assert length(found) == 141 * across + 100 * (along - across)


def spent(network: Network, start: Point, end: Point) -> int:
    """What the way from one place to the other costs, by the prices that the network itself has asked."""
    asked: dict[tuple[Point, Point], int] = {}

    def price(a: Point, b: Point, road: str | None) -> int:
        asked[a, b] = on_roads(a, b, road)
        return asked[a, b]

    found = network.way(start, [end], price)
    assert found is not None
    assert (found[0], found[-1]) == (start, end)
    return sum(asked[step] for step in pairwise(found))


@settings(max_examples=25)
@given(points, points)
def test_roads_and_open_ground_together_are_never_dearer_than_open_ground(start: Point, end: Point) -> None:
    both = Network(ROADS, BOX, 100)

    assert spent(both, start, end) <= spent(Network({}, BOX, 100), start, end)
    assert spent(both, start, end) == spent(both, end, start)


@pytest.mark.parametrize("step", [None, 100])
def test_who_stands_on_a_road_goes_on_along_it(step: int | None) -> None:
    network = Network(ROADS, BOX, step)

    assert spent(network, Point(50, 500), Point(370, 501)) == pytest.approx(320, abs=2)
    assert network.way(Point(50, 500), [Point(370, 501)], lambda a, b, road: distance(a, b) if road else None)


def test_a_road_through_a_grid_is_left_where_it_is_best() -> None:
    found = Network(ROADS, BOX, 100).way(Point(0, 500), [Point(700, 200)], on_roads)

    assert found is not None
    assert found[:2] == (Point(0, 500), Point(100, 500))
    assert 300 <= max(at.x for at in found if at.y == 500) <= 700


@settings(max_examples=60)
@example(
    Point(128, 928), Point(927, 270), [Body(Point(655, 637), 0, 1, 271), Body(Point(660, 803), 1962, 129, 112)], 20
)
@example(
    Point(115, 321),
    Point(0, 2),
    [
        Body(Point(2, 0), 39, 1, 3),
        Body(Point(10, 0), 0, 1, 1),
        Body(Point(87, 317), 544, 192, 5),
        Body(Point(409, 305), 1, 371, 33),
    ],
    20,
)
@given(points, points, st.lists(bodies, max_size=4), st.sampled_from([0, 20]))
def test_a_way_round_meets_nothing_and_keeps_clear(start: Point, end: Point, some: list[Body], clear: int) -> None:
    obstacles = [body.shape for body in some]
    found = way_round(start, end, obstacles, clear)

    if found is None:
        return
    assert (found[0], found[-1]) == (start, end)
    for a, b in pairwise(found):
        for shape in obstacles:
            assert not inside(shape, a, b)
            least = min(clear, gap(dot(start), shape).far, gap(dot(end), shape).far)
            assert gap(line((a, b)), shape).far >= least - 1


@settings(max_examples=25, deadline=None)
@given(points, points, stars())
def test_a_way_round_is_no_longer_than_one_over_a_grid(start: Point, end: Point, area: Shape) -> None:
    step = 50
    start, end = (Point(at.x // step * step, at.y // step * step) for at in (start, end))
    if holds(area, start) or holds(area, end):
        return
    names = {
        f"{x:06},{y:06}": Point(x, y)
        for x in range(0, 1001, step)
        for y in range(0, 1001, step)
        if not near(area, dot(Point(x, y)), 4)
    }
    names |= {f"{at.x:06},{at.y:06}": at for at in (start, end)}

    def around(name: str) -> list[str]:
        x, y = names[name]
        beside = ((x + dx, y + dy) for dx in (-step, 0, step) for dy in (-step, 0, step) if dx or dy)
        return [key for to in beside if (key := f"{to[0]:06},{to[1]:06}") in names]

    def cost(one: str, other: str) -> int | None:
        return distance(names[one], names[other]) if not inside(area, names[one], names[other]) else None

    grid = cheapest(f"{start.x:06},{start.y:06}", [f"{end.x:06},{end.y:06}"], around, cost)
    found = way_round(start, end, [area])
    assert found is not None
    if grid:
        # Two grains at each corner that is gone round, and the rounding of each leg.
        assert length(found) <= length([names[name] for name in grid]) + 8 * len(area.points)


def test_a_way_round_a_wall_of_houses_goes_by_its_nearer_end() -> None:
    wall = ring((Point(-10, 400), Point(700, 400), Point(700, 420), Point(-10, 420)))
    found = way_round(Point(500, 0), Point(500, 1000), [wall], 10)

    assert found is not None
    assert len(found) == 4
    assert all(at.x > 710 for at in found[1:-1])
    assert way_round(Point(500, 0), Point(500, 1000), [wall], 10, (0, 0, 705, 1000)) is None


def test_a_way_without_turns_is_its_two_ends() -> None:
    way = (Point(0, 0), Point(10, 10), Point(20, 20), Point(20, 30), Point(20, 20))

    assert straightened(way) == (Point(0, 0), Point(20, 20), Point(20, 30), Point(20, 20))
