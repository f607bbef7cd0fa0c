"""The maps: roads, waters, crossings, areas and places, each against the others and against the measures given."""

from __future__ import annotations

from itertools import combinations

import pytest
from shapely import LineString, MultiLineString, Point, box

from tests.systems.kriegsspiel.ground import MAPS, SCENARIOS, files, height, line, named, polygon, slopes

KINDS = ("area", "water", "crossing", "road", "line", "stronghold", "boats", "entry", "place")

HEIGHTS = {
    "muehlrode": {
        (2500, 4250): 106.5,
        (3620, 3900): 40.8,
        (3700, 3150): 32.0,
        (2595, 4220): 103.5,
        (3350, 1850): 68.5,
        (3350, 1750): 95.5,
    },
    "weldau": {},
}
"""What the rules say of some points."""

SIDES = {
    "muehlrode_sued": [(3500, 3040), (3430, 2950), (3440, 2700), (3960, 2700), (3990, 2960), (3900, 3050)],
    "muehlrode_nordrand": [(3550, 3230), (3560, 3410), (3860, 3400), (3850, 3220)],
    "gruenauer_rand": [(1900, 4950), (3100, 4850), (4300, 5050)],
    "weldau_sued": [(4920, 4460), (4780, 4300), (4800, 3950), (5600, 3950), (5620, 4400), (5480, 4500)],
    "weldau_nordrand": [(5050, 4700), (5060, 4890), (5360, 4880), (5350, 4700)],
}
"""Fronts that are a part of an outline."""

WALLS = {
    "muehlrode": {"friedhofsmauer": "muehlrode_kirche", "oberhofmauer": "oberhof"},
    "weldau": {"kirchmauer": "weldau_kirche", "birkhofmauer": "birkhof", "klostermauer": "klosterhof"},
}
"""Walls, and what they enclose."""

INNER = {
    "muehlrode": [((3600, 2770), "muehlrode_kirche", "muehlrode"), ((7000, 1900), "hagen_kern", "hagen")],
    "weldau": [((5380, 4200), "weldau_kirche", "weldau"), ((9200, 7000), "dickicht", "eichholz")],
}
"""Points that lie in two areas, the inner first."""

WAYS = {
    "muehlrode": [
        ("heerstrasse", (3000, 6000), (3620, 3900), 2225),
        ("heerstrasse", (3000, 6000), (3700, 3150), 2980),
        ("heerstrasse", (3000, 6000), (3760, 2500), 3636),
        ("heerstrasse", (3000, 6000), (4540, 0), 6291),
        ("oststrasse", (6500, 6000), (6350, 2750), 3301),
        ("weststrasse", (1000, 6000), (1500, 3150), 2914),
        ("heerstrasse", (4500, 700), (3700, 3150), 2609),
        ("heerstrasse", (3700, 3150), (3620, 3900), 755),
        ("suedquer", (3760, 2500), (6350, 2400), 2705),
    ],
    "weldau": [
        ("heerstrasse", (5242, 6800), (5200, 4600), 2210),
        ("heerstrasse", (5579, 1900), (5200, 4600), 2736),
    ],
}
"""Paces that the briefings name."""

pytestmark = pytest.mark.parametrize("name", SCENARIOS)


def board(name: str) -> tuple[int, int]:
    head = files(name)["map"]["map"]
    return head["width"], head["height"]


