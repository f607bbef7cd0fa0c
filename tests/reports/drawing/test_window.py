"""The window of an enlargement: no name is cut by its frame, on squares and on hexes."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.ground.honeycomb import box_of
from pbem.ground.picture import Box, Label, Site
from pbem.reports.drawing.frame import frame_of
from pbem.reports.drawing.labels import width
from pbem.reports.drawing.svg import XY, Rect
from pbem.reports.drawing.window import fence, off_frame, shown
from pbem.reports.hexes.map import board
from pbem.reports.hexes.style import LETTERS
from pbem.reports.maps.maps import draw
from tests.kit.hexes import HEX_MAP, at
from tests.kit.sample_field import PICTURE

SIZES = {
    "lb": 11.5, "np": 12.5, "nt": 17.0, "nw": 12.5,
    **{f"hx-{name}": size.whole for name, size in LETTERS.items() if name != "river"},
}  # fmt: skip
BOLD = {"lb", "hx-fort", "hx-country", "hx-province"}
NARROWER = 0.9
"""Letters are measured by the widest of the faces: what is seen is no wider than this."""

BOARD_FOCI = [
    (left * 100, top * 100, (left + 7) * 100, (top + 6) * 100) for left in range(0, 11, 2) for top in (0, 4, 7)
]
HEX_FOCI = [
    box_of([Hex(f"{column}{row:02}"), Hex(f"{column + 4}{row + 3:02}")]) for column in (21, 22) for row in (4, 5)
]


def _named(drawn: str) -> list[tuple[str, Rect]]:
    """Each name that is drawn upright, and the room that it takes at least."""
    found = []
    for css, x, y, rest, words in re.findall(
        r'<text class="([\w-]+)" x="([\d.-]+)" y="([\d.-]+)"([^>]*)>([^<]*)<', drawn
    ):
        if css not in SIZES or not float(x):
            continue
        wide = width(words, SIZES[css], bold=css in BOLD) * NARROWER
        start = float(x) - (0 if '"start"' in rest else wide if '"end"' in rest else wide / 2)
        found.append((words, (start, float(y) - SIZES[css] * 0.7, start + wide, float(y))))
    return found


def _cut(room: Rect, window: Rect) -> bool:
    apart = room[2] <= window[0] or room[0] >= window[2] or room[3] <= window[1] or room[1] >= window[3]
    within = (
        room[0] >= window[0] and room[1] >= window[1] and room[2] <= window[2] and room[3] <= window[3]
    )  # fmt: skip
    return not apart and not within


@pytest.mark.parametrize("focus", BOARD_FOCI, ids=str)
def test_no_name_of_a_board_is_cut_by_the_frame(focus: Box) -> None:
    picture = replace(PICTURE, focus=focus)
    window = shown(picture, frame_of(picture))

    assert window
    assert [words for words, room in _named(draw(picture).whole) if _cut(room, window)] == []


@pytest.mark.parametrize("focus", HEX_FOCI, ids=str)
def test_no_name_of_a_hex_map_is_cut_by_the_frame(focus: Box) -> None:
    towns = tuple(Site("town", at(f"{column}{row:02}"), "Frouard") for column in (21, 22, 26, 27) for row in (4, 6, 8))
    lands = (Label("LORRAINE", at("2208"), "country"), Label("Baden", at("2607"), "province"))
    picture = replace(HEX_MAP, sites=towns, labels=lands, focus=focus)
    window = shown(picture, frame_of(picture))

    assert window
    assert [words for words, room in _named(board(picture, "m")) if _cut(room, window)] == []


WINDOW = (100.0, 100.0, 300.0, 200.0)
ROOMS: dict[str, tuple[Rect, XY | None]] = {
    "within": ((150, 150, 190, 160), None),
    "outside": ((20, 150, 60, 160), None),
    "outside, beside a corner": ((20, 20, 60, 30), None),
    "more of it inside": ((90, 150, 130, 160), (11, 0)),
    "more of it outside": ((65, 150, 105, 160), (-6, 0)),
    "over the upper side": ((150, 94, 190, 104), (0, -5)),
    "over a corner": ((295, 195, 335, 205), (6, 0)),
}


@pytest.mark.parametrize(("room", "move"), ROOMS.values(), ids=ROOMS)
def test_what_the_frame_would_cut_is_moved_the_shortest_way(room: Rect, move: XY | None) -> None:
    assert off_frame(room, WINDOW)[:1] == ([] if move is None else [move])


def test_where_nothing_is_enlarged_there_is_no_frame() -> None:
    whole = replace(PICTURE, focus=None)

    assert shown(whole, frame_of(whole)) is None
    assert fence(None) == []
    assert off_frame((0, 0, 1, 1), None) == []
