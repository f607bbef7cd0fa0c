"""Heights and lines of sight: beside a plain reckoning in floats, and the same from either end."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from pbem.ground.heights import Heights, contours
from pbem.ground.plane import Point, Shape, bearing, between, distance, dot, line, near, ring
from pbem.ground.sight import Blocks, Hidden, Screen, hidden, sees
from tests.ground.planes import lines, points, stars

fields = st.lists(st.lists(st.integers(0, 60), min_size=6, max_size=6).map(tuple), min_size=6, max_size=6).map(
    lambda rows: Heights(200, tuple(rows))
)
FLAT = Heights(200, ((0,) * 6,) * 6)
screens = st.builds(Screen, st.one_of(stars(), lines()), st.integers(0, 20), st.integers(0, 200))


@given(fields, points)
def test_a_height_is_bilinear(ground: Heights, at: Point) -> None:
    i, j = min(at.x // 200, 4), min(at.y // 200, 4)
    u, v = Fraction(at.x - 200 * i, 200), Fraction(at.y - 200 * j, 200)
    (a, b), (c, d) = (ground.rows[j][i : i + 2], ground.rows[j + 1][i : i + 2])
    exact = (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v

    assert abs(ground.at(at) - exact) <= Fraction(1, 2)


@given(fields, points, points)
def test_a_slope_down_is_the_slope_up(ground: Heights, start: Point, end: Point) -> None:
    assert ground.slope(start, end) == -ground.slope(end, start)
    assert -9000 <= ground.slope(start, end) <= 9000


@given(fields, st.integers(1, 60))
def test_contours_lie_at_their_height_and_part_high_from_low(ground: Heights, height: int) -> None:
    for contour in contours(ground, height):
        for at in contour:
            # On an edge between posts the ground is straight.
            assert abs(ground.at(at) - height) <= 1
        assert contour[0] == contour[-1] or all(
            at.x in (0, 1000) or at.y in (0, 1000) for at in (contour[0], contour[-1])
        )


def test_a_hill_has_one_contour_with_the_height_on_its_right() -> None:
    hill = Heights(10, ((0, 0, 0), (0, 8, 0), (0, 0, 0)))

    assert contours(hill, 4) == [(Point(10, 5), Point(5, 10), Point(10, 15), Point(15, 10), Point(10, 5))]


def told(ground: Heights, eye: tuple[Point, int], target: tuple[Point, int], some: list[Screen]) -> bool:
    seen = hidden(ground, eye, target, some, 50) is None
    assert sees(ground, eye, target, some, 50) == seen
    return seen


@example(Heights(200, ((3, 0), (0, 0))), Point(0, 0), Point(1, 65), 0, [])
@given(fields, points, points, st.integers(0, 6), st.lists(screens, max_size=3))
def test_who_sees_is_seen_at_the_same_height(
    ground: Heights, one: Point, other: Point, up: int, some: list[Screen]
) -> None:
    assert told(ground, (one, up), (other, up), some) == told(ground, (other, up), (one, up), some)


@given(fields, points, points, st.integers(0, 6), st.integers(0, 6))
def test_the_ground_hides_where_a_plain_reckoning_says_so(
    ground: Heights, start: Point, end: Point, up: int, over: int
) -> None:
    count = max(1, -(-distance(start, end) // 50))
    one, other = sorted((start, end))
    floor = [ground.at(between(one, other, k, count)) for k in range(count + 1)][:: 1 if start == one else -1]
    first, last = floor[0] + up, floor[-1] + over
    clear = all(floor[k] <= first + Fraction((last - first) * k, count) for k in range(1, count))

    assert told(ground, (start, up), (end, over), []) == clear


@given(fields, points, points, st.integers(0, 4), st.lists(screens, max_size=3))
def test_a_higher_eye_sees_no_less(ground: Heights, start: Point, end: Point, up: int, some: list[Screen]) -> None:
    if told(ground, (start, up), (end, 2), some):
        assert told(ground, (start, up + 5), (end, 2), some)


WOOD = ring((Point(300, 0), Point(500, 0), Point(500, 1000), Point(300, 1000)))


def test_a_wood_hides_what_is_deeper_behind_than_one_can_look() -> None:
    eye, target = (Point(0, 500), 3), (Point(1000, 500), 2)

    assert hidden(FLAT, eye, target, [Screen(WOOD, 8, 199)], 50) == Hidden(300, 0)
    assert hidden(FLAT, eye, target, [Screen(WOOD, 8, 200)], 50) is None
    assert hidden(FLAT, eye, target, [Screen(WOOD, 2)], 50) is None
    assert hidden(FLAT, eye, (Point(340, 500), 2), [Screen(WOOD, 8, 50)], 50) is None


def test_a_wall_hides_what_does_not_look_over_it() -> None:
    wall = line((Point(500, 0), Point(500, 1000)))

    assert hidden(FLAT, (Point(0, 500), 3), (Point(1000, 500), 2), [Screen(wall, 4)], 50) == Hidden(500, 0)
    assert hidden(FLAT, (Point(0, 500), 6), (Point(1000, 500), 2), [Screen(wall, 4)], 50) is None


spots = st.builds(Point, st.integers(-900, 900), st.integers(-900, 900))
triangles = st.lists(spots, min_size=3, max_size=3, unique=True).filter(
    lambda corners: bearing(corners[0], corners[1]) % 18000 != bearing(corners[0], corners[2]) % 18000
)


@given(st.lists(triangles, max_size=6), spots, spots)
def test_what_is_prepared_meets_a_line_as_each_area_by_itself_does(
    corners: list[list[Point]], start: Point, end: Point
) -> None:
    shapes = [ring(one) for one in corners]
    blocks = Blocks(shapes, cell=100)
    met = [
        number
        for number, shape in enumerate(shapes)
        if near(shape, Shape((start, end)) if start != end else dot(start), 0)
    ]

    assert blocks.met(start, end) == met
    assert blocks.clear(start, end) == (not met)
