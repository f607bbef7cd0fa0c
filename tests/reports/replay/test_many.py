"""The page of a whole game of many sides, in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from jinja2 import Environment
from PIL import ImageColor
from playwright.sync_api import Browser, Page

from pbem.ground.picture import STYLES
from pbem.reports.drawing.sides import SHIPPED
from pbem.reports.replay.beside import Beside
from pbem.reports.replay.page import published_html, unpacked
from pbem.reports.replay.record import record
from pbem.rules.reel import TRUTH, Reel, pictures
from tests.kit.axe import check_all_can_read
from tests.kit.many import KINDS, game_of, picture_of

every = pytest.mark.parametrize(("kind", "count"), [(kind, count) for kind in KINDS for count in (3, 7)])


def html_of(kind: str, count: int, env: Environment) -> str:
    return published_html(record(game_of(kind, count), Beside(), {}), env)


@every
def test_the_page_brings_all_that_its_drawings_name(kind: str, count: int, env: Environment) -> None:
    html = html_of(kind, count, env)
    made = record(game_of(kind, count), Beside(), {})
    ids = set(re.findall(r'\sid="([^"]+)"', html))

    for svg in made.svgs:
        assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg)) <= ids
    assert (unpacked(html).patterns, unpacked(html).css) == ("", "")
    assert len({side[3] for side in made.sides}) == count


def test_a_game_of_two_sides_carries_what_it_did() -> None:
    game = msgspec.structs.replace(game_of("squares", 2), beats=())
    made = record(game, Beside(), {})

    assert [len(side) for side in made.sides] == [3, 3]
    assert not {"patterns", "css"} & msgspec.to_builtins(made).keys()


@pytest.mark.parametrize("kind", KINDS)
def test_provinces_change_hands_in_a_reel_and_no_more_of_them_is_told(kind: str) -> None:
    game = game_of(kind, 7)
    again = msgspec.json.decode(msgspec.json.encode(game), type=Reel)
    *_, (_, last) = pictures(again, TRUTH)

    assert again == game
    assert last is not None
    assert last.provinces[0].side == STYLES[6]
    assert last.provinces[1:] == picture_of(kind, 7).provinces[1:]
    assert len(game.beats[1].seen[TRUTH].change.provinces) == 1


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(color_scheme=request.param, viewport={"width": 1200, "height": 900})
    yield context.new_page()
    context.close()


@every
def test_it_plays_with_a_line_a_letter_and_a_figure_for_each_side(
    kind: str, count: int, page: Page, env: Environment, tmp_path: Path
) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    file = tmp_path / "game.html"
    file.write_text(html_of(kind, count, env), "utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector("#r-reel:not([hidden])")
    page.keyboard.press("End")

    assert page.locator("#r-plots figure:last-child .r-pl-run").count() == count
    letters = page.locator("#r-line .r-tl-who").evaluate_all("some => some.map(it => +it.getAttribute('x'))")
    assert len(letters) == count
    assert 0 < min(letters) < max(letters) < page.evaluate("document.getElementById('r-line').clientWidth")
    assert page.locator(".r-strip dd").last.inner_text().count(",") >= count - 1
    theme = "dark" if page.evaluate("matchMedia('(prefers-color-scheme:dark)').matches") else "light"
    for style in STYLES[2:count]:
        seen = page.evaluate(f"getComputedStyle(document.querySelector('#r-plots .{style}')).color")
        assert seen == f"rgb{ImageColor.getrgb(getattr(SHIPPED[style], theme))}"
        dashes = page.evaluate(
            f"getComputedStyle(document.querySelector('#r-plots .{style} .r-pl-run')).strokeDasharray"
        )
        assert dashes.replace("px", "").replace(",", "") == SHIPPED[style].dash
    names = page.locator("#r-plots figure:last-child .r-pl-who")
    ends = names.evaluate_all("some => some.map(it => +it.getAttribute('y'))")
    assert len({round(end) for end in ends}) == count
    assert max(ends) <= 190
    assert not faults


def test_it_can_be_read_by_all(page: Page, env: Environment, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text(html_of("sheet", 7, env), "utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector("#r-reel:not([hidden])")
    check_all_can_read(page)
