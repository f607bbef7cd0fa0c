"""The umpire's page: the map as it is, and what only one side and the umpire may know."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Moment
from pbem.rules.registry import load
from pbem.rules.view import View
from pbem.systems.empire_1870.gm.truth import umpire
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, SIDES
from tests.systems.play import Game

FRENCH_SHEET = "ACT F4\n SELF 12SP MARCH 2105\nEND\nDIV 2513 3SP MARCH 2512\nPASS\nDIV 2106 3SP MARCH 2005"
GERMAN_SHEET = """
STANDING MOBILIZE 2SP AT Mainz RESERVE 20
ACT G5
  SELF 8SP MARCH 2613
END
ACT A1
END
"""


def shown(game: Game, moment: Moment) -> View:
    facts = [fact for fact in game.facts if isinstance(fact, Fact)]
    return umpire(game.scene, game.world, (), facts, moment)


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    game.play({FRENCH: FRENCH_SHEET, GERMAN: GERMAN_SHEET})
    return game


@pytest.fixture(scope="module")
def page(game: Game) -> View:
    return shown(game, Moment(1, 1))


def test_everything_stands_on_its_map_as_it_is(game: Game, page: View) -> None:
    drawn = page.picture.stacks
    assert all(one.certainty == "now" for one in drawn)
    held = {at for stacks in game.world.truth.stacks.values() for at in stacks}
    assert len({one.at for one in drawn if one.strength}) == len(held)
    headings = [heading for heading, _ in page.picture.words]
    assert headings[:2] == ["The French", "The Germans"]


def test_both_programmes_both_purses_and_all_standing_orders_are_there(game: Game, page: View) -> None:
    captions = [table.caption for table in page.own]
    for whose in ("French", "German"):
        assert any(one.startswith(f"{whose} forces") for one in captions)
        assert f"{whose} standing orders; those behind # are the defaults" in captions
    rows = [cell for table in page.own for row in table.rows for cell in row]
    assert "STANDING MOBILIZE 2SP AT Mainz RESERVE 20" in rows
    rp = game.world.truth.resource_points
    assert [one.note for one in page.strip[1:]] == [f"{rp[side]} RP" for side in SIDES]


def test_what_came_to_pass_is_told_once_and_of_both_sides(page: View) -> None:
    told = [f"{one.lead} {one.text}" for one in page.happened]
    assert sum("went from Boulay 2205 to Thionville 2105" in one for one in told) == 1
    assert sum("went from Freiburg 2713" in one for one in told) == 1
    text = " ".join(told)
    assert "“ACT A1”, was skipped: nothing was left to do" in text
    assert "came to your knowledge" not in text
    assert "your programme" not in text


def test_the_set_up_has_a_page_too() -> None:
    game = Game(load("empire-1870"), "free-set-up")
    shown(game, Moment(0, 0))
    game.play({})
    assert any("The Germans are set up" in one.text for one in shown(game, Moment(0, 1)).happened)
