"""Hex maps: a sample with one of everything, and what must hold for any."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.ground.hexes import Hex, within
from pbem.ground.honeycomb import box_of, middle
from pbem.ground.picture import Flag, Label, Mark, Picture, Site, Stack, Track, Way
from pbem.reports.drawing.boxes import shared
from pbem.reports.drawing.colours import LIGHT, baked_css, drawing_css
from pbem.reports.drawing.frame import HEX_PX, frame_of
from pbem.reports.drawing.labels import width
from pbem.reports.drawing.png import png
from pbem.reports.hexes.map import board
from pbem.reports.hexes.stacks import stand
from pbem.reports.hexes.style import LETTERS, baked_hex_css, hex_css
from pbem.reports.maps.maps import draw, enlargement, sheet
from pbem.resources import resources
from tests.kit.hexes import BOARD, HEX_MAP, at
from tests.kit.plate import PLATE

Golden = Callable[[Path, bytes], None]
BARE = replace(HEX_MAP, ways=(), areas=(), tints=(), sites=(), stacks=(), tracks=(), marks=(), labels=())


def test_the_sheet_is_as_committed(golden: Golden, kept: Path) -> None:
    golden(kept / "map-hexes.svg", sheet(HEX_MAP).encode())


def test_the_picture_of_a_letter_is_as_committed(fonts: Path, golden: Golden, kept: Path) -> None:
    golden(kept / "map-hexes.png", png(enlargement(HEX_MAP), fonts, width=1104))


@pytest.mark.parametrize("picture", [HEX_MAP, BARE, replace(HEX_MAP, focus=None)], ids=["full", "bare", "no focus"])
def test_a_sheet_stands_alone_as_xml(picture: Picture) -> None:
    for svg in (sheet(picture), enlargement(picture)):
        ElementTree.fromstring(svg)  # our own output, no stranger's
        assert "var(" not in svg
        assert "nan" not in svg
        assert not re.search(r"href|url\((?!#map-)", svg)


def test_every_class_that_is_drawn_has_a_style() -> None:
    css = baked_css() + baked_hex_css()
    body = re.sub(r"<style>.*?</style>", "", sheet(HEX_MAP))
    names = {name for css_class in re.findall(r"class=\"([^\"]+)\"", body) for name in css_class.split()}

    assert {name for name in names if not re.search(rf"\.{name}\b", css)} == set()


def test_every_style_is_drawn_somewhere() -> None:
    drawn = sheet(HEX_MAP) + enlargement(HEX_MAP)
    body = re.sub(r"<style>.*?</style>", "", drawn)

    assert {name for name in re.findall(r"\.(hx-[\w-]+)", hex_css()) if name not in body} == set()


def test_a_page_and_its_hex_maps_do_not_share_classes() -> None:
    page = (resources("templates") / "style.css").read_text()
    own = set(re.findall(r"\.(hx-[a-z][\w-]*)", hex_css()))

    assert own
    assert not own & set(re.findall(r"\.([a-z][\w-]*)", page + drawing_css()))


def test_hex_maps_use_no_colour_but_the_sets() -> None:
    assert not re.search(r"#[0-9A-Fa-f]{6}\b", re.sub(r"<style>.*?</style>", "", sheet(HEX_MAP)))
    assert set(re.findall(r"#[0-9A-F]{6}", baked_hex_css())) <= set(LIGHT.values())


def test_other_maps_carry_nothing_of_it() -> None:
    assert "hx-" not in sheet(PLATE) + draw(PLATE).whole


def test_a_map_in_a_page_follows_its_theme_and_brings_its_patterns() -> None:
    drawn = draw(HEX_MAP, "m")
    used = set(re.findall(r"url\(#([^)]+)\)", drawn.whole + "".join(sample for sample, _ in drawn.key)))

    assert "var(--open)" in drawn.whole
    assert used
    assert used <= set(re.findall(r"<pattern id=\"([^\"]+)\"", drawn.whole))


def test_names_are_escaped_wherever_they_stand() -> None:
    nasty = "<b>&\"'\x00"
    picture = replace(
        HEX_MAP,
        sites=(Site("town", at("2306"), nasty),),
        stacks=(Stack("first", at("2306"), 3, staff=(Flag(nasty, "corps"),)),),
        labels=(Label(nasty, at("2206"), "country"),),
        ways=(Way("river", HEX_MAP.ways[0].points, name=nasty),),
    )

    assert "<b>" not in sheet(picture) + draw(picture).whole
    ElementTree.fromstring(sheet(picture))


def test_the_key_shows_what_the_map_uses_and_no_more() -> None:
    words = " ".join(text for _, text in draw(HEX_MAP).key)
    for said in (
        "German headquarters, strength", "German, strength not known", "Headquarters of an army", "On a train",
        "French fortress besieged", "Land in German hands", "German zone of control", "Went by rail", "Mountain",
    ):  # fmt: skip
        assert said in words
    assert draw(BARE).key == ()


def test_every_hex_shows_its_number_once() -> None:
    shown = re.findall(r'<text class="hx-number"[^>]*>(\d{4})<', draw(BARE).whole)

    assert sorted(shown) == list(BOARD)


def test_few_numbers_stand_on_the_whole_map_and_all_where_it_is_seen_nearer() -> None:
    page = draw(HEX_MAP)
    few = re.findall(r'<text class="hx-few"[^>]*>(\d{4})<', page.whole)

    assert few
    assert all(int(one[:2]) % 2 == int(one[2:]) % 2 == 1 for one in few)
    for svg, shown, hidden in ((sheet(HEX_MAP), "few", "number"), (enlargement(HEX_MAP), "number", "few")):
        assert re.search(rf"\.hx-{shown}{{[^}}]*display:inline}}", svg)
        assert re.search(rf"\.hx-{hidden}{{[^}}]*display:none}}", svg)


def test_a_hex_is_as_wide_as_it_should_be() -> None:
    frame = frame_of(HEX_MAP)
    (left, _), (right, _) = frame.at(at("2305")), frame.at(at("2405"))

    assert round(right - left, 6) == HEX_PX


def test_troops_of_one_hex_do_not_cover_each_other() -> None:
    stood, sited = stand(HEX_MAP, frame_of(HEX_MAP), "m")
    garrison, besieger = (one for one in stood if one.stack.at == at("2408"))
    (badge,) = (one for one in sited if one.site.at == at("2408"))

    assert garrison.stack.inside
    assert garrison.box[3] <= besieger.box[1] + 1, "those shut in stand above those outside"
    assert shared(garrison.box, besieger.box) == 0
    assert shared(badge.box, garrison.box) < 20


@given(st.lists(st.sampled_from(list(BOARD)), unique=True, max_size=40), st.integers(0, 16))
def test_names_of_towns_keep_to_their_hex_and_off_the_troops(hexes: list[Hex], strength: int) -> None:
    stacks = tuple(Stack("first", middle(one), strength, staff=(Flag("F1", "corps"),)) for one in hexes)
    towns = tuple(Site("town", middle(one), f"Town {one}") for one in BOARD if one[:2] in ("22", "25"))
    drawn = board(replace(BARE, stacks=stacks, sites=towns), "m")
    frame = frame_of(BARE)
    put = re.findall(r'<text class="hx-town" x="([\d.-]+)" y="([\d.-]+)">Town (\d{4})<', drawn)

    assert sorted(name for _, _, name in put) == sorted(one for one in BOARD if one[:2] in ("22", "25"))
    for x, y, name in put:
        across, down = frame.at(middle(Hex(name)))
        assert abs(float(x) - across) <= (HEX_PX / 2 if name in hexes else HEX_PX * 1.2)
        assert abs(float(y) - down) <= 34


def test_a_village_goes_without_its_name_where_there_is_no_room() -> None:
    led = (Flag("CR12", "corps"),)
    around = within(Hex("2406"), 2)
    crowd = tuple(Stack(side, middle(one), 12, worn=6, staff=led) for one in around for side in ("first", "second"))
    for kind, shown in (("town", 1), ("village", 0)):
        site = Site("town" if kind == "town" else "village", at("2406"), "Sarreguemines")
        assert board(replace(BARE, sites=(site,), stacks=crowd), "m").count("Sarreguemines") == shown


def test_two_names_side_by_side_are_not_read_as_one() -> None:
    towns = (Site("town", at("2306"), "Metz"), Site("town", at("2406"), "Hagondange"))
    drawn = board(replace(BARE, sites=towns, focus=None), "m")
    (x, y), (other_x, other_y) = (
        map(float, place)
        for name in ("Metz", "Hagondange")
        for place in re.findall(rf'x="([\d.-]+)" y="([\d.-]+)">{name}<', drawn)
    )

    between = other_x - x - width("Metz", LETTERS["town"].whole) / 2 - width("Hagondange", LETTERS["town"].whole) / 2
    assert between >= 3 or abs(other_y - y) >= 9


def test_a_river_is_named_once_and_upright() -> None:
    drawn = draw(HEX_MAP).whole

    assert drawn.count(">Saar<") == 1
    turns = [float(turn) for turn in re.findall(r'rotate\(([\d.-]+)\)"><text class="hx-river"', drawn)]
    assert turns
    assert all(-90 <= turn <= 90 for turn in turns)


def _march(drawn: str) -> list[list[tuple[float, float]]]:
    paths = re.findall(r'<path class="hx-march" d="([^"]+)"', drawn)
    return [[(float(x), float(y)) for x, y in re.findall(r"([\d.-]+) ([\d.-]+)", path)] for path in paths]


def test_two_marches_along_one_way_lie_beside_each_other() -> None:
    there = Track("move", "first", (at("2305"), at("2306")))
    back = Track("move", "second", (at("2306"), at("2305")))
    one, other = _march(board(replace(BARE, tracks=(there, back)), "m"))

    assert abs(one[0][0] - other[-1][0]) + abs(one[0][1] - other[-1][1]) > 3


def test_a_march_ends_at_the_troops_that_made_it() -> None:
    stack = Stack("first", at("2306"), 12, staff=(Flag("F1", "corps"),))
    track = Track("move", "first", (at("2304"), at("2305"), at("2306")))
    picture = replace(BARE, stacks=(stack,), tracks=(track,))
    (points,) = _march(board(picture, "m"))
    ((box,), _) = ([one.box for one in some] for some in stand(picture, frame_of(picture), "m"))
    x, y = points[-1]

    assert not (box[0] < x < box[2] and box[1] < y < box[3])


def test_a_railway_that_two_lines_share_is_drawn_once() -> None:
    line = (at("2304"), at("2305"), at("2306"))
    drawn = board(replace(BARE, ways=(Way("rail", line), Way("rail", line[::-1]))), "m")
    (rails,) = re.findall(r'<path class="hx-rail" d="([^"]+)"', drawn)

    assert rails.count("M") == 2


def test_a_frontier_in_a_river_is_drawn_within_it() -> None:
    river = next(way for way in HEX_MAP.ways if way.name == "Saar")
    drawn = board(replace(BARE, ways=(river, Way("frontier", river.points[:3]))), "m")

    assert 'class="hx-wet"' in drawn
    assert 'class="hx-frontier"' not in drawn


def test_marks_stay_with_their_hex() -> None:
    drawn = board(HEX_MAP, "m")
    frame = frame_of(HEX_MAP)
    put = re.findall(r'<g transform="translate\(([\d.-]+) ([\d.-]+)\) scale\(\.6\)">', drawn)

    assert len(put) == len(HEX_MAP.marks)
    for (x, y), mark in zip(put, HEX_MAP.marks, strict=True):
        across, down = frame.at(mark.at)
        assert abs(float(x) - across) <= HEX_PX / 2
        assert abs(float(y) - down) <= HEX_PX / 2


def test_an_enlargement_shows_the_hexes_asked_for_and_names_their_columns_and_rows() -> None:
    svg = enlargement(replace(HEX_MAP, focus=box_of([Hex("2304"), Hex("2708")])))
    near = re.findall(r'<text class="hx-edge hx-near"[^>]*>(\d\d)<', svg)

    assert set(near) == {"04", "05", "06", "07", "08", "23", "24", "25", "26", "27"}


def test_an_enlargement_shows_five_hexes_each_way_at_least() -> None:
    svg = enlargement(replace(HEX_MAP, focus=box_of([Hex("2306")])))
    near = set(re.findall(r'<text class="hx-edge hx-near"[^>]*>(\d\d)<', svg))

    assert len([name for name in near if name < "10"]) >= 5
    assert len([name for name in near if name > "10"]) >= 5


@pytest.mark.parametrize(
    "picture",
    [
        replace(HEX_MAP, focus=(0, 0, 0, 0)),
        replace(BARE, tracks=(Track("move", "first", (at("2305"),)), Track("move", "first", ()))),
        replace(BARE, tracks=(Track("move", "first", (at("2305"), at("2305"))),)),
        replace(BARE, stacks=tuple(replace(stack, at=at("2305")) for stack in HEX_MAP.stacks)),
        replace(BARE, stacks=(Stack("first", at("2305"), 3, worn=9, broken=9),)),
        replace(BARE, marks=(Mark("losses", (0, 0), 3),)),
        replace(BARE, ways=(Way("river", (at("2305"), at("2306")), name="A brook of a very long name indeed"),)),
    ],
    ids=["focus elsewhere", "no way", "no length", "everybody in one hex", "more worn than there are", "off", "short"],
)
def test_odd_pictures_are_drawn_all_the_same(picture: Picture) -> None:
    for svg in (sheet(picture), enlargement(picture)):
        ElementTree.fromstring(svg)
        assert "nan" not in svg


def test_lines_of_the_mesh_are_drawn_once() -> None:
    (mesh,) = re.findall(r'<path class="hx-grid" d="([^"]+)"', draw(BARE).whole)
    steps = [
        frozenset(step)
        for line in mesh.split("M")[1:]
        for step in pairwise(tuple(point.split()) for point in line.split("L"))
    ]

    assert len(steps) == len(set(steps))
    columns, rows = 9, 7
    assert len(steps) == 3 * columns * rows + 2 * columns + 2 * rows - 1
