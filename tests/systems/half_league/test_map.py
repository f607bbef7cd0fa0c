"""The maps: each line, area and place against the others, and against the measures that the briefings give."""

from __future__ import annotations

import pytest

from pbem.ground.plane import Point, Shape, dot, gap, holds, near, nearest
from pbem.orders.names import name_key
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.tables.printed import INCH, ON_CREST
from pbem.systems.half_league.world.pieces import ALLIED, SIDES
from tests.systems.half_league.ground import SCENARIOS, body, scene

each = pytest.mark.parametrize("name", SCENARIOS)


def shapes(one: Scene) -> dict[str, Shape]:
    """All that lies on the ground, by name and kind."""
    found = {f"{line.kind} {line.name}": line.shape for line in one.lines}
    found |= {f"area {area.name}": area.shape for area in one.areas}
    for hill in one.hills:
        found |= {f"foot of {hill.name}": hill.base, f"crest of {hill.name}": hill.crest}
    return found


@each
def test_everything_lies_on_the_map(name: str) -> None:
    one = scene(name)
    for what, shape in shapes(one).items():
        for at in shape.points:
            assert 0 <= at.x <= one.width, what
            assert 0 <= at.y <= one.height, what
    for place in one.places.values():
        assert holds(Shape((Point(0, 0), Point(one.width, 0), Point(one.width, one.height), Point(0, one.height)),
                           closed=True), place.pos), place.name  # fmt: skip


@each
def test_crossings_lie_on_their_streams(name: str) -> None:
    for line in scene(name).lines:
        for crossing in line.crossings:
            assert line.kind == "stream"
            assert near(line.shape, dot(crossing.at), INCH // 20), crossing.name


@each
def test_every_bridge_has_a_road(name: str) -> None:
    one = scene(name)
    for line in one.lines:
        for crossing in line.crossings:
            if crossing.kind == "bridge":
                assert any(near(road.shape, dot(crossing.at), 0) for road in one.roads), crossing.name


@each
def test_streams_and_roads_leave_the_map_at_both_ends(name: str) -> None:
    one = scene(name)
    for line in one.lines:
        if line.kind in ("stream", "road"):
            for end in (line.shape.points[0], line.shape.points[-1]):
                assert end.x in (0, one.width) or end.y in (0, one.height), line.name


@each
def test_crests_lie_on_their_hills(name: str) -> None:
    for hill in scene(name).hills:
        assert all(holds(hill.base, at) for at in hill.crest.points), hill.name


@each
def test_areas_do_not_overlap(name: str) -> None:
    areas = scene(name).areas
    for number, one in enumerate(areas):
        for other in areas[number + 1 :]:
            assert gap(one.shape, other.shape).number > 0, (one.name, other.name)


@each
def test_the_places_that_count_have_names_and_room(name: str) -> None:
    one = scene(name)
    for aim in one.aims:
        assert name_key(aim.place) in one.places
        assert aim.holder in SIDES


@each
def test_the_flank_line_halves_the_map(name: str) -> None:
    assert scene(name).midline * 2 == scene(name).width


@each
def test_the_allied_have_the_north_at_their_backs(name: str) -> None:
    assert scene(name).edges == {ALLIED: "north", "russian": "south"}


def test_the_first_line_stands_seventeen_inches_from_the_river() -> None:
    river = next(one.shape for one in scene().lines if one.name == "Alma")
    for unit in ("UK-7", "UK-33", "UK-23", "UK-19", "UK-88", "UK-77"):
        front = scene().units[unit].front
        assert 15 * INCH <= front.y - nearest(river, front).y <= 18 * INCH, unit


def test_the_great_redoubt_lies_eight_to_nine_inches_beyond_the_river() -> None:
    river = next(one.shape for one in scene().lines if one.name == "Alma")
    redoubt = scene().places["greatredoubt"].pos
    assert 8 * INCH <= nearest(river, redoubt).y - redoubt.y <= 9 * INCH


def test_the_batteries_of_the_redoubts_stand_behind_their_trenches() -> None:
    trenches = [one.shape for one in scene().lines if one.kind == "trench"]
    for unit in ("RU-A1", "RU-A2"):
        assert any(near(body(scene(), scene().units[unit]).shape, trench, INCH) for trench in trenches), unit


def test_the_battery_of_the_great_redoubt_is_not_on_the_crest() -> None:
    kourgane = next(hill for hill in scene().hills if hill.name == "Kourgane Hill")
    assert not near(kourgane.crest, dot(scene().units["RU-A1"].front), ON_CREST)
