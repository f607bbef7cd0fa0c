"""All other browsers are those by which one came in before he ran games too."""

from __future__ import annotations

from tests.kit.room import Room, send
from tests.web.conftest import FRENCH
from tests.web.test_several_gms import GMS, kept_by


def test_browsers_are_signed_out_in_which_he_came_in_before_he_ran_games(room: Room) -> None:
    first = room.visitor(FRENCH)
    kept_by(room.office.folder, GMS)
    second = room.visitor(FRENCH)
    assert send(second, "/me/end", page="/me", do="others").status_code == 303

    assert first.get("/games").status_code == 303
    assert second.get("/games").status_code == 200
