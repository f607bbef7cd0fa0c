"""The GM's page: both sides as they are, and what lies under the cards."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Moment
from pbem.resources import resources
from pbem.rules.view import View
from pbem.systems.st_privat import SYSTEM
from pbem.systems.st_privat.gm.truth import gm_page
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import FRENCH
from tests.systems.play import Game

SAMPLES = resources("campaigns") / "st-privat" / "ste-marie" / "sample-orders"
HEADS = ("game", "role", "turn")


@pytest.fixture(scope="module")
def page() -> View:
    """The GM's page of the first turn of the small board, by the sample orders and a charge at nobody."""
    game = Game(SYSTEM, "ste-marie")
    before = 0
    for exchange in ("s1", "s2", "t1a", "t1b"):
        before = len(game.facts)
        sheets = {role: SAMPLES / f"{exchange}-{role}.txt" for role in game.roles}
        orders = {
            role: "\n".join(line for line in path.read_text().splitlines() if not line.startswith(HEADS))
            for role, path in sheets.items()
            if path.is_file()
        }
        if exchange == "t1b":
            orders[FRENCH] += "\ncharge @D-4 in at D-5"
        game.play(orders)
    facts = [fact for fact in game.facts if isinstance(fact, Fact)]
    return gm_page(game.scene, game.world, facts[:before], facts[before:], Moment(1, 2))


def test_it_says_what_lies_under_each_card(page: View) -> None:
    [hidden] = [table for table in page.enemy if table.columns[-1] == "It is"]

    assert ("D-4 (inside)", "two cards", "f1, f2") in hidden.rows
    assert ("E-3", "one card", "fd3 (dummy)") in hidden.rows


def test_it_tells_everything_once_and_to_nobody(page: View) -> None:
    said = [f"{line.lead} {line.text}".strip() for line in page.happened]

    assert len(said) == len(set(said))
    assert not [line for line in said if "You" in line or "your" in line]
    assert "The French moved second. fd3 moved from D-3 to E-3, face down. fc1 and fc2 went from G-2 to G-3." in said
    assert any(line.endswith("No enemy was left in D-5.") for line in said)


def test_its_map_has_both_sides_and_the_moves_of_the_whole_turn(page: View) -> None:
    words = dict(page.picture.words)

    assert "inside f1 and f2 face down facing north" in words["Ste. Marie"]
    assert {track.side for track in page.picture.tracks if track.kind == "move"} == {"first", "second"}
