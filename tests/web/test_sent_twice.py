"""A form that comes twice: the same is taken once, another is taken too, and what was refused was not taken."""

from __future__ import annotations

from pbem.desk.books.dossiers import load
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME

HOME = f"/games/{GAME}/french"


def stands(room: Room) -> str:
    with room.office.read() as connection:
        campaign = load(room.office, connection, GAME).campaign
    assert campaign.now is not None
    return campaign.sheets[campaign.now, "french"].text  # type: ignore[index]


def test_of_a_sheet_that_was_refused_nobody_is_told_that_it_was_taken_when_he_sends_it_twice(room: Room) -> None:
    browser = room.visitor(FRENCH)
    for _ in range(2):
        answer = send(browser, f"{HOME}/orders", sheet="role prussian\nhold all", do="send", once="same")
        told = answer.text if answer.status_code == 409 else browser.get(answer.headers["location"]).text
        assert "was taken once" not in told
        assert "and this is for french: nothing of it is taken" in told.replace("&#34;", '"')


def test_what_is_sent_from_a_page_to_which_he_went_back_is_taken_if_it_is_something_else(room: Room) -> None:
    browser = room.visitor(FRENCH)
    for sheet in ("hold all", "hold f1", "hold f1"):
        send(browser, f"{HOME}/orders", sheet=sheet, do="send", once="same")

    assert stands(room) == "hold f1"
