"""What every fact of the game carries.

There are two kinds, and no fact is both.  A fact of the truth (`changes`) is known to the umpire alone.  A fact of
knowledge (`learned`) is known to one commander, whole: it is all that reaches him.  So the fog needs no filter: what
a commander may know of a thing is reckoned when it comes to his eyes, ears or hand, and stands in the log as that.
"""

from __future__ import annotations

from pbem.kernel.event import Outcome
from pbem.kernel.names import FULL, Aspect, Role
from pbem.systems.kriegsspiel.world.mind import Learned
from pbem.systems.kriegsspiel.world.patches import Changes


def told_to(role: str) -> dict[Role, Aspect]:
    """Known to *role* alone."""
    return {Role(role): FULL}


class Fact(Outcome, frozen=True, kw_only=True):
    """The common part of all facts of the game."""

    move: int = 0
    tick: int = 0
    changes: Changes | None = None
    """What it makes of the truth."""
    learned: Learned | None = None
    """What it adds to the mind of the one role that knows it."""


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact | None:
    """No fact is known in part: what a commander learns is a fact of its own."""
    del fact, aspect, role
    return None
