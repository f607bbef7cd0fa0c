"""Maps: the sample field, a plate of all signs, and what must hold for any picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from pbem.ground.picture import Area, Block, Cell, House, Label, Picture, Track, Way
from pbem.reports.drawing.arrange import arrange
from pbem.reports.drawing.boxes import grown, touches
from pbem.reports.drawing.colours import LIGHT, baked_css, drawing_css
from pbem.reports.drawing.frame import frame_of
from pbem.reports.drawing.labels import Obstacles, beside
from pbem.reports.drawing.routes import routes
from pbem.reports.drawing.signs import sign
from pbem.reports.maps.maps import draw, enlargement, sheet
from pbem.resources import resources
from tests.kit.board import GRID, square
from tests.kit.plate import PLAIN, PLATE
from tests.kit.sample_field import PICTURE

Golden = Callable[[Path, bytes], None]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("name", "picture"), [("st-privat", PICTURE), ("plate", PLATE), ("plain", PLAIN)], ids=["sample", "plate", "plain"]
)
def test_sheets_are_as_committed(name: str, picture: Picture, golden: Golden, kept: Path) -> None:
    golden(kept / f"map-{name}.svg", sheet(picture).encode())


def test_the_enlargement_is_as_committed(golden: Golden, kept: Path) -> None:
    golden(kept / "map-st-privat-enlarged.svg", enlargement(PICTURE).encode())


@pytest.mark.parametrize("picture", [PICTURE, PLATE, PLAIN], ids=["sample", "plate", "plain"])
def test_a_sheet_stands_alone_as_xml(picture: Picture) -> None:
    for svg in (sheet(picture), enlargement(picture)):
        root = ElementTree.fromstring(svg)  # our own output, no stranger's
        assert root.find(f"{SVG}title") is not None
        assert root.find(f"{SVG}desc") is not None
        assert "var(" not in svg
        assert not re.search(r"href|url\((?!#map-)", svg)


def test_two_maps_in_one_page_share_no_id() -> None:
    one, other = draw(PICTURE, "a"), draw(PLATE, "b")
    ids = re.findall(r"\sid=\"([^\"]+)\"", one.whole + one.detail + other.whole + other.detail)
    assert len(ids) == len(set(ids)) > 8
    assert all(name.startswith(("a-", "b-")) for name in ids)


def test_a_map_uses_only_patterns_that_it_brings() -> None:
    drawn = draw(PLATE, "m")
    used = set(re.findall(r"url\(#([^)]+)\)", drawn.whole + "".join(sample for sample, _ in drawn.key)))
    assert used
    assert used <= set(re.findall(r"<pattern id=\"([^\"]+)\"", drawn.whole))


def test_a_page_and_its_drawings_do_not_share_classes() -> None:
    page = (resources("templates") / "style.css").read_text()
    drawn = set(re.findall(r"\.([a-z][\w-]*)", drawing_css()))
    assert drawn & set(re.findall(r"\.([a-z][\w-]*)", page)) == {"small"}
    assert ".figure.small" in drawing_css()


def test_every_class_that_is_drawn_has_a_style() -> None:
    css = baked_css()
    for svg in (sheet(PICTURE), sheet(PLATE), draw(PICTURE).whole):
        body = re.sub(r"<style>.*?</style>", "", svg)
        names = {name for css_class in re.findall(r"class=\"([^\"]+)\"", body) for name in css_class.split()}
        unstyled = {name for name in names if f".{name}" not in css}
        # `now` would need none; a tint is styled by the age of the sign that it is in.
        assert not unstyled


def test_drawings_use_no_colour_but_the_sets() -> None:
    bare = re.sub(r"<style>.*?</style>", "", sheet(PLATE))
    assert not re.search(r"#[0-9A-Fa-f]{6}\b", bare)
    assert set(re.findall(r"#[0-9A-F]{6}", baked_css())) <= set(LIGHT.values())


def test_names_are_escaped_wherever_they_stand() -> None:
    nasty = "<b>&\"'\x00"
    picture = replace(
        PLATE,
        title=nasty,
        whose=nasty,
        focus_caption=nasty,
        labels=(Label(nasty, (500, 500), "town"),),
        sides=(nasty, ""),
    )
    drawn = draw(picture)
    for svg in (drawn.whole, drawn.detail, sheet(picture)):
        assert "<b>" not in svg
        ElementTree.fromstring(
            svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(
                'xmlns="http://www.w3.org/2000/svg" xmlns=', "xmlns="
            )
        )


def test_the_key_shows_what_the_map_uses_and_no_more() -> None:
    words = " ".join(text for _, text in draw(PICTURE).key)
    assert "French mitrailleuse" in words
    assert "Your dummy" in words
    assert "siege" not in words
    assert "Retreated" not in words


def test_troops_in_a_house_are_drawn_in_it() -> None:
    house = House("large", (8 * 100 + 8, 900 + 48, 8 * 100 + 92, 900 + 92))
    inside = Block("infantry", "first", square("I-9"), ranks=((Cell(3, 3), Cell(3, 3)),), inside=True)
    outside = Block("gun", "first", square("I-9"), count=6)
    picture = replace(PICTURE, houses=(house,), blocks=(inside, outside), tracks=(), marks=())
    frame = frame_of(picture)
    left, top, right, bottom = frame.rect(house.box)
    placed = {one.block.sign: one.box for one in arrange(picture, frame, "m")}
    assert placed["infantry"][0] >= left
    assert placed["infantry"][1] >= top
    assert placed["infantry"][2] <= right
    assert placed["infantry"][3] <= bottom
    assert placed["gun"][3] <= top


def test_a_hut_grows_when_somebody_is_in_it_and_is_in_nobodys_way() -> None:
    hut = House("small", (815, 920, 845, 940))
    inside = Block("infantry", "first", square("I-9"), ranks=((Cell(3, 3), Cell(3, 3)),), inside=True)
    bare = replace(PICTURE, houses=(hut,), tracks=(), marks=())
    (within,) = arrange(replace(bare, blocks=(inside,)), frame_of(bare), "m")
    assert 'class="house"' in within.svg
    (without,) = arrange(replace(bare, blocks=(replace(inside, inside=False),)), frame_of(bare), "m")
    assert 'class="house"' not in without.svg
    assert without.at == frame_of(bare).at(inside.at)


def test_signs_of_one_square_do_not_cover_each_other() -> None:
    placed = arrange(PICTURE, frame_of(PICTURE), "m")
    for i, one in enumerate(placed):
        for other in placed[i + 1 :]:
            wide = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
            high = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
            assert wide <= 1 or high <= 1, f"{one.block} covers {other.block}"


FRONTS = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}


@pytest.mark.parametrize("bearing", FRONTS)
@pytest.mark.parametrize("kind", ["card", "own_card", "dummy_card"])
def test_face_down_cards_have_a_front(kind: Literal["card", "own_card", "dummy_card"], bearing: int) -> None:
    drawn = sign(Block(kind, "first", (0, 0), count=3, bearing=bearing), "m")
    # A front is drawn before north, and turned.
    found = re.findall(
        r'<path class="front" d="M([\d.-]+) ([\d.-]+)h([\d.]+)"(?: transform="rotate\((\d+)\)")?', drawn.svg
    )

    ((left, top, long, turn),) = found
    assert int(turn or 0) == bearing
    assert float(left) == -float(long) / 2
    across, down = FRONTS[bearing]
    wide, high = drawn.width - (6 if across else 0), drawn.height - (6 if down else 0)
    assert float(long) == (wide if down else high)
    assert -float(top) == (high if down else wide) / 2 + 1.5


def test_lines_end_at_the_signs_they_mean() -> None:
    frame = frame_of(PICTURE)
    placed = arrange(PICTURE, frame, "m")
    for route in routes(PICTURE, frame, placed):
        if route.track.kind == "move":
            x, y = route.points[-1]
            for one in placed:
                left, top, right, bottom = one.box
                if one.block.side == route.track.side and one.block.at == route.track.points[-1]:
                    assert not (left < x < right and top < y < bottom), route.track


def test_labels_cover_no_sign_where_there_is_room() -> None:
    frame = frame_of(PICTURE)
    placed = arrange(PICTURE, frame, "m")
    ways = routes(PICTURE, frame, placed)
    put = beside(placed, Obstacles(frame.ground, placed, ways))
    covered = [one for _, label in put for one in placed if touches(grown(label.rooms[0], -2), one.box)]
    assert len(covered) <= 2, "in the open there is room for all; in St. Privat it may be narrow"


def test_neighbouring_hills_make_one_hill() -> None:
    left = Area("hill", ((0, 0), (100, 0), (100, 100), (0, 100)))
    right = Area("hill", ((100, 0), (200, 0), (200, 100), (100, 100)))
    whole = Area("hill", ((0, 0), (200, 0), (200, 100), (0, 100)))
    bare = Picture(title="", whose="", box=(0, 0, 300, 200))

    def hachures(*areas: Area) -> list[str]:
        return re.findall(r"<path class=\"hachure\" d=\"([^\"]+)\"", draw(replace(bare, areas=areas)).whole)

    assert len(hachures(left, right)) == 1
    assert sorted(hachures(left, right)[0].split("M")) == sorted(hachures(whole)[0].split("M"))


def test_a_wall_has_a_gap_where_a_road_goes_through() -> None:
    wall, road = Way("wall", ((0, 100), (200, 100))), Way("road", ((100, 0), (100, 200)))
    bare = Picture(title="", whose="", box=(0, 0, 200, 200), grid=replace(GRID, columns=("A", "B"), rows=("2", "1")))
    courses = [
        re.findall(r"<path class=\"wall\" d=\"([^\"]+)\"", draw(replace(bare, ways=ways)).whole)[0].count("M")
        for ways in ((wall,), (wall, road))
    ]
    assert courses == [1, 2]


def test_fire_one_way_and_the_other_is_drawn_side_by_side() -> None:
    there = Track("rifle", "first", (square("C-3"), square("C-5")))
    back = Track("rifle", "second", (square("C-5"), square("C-3")))
    picture = replace(PICTURE, blocks=(), marks=(), tracks=(there, back))
    frame = frame_of(picture)
    one, other = routes(picture, frame, [])
    assert abs(one.points[0][0] - other.points[0][0]) > 8


@pytest.mark.parametrize(
    "picture",
    [
        Picture(title="", whose="", box=(0, 0, 0, 0)),
        replace(PLATE, houses=(), focus=(0, 0, 0, 0)),
        replace(PLAIN, tracks=(Track("move", "first", ((5, 5),)), Track("move", "first", ()))),
        replace(PLATE, blocks=tuple(replace(block, at=(50, 50)) for block in PLATE.blocks)),
    ],
    ids=["nothing", "empty focus", "moves of no length", "everybody on one square"],
)
def test_odd_pictures_are_drawn_all_the_same(picture: Picture) -> None:
    for svg in (sheet(picture), enlargement(picture)):
        ElementTree.fromstring(svg)
        assert "nan" not in svg


def test_roads_and_streams_keep_to_the_ground() -> None:
    steps = [step for way in PICTURE.ways for step in pairwise(way.points)]
    assert steps
    margin = re.search(r"<path class=\"margin\"", draw(PICTURE).whole)
    assert margin, "paper covers what runs over the edge"
