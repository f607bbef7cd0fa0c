"""Letters to several, a diary, and what comes by mail, by the pages alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.office.office import clock
from pbem.kernel.office import DigestSet, LetterSent, NoteMade, StopSaid
from tests.kit.axe import check_all_can_read
from tests.kit.redoubt import ADDRESSES, ALLIED, GUARDS, RIGHT, RUSSIAN, begin
from tests.kit.room import Room, open_room, send
from tests.kit.table import table as make
from tests.web.test_journey import Theme, browsing, come_in

HOME = f"/games/redoubt/{ALLIED}"
GM = "gm@office.example"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """The reading room of a game of four that has just begun."""
    with make(tmp_path / "office") as table:
        table.clock.at = clock()
        begin(table, press="grey")
    with open_room(tmp_path / "office") as opened:
        yield opened


def dossier(room: Room) -> Dossier:
    with room.office.read() as connection:
        return load(room.office, connection, "redoubt")


def test_a_letter_is_written_to_several_and_each_reads_to_whom_it_went(room: Room) -> None:
    allied = room.visitor(ADDRESSES[ALLIED])
    page = allied.get(f"{HOME}/letters").text
    assert 'value="all"' in page
    assert 'value="side russian"' in page
    send(allied, f"{HOME}/letters", to="russian", text="A truce?", **{"and-allied.guards": "on"}, once="a")
    send(allied, f"{HOME}/letters", to="all", text="To all of you.", once="b")
    send(allied, f"{HOME}/letters", to="umpire", text="For one.", **{"and-russian": "on"}, once="c")

    sent = [one.event for one in dossier(room).log.own if isinstance(one.event, LetterSent)]
    assert [one.to for one in sent] == [GUARDS, RUSSIAN, GUARDS, RUSSIAN, RIGHT, RUSSIAN]
    own = allied.get(f"{HOME}/letters").text
    assert "To russian and allied.guards" in own
    assert own.count("To all of you.") == 1
    assert "From allied to russian and allied.guards" in room.visitor(ADDRESSES[GUARDS]).get("/letters").text


def test_a_note_is_on_his_own_page_and_on_no_other(room: Room) -> None:
    allied = room.visitor(ADDRESSES[ALLIED])
    send(allied, f"{HOME}/letters", to="self", text="They are weak\n\nat the mill.", once="a")

    assert [one.event.text for one in dossier(room).log.own if isinstance(one.event, NoteMade)] == [
        "They are weak\n\nat the mill."
    ]
    assert "at the mill." in allied.get(f"{HOME}/letters").text
    assert "at the mill." in allied.get("/letters").text
    gm = room.visitor(GM)
    letter = gm.get("/desk/post/letters/1")
    assert letter.status_code == 200
    assert "at the mill" not in letter.text
    assert "pbem mail quarantine show 1" in letter.text
    for path in ("/desk", "/desk/post?letters=all", "/desk/games/redoubt", "/desk/games/redoubt/log"):
        assert "at the mill" not in gm.get(path).text
    for other in (GUARDS, RUSSIAN, RIGHT):
        assert "at the mill" not in room.visitor(ADDRESSES[other]).get(f"/games/redoubt/{other}/letters").text


def test_what_comes_by_mail_is_said_on_the_page_of_the_terms(room: Room) -> None:
    allied, page = room.visitor(ADDRESSES[ALLIED]), f"{HOME}/terms"
    for _ in range(2):
        send(allied, f"{HOME}/mails", page, reminders="on", notices="on", digest="21:30")

    told = dossier(room)
    assert (told.campaign.stopped, told.campaign.digests) == ({ALLIED: ("letters",)}, {ALLIED: "21:30"})
    assert sum(isinstance(one.event, StopSaid | DigestSet) for one in told.log.own) == 2
    assert 'value="21:30"' in allied.get(page).text
    assert "21:30" in allied.get("/me").text
    send(allied, f"{HOME}/mails", page, letters="on", reminders="on", notices="on", digest="")
    now = dossier(room).campaign
    assert (now.stopped, now.digests) == ({ALLIED: ()}, {})


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1100, "light")])
def test_all_can_read_the_page_on_which_several_are_written_to(
    chromium: Browser, room: Room, width: int, theme: Theme
) -> None:
    with browsing(chromium, room, width, theme) as page:
        come_in(page, room, ADDRESSES[ALLIED])
        for path in (f"{HOME}/letters", f"{HOME}/terms", "/me"):
            page.goto(f"{room.address}{path}")
            check_all_can_read(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_leave_for_the_diary_is_a_box_like_the_others(room: Room) -> None:
    allied = room.visitor(ADDRESSES[ALLIED])
    send(allied, f"{HOME}/shown", f"{HOME}/terms", form="page", diary="on")

    assert {what for (_, what), on in dossier(room).campaign.leave.items() if on} == {"diary"}
