"""Of a letter that was not delivered the page says why."""

from __future__ import annotations

from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME

HOME = f"/games/{GAME}/french"


def test_the_page_says_why_a_letter_was_not_delivered(room: Room) -> None:
    browser = room.visitor(FRENCH)
    answer = send(browser, f"{HOME}/letters", to="bavarian", text="A truce?", once="1")

    assert "there is no other role bavarian" in browser.get(answer.headers["location"]).text
