"""Places of a picture by name, and lengths in its measure."""

from __future__ import annotations

import pytest

from pbem.ground.hexes import Hex
from pbem.ground.honeycomb import middle
from pbem.ground.picture import Grid, Honeycomb, Label, Picture, Plane, Point
from pbem.ground.spots import measured, near, placed, spot

BOARD = Picture(title="", whose="", box=(0, 0, 300, 300), grid=Grid(100, ("A", "B", "C"), ("3", "2", "1")))
HEXES = Picture(title="", whose="", box=(0, 0, 900, 900), hexes=Honeycomb((1, 20), (1, 20)))
INN = Label("The Inn", (50, 60), "place")
FIELD = Picture(title="", whose="", box=(0, 0, 600, 400), plane=Plane(10, "inches", 12, ""), labels=(INN,))


@pytest.mark.parametrize(
    ("picture", "name", "at"),
    [
        (BOARD, "b-3", (150, 50)),
        (BOARD, "A-1", (50, 250)),
        (HEXES, "0204", middle(Hex("0204"))),
        (HEXES, "0305", middle(Hex("0305"))),
        (FIELD, "18.1,35.2", (181, 48)),
    ],
)
def test_a_place_is_found_by_its_name_and_named_by_where_it_is(picture: Picture, name: str, at: Point) -> None:
    assert spot(picture, name) == at
    assert placed(picture, at).casefold() == name.casefold()


def test_what_is_written_on_the_map_is_a_place() -> None:
    assert spot(FIELD, "the inn") == (50, 60)


@pytest.mark.parametrize("picture", [BOARD, HEXES, FIELD])
@pytest.mark.parametrize("name", ["", "D-1", "A-9", "9900", "0000", "x,y", "nowhere", "-", ","])
def test_what_lies_nowhere_is_no_place(picture: Picture, name: str) -> None:
    assert spot(picture, name) is None


@pytest.mark.parametrize(
    ("picture", "off", "said"),
    [
        (BOARD, 100, "1 square"),
        (BOARD, 260, "3 squares"),
        (BOARD, 10, "1 square"),
        (HEXES, 210, "2 hexes"),
        (FIELD, 25, "2.5 inches"),
        (FIELD, 120, "12 inches"),
    ],
)
def test_a_length_is_told_in_the_measure_of_the_map(picture: Picture, off: int, said: str) -> None:
    assert measured(picture, off) == said


def test_only_on_open_ground_somebody_near_a_place_is_at_it() -> None:
    assert (near(BOARD), near(HEXES), near(FIELD)) == (0, 0, 30)
