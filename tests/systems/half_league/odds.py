"""Attacks of Half a League: one of each kind, and those that a side could try by what it knows."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.orders.sheet import Line
from pbem.rules import registry
from pbem.rules.chances import Attack
from pbem.systems.half_league import SYSTEM
from pbem.systems.half_league.sheets.chances import attacks
from pbem.systems.half_league.world.pieces import side_of
from tests.systems.play import Game


def ruled(rulings: str) -> Game:
    """The Kourgane hill before the first turn, with rulings."""
    game = Game(registry.load("half-league"), "kourgane")
    for number, line in enumerate(rulings.splitlines(), start=1):
        reading = SYSTEM.direct(game.scene, game.world, [Line(number, line)], {})
        assert not reading.complaints, reading.complaints
        game.add(reading.items)
    return game


def known(game: Game, text: str, role: int = 0) -> list[Attack]:
    """The attacks of a sheet of the allied one, or of the other *role*, by what it knows."""
    who = game.roles[role]
    orders, _ = game.read(who, text)
    return list(attacks(game.scene, game.world.minds[who], who, orders))


CLOSE = "place RU-9 at 61,60 facing N line\nplace UK-7 at 61,64 facing S line"


FAR = "place RU-A1 at 61,8 facing N unlimbered\nset RU-A1 stationary_turns 3\nplace UK-7 at 61,64 facing S line"


def examples() -> Iterator[Attack]:
    """Fire with its saves, a bombardment, a charge to the end of its melee."""
    far = ruled(FAR)
    targets = (name for name, one in far.world.minds[far.roles[1]].units.items() if one.side == side_of(far.roles[0]))
    found = [one for target in targets for one in known(far, f"RU-A1 bombard {target}", 1)]
    yield found[0]
    yield from known(ruled(CLOSE), "UK-7 fire RU-9")
    yield from known(ruled(f"{CLOSE}\nset RU-9 chits 1"), "UK-7 charge RU-9\nUK-7 spend melee")


def tries(game: Game, role: Role) -> list[str]:
    """What a side could attack, by what it knows."""
    mind, side = game.world.minds[role], side_of(role)
    own = [name for name, one in sorted(mind.units.items()) if one.side == side and one.there]
    enemies = [name for name, one in sorted(mind.units.items()) if one.side != side and one.there]
    pairs = [(one, other) for one in own for other in enemies]
    return [
        *(f"{one} fire {other}" for one, other in pairs[::7][:4]),
        *(f"{a} charge {b}" for a, b in pairs[::11][:2]),
    ]
