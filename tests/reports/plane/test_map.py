"""Maps of continuous ground: a sample with one of everything, and what must hold for any."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.ground.picture import Area, Label, Mark, Picture, Plane, Relief, Track, Troop, Way
from pbem.reports.drawing.boxes import apart, touches
from pbem.reports.drawing.colours import LIGHT, baked_css, drawing_css
from pbem.reports.drawing.frame import Frame, frame_of
from pbem.reports.drawing.png import png
from pbem.reports.hexes.style import hex_css
from pbem.reports.maps.maps import draw, enlargement, sheet
from pbem.reports.plane.labels import CLOSE, LED, WHOLE
from pbem.reports.plane.map import Layout, layout
from pbem.reports.plane.names import FAR, homes
from pbem.reports.plane.relief import hachures
from pbem.reports.plane.style import baked_plane_css, plane_css
from pbem.reports.plane.troops import draw as drawn_troop
from pbem.resources import resources
from tests.kit.hexes import HEX_MAP
from tests.kit.planes import HIGH, PLANE_MAP, RELIEF, WIDE
from tests.kit.plate import PLATE

Golden = Callable[[Path, bytes], None]
BARE = replace(
    PLANE_MAP, areas=(), ways=(), labels=(), troops=(), arcs=(), tints=(), tracks=(), marks=(),
    plane=Plane(1, "paces", 500),
)  # fmt: skip


def test_the_sheet_is_as_committed(golden: Golden, kept: Path) -> None:
    golden(kept / "map-plane.svg", sheet(PLANE_MAP).encode())


def test_the_picture_of_a_letter_is_as_committed(fonts: Path, golden: Golden, kept: Path) -> None:
    golden(kept / "map-plane.png", png(enlargement(PLANE_MAP), fonts, width=1104))


@pytest.mark.parametrize("picture", [PLANE_MAP, BARE, replace(PLANE_MAP, focus=None)], ids=["full", "bare", "no focus"])
def test_a_sheet_stands_alone_as_xml(picture: Picture) -> None:
    for svg in (sheet(picture), enlargement(picture)):
        ElementTree.fromstring(svg)  # our own output, no stranger's
        assert "var(" not in svg
        assert "nan" not in svg
        assert not re.search(r"href|url\((?!#map-)", svg)


def test_every_class_that_is_drawn_has_a_style() -> None:
    css = baked_css() + baked_plane_css()
    body = re.sub(r"<style>.*?</style>", "", sheet(PLANE_MAP))
    names = {name for css_class in re.findall(r"class=\"([^\"]+)\"", body) for name in css_class.split()}

    assert {name for name in names if not re.search(rf"\.{name}\b", css)} == set()


def test_every_style_is_drawn_somewhere() -> None:
    body = re.sub(r"<style>.*?</style>", "", sheet(PLANE_MAP) + enlargement(PLANE_MAP))

    assert {name for name in re.findall(r"\.(pl-[\w-]+)", plane_css()) if name not in body} == set()


def test_maps_and_pages_do_not_share_classes() -> None:
    page = (resources("templates") / "style.css").read_text()
    own = set(re.findall(r"\.(pl-[a-z][\w-]*)", plane_css()))

    assert own
    assert not own & set(re.findall(r"\.([a-z][\w-]*)", page + drawing_css() + hex_css()))


def test_it_uses_no_colour_but_the_sets() -> None:
    assert not re.search(r"#[0-9A-Fa-f]{6}\b", re.sub(r"<style>.*?</style>", "", sheet(PLANE_MAP)))
    assert set(re.findall(r"#[0-9A-F]{6}", baked_plane_css())) <= set(LIGHT.values())


def test_other_maps_carry_nothing_of_it() -> None:
    for picture in (PLATE, HEX_MAP):
        assert "pl-" not in sheet(picture) + draw(picture).whole


def test_a_map_in_a_page_follows_its_theme_and_brings_its_patterns() -> None:
    drawn = draw(PLANE_MAP, "m")
    used = set(re.findall(r"url\(#([^)]+)\)", drawn.whole + "".join(sample for sample, _ in drawn.key)))

    assert "var(--open)" in drawn.whole
    assert used
    assert used <= set(re.findall(r"<pattern id=\"([^\"]+)\"", drawn.whole))


def test_names_are_escaped_wherever_they_stand() -> None:
    nasty = "<b>&\"'\x00"
    picture = replace(
        PLANE_MAP,
        plane=Plane(1, nasty, 500, nasty),
        troops=(Troop("infantry", "first", (100, 100), label=nasty, note=nasty, badge=nasty),),
        labels=(Label(nasty, (200, 200), "town"), Label(nasty, (300, 300), "summit")),
        tracks=(Track("messenger", "first", ((0, 0), (500, 500)), label=nasty, note=nasty),),
    )

    assert "<b>" not in sheet(picture) + draw(picture).whole
    ElementTree.fromstring(sheet(picture))


def test_the_key_shows_what_the_map_uses_and_no_more() -> None:
    words = [text for _, text in draw(PLANE_MAP).key]
    for said in (
        "Blue infantry, the thick edge its front", "Red guns ready to fire", "Hollow: yours, where believed",
        "Dotted edge: old or doubtful", "Rider and his way, as ordered", "Red field of fire", "Blue ground in view",
        "Slope: the darker, the steeper", "Houses of stone", "Houses of wood", "Ford", "Railway",
    ):  # fmt: skip
        assert said in words
    assert len(words) == len(set(words))
    assert draw(BARE).key == ()


def test_a_block_is_as_large_as_its_ground_and_looks_along_its_bearing() -> None:
    frame = frame_of(PLANE_MAP)
    body = Troop("infantry", "first", (2000, 1500), 90, 400, 200)
    left, top, right, bottom = drawn_troop(body, frame, "m").box
    x, y = frame.at((2000, 1500))

    assert right - left == pytest.approx(200 * frame.scale + 2)
    assert bottom - top == pytest.approx(400 * frame.scale + 2)
    assert right == pytest.approx(x + 1)
    assert (top + bottom) / 2 == pytest.approx(y)


def test_a_small_body_is_seen() -> None:
    post = Troop("cavalry", "first", (2000, 1500), 0, 1, 1)
    left, top, right, bottom = drawn_troop(post, frame_of(PLANE_MAP), "m").box

    assert right - left >= 8
    assert bottom - top >= 6


def test_a_believed_body_is_hollow_and_an_old_sighting_broken() -> None:
    def css(**more: object) -> str:
        one = replace(Troop("infantry", "first", (9, 9)), **more)
        return drawn_troop(one, frame_of(PLANE_MAP), "m").svg

    assert "pl-hollow" in css(own=True, certainty="old")
    assert "pl-old" in css(certainty="old")
    assert "pl-hollow" not in css(own=True)


def test_strokes_run_downhill_from_contour_to_contour_and_flat_ground_has_none() -> None:
    frame = frame_of(PLANE_MAP)
    cone = Relief(100, tuple(tuple(60 - 2 * max(abs(i - 15), abs(j - 15)) for i in range(31)) for j in range(31)), 6)
    strokes = re.findall(r"M([-\d.]+) ([-\d.]+)l([-\d.]+) ([-\d.]+)", hachures(frame, cone))
    middle = frame.at((1500, 1500))

    assert len(strokes) > 100
    for x, y, across, down in (map(float, stroke) for stroke in strokes):
        assert math.dist((x + across, y + down), middle) > math.dist((x, y), middle)
    assert hachures(frame, Relief(100, ((5,) * 31,) * 31, 6)) == ""


def test_steeper_ground_has_a_heavier_pen() -> None:
    def weights(rise: int) -> set[str]:
        field = Relief(100, ((tuple(rise * i for i in range(31))),) * 31, 6)
        return set(re.findall(r"pl-h\d", hachures(frame_of(PLANE_MAP), field)))

    assert [weights(rise) for rise in (3, 7, 12, 30)] == [{"pl-h0"}, {"pl-h1"}, {"pl-h2"}, {"pl-h3"}]


def test_the_edge_tells_how_far_east_and_north_it_is() -> None:
    whole = draw(PLANE_MAP).whole
    shown = re.findall(r'<text class="pl-edge"[^>]*>(\d+)<', whole)

    assert shown.count("4000") == 1
    # East of the corner, and north of it.
    assert shown.count("3000") == 2
    assert draw(PLANE_MAP).detail.count(">1500<") == 2


@st.composite
def crowds(draw_from: st.DrawFn) -> tuple[Troop, ...]:
    """Bodies anywhere on the ground, of any size and kind."""
    arms = st.sampled_from(
        ["infantry", "cavalry", "guns", "limbered", "skirmish", "officer", "unknown", "patrol", "rider", "trace"]
    )
    places = st.tuples(st.integers(0, WIDE), st.integers(0, HIGH))
    one = st.builds(
        Troop, arms, st.sampled_from(["first", "second", "none"]), places, st.integers(0, 359),
        st.integers(0, 600), st.integers(0, 600), st.integers(0, 8), label=st.text(max_size=20),
        ranks=st.integers(0, 4), badge=st.sampled_from(["", "2"]), note=st.text(max_size=20),
        trail=st.lists(places, max_size=3).map(tuple),
        certainty=st.sampled_from(["now", "recent", "old", "stale"]), own=st.booleans(),
    )  # fmt: skip
    return tuple(draw_from(st.lists(one, max_size=6)))


@settings(max_examples=15)
@given(crowds())
def test_any_crowd_is_drawn_the_same_twice(troops: tuple[Troop, ...]) -> None:
    picture = replace(BARE, troops=troops, marks=(Mark("melee", (5, 5)),))
    first = sheet(picture)

    ElementTree.fromstring(first)
    assert "nan" not in first
    assert sheet(replace(picture, title=picture.title)) == first


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, WIDE), st.integers(0, HIGH)), min_size=3, max_size=9))
def test_any_ground_is_drawn(points: list[tuple[int, int]]) -> None:
    picture = replace(
        BARE,
        plane=Plane(1, "paces", 500, relief=RELIEF),
        areas=tuple(Area(kind, tuple(points)) for kind in ("wood", "town", "hill", "water")),
        ways=tuple(Way(kind, tuple(points), width=9) for kind in ("river", "road", "wall", "dike", "bridge", "sunken")),
    )

    ElementTree.fromstring(sheet(picture))


def _laid(picture: Picture) -> list[tuple[Layout, Frame]]:
    """The whole map and, if it has one, its enlargement."""
    frames = [frame_of(picture)]
    if picture.focus:
        frames.append(Frame(picture.focus, 0.5))
    return [(layout(picture, frame, "m", sizes), frame) for frame, sizes in zip(frames, (WHOLE, CLOSE), strict=False)]


@settings(max_examples=25)
@given(crowds())
def test_labels_and_names_stay_in_the_frame_and_cover_none_of_each_other(troops: tuple[Troop, ...]) -> None:
    picture = replace(PLANE_MAP, troops=(*PLANE_MAP.troops, *troops))
    for laid, frame in _laid(picture):
        left, top, right, bottom = frame.ground
        boxes = [*(one.box for one in laid.tags), *(one.box for one in laid.names)]
        assert all(b[0] > left and b[1] > top and b[2] < right and b[3] < bottom for b in boxes)
        assert not [pair for pair in combinations(boxes, 2) if touches(*pair)]


@settings(max_examples=25)
@given(crowds())
def test_a_name_is_at_its_place_or_nowhere(troops: tuple[Troop, ...]) -> None:
    for laid, frame in _laid(replace(PLANE_MAP, troops=(*PLANE_MAP.troops, *troops))):
        known = homes(PLANE_MAP, frame, frame.ground)
        for name in laid.names:
            own = apart(name.box, name.home)
            assert own <= FAR
            kin = [home for home in known if home.label != name.label and home.label.kind == name.label.kind]
            assert all(own < apart(name.box, box) for home in kin for box in home.boxes)


@settings(max_examples=25)
@given(crowds())
def test_a_label_is_beside_its_sign_or_a_line_leads_from_it(troops: tuple[Troop, ...]) -> None:
    for laid, _ in _laid(replace(PLANE_MAP, troops=(*PLANE_MAP.troops, *troops))):
        for tag in laid.tags:
            boxes = [sign.box for sign in tag.wanted.signs]
            near = min(apart(tag.box, box) for box in boxes) <= LED
            assert near is (tag.leader is None)
            if tag.leader:
                assert tag.leader[1] in [sign.at for sign in tag.wanted.signs]


def test_a_heap_has_one_list_of_its_names() -> None:
    heap = [Troop("infantry", "first", (2000 + i, 1500), 0, 60, 30, label=f"11/{i}", own=True) for i in range(4)]
    late = Troop("infantry", "first", (2002, 1500), 0, 60, 30, label="12/I", note="07:54", certainty="old", own=True)
    other = Troop("infantry", "second", (2001, 1500), 0, 60, 30, label="e1")
    laid = _laid(replace(BARE, troops=(*heap, late, other)))[0][0]
    written = [[(row.bold, row.plain) for row in tag.wanted.rows] for tag in laid.tags]

    assert sorted(written, key=len) == [[("e1", "")], [("11/0 11/1 11/2", ""), ("11/3", ""), ("12/I", "07:54")]]


def test_the_freshest_knowledge_chooses_first_and_an_old_sighting_last() -> None:
    troops = [
        Troop("infantry", "second", (2000, 1500), label="old", certainty="old"),
        Troop("infantry", "first", (2000, 1500), label="own", own=True),
        Troop("infantry", "second", (2000, 1500), label="near"),
        Troop("officer", "first", (2000, 1500), label="you", own=True),
    ]
    laid = _laid(replace(BARE, troops=tuple(troops)))[0][0]

    assert [tag.wanted.rows[0].bold for tag in laid.tags] == ["you", "near", "own", "old"]


def test_a_flag_that_is_only_believed_hides_nothing() -> None:
    there = Troop("officer", "first", (9, 9), label="Adler", own=True)

    assert "pl-halo" in drawn_troop(there, frame_of(PLANE_MAP), "m").svg
    assert "pl-halo" not in drawn_troop(replace(there, certainty="old"), frame_of(PLANE_MAP), "m").svg


def test_patrols_and_riders_are_small_however_wide_they_are() -> None:
    for arm in ("patrol", "rider", "trace"):
        left, top, right, bottom = drawn_troop(Troop(arm, "first", (9, 9), 0, 400, 400), frame_of(PLANE_MAP), "m").box
        assert max(right - left, bottom - top) < 15
