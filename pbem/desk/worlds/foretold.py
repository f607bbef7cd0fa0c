"""What a run would come to, in the words of the rules: as the GM's own page has it, or as the roles would be told."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.worlds import telling
from pbem.desk.worlds.worlds import AnyWorld, fold
from pbem.kernel.event import Recorded
from pbem.kernel.names import Role
from pbem.rules.view import Told


class Foretold(Struct, frozen=True):
    """A sentence on what would come to pass, under the heading of its phase."""

    phase: str
    text: str
    role: Role | None = None
    """Who would be told so; None: it stands on the GM's own page."""


def foretold(dossier: Dossier, before: AnyWorld, after: Dossier) -> tuple[Foretold, ...]:
    """What comes to pass between *dossier*, where things stand as in *before*, and *after*; each sentence once."""
    facts = after.facts(after=dossier.seq)
    told = _by_umpire(dossier, before, after, facts)
    if told is not None:
        return tuple(dict.fromkeys(_foretold(one) for one in told))
    account = telling.tell(after, before, facts).told
    return tuple(dict.fromkeys(_foretold(one, role) for role, told in account.items() for one in told))


def _by_umpire(dossier: Dossier, before: AnyWorld, after: Dossier, facts: Sequence[Recorded]) -> Sequence[Told] | None:
    """As the GM's own page has it; None where the rules make none, or fail to: the roles' accounts are whole."""
    system = dossier.system
    if system.umpire is None:
        return None
    world = fold(after, before, after=dossier.seq)
    try:
        return system.umpire(dossier.scene, world, (), [one.event for one in facts], dossier.exchange().moment).happened
    except Exception:
        # A dry run only shows; `turn umpire` says what is wrong with the page.
        return None


def _foretold(one: Told, role: Role | None = None) -> Foretold:
    text = f"{one.lead} {one.text}".strip()
    return Foretold(one.phase, f"line {one.line}: {text}" if role and one.line else text, role)
