"""How sides are told apart: by colour, to all kinds of eyes, and without it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from io import BytesIO
from itertools import combinations

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from pbem.ground.picture import STYLES, Look, Picture
from pbem.reports.drawing.colours import DARK, LIGHT, baked_css, drawing_css
from pbem.reports.drawing.png import png
from pbem.reports.drawing.sides import (
    SHIPPED,
    Needs,
    baked_css_of,
    css_of,
    css_of_all,
    definitions,
    letters,
    needs,
    sides,
    style_of,
)
from pbem.resources import resources
from pbem.rules import registry
from tests.kit.hexes import HEX_MAP
from tests.kit.many import NAMES, OWN, picture_of
from tests.kit.planes import PLANE_MAP
from tests.kit.plate import PLAIN, PLATE
from tests.kit.sample_field import PICTURE
from tests.kit.sight_of_colours import EYES, apart, contrast

SEVEN = STYLES[:7]
GROUNDS = ("paper", "panel", "open", "hill", "wood", "town", "swamp", "sheet")


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_seven_colours_are_told_apart_by_all_kinds_of_eyes(theme: str, eyes: str) -> None:
    colours = {style: getattr(SHIPPED[style], theme) for style in SEVEN}
    least = 17.0 if eyes == "full sight" else 9.0

    for one, other in combinations(SEVEN, 2):
        assert apart(colours[one], colours[other], eyes) >= least, (one, other)


@pytest.mark.parametrize(("theme", "grounds"), [("light", LIGHT), ("dark", DARK)])
def test_every_colour_is_read_on_every_ground(theme: str, grounds: Mapping[str, str]) -> None:
    for side in SHIPPED.values():
        for ground in GROUNDS:
            assert contrast(getattr(side, theme), grounds[ground]) >= 4.5, (side.style, ground)


def test_the_measure_of_colours_is_the_one_that_is_published() -> None:
    """A pair of Sharma, Wu and Dalal (2005), and black on white."""
    assert apart("#000000", "#FFFFFF", "full sight") == pytest.approx(100, abs=0.1)
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert apart("#1D4C8C", "#1D4C8C", "tritanopia") == 0


def test_all_twelve_are_told_apart_without_a_colour() -> None:
    shipped = list(SHIPPED.values())

    assert len({side.pattern for side in shipped}) == len(STYLES)
    assert len({side.dash for side in shipped}) == len(STYLES)
    assert len({(side.mark, side.hollow) for side in shipped}) == len(STYLES)
    assert len({side.letter for side in sides((), NAMES).values()}) == len(STYLES)


@pytest.fixture(scope="module")
def greys() -> dict[str, Image.Image]:
    """A province of each side, printed in grey."""
    fonts, found = resources("templates") / "fonts", {}
    for style in STYLES:
        need = Needs(sides(), frozenset({style}), frozenset({style}), provinces=True)
        box = '<path class="{}" d="M0 0h120v120H0z"'
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" width="120" height="120">'
            f"<style>{baked_css()}{baked_css_of(need)}</style><defs>{definitions(need, 'm')}</defs>"
            f'{box.format("open")}/><g class="{style}">{box.format("sd-own")}/>'
            f'<path fill="url(#m-owned-{style})" d="M0 0h120v120H0z"/></g></svg>'
        )
        found[style] = Image.open(BytesIO(png(svg, fonts, width=240))).convert("L")
    return found


def test_provinces_printed_in_grey_are_told_apart_by_their_patterns(greys: dict[str, Image.Image]) -> None:
    """However one is laid on the other, they are not the same."""
    for one, other in combinations(STYLES, 2):
        least = min(
            ImageStat.Stat(ImageChops.difference(greys[one], ImageChops.offset(greys[other], x, y))).mean[0]
            for x in range(0, 30, 5)
            for y in range(0, 30, 5)
        )
        assert least > 4.5, (one, other, least)


@pytest.mark.parametrize("picture", [PICTURE, PLATE, PLAIN, HEX_MAP, PLANE_MAP])
def test_two_sides_need_nothing_more_than_they_did(picture: Picture) -> None:
    need = needs(picture)

    assert (css_of(need), baked_css_of(need), definitions(need, "m"), style_of(need)) == ("", "", "", "")


@pytest.mark.parametrize(
    ("names", "written"),
    [
        (("Austria", "England", "France"), ["A", "E", "F"]),
        (("Prussia", "Poland", "Saxony"), ["Pr", "Po", "S"]),
        (("the red", "the Rose"), ["Re", "Ro"]),
        (("Red", "red", ""), ["", "", ""]),
    ],
)
def test_a_letter_is_as_much_of_a_name_as_no_other_begins_with(names: tuple[str, ...], written: list[str]) -> None:
    assert letters(names) == written


def test_who_has_no_letter_of_his_own_has_his_number() -> None:
    assert [side.letter for side in sides((), ("Red", "red")).values()][:3] == ["1", "2", "3"]


def test_a_system_says_how_its_sides_are_drawn() -> None:
    looks = (Look("first", letter="X"), Look("third", light="#00423F"), Look("toy-red", pattern="grid"))
    first, third, red = sides(looks, ("One", "Two", "Three")).values()

    assert (first.letter, first.light) == ("X", LIGHT["first"])
    assert (third.light, third.dark) == ("#00423F", SHIPPED["third"].dark)
    assert (red.light, red.pattern, red.dash) == (SHIPPED["third"].light, "grid", SHIPPED["third"].dash)


def test_the_first_two_sides_stay_what_they_are() -> None:
    (first, second) = sides((Look("first", light="#FFFFFF", pattern="grid"), Look("second", dark="#000000"))).values()

    assert (first.light, first.pattern) == (LIGHT["first"], "solid")
    assert second.dark == DARK["second"]


def test_colours_of_a_system_are_in_the_drawing_and_in_the_style_sheet_of_the_web() -> None:
    picture = replace(picture_of("sheet", 7), looks=OWN)
    shown = replace(picture, provinces=tuple(replace(one, side="powers-italy") for one in picture.provinces))
    system = dataclasses.replace(registry.load("st-privat"), looks=OWN)

    for css in (css_of(needs(shown)), css_of_all([system])):
        assert ".powers-italy{color:var(--powers-italy)}" in css
        assert re.findall(r"--powers-italy:(#\w+)", css) == ["#2A6420", "#5CC84C", "#2A6420"]
    assert f".{STYLES[11]}{{" in css_of_all([])


def test_no_class_of_many_sides_is_one_that_pages_or_other_drawings_have() -> None:
    page = (resources("templates") / "style.css").read_text()
    own = set(re.findall(r"\.([a-z][\w-]*)", css_of_all([]))) - {"r-tl-who", "r-pl-run"}
    new = own - set(re.findall(r"\.([a-z][\w-]*)", drawing_css()))

    assert not own & set(re.findall(r"\.([a-z][\w-]*)", page))
    assert {name for name in new if not name.startswith(("sd-", "pl-", "hx-"))} == {*STYLES} - {"first", "second"}
