"""Facts are told to roles in the words of the rules; where those fail, a page says so, and the GM hears why.

A fact that cannot be told has come to pass all the same: bad words cost a page a sentence, and never a turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.event import Outcome, Recorded, kind_of
from pbem.kernel.names import Moment, Role
from pbem.rules.contract import apply, form
from pbem.rules.view import Told

PHASE = "Not told"
NO_WORDS = "Something that you learnt here could not be put into words.  The umpire has been told."
"""What stands for it on a page: it names nothing, for an error may speak of what its reader must not know."""

MOST = 200
"""Of an error, so many signs are kept."""


class Untold(Struct, frozen=True):
    """A fact that the rules could not tell a role, and why.  For the GM alone."""

    role: Role
    moment: Moment
    seq: int
    kind: str
    error: str

    def __str__(self) -> str:
        return f"the page of {self.role}, event {self.seq} ({self.kind}): {self.error}"


class Account(Struct, frozen=True):
    """What each role was told, and what it could not be told."""

    told: dict[Role, list[Told]]
    untold: tuple[Untold, ...] = ()


def words(dossier: Dossier, recorded: Recorded, world: AnyWorld, role: Role) -> Sequence[Told] | Untold:
    """A fact as *role* is told of it, with the names it had in *world*; nothing, if it learns nothing of it."""
    fact = recorded.event
    assert isinstance(fact, Outcome)
    shown = form(dossier.system, fact, role)
    if shown is None:
        return ()
    try:
        return tuple(dossier.system.tell(dossier.scene, shown, world.minds[role], role))
    except Exception as error:
        # Whatever it is, the fact stands in the log, and the rest of the page can be read.
        why = " ".join(f"{type(error).__name__}: {error}".split())
        return Untold(role, recorded.moment, recorded.seq, kind_of(fact), why[:MOST])


def without_words(moment: Moment) -> Told:
    """What stands on a page where something of *moment* could not be told."""
    return Told(moment=moment, phase=PHASE, text=NO_WORDS)


def tell(dossier: Dossier, world: AnyWorld, facts: Sequence[Recorded]) -> Account:
    """Each role's account of *facts*, which come to pass in *world*, in the words that it had before each."""
    told: dict[Role, list[Told]] = {role: [] for role in dossier.roles}
    untold: list[Untold] = []
    for recorded in facts:
        for role in dossier.roles:
            said = words(dossier, recorded, world, role)
            if not isinstance(said, Untold):
                told[role] += said
                continue
            untold.append(said)
            instead = without_words(recorded.moment)
            if told[role][-1:] != [instead]:  # of several in a row it is said once
                told[role].append(instead)
        assert isinstance(recorded.event, Outcome)
        world = apply(dossier.system, world, recorded.event)
    return Account(told, tuple(untold))
