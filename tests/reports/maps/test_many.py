"""Maps of three, seven and twelve sides, on every kind of ground."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jinja2 import Environment
from msgspec.structs import replace
from PIL import Image, ImageColor
from playwright.sync_api import Browser

from pbem.ground.picture import STYLES, Picture
from pbem.reports.drawing.colours import LIGHT
from pbem.reports.drawing.png import png
from pbem.reports.drawing.sides import SHIPPED, is_more, sides_of
from pbem.reports.maps.field import field_of
from pbem.reports.maps.maps import draw, enlargement, sheet
from pbem.reports.maps.plots import HEIGHT, alone, plot
from pbem.reports.pages.report import report_html
from tests.kit.axe import check_all_can_read
from tests.kit.many import KINDS, NAMES, OWN, course_of, picture_of, sheet_of
from tests.kit.sample import PAGE

Golden = Callable[[Path, bytes], None]
COUNTS = (3, 7, 12)

every = pytest.mark.parametrize(("kind", "count"), [(kind, count) for kind in KINDS for count in COUNTS])


@pytest.mark.parametrize("count", [3, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_sheets_are_as_committed(kind: str, count: int, golden: Golden, kept: Path) -> None:
    golden(kept / f"map-{count}-sides-{kind}.svg", sheet(picture_of(kind, count)).encode())


def test_the_picture_of_a_letter_is_as_committed(fonts: Path, golden: Golden, kept: Path) -> None:
    golden(kept / "map-7-sides.png", png(enlargement(picture_of("sheet", 7)), fonts, width=1104))


@every
def test_a_map_stands_alone_and_brings_all_that_it_names(kind: str, count: int) -> None:
    picture = picture_of(kind, count)
    drawn = draw(picture, "m")
    page = drawn.whole + drawn.detail + "".join(sample for sample, _ in drawn.key)
    for svg in (sheet(picture), enlargement(picture), page):
        ids = set(re.findall(r'\sid="([^"]+)"', svg))
        assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg)) <= ids
        assert "nan" not in svg
    for svg in (sheet(picture), enlargement(picture)):
        ElementTree.fromstring(svg)  # our own output, no stranger's
        assert "var(" not in svg


@every
def test_every_class_that_is_drawn_has_a_style_and_no_colour_of_its_own(kind: str, count: int) -> None:
    svg = sheet(picture_of(kind, count))
    css, body = "".join(re.findall(r"<style>(.*?)</style>", svg)), re.sub(r"<style>.*?</style>", "", svg)
    names = {name for some in re.findall(r'class="([^"]+)"', body) for name in some.split()}

    assert {name for name in names if not re.search(rf"\.{name}\b", css)} == set()
    assert not re.search(r"#[0-9A-Fa-f]{6}\b", body)
    assert set(re.findall(r"#[0-9A-F]{6}\b", css)) <= {*LIGHT.values(), *(side.light for side in SHIPPED.values())}


@every
def test_each_side_has_its_letter_and_a_row_of_the_key(kind: str, count: int) -> None:
    picture = picture_of(kind, count)
    drawn = draw(picture, "m")
    rows = [words for _, words in drawn.key]

    assert rows[:count] == list(NAMES[:count])
    assert len(rows) == len(set(rows))
    for style, side in list(sides_of(picture).items())[:count]:
        if is_more(style):
            assert f'id="m-letter-{style}"' in drawn.whole
            assert f">{side.letter}</text>" in drawn.whole


def test_two_provinces_of_one_owner_are_drawn_alike_and_those_of_two_are_not() -> None:
    svg = draw(picture_of("sheet", 7), "m").whole
    for style in STYLES[:7]:
        assert f'<g class="{style}"><path class="sd-own"' in svg
        assert f"url(#m-owned-{style})" in svg


def test_what_is_nobodys_has_neither_letter_nor_pattern() -> None:
    picture = picture_of("sheet", 3)
    free = replace(
        picture, provinces=tuple(replace(one, side="none") for one in picture.provinces), blocks=(), tracks=()
    )
    drawn = draw(free, "m")

    assert "m-owned" not in drawn.whole
    assert "sd-pale" not in re.sub(r"<style>.*?</style>", "", drawn.whole)
    assert drawn.whole.count('class="sd-place"') == sum(one.centre is not None for one in picture.provinces)


def test_a_province_can_be_pointed_at_by_the_name_that_orders_write() -> None:
    picture = picture_of("sheet", 7)
    named = {one.name for one in field_of(picture).places}

    assert named == {one.key for one in picture.provinces if one.kind != "closed"}


def test_who_is_driven_out_stands_aside_and_what_failed_ends_in_a_bar() -> None:
    picture = picture_of("sheet", 7)
    calm = replace(
        picture,
        blocks=tuple(replace(one, driven=False) for one in picture.blocks),
        tracks=tuple(replace(one, failed=False) for one in picture.tracks),
    )
    for css, words in (("sd-driven", "Driven out"), ("sd-bar", "Did not come to pass")):
        assert f'class="{css}"' in draw(picture).whole
        assert f'class="{css}"' not in draw(calm).whole
        assert any(row.startswith(words) for _, row in draw(picture).key)


@every
def test_the_picture_of_a_mail_has_the_colour_of_every_side(kind: str, count: int, fonts: Path) -> None:
    """As near as a picture of few colours comes to it."""
    image = Image.open(BytesIO(png(sheet(picture_of(kind, count)), fonts, width=1300))).convert("RGB")
    drawn = {colour for _, colour in image.getcolors(1 << 16) or ()}
    for style in STYLES[:count]:
        wanted = ImageColor.getrgb(SHIPPED[style].light)
        assert min(dist(wanted, one) for one in drawn if isinstance(one, tuple)) < 26, style


# ---- Plots ----


@pytest.mark.parametrize("count", COUNTS)
def test_names_at_the_ends_of_many_lines_do_not_meet_and_do_not_leave_the_drawing(count: int) -> None:
    svg = plot(course_of(count), "p")
    ends = sorted(float(part.split('y="')[1].split('"')[0]) for part in svg.split('class="who"')[1:])

    assert len(ends) == count
    assert all(second - first >= 15.9 for first, second in pairwise(ends))
    assert ends[0] > 0
    assert ends[-1] <= HEIGHT - 5


def test_lines_of_many_sides_differ_in_stroke_and_mark() -> None:
    svg = alone([course_of(12)])
    marks = [re.findall(r'class="(dot|loop)" d="([^"]+)"', part)[:1] for part in svg.split('<g class="')[1:]]
    dashes = re.findall(r"\.(\w+) \.run,\.\w+ \.r-pl-run\{stroke-dasharray:([^}]+)\}", svg)

    assert len({str(mark) for mark in marks if mark}) == 10
    assert len({dash for _, dash in dashes}) == len(dashes) == 10


# ---- In a browser ----


def report_of(picture: Picture, env: Environment) -> str:
    view = replace(PAGE.view, picture=picture, courses=(course_of(7), course_of(3)))
    return report_html(replace(PAGE, view=view), env)


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_of_seven_sides_is_drawn_in_the_colours_of_its_theme(
    chromium: Browser, env: Environment, kind: str, theme: str
) -> None:
    context = chromium.new_context(color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.set_content(report_of(picture_of(kind, 7), env))
    for style in STYLES[2:7]:
        seen = page.evaluate(f"getComputedStyle(document.querySelector('#map svg .{style}')).color")
        assert seen == f"rgb{ImageColor.getrgb(getattr(SHIPPED[style], theme))}"
    page.emulate_media(media="print")
    printed = page.evaluate("getComputedStyle(document.querySelector('#map svg .third')).color")
    assert printed == f"rgb{ImageColor.getrgb(SHIPPED['third'].light)}"
    context.close()


def test_a_report_is_drawn_in_the_colours_that_its_system_says(chromium: Browser, env: Environment, theme: str) -> None:
    context = chromium.new_context(color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.set_content(report_of(sheet_of([one.style for one in OWN], OWN), env))
    for look in OWN:
        seen = page.evaluate(f"getComputedStyle(document.querySelector('#map svg .{look.style}')).color")
        assert seen == f"rgb{ImageColor.getrgb(getattr(look, theme))}"
    context.close()


@pytest.mark.parametrize("kind", ["sheet", "hexes"])
def test_a_report_of_seven_sides_can_be_read_by_all(chromium: Browser, env: Environment, kind: str, theme: str) -> None:
    context = chromium.new_context(
        viewport={"width": 390 if theme == "dark" else 1200, "height": 900},
        color_scheme="dark" if theme == "dark" else "light",
    )
    page = context.new_page()
    page.set_content(report_of(picture_of(kind, 7), env))
    check_all_can_read(page)
    context.close()
