"""Pages in the reader's language: that of his role; before he signs in that of his browser; the desk in English."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.kit.axe import check_all_can_read
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME, GM, PRUSSIAN
from tests.web.test_journey import press

HOME = f"/games/{GAME}/french"
GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}


def test_before_he_signs_in_a_browser_says_what_it_reads(quiet: Room) -> None:
    stranger = quiet.stranger()
    assert "The reading room" in stranger.get("/sign-in").text
    page = stranger.get("/sign-in", headers=GERMAN).text
    assert '<html lang="de">' in page
    assert "Der Lesesaal" in page
    assert "Come in" not in page


def test_the_choice_of_a_role_is_that_of_its_pages_whatever_the_browser_says(room: Room) -> None:
    french, prussian = room.visitor(FRENCH), room.visitor(PRUSSIAN)
    send(french, f"{HOME}/shown", page=f"{HOME}/terms", form="page", language="de")

    assert '<html lang="de">' in french.get(f"{HOME}/orders").text
    assert "Diese Befehle schicken" in french.get(f"{HOME}/orders", headers={"accept-language": "en"}).text
    assert "Meine Spiele" in french.get("/games").text
    assert "My games" in prussian.get("/games").text


def test_the_desk_and_programs_are_told_in_english(quiet: Room) -> None:
    gm = quiet.visitor(GM)
    assert '<html lang="en">' in gm.get("/desk", headers=GERMAN).text
    program = quiet.program(FRENCH, "read")
    assert program.get("/api/v1/games", headers=GERMAN).text == program.get("/api/v1/games").text


def test_all_can_read_the_german_pages_on_a_phone(chromium: Browser, room: Room) -> None:
    send(room.visitor(FRENCH), f"{HOME}/shown", page=f"{HOME}/terms", form="page", language="de")
    context = chromium.new_context(locale="de-DE", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{room.address}/sign-in")
    check_all_can_read(page)
    page.goto(f"{room.address}/sign-in/link/{room.secret(FRENCH)}")
    press(page.get_by_role("button", name="Eintreten"))
    for path in (
        "/games",
        "/letters",
        "/calendar",
        "/me",
        *(f"{HOME}/{one}" for one in ("orders", "letters", "terms")),
    ):
        page.goto(f"{room.address}{path}")
        check_all_can_read(page)
        assert page.locator("html").get_attribute("lang") == "de"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    context.close()
