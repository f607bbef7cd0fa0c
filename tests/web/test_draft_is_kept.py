"""What somebody wrote is kept in his browser until the office has said that it has it."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.kit.room import Room
from tests.web.conftest import FRENCH, GAME
from tests.web.test_journey import come_in, press

HOME = f"/games/{GAME}/french"
READY = "document.documentElement.dataset.written"


def test_orders_whose_sending_was_refused_are_there_when_the_page_is_opened_again(
    chromium: Browser, room: Room
) -> None:
    context = chromium.new_context()
    page, other = context.new_page(), context.new_page()
    come_in(page, room, FRENCH)
    page.goto(f"{room.address}{HOME}/orders")
    page.locator("#sheet").fill("hold all")
    come_in(other, room, FRENCH)  # with that the form of the first tab is too old
    press(page.get_by_role("button", name="Send these orders"))
    assert "open the page again, and send it once more" in page.locator("main").inner_text()

    page.goto(f"{room.address}{HOME}/orders")
    page.wait_for_function(READY)
    assert page.locator("#sheet").input_value() == "hold all"

    page.locator("#sheet").fill("wait on\nhold all")
    press(page.get_by_role("button", name="Send these orders"))
    assert "/receipts/" in page.url
    page.goto(f"{room.address}{HOME}/orders")
    page.wait_for_function(READY)
    assert page.locator("#sheet").input_value() == "hold all"
    assert "draft" not in page.evaluate("Object.keys(localStorage).join()")
    context.close()
