"""The whole map where the screen is narrower than it: it can be moved, and says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jinja2 import Environment
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from pbem.reports.pages.report import report_html
from tests.kit.hexes import HEX_MAP
from tests.kit.sample import PAGE

PICTURES = {"squares": PAGE.view.picture, "hexes": HEX_MAP}


@pytest.fixture(params=PICTURES)
def html(request: pytest.FixtureRequest, env: Environment) -> str:
    """A report with a map of squares, and one of hexes."""
    return report_html(replace(PAGE, view=replace(PAGE.view, picture=PICTURES[request.param])), env)


@pytest.fixture
def shown(chromium: Browser, html: str) -> Iterator[Page]:
    page = chromium.new_page()
    page.set_content(html)
    yield page
    page.close()


def test_on_a_phone_the_map_says_that_it_can_be_moved_and_can_be(shown: Page) -> None:
    shown.set_viewport_size({"width": 390, "height": 844})
    region = shown.locator("#map .wide")

    assert "move it sideways" in shown.locator("#map .sideways").inner_text()
    assert (
        region.evaluate("it => { it.scrollLeft = 9999; return it.scrollLeft + it.clientWidth - it.scrollWidth }") == 0
    )
    assert region.evaluate("it => it.scrollLeft") > 100
    assert shown.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("width", [1100, 1600])
def test_where_the_whole_map_is_seen_nothing_is_said_of_moving_it(shown: Page, width: int) -> None:
    shown.set_viewport_size({"width": width, "height": 900})

    assert not shown.locator("#map .sideways").is_visible()
    assert shown.locator("#map .wide").evaluate("it => it.scrollWidth - it.clientWidth") <= 0
    assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_nothing_is_said_of_moving_it(shown: Page) -> None:
    shown.emulate_media(media="print")
    shown.set_viewport_size({"width": 390, "height": 844})

    assert not shown.locator("#map .sideways").is_visible()
