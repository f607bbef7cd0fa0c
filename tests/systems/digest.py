"""The digest of an autoplayed game: `python -m tests.systems.digest SYSTEM SCENARIO`, under any PYTHONHASHSEED."""

from __future__ import annotations

import hashlib
import sys
from random import Random

import msgspec

from pbem.rules import registry
from tests.systems.play import SIXTH, Game
from tests.systems.secret import autoplay, known, plug

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


if __name__ == "__main__":
    sys.path.insert(0, str(SIXTH))
    print(digest(*sys.argv[1:]))
