"""A page that lay open while its turn was run: what it sends is of no later one, for who wrote it had not seen that."""

from __future__ import annotations

import re

import httpx
import pytest

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.turns import adjudicate, exchange, publish
from pbem.kernel.names import Moment, Role
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME

HOME = f"/games/{GAME}/french"
NOW = "4A"


@pytest.fixture
def moved(room: Room) -> tuple[Room, httpx.Client]:
    """The French look at what they are asked for 4A; then that is run, and the next is open."""
    browser = room.visitor(FRENCH)
    page = browser.get(f"{HOME}/orders").text
    assert f'name="turn" value="{NOW}"' in page
    adjudicate.run(room.office, GAME, early=True, defaults=True)
    publish.release(room.office, GAME, early=True)
    assert str(game(room).campaign.now) != NOW
    return room, browser


def game(room: Room) -> Dossier:
    with room.office.read() as connection:
        return load(room.office, connection, GAME)


def kinds(room: Room) -> list[str]:
    return [str(one.event.__struct_config__.tag) for one in game(room).own]


@pytest.mark.parametrize("does", ["send", "ready", "wait", "withdraw"])
def test_what_a_page_of_an_earlier_turn_sends_changes_nothing(moved: tuple[Room, httpx.Client], does: str) -> None:
    room, browser = moved
    before = kinds(room)
    answer = send(browser, f"{HOME}/orders", sheet="hold all", do=does, turn=NOW, once="1")

    new = set(kinds(room)[len(before) :])
    assert new <= {"message_received", "orders_refused"}
    told = re.sub(r"<[^<>]*>", "", browser.get(answer.headers["location"]).text)
    assert f"{NOW} is over, and {game(room).campaign.now} is open" in " ".join(told.split())


def test_a_sheet_that_is_being_written_is_said_to_be_of_an_earlier_turn(moved: tuple[Room, httpx.Client]) -> None:
    room, browser = moved
    read = send(browser, f"{HOME}/read", page=f"{HOME}/orders", sheet="hold all", turn=NOW).json()

    assert f"this was written for {NOW}, and {game(room).campaign.now} is open by now" in read["against"]


def test_a_page_of_this_turn_is_taken_and_one_of_a_turn_that_was_annulled_is_not(room: Room) -> None:
    browser = room.visitor(FRENCH)
    home = f"{HOME}/orders"
    taken = send(browser, home, sheet="hold all", do="send", turn=NOW, once="1")
    later = send(browser, home, sheet="hold all", do="send", turn="9B", once="2")
    told = browser.get(later.headers["location"]).text
    wrong = send(browser, home, sheet="hold all", do="send", turn="soon", once="3")

    assert kinds(room).count("orders_accepted") > 0
    assert "/receipts/" in taken.headers["location"]
    assert "9B was annulled" in told
    assert wrong.status_code == 409


def test_a_program_may_say_of_which_turn_its_sheet_is(moved: tuple[Room, httpx.Client]) -> None:
    room, _ = moved
    program = room.program(FRENCH)
    late = program.post(f"/api/v1{HOME}/orders", json={"sheet": "hold all", "turn": NOW}).json()
    turn = program.get(f"/api/v1{HOME}").json()["turn"]
    read = program.post(f"/api/v1{HOME}/read", json={"sheet": "hold all", "turn": turn}).json()

    assert (late["state"], read["against"]) == ("refused", "")


def test_the_wait_is_as_its_box_was_left_when_orders_are_sent(room: Room) -> None:
    browser, home = room.visitor(FRENCH), f"{HOME}/orders"

    def waits() -> bool:
        return game(room).campaign.waits.get((Moment.parse(NOW), Role("french")), False)

    send(browser, home, sheet="hold all", do="send", wait="on", once="1")
    assert waits()
    assert 'name="waited" value="on"' in browser.get(home).text
    send(browser, home, sheet="hold all", do="send", wait="on", waited="on", once="2")
    assert waits()
    send(browser, home, sheet="hold all", do="send", waited="on", once="3")
    assert not waits()


def test_a_turn_that_is_open_anew_takes_the_page_of_before(room: Room) -> None:
    browser = room.visitor(FRENCH)
    adjudicate.run(room.office, GAME, early=True, defaults=True)
    exchange.annul(room.office, GAME, Moment.parse(NOW), "A stand was misplaced.", reopen=True)
    answer = send(browser, f"{HOME}/orders", sheet="hold all", do="send", turn=NOW, once="1")

    assert kinds(room)[-1] == "orders_accepted"
    assert "/receipts/" in answer.headers["location"]
