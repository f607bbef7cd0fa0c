"""A map of provinces in a page that answers: what lies where a finger points, and how orders write it."""

from __future__ import annotations

import msgspec
from playwright.sync_api import Browser

from pbem.reports.drawing.frame import frame_of
from pbem.reports.maps.field import Provinces, field_of
from pbem.resources import resources
from tests.kit.many import picture_of

ROOM = (resources("templates") / "web/room.js").read_text("utf-8")
ASKED = "([board, x, y]) => window.boardOf(board).at(x, y)?.name ?? null"


def board() -> Provinces:
    found = field_of(picture_of("sheet", 7)).board
    assert isinstance(found, Provinces)
    return found


def test_a_sheet_of_provinces_is_told_by_their_outlines() -> None:
    picture = picture_of("sheet", 7)

    assert [one.key for one in board().areas] == [one.key for one in picture.provinces if one.kind != "closed"]
    hexes = field_of(picture_of("hexes", 7)).board
    assert not isinstance(hexes, Provinces)


def test_a_place_is_the_province_that_it_lies_in(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content("<p></p>")
    page.add_script_tag(type="module", content=f"{ROOM}\nwindow.boardOf = boardOf;")
    page.wait_for_function("'boardOf' in window")
    made = msgspec.to_builtins(board())

    for one in board().areas:
        assert page.evaluate(ASKED, [made, one.x, one.y]) == one.key
    frame = frame_of(picture_of("sheet", 7))
    (closed,) = (one for one in picture_of("sheet", 7).provinces if one.kind == "closed")
    assert page.evaluate(ASKED, [made, *frame.at(closed.at)]) is None
    assert page.evaluate(ASKED, [made, -5, -5]) is None
    names = page.evaluate("board => 'P1 to P12, p3 and P99'.match(window.boardOf(board).names)", made)
    assert names == ["P1", "P12", "p3"]
    page.close()
