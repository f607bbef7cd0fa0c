"""What a run would come to, in the words of the rules: as the GM's own page has it, or as the roles would be told."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk import pages
from pbem.desk.dossiers import Dossier
from pbem.desk.worlds import AnyWorld, fold


class Foretold(Struct, frozen=True):
    """A sentence on what would come to pass, under the heading of its phase."""

    phase: str
    text: str


def foretold(dossier: Dossier, before: AnyWorld, after: Dossier) -> tuple[Foretold, ...]:
    """What comes to pass between *dossier*, where things stand as in *before*, and *after*; each sentence once."""
    facts, system = after.facts(after=dossier.seq), dossier.system
    if system.umpire:
        world = fold(after, before, after=dossier.seq)
        moment = dossier.exchange().moment
        told = system.umpire(dossier.scene, world, (), [one.event for one in facts], moment).happened
    else:
        told = tuple(one for role in pages.tell(after, before, facts).values() for one in role)
    return tuple(dict.fromkeys(Foretold(one.phase, f"{one.lead} {one.text}".strip()) for one in told))
