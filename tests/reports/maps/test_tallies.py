"""Many games on one sheet."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pbem.reports.drawing.png import png
from pbem.reports.maps.tallies import Bar, Tally, drawing, in_words
from pbem.resources import resources

BARS = (
    Bar("French <I>", "first", 30, 0.6, 0.457, 0.728),
    Bar("Prussian", "second", 20, 0.4, 0.272, 0.543),
    Bar("nobody", "none", 0, 0.0, 0.0, 0.071),
)


def tally(**lengths: dict[int, int]) -> Tally:
    return Tally(title="A & B", under="50 games", bars=BARS, lengths=lengths, most=0.6)


def test_shares_and_turns_are_told_in_words() -> None:
    said = in_words(tally(first={4: 20, 5: 10}, second={5: 20}))

    assert said == (
        "50 games. French <I>: 30, 60.0 % (46 to 73); Prussian: 20, 40.0 % (27 to 54); nobody: 0, 0.0 % (0 to 7). "
        "Ended: 20 in turn 4, 30 in turn 5."
    )


def test_it_stands_alone_and_is_well_formed() -> None:
    svg = drawing(tally(first={4: 20, 5: 10}, second={5: 20}))

    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert "var(--" not in svg
    assert png(svg, resources("templates") / "fonts", width=320).startswith(b"\x89PNG")


def test_a_bar_is_as_long_as_its_share() -> None:
    root = ElementTree.fromstring(drawing(tally()))
    wide = [
        float(one.attrib["width"]) for one in root.iter("{http://www.w3.org/2000/svg}rect") if "full" in str(one.attrib)
    ]

    assert wide == [192.0, 128.0]


def test_columns_are_stacked_to_the_height_of_all_games_of_the_turn() -> None:
    root = ElementTree.fromstring(drawing(tally(first={1: 6}, second={1: 2, 2: 4})))
    boxes = [one.attrib for one in root.iter("{http://www.w3.org/2000/svg}rect") if "full" in str(one.attrib)][2:]

    assert [float(one["height"]) for one in boxes] == [112.5, 37.5, 75.0]
    assert float(boxes[1]["y"]) + 37.5 == pytest.approx(float(boxes[0]["y"]))


def test_long_games_share_columns() -> None:
    svg = drawing(tally(first=dict.fromkeys(range(1, 301), 1)))

    root = ElementTree.fromstring(svg)
    boxes = [one for one in root.iter("{http://www.w3.org/2000/svg}rect") if "full" in str(one.attrib)]
    assert len(boxes) == 2 + 60
