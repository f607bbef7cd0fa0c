"""Whether all is as it was written, asked by a page: of one campaign, of the whole office, with how far it has come."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from playwright.sync_api import Browser

from tests.kit.room import Room, send
from tests.web.conftest import GAME, GM
from tests.web.test_journey import browsing, come_in


def spoilt(room: Room) -> None:
    """Change a row behind the office's back."""
    with closing(sqlite3.connect(room.office.folder / "office.sqlite")) as connection:
        connection.create_function("pbem_digest", -1, lambda *columns: b"another")
        connection.execute("UPDATE outbox SET subject = 'another' WHERE rowid = 1")
        connection.commit()


def test_all_of_a_sound_office_is_sound(room: Room) -> None:
    umpire = room.visitor(GM)
    page = umpire.get("/desk/proof").text
    assert GAME in page
    assert "What the office keeps beside its campaigns" in page
    done = send(umpire, "/desk/proof").text

    assert "<h1>All is sound</h1>" in done
    assert done.count("sound, ") == 2


def test_what_was_changed_is_named_and_no_other_part_is(room: Room) -> None:
    umpire = room.visitor(GM)
    umpire.get("/desk/proof")
    spoilt(room)
    done = send(umpire, "/desk/proof").text

    assert "1 of 2 is not sound" in done or "2 of 2 are not sound" in done
    assert "outbox" in done


def test_with_scripts_one_is_verified_after_the_other(chromium: Browser, room: Room) -> None:
    with browsing(chromium, room, 1100, "light") as page:
        come_in(page, room, GM)
        page.goto(f"{room.address}/desk/proof")
        page.get_by_role("button", name="Verify all").click()
        page.get_by_role("heading", name="All is sound").wait_for(timeout=60_000)

        assert page.locator("progress").evaluate("bar => bar.value") == 2
        assert page.locator("td[data-l=Found]").all_inner_texts()[0].startswith("sound, ")


def test_a_part_that_there_is_not_is_not_there(room: Room) -> None:
    assert send(room.visitor(GM), "/desk/proof", which="another").status_code == 404
