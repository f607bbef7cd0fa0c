"""A game that anybody may join, on the web: a stranger by a code out of his mail, who is signed in without one."""

from __future__ import annotations

import re

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol, joining
from pbem.desk.post import delivery
from pbem.kernel.terms import Terms
from pbem.storage import players
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH

DORA = "dora@player.example"
HOME = "/sign-up/autumn"
CODE = re.compile(r"confirm [a-z2-7]{4}(?:-[a-z2-7]{4}){3}")


@pytest.fixture
def lists(room: Room) -> Room:
    """A reading room with a game that anybody may join."""
    office = room.office
    enrol.new(office, "autumn", find_scenario(office.folder, "st-privat/graveyard"), Terms(trust="table"))
    joining.open_sign_up(office, "autumn")
    return room


def mailed(room: Room, to: str) -> str:
    shown = [delivery.shown(room.office, one.id) for one in delivery.listing(room.office)]
    return [one.text for one in shown if one.to == to][-1]


def wishes(room: Room) -> list[tuple[str, ...]]:
    with room.office.read() as connection:
        [dossier] = joining.open_ones(room.office, connection)
    return [one.wishes for one in dossier.campaign.candidates.values()]


def test_a_stranger_joins_by_the_line_out_of_his_mail(lists: Room) -> None:
    browser = lists.stranger()
    assert "0 on the list, 2 of 2 roles free" in browser.get("/sign-up").text
    sent = send(browser, HOME, name="Dora", address=DORA, zone="Europe/Rome", wish0="prussian", wish1="french")
    assert sent.headers["location"] == f"{HOME}/code"
    assert wishes(lists) == []
    line = CODE.search(mailed(lists, DORA))
    assert line is not None

    wrong = send(browser, f"{HOME}/code", code="confirm aaaa-bbbb-cccc-dddd")
    assert "not a code that was sent" in wrong.text
    done = send(browser, f"{HOME}/code", code=line[0])

    assert done.headers["location"] == HOME
    assert wishes(lists) == [("prussian", "french")]
    with lists.office.read() as connection:
        dora = players.by_address(connection, DORA)
    assert dora is not None
    assert (dora.name, dora.zone) == ("Dora", "Europe/Rome")
    assert "1 on the list" in browser.get("/sign-up").text
    assert not any(word in browser.get(HOME).text for word in ("Dora", DORA, dora.id))
    assert "not a code that was sent" in send(browser, f"{HOME}/code", code=line[0]).text


def test_who_is_signed_in_needs_no_code_and_may_change_his_mind(lists: Room) -> None:
    browser = lists.visitor(FRENCH)
    send(browser, HOME, wish0="french")
    assert wishes(lists) == [("french",)]
    assert "You would play french." in browser.get(HOME).text
    send(browser, HOME)
    assert wishes(lists) == [()]

    send(browser, HOME, do="off")

    assert wishes(lists) == []
    assert "You are not on the list." in browser.get(HOME).text


def test_who_went_back_to_mend_his_address_is_sent_a_code_there(lists: Room) -> None:
    browser = lists.stranger()
    for address in ("dora@payer.example", DORA):
        send(browser, HOME, name="Dora", address=address, wish0="french", once="same")

    assert CODE.search(mailed(lists, DORA))


def test_who_goes_back_to_the_page_by_which_he_signed_up_and_takes_himself_off_is_off(lists: Room) -> None:
    browser = lists.visitor(FRENCH)
    send(browser, HOME, wish0="french", once="same")
    off = send(browser, HOME, do="off", once="same")

    assert "You are off the list." in browser.get(off.headers["location"]).text
    assert wishes(lists) == []


def test_a_form_that_is_sent_again_and_again_writes_to_nobody_more_than_thrice(lists: Room) -> None:
    browser = lists.stranger()
    for _ in range(6):
        send(browser, HOME, name="Dora", address=DORA, wish0="french")

    assert sum(delivery.shown(lists.office, one.id).to == DORA for one in delivery.listing(lists.office)) == 3


def test_a_game_that_nobody_can_join_has_no_page(lists: Room) -> None:
    for name in ("stprivat-demo", "nothing"):
        assert lists.stranger().get(f"/sign-up/{name}").status_code == 404
