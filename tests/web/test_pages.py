"""Every page can be read by everybody, in both themes, on a phone and on a screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.kit.axe import check_all_can_read
from tests.kit.room import Room
from tests.web.conftest import FRENCH, GAME, GM
from tests.web.test_journey import Theme, browsing, come_in, press

HOME = f"/games/{GAME}/french"
DESK = f"/desk/games/{GAME}"
PLAYERS = (
    "/games", "/letters", "/calendar", "/me", "/scenarios", "/scenarios/st-privat/graveyard", "/api/v1", "/sign-up",
    "/guide", "/guide/player", "/guide/gm", "/guide/scenario", "/guide/commands", "/guide/directives",
    f"{HOME}/turns/3B", f"{HOME}/letters", f"{HOME}/terms", f"{HOME}/rules", f"{HOME}/receipts/1", f"{HOME}/votes",
)  # fmt: skip
GMS = (
    "/desk", "/desk/campaigns", "/desk/people", "/desk/post?letters=all", "/desk/post/letters/1",
    f"{DESK}", f"{DESK}/players", f"{DESK}/truth", f"{DESK}/reports/french", f"{DESK}/log", f"{DESK}/rule",
    f"{DESK}/proof", "/desk/proof", f"{DESK}/votes",
)  # fmt: skip


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1100, "light")])
@pytest.mark.parametrize(("who", "pages"), [(FRENCH, PLAYERS), (GM, GMS)], ids=["players", "the umpire"])
def test_all_can_read_every_page(
    chromium: Browser, quiet: Room, who: str, pages: tuple[str, ...], width: int, theme: Theme
) -> None:
    with browsing(chromium, quiet, width, theme) as page:
        page.goto(f"{quiet.address}/sign-in")
        check_all_can_read(page)
        come_in(page, quiet, who)
        for path in pages:
            answer = page.goto(f"{quiet.address}{path}")
            assert answer is not None
            assert answer.status == 200, path
            check_all_can_read(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_a_page_is_read_without_scripts(chromium: Browser, quiet: Room) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    come_in(page, quiet, FRENCH)
    page.goto(f"{quiet.address}{HOME}/orders")
    page.fill("#sheet", "moove f1 to 3\n")
    press(page.get_by_role("button", name="Read it"))

    assert "is no order" in page.locator(".notes").inner_text()
    assert page.locator(".chart svg").first.is_visible()
    context.close()
