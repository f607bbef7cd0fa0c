"""The digest of an autoplayed game: `python -m pbem.suite.digest SYSTEM SCENARIO [MODULE]`, under any PYTHONHASHSEED.

*MODULE* says where what is asked of the system lies (`Place.told_by`).
"""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module
from random import Random

import msgspec

from pbem.rules import registry
from pbem.suite.play import Game
from pbem.suite.secret import autoplay, known, plug

EXCHANGES = 6


def digest(system: str, scenario: str) -> str:
    """SHA-256 over every fact of the game, and all that reached every role."""
    game = Game(registry.load(system), scenario)
    content = hashlib.sha256()
    for _ in autoplay(game, plug(system), Random(1870), EXCHANGES):
        content.update(msgspec.json.encode(game.facts))
        content.update(msgspec.json.encode(game.world.truth))
        for role in game.roles:
            for part in known(game, role, ()).values():
                content.update(part)
    return content.hexdigest()


def main(system: str, scenario: str, told_by: str = "") -> None:
    """Print the digest."""
    if told_by:
        import_module(told_by)
    print(digest(system, scenario))


if __name__ == "__main__":
    main(*sys.argv[1:])
