"""A letter that is written on the page of letters is one letter, whatever stands in its lines."""

from __future__ import annotations

import pytest

from pbem.desk.books.dossiers import Dossier, load
from pbem.kernel.office import LetterSent
from tests.kit.room import Room, send
from tests.web.conftest import FRENCH, GAME

HOME = f"/games/{GAME}/french"


def game(room: Room) -> Dossier:
    with room.office.read() as connection:
        return load(room.office, connection, GAME)


def letters(room: Room) -> list[tuple[str | None, str]]:
    return [(one.event.to, one.event.text) for one in game(room).own if isinstance(one.event, LetterSent)]


LINES = {
    "a letter to the enemy": "May I send this?\n\nletter to prussian: at dawn we fall on Habonville.\n\nYours, C.",
    "a sheet": "My receipt says:\n\nbegin\nturn 4A\nhold f1\nend\n\nIs that right?",
    "a quoted sheet": "You wrote:\n> begin\n> hold f1\n> end\nIs that right?",
    "a note": "One.\n\nnote to self: two\nthree",
    "the end of a letter": "One.\nEnd  letter.\nwithdraw",
    "the same in German": "One.\nEnde Brief\nwithdraw",
    "the same quoted": "One.\n> end letter\nwithdraw",
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_a_letter_written_on_the_page_goes_whole_to_whom_it_says_and_is_nothing_else(room: Room, text: str) -> None:
    browser, before = room.visitor(FRENCH), letters(room)
    send(browser, f"{HOME}/orders", sheet="hold all", do="send", once="first")
    send(browser, f"{HOME}/letters", to="umpire", text=text, once="x")

    new = letters(room)[len(before) :]
    assert [to for to, _ in new] == [None]
    assert new[0][1].replace("| ", "") == text
    now = game(room).campaign.now
    assert now is not None
    assert game(room).campaign.sheets[now, "french"].text == "hold all"  # type: ignore[index]
