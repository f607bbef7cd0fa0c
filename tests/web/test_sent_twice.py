"""A form that comes twice: the same is taken once, another is taken too, and what was refused was not taken."""

from __future__ import annotations

from pbem.desk.books.dossiers import load
from pbem.kernel.names import Role
from pbem.kernel.office import UmpireNoted
from tests.kit.room import Room, seal_of, send
from tests.web.conftest import FRENCH, GAME, GM

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


def test_what_he_sent_first_is_taken_again_after_he_sent_something_else_from_the_same_page(room: Room) -> None:
    browser = room.visitor(FRENCH)
    for sheet in ("hold all", "hold f1", "hold all"):
        send(browser, f"{HOME}/orders", sheet=sheet, do="send", once="same")
    assert stands(room) == "hold all"

    twice = send(browser, f"{HOME}/orders", sheet="hold all", do="send", once="same")

    assert "was taken once" in browser.get(twice.headers["location"]).text


def test_a_deed_that_says_something_else_is_done_though_it_comes_from_a_page_to_which_the_gm_went_back(
    room: Room,
) -> None:
    browser, home = room.visitor(GM), f"/desk/games/{GAME}"
    for text in ("Look at the graveyard.", "Look at the mill.", "Look at the mill."):
        send(browser, f"{home}/do/note", page=home, once="same", role="french", text=text)

    with room.office.read() as connection:
        log = load(room.office, connection, GAME).own
    notes = [one.event.text for one in log if isinstance(one.event, UmpireNoted)]
    assert notes == ["Look at the graveyard.", "Look at the mill."]


def test_who_sends_a_file_has_the_turn_held_as_the_box_beside_it_says(room: Room) -> None:
    browser = room.visitor(FRENCH)

    def sends(once: str, **box: str) -> tuple[str, bool]:
        fields = {"seal": seal_of(browser.get(f"{HOME}/orders").text), "do": "file", "once": once, **box}
        browser.post(f"{HOME}/orders", data=fields, files={"file": ("orders.txt", b"hold all\n", "text/plain")})
        with room.office.read() as connection:
            campaign = load(room.office, connection, GAME).campaign
        assert campaign.now is not None
        return stands(room), campaign.waits.get((campaign.now, Role("french")), False)

    assert sends("one", wait="on") == ("hold all", True)
    assert sends("two", wait="on", waited="on") == ("hold all", True)
    assert sends("three", waited="on") == ("hold all", False)
