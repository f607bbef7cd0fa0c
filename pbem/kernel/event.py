"""What came to pass.  Nothing here knows a game."""

from __future__ import annotations

from typing import Literal, TypeVar

from msgspec import Struct

from pbem.kernel.names import Aspect, Moment, Role, RuleId, ThrowName

Seed = Literal["open", "closed"]
"""Is every role shown how a die fell, name and faces, whatever comes of it (open), or may it be hidden (closed).

The open seed is printed in every report of its exchange, and names can be guessed: it hides nothing that it throws.
Which of the two throws for a purpose hangs on nothing that a role may not know, for a role sees it of what it is shown.
"""

Kind = TypeVar("Kind", bound="Event")


class Throw(Struct, frozen=True, omit_defaults=True):
    """Dice that have fallen, under a name that no other throw of the turn bears."""

    name: ThrowName
    seed: Seed
    sides: int
    faces: tuple[int, ...]
    by: Literal["seed", "ruling", "script"] = "seed"

    @property
    def purpose(self) -> str:
        """The ledger's word for what was thrown: the middle of the name.

        >>> Throw(ThrowName("5B/melee/J-10"), "open", 6, (4,)).purpose
        'melee'
        """
        return self.name.split("/")[1]


class Event(Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """Something that came to pass.  Every leaf class names its kind: `tag="st-privat.melee_resolved"`."""


class Outcome(Event, frozen=True, kw_only=True):
    """A fact that the rules (or a ruling) decided, whole, as the GM sees it.

    *known* says which roles learn of it, and how much.  They learn it when it stands in the log: a thing
    known later is a later fact.  Who else knows is itself a secret: a role gets the fact with *known* cut
    down to itself.
    """

    phase: str = ""
    rules: tuple[RuleId, ...] = ()
    dice: tuple[Throw, ...] = ()
    known: dict[Role, Aspect] = {}


class Recorded(Struct, frozen=True):
    """The envelope.  No rule may read it, and no role may see *seq* or a hash: both count hidden things."""

    seq: int
    at: int
    """Microseconds UTC."""
    actor: str
    """`office`, `gm`, or a player's id."""
    moment: Moment
    event: Event


def kind_of(event: Event | type[Event]) -> str:
    """The word under which an event stands in the log: `orders_accepted`, `st-privat.melee_resolved`."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str), f"{event!r} has no tag"
    return tag


def kinds_of(base: type[Kind]) -> tuple[type[Kind], ...]:
    """Every kind of *base* there is: all that is made of it so far, and stands in the log under a word of its own."""
    made = tuple(deeper for kind in base.__subclasses__() for deeper in (kind, *kinds_of(kind)))
    return tuple(kind for kind in made if kind_of(kind) != kind.__name__)
