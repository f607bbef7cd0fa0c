"""What a commander learns."""

from __future__ import annotations

from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Mind, taught


def learn(mind: Mind, fact: Fact) -> Mind:
    """A mind after a fact that its role knows."""
    return taught(mind, fact.learned) if fact.learned is not None else mind
