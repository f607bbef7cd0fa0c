"""Who looks on reads on the web what he was shown, as the mail brought it, and no page is open to him a turn sooner."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default

import httpx
import pytest
from playwright.sync_api import Browser

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol, observers
from pbem.kernel.names import Moment
from pbem.kernel.terms import Terms
from pbem.reports.pages.sliced import sliced
from pbem.web.routes import ROUTES
from tests.kit.axe import check_all_can_read
from tests.kit.room import Room, open_room, seal_of, send
from tests.kit.table import Table
from tests.kit.table import table as new_table
from tests.web.test_rights import turned_away

RUSSELL, FRENCH, PRUSSIAN = "russell@paper.example", "canrobert@player.example", "friedrich@player.example"
GM = "gm@office.example"
OPEN, SHUT = ("S0", "S1", "S2", "1A", "1B"), ("2A", "2B", "3A")
"""What is open to him once 2B has been made known, the truth a turn later; and what is not."""


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, dict[str, bytes]]]:
    """A war at which somebody looks on, after its second turn, and the files that he was mailed, by their names."""
    folder = tmp_path_factory.mktemp("war") / "office"
    with new_table(folder) as table:
        table.name = "war"
        terms = Terms(trust="address", observers=("truth", "french"), observers_delay=1)
        enrol.new(table.office, "war", find_scenario(folder, "st-privat/graveyard"), terms)
        for role, address in (("french", FRENCH), ("prussian", PRUSSIAN)):
            enrol.add_player(table.office, "war", role, name=role.title(), address=address)
        enrol.start(table.office, "war")
        observers.admit(table.office, "war", name="W. Russell", address=RUSSELL)
        while table.dossier.exchange().moment < Moment(3, 1):
            table.turn()
            table.clock.forward(1)
        mailed, at = files(table), table.clock.at
    with open_room(folder, at=at) as room:
        yield room, mailed


def files(table: Table) -> dict[str, bytes]:
    found = {}
    for mail in table.mails:
        for part in message_from_bytes(table.bytes_of(mail), policy=default).iter_attachments():
            if mail.cause.startswith("observed/"):
                found[str(part.get_filename())] = str(part.get_content()).encode()
    return found


def test_he_reads_what_the_mail_brought_and_nothing_newer(war: tuple[Room, dict[str, bytes]]) -> None:
    room, mailed = war
    browser = room.visitor(RUSSELL)

    assert set(mailed) == {f"{one.lower()}-{eyes}.html" for one in OPEN for eyes in ("truth", "french")}
    for moment in OPEN:
        for eyes in ("truth", "french"):
            page = browser.get(f"/observed/war/turns/{moment}?eyes={eyes}")
            assert page.status_code == 200
            assert sliced(mailed[f"{moment.lower()}-{eyes}.html"].decode()).body.strip() in page.text
    for moment in SHUT:
        for query in ("", "?eyes=french", "?eyes=prussian", "?eyes=truth&turn=1A"):
            page = browser.get(f"/observed/war/turns/{moment}{query}")
            assert page.status_code == 409
            assert "is not shown to those who look on" in page.text
    assert browser.get("/observed/war/turns/1A?eyes=prussian").text == browser.get("/observed/war/turns/1A").text
    assert browser.get("/observed/war/reel").status_code == 404
    newest = browser.get("/observed/war", follow_redirects=False)
    assert newest.headers["location"].endswith("/observed/war/turns/1B")


def test_nothing_else_of_the_game_is_open_to_him(war: tuple[Room, dict[str, bytes]]) -> None:
    room, _ = war
    browser = room.visitor(RUSSELL)
    filled = {"campaign": "war", "role": "french", "moment": "2A", "number": "1", "name": "graveyard", "id": "x"}
    for route in ROUTES:
        if "{campaign}" in route.path and route.who not in ("who looks on", "anybody") and "program" not in route.by:
            assert turned_away(browser.request(route.method, route.path.format(**filled, secret="s", system="x")))

    games = browser.get("/games").text
    assert "/observed/war/turns/1B" in games
    assert "/games/war" not in games
    assert not any(f"/turns/{one}" in games for one in SHUT)


def test_nobody_else_looks_on(war: tuple[Room, dict[str, bytes]]) -> None:
    room, _ = war
    for visitor in (room.stranger(), room.visitor(FRENCH), room.visitor(PRUSSIAN), room.visitor(GM)):
        assert turned_away(visitor.get("/observed/war/turns/1A"))
    assert "You look on" not in room.visitor(FRENCH).get("/games").text


def test_everybody_can_read_his_pages(war: tuple[Room, dict[str, bytes]], chromium: Browser) -> None:
    room, _ = war
    for path in ("/games", "/observed/war/turns/1B", "/observed/war/turns/1B?eyes=french"):
        page = chromium.new_page(base_url=room.address)
        page.goto(f"/sign-in/link/{room.secret(RUSSELL)}")
        page.get_by_role("button").first.click()
        page.goto(path)
        check_all_can_read(page)
        page.close()


def test_the_gm_lets_somebody_in_and_out_again_on_his_desk(war: tuple[Room, dict[str, bytes]]) -> None:
    room, _ = war
    gm = room.visitor(GM)

    def do(deed: str, **fields: str) -> httpx.Response:
        seal = seal_of(gm.get("/desk/games/war/players").text)
        return gm.post(f"/desk/games/war/do/{deed}", data={"seal": seal, "once": deed, **fields})

    assert do("observe", name="Another", address="another@paper.example", zone="").status_code == 303
    assert "another@paper.example" in gm.get("/desk/games/war/players").text
    other = room.visitor("another@paper.example")
    assert other.get("/observed/war/turns/1A").status_code == 200

    assert send(other, "/observed/war/leave", page="/observed/war/turns/1A").status_code == 303
    assert turned_away(other.get("/observed/war/turns/1A"))
    assert "another@paper.example" not in gm.get("/desk/games/war/players").text


def test_a_player_sees_his_own_standing_and_the_gm_that_of_all(war: tuple[Room, dict[str, bytes]]) -> None:
    room, _ = war
    own = room.visitor(FRENCH).get("/me").text
    assert "games: 1 played now" in own
    assert "Your umpires see it" in own
    gm = room.visitor(GM)
    assert gm.get("/desk/people").text.count("games: 1 played now") == 2
    assert "games: 1 played now" in gm.get("/desk/games/war/players").text
    for page in ("/games", "/games/war/french/turns/1A", "/games/war/french/terms", "/games/war/french/letters"):
        assert "played now" not in room.visitor(FRENCH).get(page).text
