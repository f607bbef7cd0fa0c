"""Every guide is done as it is written: what it says to type is typed, and what it shows is what comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.library import guides
from tests.guides.begun import begin, chapters_of
from tests.kit.guide import DOES, blocks, reader

SCENARIOS = {
    "st-privat": "st-privat/ste-marie",
    "empire-1870": "empire-1870/woerth",
    "kriegsspiel": "kriegsspiel/kreuzweg",
    "half-league": "half-league/bulganak",
    "crossroads": "crossroads/la-folie",
}
"""By which a player of each game learns it."""


@pytest.mark.parametrize("system", SCENARIOS)
def test_a_player_sends_his_first_sheet_as_his_guide_says(system: str, tmp_path: Path) -> None:
    with reader(tmp_path) as player:
        begin(player, SCENARIOS[system])
        for block in chapters_of(system, guides.find("player").source):
            player.follow(block)


@pytest.mark.parametrize("name", ["gm", "review", "scenario"])
def test_a_guide_is_followed_from_its_beginning_to_its_end(name: str, tmp_path: Path) -> None:
    with reader(tmp_path) as one:
        for block in blocks(guides.find(name).source):
            one.follow(block)


# The author's book has fences of its own kinds, which its own test knows.
@pytest.mark.parametrize("name", [one.name for one in guides.listing() if one.name != "author"])
def test_it_is_said_of_every_fence_what_stands_in_it(name: str) -> None:
    source = guides.find(name).source

    assert [block.line for block in blocks(source) if block.kind not in DOES] == []
    assert source.count("\n```") % 2 == 0
    assert source.count("\n```") // 2 == len(blocks(source))
