"""The ground: heights, cover and distances where the ledger names them, and all of it on the map."""

from __future__ import annotations

import pytest

from pbem.ground.plane import Point, holds
from pbem.orders.names import name_key
from pbem.systems.crossroads.page.drawing import picture
from pbem.systems.crossroads.page.landscape import AREAS, WAYS, ground_of, whereabouts
from pbem.systems.crossroads.scene.scene import grains
from pbem.systems.crossroads.world.state import FRENCH, GERMAN, Trace
from tests.systems.crossroads.ground import SCENARIOS, field, scene


@pytest.mark.parametrize(
    ("at", "level"),
    [((700, 300), 2), ((600, 300), 1), ((480, 320), 0), ((400, 600), 1), ((720, 620), 1), ((640, 567), 0)],
)
def test_the_level_of_a_place_is_the_number_of_contours_round_it(at: tuple[int, int], level: int) -> None:
    assert field().level_at(grains(Point(*at))) == level


@pytest.mark.parametrize(
    ("unit", "enemy", "cover"),
    [
        ("FR-1", "PR-A1", "hard"),
        ("FR-3", "PR-1", "hard"),
        ("FR-4", "PR-1", "soft"),
        ("FR-5", "PR-2", "hard"),
        ("FR-6", "PR-A2", "none"),
        ("PR-1", "FR-4", "none"),
    ],
)
def test_the_french_stand_behind_what_the_map_gives_them(unit: str, enemy: str, cover: str) -> None:
    here = field()
    assert here.cover_from(here.unit(unit), here.unit(enemy)) == cover


def test_the_heavy_battery_is_24_5_inches_from_the_chasseurs() -> None:
    here = field()
    assert here.inches(here.unit("PR-A1"), here.unit("FR-1")) == 245


@pytest.mark.parametrize("name", SCENARIOS)
def test_contours_are_nested_the_lowest_first(name: str) -> None:
    for hill in scene(name).hills:
        for outer, inner in zip(hill.contours, hill.contours[1:], strict=False):
            assert all(holds(outer, point) for point in inner.points), hill.name


@pytest.mark.parametrize("name", SCENARIOS)
def test_all_of_the_ground_lies_on_the_table(name: str) -> None:
    found = scene(name)
    west, south, east, north = found.board
    shapes = [contour for hill in found.hills for contour in hill.contours]
    shapes += [area.shape for area in found.areas] + [line.shape for line in found.lines]
    for shape in shapes:
        assert all(west <= at.x <= east and south <= at.y <= north for at in shape.points)
    assert all(0 <= one.pos.x <= found.width and 0 <= one.pos.y <= found.height for one in found.places)


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_counts_and_the_exits_are_places_of_the_map(name: str) -> None:
    found = scene(name)
    assert {name_key(one.place) for one in found.held} <= set(found.by_name)
    assert [one.place for one in found.exits] == (["South Road Exit"] if name == "la-folie" else [])


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_area_line_and_name_is_drawn(name: str) -> None:
    found, drawn = scene(name), ground_of(scene(name))
    assert [area.kind for area in drawn.areas] == [
        *["hill"] * sum(len(hill.contours) for hill in found.hills),
        *(AREAS[area.kind] for area in found.areas),
    ]
    ways = [way.kind for way in drawn.ways]
    assert [kind for kind in ways if kind not in ("crest", "bridge")] == [WAYS[line.kind] for line in found.lines]
    assert ways.count("bridge") == sum(len(line.crossings) for line in found.lines)
    assert {one.name for one in found.places} <= {label.text for label in drawn.labels}


def test_the_bridge_crosses_the_brook_along_the_road() -> None:
    drawn = ground_of(scene())
    [(start, end)] = [way.points for way in drawn.ways if way.kind == "bridge"]
    assert abs(start[0] - end[0]) <= 2
    assert 20 <= abs(start[1] - end[1]) <= 24
    assert abs((start[1] + end[1]) // 2 - (720 - 470)) <= 1


def test_a_unit_is_drawn_where_it_stands_with_the_ground_it_covers() -> None:
    [troop] = [one for one in picture(field(), GERMAN, 1).troops if one.label == "PR-1"]
    assert (troop.at, troop.bearing, troop.front, troop.depth) == ((520, 120), 180, 80, 15)
    assert troop.own
    assert not next(one for one in picture(field(), GERMAN, 1).troops if one.label == "FR-1").own


def test_the_cards_on_which_a_unit_acted_stand_at_it() -> None:
    here = field()
    here.battle = type(here.battle)(
        turn=1,
        units=here.battle.units,
        traces=(
            Trace(1, 3, "card", GERMAN, (Point(520, 600),), "PR-1"),
            Trace(1, 12, "card", GERMAN, (Point(520, 600),), "PR-1"),
            Trace(1, 12, "fire", GERMAN, (Point(520, 600), Point(555, 345)), "PR-1", 2),
            Trace(1, 5, "card", FRENCH, (Point(555, 345),), "FR-9"),
        ),
    )
    drawn = picture(here, GERMAN, 1)
    assert {one.label: one.badge for one in drawn.troops if one.badge} == {"PR-1": "3·12"}
    assert [label.at for label in drawn.labels if label.text == "5"] == [(555, 720 - 345)]
    assert [track.kind for track in drawn.tracks] == ["rifle"]


def test_places_are_named_within_six_inches() -> None:
    assert whereabouts(scene(), Point(480, 320)) == "La Folie Crossroads"
    assert whereabouts(scene(), Point(490, 285)) == "near La Folie Crossroads"
    assert whereabouts(scene(), Point(480, 440)) == ""
