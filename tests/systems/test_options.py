"""Every option of every system matters: a case plays another value than the default, and fails without it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.suite.cases import cases_of, idle_options, matters
from tests.systems.boards import every_system
from tests.systems.play import SYSTEMS

ROOT = Path(__file__).parents[2]

ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "kriegsspiel": {
        "max_players_per_side": "tests/systems/kriegsspiel/test_forces.py::"
        "test_more_players_a_side_than_may_play_are_refused",
    },
    "st-privat": {
        "road_negates_terrain": "tests/systems/st_privat/test_options.py::"
        "test_a_road_over_a_hill_is_one_more_halt_unless_the_option_lifts_it",
    },
    "toy": {
        "reveal_seed": "tests/desk/turns/test_halts.py::test_seeds_are_shown_only_at_the_end_where_the_game_says_so",
    },
}
"""What no case can show, by system and option: the test that does."""


@every_system
def test_a_case_fails_without_the_option_that_it_sets_for_every_option_there_is(name: str) -> None:
    assert idle_options(name) == sorted(ELSEWHERE.get(name, {}))


@pytest.mark.parametrize("proof", sorted(proof for one in ELSEWHERE.values() for proof in one.values()))
def test_what_no_case_shows_has_the_test_that_is_named(proof: str) -> None:
    path, _, test = proof.partition("::")

    assert f"def {test}(" in (ROOT / path).read_text()


def test_an_option_that_does_nothing_is_found_out() -> None:
    """The test itself: a case that holds with the option and without it does not show it."""
    case = cases_of("kriegsspiel")["KS-TUR-08-urgent"]
    idle = replace(case, options={**case.options, "warn_batteries": 1})

    assert matters(idle, "urgent_min")
    assert not matters(idle, "warn_batteries")


def test_the_systems_named_are_there() -> None:
    assert ELSEWHERE.keys() <= set(SYSTEMS)
