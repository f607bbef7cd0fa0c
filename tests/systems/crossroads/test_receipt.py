"""What stands in the way of a line, and what would do: a whole line, that can be sent as it stands."""

from __future__ import annotations

import pytest

from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.play import Game


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("PR-A1 move SE 6", "PR-A1 form limbered then move half SE 4"),
        ("PR-A1 move to Clover Hill", "PR-A1 form limbered then move half to Clover Hill"),
        ("PR-1 wheel left 120", "PR-1 wheel left 45"),
        ("joker PR-1 move half S 4 then prone", "joker PR-1 move half S 4 then fire nearest"),
        ("officer KO-1 lead PR-1, PR-3 fire nearest", "officer KO-1 lead PR-1, PR-3 move S 8"),
        ("PR-3 move to inn of the Golden Brem facing S", "PR-3 move to Inn of the Golden Bremm facing S"),
        ("PR-3 move to inn", "PR-3 move to Inn of the Golden Bremm"),
        ("PR-1 fire contact 1 and contact 2", "PR-1 fire contact 1"),
    ],
)
def test_what_would_do_is_a_line_that_is_taken(line: str, instead: str) -> None:
    game = Game(SYSTEM, "golden-bremm")
    _, [complaint] = game.read(GERMAN, line)
    taken, refused = game.read(GERMAN, complaint.instead)

    assert complaint.instead == instead
    assert taken
    assert not refused


def test_a_place_that_is_none_is_marked_from_its_first_word_to_its_last() -> None:
    _, [complaint] = Game(SYSTEM, "golden-bremm").read(GERMAN, "PR-3 move to Inn of the Golden Brem facing S")

    assert (complaint.column, complaint.width) == (14, len("Inn of the Golden Brem"))


def test_an_own_unit_is_not_called_unknown() -> None:
    _, [complaint] = Game(SYSTEM, "golden-bremm").read(FRENCH, "FR-2 fire FR-1")

    assert complaint.why == "FR-1 is your own; name an enemy, or `nearest`"
