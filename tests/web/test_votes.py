"""Votes on the web: a player proposes and votes by forms; no page of the desk tells who has voted in secret."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from pbem.desk.books.dossiers import load
from pbem.kernel.campaign import Campaign
from pbem.kernel.names import Role
from tests.kit.axe import check_all_can_read
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME, GM, PRUSSIAN
from tests.web.test_journey import browsing, come_in

HOME = f"/games/{GAME}/french/votes"
OTHER = f"/games/{GAME}/prussian/votes"
DESK = f"/desk/games/{GAME}"


def told(room: Room) -> Campaign:
    with room.office.read() as connection:
        return load(room.office, connection, GAME).campaign


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^<>]*>", " ", html).split())


def test_a_draw_is_proposed_and_voted_on_by_forms_and_the_desk_tells_nothing(room: Room) -> None:
    french, prussian, gm = room.visitor(FRENCH), room.visitor(PRUSSIAN), room.visitor(GM)
    assert send(french, HOME, do="propose", what="draw", reason="we are even", once="1").status_code == 303
    mine = plain(french.get(HOME).text)
    assert "V1: a draw" in mine
    assert "Your vote is yes" in mine
    theirs = plain(prussian.get(OTHER).text)
    assert "You have said nothing yet." in theirs
    assert "Proposed by" not in theirs
    paths = (f"{DESK}/votes", DESK, "/desk/post?letters=all", "/desk", f"{DESK}/players")
    before = [masked(gm.get(path).text) for path in paths]

    send(prussian, OTHER, do="no", key="V1", once="2")
    assert told(room).proposals["V1"].votes == {Role("french"): True, Role("prussian"): False}
    assert "Your vote is no" in plain(prussian.get(OTHER).text)
    assert [masked(gm.get(path).text) for path in paths] == before
    assert "Proposed by" not in gm.get(f"{DESK}/votes").text
    newest = max(int(one) for one in re.findall(r"/desk/post/letters/(\d+)", gm.get("/desk/post?letters=all").text))
    for number in (newest + 1, newest + 2):
        page = gm.get(f"/desk/post/letters/{number}").text
        assert "a secret vote ran in its game" in page
        assert "vote V1" not in page


def masked(html: str) -> str:
    """A page without what is new each time it is made."""
    html = re.sub(r'name="(?:seal|once)" value="[^"]*"|(?:id|for)="[^"]*"', "", html)
    return re.sub(r"\d+ (?:minutes?|seconds?)", "", html)


def test_an_open_vote_shows_who_said_what_and_what_is_taken_back_is_over(room: Room) -> None:
    french, gm = room.visitor(FRENCH), room.visitor(GM)
    send(french, HOME, do="propose", what="truce", turn="9A", once="1")
    page = plain(gm.get(f"{DESK}/votes").text)
    assert "a truce until 9A" in page
    assert "french yes" in page
    send(french, HOME, do="withdraw", key="V1", once="2")
    assert "V1, a truce until 9A, was taken back." in plain(french.get(HOME).text)


@pytest.mark.parametrize("fields", [{"do": "propose", "what": "peace"}, {"do": "propose", "what": "truce"}])
def test_what_cannot_be_is_said(room: Room, fields: dict[str, str]) -> None:
    french = room.visitor(FRENCH)
    send(french, HOME, once="1", **fields)
    assert told(room).proposals == {}


def test_all_can_read_the_pages_of_votes(chromium: Browser, room: Room) -> None:
    french = room.visitor(FRENCH)
    send(french, HOME, do="propose", what="pause", once="1")
    send(french, HOME, do="propose", what="end", once="2")
    for who, path in ((FRENCH, HOME), (GM, f"{DESK}/votes")):
        with browsing(chromium, room, 390, "dark") as page:
            come_in(page, room, who)
            page.goto(f"{room.address}{path}")
            check_all_can_read(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
