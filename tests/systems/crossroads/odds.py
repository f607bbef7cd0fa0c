"""Attacks of Crossroads: one of each kind, and those that a side could try by what it knows."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.rules.chances import Attack
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.sheets.chances import attacks
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.play import Game


def close(rulings: str = "", rounds: int = 3) -> Game:
    """The Golden Bremm after two turns, the French close at hand; with rulings."""
    game = Game(SYSTEM, "golden-bremm", options={"max_rounds": rounds})
    game.play({GERMAN: "PR-2 move S 9", FRENCH: "FR-1 none\nFR-M1 none\nstar FR-3 none"})
    reading = SYSTEM.direct(game.scene, game.world, lines_of(rulings), {})
    assert not reading.complaints, reading.complaints
    game.add(reading.items)
    return game


def known(game: Game, side: Role, text: str) -> list[Attack]:
    """The attacks of a sheet, by what its side knows."""
    orders, _ = game.read(side, text)
    return list(attacks(game.scene, game.world.minds[side], side, orders))


WORN = "set PR-2 losses 9\nset FR-1 losses 9"
"""Few dice, so that all falls of them are soon weighed."""


def examples() -> Iterator[Attack]:
    """A volley, one of a gun that may jam, and a charge to the end of its melee."""
    yield from known(close(), FRENCH, "FR-1 fire nearest")
    yield from known(close(), FRENCH, "FR-M1 fire nearest")
    yield from known(close(WORN, 2), GERMAN, "PR-2 charge FR-1")


def tries(game: Game, role: Role) -> list[str]:
    """What a side could attack, by what it knows."""
    mind = game.world.minds[role]
    own = [name for name, one in sorted(mind.units.items()) if one.side == role and one.stands]
    return [f"{name} {('fire', 'charge')[number % 3 == 0]} nearest" for number, name in enumerate(own)]
