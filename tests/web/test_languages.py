"""Pages in the reader's language: that of his role; before he signs in that of his browser; the desk in English."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol, joining, observers
from pbem.kernel.terms import Terms
from pbem.web.application import ENGLISH_PATHS
from pbem.web.routes import ROUTES
from tests.kit.axe import check_all_can_read
from tests.kit.room import Room, send
from tests.kit.said import pieces, untold
from tests.web.conftest import FRENCH, GAME, GM, PRUSSIAN
from tests.web.test_journey import press

HOME = f"/games/{GAME}/french"
GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}


NAMED = {"campaign": GAME, "role": "french", "moment": "3B", "number": "1", "secret": "nothing"}
OF_GAMES = ("/reel", "/rules", "/turns/{moment}", "/receipts/{number}", "/calendar/{name}", "/feed/{name}")
"""Pages and files that say what games say."""
PAGES = [
    one.path.format(**NAMED)
    for one in ROUTES
    if one.method == "GET" and not one.path.startswith((*ENGLISH_PATHS, "/guide")) and not one.path.endswith(OF_GAMES)
]
"""Every other page that a player, or somebody who is none, may read."""


@pytest.fixture
def german(room: Room) -> Room:
    """A reading room in which the French commander reads German, with votes, letters, addresses and a sign-up in it."""
    french, prussian, office = room.visitor(FRENCH), room.visitor(PRUSSIAN), room.office
    send(french, f"{HOME}/shown", page=f"{HOME}/terms", form="page", language="de")
    send(french, f"{HOME}/votes", do="propose", what="truce", turn="9A", reason="", once="1")
    send(prussian, f"/games/{GAME}/prussian/votes", do="propose", what="draw", reason="", once="2")
    send(french, f"{HOME}/votes", do="withdraw", key="V1", once="3")
    send(french, f"{HOME}/letters", to="prussian", text="Bonjour.", once="4")
    send(french, "/me/addresses", page="/me", do="move", address="canrobert@new.example")
    send(french, "/me/addresses", page="/me", do="also", address="canrobert@also.example")
    send(french, "/me/programs", page="/me", name="x", scope="order")
    enrol.new(office, "autumn", find_scenario(office.folder, "st-privat/graveyard"), Terms(observers=("truth",)))
    joining.open_sign_up(office, "autumn")
    observers.admit(office, "autumn", name="M. Canrobert", address=FRENCH)
    return room


def test_every_page_of_a_player_is_said_in_his_language_and_nothing_of_ours_in_english(german: Room) -> None:
    french, read = german.visitor(FRENCH), 0
    for path in (*PAGES, "/sign-up/autumn", "/nowhere", "/games/nothing/french/terms"):
        page = french.get(path, headers=GERMAN)
        if page.status_code == 303:
            continue
        read += 1
        assert '<html lang="de">' in page.text, path
        assert list(untold(page.text, "de")) == [], path
    assert read > 14


def test_so_is_every_page_before_the_door(german: Room) -> None:
    stranger = german.stranger()
    for path in ("/sign-in", "/sign-in/sent", "/sign-in/link/nothing", "/sign-up", "/sign-up/autumn", "/nowhere"):
        page = stranger.get(path, headers=GERMAN)
        assert '<html lang="de">' in page.text, path
        assert list(untold(page.text, "de")) == [], path


def test_what_is_looked_for_would_be_found(german: Room) -> None:
    french = german.visitor(FRENCH)
    english = french.get(f"{HOME}/votes", headers=GERMAN).text.replace("Abstimmungen", "Votes")
    assert any(one.startswith("'Votes'") for one in untold(english, "de"))
    assert "Etwas zur Abstimmung stellen" in pieces(english)


def test_what_a_form_came_to_is_said_in_german(german: Room) -> None:
    french = german.visitor(FRENCH)
    answers = (
        (f"{HOME}/votes", {"do": "yes", "key": "V2", "once": "5"}, "Es ist getan."),
        (f"{HOME}/votes", {"do": "yes", "key": "V2", "once": "5"}, "Das wurde schon geschickt und einmal angenommen."),
        (f"{HOME}/letters", {"to": "umpire", "text": "Bonjour?", "once": "6"}, "An den Spielleiter weitergegeben."),
        ("/me/zone", {"zone": "Europe/Rome"}, "Zeiten werden dir von jetzt an nach der Uhr von Europe/Rome genannt."),
        ("/sign-up/autumn", {"wish0": "french", "once": "7"}, "siehst bei autumn zu: Wer sieht"),
    )
    for path, fields, said in answers:
        page = "/me" if path.startswith("/me") else path
        answer = send(french, path, page=page, **fields)
        shown = french.get(answer.headers["location"]) if answer.status_code == 303 else answer
        assert said in shown.text, (path, said)
    assert "Der Brief ist leer" in send(french, f"{HOME}/letters", text="").text


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