def test_the_relief_covers_the_map(name: str) -> None:
    relief = files(name)["map"]["elevation"]
    width, depth = board(name)
    assert len(relief["rows"]) == depth // relief["spacing"] + 1
    assert {len(row) for row in relief["rows"]} == {width // relief["spacing"] + 1}


def test_heights_are_those_that_the_rules_name(name: str) -> None:
    for at, paces in HEIGHTS[MAPS[name]].items():
        assert height(name, at) == pytest.approx(paces, abs=0.06), at


def test_hills_are_as_high_as_their_names_say(name: str) -> None:
    for place in named(name, "place").values():
        assert height(name, tuple(place["at"])) == pytest.approx(place["height"], abs=1), place["id"]


def test_no_id_stands_twice_and_no_name_is_two_things(name: str) -> None:
    ids = [one for kind in KINDS for one in named(name, kind)]
    shared = {one for one in ids if ids.count(one) > 1}
    assert shared == set()


def test_everything_lies_on_the_map(name: str) -> None:
    ground = box(0, 0, *board(name))
    for kind in KINDS:
        for one in named(name, kind).values():
            for at in one.get("line") or one.get("polygon") or [one["at"]] if "feature" not in one else ():
                assert ground.covers(Point(at)), one["id"]


def test_roads_are_one_net_that_reaches_the_edges(name: str) -> None:
    roads = named(name, "road")
    joined = {
        one: {other for other in roads if set(map(tuple, roads[other]["line"])) & set(map(tuple, roads[one]["line"]))}
        for one in roads
    }
    reached: set[str] = set()
    waiting = [next(iter(roads))]
    while waiting:
        if (one := waiting.pop()) not in reached:
            reached.add(one)
            waiting += joined[one]
    assert reached == set(roads)
    width, depth = board(name)
    ends = [tuple(roads[one]["line"][end]) for one in roads for end in (0, -1)]
    points = {one: set(map(tuple, roads[one]["line"])) for one in roads}
    for end in ends:
        at_edge = end[0] in (0, width) or end[1] in (0, depth)
        assert at_edge or sum(end in one for one in points.values()) > 1, end


def test_where_roads_meet_both_have_the_point(name: str) -> None:
    roads = named(name, "road")
    for one, other in combinations(roads, 2):
        shared = set(map(tuple, roads[one]["line"])) & set(map(tuple, roads[other]["line"]))
        met = line(roads[one]).intersection(line(roads[other]))
        for part in getattr(met, "geoms", [met]):
            if not part.is_empty:
                assert all((x, y) in shared for x, y in part.coords), (one, other, part)


def test_roads_are_nowhere_steeper_than_five_degrees(name: str) -> None:
    for one in named(name, "road").values():
        assert max(slopes(name, line(one))) < 5, one["id"]


def test_every_crossing_lies_on_its_water_and_on_a_road(name: str) -> None:
    for one in named(name, "crossing").values():
        at = Point(one["at"])
        water = named(name, "water")[one["water"]]
        assert line(water).distance(at) < 1, one["id"]
        assert min(line(road).distance(at) for road in named(name, "road").values()) < 1, one["id"]
        assert one["length"] >= water["width"], one["id"]


def test_no_road_crosses_water_but_at_a_crossing(name: str) -> None:
    for road in named(name, "road").values():
        for water in named(name, "water").values():
            met = line(road).intersection(line(water))
            for part in getattr(met, "geoms", [met]):
                if not part.is_empty:
                    assert isinstance(part, Point), (road["id"], water["id"])
                    near = [one for one in named(name, "crossing").values() if Point(one["at"]).distance(part) < 1]
                    assert [one["water"] for one in near] == [water["id"]], (road["id"], water["id"])


def test_waters_run_downhill_into_another_or_off_the_map(name: str) -> None:
    width, depth = board(name)
    waters = named(name, "water")
    directions = {"east": (1, 0), "south": (0, -1), "north": (0, 1)}
    for water in waters.values():
        start, end = water["line"][0], water["line"][-1]
        off = end[0] in (0, width) or end[1] in (0, depth)
        others = [line(one) for one in waters.values() if one is not water]
        assert off or min(one.distance(Point(end)) for one in others) == 0, water["id"]
        way = directions[water["flows_to"]]
        assert (end[0] - start[0]) * way[0] + (end[1] - start[1]) * way[1] > 0, water["id"]
        course = line(water)
        levels = [
            height(name, (point.x, point.y))
            for point in (course.interpolate(step) for step in range(0, int(course.length) + 1, 100))
        ]
        assert levels[0] > levels[-1], water["id"]
        lowest = levels[0]
        for level in levels:
            assert level <= lowest + 1.5, water["id"]
            lowest = min(lowest, level)


def test_the_width_of_a_water_is_that_of_its_kind(name: str) -> None:
    for water in named(name, "water").values():
        assert (water["kind"] == "river") == (water["width"] >= 20), water["id"]


def test_areas_are_closed_and_do_not_cross_themselves_or_each_other(name: str) -> None:
    areas = named(name, "area")
    for one in areas.values():
        assert polygon(one).is_valid, one["id"]
        assert polygon(one).area > 1000, one["id"]
    for one, other in combinations(areas.values(), 2):
        if polygon(one).intersection(polygon(other)).area > 1:
            inner, outer = sorted((one, other), key=lambda area: polygon(area).area)
            assert polygon(outer).covers(polygon(inner)), (one["id"], other["id"])
            assert inner.get("parent") == outer["id"] or {inner["kind"], outer["kind"]} == {"wood_thick", "wood_light"}


def test_built_areas_say_what_they_are_built_of(name: str) -> None:
    for one in named(name, "area").values():
        built = one["kind"] in ("village", "town", "farm")
        assert built == {"buildings", "border", "street_width"}.issubset(one), one["id"]
        assert one.get("parent") in (None, *named(name, "area")), one["id"]


def test_strongholds_are_fronts_of_features_of_the_map(name: str) -> None:
    outlines = {one: LineString(area["polygon"] + area["polygon"][:1]) for one, area in named(name, "area").items()}
    outlines |= {one: line(feature) for one, feature in named(name, "line").items()}
    for one in named(name, "stronghold").values():
        if one["front"] == 0:
            assert one["feature"] in named(name, "crossing"), one["id"]
            continue
        outline = outlines[one["feature"]]
        if one["id"] in SIDES:
            assert set(SIDES[one["id"]]) <= set(outline.coords), one["id"]
            outline = LineString(SIDES[one["id"]])
        # the earthwork is open where the road passes through it
        assert one["front"] == pytest.approx(outline.length, abs=12), one["id"]


def test_lines_follow_what_they_enclose(name: str) -> None:
    for wall, area in WALLS[MAPS[name]].items():
        assert line(named(name, "line")[wall]).equals(polygon(named(name, "area")[area]).exterior), wall


def test_boats_lie_at_a_bank(name: str) -> None:
    waters = [line(water) for water in named(name, "water").values()]
    for boats in named(name, "boats").values():
        assert min(water.distance(Point(boats["at"])) for water in waters) < 80, boats["id"]


def test_entries_lie_on_the_edge_at_the_end_of_a_road(name: str) -> None:
    width, depth = board(name)
    ends = {tuple(road["line"][end]) for road in named(name, "road").values() for end in (0, -1)}
    for entry in named(name, "entry").values():
        x, y = entry["at"]
        assert x in (0, width) or y in (0, depth), entry["id"]
        assert (x, y) in ends, entry["id"]


def test_a_point_lies_in_the_inner_of_two_areas(name: str) -> None:
    areas = named(name, "area")
    for at, inner, outer in INNER[MAPS[name]]:
        assert polygon(areas[inner]).covers(Point(at))
        assert polygon(areas[outer]).covers(Point(at))


def test_ways_are_as_long_as_the_briefings_say(name: str) -> None:
    def along(road: str, a: tuple[int, int], b: tuple[int, int]) -> float:
        way = line(named(name, "road")[road])
        return abs(way.project(Point(a)) - way.project(Point(b)))

    for road, a, b, paces in WAYS[MAPS[name]]:
        assert along(road, a, b) == pytest.approx(paces, abs=1), (road, a, b)


def test_the_river_parts_the_map_in_two(name: str) -> None:
    river = next(line(water) for water in named(name, "water").values() if water["kind"] == "river")
    halves = box(0, 0, *board(name)).difference(river.buffer(1))
    assert len(getattr(halves, "geoms", [])) == 2
    streams = MultiLineString([water["line"] for water in named(name, "water").values() if water["kind"] == "stream"])
    assert streams.length > 2000
