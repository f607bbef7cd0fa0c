"""Continuous ground: distances, containment, meetings and areas, each beside what another library says of it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry

from pbem.ground.bearing import FULL, UNIT, cosine, sine
from pbem.ground.body import Body
from pbem.ground.plane import (
    Point,
    Shape,
    area,
    band,
    bearing,
    between,
    crosses,
    cuts,
    distance,
    dot,
    faces,
    gap,
    holds,
    inside,
    line,
    near,
    nearest,
    overlap,
    pierced,
    ring,
    root,
    shared,
    shifted,
    through,
    within,
)  # fmt: skip
from pbem.ground.scale import Scale
from tests.ground.planes import bearings, bodies, coarse, lines, points, stars

SHAPES = st.one_of(stars(coarse), lines(coarse), coarse.map(dot))


def witness(shape: Shape) -> BaseGeometry:
    """The same shape in the other library."""
    if len(shape.points) == 1:
        return shapely.Point(shape.points[0])
    return shapely.Polygon(shape.points) if shape.closed else shapely.LineString(shape.points)


# ---- Points ----


@given(points, points, points)
def test_distance_is_a_metric_to_the_grain(one: Point, other: Point, third: Point) -> None:
    assert distance(one, one) == 0
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert distance(one, third) <= distance(one, other) + distance(other, third) + 1


@given(points, points, st.integers(0, 1500))
def test_within_is_not_rounded(one: Point, other: Point, far: int) -> None:
    assert within(one, other, far) == ((one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= far**2)


@given(st.integers(0, 10**12), st.integers(1, 10**6))
def test_a_root_is_the_nearest_whole(number: int, by: int) -> None:
    found = root(number, by)

    assert found == 0 or (2 * found - 1) ** 2 * by <= 4 * number
    assert 4 * number <= (2 * found + 1) ** 2 * by


@given(points, bearings, st.integers(100, 100_000))
def test_a_shift_comes_out_where_it_was_sent(at: Point, way: int, far: int) -> None:
    there = shifted(at, way, far)

    assert abs(distance(at, there) - far) <= 1
    assert min((bearing(at, there) - way) % FULL, (way - bearing(at, there)) % FULL) <= math.degrees(1 / far) * 100 + 1
    assert shifted(there, way, -far) == at


@given(points, points, st.integers(1, 50))
def test_parts_of_a_way_begin_and_end_with_it(start: Point, end: Point, of: int) -> None:
    assert between(start, end, 0, of) == start
    assert between(start, end, of, of) == end
    assert between(start, end, 1, 2) == between(end, start, 1, 2) or (start.x + end.x) % 2 or (start.y + end.y) % 2


# ---- Distances ----


@given(SHAPES, SHAPES)
def test_a_gap_is_what_the_other_library_finds(one: Shape, other: Shape) -> None:
    found = gap(one, other)

    assert math.sqrt(found.number / found.by) == pytest.approx(witness(one).distance(witness(other)), abs=1e-9)
    assert gap(other, one).far == found.far
    assert (found.number == 0) == witness(one).intersects(witness(other))


@given(stars(), stars())
def test_the_nearest_points_lie_on_their_shapes_and_are_as_far_apart(one: Shape, other: Shape) -> None:
    found = gap(one, other)

    assert near(one, dot(found.here), 1)
    assert near(other, dot(found.there), 1)
    assert abs(distance(found.here, found.there) - found.far) <= 2


@given(SHAPES, SHAPES, st.integers(0, 12))
def test_near_is_a_gap_that_is_not_rounded(one: Shape, other: Shape, far: int) -> None:
    found = gap(one, other)

    assert near(one, other, far) == (Fraction(found.number, found.by) <= far**2)


@given(stars(), points)
def test_the_nearest_point_of_an_area_is_oneself_inside_it(shape: Shape, at: Point) -> None:
    assert (nearest(shape, at) == at) or not holds(shape, at)


# ---- Inside and across ----


@given(stars(coarse), coarse)
def test_an_area_holds_what_it_covers(shape: Shape, at: Point) -> None:
    assert holds(shape, at) == witness(shape).covers(shapely.Point(at))


@given(lines(coarse), coarse)
def test_a_line_holds_its_own_points_alone(shape: Shape, at: Point) -> None:
    assert holds(shape, at) == (witness(shape).distance(shapely.Point(at)) < 1e-9)


@given(stars(coarse), coarse, coarse)
def test_what_lies_inside_is_as_long_as_the_other_library_says(shape: Shape, start: Point, end: Point) -> None:
    assume(start != end)
    long = math.dist(start, end)
    stretches = inside(shape, start, end)
    exact = witness(shape).intersection(shapely.LineString([start, end])).length

    assert float(sum(last - first for first, last in stretches)) * long == pytest.approx(exact, abs=1e-9)
    assert stretches == [(1 - last, 1 - first) for first, last in reversed(inside(shape, end, start))]
    assert abs(through(shape, start, end) - exact) <= 0.5 + 1e-9


@given(SHAPES, coarse, coarse)
def test_a_way_crosses_what_it_meets(shape: Shape, start: Point, end: Point) -> None:
    way = shapely.LineString([start, end]) if start != end else shapely.Point(start)

    assert crosses(shape, start, end) == (witness(shape).distance(way) < 1e-9)
    assert crosses(shape, start, end) == crosses(shape, end, start)


@given(SHAPES, coarse, coarse)
def test_cuts_lie_on_the_edge(shape: Shape, start: Point, end: Point) -> None:
    shares = cuts(shape, start, end)

    assert shares == sorted(set(shares))
    for share in shares:
        at = shapely.Point(*(float(a + (b - a) * share) for a, b in zip(start, end, strict=True)))
        edge = witness(shape).boundary if shape.closed else witness(shape)
        assert edge.distance(at) < 1e-9


# ---- Areas ----


@given(stars())
def test_an_area_is_as_large_either_way_round(shape: Shape) -> None:
    assert area(shape) == area(ring(reversed(shape.points)))
    assert float(area(shape)) == pytest.approx(witness(shape).area)


@given(bodies, stars())
def test_what_a_footprint_shares_is_what_the_other_library_finds(body: Body, shape: Shape) -> None:
    footprint = body.shape
    exact = witness(footprint).intersection(witness(shape)).area

    assert float(shared(footprint, shape)) == pytest.approx(exact, abs=1e-6)
    assert shared(footprint, footprint) == area(footprint)


@given(bodies, bodies)
def test_footprints_overlap_or_not_whichever_is_asked(one: Body, other: Body) -> None:
    assert overlap(one.shape, other.shape) == overlap(other.shape, one.shape)
    assert shared(one.shape, other.shape) == shared(other.shape, one.shape)


@given(stars())
def test_the_sides_of_an_area_look_outward_either_way_round(shape: Shape) -> None:
    looking = faces(shape)

    assert {(b, a, way) for a, b, way in looking} == set(faces(ring(reversed(shape.points))))
    # What flows out over the edge, were the place itself the speed, is twice the area.
    flow = sum(
        math.dist(a, b) * ((a.x + b.x) / 2 * sine(way) + (a.y + b.y) / 2 * cosine(way)) / UNIT for a, b, way in looking
    )
    assert flow == pytest.approx(2 * float(area(shape)), abs=2000)


def test_footprints_side_by_side_do_not_overlap() -> None:
    left = ring((Point(0, 0), Point(10, 0), Point(10, 5), Point(0, 5)))
    right = ring((Point(10, 0), Point(20, 0), Point(20, 5), Point(10, 5)))

    assert not overlap(left, right)
    assert near(left, right, 0)


@given(st.integers(0, 3000))
def test_bands_include_their_outer_edge(far: int) -> None:
    bounds = (100, 200, 400, 900)
    found = band(far, bounds)

    assert found == next((i for i, bound in enumerate(bounds) if far <= bound), None)


# ---- Text ----

SCALES = st.sampled_from([Scale(1), Scale(10), Scale(100), Scale(1000, 1), Scale(1000, 3)])


@given(SCALES, points)
def test_places_are_read_back_as_they_are_written(scale: Scale, at: Point) -> None:
    written = scale.written(scale.on_grid(at))

    assert scale.point(written) == scale.on_grid(at)
    assert scale.written(at) == written


@given(SCALES, points)
def test_rounding_is_stable(scale: Scale, at: Point) -> None:
    once = scale.on_grid(at)

    assert scale.on_grid(once) == once
    assert 2 * abs(once.x - at.x) * 10**scale.decimals <= scale.grains


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1240,860", (124_000, 86_000)), ("1240, 860", (124_000, 86_000)), ("48.25,3", (4825, 300)),
        ("100,100+50E", (15_000, 10_000)), ("100,100 + 50 bearing 180", (10_000, 5000)),
        ("0,0+100NE", (7071, 7071)), ("-5,0", (-500, 0)),
    ],
)  # fmt: skip
def test_what_a_player_writes_is_read(text: str, place: tuple[int, int]) -> None:
    assert Scale(100).point(text) == place


@pytest.mark.parametrize("text", ["", "12", "1,2,3", "a,b", "1.234,5", "1,2+5", "1,2+N", "1e3,4", "1,2+5UP", ".,."])
def test_what_is_no_place_is_not_guessed(text: str) -> None:
    assert Scale(100).point(text) is None


def test_a_crossing_in_a_corner_is_one_cut() -> None:
    wall = line((Point(0, 0), Point(5, 5), Point(10, 0)))

    assert cuts(wall, Point(5, 0), Point(5, 10)) == [Fraction(1, 2)]


def test_a_way_through_a_footprint_is_told_and_one_that_only_touches_it_is_not() -> None:
    square = ring([Point(10, 10), Point(20, 10), Point(20, 20), Point(10, 20)])

    assert pierced(square, Point(0, 15), Point(40, 15)) == (Fraction(1, 4), Fraction(1, 2))
    assert pierced(square, Point(15, 15), Point(15, 25)) == (Fraction(0), Fraction(1, 2))
    assert pierced(ring(reversed(square.points)), Point(0, 15), Point(40, 15)) == (Fraction(1, 4), Fraction(1, 2))
    assert pierced(square, Point(0, 10), Point(40, 10)) is None
    assert pierced(square, Point(0, 10), Point(10, 20)) is None
    assert pierced(square, Point(0, 0), Point(5, 5)) is None
