"""Games that play themselves to their end, and a reader that is sent anything; `tests.soak` does more of both."""

from __future__ import annotations

import os
import secrets

import pytest

from tests.soak.fuzz import fuzz
from tests.soak.games import Plan, plans, play
from tests.systems.boards import BOARDS
from tests.systems.play import SYSTEMS

PLANS = [plan for board in BOARDS for plan in plans(*board, 3, seed=7)]
"""Seeds 7 to 9: options by lot, likely orders, silence."""
SECONDS = float(os.environ.get("PBEM_FUZZ_SECONDS", "2"))


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_a_game_comes_to_its_end_with_everything_conserved(plan: Plan) -> None:
    played = play(plan)

    assert played.game.over
    assert played.exchanges > 1
    assert played.orders > 0 or plan.silent
    assert played.templates > 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_is_sent_is_read_and_what_is_read_can_be_played(system: str) -> None:
    seed = int(os.environ.get("PBEM_FUZZ_SEED", secrets.randbits(32)))
    print(f"PBEM_FUZZ_SEED={seed}")

    assert fuzz(system, seed, seconds=SECONDS, most=4).lines > 0
