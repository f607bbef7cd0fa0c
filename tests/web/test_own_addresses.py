"""A player's own addresses and his clock on the page of his data: the same rules as by letter."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser

from pbem.desk.players.aliases import meant_by, others
from pbem.kernel.names import PlayerId
from pbem.storage import aliases, players
from tests.kit.axe import check_all_can_read
from tests.kit.mailboxes import code_in, mailbox
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME, PRUSSIAN
from tests.web.test_journey import Theme, browsing, come_in, press

NEW, WORK = "marcel@new.example", "marcel@work.example"


def asked(browser: httpx.Client, do: str, **fields: str) -> httpx.Response:
    return send(browser, "/me/addresses", page="/me", do=do, **fields)


def address_of(room: Room, id: PlayerId) -> str | None:
    with room.office.read() as connection:
        return players.get(connection, id).address


def test_a_player_moves_by_two_codes_and_comes_in_by_his_new_address(room: Room) -> None:
    id = meant_by(room.office, FRENCH).id
    browser, elsewhere = room.visitor(FRENCH), room.visitor(FRENCH)
    assert asked(browser, "move", address=NEW.upper()).status_code == 303
    page = browser.get("/me").text
    assert "Nothing has changed yet" in page
    assert f"that your letters go to {NEW}" in page
    old, new = code_in(room.office, FRENCH), code_in(room.office, NEW)

    assert asked(browser, "code", code=f"confirm {old}").headers["location"] == "/me"
    assert "one of two codes has come back" in browser.get("/me").text
    assert (address_of(room, id), asked(browser, "code", code=old).status_code) == (FRENCH, 409)
    done = asked(browser, "code", code=new)

    assert (done.headers["location"], address_of(room, id)) == ("/sign-in", NEW)
    assert f"go to {NEW} now" in mailbox(room.office, FRENCH)[-1]
    assert [one.get("/me").status_code for one in (browser, elsewhere)] == [303, 303]
    assert NEW in room.visitor(NEW).get("/me").text


def test_nobody_gives_back_the_codes_of_another(room: Room) -> None:
    asked(room.visitor(FRENCH), "also", address=WORK)
    other = asked(room.visitor(PRUSSIAN), "code", code=code_in(room.office, WORK))

    assert other.status_code == 409
    assert "no code of an address that you have asked for" in other.text
    assert others(room.office) == {}


def test_another_address_to_write_from_is_asked_for_confirmed_and_taken_away(room: Room) -> None:
    browser = room.visitor(FRENCH)
    asked(browser, "also", address=WORK)
    assert f"to write from {WORK} too" in browser.get("/me").text
    asked(browser, "code", code=code_in(room.office, WORK))
    assert f'<tr><th scope="row">{WORK}</th>' in browser.get("/me").text
    assert asked(room.visitor(PRUSSIAN), "off", address=WORK).status_code == 409

    asked(browser, "off", address=WORK)
    assert others(room.office) == {}
    assert WORK not in browser.get("/me").text.replace(f"What comes from {WORK} no longer counts", "")


def test_a_wish_is_taken_back(room: Room) -> None:
    browser = room.visitor(FRENCH)
    asked(browser, "move", address=NEW)
    code = code_in(room.office, NEW)
    assert asked(browser, "stay", address=NEW).status_code == 303

    assert asked(browser, "code", code=code).status_code == 409
    with room.office.read() as connection:
        assert not aliases.wishes(connection)


def test_what_is_refused_by_letter_is_refused_here_and_counted(room: Room) -> None:
    browser = room.visitor(FRENCH)
    for _ in range(3):
        refused = asked(browser, "move", address=PRUSSIAN)
        assert refused.status_code == 409
        assert "cannot be entered for you" in refused.text
        assert "Friedrich " not in refused.text
    asked(browser, "also", address=WORK)
    assert "no more are sent today" in asked(browser, "move", address=NEW).text
    assert mailbox(room.office, NEW) == []
    assert asked(browser, "nothing").status_code == 404


def test_a_sheet_of_a_program_asks_for_no_address(room: Room) -> None:
    program = room.program(FRENCH)
    program.post(f"/api/v1/games/{GAME}/french/orders", json={"sheet": f"also {WORK}\naddress {NEW}", "once": "1"})

    assert "on the page of your data" in mailbox(room.office, FRENCH)[-1]
    assert mailbox(room.office, WORK) == mailbox(room.office, NEW) == []
    with room.office.read() as connection:
        assert not aliases.wishes(connection)


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1100, "light")])
def test_all_can_read_the_page_while_codes_are_waited_for(
    chromium: Browser, room: Room, width: int, theme: Theme
) -> None:
    there = room.visitor(FRENCH)
    asked(there, "also", address=WORK)
    asked(there, "code", code=code_in(room.office, WORK))
    asked(there, "also", address="marcel.a.very.long.name.indeed@an-office-of-his.example")
    asked(there, "move", address=NEW)
    asked(there, "code", code=code_in(room.office, NEW))
    with browsing(chromium, room, width, theme) as page:
        come_in(page, room, FRENCH)
        page.goto(f"{room.address}/me")
        check_all_can_read(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.fill("#code", code_in(room.office, FRENCH))
        press(page.get_by_role("button", name="Give it back"))
        assert f"Your letters go to {NEW} from now on" in page.locator("body").inner_text()


def test_the_clock_is_set_and_a_wrong_one_is_answered_with_what_is_near(room: Room) -> None:
    browser = room.visitor(FRENCH)
    wrong = send(browser, "/me/zone", page="/me", zone="Pariss")
    assert (wrong.status_code, "Near it: Europe/Paris" in wrong.text) == (409, True)

    send(browser, "/me/zone", page="/me", zone="america/new york")
    assert 'value="America/New_York"' in browser.get("/me").text
