"""Every kind of fact that a log of the game may hold."""

from __future__ import annotations

from pbem.systems.kriegsspiel.attack_outcomes import ATTACK
from pbem.systems.kriegsspiel.fact import Fact
from pbem.systems.kriegsspiel.fire_outcomes import FIRE
from pbem.systems.kriegsspiel.outcomes import TRUTH
from pbem.systems.kriegsspiel.tidings import KNOWLEDGE
from pbem.systems.kriegsspiel.works_outcomes import WORKS

FACTS: tuple[type[Fact], ...] = (*TRUTH, *FIRE, *ATTACK, *WORKS, *KNOWLEDGE)
