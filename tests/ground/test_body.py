"""Bodies: footprints as the rules print them, turning about what stays, arcs, stands, room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.bearing import DEGREE, FULL, HALF, off, opposite, turned
from pbem.ground.body import (
    Body,
    Wing,
    about,
    aims,
    aspect,
    away,
    disc,
    faced,
    in_arc,
    lane,
    moved,
    on_board,
    resultant,
    sector,
    slid,
    stands,
    wheeled,
)  # fmt: skip
from pbem.ground.plane import Point, area, bearing, distance, holds, overlap, within
from pbem.ground.scale import Scale
from tests.ground.planes import bearings, bodies, points

INCHES = Scale(1000, 1)


def at(text: str) -> Point:
    found = INCHES.point(text)
    assert found is not None
    return found


def corners(body: Body) -> list[str]:
    return [INCHES.written(corner) for corner in body.shape.points]


def test_a_line_of_five_stands_looking_south_covers_what_the_rules_print() -> None:
    body = Body(at("61,67"), 180 * DEGREE, 7500, 1000)

    assert [(corner.x, corner.y) for corner in body.shape.points] == [
        (64_750, 67_000), (57_250, 67_000), (57_250, 68_000), (64_750, 68_000),
    ]  # fmt: skip
    assert [place.x for place in stands(body, 5, 1500)] == [64_000, 62_500, 61_000, 59_500, 58_000]


def test_a_line_turned_to_the_east_covers_what_the_rules_print() -> None:
    body = Body(at("52,60"), 90 * DEGREE, 8000, 1500)

    assert corners(body) == ["52.0,64.0", "52.0,56.0", "50.5,56.0", "50.5,64.0"]


def test_the_stand_whose_corner_lies_on_the_edge_of_its_arc_fires() -> None:
    shooters = stands(Body(at("61,67"), 180 * DEGREE, 7500, 1000), 5, 1500)
    enemy = Body(at("46,58"), 0, 3000, 3000)
    best = [min(off(180 * DEGREE, bearing(one, aim)) for aim in aims(enemy.shape)) for one in shooters]

    assert [round(one / DEGREE, 1) for one in best] == [54.0, 51.3, 48.4, 45.0, 41.2]
    assert [any(in_arc(one, 180 * DEGREE, aim, 45 * DEGREE) for aim in aims(enemy.shape)) for one in shooters] == [
        False, False, False, True, True,
    ]  # fmt: skip


@given(bodies, bearings)
def test_what_turns_about_its_front_keeps_the_middle_of_it(body: Body, facing: int) -> None:
    there = faced(body, facing)

    assert there.at == body.at
    assert faced(there, body.facing) == body
    assert abs(area(there.shape) - body.front * body.depth) <= 2 * (body.front + body.depth)


@given(bodies, st.integers(-90 * DEGREE, 90 * DEGREE))
def test_a_wheel_keeps_its_inner_wing_to_the_grain(body: Body, by: int) -> None:
    wing: Wing = "right" if by > 0 else "left"
    other: Wing = "left" if by > 0 else "right"
    there = wheeled(body, by)

    assert there.wing(wing) == body.wing(wing)
    assert there.facing == turned(body.facing, by)
    assert abs(distance(there.wing(other), there.wing(wing)) - body.front) <= 1


@given(bodies)
def test_opposite_sides_of_a_footprint_are_equal_to_the_grain(body: Body) -> None:
    a, b, c, d = body.shape.points

    assert (b.x - a.x, b.y - a.y) == (c.x - d.x, c.y - d.y)
    assert (d.x - a.x, d.y - a.y) == (c.x - b.x, c.y - b.y)


@given(bodies)
def test_turned_about_twice_it_stands_as_before(body: Body) -> None:
    there = about(body)

    assert there.at == body.rear
    assert there.facing == opposite(body.facing)
    assert about(there) == body


@given(bodies, bearings, st.integers(0, 1000))
def test_moved_there_and_back_it_stands_as_before(body: Body, way: int, far: int) -> None:
    assert moved(moved(body, way, far), opposite(way), far) == body


@given(points, bearings, points, st.sampled_from([8, 12, 16]))
def test_arcs_side_by_side_cover_the_circle(spot: Point, facing: int, target: Point, parts: int) -> None:
    half = FULL // parts // 2
    arcs = [in_arc(spot, turned(facing, FULL // parts * k), target, half) for k in range(parts)]

    assert any(arcs)
    assert sum(arcs) <= 2 or spot == target


@given(bodies, points, st.sampled_from([(45, 135), (60, 135)]))
def test_front_flank_and_rear_cover_the_circle(body: Body, spot: Point, limits: tuple[int, int]) -> None:
    front, rear = (limit * DEGREE for limit in limits)
    aside = off(body.facing, bearing(body.middle, spot))

    assert aspect(body, spot, front=front, rear=rear) == (
        "front" if aside <= front else "flank" if aside <= rear else "rear"
    )


def test_a_new_footprint_slides_the_shorter_way_as_in_the_rules() -> None:
    neighbour = Body(at("53.5,69"), 180 * DEGREE, 3000, 4500)
    line = Body(at("57.5,69"), 180 * DEGREE, 7500, 1000)
    found = slid(line, [neighbour.shape], 2000, 50)

    assert found is not None
    assert found.at == at("58.75,69")
    assert slid(line, [neighbour.shape], 1200, 50) is None


@given(bodies, bodies)
def test_what_has_slid_is_free_and_on_the_board(body: Body, other: Body) -> None:
    board = (0, 0, 1000, 1000)
    found = slid(body, [other.shape], 300, 50, board)

    if found is not None:
        assert not overlap(found.shape, other.shape)
        assert on_board(found, board)
        assert distance(body.at, found.at) <= 301


def test_away_from_two_is_between_their_backs() -> None:
    assert away(Point(0, 0), [Point(-100, 100), Point(100, 100)]) == HALF
    assert away(Point(0, 0), [Point(0, 100), Point(0, -100)]) is None
    assert resultant([0, 9000]) == 4500


@given(points, bearings, st.integers(1, HALF - 1), st.integers(0, 400), st.integers(1, 500), points)
def test_a_sector_holds_what_is_in_arc_and_range(
    spot: Point, facing: int, half: int, least: int, deep: int, target: Point
) -> None:
    far = least + deep
    drawn = sector(spot, facing, half, far, least)
    # The chords lie within a hundredth of the radius of the curve, and the edges within a grain.
    slack = far // 100 + 3
    aside = off(facing, bearing(spot, target))
    away_by = distance(spot, target)
    if abs(away_by - far) > slack and abs(away_by - least) > slack and away_by * abs(aside - half) > 18_000:
        assert holds(drawn, target) == (in_arc(spot, facing, target, half) and least <= away_by <= far)


@given(points, st.integers(1, 500), points)
def test_a_disc_holds_what_is_within_reach(spot: Point, far: int, target: Point) -> None:
    if abs(distance(spot, target) - far) > far // 100 + 3:
        assert holds(disc(spot, far), target) == within(spot, target, far)


@given(points, points, st.integers(2, 200))
def test_a_lane_holds_the_line_it_is_laid_on(start: Point, end: Point, width: int) -> None:
    if distance(start, end) > 10:
        strip = lane(start, end, width)
        assert holds(strip, Point((start.x + end.x) // 2, (start.y + end.y) // 2))
        assert float(area(strip)) == pytest.approx(distance(start, end) * width, rel=0.6)
