"""Attacks of the toy: one of each kind, and those that a role could try by what it knows."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.rules.chances import Attack
from tests.systems.play import Game
from tests.systems.toy import SYSTEM
from tests.systems.toy.chances import attacks
from tests.systems.toy.orders import Fire
from tests.systems.toy.state import GUARD


def examples() -> Iterator[Attack]:
    """One of each kind."""
    game = Game(SYSTEM, "ford")
    yield from attacks(game.scene, game.world.minds[GUARD], GUARD, [Fire(line=1, text="", piece="g1", square=1)])


def tries(game: Game, role: Role) -> list[str]:
    """What a role could attack, by what it knows."""
    return [f"fire {patrol} at {place}" for patrol in ("g1", "g2") for place in range(1, 6)]
