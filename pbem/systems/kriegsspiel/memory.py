"""How facts make the truth and a mind."""

from __future__ import annotations

from pbem.systems.kriegsspiel.fact import Fact
from pbem.systems.kriegsspiel.mind import Mind, taught
from pbem.systems.kriegsspiel.state import War, changed


def evolve(war: War, fact: Fact) -> War:
    """The truth after a fact.  A fact of knowledge changes nothing in truth."""
    return changed(war, fact.changes) if fact.changes is not None else war


def learn(mind: Mind, fact: Fact) -> Mind:
    """A mind after a fact that its role knows."""
    return taught(mind, fact.learned) if fact.learned is not None else mind
